"""Closed forms of the algorithms and lower bounds of the collectives, each with its source."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from collectives.schedule.step import Integers


@dataclass(frozen=True)
class Case:
    """What the formulas speak of: N ranks, S bytes in all, `size[slot]` bytes each, q chunks.

    C = ceil(log2 N), the depth of a binomial tree.
    """

    N: int
    size: Integers
    root: int = 0
    unit: int = 1  # bytes that cannot be divided: one element

    @property
    def S(self) -> int:  # noqa: N802 - the name in the formulas
        """Bytes of the full vector."""
        return int(self.size.sum())

    @property
    def C(self) -> int:  # noqa: N802
        """ceil(log2 N)."""
        return (self.N - 1).bit_length()

    @property
    def q(self) -> int:
        """Number of slots, which a pipeline sends one after another."""
        return len(self.size)

    @property
    def from_root(self) -> Integers:
        """Size of the slot of rank root + i, for i = 0 … N - 1."""
        return np.roll(self.size, -self.root)


Count = Callable[[Case], int]


@dataclass(frozen=True)
class Form:
    """Closed forms of one algorithm: functions of a `Case`, exact for uneven sizes too.

    sent: bytes sent by the busiest rank; total: by all ranks together. `text` says the same
    for people, for N > 1 and sizes that divide evenly: steps, messages, sent, total, in
    Python's notation with N, S, C, q, V (the number of binary ones in 1 … N - 1) and B (the
    ranks in the largest subtree below the root of a binomial tree).
    """

    steps: Count
    messages: Count
    sent: Count
    total: Count
    text: tuple[str, str, str, str]
    source: str


def flat(case: Case) -> int:
    """One step, unless there is nobody to talk to."""
    return int(case.N > 1)


def pairs(case: Case) -> int:
    """Ordered pairs of different ranks."""
    return case.N * (case.N - 1)


def others(case: Case) -> int:
    """All ranks but one."""
    return case.N - 1


def all_to_others(case: Case) -> int:
    """The full vector to each other rank."""
    return (case.N - 1) * case.S


def all_but_the_smallest(case: Case) -> int:
    """All chunks but the smallest one: nothing where there is one rank."""
    return case.S - int(case.size.min()) if case.N > 1 else 0


def all_but_the_roots(case: Case) -> int:
    """All chunks but the root's own."""
    return case.S - int(case.size[case.root])


def largest_but_the_roots(case: Case) -> int:
    """The largest chunk of a rank that is not the root."""
    return int(case.from_root[1:].max(initial=0))


def twice_round_the_ring(case: Case) -> int:
    """Two laps, in each of which a rank sends all chunks but one; those two are neighbours."""
    return 2 * case.S - int((case.size + np.roll(case.size, 1)).min()) if case.N > 1 else 0


def up_the_tree(case: Case) -> int:
    """Each chunk travels as many hops as the number of its rank has binary ones."""
    hops = np.array([v.bit_count() for v in range(case.N)])
    return int((hops * case.from_root).sum())


def largest_subtree(case: Case) -> int:
    """The chunks of the heaviest subtree below the root of the binomial tree."""
    sizes = case.from_root
    below = [int(sizes[1 << k : 2 << k].sum()) for k in range(case.C)]
    return max(below, default=0)


def _tree_reduce_scatter_sent(case: Case) -> int:
    """Every rank but the root hands in everything, then passes on what is not its own."""
    busy = [all_but_the_roots(case)]
    for v in range(1, case.N):
        low = v & -v
        busy.append(case.S + int(case.size[v + 1 : v + low].sum()))
    return max(busy)


FACTS = "Chan et al., Collective communication, CCPE 19(13), 2007"
RING = "Patarasuk and Yuan, JPDC 69(2), 2009"
BINOMIAL = "Thakur, Rabenseifner and Gropp, IJHPCA 19(1), 2005"
PIPELINE = "Open MPI, coll_base_bcast.c, pipeline"
LINEAR = "Open MPI, coll/base, linear; all ports at once"

