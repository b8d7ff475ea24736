"""What tests of trees share: NCCL's two trees, hops and children of plain parent arrays."""

from collections import Counter

from collectives.algorithms import tree


def both(n):
    first = tree.binary_tree(n)
    return first.tolist(), tree.mirrored(first).tolist()


def hops(parent, node):
    """How far a node is from the root; fails where the way up never ends."""
    for number in range(len(parent)):
        if parent[node] < 0:
            return number
        node = parent[node]
    raise AssertionError("a circle")


def children(*parents):
    """How many children each node has in these trees together."""
    return Counter(p for parent in parents for p in parent if p >= 0)
