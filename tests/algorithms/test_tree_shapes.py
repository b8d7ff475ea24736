"""Trees as data: NCCL's own two trees, Open MPI's binary tree, and what is said of them."""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from shapes import both, children, hops

from collectives.algorithms import tree

NCCL = json.loads((Path(__file__).parents[1] / "data" / "nccl_double_trees.json").read_text())
RANKS = range(1, 18)


@pytest.mark.parametrize("n", range(2, 33))
def test_both_trees_are_those_of_nccl(n):
    assert list(both(n)) == NCCL["parents"][str(n)]


def test_the_rule_of_nccl_beyond_its_table():
    """Depth, children over both trees, who is inner in both: as NCCL's own function has them."""
    for n in [*range(2, 140), 255, 256, 257, 1000, 1023, 1024, 1025]:
        first, second = both(n)
        for parent in (first, second):
            assert parent.count(-1) == 1
            assert children(parent)[parent.index(-1)] == 1
            assert max(hops(parent, node) for node in range(n)) == (n - 1).bit_length()
        assert max(children(first, second).values()) <= 2
        inner_in_both = set(children(first)) & set(children(second))
        assert inner_in_both == ({0} if n % 2 else set())


def test_nccls_rule_in_its_own_words_up_to_1025():
    """The parent as facts state it, digit by digit, and the second tree by its role."""

    def parent_in_first(v, n):
        if v == 0:
            return -1
        low = 1
        while v // low % 2 == 0:
            low *= 2
        cleared = v - low
        with_next = cleared if cleared // (2 * low) % 2 else cleared + 2 * low
        return with_next if with_next < n else cleared

    for n in range(1, 1026):
        first = tree.binary_tree(n)
        parents = [parent_in_first(v, n) for v in range(n)]
        assert first.tolist() == parents
        role = [(v - 1) % n if n % 2 else n - 1 - v for v in range(n)]
        back = [(v + 1) % n if n % 2 else n - 1 - v for v in range(n)]
        expected = [back[p] if p >= 0 else -1 for p in (parents[r] for r in role)]
        assert tree.mirrored(first).tolist() == expected


def test_a_complete_tree_is_open_mpis():
    """Node v of level k has the children v + 2^k and v + 2^(k+1); no level has a gap."""
    for n in [*range(1, 70), 1025]:
        parent = tree.complete_tree(n).tolist()
        expected, level = [-1] * n, [0]
        for k in range(n.bit_length()):
            for child, v in [(v + (step << k), v) for step in (1, 2) for v in level]:
                if child < n:
                    expected[child] = v
            level = range((2 << k) - 1, (4 << k) - 1)
        assert parent == expected
        sizes = Counter(hops(parent, v) for v in range(n))
        assert all(sizes[k] == 1 << k for k in range(n.bit_length() - 1))
        side = [v if parent[v] <= 0 else None for v in range(n)]
        for v in range(1, n):
            side[v] = v if parent[v] == 0 else side[parent[v]]
            assert side[v] == 2 - v % 2


@pytest.mark.parametrize("n", RANKS)
def test_depths_count_hops(n):
    for parent in (*both(n), tree.complete_tree(n).tolist()):
        assert tree.depths(np.array(parent)).tolist() == [hops(parent, v) for v in range(n)]


@pytest.mark.parametrize("n", RANKS)
def test_a_tree_below_a_root(n):
    for parent in both(n):
        below = tree.below_root(np.array(parent)).tolist()
        assert [p - 1 for p in below[1:] if p] == [p for p in parent if p >= 0]
        assert below[0] == -1 and below[1 + parent.index(-1)] == 0
