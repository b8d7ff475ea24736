"""An MSCCL program as its XML says it: the thread blocks of each GPU and their operations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from collectives.errors import BadInput, naming
from collectives.files import read_bytes
from collectives.formats.msccl.elements import children, number_of, tree_of
from collectives.words import brief, nearest, quoted, shown_name

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

MAX_FILE_BYTES = 1 << 23
MAX_GPUS = 1 << 12
MAX_CHUNKS = 1 << 16  # of one buffer
MAX_CELLS = 1 << 21  # chunks of all buffers of all GPUs
MAX_MOVED = 1 << 20  # chunks of all operations
BUFFERS = "ios"  # input, output, scratch
RECEIVES, SENDS = ("r", "rcs", "rrs", "rrc", "rrcs"), ("s", "rcs", "rrs", "rrcs")
KINDS = ("s", "r", "rcs", "rrs", "rrc", "rrcs", "cpy", "re", "nop")
READS_SOURCE = ("s", "rrs", "rrc", "rrcs", "cpy", "re")
WRITES = ("r", "rcs", "rrc", "rrcs", "cpy", "re")


@dataclass(frozen=True)
class BufferRange:
    """Consecutive chunks of a buffer: where an operation reads or writes."""

    buffer: str
    offset: int
    count: int

    def __str__(self) -> str:
        """As messages name it: i[3], or o[0..7]."""
        last = f"..{self.offset + self.count - 1}" if self.count > 1 else ""
        return f"{self.buffer}[{self.offset}{last}]"


@dataclass(frozen=True)
class Operation:
    """A step of a thread block.

    after: the operation of its GPU that it waits for, (tb, s). flags: whether it raises the flag of
    its block, for which others wait.
    """

    number: int
    kind: str
    source: BufferRange
    target: BufferRange
    after: tuple[int, int] | None
    flags: bool = False


@dataclass(frozen=True)
class Block:
    """A thread block: operations that run in order, with at most one peer to send to, and from."""

    gpu: int
    number: int
    sends_to: int
    receives_from: int
    channel: int
    operations: tuple[Operation, ...]

    @property
    def copies(self) -> bool:
        """Whether these are the copies that a GPU makes before its thread blocks begin."""
        return self.number < 0

    def where(self, index: int) -> str:
        """An operation as messages name it."""
        step = self.operations[index]
        if self.copies:
            return f"gpu {self.gpu}, copy {step.number}"
        return f"gpu {self.gpu}, tb {self.number}, step {step.number} ({step.kind})"


@dataclass(frozen=True, eq=False)
class Program:
    """A whole file: `chunks[gpu][buffer]` is the length of each buffer, blocks are by GPU.

    copies: what each GPU copies from its input to its output before its blocks begin. Each program
    is different from all others, so that what is known of it can be kept.
    """

    name: str
    collective: str
    gpus: int
    loop_chunks: int  # chunks into which the vector is cut
    in_place: bool
    out_of_place: bool
    chunks: tuple[dict[str, int], ...]
    blocks: tuple[tuple[Block, ...], ...]
    copies: tuple[Block, ...]
    root: int | None = None  # which MSCCL itself does not say

    @property
    def scratch(self) -> int:
        """Scratch slots that the GPUs need."""
        return max(sizes["s"] for sizes in self.chunks)

    def every_block(self) -> Iterator[Block]:
        """The blocks of all GPUs."""
        for blocks in self.blocks:
            yield from blocks


def read_program(path: str | Path) -> Program:
    """The program in a file; raises BadInput, in one line, for anything but a valid one."""
    content = read_bytes(path, MAX_FILE_BYTES)
    with naming(quoted(str(path))):
        return parse_program(content)


@lru_cache(1)  # read to know in which calls it serves, and again for each of them
def parse_program(content: bytes) -> Program:
    """The program that the bytes of a file say; raises BadInput."""
    root = tree_of(content)
    if root.tag != "algo":
        raise BadInput(f"not MSCCL XML: its root is <{brief(root.tag)[1:-1]}>; try: <algo>")
    gpus = number_of(root, "ngpus", "algo", 1, MAX_GPUS)
    loop = number_of(root, "nchunksperloop", "algo", 1, MAX_CHUNKS)
    in_place = bool(number_of(root, "inplace", "algo", 0, 1, 0))
    by_gpu: dict[int, tuple[dict[str, int], tuple[Block, ...], Block]] = {}
    moved = 0
    for element in children(root, "gpu"):
        number = number_of(element, "id", "gpu", 0, gpus - 1)
        if number in by_gpu:
            raise BadInput(f"gpu {number} occurs twice; ids are 0 to {gpus - 1}, each once")
        sizes = {
            b: number_of(element, f"{b}_chunks", f"gpu {number}", 0, MAX_CHUNKS) for b in BUFFERS
        }
        blocks, copies = (
            tuple(_blocks(element, number, gpus, sizes)),
            _copies(element, number, sizes),
        )
        by_gpu[number] = sizes, blocks, copies
        moved += sum(s.source.count for b in (*blocks, copies) for s in b.operations)
        if moved > MAX_MOVED:
            raise BadInput(f"its steps move more than {MAX_MOVED} chunks, the limit")
    if len(by_gpu) < gpus:
        missing = next(number for number in range(gpus) if number not in by_gpu)
        raise BadInput(f"gpu {missing} is missing: ngpus is {gpus}; try: ngpus={len(by_gpu)}")
    cells = gpus * max(loop, *(sum(sizes.values()) for sizes, _, _ in by_gpu.values()))
    if cells > MAX_CELLS:
        raise BadInput(f"{cells} chunks on all GPUs; the limit is {MAX_CELLS}")
    return Program(
        shown_name(root.get("name") or "program"),
        (root.get("coll") or "").lower(),
        gpus,
        loop,
        in_place,
        bool(number_of(root, "outofplace", "algo", 0, 1, 1 - in_place)),
        tuple(by_gpu[number][0] for number in range(gpus)),
        tuple(by_gpu[number][1] for number in range(gpus)),
        tuple(by_gpu[number][2] for number in range(gpus)),
        None if root.get("root") is None else number_of(root, "root", "algo", 0, gpus - 1),
    )


def _blocks(element: Element, gpu: int, gpus: int, sizes: dict[str, int]) -> Iterator[Block]:
    """The thread blocks of a GPU, whose numbers and connections are all different."""
    numbers: set[int] = set()
    ends: set[tuple[str, int, int]] = set()
    for child in children(element, "tb", "copy"):
        if child.tag == "copy":
            continue
        where = f"gpu {gpu}, tb {brief(child.get('id'))[1:-1]}"
        number = number_of(child, "id", where, 0, MAX_CHUNKS)
        if number in numbers:
            raise BadInput(f"{where} occurs twice; ids are 0, 1, 2 …, each once")
        numbers.add(number)
        peers = [number_of(child, name, where, -1, gpus - 1) for name in ("send", "recv")]
        if gpu in peers:
            raise BadInput(f"{where}: send or recv is the GPU itself; try: -1, for none")
        channel = number_of(child, "chan", where, 0, MAX_CHUNKS)
        steps = tuple(_operations(child, where, peers, sizes))
        for way, peer, kinds in zip(("send", "recv"), peers, (SENDS, RECEIVES), strict=True):
            if any(step.kind in kinds for step in steps):
                if (way, peer, channel) in ends:
                    both = f"two thread blocks {way} with gpu {peer} on channel {channel}"
                    raise BadInput(f"{where}: {both}; try: another chan")
                ends.add((way, peer, channel))
        yield Block(gpu, number, peers[0], peers[1], channel, steps)


def _copies(element: Element, gpu: int, sizes: dict[str, int]) -> Block:
    """What a GPU copies from its input to its output at the start.

    Synthesizers write these elements; MSCCL's own parser skips them, since in place they copy
    nothing.
    """
    copies = []
    for number, child in enumerate(child for child in element if child.tag == "copy"):
        at = f"gpu {gpu}, copy {number}"
        for buffer in "io":
            if not sizes[buffer]:
                raise BadInput(f"{at}: {buffer} has 0 chunks; try: no copy")
        count = number_of(child, "cnt", at, 1, min(sizes["i"], sizes["o"]), 1)
        source, target = (
            BufferRange(b, number_of(child, f"{b}_off", at, 0, sizes[b] - count), count)
            for b in "io"
        )
        copies.append(Operation(number, "cpy", source, target, None))
    return Block(gpu, -1, -1, -1, 0, tuple(copies))


def _operations(
    element: Element, where: str, peers: list[int], sizes: dict[str, int]
) -> Iterator[Operation]:
    """The operations of a thread block, in ascending order of their numbers."""
    last = -1
    for child in children(element, "step"):
        at = f"{where}, step {brief(child.get('s'))[1:-1]}"
        number = number_of(child, "s", at, 0, MAX_CHUNKS)
        if number <= last:
            raise BadInput(f"{at}: comes after step {last}; steps are numbered in order")
        last = number
        kind = child.get("type") or ""
        if kind not in KINDS:
            raise BadInput(f"{at}: type {brief(kind)} is unknown; {nearest(kind, KINDS)}")
        for way, peer, kinds in zip(("send", "recv"), peers, (SENDS, RECEIVES), strict=True):
            if kind in kinds and peer < 0:
                raise BadInput(f"{at}: {kind} needs a peer, but {way} is -1; try: {way}=0")
        minimum, usual = (0, 0) if kind == "nop" else (1, None)
        count = number_of(child, "cnt", at, minimum, MAX_CHUNKS, usual)
        ranges = [
            _place(child, end, at, count, used=kind in kinds)
            for end, kinds in (("src", READS_SOURCE), ("dst", WRITES))
        ]
        for place, kinds in zip(ranges, (READS_SOURCE, WRITES), strict=True):
            if kind in kinds and place.offset + count > sizes[place.buffer]:
                rule = f"{place.buffer} has {sizes[place.buffer]} chunks"
                raise BadInput(f"{at}: {kind} uses {place}, but {rule}; try: a smaller offset")
        block = number_of(child, "depid", at, -1, MAX_CHUNKS, -1)
        after = number_of(child, "deps", at, -1, MAX_CHUNKS, -1)
        wanted = (block, after) if block >= 0 else None
        flags = bool(number_of(child, "hasdep", at, 0, 1, 0))
        yield Operation(number, kind, ranges[0], ranges[1], wanted, flags)


def _place(element: Element, end: str, where: str, count: int, used: bool) -> BufferRange:
    """Where an operation reads or writes; what it does not use may be anything."""
    buffer = element.get(f"{end}buf", "i")
    if buffer not in tuple(BUFFERS):
        raise BadInput(f"{where}: {end}buf {brief(buffer)} is unknown; choose from i, o, s")
    offset = number_of(element, f"{end}off", where, -1 + used, MAX_CHUNKS, 0)
    return BufferRange(buffer, max(offset, 0), count)
