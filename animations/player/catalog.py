"""Several recordings as one HTML file in which one is chosen: their stories, packed in groups."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from animations.phrases import page_words
from animations.player.pack.beside import PlayedComparison
from animations.player.pack.data import pack, story
from animations.player.pack.editor import editor_blocks
from animations.player.page import EDITOR_POLICY, NO_POLICY, document, worker
from animations.stages.views import MOST_ON_PAGES, check_shown
from animations.story.comparison import DrawnComparison
from animations.story.storyboard import Storyboard
from animations.story.usual import usual_board
from collectives.catalog import ROWS
from collectives.catalog.starts import START_HERE
from collectives.comparison.alike import told_apart
from collectives.cost.machines.usual import USUAL_SIZE
from collectives.files import replacing
from collectives.progress import counted
from collectives.recording.recorder import record
from collectives.recording.recording import Recording


class Entry(NamedTuple):
    """A recording of a catalog, as `Entry` in catalog.d.ts describes it."""

    collective: str
    algorithm: str
    ranks: int
    group: int
    place: int
    machine: str
    latency: float
    bandwidth: float
    size: int
    times: list[float]
    waits: list[float]
    crowd: int
    pipeline: int
    wrong: int


def catalog(
    recordings: Sequence[tuple[Recording, Storyboard]],
    theme: str | None = None,
    compared: DrawnComparison | None = None,
    beside: PlayedComparison | None = None,
    mapped: bool = False,
) -> str:
    """An HTML file that needs nothing else; the first recording is shown until one is chosen.

    The stories of a collective are packed together, and unpacked when one of them is chosen.
    compared: the comparison of these recordings, whose times and reasons stand beside them.
    beside: what plays them side by side, which is then shown first.
    All are in one language. mapped: whether it begins with a map of all.
    """
    entries, groups = _entries(recordings, compared is not None)
    index: dict[str, Any] = {
        "fields": Entry._fields,
        "entries": entries,
        "goals": {r.collective.title: board.promise for r, board in recordings},
    }
    if compared:
        index["compared"] = _compared(compared) | ({"beside": beside.index} if beside else {})
    if mapped:
        index["map"] = _map(recordings)
    stories, language = _stories(groups, beside), recordings[0][1].say.language
    title = page_words(language)["catalog.title"].format(recordings=len(entries))
    title = compared.title if compared else title
    entry, policy = "comparison" if beside else "gallery" if mapped else "choice", NO_POLICY
    if compared and beside and any(beside.editings):
        entry, policy = "comparison_editor", EDITOR_POLICY
        stories += "\n" + editor_blocks(beside.editings, compared.say, worker())
    packed = json.dumps(index, separators=(",", ":")).replace("<", "\\u003c")
    page = "catalog", theme, title, entry, policy, (language,)
    return document(*page, stories=stories, catalog=packed)


def _entries(
    recordings: Sequence[tuple[Recording, Storyboard]], compared: bool
) -> tuple[list[Entry], list[list[Storyboard]]]:
    """An entry of each recording, told apart where they are compared; by collective the boards."""
    titles, entries = [recording.algorithm for recording, _ in recordings], list[Entry]()
    if compared:
        titles = told_apart(titles, [recording for recording, _ in recordings])
    groups: dict[str, list[Storyboard]] = {}
    walk = counted(recordings, "timing the recordings", len(recordings), "recordings")
    for title, (recording, board) in zip(titles, walk, strict=True):
        check_shown(board.ranks, board.labels.chunk_count, MOST_ON_PAGES)
        group = groups.setdefault(recording.collective.name, [])
        place = [*groups].index(recording.collective.name), len(group)
        entries.append(_entry(title, recording, place, board))
        group.append(board)
    return entries, [*groups.values()]


def _stories(groups: Sequence[Sequence[Storyboard]], beside: PlayedComparison | None) -> str:
    """The stories of each collective, packed together."""
    if beside:
        packed = [pack(*map(story, groups[0], beside.setups))]
    else:
        walk = counted(groups, "packing the recordings", len(groups), "collectives")
        packed = [pack(*map(story, boards)) for boards in walk]
    return "\n".join(
        f'<script type="text/plain" id="stories-{group}">{text}</script>'
        for group, text in enumerate(packed)
    )


def write_catalog(
    recordings: Sequence[tuple[Recording, Storyboard]],
    path: str | Path,
    theme: str | None = None,
    mapped: bool = False,
) -> None:
    """Write the file; raises BadInput where that cannot be done."""
    text = catalog(recordings, theme, mapped=mapped).encode()
    with replacing(path) as file:
        file.write(text)


def whole_catalog(
    numbers: Iterable[int], language: str = "en"
) -> list[tuple[Recording, Storyboard]]:
    """Every algorithm on these numbers of ranks, where it accepts them; the ring first."""
    accepted = [(row, n) for row in ROWS for n in numbers if row.accepts(n)]
    accepted.sort(key=lambda case: case[0].title != "ring all-reduce")
    entries = []
    for row, n in counted(accepted, "the catalog", len(accepted), "recordings"):
        recording = record(row.collective, row.algorithm, ranks=n)
        board = usual_board(recording, language=language, near=USUAL_SIZE)  # all alike
        entries.append((recording, board))
    return entries


def _compared(drawn: DrawnComparison) -> dict[str, Any]:
    """`Compared` in catalog.d.ts."""
    return {
        "title": drawn.title,
        "subtitle": drawn.subtitle,
        "seconds": [entry.seconds if entry.ends else None for entry in drawn.contenders],
        "sentences": [*drawn.explanation, *drawn.turn],
    }


def _map(recordings: Sequence[tuple[Recording, Storyboard]]) -> dict[str, Any]:
    """`Catalog.map` in catalog.d.ts."""
    say = recordings[0][1].say
    shapes = say.section("tour_shapes")
    families = {
        kind: (name, shapes.get(kind, "")) for kind, name in say.section("families").items()
    }
    rows = [
        {
            "steps": recording.counters.steps,
            "bytes": board.counters[1].values[-1] if recording.collective.moves_data else 0,
            "family": recording.structure.kind,
            "start": (recording.collective.name, recording.algorithm) in START_HERE,
        }
        for recording, board in recordings
    ]
    return {"families": families, "rows": rows}


def _entry(title: str, recording: Recording, place: tuple[int, int], board: Storyboard) -> Entry:
    """With the times of its counters, from which a page finds those of other sizes and links.

    place: the number of its group, and its own there.
    A wrong one says so, and its time is compared with no other.
    """
    times = board.setup_times
    wrong = board.wrong is not None and board.wrong.breaks_promise  # which a dead link does not
    return Entry(
        recording.collective.title,
        board.say("catalog.is_wrong", name=title) if wrong else title,
        recording.ranks,
        *place,
        times.machine,
        times.latency,
        times.bandwidth,
        board.size,
        _shortened(times.times),
        _shortened(times.waits),
        times.crowd,
        recording.chunks or 0,
        int(wrong),
    )


def _shortened(seconds: Iterable[float]) -> list[float]:
    """Times with as many digits as can be seen."""
    return [float(f"{each:.6g}") for each in seconds]
