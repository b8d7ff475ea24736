"""All machines by name, as lists of them, and built for so many ranks or for a recording."""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np

from collectives.catalog.parameters import NamedWay
from collectives.cost.machines import boxes, grids
from collectives.cost.machines.topology import Topology
from collectives.errors import BadInput
from collectives.units import parse_rate, parse_time, rate_text, time_text
from collectives.values import rate, seconds, whole
from collectives.words import brief, nearest, plural

if TYPE_CHECKING:
    from collectives.recording.recording import Recording

UNITS = {  # parameters with a unit: how their text is read, their number checked and printed
    "latency": (parse_time, seconds, time_text),
    "bandwidth": (parse_rate, rate, rate_text),
}
SWITCHED = ("half_duplex", "rails", "stripe")  # on or off
MACHINES = grids.MACHINES | boxes.MACHINES
DEFAULT = "crossbar"  # where no machine is chosen


def list_machines() -> list[dict[str, Any]]:
    """Every machine as a row: name, about, ranks, and each parameter with default and meaning.

    Defaults are written as on the command line (`5us`, `50GB/s`, `8`).
    """
    return [
        {
            "name": name,
            "about": machine.about,
            "most_ranks": machine.max_ranks,
            "multiple_of": machine.multiple_of,
            "parameters": [
                {"name": taken, "default": _typed(taken, default), "meaning": meaning}
                for (taken, default), meaning in zip(
                    machine.parameters.items(), machine.meanings.values(), strict=True
                )
            ],
        }
        for name, machine in MACHINES.items()
    ]


def _typed(name: str, default: object) -> str:
    """The default of a parameter as one would type it."""
    if name in UNITS:
        return UNITS[name][2](float(str(default))).replace(" ", "").replace("µ", "u")
    return f"{default:g}" if isinstance(default, int | float) else str(default)


def machine_key(name: object) -> str:
    """The name of a machine as a key of `MACHINES`, or what no machine is called."""
    return (name if isinstance(name, str) else brief(name)).lower().replace("_", "-")


def topology(name: str, ranks: int, **parameters: object) -> Topology:
    """Build the machine of this name for so many ranks.

    Parameters
    ----------
    name : str
        A key of `MACHINES`, such as "crossbar", "hgx-h100" or "cluster"; hyphens or underscores.
    ranks : int
        Number of ranks.
    **parameters
        What the machine takes beside the ranks: `MACHINES[name].parameters`. Latencies are in
        seconds or a text such as "5us", bandwidths in bytes per second or a text ("50GB/s").

    Returns
    -------
    Topology
        The ranks, switches and links of the machine.

    Raises
    ------
    BadInput
        For an unknown name or parameter, and for a value that the machine does not take.

    Examples
    --------
    >>> print(topology("hgx-h100", 8).describe())
    hgx-h100: 8 ranks, 1 switch, 16 links one way
      8 x rank → switch: 450 GB/s, 500 ns
      8 x switch → rank: 450 GB/s, 500 ns
    """
    key = machine_key(name)
    if key not in MACHINES:
        raise BadInput(f"unknown topology {brief(name)}; {nearest(key, MACHINES)}")
    machine = MACHINES[key]
    number = whole("ranks", ranks, 1)
    limit = machine.max_ranks
    if number > limit:
        raise BadInput(f"{number} ranks: {key} takes 1 to {limit}; try: {limit}")
    known = machine.parameters
    for parameter in parameters:
        if parameter not in known:
            hint = nearest(parameter, known) if known else "leave it out"
            raise BadInput(f"{parameter}: {key} has no parameter {parameter!r}; {hint}")
    read = {name: _read(key, name, value, known[name]) for name, value in parameters.items()}
    return machine.build(number, **read)


def _read(machine: str, name: str, value: object, default: object) -> object:
    """A parameter as the builder takes it; raises BadInput for another kind of value."""
    if name in UNITS:
        parse, check, _ = UNITS[name]
        return parse(value, name) if isinstance(value, str) else check(f"{machine}: {name}", value)
    if name in SWITCHED:
        if not isinstance(value, bool | np.bool_ | Integral) or value not in (0, 1):
            raise BadInput(f"{name} {brief(value)}: must be 0 or 1; try: 1")
        return type(default)(value)  # type: ignore[call-arg]
    if isinstance(default, str) and not isinstance(value, str):
        raise BadInput(f"{name} {brief(value)}: must be the name of a link; try: {default}")
    return value


def topology_for(recording: Recording, name: str, **parameters: object) -> Topology:
    """Build the machine of this name so that a recording can run on it.

    Parameters
    ----------
    recording : Recording
        It says how many ranks, switches and servers are needed. A parameter that its algorithm
        and the machine both have (radix, gpus, rows) is the algorithm's unless given; a crossbar
        gets a node for each of its switches and servers, and a switch a port for every other node.
    name : str
        As in `topology`.
    **parameters
        As in `topology`.

    Returns
    -------
    Topology
        A machine with a node for each of the algorithm's.

    Raises
    ------
    BadInput
        As `topology` does, and where the machine has too few switches or servers.
    """
    key = machine_key(name)
    taken = MACHINES[key].parameters if key in MACHINES else {}
    counts = {k: v for k, v in recording.parameters.items() if not isinstance(v, NamedWay)}
    filled = {k: v for k, v in counts.items() if k in taken}
    if "extra" in taken:
        filled["extra"] = recording.nodes - recording.ranks
        if filled["extra"] and recording.helpers == "switch":
            filled["extra_ports"] = recording.nodes - 1
    elif recording.helpers == "server" and recording.nodes > recording.ranks and key in MACHINES:
        needed = plural(recording.nodes - recording.ranks, "server")
        raise BadInput(f"{recording.title} needs {needed}, {key} has none; try: crossbar")
    built = topology(name, recording.ranks, **(filled | parameters))
    built.placement(recording.ranks, recording.nodes, recording.title)
    return built
