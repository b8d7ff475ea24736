"""The model behind `collectives.train`: timelines of a step on a machine, and what follows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property, partial
from math import ceil

import numpy as np

from collectives.cost.machines.links import Link
from collectives.cost.machines.topology import Topology
from collectives.errors import BadInput
from collectives.recording.request import MAX_COUNT
from collectives.training.compression import quantized
from collectives.training.data_parallel import ddp, zero_1, zero_2, zero_3
from collectives.training.gradients import BITS, sync_seconds, volume
from collectives.training.network import ALGORITHMS, CompressedNetwork, Network, timed_link
from collectives.training.overlap import BUCKET
from collectives.training.pairs import GPU_MEMORY
from collectives.training.parallel import SCHEMES, layer_shape
from collectives.training.scaling import communication_wall, dollars_per_step, strong_scaling
from collectives.training.timeline import Timeline
from collectives.training.train_report import TrainingCost
from collectives.training.workload import FLOPS, Workload
from collectives.units import MOST_PARAMETERS, size_text
from collectives.values import not_negative, one_of, positive, whole
from collectives.words import brief

TOKENS = 8192  # of each GPU in a step
PRICE = 4.92  # dollars per H100 and hour, as PRICE_SOURCE has it
PRICE_SOURCE = "AWS EC2 Capacity Blocks, p5.48xlarge in US East, end of 2024"
LARGE_BUCKET = 10**9  # bytes: DeepSpeed's reduce_bucket_size, 5e8 numbers of bf16
DTYPE = "bf16"
COMPRESSIONS = [name for name, bits in BITS.items() if bits < BITS[DTYPE]]
MOST_TOKENS, MOST_FLOPS, MOST_PRICE = 10**9, 10**18, 10**6
MOST_BUCKETS, MOST_TRIED = 1024, 128  # in a step; and where the best number is looked for
COUNTS = [1 << power for power in range(15)]  # of ranks, whose speed-up is computed
AS_SHORT = 1e-3  # of a step: more buckets that gain less are not worth it
Plan = Callable[[Workload, Network], Timeline]
PLANS: dict[str, Plan] = {
    "ddp": ddp,
    "zero-1": zero_1,
    "zero-2": zero_2,
    "zero-3": zero_3,
    "fsdp": partial(zero_3, prefetched=True),
}
HALVES = ("all_gather", "reduce_scatter")
Calls = Counter[tuple[str, int]]  # of a collective on so many bytes


@dataclass(frozen=True)
class TrainingOptions:
    """A model and how it is trained, checked; bucket: bytes, None for each scheme's own.

    layers, hidden: of a transformer of so many parameters; what is None follows from the rest.
    """

    parameters: int
    tokens: int = TOKENS
    flops: float = FLOPS
    bucket: int | None = None
    compression: str | None = None
    price: float = PRICE
    layers: int | None = None
    hidden: int | None = None

    def __post_init__(self) -> None:
        """Refuse what is no model; raises BadInput."""
        whole("parameters", self.parameters, 1, MOST_PARAMETERS)
        whole("tokens", self.tokens, 1, MOST_TOKENS)
        if not 1 <= positive("flops", self.flops) <= MOST_FLOPS:
            raise BadInput(f"flops {brief(self.flops)}: must be 1 to {MOST_FLOPS:g}; try: 400e12")
        if self.bucket is not None:
            whole("bucket", self.bucket, 1)
        if self.compression is not None:
            one_of("compression", self.compression, COMPRESSIONS)
        if not_negative("price", self.price, "dollars per hour") > MOST_PRICE:
            raise BadInput(
                f"price {brief(self.price)}: must be at most {MOST_PRICE:,} dollars; try: {PRICE}"
            )
        if self.layers is not None or self.hidden is not None:
            self.shape  # noqa: B018

    @property
    def shape(self) -> tuple[int, int]:
        """Layers and hidden size; raises BadInput for those of another model."""
        return layer_shape(self.parameters, self.layers, self.hidden)


@dataclass(frozen=True)
class TrainingModel:
    """A model on a machine: the cost of a step under each scheme, and at other numbers of ranks."""

    options: TrainingOptions
    ranks: int
    machine: Topology

    @cached_property
    def work(self) -> Workload:
        """The workload; its GPUs are all alike, so that a timeline of the first is enough."""
        options = self.options
        return Workload(options.parameters, options.tokens, self.ranks, 1, options.flops, drawn=1)

    @cached_property
    def network(self) -> Network:
        """The machine's network, with compressed gradients if asked for."""
        if self.options.compression is None:
            return Network(self.machine, self.ranks)
        fewer = quantized(DTYPE, self.options.compression)
        return CompressedNetwork(self.machine, self.ranks, fewer)

    @cached_property
    def links(self) -> dict[str, Link]:
        """The link that gives each GPU the timed seconds of a collective by its closed form."""
        network = Network(self.machine, self.ranks)
        return {name: timed_link(network, name) for name in ("all_reduce", *HALVES)}

    def cost(self, scheme: str) -> TrainingCost:
        """The cost of a step under a scheme."""
        work = self.in_buckets(scheme)
        line = PLANS[scheme](work, self.network)
        run = [span.recording for span in line.lane(0, network=True) if span.recording]
        calls = Counter((recording.collective.name, recording.count) for recording in run)
        memory = ceil(line.peak(0))
        sync = self._sync(calls)
        best, shortest = self.best_buckets(lambda work: PLANS[scheme](work, self.network))
        return TrainingCost(
            scheme=scheme,
            sent=int(np.sum([recording.bytes_sent for recording in run], axis=0).max()),
            communication=line.busy,
            exposed=line.exposed,
            step=line.total,
            memory=memory,
            fits=memory <= GPU_MEMORY,
            bucket=max(work.parts),
            best_bucket=-(-self.work.bytes // best.buckets),
            best_step=shortest,
            minimum_bandwidth=self._minimum_bandwidth(scheme, calls),
            wall=communication_wall(lambda ranks: self.batch / ranks, sync),
            scaling=tuple(strong_scaling(self.batch, sync, ranks) for ranks in COUNTS),
            dollars=dollars_per_step(self.options.price, self.ranks, line.total),
        )

    def best_buckets(self, plan: Callable[[Workload], Timeline]) -> tuple[Workload, float]:
        """The fewest of 1, 2, 4 … buckets whose step is about the shortest, and its seconds.

        Buckets of more bytes than a vector may have are not tried.
        """
        counts = [1 << power for power in range(MOST_TRIED.bit_length())]
        counts = [count for count in counts if self.work.bytes <= count * MAX_COUNT]
        tried = [replace(self.work, buckets=count) for count in counts]
        steps = [plan(work).total for work in tried]
        near = min(steps) * (1 + AS_SHORT)
        return next(pair for pair in zip(tried, steps, strict=True) if pair[1] <= near)

    def in_buckets(self, scheme: str, split: int = 1) -> Workload:
        """The workload in buckets of the size that is asked for, or of the scheme's own.

        split: the slices of the model, of which a GPU has one.
        """
        asked, size = self.options.bucket, -(-self.work.bytes // split)
        usual = BUCKET if scheme == "ddp" else LARGE_BUCKET
        buckets = -(-size // (usual if asked is None else asked))
        if asked is not None and buckets > MOST_BUCKETS:
            near = size_text(-(-size // MOST_BUCKETS // 10**6) * 10**6).replace(" ", "")
            rule = f"{buckets:,} buckets; at most {MOST_BUCKETS:,}"
            raise BadInput(f"bucket {size_text(asked)}: {rule}; try: --bucket {near}")
        return replace(self.work, buckets=min(buckets, MOST_BUCKETS))

    def raises_bucket(self, scheme: str) -> bool:
        """Whether the scheme's own bucket would make more buckets than are executed."""
        usual = BUCKET if scheme == "ddp" else LARGE_BUCKET
        return self.options.bucket is None and self.work.bytes > usual * MOST_BUCKETS

    def _minimum_bandwidth(self, scheme: str, calls: Calls) -> float | None:
        """The bytes per second of each GPU with which each pass is as long as what is sent in it.

        Parameters are gathered beside the forward pass, in ZeRO 3 also beside the backward pass,
        which hides gradients.
        """
        gathers = dict(SCHEMES[scheme].calls).get("all_gather", 1)
        sent, lost = [0.0, 0.0], [0.0, 0.0]
        for (collective, size), times in calls.items():
            form = volume(collective, ALGORITHMS[collective], self.ranks)
            ahead = times / gathers if collective == "all_gather" else 0.0
            for at, number in enumerate((ahead, times - ahead)):
                sent[at] += number * float(form.sent) * size
                lost[at] += number * form.steps * self.links[collective].latency
        room = [self.work.forward - lost[0], self.work.backward - lost[1]]
        if min(room) <= 0:
            return None
        return max(size / seconds for size, seconds in zip(sent, room, strict=True))

    @property
    def batch(self) -> float:
        """Seconds in which one GPU would compute both passes of the whole batch."""
        return (self.work.forward + self.work.backward) * self.ranks

    def _sync(self, calls: Calls) -> Callable[[int], float]:
        """The seconds of all collectives of a step on so many ranks, by closed forms."""

        def sync(ranks: int) -> float:
            return sum(
                times * sync_seconds(size, ranks, self.links[name], ALGORITHMS[name], name)
                for (name, size), times in calls.items()
            )

        return sync
