"""The line that times on the command line what a page shows, but for what its reader changes."""

from __future__ import annotations

from dataclasses import replace

from collectives.cost.clocks.timing import Timing
from collectives.cost.machines.topology import Topology
from collectives.cost.where import Where
from collectives.errors import BadInput
from collectives.recording.recording import Recording
from collectives.units import rate_text, time_text


def time_command(timing: Timing) -> list[str]:
    """The words of `collectives time` up to the machine; nothing where no words name them.

    Words name algorithms of the catalog and machines that have a name, with links as they are or
    all alike.
    """
    recording = timing.asked
    machine = _machine(recording, timing.topology)
    if recording.row is None or recording.uneven or not machine:
        return []
    names = recording.collective.name, recording.algorithm
    words = ["collectives", "time", *(name.replace("_", "-") for name in names)]
    words += ["-n", f"{recording.ranks}"]
    if recording.root:
        words += ["--root", f"{recording.root}"]
    if recording.chunks is not None:
        words += ["--chunks", f"{recording.chunks}"]
    for name, value in recording.given.items():
        words += ["-p", f"{name}={value}"]
    return [*words, *machine]


def _machine(recording: Recording, machine: Topology) -> list[str]:
    """The options that name a machine; none where no options build this one."""
    named = ["--topology", machine.name]
    tried: list[tuple[Where, list[str]]] = [(Where(machine.name), named)]
    if len(machine.latency):
        links = 2 * float(machine.latency[0]), float(machine.bandwidth[0])
        latency, bandwidth = (
            text(value).replace(" ", "").replace("µ", "u")
            for text, value in zip((time_text, rate_text), links, strict=True)
        )
        more = ["--latency", latency, "--bandwidth", bandwidth]
        tried.append((Where(machine.name, *links), named + more))
    for where, options in tried:
        try:
            built = replace(where.setup().machine(recording), name=machine.name)
        except BadInput:
            continue
        if built.identity == machine.identity:
            return options
    return []
