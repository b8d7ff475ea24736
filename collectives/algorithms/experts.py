"""Mixture of experts: tokens go to the ranks of their experts, and what these make comes back."""

import numpy as np

from collectives.algorithms.ring import ring_all_gather, ring_reduce_scatter
from collectives.routing import Routing
from collectives.schedule import Schedule, reduce, send, within


def direct_dispatch(n: int, routing: Routing) -> Schedule:
    """Each token goes straight to every rank that has one of its experts, once to each.

    >>> from collectives.schedule import table
    >>> print(table(direct_dispatch(2, Routing(2, 2, [[0], [1], [0], [1]]))))
    step 1   0→1 =1   1→0 =2
    """
    owner, rank, token = routing.direct()
    # each token goes to the other ranks of its experts
    yield send(owner, rank, token)


def two_hop_dispatch(n: int, gpus: int, routing: Routing) -> Schedule:
    """A token crosses once to each node that has its experts, and is handed on inside the node.

    >>> from collectives.schedule import table
    >>> tokens = [[2, 3], [1, 0], [3, 2], [0, 3]]
    >>> print(table(two_hop_dispatch(4, 2, Routing(4, 4, tokens))))
    step 1   0→2 =0   3→1 =3
    step 2   2→3 =0   1→0 =1   2→3 =2   1→0 =3
    """
    crossing, inside = routing.by_node(gpus)
    src, dst, token = crossing
    # each token crosses once to each node of its experts
    yield send(src, dst, token)
    via, rank, token = inside
    # inside a node it goes to the ranks of its experts
    yield send(via, rank, token)


def all_gather_dispatch(n: int, routing: Routing) -> Schedule:
    """Every rank gets all tokens round the ring, those its experts do not take as well.

    >>> from collectives.schedule import table
    >>> print(table(all_gather_dispatch(2, Routing(2, 2, [[0], [1], [0], [1]]))))
    step 1   0→1 =0..1   1→0 =2..3
    """
    rank, tokens = np.arange(n), routing.tokens
    ring = ring_all_gather(n)
    yield from within(rank, ring, width=tokens)


def direct_combine(n: int, routing: Routing) -> Schedule:
    """Each rank sends what its experts made of a token straight to the token's rank.

    >>> from collectives.schedule import table
    >>> print(table(direct_combine(2, Routing(2, 2, [[0], [1], [0], [1]]))))
    step 1   1→0 +1   0→1 +2
    """
    owner, rank, token = routing.direct()
    # each token's rank adds up what experts made of it
    yield reduce(rank, owner, token)


def two_hop_combine(n: int, gpus: int, routing: Routing) -> Schedule:
    """Each node adds up what its ranks made of a token, and the sum crosses back once.

    >>> from collectives.schedule import table
    >>> tokens = [[2, 3], [1, 0], [3, 2], [0, 3]]
    >>> print(table(two_hop_combine(4, 2, Routing(4, 4, tokens))))
    step 1   3→2 +0   0→1 +1   3→2 +2   0→1 +3
    step 2   2→0 +0   1→3 +3
    """
    crossing, inside = routing.by_node(gpus)
    via, rank, token = inside
    # every node adds up what its ranks made of a token
    yield reduce(rank, via, token)
    src, dst, token = crossing
    # the sum of each node crosses once to the token's rank
    yield reduce(dst, src, token)


def reduce_scatter_combine(n: int, routing: Routing) -> Schedule:
    """Sums of all tokens go round the ring; ranks without a token's experts add zeros.

    >>> from collectives.schedule import table
    >>> print(table(reduce_scatter_combine(2, Routing(2, 2, [[0], [1], [0], [1]]))))
    step 1   0→1 +2..3   1→0 +0..1
    """
    rank, tokens = np.arange(n), routing.tokens
    ring = ring_reduce_scatter(n)
    yield from within(rank, ring, width=tokens)
