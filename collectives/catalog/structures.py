"""The structures that rows of the catalog state: what the links of an algorithm are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from collectives import structure as kinds
from collectives.algorithms.binomial import non_overlapping_reduce_scatter
from collectives.algorithms.in_network import switch_tree
from collectives.algorithms.rabenseifner import butterfly_reduce_scatter
from collectives.algorithms.send_recv import ping_pong_pairs
from collectives.algorithms.split_binary import sides
from collectives.algorithms.tree import below_root, complete_tree, two_trees
from collectives.catalog.parameters import Setting
from collectives.schedule import Schedule
from collectives.schedule.columns import Integers

if TYPE_CHECKING:
    from collectives.structure.kinds import Nodes


def nodes(numbers: npt.ArrayLike) -> Nodes:
    """Numbers of nodes, as plain integers."""
    return tuple(np.asarray(numbers).tolist())


def count(setting: Setting) -> Nodes:
    """All ranks, in order."""
    return tuple(range(setting.ranks))


def leftwards(setting: Setting) -> Nodes:
    """All ranks, from 0 on to the left."""
    return count(setting)[:1] + count(setting)[:0:-1]


def from_root(setting: Setting) -> Nodes:
    """All ranks, from the root on and round to the one before it."""
    return count(setting)[setting.root :] + count(setting)[: setting.root]


def rooted(parent: Integers, root: int) -> Nodes:
    """The parents in a tree whose node 0 becomes the root, and the others follow it.

    >>> rooted(np.array([-1, 0, 0]), root=1)
    (1, -1, 1)
    """
    above = np.where(parent < 0, -1, (parent + root) % len(parent))
    return nodes(np.roll(above, root))


# rings, lines, stars


def ring(setting: Setting) -> kinds.Ring:
    """A ring to the right."""
    return kinds.Ring((count(setting),))


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


def binary(setting: Setting) -> kinds.Tree:
    """A binary tree in which no level has a gap."""
    return kinds.Tree(rooted(complete_tree(setting.ranks), setting.root))


def halves(setting: Setting, first: int) -> tuple[Nodes, Nodes]:
    """The chunks, cut into the first so many and the rest."""
    return tuple(range(first)), tuple(range(first, setting.chunks))


def double_tree(setting: Setting) -> kinds.TwoTrees:
    """NCCL's two trees of all ranks."""
    one, two = two_trees(setting.ranks)
    return kinds.TwoTrees((nodes(one), nodes(two)), halves(setting, setting.chunks // 2))


def double_tree_below_root(setting: Setting) -> kinds.TwoTrees:
    """The root above two trees of the other ranks."""
    one, two = (rooted(below_root(p), setting.root) for p in two_trees(setting.ranks - 1))
    return kinds.TwoTrees((one, two), halves(setting, setting.chunks // 2))


def split_tree(setting: Setting) -> kinds.TwoTrees:
    """The sides of a binary tree, each with the twins of its nodes below them."""
    place = np.arange(setting.ranks)
    twin = np.where(place % 2, place + 1, place - 1) % setting.ranks
    both = [np.where((side < 0) & (place > 0), twin, side) for side in sides(setting.ranks)]
    one, two = (rooted(parent, setting.root) for parent in both)
    return kinds.TwoTrees((one, two), halves(setting, (setting.chunks + 1) // 2))


# machines


def groups_of(ranks: int, size: int) -> tuple[Nodes, ...]:
    """Groups of consecutive ranks."""
    return tuple(tuple(range(first, first + size)) for first in range(0, ranks, size))


def hierarchy(ranks: int, *sizes: int) -> kinds.Structure:
    """A ring of so many ranks, or rings within groups of the first size and what is between them.

    >>> hierarchy(4, 2)
    Groups(members=((0, 1), (2, 3)), inside=Ring(orders=((0, 1),), parent=()), \
between=Ring(orders=((0, 1),), parent=()), rails=(0, 1))
    """
    if not sizes:
        return kinds.Ring((tuple(range(ranks)),))
    size, *rest = sizes
    between, rails = hierarchy(ranks // size, *rest), tuple(range(size))
    return kinds.Groups(groups_of(ranks, size), kinds.Ring((rails,)), between, rails)


def two_levels(setting: Setting) -> kinds.Structure:
    """Nodes with a ring in each, and a ring for each place between them."""
    return hierarchy(setting.ranks, setting["gpus"])


def three_levels(setting: Setting) -> kinds.Structure:
    """Nodes in racks, with rings at each level."""
    return hierarchy(setting.ranks, setting["gpus"], setting["nodes"])


def leaders(setting: Setting) -> kinds.Groups:
    """Nodes with a binomial tree in each, and a ring of their first ranks."""
    gpus = setting["gpus"]
    return kinds.Groups(
        groups_of(setting.ranks, gpus),
        binomial(Setting(gpus)),
        ring(Setting(setting.ranks // gpus)),
        (0,),
    )


def switch_in_each(setting: Setting) -> kinds.Groups:
    """Nodes with a switch in each; between them even places have one tree, odd ones another."""
    n, gpus = setting.ranks, setting["gpus"]
    one, two = two_trees(n // gpus)
    chunks = range(setting.chunks * gpus)
    even = tuple(chunk for chunk in chunks if chunk % gpus % 2 == 0)
    odd = tuple(chunk for chunk in chunks if chunk % gpus % 2)
    members = groups_of(n, gpus)
    return kinds.Groups(
        tuple((*group, n + node) for node, group in enumerate(members)),
        one_switch(Setting(gpus)) if gpus > 1 else None,
        kinds.TwoTrees((nodes(one), nodes(two)), (even, odd)),
        tuple(range(gpus)),
    )


def grid(setting: Setting) -> kinds.Torus:
    """Rows and columns."""
    return kinds.Torus((setting["rows"], setting.ranks // setting["rows"]))


def grid_3d(setting: Setting) -> kinds.Torus:
    """Planes of rows and columns."""
    rows, columns = setting["rows"], setting["columns"]
    return kinds.Torus((setting.ranks // rows // columns, rows, columns))


def one_switch(setting: Setting) -> kinds.Switches:
    """A switch, the node after the ranks, with all of them below it."""
    return kinds.Switches((setting.ranks,) * setting.ranks + (-1,))


def switch_levels(setting: Setting) -> kinds.Switches:
    """Levels of switches above the ranks."""
    return kinds.Switches(nodes(switch_tree(setting.ranks, setting["radix"])))


def blocks_of_nodes(setting: Setting) -> kinds.Exchange:
    """A block from every rank for every other, on a machine of nodes."""
    return kinds.Exchange(groups_of(setting.ranks, setting["gpus"]))


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
