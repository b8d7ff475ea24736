"""What a message costs beside its bytes, as arrays of the nodes of one recording."""

from __future__ import annotations

import numpy as np

from collectives.cost.clocks.costs import Costs
from collectives.cost.clocks.step_messages import Pattern
from collectives.cost.machines.paths import Floats, Integers
from collectives.cost.machines.topology import Topology


class Delays:
    """What a message costs beside its bytes, in arrays by node; draws the jitter in order."""

    def __init__(self, topology: Topology, placement: Integers, costs: Costs) -> None:
        self.costs = costs
        self.gap = costs.loggp.g if costs.loggp else 0.0
        self.first_byte = 1.0 if costs.loggp else 0.0  # is in the overhead
        self.tail = costs.loggp.o if costs.loggp else 0.0
        self.arrive, self.gamma = np.zeros(len(placement)), np.full(len(placement), costs.gamma)
        for rank, late in costs.arrivals.items():
            self.arrive[rank] = late
        for rank, factor in costs.slowness.items():
            self.gamma[rank] *= factor
        for node, seat in enumerate(placement.tolist()):
            if node >= topology.ranks and "switch" in topology.kind_of(seat):
                self.gamma[node] = 0.0  # it adds as fast as bytes come
        self._random = np.random.default_rng(costs.seed)

    def lead(self, pattern: Pattern, size: Floats) -> Floats:
        """Seconds in which each message holds its ports before its bytes flow."""
        lead = pattern.lead
        if self.costs.eager is not None:
            lead = lead + np.where(size > self.costs.eager, pattern.asking, 0.0)
        if self.costs.jitter:
            lead = lead + self._random.uniform(0, self.costs.jitter, pattern.number)
        return lead

    def flow(self, size: Floats) -> Floats:
        """Bytes that flow after those the overhead has taken."""
        return np.maximum(size - self.first_byte, 0)

    def alone(self, pattern: Pattern, size: Floats) -> Floats:
        """Seconds in which the bytes flow where nothing else does; inf over a dead link."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(pattern.limit > 0, self.flow(size) / pattern.limit, np.inf)
