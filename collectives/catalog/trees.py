"""What formulas of algorithms on trees speak of: heights, halves of the chunks, shared links."""

from __future__ import annotations

from dataclasses import replace

from collectives.algorithms.tree import below_root, binary_tree, depths, mirrored
from collectives.catalog.levels import height
from collectives.catalog.row import RADIX
from collectives.schedule.step import Integers
from collectives.theory import Case, Letter

Uses = dict[tuple[int, int], int]  # link → the first step in which it carries a chunk


def uses(parent: Integers, up: bool, down: bool) -> Uses:
    """When the first chunk passes each link of a tree, up to the root or down from it, or both.

    >>> uses(binary_tree(3), up=True, down=True)
    {(2, 1): 3, (1, 2): 0, (0, 2): 2, (2, 0): 1}
    """
    depth, found = depths(parent).tolist(), {}
    deepest = max(depth)
    for child, above in enumerate(parent.tolist()):
        if above >= 0 and down:
            found[above, child] = depth[child] - 1 + deepest * up
        if above >= 0 and up:
            found[child, above] = deepest - depth[child]
    return found


def of_both(first: Uses, second: Uses, chunks: int) -> int:
    """How often a link carries a chunk of either tree in one step: these make one message.

    Of the chunks half go through the first tree, the larger half through the second.

    >>> tree = binary_tree(3)
    >>> of_both(uses(tree, True, True), uses(mirrored(tree), True, True), chunks=4)
    2
    """
    half = chunks // 2
    found = 0
    for link in first.keys() & second.keys():
        starts = first[link], second[link]
        ends = starts[0] + half, starts[1] + chunks - half
        found += max(0, min(ends) - max(starts))
    return found


def in_one_message(case: Case, up: bool, down: bool) -> int:
    """The same for NCCL's two trees: of all ranks, or of all but a root above them."""
    tree = binary_tree(case.N if up and down else case.N - 1)
    pair = tree, mirrored(tree)
    if not (up and down):
        pair = below_root(pair[0]), below_root(pair[1])
    first, second = (uses(parent, up, down) for parent in pair)
    return of_both(first, second, case.q)


def children_of_root(case: Case) -> int:
    """Children of the root of a k-nomial tree: radix - 1 on each level but the last, longest hop.

    >>> import numpy as np
    >>> [children_of_root(Case(n, np.ones(1), 0, 1, {"radix": 4})) for n in (2, 4, 5, 16, 17)]
    [1, 3, 4, 6, 7]
    """
    radix = case.parameters["radix"]
    hops = height(case.N, radix) - 1
    return hops * (radix - 1) + (case.N - 1) // radix**hops if case.N > 1 else 0


KNOMIAL = replace(RADIX, meaning="ranks of a group", default=lambda ranks: 4)
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
