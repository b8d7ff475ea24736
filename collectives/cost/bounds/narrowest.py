"""Finds the narrowest cut of a machine for a collective, or for what a recording promises."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import compress

from collectives.collective import (
    Cells,
    Collective,
    every_cell,
    find_collective,
    own_cells,
    root_cells,
)
from collectives.cost.bounds.cut import Cut
from collectives.cost.bounds.cut_search import NarrowestCut, Wires, narrowest
from collectives.cost.bounds.parting import MOST_PARTED, narrowest_parting
from collectives.cost.machines.topology import Topology
from collectives.errors import BadInput, TooLarge
from collectives.recording.recording import Recording
from collectives.values import instance, items_of, whole
from collectives.words import brief, plural

MOST_WORK = 1 << 24  # ranks times links: a flow to each rank is sought, over all links
Ends = tuple[Callable[[int, int, int], Cells], Callable[[int, int, int], Cells]]
TO_ALL: dict[Ends, bool] = {  # whether data goes from all ranks, not to all
    (own_cells, every_cell): False,
    (root_cells, every_cell): False,
    (every_cell, own_cells): True,
    (every_cell, root_cells): True,
}
ALL_REDUCE = every_cell, every_cell
BY_ROOT: dict[Ends, bool] = {  # whether from the root
    (own_cells, root_cells): False,
    (root_cells, own_cells): True,
}


def narrowest_cut(
    collective: str | Collective,
    topology: Topology,
    *,
    root: int = 0,
    in_network: bool = False,
    sizes: Sequence[int] | None = None,
) -> Cut | None:
    """The cut over which a collective must take the longest, with all bytes on their best paths.

    What ranks on one side of a cut have, and ranks on the other side need, must pass its links.
    No schedule is faster than that allows, on whatever paths. Latency is not counted.

    Parameters
    ----------
    collective : str
        Its name, such as "all_gather".
    topology : Topology
        The machine, from `collectives.topology` or from a file.
    root : int
        The root, where the collective has one.
    in_network : bool
        Whether switches add and copy, so that an all-reduce sends less; no other collective does.
    sizes : sequence of int, optional
        Bytes of each chunk; by default each rank has an equal share. An all-reduce has the same
        cut whatever they are.

    Returns
    -------
    Cut or None
        None where no cut is known to be the limit (all-to-all, scan, barrier, send/recv), and
        where nothing must move.

    Raises
    ------
    BadInput
        For an unknown collective, a root that does not exist or of a collective that has none,
        and a machine that is too large.

    References
    ----------
    L. Zhao et al., ForestColl: Throughput-optimal collective communications on heterogeneous
    network fabrics, arXiv:2402.06787, for all-gather and reduce-scatter. J. Edmonds,
    Edge-disjoint branchings, 1973, for broadcast and reduce.

    Examples
    --------
    >>> from collectives.cost.machines import topology
    >>> cut = narrowest_cut("all_gather", topology("cluster", 64))
    >>> cut
    <Cut: all-gather on cluster: 0.875 S must enter ranks 0-7 over 8 links, ... 400 GB/s in all>
    >>> f"{cut.seconds(2**30):.3g} s"
    '0.00235 s'
    """
    instance("topology", topology, Topology, 'collectives.topology("hgx-h100", 8)')
    promise = collective if isinstance(collective, Collective) else find_collective(collective)
    ranks = topology.ranks
    if whole("root", root) >= ranks:
        raise BadInput(f"root {brief(root)} of {plural(ranks, 'rank')}; try: {ranks - 1}")
    if root and not promise.rooted:
        raise BadInput(f"root {brief(root)}: {promise.title} has no root; leave it out")
    ends: Ends = promise.precondition, promise.postcondition
    limited = is_limited(promise)
    listed = [1] * ranks if sizes is None else items_of("sizes", sizes, "[4, 4]")
    size = [whole("sizes", size_of_rank) for size_of_rank in listed]
    instance("in_network", in_network, bool, "True")
    if limited:
        promise.check_shape(ranks, len(size))
    if not (limited and ranks > 1 and any(size)):
        return None
    if ranks * topology.links > MOST_WORK:
        raise TooLarge(
            f"{topology.name} of {plural(ranks, 'rank')} and {topology.links:,} links: "
            "too many to look for its narrowest cut",
            "fewer ranks",
        )
    if ends == ALL_REDUCE:
        return _of_all_reduce(promise, topology, in_network)
    backwards = (TO_ALL | BY_ROOT)[ends]
    held = ends[backwards](ranks, len(size), root).tolist()
    weight = [sum(compress(size, row)) for row in held]  # exact, however large sizes are
    sinks = range(ranks) if ends in TO_ALL else [root]
    wires = Wires.of(topology)
    cut = narrowest(wires.reversed if backwards else wires, weight, sinks)
    if cut is None:
        return None
    bound = _one_part(promise, topology, cut, wires, backwards)
    vectors = Fraction(cut.moved, sum(size))
    return replace(bound, vectors=vectors, reachable=_reachable(topology, wires, ends in BY_ROOT))


def is_limited(promise: Collective) -> bool:
    """Whether a cut is known to limit the collective."""
    ends: Ends = promise.precondition, promise.postcondition
    known = ends in (ALL_REDUCE, *TO_ALL, *BY_ROOT) and promise.required is None
    return known and promise.moves_data and not promise.routed


def cut_of(recording: Recording, topology: Topology) -> Cut | None:
    """The narrowest cut for what a recording promises; raises TooLarge as `narrowest_cut` does."""
    sizes, promise = recording.case.size.tolist(), recording.collective
    root = recording.root if promise.rooted else 0
    helped = recording.nodes > recording.ranks
    return narrowest_cut(promise, topology, root=root, in_network=helped, sizes=sizes)


def _one_part(
    promise: Collective, topology: Topology, cut: NarrowestCut, wires: Wires, backwards: bool
) -> Cut:
    """A cut by its side with fewer ranks, for one vector."""
    outside = frozenset(range(topology.nodes)) - cut.inside
    side = min(outside, cut.inside, key=lambda nodes: sum(node < topology.ranks for node in nodes))
    leaving = (side is cut.inside) != backwards
    bandwidth = cut.capacity * wires.unit
    return Cut(topology, promise, (side,), leaving, Fraction(1), bandwidth, False)


def _reachable(topology: Topology, wires: Wires, by_root: bool = False) -> bool:
    """Whether schedules reach what the cut allows, as theorems have it.

    What only the root sends or receives is a flow. What goes to all ranks, or comes from all, is
    a packing of trees: it is as large as the cut allows where no node but ranks passes data on
    (Edmonds), or as much leaves each node as reaches it (ForestColl).
    """
    if topology.shared:
        return False
    return by_root or topology.nodes == topology.ranks or wires.balanced


def _of_all_reduce(promise: Collective, topology: Topology, in_network: bool) -> Cut | None:
    """Of one vector that must get out of a part, or of messages between several."""
    wires = Wires.of(topology)
    ones, every = [1] * topology.ranks, range(topology.ranks)
    if in_network:
        from_one = [1] + [0] * (topology.ranks - 1)
        ways = [(wires, False), (wires.reversed, True)]
        cuts = [(narrowest(way, from_one, every), backwards) for way, backwards in ways]
        rates = [(cut.rate, k) for k, (cut, _) in enumerate(cuts) if cut is not None]
        cut, backwards = cuts[min(rates)[1]]
        return None if cut is None else _one_part(promise, topology, cut, wires, backwards)
    ways_round = [wires] if wires.balanced else [wires, wires.reversed]
    partings = []
    for way in ways_round:
        gather = narrowest(way, ones, every)
        if gather is None:
            return None
        partings.append((narrowest_parting(way, gather), gather))
    number = min(range(len(partings)), key=lambda k: partings[k][0].rate)
    parting, gather = partings[number]
    twice = wires.balanced and 2 * parting.rate == topology.ranks * gather.rate
    trees = topology.nodes == topology.ranks <= MOST_PARTED and wires.symmetric
    bandwidth = parting.capacity * wires.unit
    vectors = Fraction(2 * (len(parting.parts) - 1))
    reachable = not topology.shared and (twice or trees)
    known = twice or topology.ranks <= MOST_PARTED
    return Cut(topology, promise, parting.parts, number == 0, vectors, bandwidth, reachable, known)
