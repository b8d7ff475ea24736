"""Lower bounds of all algorithms that use point-to-point messages."""

from __future__ import annotations

from dataclasses import dataclass

from collectives.collective import Collective
from collectives.theory import exact
from collectives.theory.case import Case, ceil_log
from collectives.theory.form import Count

CHAN = "Chan et al., Collective communication, CCPE 19(13), 2007"


@dataclass(frozen=True)
class Bound:
    """Lower bounds of all algorithms that use point-to-point messages, on nodes with `ports`.

    steps: ceil(log_{ports+1} N). sent: bytes sent by the busiest rank. No single algorithm need
    reach both. They do not hold (`holds`) if nodes other than ranks take part.
    """

    steps: int
    ports: int
    sent: int
    holds: bool = True
    source: str = CHAN


def lower_bound(
    collective: Collective, case: Case, ports: int = 1, in_network: bool = False
) -> Bound:
    """The lower bounds of a collective, for an algorithm that uses this number of ports.

    >>> import numpy as np
    >>> from collectives.collective import ALL_REDUCE
    >>> lower_bound(ALL_REDUCE, Case(4, np.array([2, 2, 2, 2])))
    Bound(steps=2, ports=1, sent=12, holds=True, source=...)
    """
    ports = max(1, ports)
    if collective.pairs is not None:
        return Bound(*_of_pairs(collective, case, ports), not in_network)
    sent = _LEAST[collective.name][0](case) if case.N > 1 else 0
    return Bound(ceil_log(case.N, ports + 1), ports, sent, not in_network)


def least_total(collective: Collective, case: Case) -> int:
    """Bytes that all ranks together must send at least."""
    if case.N == 1:
        return 0
    if collective.pairs is not None:
        return sum(_sent_by(collective, case).values())
    return _LEAST[collective.name][1](case)


def _of_pairs(collective: Collective, case: Case, ports: int) -> tuple[int, int, int]:
    """As for a broadcast to a rank's partners, or a gather from them; chunks leave once."""
    links = [(src, dst) for src, _, dst, _ in collective.pairs or () if src != dst]
    partners: dict[tuple[str, int], set[int]] = {}
    for src, dst in links:
        partners.setdefault(("to", src), set()).add(dst)
        partners.setdefault(("from", dst), set()).add(src)
    degree = max(map(len, partners.values()), default=0)
    sent = max(_sent_by(collective, case).values(), default=0)
    return ceil_log(degree + 1, ports + 1), ports, sent


def _sent_by(collective: Collective, case: Case) -> dict[int, int]:
    """Bytes each rank must send: every chunk that another rank requires, once."""
    leaving = {(src, chunk) for src, chunk, dst, _ in collective.pairs or () if src != dst}
    sent: dict[int, int] = {}
    for src, chunk in leaving:
        sent[src] = sent.get(src, 0) + int(case.size[chunk])
    return sent


def _average(total: int, case: Case) -> int:
    """Least bytes of the busiest rank if all ranks together send `total` bytes."""
    return -(-total // case.unit // case.N) * case.unit


_LEAST: dict[str, tuple[Count, Count]] = {  # bytes that the busiest rank, and all ranks, must send
    "broadcast": (lambda c: c.S, exact.all_to_others),
    "reduce": (lambda c: c.S, exact.all_to_others),
    "scatter": (exact.all_but_the_roots, exact.all_but_the_roots),
    "gather": (exact.largest_but_the_roots, exact.all_but_the_roots),
    "all_gather": (lambda c: _average(exact.all_to_others(c), c), exact.all_to_others),
    "reduce_scatter": (lambda c: _average(exact.all_to_others(c), c), exact.all_to_others),
    "all_reduce": (lambda c: _average(2 * (c.N - 1) * c.S, c), lambda c: 2 * (c.N - 1) * c.S),
    "all_to_all": (exact.all_but_the_smallest, exact.all_to_others),
    "scan": (lambda c: c.S, exact.all_to_others),
    "barrier": (lambda c: 0, lambda c: 0),
}
