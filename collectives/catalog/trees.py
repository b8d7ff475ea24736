"""What formulas of algorithms on trees speak of: heights, halves of the chunks, shared links."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from collectives.algorithms.tree import below_root, binary_tree, depths, mirrored
from collectives.catalog.levels import height
from collectives.catalog.row import RADIX
from collectives.memory_limit import check_memory
from collectives.schedule.step import Integers
from collectives.theory import Case, Letter

BYTES = 200  # for each rank, to find the links that trees share


def uses(parent: Integers, up: bool, down: bool) -> tuple[Integers, Integers]:
    """The links of a tree up to its root, down from it, or both, each as src * nodes + dst.

    With them the steps, from 0, in which the first chunk passes them.

    >>> uses(binary_tree(3), up=True, down=True)
    (array([5, 6, 7, 2]), array([0, 1, 3, 2]))
    """
    depth, child = depths(parent), np.flatnonzero(parent >= 0)
    deepest, above, level = depth.max(), parent[child], depth[child]
    links = {True: child * len(parent) + above, False: above * len(parent) + child}
    first = {True: deepest - level, False: level - 1 + deepest * up}
    ways = [way for way, taken in ((True, up), (False, down)) if taken]
    return np.concatenate([links[w] for w in ways]), np.concatenate([first[w] for w in ways])


def in_one_message(case: Case, up: bool, down: bool) -> int:
    """How often a link carries a chunk of each of NCCL's two trees in one step: as one message.

    The trees are those of all ranks, or where only one way is gone of all ranks but the root.
    Of the chunks half go through the first tree, the larger half through the second.

    >>> in_one_message(Case(3, np.ones(4)), up=True, down=True)
    2
    """
    check_memory(BYTES * case.N, f"two trees of {case.N} ranks")
    alone = up and down
    tree = binary_tree(case.N if alone else case.N - 1)
    pair = [parent if alone else below_root(parent) for parent in (tree, mirrored(tree))]
    (one, start), (other, begin) = (uses(parent, up, down) for parent in pair)
    _, i, k = np.intersect1d(one, other, assume_unique=True, return_indices=True)
    half = case.q // 2
    ends = np.minimum(start[i] + half, begin[k] + case.q - half)
    return int(np.maximum(0, ends - np.maximum(start[i], begin[k])).sum())


def children_of_root(case: Case) -> int:
    """Children of the root of a k-nomial tree: radix - 1 on each level but the last, longest hop.

    >>> [children_of_root(Case(n, np.ones(1), 0, 1, {"radix": 4})) for n in (2, 4, 5, 16, 17)]
    [1, 3, 4, 6, 7]
    """
    radix = case.parameters["radix"]
    hops = height(case.N, radix) - 1
    return hops * (radix - 1) + (case.N - 1) // radix**hops if case.N > 1 else 0


KNOMIAL = replace(RADIX, meaning="ranks of a group", usual=lambda *_: 4)
HEIGHT = Letter("H", "ceil(log N to base radix)", lambda c: height(c.N, c.parameters["radix"]))
CHILDREN = Letter("K", "children of the root", children_of_root)
HALF = Letter("h", "the larger half of the chunks", lambda c: (c.q + 1) // 2)
BELOW = Letter(
    "D", "ceil(log2 (N-1)), the depth of a tree without the root", lambda c: (c.N - 2).bit_length()
)
LEFT = Letter("l", "ranks on the left side of the root", lambda c: c.N // 2)
RIGHT = Letter("r", "ranks on its right side", lambda c: (c.N - 1) // 2)
MEET = "messages with a chunk of each tree"
MEET_DOWN = Letter("X", MEET, lambda c: in_one_message(c, up=False, down=True))
MEET_UP = Letter("X", MEET, lambda c: in_one_message(c, up=True, down=False))
MEET_BOTH = Letter("X", MEET, lambda c: in_one_message(c, up=True, down=True))
