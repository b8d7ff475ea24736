"""A page for each collective: what is where before and after, its calls, its algorithms by size."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from animations.course.promises_page import Promise
from animations.site.algorithms import algorithm_file
from animations.site.layout import frame, link, settings, table, write_sheet
from animations.site.played import Played
from animations.site.report_markup import plain_markup
from animations.site.site_times import (
    MACHINE,
    RANKS,
    SLIDER,
    chosen_rows,
    ranked,
    timed_by,
    vectors_sent,
)
from collectives.catalog.starts import START_HERE
from collectives.collective import COLLECTIVES, Collective
from collectives.recording.recording import Recording
from collectives.units import size_text, time_text

LETTERS = "abcd"  # of ranks whose data is shown before and after
THREE = (len(SLIDER) // 4, len(SLIDER) // 2, -1)  # sizes in the table of a page without scripts


def write_collective(folder: Path, name: str, written: Sequence[Played]) -> None:
    """What a collective promises, its calls, and its algorithms counted and timed."""
    promise = COLLECTIVES[name]
    starts = (played for played in written if (name, played.row.algorithm) in START_HERE)
    player = next(starts, written[0])
    body = f"<h1>{promise.title}</h1><p>{escape(promise.sentence)}.</p>"
    body += frame(f"../players/{player.file}#embed", f"Player of {player.row.title}")
    body += _before_and_after(promise)
    calls = [
        (escape(library), f"<code>{escape(line)}</code>")
        for library, line in promise.calls.named.items()
    ]
    if calls:
        body += "<h2>How it is called</h2>" + table(("library", "line"), calls)
    body += _by_size(name, written)
    rows = []
    for played in written:
        counters, address = played.recording.counters, f"../{algorithm_file(played.row)}"
        cells = [link(address, played.row.algorithm), str(played.recording.ranks)]
        cells += [str(counters.steps), str(counters.messages), _sent(played.recording)]
        rows.append([*cells, plain_markup(played.row.idea)])
    head = ("algorithm", "ranks", "steps", "messages", "sent by the busiest", "what it does")
    body += "<h2>Its algorithms</h2>" + table(head, rows)
    subject = promise.title + f" {player.row.algorithm}" * promise.paired
    body += settings()["pages"]["counted"].format(name=subject, ranks=RANKS, by=timed_by(promise))
    write_sheet(folder, f"lookup/{promise.title}.html", promise.title, body)


def _before_and_after(promise: Collective) -> str:
    """What the slots of four ranks hold before and after; nothing where pairs or tables say it."""
    if promise.paired or promise.routed or not promise.moves_data:
        return ""
    ranks = range(len(LETTERS))
    task = Promise(promise, len(LETTERS))

    def held(origins: Mapping[tuple[int, int], Sequence[tuple[int, int]]]) -> str:
        rows = []
        for rank in ranks:
            texts = (origins.get((rank, slot), ()) for slot in ranks)
            rows.append(
                [str(rank)]
                + [" + ".join(f"{LETTERS[q]}{chunk}" for q, chunk in text) or "–" for text in texts]
            )
        return table(("rank", *(f"slot {slot}" for slot in ranks)), rows)

    before = held({cell: [cell] for cell in task.before})
    return (
        f'<div class="both"><section><h2>Before</h2>{before}</section>'
        f"<section><h2>After</h2>{held(task.after)}</section></div>"
        f'<p class="small">{LETTERS[0]}, {LETTERS[1]}, … is the data of rank 0, 1, …; the number '
        "is its chunk. What a rank need not have is left out.</p>"
    )


def _by_size(name: str, written: Sequence[Played]) -> str:
    """The times of the algorithms at the sizes of the slider; without scripts at three of them."""
    times = [ranked(name, MACHINE, size)[0] for size in SLIDER]
    names = [
        played.row.algorithm
        for played in written
        if any(played.row.algorithm in seconds for seconds in times)
    ]
    if not names or not COLLECTIVES[name].moves_data:
        return ""
    files = {played.row.algorithm: f"../{algorithm_file(played.row)}" for played in written}
    rows = [
        {
            "name": algorithm,
            "address": files[algorithm],
            "seconds": [seconds.get(algorithm) for seconds in times],
            "texts": [_text(seconds.get(algorithm)) for seconds in times],
            "libraries": [", ".join(_users(name, algorithm, at)) for at in range(len(SLIDER))],
        }
        for algorithm in names
    ]
    data = json.dumps({"sizes": [size_text(size) for size in SLIDER], "rows": rows})
    head = ("algorithm", *(size_text(SLIDER[at]) for at in THREE))
    body = table(
        head,
        [
            [link(files[algorithm], algorithm), *(_text(times[at].get(algorithm)) for at in THREE)]
            for algorithm in sorted(names, key=lambda key: times[THREE[1]].get(key, float("inf")))
        ],
    )
    note = settings()["pages"]["timed"].format(ranks=RANKS, machine=MACHINE)
    return f"<h2>Which is the fastest</h2><div data-times='{escape(data)}'>{body}</div>{note}"


def _users(collective: str, algorithm: str, at: int) -> list[str]:
    """The libraries that run an algorithm at a size of the slider."""
    return [t for t, rows in chosen_rows(collective).items() if rows[at][0] == algorithm]


def _text(seconds: float | None) -> str:
    """A time, or a dash where the algorithm does not run."""
    return "–" if seconds is None else time_text(seconds)


def _sent(recording: Recording) -> str:
    """The bytes that the busiest rank sends, in vectors."""
    return f"{vectors_sent(recording):.4g}" if recording.collective.moves_data else "–"
