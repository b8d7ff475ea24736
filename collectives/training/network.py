"""The network of a training step: each collective on it is recorded, proved and timed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from math import ceil

import numpy as np

from collectives.collective import exchange
from collectives.cost.choose.channels import timed_as_run
from collectives.cost.clocks.timing import Timing
from collectives.cost.machines.links import Link
from collectives.cost.machines.topology import Topology
from collectives.cost.where import Where
from collectives.errors import BadInput
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.schedule import Step, send
from collectives.training.gradients import volume
from collectives.values import whole

ALGORITHMS = {  # of each collective, one that sends the fewest bytes
    "all_reduce": "ring",
    "all_gather": "ring",
    "reduce_scatter": "ring",
    "all_to_all": "pairwise",
}
SMALL, LARGE = 1 << 12, 1 << 22  # bytes a rank: two sizes that tell latency from bandwidth


class Network:
    """Runs collectives of some ranks on a machine; what was run before is not run again."""

    def __init__(self, machine: Topology, ranks: int) -> None:
        self.machine, self.ranks = machine, ranks
        self._known: dict[tuple[object, ...], Timing] = {}

    def run(self, collective: str, size: int, counts: Sequence[int] | None = None) -> Timing:
        """The time of a collective on a vector of so many bytes, or of chunks of these bytes."""

        def make() -> Recording:
            algorithm, listed = ALGORITHMS[collective], None if counts is None else list(counts)
            count = size if listed is None else None
            return record(
                collective, algorithm, ranks=self.ranks, count=count, counts=listed, dtype="uint8"
            )

        return self._timed((collective, size, *(counts or ())), make)

    def combine(self, counts: Sequence[int]) -> Timing:
        """The time of the way back of an uneven all-to-all: rank r sends each counts[r] bytes."""
        return self._timed(("combine", *counts), lambda: _combined(counts))

    def hop(self, src: int, dst: int, size: int) -> Timing:
        """The time of so many bytes from a rank to another."""

        def steps() -> Iterator[Step]:
            # the activations, or their gradients, to the neighboring stage
            yield send(src, dst, 0, into=1)

        return self._messages(f"hop to stage {dst}", steps, [(src, 0, dst, 0)], size)

    def shift(self, size: int) -> Timing:
        """The time of so many bytes from every rank to the next, and from the last to the first."""
        rank = np.arange(self.ranks)
        right = (rank + 1) % self.ranks

        def steps() -> Iterator[Step]:
            # every rank passes what arrived last to its right
            yield send(rank, right, 0, into=1)

        return self._messages(
            "shift", steps, [(r, 0, (r + 1) % self.ranks, 0) for r in range(self.ranks)], size
        )

    def _messages(
        self,
        name: str,
        steps: Callable[[], Iterator[Step]],
        pairs: Sequence[tuple[int, int, int, int]],
        size: int,
    ) -> Timing:
        """The time of messages between pairs (src, chunk, dst, slot), each of so many bytes."""

        def make() -> Recording:
            return record(
                steps(),
                name,
                ranks=self.ranks,
                collective=exchange(pairs),
                count=size,
                slots=1,
                dtype="uint8",
            )

        return self._timed((name, *pairs[0], size), make)

    def _timed(self, key: tuple[object, ...], make: Callable[[], Recording]) -> Timing:
        """The time of a recording, by the clock; it is proved first."""
        if key not in self._known:
            recording = make()
            verdict = recording.check()
            assert verdict.ok, verdict
            self._known[key] = timed_as_run(recording, self.machine)
        return self._known[key]


class CompressedNetwork(Network):
    """A network on which gradients are sent in fewer bits: sums take so many times fewer bytes."""

    def __init__(self, machine: Topology, ranks: int, fewer: Fraction) -> None:
        super().__init__(machine, ranks)
        self.fewer = fewer

    def run(self, collective: str, size: int, counts: Sequence[int] | None = None) -> Timing:
        """The time of a collective; where it sums, of a vector that takes fewer bytes."""
        summed = collective in ("all_reduce", "reduce_scatter")
        return super().run(collective, ceil(size / self.fewer) if summed else size, counts)


def timed_link(network: Network, collective: str) -> Link:
    """The link that gives each rank the timed seconds of a collective by its closed form."""
    ranks = network.ranks
    small, large = (network.run(collective, ranks * part).total for part in (SMALL, LARGE))
    slope = (large - small) / (ranks * (LARGE - SMALL))
    form = volume(collective, ALGORITHMS[collective], ranks)
    latency = max(0.0, small - slope * ranks * SMALL) / form.steps
    return Link("as timed", float(form.sent) / slope, latency)


def _combined(counts: Sequence[int]) -> Recording:
    """An all-to-all in which what a rank sends is as large as what it received: counts[rank]."""
    n = len(counts)
    rank = np.arange(n)
    src, dst = np.divmod(np.arange(n * n), n)

    def steps() -> Iterator[Step]:
        for distance in range(1, n + 1):
            peer = (rank + distance) % n
            # every rank returns the tokens it was sent over the same distance
            yield send(rank, peer, n * rank + peer, into=n * n + n * rank + peer)

    block = n * src + dst
    return record(
        steps(),
        "combine",
        ranks=n,
        collective=exchange(zip(src, block, dst, block, strict=True)),
        counts=np.repeat(np.asarray(counts), n).tolist(),
        slots=n * n,
        dtype="uint8",
    )


def ranks_of(where: Where, ranks: int | None, limit: int) -> int:
    """As many ranks as are asked for, else the machine's; raises BadInput unless 2 to `limit`."""
    if not where.is_given:
        raise BadInput("which machine? try: --topology hgx-h100")
    ranks = where.ranks(ranks)
    if ranks is None:
        raise BadInput(f"{where.called}: how many ranks? try: --ranks 8")
    ranks = whole("ranks", ranks, 2, limit, usual=8)
    where.check_ranks(ranks)
    return ranks
