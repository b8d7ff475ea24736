"""Costs of a message beside its links: start-up, additions, LogGP, late ranks, jitter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from collectives.cost.machines.paths import Floats, Integers
from collectives.cost.machines.topology import Topology
from collectives.errors import BadInput
from collectives.values import dict_of, instance, positive, seconds, whole

if TYPE_CHECKING:
    from collectives.collective import Cells
    from collectives.cost.clocks.step_messages import StepRoutes
    from collectives.schedule import Step


@dataclass(frozen=True)
class LogGP:
    """The LogGP model: latency L, overhead o and gap g in seconds, and G seconds per byte.

    A message of b bytes arrives after o + (b - 1) G + L + o. Its sender can start the next
    one max(g, o + (b - 1) G) after it. On a crossbar without latency of its own, where no port
    has two messages at once, this is alpha-beta with alpha = L + 2 o - G and beta = G.

    References
    ----------
    A. Alexandrov et al., LogGP: incorporating long messages into the LogP model, SPAA 1995.
    """

    L: float
    o: float
    g: float
    G: float

    def __post_init__(self) -> None:
        """Raise BadInput for a value that is not a time."""
        for letter in ("L", "o", "g", "G"):
            seconds(letter, getattr(self, letter))


@dataclass(frozen=True)
class Costs:
    """Costs of a message beside the links of its path; all zero unless given.

    By default (alpha-beta) a message of b bytes takes `latency` and the latencies of its links,
    then its bytes flow at the rate the links leave to it; it holds the port it leaves by and
    the port it arrives by from its start until its last byte has arrived. Bytes copied within a
    node cost nothing.

    Parameters
    ----------
    latency : float
        Seconds of start-up of every message.
    gamma : float
        Seconds for each byte that is added, spent by the receiver, whose port stays held;
        switches add as fast as bytes arrive.
    loggp : LogGP, optional
        The LogGP model, in which messages hold their ports for a shorter time.
    eager : int, optional
        Messages of more bytes are sent when the receiver is ready for them, after a round trip
        that asks for it (rendezvous); None: no message asks.
    arrivals : mapping of int to float
        Seconds at which each rank starts the collective; ranks left out start at 0.
    slowness : mapping of int to float
        Factors by which ranks take longer to add.
    jitter : float
        Every message takes up to so many seconds longer, at random.
    seed : int
        Seed of the random numbers of `jitter`.

    Raises
    ------
    BadInput
        For a value that is not a time, a rank or a factor.
    """

    latency: float = 0.0
    gamma: float = 0.0
    loggp: LogGP | None = None
    eager: int | None = None
    arrivals: Mapping[int, float] = field(default_factory=dict)
    slowness: Mapping[int, float] = field(default_factory=dict)
    jitter: float = 0.0
    seed: int = 0

    def __post_init__(self) -> None:
        """Raise BadInput for a value that is not a time, a rank or a factor."""
        for name in ("latency", "gamma", "jitter"):
            seconds(name, getattr(self, name))
        if self.eager is not None:
            whole("eager", self.eager, 0)
        whole("seed", self.seed, 0)
        for name in ("arrivals", "slowness"):
            dict_of(name, getattr(self, name), "{0: 2.5}")
        if self.loggp is not None:
            instance("loggp", self.loggp, LogGP, "LogGP(5e-6, 1e-6, 1e-6, 1e-9)")
        for rank, time in self.arrivals.items():
            seconds(f"arrival of rank {whole('rank', rank, 0)}", time)
        for rank, factor in self.slowness.items():
            positive(f"slowness of rank {whole('rank', rank, 0)}", factor)

    def check_ranks(self, ranks: int) -> None:
        """Raise BadInput where a rank of `arrivals` or `slowness` does not exist."""
        for rank in (*self.arrivals, *self.slowness):
            if rank >= ranks:
                raise BadInput(f"rank {rank} of {ranks}; try: {ranks - 1}")


class MessageCosts:
    """The costs of one recording's messages as arrays by node; draws the jitter in order."""

    def __init__(self, topology: Topology, placement: Integers, costs: Costs) -> None:
        self.costs = costs
        self.gap = costs.loggp.g if costs.loggp else 0.0
        self._first_byte = 1.0 if costs.loggp else 0.0  # its time is part of the overhead
        self.arrivals, self.gamma = np.zeros(len(placement)), np.full(len(placement), costs.gamma)
        for rank, time in costs.arrivals.items():
            self.arrivals[rank] = time
        for rank, factor in costs.slowness.items():
            self.gamma[rank] *= factor
        for helper in range(topology.ranks, len(placement)):
            if "switch" in topology.kind_of(int(placement[helper])):
                self.gamma[helper] = 0.0  # it adds as fast as bytes arrive
        self._random = np.random.default_rng(costs.seed)

    def lead(self, routes: StepRoutes, size: Floats) -> Floats:
        """Seconds in which each message holds its ports before its bytes flow."""
        lead = routes.lead
        if self.costs.eager is not None:
            lead = lead + np.where(size > self.costs.eager, routes.asking, 0.0)
        if self.costs.jitter:
            lead = lead + self._random.uniform(0, self.costs.jitter, routes.number)
        return lead

    def flow(self, size: Floats) -> Floats:
        """Bytes that flow after those whose time is part of the overhead."""
        return np.maximum(size - self._first_byte, 0)

    def uncontended(self, routes: StepRoutes, size: Floats) -> Floats:
        """Seconds in which the bytes flow where no others do; inf over a dead link."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(routes.limit > 0, self.flow(size) / routes.limit, np.inf)


def adding_rows(step: Step, full: Cells) -> Cells:
    """Which rows of a step of single slots add: the first reduction into an empty slot copies.

    full: which slots hold anything, [node, slot]; those that the step writes do after it.
    """
    adds = step.reduces & full[step.dst, step.into]
    empty = np.flatnonzero(step.reduces & ~adds)
    if len(empty):
        cell = step.dst[empty] * full.shape[1] + step.into[empty]
        adds[empty] = True
        adds[empty[np.unique(cell, return_index=True)[1]]] = False
    full[step.dst, step.into] = True
    return adds
