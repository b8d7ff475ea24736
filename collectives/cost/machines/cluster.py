"""A cluster: nodes of GPUs at NVSwitches or PCIe, NICs, leaf switches, and a fat tree above."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from collectives.cost.machines.links import find_link
from collectives.cost.machines.makeup import Makeup
from collectives.cost.machines.paths import Integers, Paths
from collectives.cost.machines.topology import MOST_NODES, Topology, from_links
from collectives.errors import BadInput
from collectives.values import positive, whole
from collectives.words import plural

KINDS = ("rank", "node switch", "NIC", "leaf switch", "spine switch")


def cluster(
    ranks: int,
    gpus: int = 8,
    nics: int = 0,
    inside: str = "nvlink4",
    pcie: str = "pcie5",
    outside: str = "ib-ndr",
    leaf: int = 0,
    rails: int = 0,
    spines: int = 1,
    oversubscription: float = 1.0,
    stripe: int = 0,
) -> Topology:
    """Nodes of GPUs at switches that can add, joined by NICs and two levels of switches.

    Parameters
    ----------
    gpus : int
        GPUs of each node.
    nics : int
        NICs of each node, 0 for one per GPU; GPU g uses NIC g * nics // gpus.
    inside : str
        The link from a GPU to the switch of its node.
    pcie : str
        The link from a GPU to its NIC.
    outside : str
        The link from a NIC to its leaf switch.
    leaf : int
        Nodes at each leaf switch; 0 for all at one, without spines.
    rails : int
        1: NICs of the same number have a leaf switch of their own.
    spines : int
        Spine switches; a message takes the one with its destination's NIC modulo their number.
    oversubscription : float
        How many times faster the NICs of a full leaf switch are than its links to the spines.
    stripe : int
        1: every message goes over all NICs of its node, as if they were one.
    """
    gpus, nics, load = _checked(ranks, gpus, nics, oversubscription)
    width = 1
    if whole("stripe", stripe, 0):
        nics, width = 1, nics
    nodes = ranks // gpus
    per_leaf = min(whole("leaf", leaf, 0) or nodes, nodes)
    planes = nics if whole("rails", rails, 0) else 1
    wiring = _Wiring(ranks, gpus, nics, per_leaf, planes, whole("spines", spines, 1, 1 << 12))
    within, slot, wire = find_link(inside), find_link(pcie), find_link(outside)
    ports = -(-per_leaf * nics // planes)  # NICs at a leaf
    above = wire.bandwidth * width * ports / load / max(1, wiring.spines)
    rank, card, trunk = (np.arange(number) for number in wiring.sizes[1:])
    tops = np.divmod(trunk, max(1, wiring.spines))  # the leaf and the spine of each trunk
    first = np.cumsum([0, *wiring.counts])
    up = (  # lower end, upper end, latency, bandwidth of each level's links
        (rank, first[1] + wiring.node, within.latency / 2, within.bandwidth),
        (rank, first[2] + wiring.nic, 0.0, slot.bandwidth * width),  # in the latency of the wire
        (first[2] + card, first[3] + wiring.leaf, wire.latency / 2, wire.bandwidth * width),
        (first[3] + tops[0], first[4] + tops[1], 0.3e-6, above),
    )
    columns = zip(*(np.broadcast_arrays(*level) for level in up), strict=True)
    built = from_links(
        "cluster",
        list(zip(KINDS, wiring.counts, strict=True)),
        *(np.concatenate(column) for column in columns),
        both_ways=True,
        in_network=range(first[1], first[2]),
        route=wiring.route,
    )
    ends = ("rank", "node switch", inside), ("rank", "NIC", pcie), ("NIC", "leaf switch", outside)
    wires = tuple((src, dst, find_link(name).name) for src, dst, name in ends)
    built = replace(built, makeup=Makeup(wires))
    if nics == 1 or nodes == 1:
        return built
    # a ring leaves by each GPU, so by each card as often; where that is uneven, by each card once
    return replace(built, channels=nics if gpus % nics else gpus, gpus=gpus)


def _checked(ranks: int, gpus: int, nics: int, load: float) -> tuple[int, int, float]:
    """GPUs and NICs of a node and the oversubscription; raises BadInput for what cannot be."""
    gpus = whole("gpus", gpus, 1, MOST_NODES)
    nics = whole("nics", nics, 0) or gpus
    if ranks % gpus:
        below = ranks - ranks % gpus
        near = " or ".join(str(n) for n in (below, below + gpus) if n)
        raise BadInput(
            f"{plural(ranks, 'rank')}: a cluster of nodes of {gpus} takes multiples; try: {near}"
        )
    if nics > gpus:
        raise BadInput(f"nics {nics}: at most one for each of {gpus} GPUs; try: {gpus}")
    load = positive("oversubscription", load)
    if not 1 <= load <= MOST_NODES:
        rule, bound = ("at most", MOST_NODES) if load > 1 else ("at least", 1)
        raise BadInput(f"oversubscription {load:g}: must be {rule} {bound}; try: {bound}")
    return gpus, nics, load


class _Wiring:
    """Where the ranks and NICs of a cluster are plugged in, and which links a message takes.

    node, nic: of each rank; leaf: of each NIC. spines: how many. counts: nodes of each kind.
    sizes: links up of each level (inside a node, to the NIC, to the leaf, to the spine).
    """

    def __init__(
        self, ranks: int, gpus: int, nics: int, per_leaf: int, planes: int, spines: int
    ) -> None:
        nodes = ranks // gpus
        rank, card = np.arange(ranks), np.arange(nodes * nics)
        self.node = rank // gpus
        self.nic = self.node * nics + rank % gpus * nics // gpus
        self.leaf = card // nics // per_leaf * planes + card % nics % planes
        leaves = -(-nodes // per_leaf) * planes
        self.spines = spines if leaves > 1 else 0
        self.counts = ranks, nodes, len(card), leaves, self.spines
        self.sizes = ranks, ranks, len(card), leaves * self.spines

    def route(self, src: Integers, dst: Integers) -> Paths:
        """Inside the node, or out by the NIC, by a spine where the leaves differ, and in again."""
        ends = src, dst
        ranks = len(self.node)
        switch = [end >= ranks for end in ends]
        place = [end % ranks for end in ends]
        node = [np.where(switch[k], ends[k] - ranks, self.node[place[k]]) for k in (0, 1)]
        near = node[0] == node[1]
        if (~near & (switch[0] | switch[1])).any():
            raise BadInput("cluster: a switch inside a node is reached from its own ranks only")
        card = [self.nic[rank] for rank in place]
        leaf = [self.leaf[part] for part in card]
        by_spine = ~near & (leaf[0] != leaf[1])
        spine = card[1] % max(1, self.spines)
        # each link up has a link down, so many links behind it
        inside, slot, wire, trunk, down = np.cumsum([0, *self.sizes]).tolist()
        up, back = (
            [
                np.where(near & ~switch[k], inside + place[k], -1),
                np.where(~near, slot + place[k], -1),
                np.where(~near, wire + card[k], -1),
                np.where(by_spine, trunk + leaf[k] * self.spines + spine, -1),
            ]
            for k in (0, 1)
        )
        hops = up + [np.where(link >= 0, down + link, -1) for link in reversed(back)]
        return Paths.of_table(np.stack(hops, axis=1))
