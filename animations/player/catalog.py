"""Several recordings as one HTML file in which one is chosen: their stories, packed in groups."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from math import log2
from pathlib import Path
from typing import Any, NamedTuple

from animations.player.pack.data import pack, story
from animations.player.page import document
from animations.stages.views import MOST_ON_PAGES, check_shown
from animations.story.comparison import DrawnComparison
from animations.story.storyboard import Storyboard
from animations.story.usual import usual_board
from collectives.catalog import ROWS
from collectives.cost.choose.ports import take_turns
from collectives.cost.choose.setup import resized
from collectives.cost.clocks.clock import lockstep
from collectives.cost.machines import topology_for
from collectives.files import replacing
from collectives.progress import counted
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.words import plural


class Entry(NamedTuple):
    """A recording of a catalog, as `Entry` in types.d.ts describes it."""

    collective: str
    algorithm: str
    ranks: int
    group: int
    place: int
    starts: float
    share: float
    chunks: int
    pipeline: int
    lanes: int
    wrong: int


def catalog(
    recordings: Sequence[tuple[Recording, Storyboard]],
    theme: str | None = None,
    compared: DrawnComparison | None = None,
) -> str:
    """An HTML file that needs nothing else; the first recording is shown until one is chosen.

    The stories of a collective are packed together, and unpacked when one of them is chosen.
    compared: the comparison of these recordings, whose times and reasons stand beside them.
    """
    names = list(dict.fromkeys(recording.collective.name for recording, _ in recordings))
    groups: list[list[Storyboard]] = [[] for _ in names]
    entries = []
    walk = counted(recordings, "timing the recordings", len(recordings), "recordings")
    for recording, board in walk:
        check_shown(board.ranks, board.labels.chunk_count, MOST_ON_PAGES)
        group = names.index(recording.collective.name)
        entries.append(_entry(recording, group, len(groups[group]), is_broken(board)))
        groups[group].append(board)
    index: dict[str, Any] = {
        "fields": Entry._fields,
        "entries": entries,
        "goals": {r.collective.title: r.promise for r, _ in recordings},
    }
    if compared:
        index["compared"] = _compared(compared)
    stories = (
        f'<script type="text/plain" id="stories-{group}">{pack(*map(story, boards))}</script>'
        for group, boards in enumerate(
            counted(groups, "packing the recordings", len(groups), "collectives")
        )
    )
    return document(
        "catalog",
        theme,
        plural(len(entries), "recording") + " of collectives",
        stories="\n".join(stories),
        catalog=json.dumps(index, separators=(",", ":")).replace("<", "\\u003c"),
    )


def write_catalog(
    recordings: Sequence[tuple[Recording, Storyboard]],
    path: str | Path,
    theme: str | None = None,
    compared: DrawnComparison | None = None,
) -> None:
    """Write the file; raises BadInput where that cannot be done."""
    text = catalog(recordings, theme, compared).encode()
    with replacing(path) as file:
        file.write(text)


def is_broken(board: Storyboard) -> bool:
    """Whether a promise is not kept: a dead link breaks none."""
    return board.wrong is not None and board.wrong.breaks_promise


def whole_catalog(numbers: Iterable[int]) -> list[tuple[Recording, Storyboard]]:
    """Every algorithm on these numbers of ranks, where it accepts them; the ring first."""
    accepted = [(row, n) for row in ROWS for n in numbers if row.accepts(n)]
    accepted.sort(key=lambda case: case[0].title != "ring all-reduce")
    found = []
    for row, n in counted(accepted, "the catalog", len(accepted), "recordings"):
        recording = record(row.collective, row.algorithm, ranks=n)
        found.append((recording, usual_board(recording)))
    return found


def _compared(shown: DrawnComparison) -> dict[str, Any]:
    """`Compared` in types.d.ts."""
    return {
        "title": shown.title,
        "subtitle": shown.subtitle,
        "size": 1 << round(log2(shown.size or 1)),  # as the slider has it
        "seconds": [each.seconds if each.ends else None for each in shown.contenders],
        "sentences": [*shown.explanation, *shown.turn],
    }


def _entry(recording: Recording, group: int, place: int, wrong: bool) -> Entry:
    """With the messages that start one after another, and the share of the vector that goes over
    the busiest ports: by the lockstep clock, where messages of a port take turns.

    A wrong one says so, and its time is compared with no other.
    """
    size = recording.count * recording.dtype.itemsize
    share = 0.0
    if size:
        machine = topology_for(recording, "crossbar", latency=0.0, bandwidth=1.0)
        share = lockstep(recording, machine).total / size
    empty = resized(recording, 0)
    machine = topology_for(empty, "crossbar", latency=1.0)
    starts = take_turns(lockstep(empty, machine)).in_turn
    return Entry(
        recording.collective.title,
        f"{recording.algorithm} (wrong)" if wrong else recording.algorithm,
        recording.ranks,
        group,
        place,
        starts,
        share,
        recording.chunk_count,
        recording.chunks or 0,
        recording.nodes - 1 if recording.helpers == "switch" else 1,
        int(wrong),
    )
