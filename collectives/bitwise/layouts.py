"""Where libraries cut a vector: the chunks of rings, and NCCL's channels, loops and chunks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

GLOO_SEGMENT = 1 << 20  # the most bytes of a segment
# NCCL, src/enqueue.cc, src/include/device.h and src/graph/tuning.cc
LEAST_TRAFFIC = 32 << 10  # bytes that a channel carries at least
ALIGNED = 16  # bytes


@dataclass(frozen=True)
class Protocol:
    """What NCCL's ring takes from a protocol.

    chunk: bytes of a chunk; grain: what it is a multiple of; threads: of a channel; threshold:
    bytes for each thread below which a channel is left out; weight: traffic of a byte.
    """

    chunk: int
    grain: int
    threads: int
    threshold: int
    weight: int = 1
    by_ranks: bool = False  # the threshold is multiplied by the ranks


PROTOCOLS = {
    "LL": Protocol(32 << 10, 16, 512, 8, 4, by_ranks=True),
    "LL128": Protocol(576_000, 1920, 640, 8),
    "Simple": Protocol(2 << 20, 512, 512, 64),
}


@dataclass(frozen=True)
class NcclChunk:
    """A chunk of NCCL's ring: where it stands, and its elements from start to before stop."""

    channel: int
    loop: int
    chunk: int
    start: int
    stop: int


def _up(number: int, by: int) -> int:
    """The quotient, rounded up."""
    return -(-number // by)


def cut(count: int, width: int, parts: int) -> list[int]:
    """Chunks of one width; the last that has any may be shorter, those behind it are empty.

    >>> cut(13, 4, 5)
    [4, 4, 4, 1, 0]
    """
    return [min(max(count - part * width, 0), width) for part in range(parts)]


def evenly(count: int, ranks: int, itemsize: int) -> list[int]:
    """Chunks of MPI's blocks and Open MPI's ring: the first are one element larger.

    >>> evenly(13, 5, 4)
    [3, 3, 3, 2, 2]
    """
    return [count // ranks + (rank < count % ranks) for rank in range(ranks)]


def mpich_ring(count: int, ranks: int, itemsize: int) -> list[int]:
    """Chunks of MPICH's ring all-reduce: as wide as the widest has to be."""
    return cut(count, _up(count, ranks), ranks)


def gloo_ring(count: int, ranks: int, itemsize: int) -> list[int]:
    """Chunks of gloo's rings: whole segments, at least two for each rank, of at most 1 MiB.

    >>> gloo_ring(13, 5, 4)
    [4, 4, 4, 1, 0]
    """
    limit = GLOO_SEGMENT // itemsize * itemsize
    unit = _up(max(_up(count * itemsize, limit), 2 * ranks), ranks)
    segment = _up(count * itemsize, unit * ranks)
    return cut(count, unit * _up(segment, itemsize), ranks)


def nccl_channels(
    count: int, itemsize: int, ranks: int, protocol: Protocol, channels: int
) -> list[int]:
    """Elements of each channel of an all-reduce alone in its launch.

    A short vector uses fewer channels than the communicator has; each takes whole cells.

    >>> nccl_channels(16384, 4, 8, PROTOCOLS["Simple"], 24)
    [8192, 8192]
    """
    size, used = count * itemsize, channels
    threshold = protocol.threshold * (ranks if protocol.by_ranks else 1)
    while used > 1 and size < used * protocol.threads * threshold:
        used -= 1
    by_byte = 2 * protocol.weight
    share = _up(max(LEAST_TRAFFIC, size * by_byte) // used, ALIGNED) * ALIGNED
    cell = _up(_up(LEAST_TRAFFIC, by_byte), ALIGNED) * ALIGNED
    cells, elements = _up(size, cell), cell // itemsize
    portion = min(cells, _up(share, cell * by_byte))
    first = cells if channels == 1 else portion
    middle, last = divmod(cells - first, portion)
    if channels < (first > 0) + middle + (last > 0):
        middle = channels - 2
        portion = (cells - first) // (middle + 1)
        last = portion + (cells - first) % (middle + 1)
    loops = [first, *([portion] * middle), *([last] if last else [])]
    sizes = [number * elements for number in loops]
    sizes[-1] -= cells * elements - count
    return sizes


def nccl_ring(
    count: int, itemsize: int, ranks: int, name: str, channels: int
) -> Iterator[NcclChunk]:
    """The chunks of NCCL's ring all-reduce, in the order of their elements."""
    protocol, begin = PROTOCOLS[name], 0
    for channel, share in enumerate(nccl_channels(count, itemsize, ranks, protocol, channels)):
        width = protocol.chunk // protocol.grain * (protocol.grain // itemsize)
        for loop, done in enumerate(range(0, share, ranks * width)):
            rest, aligned = share - done, ALIGNED // itemsize
            whole_loop = rest >= ranks * width
            own = width if whole_loop else _up(_up(rest, ranks), aligned) * aligned
            at = begin + done
            for chunk, size in enumerate(cut(min(rest, ranks * width), own, ranks)):
                if size:
                    yield NcclChunk(channel, loop, chunk, at, at + size)
                at += size
        begin += share
