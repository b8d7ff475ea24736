"""A cluster: nodes of GPUs at NVSwitches or PCIe, NICs, leaf switches, and a fat tree above."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from collectives.cost.machines.links import find_link
from collectives.cost.machines.paths import Integers, Paths
from collectives.cost.machines.topology import MOST_NODES, Topology, joined
from collectives.errors import BadInput
from collectives.values import positive, whole
from collectives.words import plural


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
    """Nodes of `gpus` GPUs at switches that can add, joined by NICs and two levels of switches.

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
    pods = -(-nodes // per_leaf)
    planes = nics if whole("rails", rails, 0) else 1
    leaves, tops = pods * planes, whole("spines", spines, 1, 1 << 12)
    if leaves == 1:
        tops = 0
    within, slot, wire = find_link(inside), find_link(pcie), find_link(outside)

    rank = np.arange(ranks)
    node = rank // gpus
    nic = node * nics + rank % gpus * nics // gpus
    card = np.arange(nodes * nics)
    leaf_of = card // nics // per_leaf * planes + card % nics % planes
    count = [ranks, nodes, len(card), leaves, tops]
    first = np.cumsum([0, *count])
    ports = -(-per_leaf * nics // planes)  # NICs at a leaf
    above = wire.bandwidth * width * ports / load / max(1, tops)
    trunk = np.repeat(np.arange(leaves), tops), np.tile(np.arange(tops), leaves)
    up = (  # lower end, upper end, bandwidth, latency of each level's links
        (rank, first[1] + node, within.bandwidth, within.latency / 2),
        (rank, first[2] + nic, slot.bandwidth * width, 0.0),  # in the latency of the wire
        (first[2] + card, first[3] + leaf_of, wire.bandwidth * width, wire.latency / 2),
        (first[3] + trunk[0], first[4] + trunk[1], above, 0.3e-6),
    )
    src = np.concatenate([low for low, *_ in up] + [high for _, high, *_ in up])
    dst = np.concatenate([high for _, high, *_ in up] + [low for low, *_ in up])
    sizes = [len(low) for low, *_ in up]
    fast = np.tile(np.repeat([float(level[2]) for level in up], sizes), 2)
    late = np.tile(np.repeat([float(level[3]) for level in up], sizes), 2)
    begin = dict(zip(("inside", "slot", "wire", "trunk"), np.cumsum([0, *sizes]), strict=False))

    seats = _Seats(ranks, node, nic, leaf_of, tops, first[1], begin, sum(sizes))
    words = ("rank", "node switch", "NIC", "leaf switch", "spine switch")
    return joined(
        "cluster",
        list(zip(words, count, strict=True)),
        src,
        dst,
        late,
        fast,
        in_network=(first[1] + np.arange(nodes)).tolist(),
        route=seats.route,
    )


def _checked(ranks: int, gpus: int, nics: int, load: float) -> tuple[int, int, float]:
    """GPUs and NICs of a node and the oversubscription; raises BadInput for what cannot be."""
    gpus = whole("gpus", gpus, 1, MOST_NODES)
    nics = whole("nics", nics, 0) or gpus
    if ranks % gpus:
        below = ranks - ranks % gpus
        near = " or ".join(str(n) for n in (below, below + gpus) if n)
        raise BadInput(
            f"{plural(ranks, 'rank')}: a cluster of nodes of {gpus} takes multiples; "
            f"nearest: {near}"
        )
    if nics > gpus:
        raise BadInput(f"nics {nics}: at most one for each of {gpus} GPUs; nearest: {gpus}")
    load = positive("oversubscription", load)
    if not 1 <= load <= MOST_NODES:
        rule, bound = ("at most", MOST_NODES) if load > 1 else ("at least", 1)
        raise BadInput(f"oversubscription {load:g}: must be {rule} {bound}; nearest: {bound}")
    return gpus, nics, load


@dataclass(frozen=True)
class _Seats:
    """Where everybody sits, for the ways of messages.

    node, nic: of each rank; leaf: of each NIC. spines: how many. inside: the first of the
    switches inside nodes. begin: the first link up of each level; down: links up in all, so
    that the link down beside link i is i + down.
    """

    ranks: int
    node: Integers
    nic: Integers
    leaf: Integers
    spines: int
    inside: int
    begin: Mapping[str, int]
    down: int

    def route(self, one: Integers, other: Integers) -> Paths:
        """Inside the node, or out by the NIC, by a spine where the leaves differ, and in again."""
        ranks, begin, down = self.ranks, self.begin, self.down
        at_switch = one >= ranks, other >= ranks
        here = np.where(at_switch[0], one - self.inside, self.node[one % ranks])
        there = np.where(at_switch[1], other - self.inside, self.node[other % ranks])
        near = here == there
        if (~near & (at_switch[0] | at_switch[1])).any():
            raise BadInput("cluster: a switch inside a node is reached from its own ranks only")
        a, b = one % ranks, other % ranks
        cards = self.nic[a], self.nic[b]
        leaves = self.leaf[cards[0]], self.leaf[cards[1]]
        far = ~near & (leaves[0] != leaves[1])
        spine = cards[1] % max(1, self.spines)
        hops = [
            np.where(near & ~at_switch[0], begin["inside"] + a, -1),
            np.where(~near, begin["slot"] + a, -1),
            np.where(~near, begin["wire"] + cards[0], -1),
            np.where(far, begin["trunk"] + leaves[0] * self.spines + spine, -1),
            np.where(far, down + begin["trunk"] + leaves[1] * self.spines + spine, -1),
            np.where(~near, down + begin["wire"] + cards[1], -1),
            np.where(~near, down + begin["slot"] + b, -1),
            np.where(near & ~at_switch[1], down + begin["inside"] + b, -1),
        ]
        return Paths.of_table(np.stack(hops, axis=1))
