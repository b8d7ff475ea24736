"""The machine of a page as its clock needs it: links, paths, and what travels on them."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from animations.phrases import Phrases
from animations.player.pack.command import time_command
from animations.story.setup_times import message_figures
from animations.story.storyboard import Storyboard
from collectives.cost.bounds.time_bound import time_bound
from collectives.cost.clocks.clock import FREE
from collectives.cost.clocks.timing import Timing
from collectives.cost.machines.paths import Integers, Paths
from collectives.cost.machines.topology import Topology
from collectives.errors import BadInput
from collectives.recording.recording import Recording


def setup_data(
    board: Storyboard,
    links: npt.NDArray[np.bool_] | None = None,
    every_pair: bool = False,
    explored: bool = False,
) -> dict[str, Any] | None:
    """`Setup` in setup.d.ts; None where the page has no clock, or one with troubles of its own.

    links, every_pair, explored: see `setup_of`.

    links: of each that a message takes, and of those that share its capacity: where it begins and
    ends, latency, bandwidth, lanes, group. capacity: of each group. paths: of each pair of an
    algorithm's nodes. chunks: of the vector, 0 where their sizes were given. steps: rows of what is
    timed, where that is not what is drawn. needs: what each row waits for beside what it reads,
    where any row does. command: see `time_command`. ports: nodes that have one. figures: latency
    and bandwidth of all messages, if they are the same. bound: seconds of the least latency, and of
    the least bytes. ending: the promise, kept. turns: see `Trade`.
    """
    timing = board.counted
    if timing is None or not has_clock(board, timing):
        return None
    fields = setup_of(timing, board.size, links, every_pair, explored)
    ending = board.say("trade.stop", text=board.ending)
    return {**fields, **_said(board, timing), "ending": ending, "turns": board.trade.turns}


def has_clock(board: Storyboard, timing: Timing) -> bool:
    """Whether the page can time what it shows: right, with messages that cost nothing more."""
    return bool(board.times) and not board.wrong and timing.costs == FREE


def setup_of(
    timing: Timing,
    size: int,
    links: npt.NDArray[np.bool_] | None = None,
    every_pair: bool = False,
    explored: bool = False,
) -> dict[str, Any]:
    """The setup of a timing of a vector of so many bytes.

    links: that are there beside those which messages take, as others on the page take them.
    every_pair: with the paths of all pairs of nodes, as steps may be written that take them.
    explored: with these and all links, as ranks can be moved.
    """
    run, machine = timing.recording, timing.topology
    if explored:
        links, every_pair = np.ones(machine.links, np.bool_), True
    root = run.root if run.collective.rooted else -1
    pairs = _pairs(timing, every_pair)
    paths = machine.paths(*machine.placement(run.ranks, run.nodes)[pairs].T)
    used = links_of(timing, every_pair)
    used = used if links is None else used | links
    return {
        "name": machine.name,
        "kinds": [list(kind) for kind in machine.kinds],
        **_links(machine, used),
        "paths": _paths(pairs, paths, np.cumsum(used) - 1),
        "chunks": 0 if run.uneven else run.chunk_count,
        "unit": run.dtype.itemsize,
        "size": size,
        "nodes": run.nodes,
        "ports": run.nodes if run.helpers == "server" else run.ranks,
        "clock": timing.clock,
        "slots": run.slots,
        "steps": None if run is timing.asked else _steps(run),
        "needs": _needs(run),
        **({"explored": True, "rooted": root} if explored else {}),
        "command": time_command(timing),
    }


def links_of(timing: Timing, every_pair: bool = False) -> npt.NDArray[np.bool_]:
    """Of each link of the machine whether a message takes it, or one that shares its capacity."""
    run, machine = timing.recording, timing.topology
    placement = machine.placement(run.ranks, run.nodes)
    paths = machine.paths(*placement[_pairs(timing, every_pair)].T)
    return np.isin(machine.group, machine.group[np.unique(paths.link)])


def _pairs(timing: Timing, every: bool) -> Integers:
    """Pairs of nodes: those that exchange messages, or all, but where not all have a way."""
    run = timing.recording
    if not every:
        return run.counters.links
    nodes = np.arange(run.nodes)
    src, dst = (each.ravel() for each in np.meshgrid(nodes, nodes, indexing="ij"))
    remote = src != dst
    pairs = np.stack([src[remote], dst[remote]], axis=1)
    try:
        timing.topology.paths(*timing.topology.placement(run.ranks, run.nodes)[pairs].T)
    except BadInput:
        between_ranks = pairs[(pairs < run.ranks).all(axis=1)]
        return np.unique(np.concatenate([between_ranks, run.counters.links]), axis=0)
    return pairs


def _said(board: Storyboard, timing: Timing) -> dict[str, Any]:
    """Figures of the counters, and names of nodes in the language of the page."""
    bound = time_bound(timing.asked, timing.topology, timing.costs)
    called = {kind: kind_name(board.say, kind) for kind, _ in timing.topology.kinds}
    return {
        "figures": message_figures(timing.asked, timing.topology),
        "bound": bound
        and (bound.steps * bound.latency, bound.bytes / bound.bandwidth if bound.bytes else 0.0),
        "called": {kind: name for kind, name in called.items() if name != kind},
    }


def kind_name(say: Phrases, kind: str) -> str:
    """A kind of nodes in a language; as it is, where the language has no name for it."""
    return say.patterns.get(f"machines.{kind.replace(' ', '_')}", kind)


def _links(machine: Topology, used: np.ndarray) -> dict[str, Any]:
    """The links in use as columns; their groups numbered anew."""
    groups, group = np.unique(machine.group[used], return_inverse=True)
    names = "src", "dst", "latency", "bandwidth", "lanes"
    columns = [getattr(machine, name)[used].tolist() for name in names]
    return {"links": [*columns, group.tolist()], "capacity": machine.capacity[groups].tolist()}


def _paths(pairs: Integers, paths: Paths, number: Integers) -> list[list[int]]:
    """Columns of a row for each path, each number less the one above: source, destination, links.

    Shorter paths have -1 in the columns of further links.
    """
    hops = np.diff(paths.start)
    table = np.full((len(pairs), 2 + int(hops.max(initial=0))), -1)
    table[:, :2] = pairs
    row = np.repeat(np.arange(len(pairs)), hops)
    table[row, 2 + np.arange(len(row)) - np.repeat(paths.start[:-1], hops)] = number[paths.link]
    columns: list[list[int]] = np.diff(table, axis=0, prepend=0).T.tolist()
    return columns


def _steps(run: Recording) -> list[list[list[int]]]:
    """Of each step the columns src, dst, chunk and into, slot by slot, the last if it differs.

    Those of a step as long as the one before it less those of that one.
    """
    found: list[list[list[int]]] = []
    before = np.zeros((4, 0), np.intp)
    for step in run.steps:
        rows = step.unrolled()
        now = np.stack([rows.src, rows.dst, rows.chunk, rows.into])
        columns = (now - before if now.shape == before.shape else now).tolist()
        found.append(columns[:3] if columns[3] == columns[2] else columns)
        before = now
    return found


def _needs(run: Recording) -> list[list[int]] | None:
    """Of each row the slot that it needs; None where no step says so."""
    steps = [step.unrolled() for step in run.steps]
    if all(step.needs is None for step in steps):
        return None
    return [step.needed.tolist() for step in steps]
