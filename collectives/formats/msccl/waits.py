"""What each operation of a program waits for: flags of other thread blocks of its GPU."""

from __future__ import annotations

from functools import lru_cache

from collectives.errors import BadInput
from collectives.formats.msccl.program import Block, Program

Key = tuple[int, int]  # a block: its GPU and number


@lru_cache(1)  # asked for the order of operations, for their moments and for races
def awaited(program: Program) -> dict[Key, list[tuple[Key, int] | None]]:
    """For each operation of each block the one it waits for: its block, and its index there.

    A block's flag counts the steps that are done, but MSCCL raises it only after steps with
    hasdep="1", and never after a nop. So who waits for a step without it waits for the next step
    of that block that raises the flag. Raises BadInput where no step does, or there is no such
    step.
    """
    blocks = {(block.gpu, block.number): block for block in program.every_block()}
    numbers = {
        key: {step.number: index for index, step in enumerate(block.operations)}
        for key, block in blocks.items()
    }
    raising = {key: _raising(block) for key, block in blocks.items()}

    def awaited_at(block: Block, index: int) -> tuple[Key, int] | None:
        after = block.operations[index].after
        if after is None:
            return None
        key, wanted = (block.gpu, after[0]), after[1]
        at = numbers.get(key, {}).get(wanted)
        if at is None:
            what = f"step {wanted} of tb {key[1]}" if key in blocks else f"tb {key[1]}"
            raise BadInput(
                f"{block.where(index)}: depends on {what}, which does not exist; try: depid=-1"
            )
        flag = raising[key][at]
        if flag is None:
            raise BadInput(_never(block, index, blocks[key], at))
        return key, flag

    return {
        key: [awaited_at(block, index) for index in range(len(block.operations))]
        for key, block in blocks.items()
    }


def _raising(block: Block) -> list[int | None]:
    """For each operation of a block the index of the next one that raises the flag, or its own."""
    path: list[int | None] = []
    following: int | None = None
    for index in reversed(range(len(block.operations))):
        step = block.operations[index]
        following = index if step.flags and step.kind != "nop" else following
        path.append(following)
    return path[::-1]


def _never(block: Block, index: int, flagging: Block, at: int) -> str:
    """That an operation waits for a flag that is never raised, and what would raise it."""
    why, near = 'it has no hasdep="1"', 'hasdep="1" there'
    if flagging.operations[at].kind == "nop":
        why, near = "a nop has none", "deps of a step that is no nop"
    return (
        f"it never ends: {block.where(index)} waits for the flag of {flagging.where(at)}, which is "
        f"never raised, as {why}; try: {near}"
    )
