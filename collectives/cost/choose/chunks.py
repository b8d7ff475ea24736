"""How many chunks are best for a pipeline: by the clock, beside the closed form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from collectives.catalog import NO_PARAMETERS, Row
from collectives.cost.bounds.closed import alpha_beta
from collectives.cost.choose.channels import (
    MOST_ROWS,
    channel_parameters,
    channels_there,
    in_channels,
)
from collectives.cost.choose.crossover import Seconds, law
from collectives.cost.choose.setup import Setup, ranks_and_size, sized
from collectives.cost.clocks.costs import Costs
from collectives.errors import BadInput
from collectives.recording.recording import Recording
from collectives.recording.recount import recounted
from collectives.values import whole

MOST_CHUNKS = 1 << 12
# messages of a lap, up to which all numbers nearby are tried; beyond which few, or one
TRY_ALL, TRY_FINELY, TRY_COARSELY = 1 << 6, 1 << 14, 1 << 17
MOST_KNOWN = 1 << 12  # answers that are kept: rankings and rivals ask again, for equal machines
FEW = 8  # chunks: with fewer, whether there are two at all makes a difference


@dataclass(frozen=True)
class Chunks:
    """The best number of chunks by the clock, and the closed form's number."""

    best: int
    seconds: float
    closed: float | None


_known: dict[tuple[object, ...], Chunks] = {}  # by what was asked, where messages cost no more


def best_chunks(
    row: Row,
    ranks: int,
    size: int,
    setup: Setup,
    root: int = 0,
    parameters: Mapping[str, int] = NO_PARAMETERS,
    roughly: bool = False,
) -> Chunks:
    """The number of chunks with the least time by the clock, up to 4096.

    From the closed form's number, more and fewer chunks are tried, by a factor that shrinks
    whenever neither is better, and at last those next to it, of few chunks from half of them to
    twice as many: a best of its surroundings.
    Pipelines of very many messages are tried at few numbers, or at the closed form's alone.
    roughly: only the closed form's number and two near it, where the time alone is asked for.
    Raises BadInput for what cannot be recorded.
    """
    ranks, size = ranks_and_size(ranks, size)
    root = whole("root", root)
    if "chunks" not in row.parameters:
        raise BadInput(f"{row.title} is not pipelined: it has no chunks")
    filled = setup.fill(row, ranks, parameters)
    single = sized(row, ranks, 0, 1, root, filled)
    machine = setup.machine(single)
    asked = row, ranks, size, root, tuple(filled.items()), roughly, setup.clock, setup.as_asked
    key, usual = (*asked, hash(machine.identity)), setup.costs == Costs()
    if usual and key in _known:
        return _known[key]
    tried: dict[int, float] = {}
    channels = {} if setup.as_asked else channel_parameters(single, machine)
    run = tuple(sorted({**filled, **channels}.items()))

    def seconds(chunks: int) -> float:
        if chunks not in tried:
            if channels and channels["channels"] * chunks * ranks <= MOST_ROWS:
                steps = in_channels(row.collective, row.algorithm, ranks, root, chunks, run)
                timed = recounted(steps, size, steps.dtype, steps.op)
            else:
                timed = replace(_steps(row, ranks, chunks, root, tuple(filled.items())), count=size)
            tried[chunks] = setup.time(timed).total
        return tried[chunks]

    closed = _closed_chunks(row, ranks, size, setup, root, filled)
    limit = max(1, min(MOST_CHUNKS, size))
    best = _search(seconds, min(limit, max(1, round(closed or 4))), limit, ranks, roughly)
    chosen = Chunks(best, seconds(best), closed)
    if usual:
        if len(_known) >= MOST_KNOWN:
            _known.clear()
        _known[key] = chosen
    return chosen


def _search(seconds: Seconds, best: int, limit: int, ranks: int, roughly: bool) -> int:
    """See `best_chunks`; best: the closed form's number."""
    if ranks * best > TRY_COARSELY:
        return best
    finest = 1.02 if ranks * best <= TRY_FINELY else 1.3
    factor = 2.0
    if roughly:
        around = {min(limit, max(1, round(best * by))) for by in (0.7, 1, 1.4)}
        around |= {min(limit, 2)} if best < FEW else set()
        return min(around, key=lambda chunks: (seconds(chunks), chunks))
    while factor > finest:
        around = {min(limit, max(1, round(best * by))) for by in (factor, 1 / factor)}
        nearby = min(around | {best}, key=lambda chunks: (seconds(chunks), chunks))
        if seconds(nearby) < seconds(best):
            best = nearby
        else:
            factor = factor**0.5
    low, high = (best // 2, 2 * best + 2) if ranks * best <= TRY_ALL else (best - 2, best + 2)
    near = range(max(1, low), min(limit, high) + 1) if finest < 1.1 else (best,)
    return min(near, key=lambda chunks: (seconds(chunks), chunks))


@lru_cache(maxsize=128)
def _steps(
    row: Row, ranks: int, chunks: int, root: int, chosen: tuple[tuple[str, int], ...]
) -> Recording:
    """A pipeline's recording for no bytes; its steps are the same for any."""
    return sized(row, ranks, 0, chunks, root, dict(chosen))


def _closed_chunks(
    row: Row, ranks: int, size: int, setup: Setup, root: int, chosen: Mapping[str, int]
) -> float | None:
    """q* = sqrt(c S beta / (b alpha)) of the law of the pipeline; None where it has no end.

    In several channels it is that of the share of each.
    """
    closed, asked = law(row, ranks, root, chosen), sized(row, ranks, 0, 1, root, chosen)
    machine = setup.machine(asked)
    latency, bandwidth = alpha_beta(machine, setup.costs)
    if not bandwidth:
        return None
    channels = asked.setting.channels if setup.as_asked else channels_there(asked, machine)
    best = closed.chunks(size / channels, latency, bandwidth)
    return best if np.isfinite(best) else None
