"""Stories in modeled time, with and without faults, at moments of Python's films."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import clock_cases
import numpy as np
from settings import THOROUGH
from settings import taken as taken_ranks

from animations.player.pack.data import pack
from animations.player.pack.data import story as story_of
from animations.story.timed_board import TimedBoard, timed_board_of
from animations.story.usual import usual_board
from collectives import ROWS, record
from collectives.cost.fault_texts import Faults
from collectives.units import size_text

Case = tuple[str, str, int, dict[str, tuple[str, ...]]]
CASES: tuple[Case, ...] = (
    ("all_reduce", "ring", 5, {}),
    ("all_reduce", "ring", 5, {"late": ("2=300us",)}),
    ("all_reduce", "tree", 6, {"slow_rank": ("1=0.3",)}),
    ("reduce", "flat", 5, {"slow_link": ("3-switch0=0.5",)}),
    ("reduce", "linear", 5, {"dead": ("2-switch0",)}),
    ("broadcast", "pipeline", 4, {}),
    ("all_to_all", "bruck", 5, {"late": ("0=1ms",)}),
    ("barrier", "dissemination", 5, {"late": ("3=20us",)}),
)
MOMENTS = 9


def moments() -> list[dict[str, Any]]:
    """Each story with what is there at some moments, by both clocks."""
    return [
        case
        for name, algorithm, ranks, faults in cases()
        for clock in ("dataflow", "lockstep")
        if (case := of_case(name, algorithm, ranks, faults, clock))
    ]


def cases() -> Iterator[Case]:
    """Those of CASES, and each row with a late rank."""
    yield from CASES
    for row in ROWS if THOROUGH else ():
        ranks = taken_ranks(row, 5, 4, 6, 8)
        if ranks > 1:
            yield row.collective, row.algorithm, ranks, {"late": ("1=40us",)}


def of_case(
    name: str, algorithm: str, ranks: int, faults: dict[str, tuple[str, ...]], clock: str
) -> dict[str, Any]:
    """A story, its faults, and its moments."""
    board = usual_board(record(name, algorithm, ranks=ranks))
    recording, machine = board.counted.asked, board.counted.topology
    timing = clock_cases.timed(recording, machine, Faults(**faults), clock)
    if not len(timing.messages):
        return {}
    timed = timed_board_of(board, timing)
    every = np.concatenate([timing.messages.start, timing.messages.end])
    known = np.unique(every[np.isfinite(every)])
    middles = (known[1:] + known[:-1]) / 2
    apart = middles[np.diff(known) > 1e-6 * timed.seconds]
    chosen = apart[:: max(1, len(apart) // MOMENTS)].tolist()
    return {
        "packed": pack(story_of(board)),
        "clock": clock,
        "faults": [[clock_cases.KINDS[k], text] for k, of in faults.items() for text in of],
        "moments": [at(timed, now) for now in (*chosen, timed.seconds)],
    }


def at(timed: TimedBoard, now: float) -> dict[str, Any]:
    """What there is at a moment."""
    board = timed.board
    cells = timed.cells(now).items()
    steps = timed.timing.step_end <= now * (1 + 1e-9)
    counted = np.diff([0, *(frame.counted for frame in board.frames)])
    return {
        "now": now,
        "held": sorted([*where, board.view.packed(cell)] for where, cell in cells if cell.held),
        "under_way": list(timed.under_way(now)),
        "landed": timed.done(now),
        "begun": timed.begun(now),
        "done": int(counted[steps].sum()),
        "sent": [size_text(amount) for amount in timed.sent(now)],
        "waits": waits_between_messages(timed, now),
    }


def waits_between_messages(timed: TimedBoard, now: float) -> list[list[int]]:
    """Who waits for whom; by lockstep, where waits are at barriers, and without an end, nobody."""
    if timed.is_endless or timed.timing.clock == "lockstep":
        return []
    waits = timed.waits.at(now)
    return sorted([wait.node, wait.other] for wait in waits if wait.other is not None)
