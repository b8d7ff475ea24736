"""Machines by name: what people compute on, and how many ranks each has room for."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING

import numpy as np

from collectives.cost.machines import boxes, grids
from collectives.cost.machines.cluster import cluster
from collectives.cost.machines.topology import Topology
from collectives.errors import BadInput
from collectives.units import parse_rate, parse_time
from collectives.values import rate, seconds, whole
from collectives.words import brief, nearest

if TYPE_CHECKING:
    from collectives.recording.recording import Recording

PARSED = {"latency": parse_time, "bandwidth": parse_rate}
NUMBERS = {"latency": seconds, "bandwidth": rate}
SWITCHED = ("half_duplex", "rails", "stripe")  # on or off


@dataclass(frozen=True)
class Machine:
    """A builder by name; up to `most` ranks."""

    build: Callable[..., Topology]
    most: int = 1 << 20

    @property
    def about(self) -> str:
        """What it is, in one sentence."""
        return inspect.getdoc(self.build).split("\n")[0]  # type: ignore[union-attr]

    @property
    def parameters(self) -> Mapping[str, object]:
        """What it takes beside the ranks, with the defaults."""
        taken = list(inspect.signature(self.build).parameters.values())[1:]
        return {parameter.name: parameter.default for parameter in taken}


MACHINES = {
    "crossbar": Machine(grids.crossbar),
    "ring": Machine(grids.ring),
    "line": Machine(grids.line),
    "torus-2d": Machine(grids.torus_2d),
    "torus-3d": Machine(grids.torus_3d),
    "fully-connected": Machine(grids.fully_connected, 2048),
    "pcie-box": Machine(boxes.pcie_box, 64),
    "hgx-a100": Machine(boxes.hgx_a100, 8),
    "hgx-h100": Machine(boxes.hgx_h100, 8),
    "hgx-b200": Machine(boxes.hgx_b200, 8),
    "nvl72": Machine(boxes.nvl72, 72),
    "cluster": Machine(cluster),
    "switch-tree": Machine(boxes.switches),
}


def topology(name: str, ranks: int, **parameters: object) -> Topology:
    """The machine of this name for so many ranks; raises BadInput for what does not fit.

    >>> print(topology("hgx-h100", 8).describe())
    hgx-h100: 8 ranks, 1 switch, 16 links one way
      8 x rank → switch: 450 GB/s, 500 ns
      8 x switch → rank: 450 GB/s, 500 ns
    """
    key = str(name).lower().replace("_", "-")
    if key not in MACHINES:
        raise BadInput(f"unknown topology {brief(name)}; {nearest(key, MACHINES)}")
    machine = MACHINES[key]
    number = whole("ranks", ranks, 1)
    if number > machine.most:
        raise BadInput(f"{number} ranks: {key} takes 1 to {machine.most}; nearest: {machine.most}")
    for given in parameters:
        if given not in machine.parameters:
            known = machine.parameters
            hint = nearest(given, known) if known else "leave it out"
            raise BadInput(f"{given}: {key} has no parameter {given!r}; {hint}")
    read = {
        given: _read(key, given, value, machine.parameters[given])
        for given, value in parameters.items()
    }
    return machine.build(number, **read)


def _read(machine: str, name: str, value: object, default: object) -> object:
    """A parameter as the builder takes it; raises BadInput for another kind of value."""
    if name in PARSED:
        if isinstance(value, str):
            return PARSED[name](value, name)
        return NUMBERS[name](f"{machine}: {name}", value)
    if name in SWITCHED:
        if not isinstance(value, bool | np.bool_ | Integral) or value not in (0, 1):
            raise BadInput(f"{name} {brief(value)}: must be 0 or 1; nearest: 1")
        return type(default)(value)  # type: ignore[call-arg]
    if isinstance(default, str) and not isinstance(value, str):
        raise BadInput(f"{name} {brief(value)}: must be the name of a link; nearest: {default}")
    return whole(name, value) if isinstance(default, int) else value


def topology_for(recording: Recording, name: str, **parameters: object) -> Topology:
    """The machine of this name that an algorithm runs on as it is: its ranks, switches, groups.

    A parameter that the algorithm and the machine have in common (radix, gpus, rows) is the
    algorithm's unless it is given; a crossbar gets a node for each of its switches and servers,
    and a switch a port for every other node.
    """
    key = name.lower().replace("_", "-")
    taken = MACHINES[key].parameters if key in MACHINES else {}
    filled = {k: v for k, v in recording.parameters.items() if k in taken}
    if "extra" in taken:
        filled["extra"] = recording.nodes - recording.ranks
        if filled["extra"] and recording.helpers == "switch":
            filled["extra_ports"] = recording.nodes - 1
    built = topology(name, recording.ranks, **(filled | parameters))
    built.placement(recording.ranks, recording.nodes, recording.title)
    return built
