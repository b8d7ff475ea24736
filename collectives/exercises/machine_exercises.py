"""Exercises about machines: a benchmark's line, α and B from two times, the busiest links."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import numpy as np

from collectives.cost.busbw import bandwidths, known_operation
from collectives.cost.choose.setup import resized
from collectives.cost.clocks.clock import lockstep
from collectives.cost.machines import topology
from collectives.cost.machines.faults import dead_link, stall
from collectives.cost.machines.links import find_link
from collectives.exercises.cases import LEGEND, ExerciseCase
from collectives.exercises.exercise import Draft, choices
from collectives.exercises.time_exercises import BANDWIDTHS, LATENCIES, MIB, NODE
from collectives.units import rate_text, time_text
from collectives.words import capital, plural

KIB = 1 << 10
HEAD = (
    "#       size         count    type   redop    root     time   algbw   busbw",
    "#        (B)    (elements)                             (us)  (GB/s)  (GB/s)",
)
WIRES = ("nvlink3", "nvlink4"), ("pcie4", "pcie5"), ("ib-hdr", "ib-ndr")  # in, to, from cards
LINKS = {  # the kinds of nodes at their ends
    ("rank", "node switch"): "from each GPU to the switch of its node",
    ("rank", "NIC"): "from each GPU to its network card",
    ("NIC", "leaf switch"): "from each network card to the switch outside",
}
CLEAR = 1.1  # as long as the busiest links must be busy, beside others


def benchmark_line(case: ExerciseCase, random: Random) -> Draft | None:
    """What each rank sends a second, from a line of nccl-tests whose busbw is left out."""
    operation = known_operation(case.recording.collective.name)
    if case.recording.algorithm != "ring" or case.recording.collective.rooted or not operation:
        return None
    ranks, size = case.recording.ranks, random.choice((64, 256, 1024)) * MIB * case.recording.ranks
    large = resized(case.recording, size)
    machine = topology("crossbar", ranks, bandwidth=f"{random.randrange(20, 400)} GB/s")
    seconds = round(lockstep(large, machine).total, 7)
    sent, algbw = max(large.bytes_sent) / seconds, bandwidths(operation, ranks, size, seconds).algbw
    laps = round(large.counters.steps / (ranks - 1))
    wrong = {
        rate_text(algbw, 3): "sent once" if laps > 1 else "N for N - 1",
        rate_text(2 * algbw, 3): "N for N - 1" if laps > 1 else "",
        rate_text(2 * sent, 3): "sent and received",
    }
    why = f"it is busbw: a rank sends {large.counters.steps}/{ranks} of the vector in that time"
    cells = f"{size:12} {size // 4:13}   float     sum      -1 {seconds * 1e6:8.1f}"
    return Draft(
        case.title,
        "A benchmark printed this line, of which the last number cannot be read. How many bytes a "
        "second does each rank send on average, if the library ran this algorithm?",
        why,
        (*HEAD, f"{cells} {algbw / 1e9:7.2f}       ?"),
        choices(rate_text(sent, 3), [(text, f"{capital(why)}.") for text in wrong], random, wrong),
    )


def two_points(case: ExerciseCase, random: Random) -> Draft | None:
    """α or B of a machine, from two measured times."""
    recording, ranks = case.recording, case.recording.ranks
    if recording.uneven or recording.nodes > ranks:
        return None
    latency, bandwidth = random.choice(LATENCIES), random.choice(BANDWIDTHS)
    machine = topology("crossbar", ranks, latency=f"{latency}us", bandwidth=f"{bandwidth} GB/s")
    part, steps = random.choice((64, 128, 256)) * KIB, recording.counters.steps
    sizes = [recording.chunk_count * part * times for times in (1, random.choice((3, 4, 5)))]
    asked = random.choice((2, 6, 8)) * sizes[0]
    runs = (resized(recording, size) for size in (*sizes, asked))
    low, high, longer = (round(lockstep(run, machine).total * 1e6, 1) for run in runs)
    wait = (low - (high - low) * sizes[0] / (sizes[1] - sizes[0])) / steps
    if not np.isclose(wait, latency, rtol=0.004):
        return None
    question, value, why = random.choice(
        (
            ("What is α, in µs?", latency, f"the rest of {low} µs, {wait * steps:.4g} µs, is"),
            (f"How many µs do {asked // KIB} KiB take?", longer, "α stays, in all"),
        )
    )
    slope = (high - low) / ((sizes[1] - sizes[0]) / sizes[0])
    return Draft(
        case.title,
        f"It takes {plural(steps, 'step')}, each of which takes α and a time in proportion to its "
        f"bytes. Measured, {sizes[0] // KIB} KiB take {low} µs and {sizes[1] // KIB} KiB "
        f"{high} µs. {question}",
        f"bytes take {slope:.4g} µs for each {sizes[0] // KIB} KiB; {why} {steps} × {latency} µs",
        value=value,
        unit="µs",
    )


def bottleneck(case: ExerciseCase, random: Random) -> Draft | None:
    """Which links of two nodes are busy the longest."""
    recording = case.recording
    unlike = case.settings.get("gpus", NODE) != NODE
    if recording.ranks != 2 * NODE or unlike or not case.is_printable or recording.uneven:
        return None
    names, cards = [random.choice(two) for two in WIRES], random.choice((1, 2, 4))
    wires = dict(zip(("inside", "pcie", "outside"), names, strict=True))
    machine = topology("cluster", recording.ranks, gpus=NODE, nics=cards, **wires)
    seconds = lockstep(resized(recording, 64 * MIB * recording.chunk_count), machine).link_seconds
    busy: dict[str, float] = {}
    for link, share in enumerate(seconds.tolist()):
        ends = {machine.kind_of(int(end[link])) for end in (machine.src, machine.dst)}
        kind = next(text for kinds, text in LINKS.items() if set(kinds) == ends)
        busy[kind] = max(busy.get(kind, 0.0), share)
    first, second, third = sorted(busy.values(), reverse=True)
    if first < CLEAR * second or not third:
        return None
    right = max(busy, key=lambda kind: busy[kind])
    speeds = (rate_text(find_link(name).bandwidth) for name in names)
    plan = [f"{kind}: {rate} each way" for kind, rate in zip(LINKS.values(), speeds, strict=True)]
    longest = time_text(first, digits=3)
    wrong = [
        (kind, f"They are busy for {time_text(spent, digits=3)} at most, others for {longest}.")
        for kind, spent in busy.items()
    ]
    return Draft(
        f"{case.title}, {NODE} on each of two nodes",
        f"A node has {plural(cards, 'network card')}"
        + f", each for {plural(NODE // cards, 'GPU')} in order" * (cards > 1)
        + ". Messages inside a node go over its switch, others by a network card out and in. "
        f"Of which kind are the links that are busy the longest over the whole run? {LEGEND}",
        f"timed with chunks of 64 MiB, the busiest of them are busy for {longest}, of the others "
        f"for {time_text(second, digits=3)}",
        [*plan, *case.printed()],
        choices(right, wrong, random),
    )


def dead_cable(case: ExerciseCase, random: Random) -> Draft | None:
    """Which link is dead, from what each rank waits for."""
    recording = case.recording
    if not case.is_printable or recording.nodes > recording.ranks:
        return None
    machine = topology("fully-connected", recording.ranks)
    links = recording.counters.links.tolist()

    def seen(src: int, dst: int) -> Mapping[int, tuple[int, int]]:
        stopped = stall(recording, dead_link(machine, src, dst))
        return stopped.waits if stopped else {}

    src, dst = random.choice(links)
    waits = seen(src, dst)
    others = [(who, rank) for rank, (who, _) in waits.items() if (who, rank) != (src, dst)]
    if src != waits.get(dst, (-1,))[0] or any(seen(*link) == waits for link in others):
        return None
    lines = [
        f"rank {rank}: "
        + ("waits for rank {} in step {}".format(*waits[rank]) if rank in waits else "has ended")
        for rank in range(recording.ranks)
    ]
    wrong = [
        (f"{who}→{rank}", f"Rank {rank} waits as rank {who} waits, or waits for what never comes.")
        for who, rank in others
    ]
    return Draft(
        case.title,
        "It stands still, as one link carries nothing in one direction. A rank sends a message as "
        "soon as it holds the data. From what the ranks wait for: which link is dead?",
        f"timed, a dead {src}→{dst} makes them wait so, and none of the others does",
        lines,
        choices(f"{src}→{dst}", wrong, random),
    )
