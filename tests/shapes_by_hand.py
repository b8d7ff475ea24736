"""What the links of rows are, as textbooks draw them: inference has to find it."""

from __future__ import annotations

import math

import numpy as np

from collectives import structure as kinds
from collectives.algorithms.binomial import non_overlapping_reduce_scatter
from collectives.algorithms.in_network import switch_tree
from collectives.algorithms.in_order_tree import in_order_tree_reduce
from collectives.algorithms.nvls import multishot_all_reduce
from collectives.algorithms.rabenseifner import butterfly_reduce_scatter
from collectives.algorithms.send_recv import ping_pong_pairs
from collectives.algorithms.tree import complete_tree
from collectives.catalog.parameters import Setting
from collectives.catalog.structures import nodes, rooted
from collectives.schedule import Schedule
from collectives.structure.base import Nodes


def count(setting: Setting) -> Nodes:
    """All ranks, in order."""
    return tuple(range(setting.ranks))


def leftwards(setting: Setting) -> Nodes:
    """All ranks, from 0 on to the left."""
    return count(setting)[:1] + count(setting)[:0:-1]


def from_root(setting: Setting) -> Nodes:
    """All ranks, from the root on and round to the one before it."""
    return count(setting)[setting.root :] + count(setting)[: setting.root]


# rings, lines, stars


def ring(setting: Setting) -> kinds.Ring:
    """A ring to the right."""
    return kinds.Ring((count(setting),))


def rings(setting: Setting) -> kinds.Ring:
    """A ring to the right, or one for each channel: into every node at another rank, and round."""
    channels = setting.parameters.get("channels", 1)
    gpus = setting.parameters.get("gpus", channels)
    if gpus == setting.ranks:
        return ring(setting)
    orders = [
        tuple(
            node + (math.ceil(channel * gpus / channels) + place) % gpus
            for node in range(0, setting.ranks, gpus)
            for place in range(gpus)
        )
        for channel in range(channels)
    ]
    return kinds.Ring(tuple(order[order.index(0) :] + order[: order.index(0)] for order in orders))


def leftward(setting: Setting) -> kinds.Ring:
    """A ring to the left."""
    return kinds.Ring((leftwards(setting),))


def both_ways(setting: Setting) -> kinds.Ring:
    """A ring in both directions."""
    return kinds.Ring((count(setting), leftwards(setting)))


def scatter_and_ring(setting: Setting) -> kinds.Ring:
    """A ring to the right, whose chunks come down a binomial tree."""
    return kinds.Ring((count(setting),), binomial(setting).parent)


def ring_and_gather(setting: Setting) -> kinds.Ring:
    """A ring to the left, whose chunks the root gathers."""
    return kinds.Ring(
        (leftwards(setting),), rooted(-1 * (np.arange(setting.ranks) == 0), setting.root)
    )


def line(setting: Setting) -> kinds.Line:
    """A chain from the root, or from rank 0."""
    return kinds.Line(from_root(setting))


def line_to_root(setting: Setting) -> kinds.Line:
    """A chain that ends at the root."""
    return kinds.Line(from_root(setting)[::-1])


def star(setting: Setting) -> kinds.Star:
    """The root, or rank 0, with all others."""
    return kinds.Star((setting.root,))


def all_pairs(setting: Setting) -> kinds.Star:
    """Every rank with every other."""
    return kinds.Star(count(setting))


def one_server(setting: Setting) -> kinds.Star:
    """A server with all ranks."""
    return kinds.Star((setting.ranks,))


def servers(setting: Setting) -> kinds.Star:
    """Every server with all ranks."""
    return kinds.Star(tuple(range(setting.ranks, setting.ranks + setting["servers"])))


# trees


def binomial(setting: Setting) -> kinds.Tree:
    """A binomial tree: the parent of a place clears its lowest one bit."""
    place = np.arange(setting.ranks)
    return kinds.Tree(rooted(np.where(place, place & place - 1, -1), setting.root))


def doubling_tree(setting: Setting) -> kinds.Tree:
    """A binomial tree: the parent of a place clears its highest one bit."""
    place = range(setting.ranks)
    parent = [p - (1 << p.bit_length() - 1) if p else -1 for p in place]
    return kinds.Tree(rooted(np.array(parent), setting.root))


