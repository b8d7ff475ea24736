"""Writes a machine as the TOML file that `toml_file` reads."""

from __future__ import annotations

import json
from collections.abc import Iterator

from collectives.cost.machines.topology import Topology
from collectives.errors import BadInput


def topology_text(topology: Topology) -> str:
    """The machine as TOML: its links by kind, nodes that are no ranks as switches.

    How many rings a library would run side by side is not in such a file.

    Parameters
    ----------
    topology : Topology
        A machine whose links share no capacity with each other.

    Raises
    ------
    BadInput
        For one whose links do, such as both directions of a half-duplex cable.

    Examples
    --------
    >>> from collectives import topology
    >>> print(topology_text(topology("ring", 2)))
    name = "ring"
    ranks = 2
    switches = 0
    in_network = []
    <BLANKLINE>
    [[link]]
    from_to = [[0, 1], [1, 0]]
    bandwidth = "50GB/s"
    latency = "5us"
    """
    if topology.shared:
        rule = "links that share their capacity are not written"
        raise BadInput(f"{topology.name}: {rule}; try: half_duplex=0")
    ranks, nodes = topology.ranks, sum(number for _, number in topology.kinds)
    label: list[object] = [*range(ranks), *(f"switch {k}" for k in range(nodes - ranks))]
    lines = [f"name = {json.dumps(topology.name)}", f"ranks = {ranks}"]
    ends = [label[node] for node in topology.in_network.tolist()]
    lines += [f"switches = {nodes - ranks}", f"in_network = {json.dumps(ends)}"]
    return "\n".join([*lines, *_links(topology, label)])


def _links(topology: Topology, label: list[object]) -> Iterator[str]:
    """A table for each kind of link, with the pairs of nodes that it joins."""
    kinds: dict[tuple[float, float, int], list[list[object]]] = {}
    columns = (topology.bandwidth, topology.latency, topology.lanes, topology.src, topology.dst)
    rows = zip(*(column.tolist() for column in columns), strict=True)
    for bandwidth, latency, lanes, source, target in rows:
        kinds.setdefault((bandwidth, latency, lanes), []).append([label[source], label[target]])
    for (bandwidth, latency, lanes), pairs in kinds.items():
        yield "\n[[link]]"
        yield f"from_to = {json.dumps(pairs)}"
        yield f'bandwidth = "{bandwidth / 1e9:.12g}GB/s"'
        yield f'latency = "{latency * 1e6:.12g}us"'
        if lanes > 1:
            yield f"ports = {lanes}"
