"""Closed forms of what a routing table moves: counts of the table, in letters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb

import numpy as np

from collectives.catalog.parameters import Setting
from collectives.routing import Hop
from collectives.schedule.columns import Integers
from collectives.theory import Case, Form, Letter

Hops = Callable[[Setting], Sequence[Hop]]


def direct(setting: Setting) -> Sequence[Hop]:
    """One hop, to every rank that has an expert."""
    return (setting.routing.direct(),)


def by_node(setting: Setting) -> Sequence[Hop]:
    """A hop to every node that has an expert, and one inside it."""
    return setting.routing.by_node(setting["gpus"])


def routed(hops: Hops, back: bool, optimal: str = "") -> Form:
    """The forms of an algorithm whose tokens travel these hops; back: the other way."""

    def of(case: Case) -> Sequence[Hop]:
        return hops(Setting(case.N, parameters=case.parameters))

    def sent(case: Case, size: Integers) -> Integers:
        totals = np.zeros(case.N, np.intp)
        for src, dst, token in of(case):
            np.add.at(totals, dst if back else src, size[token])
        return totals

    def tokens(case: Case) -> Integers:
        return sent(case, np.ones_like(case.size))

    def pairs(case: Case) -> int:
        return sum(len(np.unique(src * case.N + dst)) for src, dst, _ in of(case))

    letters = (
        Letter("H", "hops that tokens take", lambda case: sum(len(h[2]) > 0 for h in of(case))),
        Letter("M", "pairs of ranks between which tokens travel, in all hops", pairs),
        Letter("D", "tokens sent by the busiest rank, in all hops", lambda c: int(tokens(c).max())),
        Letter("A", "tokens sent by all ranks, in all hops", lambda c: int(tokens(c).sum())),
    )
    return Form(
        "H",
        "M",
        "D/(N*tokens)*S",
        "A/(N*tokens)*S",
        where=letters,
        exact_sent=lambda case: int(sent(case, case.size).max()),
        exact_total=lambda case: int(sent(case, case.size).sum()),
        optimal=optimal,
    )


def expected_tokens(setting: Setting) -> float:
    """Tokens that all ranks send, in all hops, on average over uniform tables without capacity.

    A token has one of so many experts with a probability of 1 - C(E - some, k) / C(E, k).

    >>> round(expected_tokens(Setting(8, parameters={"tokens": 2, "experts": 8, "topk": 2})), 3)
    28.0
    """
    n, total, topk = setting.ranks, setting["experts"], setting["topk"]
    gpus = setting.parameters.get("gpus", 1)
    every = comb(total, topk)
    on_rank, on_node = (1 - comb(total - total * g // n, topk) / every for g in (1, gpus))
    nodes = n // gpus
    copies = (nodes - 1) * on_node + nodes * (gpus - 1) * on_rank
    return n * setting["tokens"] * copies
