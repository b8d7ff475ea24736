"""Machines whose links are so many times as slow to answer, or as fast: `latency="2x"`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from collectives.cost.machines.topology import Topology, changed
from collectives.errors import BadInput
from collectives.words import quoted

TIMES = re.compile(r"(\d{1,9}(?:\.\d{1,9})?)x")
SCALED = ("latency", "bandwidth")


def is_times(value: object) -> bool:
    """Whether a value is how many times that of the machine: 2x, 0.5x."""
    return isinstance(value, str) and bool(TIMES.fullmatch(value.strip()))


def times_of(name: str, text: str) -> float:
    """How many times; raises BadInput for no times at all.

    >>> times_of("latency", "2.5x")
    2.5
    """
    match = TIMES.fullmatch(text.strip())
    factor = float(match[1]) if match else 0.0
    if not factor:
        raise BadInput(f"{name} {quoted(text)}: must be above 0; try: 2x")
    return factor


def split_times(parameters: Mapping[str, object]) -> tuple[dict[str, float], dict[str, object]]:
    """How many times the latency and bandwidth of a machine are, and its other parameters."""
    factors = {
        name: times_of(name, str(value))
        for name, value in parameters.items()
        if name in SCALED and is_times(value)
    }
    return factors, {name: value for name, value in parameters.items() if name not in factors}


def scaled(topology: Topology, factors: Mapping[str, float]) -> Topology:
    """The same machine with so many times the latency and bandwidth of each link; its name says it.

    >>> from collectives.cost.machines import topology
    >>> scaled(topology("hgx-h100", 2), {"latency": 2.0, "bandwidth": 0.5}).name
    'hgx-h100, latency 2x, bandwidth 0.5x'
    """
    if not factors:
        return topology
    rate = factors.get("bandwidth", 1.0)
    faster = changed(
        topology,
        latency=topology.latency * factors.get("latency", 1.0),
        bandwidth=topology.bandwidth * rate,
        capacity=topology.capacity * rate,
    )
    return replace(faster, name=f"{topology.name}{times_text(factors)}")


def times_text(factors: Mapping[str, float]) -> str:
    """What the name of a machine ends in.

    >>> times_text({"latency": 2.0})
    ', latency 2x'
    """
    return "".join(f", {name} {factors[name]:g}x" for name in SCALED if name in factors)
