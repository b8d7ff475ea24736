"""The cost of a step where groups of GPUs share every layer and the groups share the batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil

import numpy as np

from collectives.errors import BadInput
from collectives.schedule.columns import Integers
from collectives.training.compression import quantized
from collectives.training.gradients import MOST_RANKS, sync_seconds
from collectives.training.groups import GroupNetwork
from collectives.training.network import timed_link
from collectives.training.pairs import GPU_MEMORY
from collectives.training.parallel import SCHEMES, Layer
from collectives.training.scaling import Scaling, communication_wall, dollars_per_step
from collectives.training.tensor_data import gradient_sizes, tensor_and_data
from collectives.training.timeline import Timeline
from collectives.training.train_model import COUNTS, DTYPE, TrainingModel
from collectives.training.train_report import TrainingCost
from collectives.training.workload import Workload
from collectives.units import rate_text, size_text
from collectives.words import plural

ALL_REDUCE = "all_reduce"
CALLS = dict(SCHEMES["tensor"].calls)[ALL_REDUCE]  # of a layer in a step
TENSOR = "tensor="


def tensor_split(scheme: str, ranks: int) -> int:
    """The ranks that share each layer in a scheme such as tensor=8; raises BadInput."""
    number = scheme.removeprefix(TENSOR)
    fits = [k for k in range(2, ranks + 1) if ranks % k == 0]
    near = min(fits, key=lambda k: abs(k - 8 if not number.isdecimal() else k - int(number[:9])))
    if not number.isascii() or not number.isdecimal():
        raise BadInput(f"scheme {scheme}: {number or 'nothing'} is no number; try: {TENSOR}{near}")
    if int(number[:9]) not in fits:
        rule = f"groups of 2 or more ranks, all as large, must hold all {ranks}"
        raise BadInput(f"scheme {scheme}: {rule}; try: {TENSOR}{near}")
    return int(number)


@dataclass(frozen=True)
class TensorModel:
    """A model whose layers `split` consecutive ranks share, with copies on the other groups."""

    model: TrainingModel
    split: int

    @cached_property
    def layer(self) -> Layer:
        """A layer at work on the tokens of all GPUs of a group, so that the batch is as ever."""
        options = self.model.options
        return Layer(self.split, options.tokens, options.shape[1])

    @property
    def scheme(self) -> str:
        """Its name."""
        return f"{TENSOR}{self.split}"

    @property
    def layers(self) -> int:
        """How many layers there are."""
        return self.model.options.shape[0]

    @cached_property
    def inside(self) -> GroupNetwork:
        """The network inside groups of consecutive ranks."""
        return GroupNetwork(self.model.machine, self._rank)

    @cached_property
    def across(self) -> GroupNetwork | None:
        """The network of the ranks with the same slice, with gradients compressed if asked for."""
        if len(self._rank) == 1:
            return None
        smaller = self.model.options.compression
        fewer = Fraction(1) if smaller is None else quantized(DTYPE, smaller)
        return GroupNetwork(self.model.machine, self._rank.T, fewer)

    @property
    def _rank(self) -> Integers:
        return np.arange(self.model.ranks).reshape(-1, self.split)

    def plan(self, work: Workload) -> Timeline:
        """The timeline of a GPU of a step; all are alike."""
        return tensor_and_data(work, self.layer, self.layers, self.inside, self.across)

    def cost(self) -> TrainingCost:
        """The cost of a step; blocks wait for their all-reduces, which no bandwidth hides."""
        work = self.model.in_buckets("ddp", self.split)
        line = self.plan(work)
        run = [span.recording for span in line.lane(0, network=True) if span.recording]
        memory = ceil(line.peak(0))
        best, shortest = self.model.best_buckets(self.plan)
        return TrainingCost(
            scheme=self.scheme,
            sent=int(np.sum([recording.bytes_sent for recording in run], axis=0).max()),
            communication=line.busy,
            exposed=line.exposed,
            step=line.total,
            memory=memory,
            fits=memory <= GPU_MEMORY,
            bucket=max(self._sizes(work), default=0),
            best_bucket=max(self._sizes(best), default=0),
            best_step=shortest,
            minimum_bandwidth=None,
            wall=self._wall(work),
            scaling=self._scaling(work),
            dollars=dollars_per_step(self.model.options.price, self.model.ranks, line.total),
            hideable=False,
        )

    def _sizes(self, work: Workload) -> list[int]:
        """Bytes of the gradients of each all-reduce across groups."""
        sizes = gradient_sizes(work, self.split, self.layers)
        return [] if self.across is None else [size for size in sizes if size]

    def _times(self, work: Workload) -> tuple[float, Callable[[int], float]]:
        """What a single group takes but for latencies, and what more groups cannot shorten.

        What a group computes and the activations it sums become fewer alike with more groups;
        latencies and the gradients of a slice stay.
        """
        link, beside = timed_link(self.inside, ALL_REDUCE), self.across or self.inside
        wire, calls = timed_link(beside, ALL_REDUCE), CALLS * self.layers
        tokens = self.layer.bytes * self.model.ranks // self.split
        lost = calls * sync_seconds(0, self.split, link)
        summed = calls * sync_seconds(tokens, self.split, link) - lost
        sizes = [beside.bytes_of(ALL_REDUCE, size) for size in self._sizes(work)]

        def stays(groups: int) -> float:
            return lost + sum(sync_seconds(size, groups, wire) for size in sizes)

        return summed, stays

    def _wall(self, work: Workload) -> int | None:
        """The ranks, in groups as large, from which the batch takes longer to communicate."""
        summed, stays = self._times(work)
        room = self.model.batch / self.split - summed
        if room < stays(1):
            return self.split
        groups = communication_wall(lambda groups: room / groups, stays, MOST_RANKS // self.split)
        return None if groups is None else groups * self.split

    def _scaling(self, work: Workload) -> tuple[Scaling, ...]:
        """The speed-up on 1, 2, 4 … groups, against one GPU that had room for the model."""
        (summed, stays), batch = self._times(work), self.model.batch
        curve = []
        for groups in COUNTS:
            ranks = groups * self.split
            took = (batch / self.split + summed) / groups + stays(groups)
            if ranks <= COUNTS[-1]:
                curve.append(Scaling(ranks, took, batch / took, batch / took / ranks))
        return tuple(curve)


def tensor_note(models: Sequence[TensorModel]) -> str:
    """What is assumed of layers and of groups of GPUs."""
    first, sums = models[0], []
    for model in models:
        rate = rate_text(timed_link(model.inside, ALL_REDUCE).bandwidth, 3)
        sums.append(f"{size_text(model.layer.bytes, 3, binary=False)} at {rate} ({model.scheme})")
    return (
        f"tensor=K: {plural(first.layers, 'layer')} (--layers) of hidden size "
        f"{first.layer.hidden:,} (--hidden), each in K slices on consecutive ranks (0 to K - 1, "
        f"and so on). Such groups share the batch, and ranks with the same slice sum its gradients "
        f"by ring, in buckets of whole layers. A group has the tokens of its K GPUs together, so "
        f"that the batch is as in other schemes; its blocks wait for {CALLS} all-reduces a layer "
        f"of {', '.join(sums)}. The network of a GPU runs one collective at a time."
    )
