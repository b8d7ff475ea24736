"""Lower bounds of all algorithms that use point-to-point messages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from collectives.collective import Collective
from collectives.theory import exact
from collectives.theory.case import Case, ceil_log
from collectives.theory.form import Count

CHAN = "Chan et al., Collective communication, CCPE 19(13), 2007"


@dataclass(frozen=True)
class Bound:
    """Lower bounds of all algorithms that use point-to-point messages, on nodes with `ports`.

    steps: ceil(log_{ports+1} N). sent: bytes sent by the busiest rank. busiest_port: bytes that the
    busiest rank sends, or receives if that is more. No single algorithm need reach all. They do not
    hold (`holds`) if nodes other than ranks take part, or where nothing is promised.
    """

    steps: int
    ports: int
    sent: int
    busiest_port: int
    holds: bool = True
    source: str = CHAN


def lower_bound(
    collective: Collective, case: Case, ports: int = 1, in_network: bool = False
) -> Bound:
    """The lower bounds of a collective, for an algorithm that uses this number of ports.

    >>> import numpy as np
    >>> from collectives.collective import ALL_REDUCE
    >>> lower_bound(ALL_REDUCE, Case(4, np.array([2, 2, 2, 2])))
    Bound(steps=2, ports=1, sent=12, busiest_port=12, holds=True, source=...)
    """
    ports = max(1, ports)
    if collective.pairs is not None:
        holds = not in_network and not collective.promises_nothing
        return Bound(*_of_pairs(collective, case, ports), holds)
    sent, port = (of(case) if case.N > 1 else 0 for of in _BOUNDS[collective.name][:2])
    return Bound(ceil_log(case.N, ports + 1), ports, sent, port, not in_network)


def least_total(collective: Collective, case: Case) -> int:
    """Bytes that all ranks together must send at least."""
    if case.N == 1:
        return 0
    if collective.pairs is not None:
        return sum(_moved(collective, case, 0))
    return _BOUNDS[collective.name][2](case)


def _of_pairs(collective: Collective, case: Case, ports: int) -> tuple[int, int, int, int]:
    """As for a broadcast to a rank's partners, or a gather from them; chunks leave once."""
    links = [(src, dst) for src, _, dst, _ in collective.pairs or () if src != dst]
    partners: dict[tuple[str, int], set[int]] = {}
    for src, dst in links:
        partners.setdefault(("to", src), set()).add(dst)
        partners.setdefault(("from", dst), set()).add(src)
    degree = max(map(len, partners.values()), default=0)
    sent, received = (max(_moved(collective, case, side), default=0) for side in (0, 1))
    return ceil_log(degree + 1, ports + 1), ports, sent, max(sent, received)


def _moved(collective: Collective, case: Case, side: int) -> Iterable[int]:
    """Bytes each rank must send (side 0) or receive (1): a chunk that goes between ranks, once."""
    moving = {
        ((src, dst)[side], src, chunk)
        for src, chunk, dst, _ in collective.pairs or ()
        if src != dst
    }
    moved: dict[int, int] = {}
    for rank, _, chunk in moving:
        moved[rank] = moved.get(rank, 0) + int(case.size[chunk])
    return moved.values()


def _average(total: int, case: Case) -> int:
    """Least bytes of the busiest rank if all ranks together send `total` bytes."""
    return -(-total // case.unit // case.N) * case.unit


def _share_of_all(case: Case) -> int:
    """Least bytes of the busiest rank where all together send the vector to all but one."""
    return _average(exact.all_to_others(case), case)


def _share_of_twice(case: Case) -> int:
    """The same where they send it twice."""
    return _average(2 * exact.all_to_others(case), case)


def _blocks(case: Case) -> int:
    """Every rank sends all blocks but its own, and receives as many of the size of its own."""
    return max(exact.all_but_the_smallest(case), exact.the_largest_to_others(case))


_BOUNDS: dict[str, tuple[Count, Count, Count]] = {
    # bytes that the busiest rank must send, bytes that it must send or receive, bytes of all ranks
    "broadcast": (lambda c: c.S, lambda c: c.S, exact.all_to_others),
    "reduce": (lambda c: c.S, lambda c: c.S, exact.all_to_others),
    "scatter": (exact.all_but_the_roots, exact.all_but_the_roots, exact.all_but_the_roots),
    "gather": (exact.largest_but_the_roots, exact.all_but_the_roots, exact.all_but_the_roots),
    "all_gather": (_share_of_all, exact.all_but_the_smallest, exact.all_to_others),
    "reduce_scatter": (_share_of_all, exact.all_but_the_smallest, exact.all_to_others),
    "all_reduce": (_share_of_twice, _share_of_twice, lambda c: 2 * (c.N - 1) * c.S),
    "all_to_all": (exact.all_but_the_smallest, _blocks, exact.all_to_others),
    "scan": (lambda c: c.S, lambda c: c.S, exact.all_to_others),
    "exscan": (lambda c: c.S, lambda c: c.S, exact.all_to_others),
    "barrier": (lambda c: 0, lambda c: 0, lambda c: 0),
}
