"""The promises of a mixture of experts: what a routing table says of dispatch and combine."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from collectives.collective import COMBINE, DISPATCH, Cells, Collective, Pair
from collectives.routing import Routing
from collectives.values import instance

EXAMPLE = "random_routing(8, 2, 8, 2)"


def dispatch(routing: Routing) -> Collective:
    """The promise that every rank ends with the tokens that its experts take.

    Parameters
    ----------
    routing : Routing
        Which experts take which tokens.

    Returns
    -------
    Collective
        As `collective=` of `record` and `check`.

    Raises
    ------
    BadInput
        For anything but a routing table.

    Examples
    --------
    >>> from collectives import record, send
    >>> table = Routing(2, 2, [[1], [1]])
    >>> record([send(0, 1)], collective=dispatch(table), ranks=2, slots=2).check().ok
    True
    """
    instance("routing", routing, Routing, EXAMPLE)
    rank, token = np.nonzero(routing.held)
    pairs = np.stack([token // routing.tokens, token, rank, token], axis=1)
    return by_pairs(DISPATCH, pairs.tolist())


def combine(routing: Routing, zeros: bool = False) -> Collective:
    """The promise that every token comes back to its rank, as the sum of what experts made of it.

    Each contribution is one rank's: its experts' outputs by their weights, added up.

    Parameters
    ----------
    routing : Routing
        Which experts took which tokens.
    zeros : bool, optional
        Whether ranks without an expert of a token hand in zeros, which have to be in the sum, too.

    Returns
    -------
    Collective
        As `collective=` of `record` and `check`.

    Raises
    ------
    BadInput
        For anything but a routing table.

    Examples
    --------
    >>> from collectives import record, reduce
    >>> table = Routing(2, 2, [[1], [1]])
    >>> record([reduce(1, 0)], collective=combine(table), ranks=2, slots=2).check().ok
    True
    """
    instance("routing", routing, Routing, EXAMPLE)
    instance("zeros", zeros, bool, "True")
    rank, token = np.nonzero(routing.held)
    pairs = np.stack([rank, token, token // routing.tokens, token], axis=1)
    return by_pairs(COMBINE, pairs.tolist(), zeros)


def by_pairs(kind: Collective, pairs: Iterable[Iterable[int]], zeros: bool = False) -> Collective:
    """A dispatch or combine of these (src, token, dst, token)."""
    listed: tuple[Pair, ...] = tuple((int(s), int(c), int(d), int(t)) for s, c, d, t in pairs)

    def at(end: int) -> Any:
        def cells(ranks: int, chunk_count: int, root: int = 0) -> Cells:
            cells = np.zeros((ranks, chunk_count), np.bool_)
            for pair in listed:
                cells[pair[end], pair[end + 1]] = True
            return cells

        return cells

    if zeros:
        return replace(kind, pairs=listed, holders=at(0))
    if kind.reduces:
        return replace(kind, pairs=listed, precondition=at(0), postcondition=at(2), holders=at(0))
    return replace(kind, pairs=listed, postcondition=at(2))
