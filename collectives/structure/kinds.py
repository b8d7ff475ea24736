"""What an algorithm's links are: a ring, a tree, a row with arcs, groups, a grid, switches, a star.

Numbers are those of nodes: ranks, then helpers. All values are hashable.
"""

from __future__ import annotations

from dataclasses import dataclass

Nodes = tuple[int, ...]


@dataclass(frozen=True)
class Ring:
    """Every node sends to the next in a cyclic order, in one order or in several at once.

    orders: each lists the nodes as the data travels; the last sends to the first. A ring in both
    directions has an order and its reverse. parent: of each node, -1 at the root, where data is
    also handed out or collected over a tree (the scatter before a ring of chunks, the gather after
    it); empty where it is not.
    """

    orders: tuple[Nodes, ...]
    parent: Nodes = ()


@dataclass(frozen=True)
class Tree:
    """Data goes up to the root, down from it, or both: `parent` of each node, -1 at the root."""

    parent: Nodes


@dataclass(frozen=True)
class TwoTrees:
    """Two trees of the same nodes, each of which carries chunks of its own.

    parents: of each node in either tree, -1 at the root. chunks: the numbers of the chunks that
    either tree carries.
    """

    parents: tuple[Nodes, Nodes]
    chunks: tuple[Nodes, Nodes]


@dataclass(frozen=True)
class Cube:
    """A row of ranks with arcs: in each step partners are at certain distances from each other.

    row: the ranks in the order of their seats, those folded away left out. distances: for each
    step in which a message travels how many seats apart partners are, in ascending order; empty
    for a step in which only folded ranks send or receive. folded: each rank that is folded away,
    with the rank of the row that stands in for it. circular: whether the first seat follows the
    last, so that partners may be apart round the end: a distance is that of the shorter way.
    """

    row: Nodes
    distances: tuple[tuple[int, ...], ...]
    folded: tuple[tuple[int, int], ...] = ()
    circular: bool = False


@dataclass(frozen=True)
class Groups:
    """The ranks of each node of a machine, fast inside and slow between.

    members: of each group, all of one length; a switch that a group has to itself comes last.
    inside: the structure within every group, whose nodes are places in `members[k]`. between: the
    structure between groups, whose nodes are the numbers of groups. rails: the places whose
    members are linked between groups, each with those at the same place. Where there are three
    levels `between` is Groups itself. Either is None where nothing simple runs there.
    """

    members: tuple[Nodes, ...]
    inside: Structure | None = None
    between: Structure | None = None
    rails: Nodes = ()


@dataclass(frozen=True)
class Torus:
    """A grid of ranks, numbered row by row: every line of every dimension is a ring."""

    shape: tuple[int, ...]


@dataclass(frozen=True)
class Switches:
    """A tree in the network: the parent of each node, ranks first, then switches; -1 at tops."""

    parent: Nodes


@dataclass(frozen=True)
class Line:
    """A chain or a pipeline: nodes in the order in which the data passes them."""

    order: Nodes


@dataclass(frozen=True)
class Exchange:
    """Every rank has a block for every other one. groups: ranks of each node of the machine."""

    groups: tuple[Nodes, ...] = ()


@dataclass(frozen=True)
class Star:
    """Hubs that are linked with all others: a root, servers, or every rank with every other."""

    hubs: Nodes


@dataclass(frozen=True)
class Loose:
    """Links of no particular shape: (source, destination), in ascending order."""

    links: tuple[tuple[int, int], ...]


Structure = (
    Ring | Tree | TwoTrees | Cube | Groups | Torus | Switches | Line | Exchange | Star | Loose
)
