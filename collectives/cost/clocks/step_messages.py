"""The messages of a step, as its sources and destinations say, with their paths."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from collectives.cost.clocks.costs import Costs
from collectives.cost.machines.paths import Floats, Integers, Paths
from collectives.cost.machines.topology import Topology
from collectives.schedule import Step

if TYPE_CHECKING:
    pass

Amount = float | Floats  # bytes of each message, or of every one


NOWHERE = Paths(np.zeros(1, np.intp), np.zeros(0, np.intp))


class Pattern:
    """The messages of a step, as its sources and destinations say: one for each pair of them.

    src and dst are the algorithm's nodes. lead: seconds in which a message holds its ports
    before its bytes flow; flight: seconds after, in which it does not; limit: bytes per second
    of the slowest link of its path. out and into: the links it leaves and comes in by.
    """

    def __init__(self, step: Step, placement: Integers, topology: Topology, costs: Costs) -> None:
        nodes = len(placement)
        self.moves = np.flatnonzero(step.src != step.dst)
        src, dst = step.src[self.moves], step.dst[self.moves]
        key = src * nodes + dst
        alone = len(key) < 2 or bool((key[1:] > key[:-1]).all())
        pairs, of_move = (key, np.arange(len(key))) if alone else _numbered(key)
        self.repeats = len(pairs) < len(key)  # some message has several rows
        self.local = len(self.moves) < len(step)
        self.plain = not self.repeats and not self.local and alone
        self.of_row = np.full(len(step), -1, np.intp)
        self.of_row[self.moves] = of_move
        self.of_move = of_move
        self.src, self.dst = np.divmod(pairs, nodes)
        self.number = len(pairs)
        once = self.plain and self.number and max(map(_most_alike, (src, dst))) == 1
        self.single = bool(once)  # every node sends and receives at most one slot or row of them
        self.paths = NOWHERE
        if self.number:
            self.paths = topology.paths(placement[self.src], placement[self.dst])
        late = self.paths.total(topology.latency)
        self.limit = self.paths.least(topology.bandwidth)
        self.out, self.into = self.paths.first, self.paths.last
        if costs.loggp is None:
            self.lead, self.flight = late + costs.latency, np.zeros(self.number)
            self.asking = 2 * self.lead
        else:
            model = costs.loggp
            self.lead = np.full(self.number, model.o)
            self.flight = late + costs.latency + model.L + model.o
            with np.errstate(divide="ignore"):
                self.limit = np.minimum(self.limit, np.float64(1) / model.G)
            self.asking = 2 * (self.lead + self.flight)
        self._nodes = nodes
        self._rounds: list[Integers] | None = None
        self.fits: bool | None = None  # all at once, each at its limit: not known yet

    @property
    def rounds(self) -> list[Integers]:
        """Messages one after another, where ports are wanted by several of one step.

        A port serves the nearest peer first, counted upwards from its own node: to the next
        node, to the one after that, and so on round.
        """
        if self._rounds is None:
            self._rounds = self._in_turn()
        return self._rounds

    def _in_turn(self) -> list[Integers]:
        if self.number == 0:
            return []
        most = max(int(np.bincount(self.out).max()), int(np.bincount(self.into).max()))
        if most == 1:
            return [np.arange(self.number)]
        far = (self.dst - self.src) % self._nodes
        turn_out = np.zeros(int(self.out.max()) + 1, np.intp)
        turn_in = np.zeros(int(self.into.max()) + 1, np.intp)
        turn = np.zeros(self.number, np.intp)
        order = np.argsort(far, kind="stable")
        for equal in np.split(order, np.flatnonzero(np.diff(far[order])) + 1):
            out, into = self.out[equal], self.into[equal]
            mine = np.maximum(turn_out[out], turn_in[into])
            turn[equal] = mine
            turn_out[out] = turn_in[into] = mine + 1
        order = np.argsort(turn, kind="stable")
        return np.split(order, np.flatnonzero(np.diff(turn[order])) + 1)


@dataclass(slots=True)
class Load:
    """A step with its pattern, the bytes of its messages, and those its receivers add.

    own: bytes that each row, a local move, adds within its node; None where there are none.
    Steps in a row that cost the same are one Load object, whose `step` changes.
    """

    step: Step
    pattern: Pattern
    size: Amount
    added: Amount
    own: Floats | None = None


def _most_alike(column: Integers) -> int:
    return int(np.bincount(column).max())


def _numbered(key: Integers) -> tuple[Integers, Integers]:
    """The different keys in ascending order, and which one each is."""
    different, which = np.unique(key, return_inverse=True)
    return different, which
