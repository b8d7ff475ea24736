"""Switches that reduce and multicast: they add what they receive, and send copies on."""

import numpy as np

from collectives.algorithms.tree import tree_all_reduce
from collectives.schedule import Schedule, merged, pipelined, send, transposed
from collectives.schedule.columns import Integers


def switch_broadcast(n: int, root: int = 0) -> Schedule:
    """The root sends its data to the switch, node n, which sends it to all others at once.

    >>> from collectives.schedule import table
    >>> print(table(switch_broadcast(3)))
    step 1   0→3 =0
    step 2   3→1 =0   3→2 =0
    """
    if n == 1:
        return  # there is nobody to send it to
    rank = np.arange(n)
    receivers = rank[rank != root]
    # the root sends its data to the switch
    yield send(root, n)
    # the switch sends it to all other ranks at once
    yield send(n, receivers)


def multicast_broadcast(n: int, root: int = 0, chunks: int = 4) -> Schedule:
    """The root sends every chunk once; the switch, node n, copies it to all other ranks.

    >>> from collectives.schedule import table
    >>> print(table(multicast_broadcast(3, chunks=2)))
    step 1   0→3 =0
    step 2   3→1 =0   3→2 =0   0→3 =1
    step 3   3→1 =1   3→2 =1
    """
    steps = switch_broadcast(n, root)
    yield from pipelined(steps, range(chunks))


def multicast_all_gather(n: int) -> Schedule:
    """Ranks take turns to send their chunk once; the switch, node n, copies it to all others.

    >>> from collectives.schedule import table
    >>> print(table(multicast_all_gather(3)))
    step 1   0→3 =0
    step 2   1→3 =1   3→1 =0   3→2 =0
    step 3   2→3 =2   3→0 =1   3→2 =1
    step 4   3→0 =2   3→1 =2
    """
    if n == 1:
        return  # there is nobody to send it to
    rank = np.arange(n)
    for turn in range(n + 1):
        own = rank[turn : turn + 1]
        last = turn - 1
        rest = rank[(rank != last) & (turn > 0)]
        up = send(own, n, turn)
        # each chunk goes up in one step, down in the next
        yield merged([up, send(n, rest, last)])


def switch_reduce(n: int, root: int = 0, chunks: int = 4) -> Schedule:
    """The switch, node n, adds up all other ranks' data and hands the root the sum.

    >>> from collectives.schedule import table
    >>> print(table(switch_reduce(3, chunks=2)))
    step 1   1→3 +0   2→3 +0
    step 2   3→0 +0   1→3 +1   2→3 +1
    step 3   3→0 +1
    """
    steps = transposed(switch_broadcast(n, root))
    # the switch adds up the data and sends the sum to the root
    yield from pipelined(steps, range(chunks))


def switch_tree(hosts: int, radix: int) -> Integers:
    """Parents in a tree whose leaves are the hosts: up to `radix` nodes share a switch above them.

    The switches are numbered from `hosts` on, level by level; the last one is the root.

    >>> switch_tree(5, radix=2)
    array([ 5,  5,  6,  6,  7,  8,  8,  9, 10, 10, -1])
    >>> switch_tree(1, radix=2)
    array([-1])
    """
    parent, first, width = np.arange(0), 0, hosts
    while width > 1:
        first += width  # number of this level's first switch
        above = first + np.arange(width) // radix
        parent = np.append(parent, above)
        width = -(-width // radix)
    return np.append(parent, -1)


def sharp_all_reduce(n: int, radix: int, chunks: int = 4) -> Schedule:
    """Chunk after chunk goes up a tree of switches that add, and its sum comes down to all ranks.

    >>> from collectives.schedule import table
    >>> print(table(sharp_all_reduce(3, radix=2, chunks=1)))
    step 1   0→3 +0   1→3 +0   2→4 +0
    step 2   3→5 +0   4→5 +0
    step 3   5→3 =0   5→4 =0
    step 4   3→0 =0   3→1 =0   4→2 =0
    """
    tree = switch_tree(n, radix)
    steps = tree_all_reduce(tree)
    yield from pipelined(steps, range(chunks))