FLAT_BROADCAST = Form(
    flat, others, all_to_others, all_to_others, ("1", "N-1", "(N-1)*S", "(N-1)*S"), LINEAR
)
FLAT_REDUCE = Form(
    flat,
    others,
    lambda c: c.S if c.N > 1 else 0,
    all_to_others,
    ("1", "N-1", "S", "(N-1)*S"),
    LINEAR,
)
FLAT_SCATTER = Form(
    flat,
    others,
    all_but_the_roots,
    all_but_the_roots,
    ("1", "N-1", "(N-1)/N*S", "(N-1)/N*S"),
    LINEAR,
)
FLAT_GATHER = Form(
    flat,
    others,
    largest_but_the_roots,
    all_but_the_roots,
    ("1", "N-1", "S/N", "(N-1)/N*S"),
    LINEAR,
)
FLAT_ALL_GATHER = Form(
    flat,
    pairs,
    lambda c: (c.N - 1) * int(c.size.max()),
    all_to_others,
    ("1", "N*(N-1)", "(N-1)/N*S", "(N-1)*S"),
    LINEAR,
)
FLAT_REDUCE_SCATTER = Form(
    flat,
    pairs,
    all_but_the_smallest,
    all_to_others,
    ("1", "N*(N-1)", "(N-1)/N*S", "(N-1)*S"),
    LINEAR,
)
FLAT_ALL_REDUCE = Form(
    flat,
    pairs,
    all_to_others,
    lambda c: pairs(c) * c.S,
    ("1", "N*(N-1)", "(N-1)*S", "N*(N-1)*S"),
    "one-shot kernels of vLLM and TensorRT-LLM",
)
RING_LAP = Form(
    others,
    pairs,
    all_but_the_smallest,
    all_to_others,
    ("N-1", "N*(N-1)", "(N-1)/N*S", "(N-1)*S"),
    RING,
)
RING_ALL_REDUCE = Form(
    lambda c: 2 * (c.N - 1),
    lambda c: 2 * pairs(c),
    twice_round_the_ring,
    lambda c: 2 * all_to_others(c),
    ("2*(N-1)", "2*N*(N-1)", "2*(N-1)/N*S", "2*(N-1)*S"),
    RING,
)
CHAIN = Form(
    lambda c: c.N - 2 + c.q if c.N > 1 else 0,
    lambda c: c.q * (c.N - 1),
    lambda c: c.S if c.N > 1 else 0,
    all_to_others,
    ("N-2+q", "q*(N-1)", "S", "(N-1)*S"),
    PIPELINE,
)
TREE_BROADCAST = Form(
    lambda c: c.C,
    others,
    lambda c: c.C * c.S,
    all_to_others,
    ("C", "N-1", "C*S", "(N-1)*S"),
    BINOMIAL,
)
TREE_REDUCE = Form(
    lambda c: c.C,
    others,
    lambda c: c.S if c.N > 1 else 0,
    all_to_others,
    ("C", "N-1", "S", "(N-1)*S"),
    BINOMIAL,
)
TREE_SCATTER = Form(
    lambda c: c.C,
    others,
    all_but_the_roots,
    up_the_tree,
    ("C", "N-1", "(N-1)/N*S", "V/N*S"),
    BINOMIAL,
)
TREE_GATHER = Form(
    lambda c: c.C,
    others,
    largest_subtree,
    up_the_tree,
    ("C", "N-1", "B/N*S", "V/N*S"),
    BINOMIAL,
)
TREE_ALL_REDUCE = Form(
    lambda c: 2 * c.C,
    lambda c: 2 * others(c),
    lambda c: c.C * c.S,
    lambda c: 2 * all_to_others(c),
    ("2*C", "2*(N-1)", "C*S", "2*(N-1)*S"),
    BINOMIAL,
)
TREE_ALL_GATHER = Form(
    lambda c: 2 * c.C,
    lambda c: 2 * others(c),
    lambda c: c.C * c.S,
    lambda c: up_the_tree(c) + all_to_others(c),
    ("2*C", "2*(N-1)", "C*S", "V/N*S+(N-1)*S"),
    BINOMIAL,
)
TREE_REDUCE_SCATTER = Form(
    lambda c: 2 * c.C,
    lambda c: 2 * others(c),
    _tree_reduce_scatter_sent,
    lambda c: all_to_others(c) + up_the_tree(c),
    ("2*C", "2*(N-1)", "S+(B-1)/N*S", "(N-1)*S+V/N*S"),
    BINOMIAL,
)


@dataclass(frozen=True)
class Bound:
    """What no algorithm of point-to-point messages can beat, on nodes with so many ports.

    steps: ceil(log_{ports+1} N). sent: bytes sent by the busiest rank.
    """

    steps: int
    ports: int
    sent: int
    source: str = FACTS


def lower_bound(collective: str, case: Case, ports: int = 1) -> Bound:
    """The lower bounds of a collective, for an algorithm that uses so many ports.

    Raises KeyError for a collective that has none.

    >>> lower_bound("all_reduce", Case(4, np.array([2, 2, 2, 2])))
    Bound(steps=2, ports=1, sent=12, source=...)
    """
    reached, steps = 1, 0
    while reached < case.N:
        reached, steps = reached * (max(1, ports) + 1), steps + 1
    return Bound(steps, max(1, ports), _LEAST_SENT[collective](case) if case.N > 1 else 0)


def _average(total: int, case: Case) -> int:
    """What the busiest rank sends at least if all together send `total` bytes."""
    return -(-total // case.unit // case.N) * case.unit


_LEAST_SENT: dict[str, Count] = {
    "broadcast": lambda c: c.S,
    "reduce": lambda c: c.S,
    "scatter": all_but_the_roots,
    "gather": largest_but_the_roots,
    "all_gather": lambda c: _average(all_to_others(c), c),
    "reduce_scatter": lambda c: _average(all_to_others(c), c),
    "all_reduce": lambda c: _average(2 * all_to_others(c), c),
}
