"""Thread blocks as text: the lines that pictures show beside the transfers they make."""

from __future__ import annotations

from collections.abc import Callable

from collectives.formats.msccl.program import Block, Operation
from collectives.schedule.provenance import Source, SourceFrame, Stamp

SHOWN: dict[str, str] = {  # of each kind; from and to are the peers of the block
    "s": "{source} → {to}",
    "r": "{from} → {target}",
    "rcs": "{from} → {target} → {to}",
    "rrs": "{from} + {source} → {to}",
    "rrc": "{from} + {source} → {target}",
    "rrcs": "{from} + {source} → {target} → {to}",
    "cpy": "{source} → {target}",
    "re": "{source} + {target} → {target}",
    "nop": "",
}


def lister() -> Callable[[Block, int], Stamp]:
    """A function that gives the line of an operation of a block; each block is written once."""
    sources: dict[tuple[int, int], Source] = {}

    def stamp(block: Block, index: int) -> Stamp:
        key = block.gpu, block.number
        if key not in sources:
            sources[key] = _source(block)
        number = block.operations[index].number
        known: tuple[tuple[str, int], ...] = ("tb", block.number), ("step", number)
        if block.copies:
            known = (("copy", number),)
        return (SourceFrame(sources[key], index, (("gpu", block.gpu), *known)),)

    return stamp


def _source(block: Block) -> Source:
    """The lines of a block, after one that names it."""
    name = f"gpu {block.gpu}, {'copies' if block.copies else f'tb {block.number}'}"
    head = f"# {name}" if block.copies else f"# {name}, channel {block.channel}"
    lines = [head, *(_line(block, s) for s in block.operations)]
    return Source(name, name, -1, "\n".join(lines))


def _line(block: Block, step: Operation) -> str:
    ends = {"from": f"gpu {block.receives_from}", "to": f"gpu {block.sends_to}"}
    text = SHOWN[step.kind].format(source=step.source, target=step.target, **ends)
    after = f"after tb {step.after[0]} step {step.after[1]}" if step.after else ""
    return "  ".join(filter(None, (f"{step.number:>3}", f"{step.kind:<4}", text, after))).rstrip()