def knomial(setting: Setting) -> kinds.Tree:
    """A k-nomial tree: the parent of a place clears its lowest digit that is not 0."""
    place, unit = np.arange(setting.ranks), 1
    parent = np.full(setting.ranks, -1)
    while unit < setting.ranks:
        unit *= setting["radix"]
        above = place - place % unit
        parent = np.where((parent < 0) & (above < place), above, parent)
    return kinds.Tree(rooted(parent, setting.root))


def bine(setting: Setting) -> kinds.Tree:
    """A Bine tree: a parent has the lowest equal digits to base -2 flipped, as in the paper."""
    n = setting.ranks
    odd = 0xAAAAAAAA  # the digits that count less than nothing
    parent = [-1]
    for place in range(1, n):
        digits = ((place + odd) ^ odd) & (n - 1)
        run = next(k for k in range(n.bit_length()) if (digits >> k & 1) != (digits & 1))
        run = min(run, n.bit_length() - 1)
        flipped = digits ^ ((1 << run) - 1)
        parent.append(((flipped ^ odd) - odd) % n)
    return kinds.Tree(rooted(np.array(parent), setting.root))


def ring_around_short(setting: Setting) -> kinds.Loose:
    """A ring of all but the short rank, which has links with each of them."""
    short = setting["short"]
    rest = [rank for rank in range(setting.ranks) if rank != short]
    links = {(short, rank) for rank in rest} | {(rank, short) for rank in rest}
    ahead = set(zip(rest, rest[1:] + rest[:1], strict=True)) if len(rest) > 1 else set()
    return kinds.Loose(tuple(sorted(links | ahead)))


def sums_and_switch(setting: Setting) -> kinds.Loose:
    """Direct sums between all ranks, which a switch then hands out."""
    return executed(multishot_all_reduce(setting.ranks))


def binary(setting: Setting) -> kinds.Tree:
    """A binary tree in which no level has a gap."""
    return kinds.Tree(rooted(complete_tree(setting.ranks), setting.root))


def chains(setting: Setting) -> kinds.Tree:
    """The other ranks, cut into chains below the root."""
    parent = np.arange(setting.ranks) - 1
    for chain in np.array_split(np.arange(1, setting.ranks), setting["chains"]):
        parent[chain[:1]] = 0
    return kinds.Tree(rooted(parent, setting.root))


def in_order_tree(setting: Setting) -> kinds.Loose:
    """The tree up to the last rank, and from there to the root."""
    return executed(in_order_tree_reduce(setting.ranks, setting.root, chunks=1))


# grids and switches


def one_switch(setting: Setting) -> kinds.Switches:
    """A switch, the node after the ranks, with all of them below it."""
    return kinds.Switches((setting.ranks,) * setting.ranks + (-1,))


def switch_levels(setting: Setting) -> kinds.Switches:
    """Levels of switches above the ranks."""
    return kinds.Switches(nodes(switch_tree(setting.ranks, setting["radix"])))


def in_pairs(setting: Setting) -> kinds.Loose:
    """Ranks 2 i and 2 i + 1."""
    return kinds.Loose(
        tuple(sorted((src, dst) for src, _, dst, _ in ping_pong_pairs(setting.ranks).tolist()))
    )


def executed(schedule: Schedule) -> kinds.Loose:
    """The links of a schedule that come in no one shape.

    >>> executed(butterfly_reduce_scatter(3))
    Loose(links=((0, 1), (1, 0), (1, 2), (2, 1)))
    """
    steps = [np.stack([step.src, step.dst], axis=1).tolist() for step in schedule]
    return kinds.Loose(tuple(sorted({(src, dst) for step in steps for src, dst in step})))


def butterfly(setting: Setting) -> kinds.Loose:
    """Pairs that halve their vectors, then those that swap chunks."""
    return executed(butterfly_reduce_scatter(setting.ranks))


def tree_and_star(setting: Setting) -> kinds.Loose:
    """A binomial tree up to the root, and from there to everybody."""
    return executed(non_overlapping_reduce_scatter(setting.ranks))
