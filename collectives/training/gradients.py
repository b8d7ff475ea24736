"""What it takes to sum up the gradients of data-parallel training: bytes and seconds.

Sizes are in bytes, times in seconds, bandwidths in bytes per second in one direction. What an
algorithm sends is never written down here: it comes from the catalog's closed forms.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np

from collectives.catalog import NO_PARAMETERS, Row, Setting, find_row
from collectives.cost.bounds.closed import by_formula, closed_form
from collectives.cost.machines.links import Link
from collectives.errors import BadInput
from collectives.recording.recorder import record
from collectives.theory import Case
from collectives.values import MAX_WHOLE, not_negative, rate, seconds, whole
from collectives.words import brief, nearest

BITS = {"fp64": 64, "fp32": 32, "tf32": 32, "bf16": 16, "fp16": 16, "fp8": 8, "int8": 8, "fp4": 4}
MOST_RANKS = 1 << 20
MOST_CHUNKS = 1 << 20


def bits_of(dtype: str) -> int:
    """Bits of one number; raises BadInput, with the nearest name, for an unknown type."""
    key = dtype.strip().lower() if isinstance(dtype, str) else brief(dtype)
    if key not in BITS:
        raise BadInput(f"unknown number type {brief(dtype)}; {nearest(key, BITS)}")
    return BITS[key]


@dataclass(frozen=True)
class Gradient:
    """The gradients of a model: one number for each parameter.

    >>> print(Gradient(7_000_000_000, "bf16"))
    14 GB = 13.04 GiB
    """

    parameters: int
    dtype: str = "bf16"

    def __post_init__(self) -> None:
        """Refuse what is no number of parameters."""
        whole("parameters", self.parameters, minimum=1)
        if self.parameters * bits_of(self.dtype) > 8 * MAX_WHOLE:
            raise BadInput(f"parameters {self.parameters}: gradients must be below 2^63 bytes")

    @property
    def bytes(self) -> int:
        """Bytes, rounded up to whole ones."""
        return -(-int(self.parameters) * bits_of(self.dtype) // 8)

    def __str__(self) -> str:
        """Gigabytes, which bandwidths are given in, and gibibytes, which are often meant."""
        return f"{self.bytes / 10**9:.4g} GB = {self.bytes / 2**30:.4g} GiB"


@dataclass(frozen=True)
class Volume:
    """What an algorithm costs for a vector of any size S, by its closed form.

    sent: by the busiest rank; total: by all nodes; both as parts of S.
    """

    steps: int
    messages: int
    sent: Fraction
    total: Fraction


def volume(
    collective: str,
    algorithm: str,
    ranks: int,
    chunks: int | None = None,
    parameters: Mapping[str, int] = NO_PARAMETERS,
) -> Volume:
    """Steps, messages and bytes of an algorithm of the catalog.

    >>> volume("all_reduce", "ring", 8).sent
    Fraction(7, 4)
    """
    number = None if chunks is None else whole("chunks", chunks, minimum=1, maximum=MOST_CHUNKS)
    return _volume(collective, algorithm, _ranks(ranks), number, tuple(sorted(parameters.items())))


@lru_cache(maxsize=4096)
def _volume(
    collective: str,
    algorithm: str,
    ranks: int,
    chunks: int | None,
    chosen: tuple[tuple[str, int], ...],
) -> Volume:
    row = find_row(collective, algorithm)
    case, form = _case(row, row.setting(ranks, chunks=chunks, parameters=dict(chosen))), row.form
    sent, total = form.sent_range(case)[0], form.total_range(case)[0]
    parts = Fraction(sent, case.S), Fraction(total, case.S)
    return Volume(form.step_count(case), form.message_count(case), *parts)


def serial_share(collective: str, algorithm: str, ranks: int) -> Fraction:
    """Parts of S that pass one after another: the busiest port of each step, summed over steps.

    From the closed form, for any number of ranks; where there is none the schedule is recorded.
    Raises BadInput for algorithms of nodes that are no ranks: these need a topology.

    >>> serial_share("all_reduce", "ring", 8), serial_share("all_reduce", "tree", 8)
    (Fraction(7, 4), Fraction(6, 1))
    """
    return _serial_share(collective, algorithm, _ranks(ranks))


@lru_cache(maxsize=4096)
def _serial_share(collective: str, algorithm: str, ranks: int) -> Fraction:
    row = find_row(collective, algorithm)
    setting = row.setting(ranks)
    if row.nodes(setting) > ranks:
        raise BadInput(f"{row.title}: switches or servers take part, so a topology is needed")
    volume = by_formula(row.form, _case(row, setting))
    if volume is None:
        count = row.chunk_count(setting)
        volume = closed_form(record(row.collective, row.algorithm, ranks=ranks, count=count))
    assert volume is not None  # all chunks are alike
    return volume.busiest_port


def sync_seconds(
    size: float, ranks: int, link: Link, algorithm: str = "ring", collective: str = "all_reduce"
) -> float:
    """Seconds of a collective on `size` bytes, each rank with such a link to all others.

    Steps times latency, and what passes one after another over the bandwidth: Hockney, The
    communication challenge for MPP, Parallel Computing 20(3), 1994.

    >>> sync_seconds(14e9, 8, Link("400G", 50e9, 0))
    0.49
    """
    size = not_negative("size", size, "bytes")
    if size > MAX_WHOLE:
        raise BadInput(f"size {size:g}: must be below 2^63 bytes; try: 4EiB")
    latency, bandwidth = seconds("latency", link.latency), rate("bandwidth", link.bandwidth)
    steps = volume(collective, algorithm, ranks).steps
    passed = serial_share(collective, algorithm, ranks)
    return steps * latency + float(passed) * size / bandwidth


def hierarchical_seconds(
    size: float, nodes: int, gpus: int, inside: Link, across: Link, rails: int | None = None
) -> float:
    """Seconds of an all-reduce over nodes of so many GPUs: in the node, across, in the node.

    Ring reduce-scatter inside, ring all-reduce of what each GPU then holds across nodes, ring
    all-gather inside. rails: network cards of a node, which its GPUs share (default: one
    each). Sergeev and Del Balso, Horovod, arXiv 1802.05799, 2018.
    """
    gpus = whole("gpus", gpus, minimum=1, maximum=MOST_RANKS)
    size = not_negative("size", size, "bytes")
    rails = whole("rails", gpus if rails is None else rails, minimum=1)
    shared = Link(across.name, across.bandwidth * min(1.0, rails / gpus), across.latency)
    return (
        sync_seconds(size, gpus, inside, "ring", "reduce_scatter")
        + sync_seconds(size / gpus, nodes, shared, "ring", "all_reduce")
        + sync_seconds(size, gpus, inside, "ring", "all_gather")
    )


def _ranks(ranks: int) -> int:
    return whole("ranks", ranks, minimum=1, maximum=MOST_RANKS)


def _case(row: Row, setting: Setting) -> Case:
    """Ranks and parameters of a setting, with chunks of one element."""
    size = np.ones(row.chunk_count(setting), np.intp)
    return Case(setting.ranks, size, parameters=setting.parameters)
