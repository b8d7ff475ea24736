"""Rows of the catalog on machines, at sizes and with faults, timed by Python's clocks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from settings import SOME_ROWS, THOROUGH, taken

from animations.player.pack.setup_data import setup_of
from collectives import record
from collectives.cost.by_name import setup_on
from collectives.cost.choose.setup import emptied, resized
from collectives.cost.clocks.timing import Timing
from collectives.cost.fault_texts import Faults
from collectives.cost.machines.faults import slow_link
from collectives.cost.machines.seats import places_of, seated, seats_of
from collectives.cost.machines.topology import Topology, changed
from collectives.cost.machines.usual import usual_machine, usual_size
from collectives.cost.where import Where
from collectives.errors import BadInput
from collectives.recording.recording import Recording

RANKS = ((3,), (4, 8), (8, 9), (16, 12)) if THOROUGH else ((5, 4), (16, 12))
MACHINES = (
    ("ring", "mesh:columns=2", "pcie-box:gpus_per_switch=2", "crossbar", "cluster:gpus=4,nics=1")
    if THOROUGH
    else ("ring", "pcie-box:gpus_per_switch=2")
)
SIZES = (2.0**-10, 1.0, 4.0)
LINKS = ((1, 1), (2, 0.5), (0.1, 10))  # times the latency, times the bandwidth
KINDS = {"slow_link": "slow-link", "slow_rank": "slow-rank", "late": "late", "dead": "dead"}


def cases() -> Iterator[dict[str, Any]]:
    """Each row on its usual machine and on others: as it is, scaled, and with faults."""
    for number, row in enumerate(SOME_ROWS):
        for wanted in RANKS if THOROUGH else (RANKS[-(number % 2 == 0)],):
            ranks = taken(row, *wanted)
            recording = record(row.collective, row.algorithm, ranks=ranks)
            if recording.collective.moves_data:
                recording = resized(recording, usual_size(recording.chunk_count), recording.dtype)
            for at, machine in enumerate(machines(recording, number)):
                yield of_machine(recording, machine, number + at)


def machines(recording: Recording, number: int) -> Iterator[Topology]:
    """The usual one, and those of some names that have room."""
    yield usual_machine(recording)
    for name in MACHINES if THOROUGH else (MACHINES[number // 2 % len(MACHINES)],):
        where = Where(name)
        try:
            machine = where.setup().machine(recording)
            placement = machine.placement(recording.ranks, recording.nodes)
            machine.paths(*placement[recording.counters.links].T)
        except BadInput:
            continue
        yield machine


def of_machine(recording: Recording, machine: Topology, number: int) -> dict[str, Any]:
    """One setup, timed with some size, links and faults by both clocks."""
    plain = timed(recording, machine, Faults(), "lockstep")
    size = recording.count * recording.dtype.itemsize
    moves = moves_on(machine, recording, number)
    story = {
        "setup": setup_of(plain, size, explored=bool(moves)),
        "chunks": recording.chunk_count,
        "widths": [9],
        "frames": [[0, transfers(step)] for step in recording.steps],
    }
    placed = seated(machine, moves)
    every = faults_on(placed, timed(recording, placed, Faults(), "lockstep"))
    shown = every if THOROUGH else [every[number % len(every)], every[0]]
    wanted = []
    for at, faults in enumerate(shown):
        times = SIZES[(number + at) % len(SIZES)]
        latency, bandwidth = LINKS[(number + at) % len(LINKS)]
        wanted.append(case(recording, placed, story, faults, (times, latency, bandwidth)))
    for each in wanted:
        each["setting"]["moves"] = moves
    name = f"{recording.title} on {recording.ranks}, {placed.name}"
    return {"name": name, "story": story, "cases": wanted}


def moves_on(machine: Topology, recording: Recording, number: int) -> list[str]:
    """Of two machines in three moves of ranks, where all messages then have a path."""
    last = machine.ranks - 1
    wanted = [[], [f"0={last}"], [f"0={last}", f"1={last // 2}"]][number % 3] if last > 1 else []
    moves = list(places_of(seats_of(wanted, machine.ranks)))
    try:
        placement = machine.placement(recording.ranks, recording.nodes)
        seated(machine, moves).paths(*placement[recording.counters.links].T)
    except BadInput:
        return []
    return moves


def transfers(step: Any) -> list[int]:
    """The transfers of a step in nines, as a story has them; sizes and texts left out."""
    rows = step.unrolled()
    found = np.zeros((len(rows), 9), np.intp)
    found[:, :4] = np.stack([rows.src, rows.dst, rows.chunk, rows.into], axis=1)
    numbers: list[int] = found.ravel().tolist()
    return numbers


def faults_on(machine: Topology, plain: Timing) -> list[Faults]:
    """None, each kind of fault alone, and several at once, on links that carry bytes if any do."""
    links = np.flatnonzero(plain.link_bytes) if plain.link_bytes.any() else [0]
    first, last = (
        "".join(
            f"{machine.label(int(end)).removeprefix('rank ').replace(' ', '')}{sign}"
            for end, sign in ((machine.src[link], "-"), (machine.dst[link], ""))
        )
        for link in (links[0], links[-1])
    )
    late = f"{machine.ranks // 2}={round(4e5 * plain.total) or 1}us"
    return [
        Faults(),
        Faults(slow_link=(f"{first}=0.5", f"{last}=10%")),
        Faults(late=(late,)),
        Faults(slow_rank=(f"{machine.ranks - 1}=0.1",)),
        Faults(dead=(last,)),
        Faults(dead=(first.replace("-", "→"),), late=(f"{machine.ranks - 1}=2us",)),
        Faults(slow_link=(f"{last}=0.2",), slow_rank=("0=50%",), late=("0=1ms",)),
    ]


def timed(recording: Recording, machine: Topology, faults: Faults, clock: str) -> Timing:
    """The timing as `collectives time` has it."""
    return faults.of(setup_on(machine, clock), recording.ranks).time(recording)


def case(
    recording: Recording,
    machine: Topology,
    story: dict[str, Any],
    faults: Faults,
    setting: tuple[float, float, float],
) -> dict[str, Any]:
    """A setting of the page, and what Python's clocks have under it."""
    times, latency, bandwidth = setting
    setup = story["setup"]
    grain = int(np.lcm(story["chunks"], setup["chunks"])) * setup["unit"]
    size = setup["size"]
    if size and times != 1:
        size = max(1, round(size * times / grain)) * grain
        recording = resized(recording, size, recording.dtype)
    scaled = changed(
        machine,
        latency=machine.latency * latency,
        bandwidth=machine.bandwidth * bandwidth,
        capacity=machine.capacity * bandwidth,
    )
    timings = [timed(recording, scaled, faults, clock) for clock in ("lockstep", "dataflow")]
    load = load_of(recording, scaled, faults) if "explored" in setup else None
    texts = [[KINDS[n], text] for n in KINDS for text in getattr(faults, n)]
    return {
        "setting": {"size": times, "latency": latency, "bandwidth": bandwidth, "faults": texts},
        "bytes": size,
        "timings": [expected(timing) for timing in timings],
        "load": load,
    }


