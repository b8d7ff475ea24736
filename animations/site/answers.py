"""Answers to questions people ask: two paragraphs whose numbers are counted or timed by calls."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from collectives import Faults, addition_order, record, time
from collectives.recording.recording import Recording
from collectives.units import size_text, time_text
from collectives.words import listed, plural

MACHINE = "hgx-h100"
DELAY = 1e-3  # seconds
SIZES = tuple(1 << power for power in range(10, 31, 2))


@dataclass(frozen=True)
class PageAnswer:
    """Two paragraphs, the command to run, and the algorithm whose player stands beside them."""

    paragraphs: tuple[str, str]
    command: str
    shows: tuple[str, str]


def _sent(recording: Recording) -> float:
    """The bytes that the busiest rank sends, in vectors."""
    vector = recording.count * recording.dtype.itemsize
    return int(max(recording.counters.bytes_sent[: recording.ranks])) / vector


def _order() -> PageAnswer:
    sums = {
        name: addition_order(record("all_reduce", name, ranks=4))
        for name in ("ring", "recursive-doubling")
    }
    ring, doubling = sums["ring"], sums["recursive-doubling"]
    data = np.random.default_rng(0).normal(size=(4, 1 << 12)).astype(np.float32)
    again, doubled = (
        np.array(record("all_reduce", name, ranks=4, data=data).result())
        for name in ("ring", "recursive-doubling")
    )
    ring_sums = np.array(record("all_reduce", "ring", ranks=4, data=data).result())
    first = (
        f"A ring of 4 ranks adds in {len({each.expression for each in ring})} orders, one for each "
        f"chunk: chunk 0 is {ring[0].expression}, chunk 1 is {ring[1].expression}. Executed on "
        f"{ring_sums.shape[1]:,} random float32 numbers, the results of two ranks differ in "
        f"{plural(int((ring_sums != ring_sums[0]).sum()), 'element')}, and those of two runs in "
        f"{int((ring_sums != again).sum())}."
    )
    second = (
        f"Recursive doubling adds {doubling[0].expression} instead, and of the same numbers "
        f"{float((ring_sums[0] != doubled[0]).mean()):.0%} of the sums have other bits, for floats "
        "round after each addition. Hardware that adds in the network may round otherwise than "
        "these orders say."
    )
    return PageAnswer(
        (first, second),
        "collectives run all-reduce ring -n 4 --dtype float32 --exact",
        ("all_reduce", "ring"),
    )


def _busbw() -> PageAnswer:
    counts = {ranks: _sent(record("all_reduce", "ring", ranks=ranks)) for ranks in (2, 4, 8, 64)}
    timing = time(record("all_reduce", "ring", ranks=8), MACHINE, size="1GiB")
    algbw = (1 << 30) / timing.total / 1e9
    first = (
        "The algorithm bandwidth (algbw) is the size of the vector divided by the time. The bus "
        "bandwidth (busbw) multiplies it by what a rank has to send at least, in vectors: for an "
        f"all-reduce {listed([f'{sent:.4g} on {ranks} ranks' for ranks, sent in counts.items()])}, "
        "counted in executed rings. So it can be compared with the speed of a link."
    )
    second = (
        f"A ring of 8 ranks takes {time_text(timing.total)} for 1 GiB on the modeled {MACHINE}: "
        f"algbw {algbw:.1f} GB/s, busbw {algbw * counts[8]:.1f} GB/s."
    )
    return PageAnswer(
        (first, second),
        f"collectives time all-reduce ring -n 8 --topology {MACHINE} --size 1GiB",
        ("all_reduce", "ring"),
    )


def _above() -> PageAnswer:
    ring, nvls = (_sent(record("all_reduce", name, ranks=8)) for name in ("ring", "nvls"))
    first = (
        f"busbw assumes that each of 8 ranks sends {ring:.4g} vectors, as a ring does. With the "
        f"sum made in the switch (NVLS) the busiest rank sends {nvls:.4g}, counted in its executed "
        f"schedule. At the full speed of its link its busbw is therefore up to {ring / nvls:.3g} "
        "times that speed."
    )
    second = (
        "A busbw above the wire is thus no error of measurement where the network adds. Compare "
        "the time, or algbw, of two algorithms, and compare busbw with the wire for rings only."
    )
    return PageAnswer(
        (first, second), "collectives run all-reduce nvls -n 8", ("all_reduce", "nvls")
    )


def _factor() -> PageAnswer:
    counts = {
        name: _sent(record("all_reduce", name, ranks=8))
        for name in ("ring", "tree", "double-binary-tree", "nvls")
    }
    exchange = _sent(record("all_to_all", "linear", ranks=8))
    first = (
        "On 8 ranks the busiest rank of an all-reduce sends, in vectors: "
        f"{listed([f'{name} {sent:.4g}' for name, sent in counts.items()])}. The factor that busbw "
        "takes is the ring's for all of them."
    )
    second = (
        "So busbw is the speed of a link for the ring; where the busiest rank sends more it is "
        "lower than what the link carries, where it sends less, higher. In a linear all-to-all "
        f"a rank sends {exchange:.4g} of its data, as its own part stays."
    )
    return PageAnswer((first, second), "collectives list all-reduce", ("all_reduce", "tree"))


def _fastest(machine: str, ranks: int, names: tuple[str, str]) -> list[tuple[int, str]]:
    """Which of two algorithms is faster at each size."""
    faster = []
    for size in SIZES:
        seconds = {
            name: time(record("all_reduce", name, ranks=ranks), machine, size=size).total
            for name in names
        }
        faster.append((size, min(names, key=lambda name: seconds[name])))
    return faster


def _turn(faster: list[tuple[int, str]]) -> str:
    """From which size on another one is faster."""
    (_, small), *_ = faster
    turn = next((size for size, name in faster if name != small), None)
    if turn is None:
        return (
            f"{small} is faster at all sizes from {size_text(SIZES[0])} to {size_text(SIZES[-1])}"
        )
    other = next(name for name in (name for _, name in faster) if name != small)
    return f"{small} is faster below, {other} from {size_text(turn)} on (sizes four times apart)"


def _tree_or_ring() -> PageAnswer:
    names = ("double-binary-tree", "ring")
    recordings = [record("all_reduce", name, ranks=64) for name in names]
    steps = [recording.counters.steps for recording in recordings]
    first = (
        f"On 64 ranks a double binary tree takes {steps[0]} steps, a ring {steps[1]}: steps decide "
        "for short vectors, bytes for long ones. The busiest rank sends "
        f"{_sent(recordings[0]):.4g} vectors in the trees and {_sent(recordings[1]):.4g} in the "
        "ring."
    )
    second = (
        f"Timed with 64 ranks on a crossbar, {_turn(_fastest('crossbar', 64, names))}. What NCCL "
        "takes depends on its own tuner, which the command below models."
    )
    return PageAnswer(
        (first, second),
        "collectives time all-reduce -n 64 --topology cluster --like nccl --size 64MiB",
        ("all_reduce", "double-binary-tree"),
    )


def _roots() -> PageAnswer:
    trees = record("all_reduce", "double-binary-tree", ranks=8, chunks=2)
    first: dict[int, tuple[int, int]] = {}
    for step in range(1, trees.counters.steps + 1):
        _, complete = trees.levels(step)
        for rank, chunk in np.argwhere(complete).tolist():
            first.setdefault(chunk, (rank, step))
    ends = [f"of chunk {chunk} on rank {rank}, in step {at}" for chunk, (rank, at) in first.items()]
    sent = [int(each) for each in trees.counters.bytes_sent[: trees.ranks]]
    vector = trees.count * trees.dtype.itemsize
    text = (
        "At the root of its tree. Each of the two trees sums half of the chunks, leaf by leaf, and "
        f"then its root passes the sum down again. Executed on {trees.ranks} ranks with "
        f"{trees.chunk_count} chunks, the whole sum is first there {listed(sorted(ends))}."
    )
    more = (
        "A rank that is an inner node of one tree is a leaf of the other: in one it sends to its "
        "parent and its children, in the other to its parent alone. So no rank has the hard work "
        f"twice, and ranks send between {min(sent) / vector:.3g} and {max(sent) / vector:.3g} "
        "vectors here."
    )
    return PageAnswer(
        (text, more),
        "collectives run all-reduce double-binary-tree -n 8 --chunks 2",
        ("all_reduce", "double-binary-tree"),
    )


def _waits() -> PageAnswer:
    ring, one_late = record("all_reduce", "ring", ranks=8), Faults(late=(f"5={DELAY}s",))
    lockstep, dataflow = (
        time_text(time(ring, MACHINE, size="64MiB", clock=clock).total)
        for clock in ("lockstep", "dataflow")
    )
    delayed, usual = (
        time(ring, MACHINE, size="64MiB", clock="dataflow", faults=faults)
        for faults in (one_late, Faults())
    )
    later = delayed.messages.start - usual.messages.start > DELAY / 2
    waves = [int(later[usual.messages.step == step].sum()) for step in range(len(ring.steps))]
    first = (
        f"If rank 5 starts 1 ms later, {waves[0]} of 8 ranks sends later in step 1, {waves[1]} in "
        f"step 2, and all from step {waves.index(8) + 1} on: a rank waits for the one message that "
        "it needs next, not for all ranks to end a stage. On the modeled "
        f"{MACHINE} a ring of 8 takes {lockstep} for 64 MiB if every step waits for all ranks "
        f"(lockstep), and {dataflow} if each rank goes on when it can (dataflow)."
    )
    second = (
        f"With the late rank it takes {time_text(delayed.total)} by dataflow, as the wave of "
        "waiting goes round the ring. In the player press m, make a rank late, and see who waits."
    )
    command = (
        f"collectives time all-reduce ring -n 8 --topology {MACHINE} --size 64MiB --late 5=1ms"
    )
    return PageAnswer((first, second), command, ("all_reduce", "ring"))


def _shots() -> PageAnswer:
    names = ("flat", "two-shot")
    one, two = (record("all_reduce", name, ranks=8) for name in names)
    faster = _fastest(MACHINE, 8, names)
    first = (
        "In a one-shot all-reduce (flat in the catalog) every rank sends its whole vector to all "
        "others; in a two-shot every rank first sums a part, then sends that. Counted on 8 ranks: "
        f"{plural(one.counters.steps, 'step')} and {_sent(one):.4g} vectors sent by each, against "
        f"{plural(two.counters.steps, 'step')} and {_sent(two):.4g} vectors."
    )
    second = (
        f"Timed on the modeled {MACHINE}, {_turn(faster)}. The model counts links and latency, not "
        "the start of kernels; where a library changes over is in its row of the catalog."
    )
    return PageAnswer(
        (first, second),
        f"collectives time all-reduce -n 8 --topology {MACHINE} --size 64KiB",
        ("all_reduce", "two-shot"),
    )


def _direct() -> PageAnswer:
    names = ("ring", "two-shot")
    timed = {
        (machine, clock): [
            time(record("all_reduce", name, ranks=8), machine, size="64MiB", clock=clock)
            for name in names
        ]
        for machine in ("ring", "fully-connected")
        for clock in ("lockstep", "dataflow")
    }
    rows = [
        f"{time_text(ring.total)} against {time_text(direct.total)} on {machine} by {clock}"
        for (machine, clock), (ring, direct) in timed.items()
    ]
    used = {
        machine: [
            f"{np.count_nonzero(timing.link_bytes)} of {timing.topology.links} links, "
            f"{timing.link_bytes.max() / (64 << 20):.3g} vectors over the busiest"
            for timing in timed[machine, "lockstep"]
        ]
        for machine in ("ring", "fully-connected")
    }
    first = (
        "It depends on the links. Counted on 8 ranks, with a link each to all others a ring uses "
        f"{used['fully-connected'][0]}, a direct all-reduce (two-shot in the catalog) "
        f"{used['fully-connected'][1]}. On a ring of links they use {used['ring'][0]}, and "
        f"{used['ring'][1]}."
    )
    second = f"64 MiB on 8 ranks, ring against direct: {listed(rows)}."
    return PageAnswer(
        (first, second),
        "collectives compare all-reduce ring two-shot -n 8 --topology fully-connected",
        ("all_reduce", "ring"),
    )


ANSWERS: dict[int, Callable[[], PageAnswer]] = {
    1: _order,
    9: _busbw,
    10: _above,
    11: _factor,
    12: _tree_or_ring,
    13: _roots,
    18: _waits,
    25: _shots,
    37: _direct,
}
