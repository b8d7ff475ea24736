"""Where the tests of advice time algorithms."""

from collectives.catalog import find_row
from collectives.cost.choose.setup import Setup
from collectives.cost.clocks.clock import lockstep
from collectives.cost.clocks.costs import Costs
from collectives.cost.machines import topology_for

ALPHA, RATE = 5e-6, 50e9
CHAIN = find_row("broadcast", "ring")
TREES = find_row("all_reduce", "double-binary-tree")


def on(name, clock=lockstep, costs=None, **parameters):
    """A machine by name."""
    return Setup(lambda made: topology_for(made, name, **parameters), clock, costs or Costs())
