"""An MSCCL program as its XML says it: the thread blocks of each GPU and their operations."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from collectives.errors import BadInput, naming
from collectives.files import read_bytes
from collectives.words import brief, nearest, quoted, shown_name

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

MAX_FILE_BYTES = 1 << 23
MAX_GPUS = 1 << 12
MAX_CHUNKS = 1 << 16  # of one buffer
MAX_CELLS = 1 << 21  # chunks of all buffers of all GPUs
MAX_MOVED = 1 << 20  # chunks of all operations
MAX_ELEMENTS = 1 << 18
MAX_DEPTH = 16  # of nested elements
MAX_DIGITS = 18
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
    """A step of a thread block; `after` is the operation of its GPU that it waits for: (tb, s)."""

    number: int
    kind: str
    source: BufferRange
    target: BufferRange
    after: tuple[int, int] | None


@dataclass(frozen=True)
class Block:
    """A thread block: operations that run in order, with at most one peer to send to, and from."""

    gpu: int
    number: int
    sends_to: int
    receives_from: int
    channel: int
    operations: tuple[Operation, ...]

    def where(self, index: int) -> str:
        """An operation as messages name it."""
        step = self.operations[index]
        return f"gpu {self.gpu}, tb {self.number}, step {step.number} ({step.kind})"


@dataclass(frozen=True)
class Program:
    """A whole file: `chunks[gpu][buffer]` is the length of each buffer, blocks are by GPU."""

    name: str
    collective: str
    gpus: int
    loop_chunks: int  # chunks into which the vector is cut
    in_place: bool
    out_of_place: bool
    chunks: tuple[dict[str, int], ...]
    blocks: tuple[tuple[Block, ...], ...]
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


def parse_program(content: bytes) -> Program:
    """The program that the bytes of a file say; raises BadInput."""
    root = _tree(content)
    if root.tag != "algo":
        raise BadInput(f"not MSCCL XML: its root is <{brief(root.tag)[1:-1]}>; nearest: <algo>")
    gpus = _number(root, "ngpus", "algo", 1, MAX_GPUS)
    loop = _number(root, "nchunksperloop", "algo", 1, MAX_CHUNKS)
    in_place = bool(_number(root, "inplace", "algo", 0, 1, 0))
    found: dict[int, tuple[dict[str, int], tuple[Block, ...]]] = {}
    moved = 0
    for element in _children(root, "gpu"):
        number = _number(element, "id", "gpu", 0, gpus - 1)
        if number in found:
            raise BadInput(f"gpu {number} occurs twice; ids are 0 to {gpus - 1}, each once")
        sizes = {
            b: _number(element, f"{b}_chunks", f"gpu {number}", 0, MAX_CHUNKS) for b in BUFFERS
        }
        found[number] = sizes, tuple(_blocks(element, number, gpus, sizes))
        moved += sum(s.source.count for b in found[number][1] for s in b.operations)
        if moved > MAX_MOVED:
            raise BadInput(f"its steps move more than {MAX_MOVED} chunks, the most that is read")
    if len(found) < gpus:
        missing = next(number for number in range(gpus) if number not in found)
        raise BadInput(f"gpu {missing} is missing: ngpus is {gpus}; nearest: ngpus={len(found)}")
    cells = gpus * max(loop, *(sum(sizes.values()) for sizes, _ in found.values()))
    if cells > MAX_CELLS:
        raise BadInput(f"{cells} chunks on all GPUs; the most that is read is {MAX_CELLS}")
    return Program(
        shown_name(root.get("name") or "program"),
        (root.get("coll") or "").lower(),
        gpus,
        loop,
        in_place,
        bool(_number(root, "outofplace", "algo", 0, 1, 1 - in_place)),
        tuple(found[number][0] for number in range(gpus)),
        tuple(found[number][1] for number in range(gpus)),
        None if root.get("root") is None else _number(root, "root", "algo", 0, gpus - 1),
    )


def _tree(content: bytes) -> Element:
    """The elements of a file; entities and document types are refused, and deep nesting."""
    from xml.etree.ElementTree import ParseError

    from defusedxml import DefusedXmlException
    from defusedxml.ElementTree import iterparse

    depth = elements = 0
    try:
        found: Any = iterparse(io.BytesIO(content), ("start", "end"), forbid_dtd=True)
        for event, _ in found:
            depth += 1 if event == "start" else -1
            elements += event == "start"
            if elements > MAX_ELEMENTS:
                raise BadInput(f"more than {MAX_ELEMENTS} elements, the most that is read")
            if depth > MAX_DEPTH:
                raise BadInput(f"elements are nested more than {MAX_DEPTH} deep")
    except BadInput:
        raise
    except ParseError as problem:
        raise BadInput(f"not XML: {brief(str(problem))[1:-1]}") from None
    except DefusedXmlException:
        raise BadInput("it has a document type or entities, which are not read") from None
    except (ValueError, LookupError) as problem:  # an encoding that is not known
        raise BadInput(f"not XML: {brief(str(problem))[1:-1]}") from None
    root: Element = found.root
    return root


def _children(element: Element, tag: str) -> Iterator[Element]:
    """The elements inside; raises BadInput for one of another kind."""
    for child in element:
        if child.tag != tag:
            raise BadInput(f"<{brief(child.tag)[1:-1]}> in <{element.tag}>; nearest: <{tag}>")
        yield child


def _blocks(element: Element, gpu: int, gpus: int, sizes: dict[str, int]) -> Iterator[Block]:
    """The thread blocks of a GPU, whose numbers and connections are all different."""
    numbers: set[int] = set()
    ends: set[tuple[str, int, int]] = set()
    for child in _children(element, "tb"):
        where = f"gpu {gpu}, tb {brief(child.get('id'))[1:-1]}"
        number = _number(child, "id", where, 0, MAX_CHUNKS)
        if number in numbers:
            raise BadInput(f"{where} occurs twice; ids are 0, 1, 2 …, each once")
        numbers.add(number)
        peers = [_number(child, name, where, -1, gpus - 1) for name in ("send", "recv")]
        if gpu in peers:
            raise BadInput(f"{where}: send or recv is the GPU itself; nearest: -1, for none")
        channel = _number(child, "chan", where, 0, MAX_CHUNKS)
        steps = tuple(_operations(child, where, peers, sizes))
        for way, peer, kinds in zip(("send", "recv"), peers, (SENDS, RECEIVES), strict=True):
            if any(step.kind in kinds for step in steps):
                if (way, peer, channel) in ends:
                    both = f"two thread blocks {way} with gpu {peer} on channel {channel}"
                    raise BadInput(f"{where}: {both}; nearest: another chan")
                ends.add((way, peer, channel))
        yield Block(gpu, number, peers[0], peers[1], channel, steps)


def _operations(
    element: Element, where: str, peers: list[int], sizes: dict[str, int]
) -> Iterator[Operation]:
    """The operations of a thread block, in ascending order of their numbers."""
    last = -1
    for child in _children(element, "step"):
        at = f"{where}, step {brief(child.get('s'))[1:-1]}"
        number = _number(child, "s", at, 0, MAX_CHUNKS)
        if number <= last:
            raise BadInput(f"{at}: comes after step {last}; steps are numbered in order")
        last = number
        kind = child.get("type") or ""
        if kind not in KINDS:
            raise BadInput(f"{at}: type {brief(kind)} is unknown; {nearest(kind, KINDS)}")
        for way, peer, kinds in zip(("send", "recv"), peers, (SENDS, RECEIVES), strict=True):
            if kind in kinds and peer < 0:
                raise BadInput(f"{at}: {kind} needs a peer, but {way} is -1; nearest: {way}=0")
        minimum, usual = (0, 0) if kind == "nop" else (1, None)
        count = _number(child, "cnt", at, minimum, MAX_CHUNKS, usual)
        ranges = [
            _place(child, end, at, count, used=kind in kinds)
            for end, kinds in (("src", READS_SOURCE), ("dst", WRITES))
        ]
        for place, kinds in zip(ranges, (READS_SOURCE, WRITES), strict=True):
            if kind in kinds and place.offset + count > sizes[place.buffer]:
                rule = f"{place.buffer} has {sizes[place.buffer]} chunks"
                raise BadInput(f"{at}: {kind} uses {place}, but {rule}; nearest: a smaller offset")
        block = _number(child, "depid", at, -1, MAX_CHUNKS, -1)
        after = _number(child, "deps", at, -1, MAX_CHUNKS, -1)
        wanted = (block, after) if block >= 0 else None
        yield Operation(number, kind, ranges[0], ranges[1], wanted)


def _place(element: Element, end: str, where: str, count: int, used: bool) -> BufferRange:
    """Where an operation reads or writes; what it does not use may be anything."""
    buffer = element.get(f"{end}buf", "i")
    if buffer not in tuple(BUFFERS):
        raise BadInput(f"{where}: {end}buf {brief(buffer)} is unknown; choose from i, o, s")
    offset = _number(element, f"{end}off", where, -1 + used, MAX_CHUNKS, 0)
    return BufferRange(buffer, max(offset, 0), count)


def _number(
    element: Element, name: str, where: str, minimum: int, maximum: int, usual: int | None = None
) -> int:
    """A whole number among the attributes; raises BadInput where it is none or out of range."""
    text = element.get(name)
    if text is None:
        if usual is not None:
            return usual
        raise BadInput(f'{where}: has no {name}; nearest: {name}="{max(0, minimum)}"')
    plain = text.strip().removeprefix("-")
    if not (plain.isascii() and plain.isdigit()) or len(plain) > MAX_DIGITS:
        rule = f"must be a whole number, {minimum} to {maximum}"
        raise BadInput(f'{where}: {name}="{brief(text)[1:-1]}" {rule}; nearest: {max(0, minimum)}')
    value = int(text)
    if not minimum <= value <= maximum:
        near = min(max(value, minimum), maximum)
        raise BadInput(f"{where}: {name}={value} must be {minimum} to {maximum}; nearest: {near}")
    return value