def load_of(recording: Recording, machine: Topology, faults: Faults) -> dict[str, Any] | None:
    """What links carry and for which share, and all times if one, or one kind, is twice as fast."""
    clock = "dataflow" if faults else "lockstep"
    timing = timed(recording, machine, faults, clock)
    if not np.isfinite(timing.total) or not timing.link_bytes.any():
        return None
    link = int(np.argmax(timing.link_use))
    broken = faults.of(setup_on(machine, clock), recording.ranks).machine(recording)
    faster = slow_link(broken, int(broken.src[link]), int(broken.dst[link]), 0.5)
    sole = replace(faults, slow_link=(), dead=(), slow_rank=())
    bare = faults.of(setup_on(machine, clock), recording.ranks).time(emptied(recording))
    return {
        "bytes": timing.link_bytes.tolist(),
        "use": timing.link_use.tolist(),
        "link": link,
        "faster": timed(recording, faster, sole, clock).total,
        "latency": bare.total / timing.total,
    }


def expected(timing: Timing) -> dict[str, Any]:
    """The total, the ends of all steps, and each message's times; -1 for what never is."""
    messages = timing.messages
    return {
        "clock": timing.clock,
        "total": in_json(np.array([timing.total]))[0],
        "ends": in_json(timing.step_end),
        "start": in_json(messages.start),
        "end": in_json(messages.end),
    }


def in_json(times: Any) -> list[float]:
    """Seconds for JSON."""
    found: list[float] = np.where(np.isfinite(times), times, -1.0).tolist()
    return found
