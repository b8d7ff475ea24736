"""Machines of GPUs and switches: boxes, racks, clusters of boxes, and switches that add."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from collectives.algorithms.in_network import switch_tree
from collectives.cost.machines.cluster import cluster
from collectives.cost.machines.links import find_link
from collectives.cost.machines.machine import NamedMachine
from collectives.cost.machines.makeup import Makeup
from collectives.cost.machines.paths import Integers, Paths
from collectives.cost.machines.topology import Topology, from_links
from collectives.errors import BadInput
from collectives.values import whole

HGX_A100 = "6 chips of 36 ports, 2 of the 12 NVLinks of each GPU at each; NVIDIA's A100 white paper"
HGX_H100 = "4 chips of 64 ports, 4 or 5 of the 18 NVLinks of each GPU at each; Hot Chips 34, 2022"
HGX_B200 = "2 chips of 72 ports, 9 of the 18 NVLinks of each GPU at each; DGX B200 user guide"
NVL72 = "18 trays of 4 GPUs, 9 of 2 chips of 72 ports, an NVLink of each GPU at each; GB200 NVL72"


def pcie_box(
    ranks: int, generation: int = 4, width: int = 16, gpus_per_switch: int = 0
) -> Topology:
    """GPUs in PCIe slots, at the host bridge or at switches whose uplinks they share.

    Parameters
    ----------
    generation : int
        PCIe generation, 3 to 6.
    width : int
        Lanes of each slot: 1, 2, 4, 8 or 16.
    gpus_per_switch : int
        GPUs that share a PCIe switch and its uplink; 0 for no switches.
    """
    group = whole("gpus_per_switch", gpus_per_switch, 0)
    link = find_link(f"pcie{whole('generation', generation, 3, 6)}")
    if whole("width", width, 1) not in (1, 2, 4, 8, 16):
        raise BadInput(f"width {width}: must be 1, 2, 4, 8 or 16 lanes; try: 16")
    switches = -(-ranks // group) if group else 0
    bridge = ranks + switches
    up = ranks + np.arange(ranks) // group if group else np.full(ranks, bridge)
    parent = np.concatenate([up, np.full(switches, bridge), [-1]]).astype(np.intp)
    kinds = [("rank", ranks), ("switch", switches), ("host bridge", 1)]
    built = _tree("pcie-box", kinds, parent, link.latency / 2, link.bandwidth * width / 16)
    ends = ("rank", "switch"), ("rank", "host bridge"), ("switch", "host bridge")
    return replace(built, makeup=Makeup(tuple((*pair, link.name) for pair in ends)))


def _hgx(name: str, ranks: int, link_name: str, reduces: bool, makeup: Makeup) -> Topology:
    """GPUs that each have all their NVLinks to the NVSwitches, modeled as one switch."""
    parent = np.append(np.full(ranks, ranks), -1)
    link = find_link(link_name)
    kinds = [("rank", ranks), ("switch", 1)]
    in_network = [ranks] if reduces else []
    built = _tree(name, kinds, parent, link.latency / 2, link.bandwidth, in_network)
    return replace(built, makeup=replace(makeup, wires=(("rank", "switch", link_name),)))


def hgx_a100(ranks: int) -> Topology:
    """Up to 8 A100 at NVSwitches; 300 GB/s each way for each GPU."""
    return _hgx("hgx-a100", ranks, "nvlink3", False, Makeup(chips=6, source=HGX_A100))


def hgx_h100(ranks: int) -> Topology:
    """Up to 8 H100 or H200 at NVSwitches that can add; 450 GB/s each way for each GPU."""
    return _hgx("hgx-h100", ranks, "nvlink4", True, Makeup(chips=4, source=HGX_H100))


def hgx_b200(ranks: int) -> Topology:
    """Up to 8 B200 at NVSwitches that can add; 900 GB/s each way for each GPU."""
    return _hgx("hgx-b200", ranks, "nvlink5", True, Makeup(chips=2, source=HGX_B200))


def nvl72(ranks: int) -> Topology:
    """Up to 72 GPUs of a GB200 rack at NVSwitches that can add; 900 GB/s each way for each GPU."""
    trays = Makeup(chips=18, gpu_tray=4, chip_tray=2, source=NVL72)
    return _hgx("nvl72", ranks, "nvlink5", True, trays)


def switches(ranks: int, radix: int = 2, link: str = "ib-ndr") -> Topology:
    """A tree of switches that add and multicast; some nodes share each switch above them.

    Parameters
    ----------
    radix : int
        Nodes below each switch, 2 or more.
    link : str
        The links, by name.
    """
    radix = whole("radix", radix, 2)
    if ranks == 1:
        return from_links("switch-tree", [("rank", 1)], [], [], 0.0, 1.0)
    parent = switch_tree(ranks, radix)
    wire = find_link(link)
    kinds = [("rank", ranks), ("switch", len(parent) - ranks)]
    in_network = range(ranks, len(parent))
    return _tree("switch-tree", kinds, parent, wire.latency / 2, wire.bandwidth, in_network)


def _tree(
    name: str,
    kinds: list[tuple[str, int]],
    parent: Integers,
    latency: float,
    bandwidth: float,
    in_network: Iterable[int] = (),
) -> Topology:
    """Nodes that each have one link up, to their parent, and one down from it."""
    child = np.flatnonzero(parent >= 0)
    number = np.full(len(parent), -1)
    number[child] = np.arange(len(child))
    depth = np.zeros(len(parent), np.intp)
    for node in reversed(range(len(parent))):  # a parent comes after its children
        if parent[node] >= 0:
            depth[node] = depth[parent[node]] + 1

    def route(src: Integers, dst: Integers) -> Paths:
        here, there = src.copy(), dst.copy()
        ups, downs = [], []
        while (here != there).any():
            climb = (here != there) & (depth[here] >= depth[there])
            sink = (here != there) & (depth[there] >= depth[here])
            ups.append(np.where(climb, number[here], -1))
            downs.append(np.where(sink, len(child) + number[there], -1))
            here, there = np.where(climb, parent[here], here), np.where(sink, parent[there], there)
        none = np.empty((0, len(src)), np.intp)  # for those who need no link
        return Paths.of_table(np.vstack([none, *ups, *reversed(downs)]).T)

    links = child, parent[child], latency, bandwidth
    return from_links(name, kinds, *links, both_ways=True, in_network=in_network, route=route)


NODE = NamedMachine(hgx_a100, 8, star=True, usual_ranks=8)
MACHINES = {
    "pcie-box": NamedMachine(pcie_box, 64),
    "hgx-a100": replace(NODE, gpus=("A100",), posted=("A100", "NVLink3/NVSwitch")),
    "hgx-h100": replace(
        NODE, build=hgx_h100, gpus=("H100", "H200"), usual=1, posted=("H100", "NVLink4/NVSwitch")
    ),
    "hgx-b200": replace(NODE, build=hgx_b200, gpus=("B200",), posted=("B200", "NVLink5/NVSwitch")),
    "nvl72": NamedMachine(
        nvl72, 72, star=True, usual_ranks=72, usual=3, posted=("GB200", "NVLink5 NVL72")
    ),
    "cluster": NamedMachine(cluster, multiple_of="gpus", usual=2),
    "switch-tree": NamedMachine(switches, usual=4),
}
