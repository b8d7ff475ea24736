"""The structures that rows of the catalog state, where links alone do not tell them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from collectives import structure as kinds
from collectives.algorithms.split_binary import sides
from collectives.algorithms.tree import below_root, two_trees
from collectives.catalog.parameters import Setting
from collectives.schedule.columns import Integers

if TYPE_CHECKING:
    from collectives.structure.base import Nodes


def nodes(numbers: npt.ArrayLike) -> Nodes:
    """Numbers of nodes, as plain integers."""
    return tuple(np.asarray(numbers).tolist())


def rooted(parent: Integers, root: int) -> Nodes:
    """The parents in a tree whose node 0 becomes the root, and the others follow it.

    >>> rooted(np.array([-1, 0, 0]), root=1)
    (1, -1, 1)
    """
    above = np.where(parent < 0, -1, (parent + root) % len(parent))
    return nodes(np.roll(above, root))


# trees


def halves(setting: Setting, first: int) -> tuple[Nodes, Nodes]:
    """The chunks, cut into the first so many and the rest."""
    return tuple(range(first)), tuple(range(first, setting.chunks))


def double_tree(setting: Setting) -> kinds.TwoTrees:
    """NCCL's two trees of all ranks."""
    first, two = two_trees(setting.ranks)
    return kinds.TwoTrees((nodes(first), nodes(two)), halves(setting, setting.chunks // 2))


def double_tree_below_root(setting: Setting) -> kinds.TwoTrees:
    """The root above two trees of the other ranks."""
    first, two = (rooted(below_root(p), setting.root) for p in two_trees(setting.ranks - 1))
    return kinds.TwoTrees((first, two), halves(setting, setting.chunks // 2))


def split_tree(setting: Setting) -> kinds.TwoTrees:
    """The sides of a binary tree, each with the twins of its nodes below them."""
    place = np.arange(setting.ranks)
    twin = np.where(place % 2, place + 1, place - 1) % setting.ranks
    both = [np.where((side < 0) & (place > 0), twin, side) for side in sides(setting.ranks)]
    first, two = (rooted(parent, setting.root) for parent in both)
    return kinds.TwoTrees((first, two), halves(setting, (setting.chunks + 1) // 2))


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
    parent = (-1, *(place & place - 1 for place in range(1, gpus)))
    ring = hierarchy(setting.ranks // gpus)
    return kinds.Groups(groups_of(setting.ranks, gpus), kinds.Tree(parent), ring, (0,))


def switch_in_each(setting: Setting) -> kinds.Groups:
    """Nodes with a switch in each; between them even places have one tree, odd ones another."""
    n, gpus = setting.ranks, setting["gpus"]
    first, two = two_trees(n // gpus)
    chunks = range(setting.chunks * gpus)
    even = tuple(chunk for chunk in chunks if chunk % gpus % 2 == 0)
    odd = tuple(chunk for chunk in chunks if chunk % gpus % 2)
    members = groups_of(n, gpus)
    return kinds.Groups(
        tuple((*group, n + node) for node, group in enumerate(members)),
        kinds.Switches((gpus,) * gpus + (-1,)) if gpus > 1 else None,
        kinds.TwoTrees((nodes(first), nodes(two)), (even, odd)),
        tuple(range(gpus)),
    )


def grid(setting: Setting) -> kinds.Torus:
    """Rows and columns."""
    return kinds.Torus((setting["rows"], setting.ranks // setting["rows"]))


def grid_3d(setting: Setting) -> kinds.Torus:
    """Planes of rows and columns."""
    rows, columns = setting["rows"], setting["columns"]
    return kinds.Torus((setting.ranks // rows // columns, rows, columns))


def exchange(setting: Setting) -> kinds.Exchange:
    """What every rank has for others, as data says."""
    return kinds.Exchange()


def routed_nodes(setting: Setting) -> kinds.RoutedGroups:
    """Nodes of a machine, linked as a routing table says."""
    return kinds.RoutedGroups(groups_of(setting.ranks, setting["gpus"]))


def blocks_of_nodes(setting: Setting) -> kinds.Exchange:
    """A block from every rank for every other, on a machine of nodes."""
    return kinds.Exchange(groups_of(setting.ranks, setting["gpus"]))
