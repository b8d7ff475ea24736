"""Lower bounds of all algorithms that use point-to-point messages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from collectives.collective import COMBINE, Collective
from collectives.theory.case import Case, ceil_log

CHAN = "Chan et al., Collective communication, CCPE 19(13), 2007"
FROM_TABLE = "counted from the routing table"


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
        return Bound(*_of_pairs(collective, case, ports), holds, _source(collective))
    sent, port = (of(case) if case.N > 1 else 0 for of in collective.bounds[:2])
    return Bound(ceil_log(case.N, ports + 1), ports, sent, port, not in_network)


def least_total(collective: Collective, case: Case) -> int:
    """Bytes that all ranks together must send at least."""
    if case.N == 1:
        return 0
    if collective.pairs is not None:
        return max(sum(_moved(collective, case, side)) for side in (0, 1))
    return collective.bounds[2](case)


def _source(collective: Collective) -> str:
    """Where a bound of pairs comes from."""
    if not collective.routed:
        return CHAN
    zeros = collective.reduces and collective.precondition is COMBINE.precondition
    return f"{FROM_TABLE}, without the zeros" if zeros else FROM_TABLE


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
    """Bytes each rank must send (side 0) or receive (1): a chunk that goes between ranks, once.

    What is added up on its way may reach a rank as one chunk.
    """
    moving = {
        ((src, dst)[side], dst if collective.reduces else src, chunk)
        for src, chunk, dst, _ in collective.pairs or ()
        if src != dst
    }
    moved: dict[int, int] = {}
    for rank, _, chunk in moving:
        moved[rank] = moved.get(rank, 0) + int(case.size[chunk])
    return moved.values()
