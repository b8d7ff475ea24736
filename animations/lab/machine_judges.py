"""Judges of answers about machines: where ranks stand, what crosses the nodes, how large groups."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import numpy as np

from animations.lab.predictions.number_answers import answer_of
from animations.lab.verdicts import judged
from collectives.algorithms.ring import ring_all_reduce
from collectives.algorithms.tree import binary_tree
from collectives.cost.by_name import time
from collectives.cost.clocks.timing import Timing
from collectives.cost.machines import topology
from collectives.proof.check import check
from collectives.proof.prove import Verdict
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.schedule import send, within
from collectives.schedule.pulling import described
from collectives.units import size_text, time_text
from collectives.words import brief, listed

RANKS, GPUS, SIZE = 16, 8, 1 << 28
ENOUGH = 1.02  # times the least time
SENT = (  # in a step of a 2 × 2 × 2 layout: chunks, bytes of a message, how often
    ("tensor", 2, 32 << 20, 96),
    ("data", 2, 1 << 30, 1),
    ("pipeline", 1, 32 << 20, 16),
)


def ring_through(order: Any) -> Timing:
    """A ring all-reduce that visits 16 ranks in an order; rank r runs in node r % 2, with one NIC.

    The machine counts its GPUs node by node, so each rank has a seat.
    """
    rank = np.asarray(order)
    seats = (rank % 2) * GPUS + rank // 2
    steps = within(seats[None], ring_all_reduce(RANKS))
    recording = record(steps, collective="all_reduce", ranks=RANKS)
    return time(recording, "cluster", size=SIZE, gpus=GPUS, nics=1)


def seating(answer: Any) -> Verdict:
    """An order of the ranks, by the time of the ring and the links between the nodes it uses."""
    if not isinstance(answer, list) or sorted(map(str, answer)) != sorted(map(str, range(RANKS))):
        return Verdict(
            False, f"places is {brief(answer)}: it must list the ranks 0 to 15 once each"
        )
    node = np.asarray(answer) % 2
    crossings = int((node != np.roll(node, -1)).sum())
    total = ring_through(answer).total
    text = f"the ring crosses {crossings} times between the nodes: {time_text(total)}"
    best = ring_through([*range(0, RANKS, 2), *range(1, RANKS, 2)]).total
    if total > ENOUGH * best:
        return Verdict(False, f"places: {text}; {time_text(best)} is possible")
    return Verdict(True, f"places: right; {text}")


def hierarchical(answer: Any) -> Verdict:
    """A schedule in nodes: proved, then its NIC bytes and time beside those of the catalog."""
    counts = ""
    for ranks, gpus in ((4, 2), (8, 4), (12, 4), (16, 8), (9, 3)):
        verdict = check(answer, collective="all_reduce", ranks=ranks, gpus=gpus)
        where = f"{ranks} ranks in nodes of {gpus}"
        if not verdict:
            return Verdict(False, f"{where}: {verdict.text}")
        more: dict[str, Any] = {"ranks": ranks, "parameters": {"gpus": gpus}}
        mine = record(answer, collective="all_reduce", **more)
        taught = record("all_reduce", "hierarchical", **more)
        both = [time(run, "cluster", size=SIZE, gpus=gpus) for run in (mine, taught)]
        crossing, needed = (
            size_text(_from_a_node(run, gpus), binary=True) for run in (mine, taught)
        )
        counts = f"{where}, {size_text(SIZE)}: {time_text(both[0].total)}, {crossing} leave a node"
        if both[0].total > ENOUGH * both[1].total:
            enough = f"{time_text(both[1].total)} and {needed} are enough"
            return Verdict(False, f"{mine.algorithm}: right, but slow. On {counts}; {enough}")
    return Verdict(True, f"{mine.algorithm}: right in all 5 cases", f"On {counts}")


def _from_a_node(recording: Recording, gpus: int) -> int:
    """The most bytes that leave a node, for a vector of SIZE."""
    links = recording.counters.links
    out = links[:, 0] // gpus != links[:, 1] // gpus
    sent = np.bincount(links[out, 0] // gpus, recording.counters.bytes_by_link[out])
    return int(sent.max() * SIZE / int(recording.case.S))


def best_group(answer: Any) -> Verdict:
    """Sizes of groups where all links are alike and the vector is small, by the time of each."""
    wrong, numbers = [], (16, 24, 36, 64)
    for ranks in numbers:
        machine = topology("crossbar", ranks, latency=5e-6, bandwidth=50e9)
        divisors = [group for group in range(2, ranks) if ranks % group == 0]
        times = {
            group: time(
                record("all_reduce", "hierarchical", ranks=ranks, parameters={"gpus": group}),
                machine,
                size=1 << 10,
            ).total
            for group in divisors
        }
        group, problem = answer_of(answer, ranks, whole=True)
        if problem:
            return Verdict(False, f"{ranks} ranks: {problem}")
        shortest = min(times.values())
        if group not in times:
            offered = listed([str(divisor) for divisor in divisors])
            wrong.append(f"{ranks} ranks: {group} does not divide them; try: {offered}")
        elif times[group] > ENOUGH * shortest:
            fastest = min(times, key=lambda size: times[size])
            wrong.append(
                f"{ranks} ranks: groups of {group} take {time_text(times[group])}, "
                f"groups of {fastest} {time_text(shortest)}"
            )
    return judged("best_group", wrong, len(numbers))


def second_tree(answer: Any) -> Verdict:
    """A second tree of all ranks: those that pass data on in the first are leaves in it."""
    wrong, numbers = [], (4, 6, 8, 16)
    for ranks in numbers:
        first = binary_tree(ranks)
        try:
            second = np.asarray(answer(first.copy()), dtype=int)
            lowest = [*range(ranks)]
            for _ in lowest:
                lowest = [node if second[node] < 0 else int(second[node]) for node in lowest]
        except Exception as problem:
            return Verdict(False, f"second_tree of {ranks} ranks: {described(problem)}")
        inner, below = np.unique(second[second >= 0], return_counts=True)
        both = np.intersect1d(inner, first).tolist()
        if len(second) != ranks or (second < 0).sum() != 1 or {*lowest} != {second.argmin()}:
            wrong.append(f"{ranks} ranks: no tree; from each rank its parents must lead to a root")
        elif max(below) > 2:
            wrong.append(f"{ranks} ranks: rank {inner[below.argmax()]} has {max(below)} children")
        elif both:
            named = listed([*map(str, both)])
            wrong.append(f"{ranks} ranks: in both trees {named} pass data on")
    return judged("second_tree", wrong, len(numbers))


def layout(answer: Any) -> Verdict:
    """Eight ranks in two nodes by their place in tensor, data and pipeline groups of two."""
    mesh = np.asarray(answer)
    if mesh.shape != (2, 2, 2) or sorted(mesh.ravel().tolist()) != [*range(8)]:
        return Verdict(False, "layout: must hold the ranks 0 to 7 once each, in 2 × 2 × 2 places")
    mine = _layout_times(mesh)
    best = min(
        sum(_layout_times(np.arange(8).reshape(2, 2, 2).transpose(axes)).values())
        for axes in permutations(range(3))
    )
    spent = listed([f"{kind} {time_text(seconds)}" for kind, seconds in mine.items()])
    total = sum(mine.values())
    if total > ENOUGH * best:
        return Verdict(False, f"layout: {spent} a step; {time_text(best)} in all is possible")
    return Verdict(True, f"layout: right; {spent} a step")


def _layout_times(mesh: Any) -> dict[str, float]:
    """What the messages of a step take in the groups along each axis, one after another."""
    taken = {}
    for axis, (kind, slots, size, times) in enumerate(SENT):
        groups = np.moveaxis(mesh, axis, -1).reshape(4, 2)
        steps = [send(0, 1)] if slots == 1 else ring_all_reduce(2)
        pairs = record(within(groups, steps), collective="all_reduce", ranks=8, slots=slots)
        taken[kind] = times * time(pairs, "cluster", size=size, gpus=4).total
    return taken
