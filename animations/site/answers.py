"""Values of answers that a call gives: the table of questions names them in its texts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from animations.site.site_times import MACHINE, RANKS, vectors_sent
from collectives import Faults, addition_order, record, time
from collectives.cost.clocks.timing import Timing
from collectives.recording.recording import Recording
from collectives.units import size_text, time_text
from collectives.words import listed, plural

SIZES = tuple(1 << power for power in range(10, 31, 2))
BYTES = 64 << 20  # of vectors that are timed
DELAY = 1e-3  # seconds
LINKED = ("ring", "fully-connected")  # machines on which ring and direct differ
Values = Mapping[str, object]


def _all_reduce(name: str, ranks: int = RANKS) -> Recording:
    return record("all_reduce", name, ranks=ranks)


def _order() -> Values:
    ring, doubling = (
        addition_order(_all_reduce(name, 4)) for name in ("ring", "recursive-doubling")
    )
    data = np.random.default_rng(0).normal(size=(4, 1 << 12)).astype(np.float32)
    sums, again, doubled = (
        np.array(record("all_reduce", name, ranks=4, data=data).result())
        for name in ("ring", "ring", "recursive-doubling")
    )
    return {
        "ranks": len(sums),
        "orders": len({chunk.expression for chunk in ring}),
        "first": ring[0].expression,
        "second": ring[1].expression,
        "elements": f"{sums.shape[1]:,}",
        "by_rank": plural(int((sums != sums[0]).sum()), "element"),
        "by_run": int((sums != again).sum()),
        "doubling": doubling[0].expression,
        "share": f"{(sums[0] != doubled[0]).mean():.0%}",
    }


def _busbw() -> Values:
    counts = {ranks: vectors_sent(_all_reduce("ring", ranks)) for ranks in (2, 4, RANKS, 64)}
    seconds = time(_all_reduce("ring"), MACHINE, size="1GiB").total
    algbw = (1 << 30) / seconds / 1e9
    return {
        "counts": listed([f"{sent:.4g} on {ranks} ranks" for ranks, sent in counts.items()]),
        "time": time_text(seconds),
        "algbw": f"{algbw:.1f} GB/s",
        "busbw": f"{algbw * counts[RANKS]:.1f} GB/s",
    }


def _above() -> Values:
    ring, nvls = (vectors_sent(_all_reduce(name)) for name in ("ring", "nvls"))
    return {"ring": f"{ring:.4g}", "nvls": f"{nvls:.4g}", "above": f"{ring / nvls:.3g}"}


def _factor() -> Values:
    names = ("ring", "tree", "double-binary-tree", "nvls")
    return {
        "counts": listed([f"{name} {vectors_sent(_all_reduce(name)):.4g}" for name in names]),
        "exchange": f"{vectors_sent(record('all_to_all', 'linear', ranks=RANKS)):.4g}",
    }


def _turn(machine: str, ranks: int, names: tuple[str, str]) -> str:
    """Which of two algorithms is faster, and from which size on the other one is."""
    faster = []
    for size in SIZES:
        seconds = {name: time(_all_reduce(name, ranks), machine, size=size).total for name in names}
        faster.append((size, min(names, key=lambda name: seconds[name])))
    (_, small), *_ = faster
    turn = next(((size, name) for size, name in faster if name != small), None)
    if turn is None:
        return (
            f"{small} is faster at all sizes from {size_text(SIZES[0])} to {size_text(SIZES[-1])}"
        )
    size, large = turn
    return f"{small} is faster below, {large} from {size_text(size)} on (sizes four times apart)"


def _tree_or_ring() -> Values:
    names = ("double-binary-tree", "ring")
    trees, ring = (_all_reduce(name, 64) for name in names)
    return {
        "ranks": ring.ranks,
        "tree_steps": trees.counters.steps,
        "ring_steps": ring.counters.steps,
        "tree_sent": f"{vectors_sent(trees):.4g}",
        "ring_sent": f"{vectors_sent(ring):.4g}",
        "turn": _turn("crossbar", 64, names),
    }


def _roots() -> Values:
    trees = record("all_reduce", "double-binary-tree", ranks=RANKS, chunks=2)
    first: dict[int, tuple[int, int]] = {}
    for step in range(1, trees.counters.steps + 1):
        _, complete = trees.levels(step)
        for rank, chunk in np.argwhere(complete).tolist():
            first.setdefault(chunk, (rank, step))
    ends = [f"of chunk {chunk} on rank {rank}, in step {at}" for chunk, (rank, at) in first.items()]
    vector = trees.count * trees.dtype.itemsize
    sent = [int(size) / vector for size in trees.counters.bytes_sent[: trees.ranks]]
    return {
        "ranks": trees.ranks,
        "chunks": trees.chunk_count,
        "ends": listed(sorted(ends)),
        "least": f"{min(sent):.3g}",
        "most": f"{max(sent):.3g}",
    }


def _waits() -> Values:
    ring = _all_reduce("ring")

    def timed(clock: str, faults: Faults | None = None) -> Timing:
        return time(ring, MACHINE, size=BYTES, clock=clock, faults=faults or Faults())

    usual, delayed = timed("dataflow"), timed("dataflow", Faults(late=(f"5={DELAY}s",)))
    later = delayed.messages.start - usual.messages.start > DELAY / 2
    waves = [int(later[usual.messages.step == step].sum()) for step in range(len(ring.steps))]
    return {
        "first": waves[0],
        "next": waves[1],
        "ranks": ring.ranks,
        "step": waves.index(ring.ranks) + 1,
        "lockstep": time_text(timed("lockstep").total),
        "dataflow": time_text(usual.total),
        "late": time_text(delayed.total),
    }


def _shots() -> Values:
    names = ("flat", "two-shot")
    one, two = (_all_reduce(name) for name in names)
    return {
        "one": f"{plural(one.counters.steps, 'step')} and {vectors_sent(one):.4g} vectors",
        "two": f"{plural(two.counters.steps, 'step')} and {vectors_sent(two):.4g} vectors",
        "turn": _turn(MACHINE, RANKS, names),
    }


def _direct() -> Values:
    timed = {
        (machine, clock): [
            time(_all_reduce(name), machine, size=BYTES, clock=clock)
            for name in ("ring", "two-shot")
        ]
        for machine in LINKED
        for clock in ("lockstep", "dataflow")
    }
    used = [
        f"{np.count_nonzero(timing.link_bytes)} of {timing.topology.links} links, "
        f"{timing.link_bytes.max() / BYTES:.3g} vectors over the busiest"
        for machine in LINKED
        for timing in timed[machine, "lockstep"]
    ]
    return {
        **dict(zip(("ring", "ring_direct", "full", "full_direct"), used, strict=True)),
        "size": size_text(BYTES),
        "times": listed(
            [
                f"{time_text(ring.total)} against {time_text(direct.total)} on {machine} by {clock}"
                for (machine, clock), (ring, direct) in timed.items()
            ]
        ),
    }


ANSWERS: dict[int, Callable[[], Values]] = {
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
