"""Recordings written as MSCCL XML."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import quoteattr

from collectives.collective import Collective, own_cells
from collectives.errors import BadInput
from collectives.files import replacing
from collectives.formats.msccl.blocks import Ends, Gpu, Written, blocks_of
from collectives.formats.msccl.layout import NAMES
from collectives.recording.recording import Recording, check_recording
from collectives.words import plural

PEERS = 15  # of a GPU in one channel: a block to send and one to receive for each, 32 at most
MAX_BLOCKS = 216  # of a GPU
MAX_STEPS = 256  # of a block


def save(recording: Recording, path: str | Path) -> None:
    """Write a recording as an MSCCL program: a thread block for each end of a link.

    Parameters
    ----------
    recording : Recording
        Its steps are written, its data is not. A collective that MSCCL does not know is custom.
    path : str or Path
        The file, in XML.

    Raises
    ------
    BadInput
        Where the file cannot be written, for barriers and helper nodes, which MSCCL does not have,
        and for more thread blocks or steps than it takes.
    """
    check_recording(recording)
    _check_expressible(recording)
    text = "\n".join(_lines(recording, blocks_of(recording))) + "\n"
    with replacing(path) as file:
        file.write(text.encode())


def _check_expressible(recording: Recording) -> None:
    """Raise BadInput for what MSCCL has no words for."""
    if not recording.collective.moves_data:
        raise BadInput(f"{recording.title}: MSCCL has no barrier; try: a collective with data")
    if recording.nodes > recording.ranks:
        helpers = plural(recording.nodes - recording.ranks, recording.helpers)
        raise BadInput(
            f"{recording.title} has {helpers}: MSCCL programs run on GPUs alone; try: ring"
        )
    if recording.refused:
        raise BadInput(f"{recording.title} breaks off; try: a schedule that ends")


def _gathers(promise: Collective) -> bool:
    """Whether ranks hold their own part before, and MSCCL keeps it among the outputs."""
    return promise.precondition is own_cells and not promise.routed


def _lines(recording: Recording, gpus: list[Gpu]) -> Iterator[str]:
    """The lines of the file."""
    promise, chunks = recording.collective, recording.chunk_count
    separate, gathers = promise.separate_buffers, _gathers(promise)
    share = chunks // recording.ranks if promise.owned and promise.out_of_place else 0
    inputs = share if gathers and separate else 0 if gathers else chunks
    outputs = (share if not gathers and share else chunks) if separate or gathers else 0
    scratch = max(gpu.staged for gpu in gpus) - recording.promised_slots
    channels_used = (
        _channel(recording.ranks, gpu, e) for gpu, b in enumerate(gpus) for e in b.blocks
    )
    channels = 1 + max(channels_used, default=0)
    head: dict[str, object] = {
        "name": recording.algorithm,
        "proto": "Simple",
        "nchannels": channels,
    }
    head |= {"nchunksperloop": chunks, "ngpus": recording.ranks}
    head |= {"coll": NAMES.get(promise.name, "custom"), "inplace": int(not separate)}
    head |= {"outofplace": int(separate), "minBytes": 0}
    if promise.rooted:
        head["root"] = recording.root
    yield f"<algo {_attributes(head)}>"
    sizes = {"i_chunks": inputs, "o_chunks": outputs, "s_chunks": scratch}
    for number, gpu in enumerate(gpus):
        yield f"  <gpu {_attributes({'id': number, **sizes})}>"
        yield from _gpu_lines(recording, number, gpu)
        yield "  </gpu>"
    yield "</algo>"


def _channel(ranks: int, gpu: int, ends: Ends) -> int:
    """The channel of a block's link, so that a GPU does not have too many blocks in one."""
    if max(ends) < 0:
        return 0
    src, dst = (gpu, ends[0]) if ends[0] >= 0 else (ends[1], gpu)
    return ((dst - src) % ranks - 1) // PEERS


