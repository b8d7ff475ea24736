"""Bytes as functions that are exact for chunks of any sizes."""

from __future__ import annotations

import numpy as np

from collectives.schedule.columns import Integers
from collectives.theory.case import Case


def shares(case: Case) -> Integers:
    """Bytes of what each rank owns: of its chunks, as many for every rank.

    >>> shares(Case(2, np.array([3, 3, 2, 2]))).tolist()
    [6, 4]
    """
    shares: Integers = case.size.reshape(case.N, -1).sum(axis=1)
    return shares


def nothing(case: Case) -> int:
    """No byte."""
    return 0


def the_vector(case: Case) -> int:
    """The full vector."""
    return case.S


def all_to_others(case: Case) -> int:
    """The full vector to each other rank."""
    return (case.N - 1) * case.S


def twice_to_others(case: Case) -> int:
    """The full vector to each other rank, and as much back."""
    return 2 * all_to_others(case)


def share_of_all(case: Case) -> int:
    """Least bytes of the busiest rank where all together send the vector to all but one."""
    return _average(all_to_others(case), case)


def share_of_twice(case: Case) -> int:
    """The same where they send it twice."""
    return _average(twice_to_others(case), case)


def _average(total: int, case: Case) -> int:
    """Least bytes of the busiest rank if all ranks together send `total` bytes."""
    return -(-total // case.unit // case.N) * case.unit


def blocks(case: Case) -> int:
    """Every rank sends all blocks but its own, and receives as many of the size of its own."""
    return max(all_but_the_smallest(case), the_largest_to_others(case))


def the_largest_to_others(case: Case) -> int:
    """The largest share to each other rank."""
    return (case.N - 1) * int(shares(case).max())


def all_but_the_smallest(case: Case) -> int:
    """All but the smallest share: nothing where there is one rank."""
    return case.S - int(shares(case).min()) if case.N > 1 else 0


def all_but_the_roots(case: Case) -> int:
    """All but the root's own share."""
    return case.S - int(shares(case)[case.root])


def largest_but_the_roots(case: Case) -> int:
    """The largest share of a rank that is not the root."""
    return int(np.delete(shares(case), case.root).max(initial=0))


def twice_round_the_ring(case: Case) -> int:
    """Two laps, in each of which a rank sends all chunks but one; those two are neighbors."""
    return 2 * case.S - int((case.size + np.roll(case.size, 1)).min()) if case.N > 1 else 0


def up_the_tree(case: Case) -> int:
    """Each chunk travels as many hops as the number of its rank has binary ones."""
    hops = np.array([v.bit_count() for v in range(case.N)])
    return int((hops * case.from_root).sum())


def there_and_back(case: Case) -> int:
    """Chunks travel up or down a binomial tree, whole vectors the other way."""
    return up_the_tree(case) + all_to_others(case)


def there_and_out(case: Case) -> int:
    """Whole vectors travel along a tree, then each rank gets its chunk from the root."""
    return all_to_others(case) + all_but_the_roots(case)


def largest_subtree(case: Case) -> int:
    """The chunks of the heaviest subtree below the root of the binomial tree."""
    sizes = case.from_root
    below = [int(sizes[1 << k : 2 << k].sum()) for k in range(case.C)]
    return max(below, default=0)


def tree_reduce_scatter_sent(case: Case) -> int:
    """Every rank but the root hands in everything, then passes on what is not its own."""
    busy = [all_but_the_roots(case)]
    for v in range(1, case.N):
        low = v & -v
        busy.append(case.S + int(case.size[v + 1 : v + low].sum()))
    return max(busy)
