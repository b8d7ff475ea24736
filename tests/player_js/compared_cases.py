"""Comparisons on pages under settings of their readers, and what Python says of them there."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import clock_cases

from animations.phrases import phrases
from animations.player.pack.beside import words
from animations.player.pack.data import pack
from animations.player.pack.data import story as story_of
from animations.story.comparison import DrawnComparison, drawn_comparison
from animations.story.usual import by_timing, usual_board
from collectives import record
from collectives.comparison.comparison import compare_recordings
from collectives.cost.choose.setup import Setup, resized
from collectives.cost.clocks.timing import Timing
from collectives.cost.fault_texts import NO_FAULTS, Faults
from collectives.cost.machines.scaled import scaled
from collectives.cost.where import Where

Changes = tuple[float, float, float]  # times the size, the latency, the bandwidth
Cases = tuple[tuple[Changes, dict[str, tuple[str, ...]]], ...]
SAME = (1.0, 1.0, 1.0)
ASKED: tuple[tuple[str, tuple[str, ...], int, str, Cases], ...] = (
    (
        "all_reduce",
        ("ring", "tree"),
        5,
        "hgx-h100",
        (
            (SAME, {}),
            ((2.0**-10, 1, 1), {}),
            ((1, 10, 0.5), {}),
            (SAME, {"late": ("2=300us",)}),
            (SAME, {"dead": ("1-switch0",)}),
            (SAME, {"slow_rank": ("1=0.5",), "late": ("3=20us",)}),
        ),
    ),
    (
        "all_reduce",
        ("ring", "recursive-doubling", "tree"),
        4,
        "ring",
        ((SAME, {}), ((2.0**-12, 2, 1), {}), (SAME, {"slow_link": ("0-1=0.1",)})),
    ),
    ("barrier", ("dissemination", "tree"), 5, "hgx-h100", ((SAME, {}), ((1, 5, 1), {}))),
    ("broadcast", ("tree", "flat"), 6, "hgx-h100", ((SAME, {}), (SAME, {"dead": ("5-switch0",)}))),
)
KIB64 = 1 << 16


def compared() -> dict[str, Any]:
    """Each comparison with its words."""
    return {"words": words(phrases("en")), "cases": list(cases())}


def cases() -> Iterator[dict[str, Any]]:
    """Stories with settings, and the sentences of Python's comparison under each."""
    for name, algorithms, ranks, machine, changes in ASKED:
        setup = Where(machine, clock="dataflow").setup()
        recordings = [sized(name, algorithm, ranks) for algorithm in algorithms]
        clean = compare_recordings(recordings, setup)
        boards = [board(one.timed.timing) for one in clean.contenders]
        said = [expected(clean, setup, each, faults) for each, faults in changes]
        yield {"packed": pack(*map(story_of, boards)), "settings": said}


def sized(name: str, algorithm: str, ranks: int) -> Any:
    """A recording of 60 chunks of a byte, as it is compared."""
    found = record(name, algorithm, ranks=ranks)
    return resized(found, 60 * KIB64) if found.collective.moves_data else found


def board(timing: Timing) -> Any:
    """The storyboard of a timing."""
    return by_timing(usual_board(timing.asked, timing.topology), timing)


def expected(
    clean: Any, setup: Setup, change: Changes, texts: dict[str, tuple[str, ...]]
) -> dict[str, Any]:
    """A setting, and what Python says under it."""
    size, latency, bandwidth = change
    recordings = [
        resized(each.recording, round(clean.size * size)) if clean.size else each.recording
        for each in clean.contenders
    ]

    def machine(recording: Any) -> Any:
        return scaled(setup.machine(recording), {"latency": latency, "bandwidth": bandwidth})

    changed = Setup(machine, setup.clock, setup.costs)
    faults = Faults(**texts) if texts else NO_FAULTS
    shown = drawn_comparison(compare_recordings(recordings, changed, faults))
    return {
        "setting": {
            "size": size,
            "latency": latency,
            "bandwidth": bandwidth,
            "faults": [
                [clock_cases.KINDS[kind], text] for kind, of in texts.items() for text in of
            ],
        },
        "names": [each.name for each in shown.contenders],
        "finished": [list(shown.finished(place)) for place in range(len(shown.contenders))],
        "explanation": list(shown.explanation),
        "turn": list(shown.turn),
        "paths": [each.path.text for each in shown.contenders],
        "ranges": fields(shown),
    }


def fields(shown: DrawnComparison) -> list[list[int]]:
    """From how many bytes on which is the fastest."""
    return [list(each) for each in shown.ranges]
