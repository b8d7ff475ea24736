"""Pages under settings of their readers, and what Python draws and times there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import clock_cases
import numpy as np
from settings import THOROUGH
from settings import taken as taken_ranks

from animations.player.pack.data import pack
from animations.player.pack.data import story as story_of
from animations.story.compose import proved_storyboard
from animations.story.timed_board import timed_board_of
from animations.story.usual import usual_board
from collectives import ROWS, record
from collectives.cost.choose.setup import resized
from collectives.cost.clocks.timing import Timing
from collectives.cost.fault_texts import Faults
from collectives.cost.machines.scaled import scaled
from collectives.errors import BadInput
from collectives.recording.recording import Recording

PAGES = (
    ("all_reduce", "ring", 8),
    ("all_reduce", "ring", 16),
    ("all_reduce", "sharp", 4),
    ("broadcast", "tree", 7),
    ("all_to_all", "pairwise", 5),
    ("barrier", "dissemination", 5),
)
SETTINGS = ((2.0**-10, 5, 0.5), (4.0, 1, 2)) if THOROUGH else ((2.0**-10, 5, 0.5),)
CUTS = (  # pages of which something is cut, and what
    ("all_reduce", "ring", 5, ("1-switch0",)),
    ("broadcast", "tree", 7, ("switch0→4",)),
    ("scatter", "flat", 5, ("4-switch0",)),
    ("all_gather", "recursive-doubling", 8, ("switch 0→3",)),
    ("all_to_all", "pairwise", 5, ("2-switch0",)),
    ("reduce", "flat", 5, ("3-switch0",)),
    ("reduce", "linear", 4, ("2-switch0",)),
)
LATE = (("all_reduce", "ring", 8, 3, "100us"), ("broadcast", "tree", 7, 4, "1ms"))
TEXTS = (  # of faults, right and wrong
    *(
        ("slow-link", text)
        for text in ("0-switch0=0.5", "0→switch 0 = 50%", "switch0>1=1", "0-8=1e-3")
    ),
    *(
        ("slow-link", text)
        for text in ("0-1=0.5", "0-switch0", "0-switch0=2", "0-switch0=0", "=", "x-y=1")
    ),
    *(
        ("slow-rank", text)
        for text in ("2=0.8", " 7 = 10% ", "8=0.5", "2", "2=x", "2=-1", "-1=0.5")
    ),
    *(
        ("late", text)
        for text in ("5=10us", "0= 1.5 ms", "0=0s", "5=10", "9=1us", "5=-1us", "5=1e-6s")
    ),
    *(
        ("dead", text)
        for text in (
            "0-switch0",
            "0→switch0",
            "SWITCH 0-3",
            "0-1",
            "0-switch1",
            "rank0-switch0",
            "",
        )
    ),
)


def under() -> dict[str, Any]:
    """Everything that is compared."""
    return {
        "pages": list(pages()),
        "cuts": list(cuts()),
        "late": list(late()),
        "texts": [[kind, text, taken(kind, text)] for kind, text in TEXTS],
    }


def pages() -> Iterator[dict[str, Any]]:
    """What stands on pages at other sizes and with other links."""
    for name, algorithm, ranks in PAGES:
        board = usual_board(record(name, algorithm, ranks=ranks))
        own = board.counted.asked
        machine = board.counted.topology
        size = own.count * own.dtype.itemsize
        grain = (
            int(np.lcm(own.chunk_count, board.counted.recording.chunk_count)) * own.dtype.itemsize
        )
        cases = []
        for times, latency, bandwidth in SETTINGS:
            bytes_ = round(size * times / grain) * grain
            changed = scaled(machine, {"latency": latency, "bandwidth": bandwidth})
            other = proved_storyboard(resized(own, bytes_, own.dtype) if size else own, changed)
            drawn = story_of(other)
            cases.append(
                {
                    "setting": {
                        "size": times,
                        "latency": latency,
                        "bandwidth": bandwidth,
                        "faults": [],
                        "moves": [],
                    },
                    "subtitle": drawn["subtitles"][1],
                    "counters": [row[2] for row in drawn["counters"]],
                    "sizes": drawn["sizes"],
                    "sent": [[drawn["amounts"][i] for i in frame[3]] for frame in drawn["frames"]],
                }
            )
        yield {"packed": pack(story_of(board)), "cases": cases}


def every_cut() -> Iterator[tuple[str, str, int, tuple[str, ...]]]:
    """Those of CUTS, and each row with a link of its last rank cut."""
    yield from CUTS
    for row in ROWS:
        ranks = taken_ranks(row, 5, 4, 6, 8)
        machine = clock_cases.usual_machine(record(row.collective, row.algorithm, ranks=ranks))
        (end,) = machine.dst[machine.src == ranks - 1][:1].tolist() or [0]
        if ranks > 1:
            yield row.collective, row.algorithm, ranks, (f"{ranks - 1}-{machine.label(end)}",)


def cuts() -> Iterator[dict[str, Any]]:
    """What the cells hold in the end where something is cut, as films draw it."""
    for name, algorithm, ranks, dead in every_cut() if THOROUGH else CUTS:
        board = usual_board(record(name, algorithm, ranks=ranks))
        recording, machine = board.counted.asked, board.counted.topology
        timing = clock_cases.timed(recording, machine, Faults(dead=dead), "dataflow")
        if timing.total < np.inf:
            continue  # nothing goes over that link
        timed = timed_board_of(board, timing)
        cells = timed.cells(timed.seconds)
        yield {
            "packed": pack(story_of(board)),
            "faults": [["dead", text] for text in dead],
            "held": sorted(
                [*at, board.view.packed(cell)] for at, cell in cells.items() if cell.held
            ),
            "sent": list(timed.sent(timed.seconds)),
            "waits": waits(timing),
        }


def waits(timing: Timing) -> list[list[int]]:
    """For each node that waits for ever, whom for: the first message to it that never ends."""
    messages = timing.messages
    never = np.flatnonzero(~np.isfinite(messages.end))
    order = never[np.lexsort((messages.step[never], messages.start[never]))]
    found: dict[int, int] = {}
    for row in order.tolist():
        found.setdefault(int(messages.dst[row]), int(messages.src[row]))
    return [list(pair) for pair in sorted(found.items())]


def late() -> Iterator[dict[str, Any]]:
    """By how much the steps overlap where a rank is late."""
    for name, algorithm, ranks, rank, delay in LATE:
        board = usual_board(record(name, algorithm, ranks=ranks))
        timing = clock_cases.timed(
            board.counted.asked,
            board.counted.topology,
            Faults(late=(f"{rank}={delay}",)),
            "dataflow",
        )
        overlap = max(
            [0.0]
            + [
                float(
                    timing.step_end[:k].max()
                    - timing.messages.start[timing.messages.step == k].min()
                )
                for k in range(1, len(timing.step_end))
            ]
        )
        yield {
            "packed": pack(story_of(board)),
            "faults": [["late", f"{rank}={delay}"]],
            "overlap": overlap,
            "total": timing.total,
        }


def taken(kind: str, text: str) -> bool:
    """Whether Python takes a fault on a box of 8 GPUs."""
    recording: Recording = record("all_reduce", "ring", ranks=8)
    try:
        faults = Faults(**{kind.replace("-", "_"): (text,)})
        clock_cases.timed(recording, clock_cases.usual_machine(recording), faults, "lockstep")
    except BadInput:
        return False
    return True
