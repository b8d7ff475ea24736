"""MSCCL programs as short texts, and where those that other people wrote are."""

import json
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "shared" / "schedules"
FOUND = (
    json.loads((FOLDER / "expected.json").read_text())
    if (FOLDER / "expected.json").exists()
    else {}
)


def program(collective, *gpus, chunks=None, inplace=1, name="mine", sizes=None, **more):
    """The XML of a program; a GPU is a list of blocks "send recv channel: step; step".

    A step is "kind source target count after", such as "rcs o0 s1" or "s i0 - 2 1/0".
    """
    count = len(gpus) if chunks is None else chunks
    usual = {"i": count, "o": count if not inplace else 0, "s": 2} | (sizes or {})
    head = {"name": name, "coll": collective, "ngpus": len(gpus), "nchunksperloop": count}
    head |= {"inplace": inplace, "nchannels": 1, "proto": "Simple", **more}
    lines = [f"<algo {attributes(head)}>"]
    for number, blocks in enumerate(gpus):
        buffers = {f"{buffer}_chunks": size for buffer, size in usual.items()}
        lines.append(f"<gpu {attributes({'id': number, **buffers})}>")
        waited = {each.split()[-1] for block in blocks for each in block.split(";") if "/" in each}
        for tb, block in enumerate(blocks):
            ends, _, steps = block.partition(":")
            send, recv, channel = ends.split()
            ends = {"id": tb, "send": send, "recv": recv, "chan": channel}
            lines.append(f"<tb {attributes(ends)}>")
            lines += [
                step(s, *each.split(), flags=f"{tb}/{s}" in waited)
                for s, each in enumerate(steps.split(";"))
            ]
            lines.append("</tb>")
        lines.append("</gpu>")
    return "\n".join([*lines, "</algo>"]).encode()


def step(number, kind, source="-", target="-", count="1", after="-1/-1", flags=False):
    """A step element; places are i0, o3, s1, or - where unused; after: thread block / step.

    flags: whether another one waits for it, and it raises the flag of its block.
    """
    tb, _, wanted = after.partition("/")
    found = {"s": number, "type": kind, "cnt": count, "depid": tb, "deps": wanted}
    found["hasdep"] = int(flags)
    for end, place in (("src", source), ("dst", target)):
        found |= {f"{end}buf": place[0].replace("-", "i"), f"{end}off": place[1:] or 0}
    return f"<step {attributes(found)}/>"


def attributes(values):
    return " ".join(f'{name}="{value}"' for name, value in values.items())


RING = program(
    "allreduce",
    ["1 2 0: s i0; rrs i2 i2; rrcs i1 i1; rcs - i0; r - i2"],
    ["2 0 0: s i1; rrs i0 i0; rrcs i2 i2; rcs - i1; r - i0"],
    ["0 1 0: s i2; rrs i1 i1; rrcs i0 i0; rcs - i2; r - i1"],
    name="three",
)
