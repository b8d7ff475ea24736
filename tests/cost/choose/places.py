"""Where the tests of advice time algorithms."""

from collectives.catalog import find_row
from collectives.cost.choose.ranking import time_recording, time_row
from collectives.cost.choose.setup import Setup, sized
from collectives.cost.clocks.clock import lockstep
from collectives.cost.clocks.costs import Costs
from collectives.cost.machines import topology_for

ALPHA, RATE = 5e-6, 50e9
CHAIN = find_row("broadcast", "ring")
TREES = find_row("all_reduce", "double-binary-tree")


def on(name, clock=lockstep, costs=None, **parameters):
    """A machine by name."""
    return Setup(lambda made: topology_for(made, name, **parameters), clock, costs or Costs())


def timed(row, ranks, size, setup, chunks=None):
    """The time of an algorithm, of a pipeline with so many chunks or with the best number."""
    if chunks is None:
        return time_row(row, ranks, size, setup, 0, {})
    return time_recording(sized(row, ranks, size, chunks), setup)
