"""`collectives.reshard`: the collectives that a change of sharding needs, executed and counted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from math import prod
from typing import Any

import numpy as np

from collectives.cost.machines.topology import Topology
from collectives.cost.where import Where, where_of
from collectives.errors import BadInput
from collectives.recording.recount import recounted
from collectives.recording.request import MAX_COUNT
from collectives.text_lines import Grid, Heading, Lines, Paragraph
from collectives.training.gradients import bits_of
from collectives.training.groups import BYTE, GroupNetwork, recorded_in_groups
from collectives.training.sharding import (
    EXAMPLE,
    Reshard,
    ShardedTensor,
    read_change,
    sharding_text,
)
from collectives.units import size_text, time_text
from collectives.values import instance, items_of
from collectives.words import brief, plural

DTYPE = "bf16"
SOURCE = (
    "Each step changes one axis of the mesh, as PyTorch's DTensor.redistribute does "
    "(torch.distributed.tensor): fewest collectives, then fewest bytes, the fewest over the first "
    "axes. Collectives are rings, an all-to-all is pairwise; all groups of the axis were executed "
    "at once, proved and counted."
)


@dataclass(frozen=True)
class ReshardStep:
    """A change of one axis of the mesh: its collective, and the bytes of a rank."""

    collective: str  # empty: ranks keep a part of what they have
    axis: int
    ranks: int  # of a group
    before: str
    after: str
    vector: int  # bytes of the full vector: what is gathered, summed or sent
    sent: int  # bytes that a rank sends, as counted
    held: int  # bytes that a rank has afterwards
    seconds: float | None  # on the machine; None where none is named


@dataclass(frozen=True, repr=False)
class ReshardReport:
    """What `collectives.reshard` returns: `steps`, each with its collective and bytes."""

    before: str
    after: str
    shape: tuple[int, ...]
    mesh: tuple[int, ...]
    dtype: str
    machine: str | None
    bytes: int  # of the whole tensor
    held: int  # bytes that a rank has at the start
    steps: Sequence[ReshardStep]

    def __repr__(self) -> str:
        """One line: the shardings and the collectives."""
        names = " + ".join(call.collective for call in self._collectives) or "no collective"
        return f"<ReshardReport: {self.before} → {self.after}: {names}, {_size(self.sent)} sent>"

    @property
    def sent(self) -> int:
        """Bytes that a rank sends in all steps."""
        return sum(step.sent for step in self.steps)

    @property
    def seconds(self) -> float | None:
        """Seconds of all steps, one after another; None where no machine is named."""
        times = [step.seconds for step in self.steps if step.seconds is not None]
        return None if self.machine is None else sum(times)

    @property
    def _collectives(self) -> list[ReshardStep]:
        return [step for step in self.steps if step.collective]

    def lines(self) -> Lines:
        """The collectives in a sentence, then a row for each step."""
        where = "" if self.machine is None else f" on {self.machine}"
        shape, mesh = (" × ".join(map("{:,}".format, sizes)) for sizes in (self.shape, self.mesh))
        yield Heading(
            f"{self.before} → {self.after}: {shape} in {self.dtype} ({_size(self.bytes)}), "
            f"mesh of {mesh} ranks{where}"
        )
        yield ""
        yield self._verdict
        if self.steps:
            yield ""
            timed = self.machine is not None
            rows = [[*_row(step), *([_time(step)] if timed else [])] for step in self.steps]
            head = ["sharding", "collective", "axis", "vector", "rank sends", "rank has"]
            yield Grid(rows, [*head, *(["time"] if timed else [])], range(2, 7))
            yield ""
            yield Paragraph(SOURCE)

    @property
    def _verdict(self) -> str:
        if not self._collectives:
            return "no collective: each rank has what it needs"
        named = [f"{call.collective} of {plural(call.ranks, 'rank')}" for call in self._collectives]
        took = "" if self.seconds is None else f" in {time_text(self.seconds, 3)}"
        return f"{', then '.join(named)}: each rank sends {_size(self.sent)}{took}"

    def as_json(self) -> dict[str, Any]:
        """The same as values: bytes and seconds."""
        steps = [asdict(step) for step in self.steps]
        return {**vars(self), "steps": steps, "sent": self.sent, "seconds": self.seconds}


def reshard(
    change: str,
    *,
    shape: Sequence[int],
    mesh: Sequence[int],
    dtype: str = DTYPE,
    topology: str | Topology | None = None,
    **machine: object,
) -> ReshardReport:
    """The collectives that turn a sharding of a tensor into another, and their bytes.

    Parameters
    ----------
    change : str
        Before and after, with a placement for each axis of the mesh: "S0,R -> R,R". S0: the axis
        splits dimension 0; R: all of its ranks have all of it; P: what they have must be summed.
    shape : sequence of int
        Of the whole tensor.
    mesh : sequence of int
        Ranks along each axis; the ranks of the last one are neighbors.
    dtype : str
        Type of the numbers, such as "bf16".
    topology : str or Topology, optional
        A machine on which the collectives are timed.
    **machine
        Parameters of the machine, such as nics=4.

    Returns
    -------
    ReshardReport
        `steps`, each with collective, sent, held and seconds; `lines()` and `as_json()`.

    Raises
    ------
    BadInput
        For text that is no change, and shapes that do not split in equal parts.

    Examples
    --------
    >>> reshard("S0 -> R", shape=(8192, 4096), mesh=[8])
    <ReshardReport: S0 → R: all-gather, 58.7 MB sent>
    """
    where = (
        None if topology is None and not machine else where_of(topology, "lockstep", None, machine)
    )
    return resharded(change, shape, mesh, dtype, where)


def resharded(
    change: str, shape: Sequence[int], mesh: Sequence[int], dtype: str, where: Where | None
) -> ReshardReport:
    """The same on a machine that is known, None for bytes alone; raises BadInput."""
    sizes, axes = (
        tuple(items_of(name, value, "[8]", 99))
        for name, value in (("shape", shape), ("mesh", mesh))
    )
    tensor, bits = ShardedTensor(sizes, axes), bits_of(dtype)
    size = _bytes(prod(tensor.shape), bits)
    if size > MAX_COUNT:
        raise BadInput(f"shape {brief(list(sizes))}: at most 2^48 bytes; try: [8192, 4096]")
    text = instance("change", change, str, EXAMPLE)
    before, after = read_change(text, len(tensor.mesh), len(tensor.shape))
    for sharding in (before, after):
        tensor.check(sharding)
    machine = None
    if where is not None:
        where.check_ranks(prod(tensor.mesh))
        machine = where.topology(prod(tensor.mesh))
    return ReshardReport(
        sharding_text(before),
        sharding_text(after),
        tensor.shape,
        tensor.mesh,
        dtype.strip().lower(),
        where.called if where else None,
        size,
        _bytes(tensor.elements(before), bits),
        [_step(tensor, way, bits, machine) for way in tensor.changes(before, after)],
    )


def _step(
    tensor: ShardedTensor, change: Reshard, bits: int, machine: Topology | None
) -> ReshardStep:
    """A change with what its executed collective sends, and its time on a machine."""
    ranks, sent, size, seconds = tensor.mesh[change.axis], 0, 0, 0.0
    if change.collective:
        size = _bytes(tensor.vector(change), bits)
        rank = np.arange(prod(tensor.mesh)).reshape(tensor.mesh)
        groups = np.moveaxis(rank, change.axis, -1).reshape(-1, ranks)
        if machine is None:
            few = recorded_in_groups(change.collective, len(groups), ranks)
            recording = recounted(few, size, BYTE, "sum")
            verdict = recording.check()
            assert verdict.ok, verdict
        else:
            timing = GroupNetwork(machine, groups).run(change.collective, size)
            recording, seconds = timing.recording, timing.total
        sent = max(recording.bytes_sent)
    return ReshardStep(
        change.collective.replace("_", "-"),
        change.axis,
        ranks,
        sharding_text(change.before),
        sharding_text(change.after),
        size,
        sent,
        _bytes(tensor.elements(change.after), bits),
        None if machine is None else seconds,
    )


def _bytes(elements: int, bits: int) -> int:
    return -(-elements * bits // 8)


def _row(step: ReshardStep) -> list[str]:
    name = step.collective or "none: a part is kept"
    sizes = (step.vector, step.sent, step.held)
    cells = [_size(size) if step.collective or at == 2 else "" for at, size in enumerate(sizes)]
    return [f"{step.before} → {step.after}", name, f"{step.axis}, of {step.ranks}", *cells]


def _time(step: ReshardStep) -> str:
    return time_text(step.seconds or 0.0, 3) if step.collective else ""


def _size(size: int) -> str:
    return size_text(size, 3, binary=False)