def _gpu_lines(recording: Recording, number: int, gpu: Gpu) -> Iterator[str]:
    """The lines of a GPU's thread blocks."""
    place = _Place(recording, number)
    steps = {ends: _with_nops(block) for ends, block in gpu.blocks.items()}
    longest = max(map(len, steps.values()), default=0)
    _check_limit(recording, len(steps), MAX_BLOCKS, "thread blocks")
    _check_limit(recording, longest, MAX_STEPS, "steps of a thread block")
    numbers = {ends: tb for tb, ends in enumerate(steps)}
    at = {
        (ends, step.index): s
        for ends, block in steps.items()
        for s, step in enumerate(block)
        if step.kind != "nop"
    }
    waited = {step.after for block in steps.values() for step in block}
    for ends, block in steps.items():
        channel = _channel(recording.ranks, number, ends)
        head = {"id": numbers[ends], "send": ends[0], "recv": ends[1], "chan": channel}
        yield f"    <tb {_attributes(head)}>"
        for s, step in enumerate(block):
            depid, deps = -1, -1
            if step.after is not None:
                depid, deps = numbers[step.after[0]], at[step.after]
            has = int(step.kind != "nop" and (ends, step.index) in waited)
            after = {"depid": depid, "deps": deps, "hasdep": has}
            line = {"s": s, "type": step.kind, **place.of(step, ends), **after}
            yield f"      <step {_attributes(line)}/>"
        yield "    </tb>"


def _check_limit(recording: Recording, count: int, limit: int, what: str) -> None:
    if count > limit:
        ranks = plural(recording.ranks, "rank")
        raise BadInput(
            f"{recording.title} on {ranks} takes {count} {what}; MSCCL has at most {limit}; "
            "try: fewer ranks or chunks"
        )


@dataclass(frozen=True)
class _Line:
    """A step element: an operation, or a nop that waits for one more block before it."""

    kind: str
    row: Written | None
    index: int  # of the operation in its block, nops not counted
    after: tuple[Ends, int] | None


def _with_nops(block: list[Written]) -> list[_Line]:
    """The steps of a block: one waits for one other block, so that nops wait for the others."""
    lines: list[_Line] = []
    for index, row in enumerate(block):
        after = list(row.after.items())
        lines += [_Line("nop", None, index, waited) for waited in after[:-1]]
        lines.append(_Line(row.kind, row, index, after[-1] if after else None))
    return lines


@dataclass(frozen=True)
class _Place:
    """Names the slots of a GPU as chunks of its buffers."""

    recording: Recording
    gpu: int

    def of(self, step: _Line, ends: Ends) -> dict[str, object]:
        """The attributes of a step that say where it reads and writes."""
        if step.row is None:
            return {"srcbuf": "i", "srcoff": -1, "dstbuf": "o", "dstoff": -1, "cnt": 0}
        sends = ends[0] if ends[0] >= 0 else self.gpu
        source = self._chunk(self.gpu, step.row.source)
        if step.kind in ("r", "rrc"):  # what was there before is added to
            source = self._chunk(self.gpu, step.row.target)
        target = self._chunk(sends, step.row.target)
        names = ("srcbuf", "srcoff", "dstbuf", "dstoff")
        return {**dict(zip(names, (*source, *target), strict=True)), "cnt": step.row.count}

    def _chunk(self, gpu: int, slot: int) -> tuple[str, int]:
        """The buffer of a slot, and the chunk in it."""
        recording, promise = self.recording, self.recording.collective
        chunks, gathers = recording.chunk_count, _gathers(promise)
        own = gpu * (chunks // recording.ranks) if promise.owned and promise.out_of_place else 0
        if slot >= recording.promised_slots:
            return "s", slot - recording.promised_slots
        if slot >= chunks:
            return "o", slot - chunks - (0 if gathers else own)
        if gathers and not promise.out_of_place:
            return "o", slot
        return "i", slot - (own if gathers else 0)


def _attributes(values: Mapping[str, object]) -> str:
    return " ".join(f"{name}={quoteattr(str(value))}" for name, value in values.items())
