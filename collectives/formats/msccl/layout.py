"""Which slots the chunks of an MSCCL program's buffers are, and what its collective promises."""

from __future__ import annotations

from dataclasses import dataclass, replace

from collectives.collective import (
    ALL_TO_ALL,
    CUSTOM,
    IN_PLACE_ALL_TO_ALL,
    Collective,
    find_collective,
    own_cells,
    root_cells,
)
from collectives.errors import BadInput
from collectives.formats.msccl.program import BufferRange, Program
from collectives.words import brief

NAMES = {"all_reduce": "allreduce", "all_gather": "allgather", "all_to_all": "alltoall"} | {
    name: name for name in ("reduce_scatter", "broadcast", "reduce", "gather", "scatter")
}  # MSCCL's of the collectives it has
WITHOUT_PROMISE = ("custom", "send", "recv", "alltoallv")
KNOWN = ("allreduce", "allgather", "alltoall", "reduce_scatter", "broadcast", "reduce", "custom")


@dataclass(frozen=True)
class Layout:
    """The slots of a program that runs in place, or with separate input and output.

    Slots 0 to `chunk_count` - 1 are the chunks of the input vector; those of the output are the
    same in place, else the next ones; then come scratch slots. A buffer that holds only a rank's
    own part of the vector has its slots where that part is.
    """

    promise: Collective
    chunk_count: int
    own: tuple[int, int]  # chunks of a rank's own part, in the input and in the output buffer
    root: int

    @property
    def separate(self) -> bool:
        """Whether the output has slots of its own."""
        return self.promise.separate_buffers

    @property
    def scratch(self) -> int:
        """The first scratch slot."""
        return self.promise.promised_slots(self.chunk_count)

    def slot(self, gpu: int, place: BufferRange) -> int:
        """The slot of the first chunk of a place."""
        if place.buffer == "s":
            return self.scratch + place.offset
        is_output = place.buffer == "o"
        shift = gpu * self.own[is_output] + self.chunk_count * (is_output and self.separate)
        return shift + place.offset


def layout_of(program: Program, in_place: bool, root: int | None = None) -> Layout:
    """The slots of a program and its promise, in place or not; raises BadInput where none fits."""
    name, loop = program.collective, program.loop_chunks
    if not name:
        raise BadInput("algo: has no coll, the collective; try: --collective broadcast")
    if name in WITHOUT_PROMISE:
        longest = max(max(sizes["i"], sizes["o"]) for sizes in program.chunks)
        return Layout(CUSTOM, max(1, loop, longest), (0, 0), 0)
    try:
        promise = find_collective(name)
    except BadInput:
        promise = CUSTOM
    if promise.name not in NAMES:
        raise BadInput(f"coll={brief(name)}: unknown; choose from {', '.join(KNOWN)}")
    if loop % program.gpus and (promise.owned or promise.in_blocks):
        near = max(1, round(loop / program.gpus)) * program.gpus
        raise BadInput(
            f"nchunksperloop={loop}: {promise.title} gives each of {program.gpus} GPUs the same "
            f"number of chunks; try: {near}"
        )
    share = loop // program.gpus
    own = (
        share if promise.precondition is own_cells else 0,
        share if promise.postcondition is own_cells else 0,
    )
    _check_lengths(program, own)
    if not in_place:
        promise = replace(promise, out_of_place=promise is not ALL_TO_ALL)
    elif promise is ALL_TO_ALL:
        promise = IN_PLACE_ALL_TO_ALL
    if root is None:
        root = _root(program, promise)
    if root >= program.gpus:
        raise BadInput(f"--root {root}: there are {program.gpus} GPUs; try: {program.gpus - 1}")
    return Layout(promise, loop, own, root)


def _check_lengths(program: Program, own: tuple[int, int]) -> None:
    """Raise BadInput for an input or output buffer that does not have the vector's length."""
    for gpu, sizes in enumerate(program.chunks):
        for buffer, share in zip("io", own, strict=True):
            count = share or program.loop_chunks
            if sizes[buffer] not in (0, count):
                raise BadInput(
                    f"gpu {gpu}: {buffer}_chunks={sizes[buffer]} must be {count}, or 0 where the "
                    f"buffer is not used: nchunksperloop is {program.loop_chunks}; try: {count}"
                )


def _root(program: Program, promise: Collective) -> int:
    """The rank that never receives, of a collective from one rank; that never sends, to one."""
    if program.root is not None or not promise.rooted:
        return program.root or 0
    to_root = promise.postcondition is root_cells
    ends = {b.receives_from if to_root else b.sends_to for b in program.every_block()}
    return next((gpu for gpu in range(program.gpus) if gpu not in ends), 0)
