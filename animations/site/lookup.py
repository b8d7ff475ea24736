"""What one looks up: pages of collectives, players of algorithms, maps of machines."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby
from pathlib import Path

from animations.player.catalog import write_catalog
from animations.player.page import write_page
from animations.site.layout import frame, link, listed_links, table, write_sheet
from animations.story.storyboard import Storyboard
from animations.story.usual import usual_board
from collectives.catalog import ROWS, Row
from collectives.catalog.starts import START_HERE
from collectives.collective import COLLECTIVES
from collectives.cost.by_name import rank
from collectives.cost.machines import topology_for
from collectives.cost.machines.named import list_machines
from collectives.errors import BadInput
from collectives.files import name_on_ranks
from collectives.progress import counted
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.units import size_text, time_text

RANKS, MACHINE = 8, "hgx-h100"
NEAR = (RANKS, 9, 7, 6, 4, *range(1, 65))  # of ranks, until an algorithm accepts one
SIZES = (64 << 10, 64 << 20)
HEAD = ("algorithm", "ranks", "steps", "sent by the busiest rank", *map(size_text, SIZES))


@dataclass(frozen=True)
class Played:
    """An algorithm with its recording, its storyboard and the file of its player."""

    row: Row
    recording: Recording
    board: Storyboard
    file: str


def played_rows(folder: Path, names: Collection[str]) -> list[Played]:
    """The algorithms of these collectives, each with a player page that is written here."""
    rows = [row for row in ROWS if row.collective in names]
    written = []
    for row in counted(rows, "writing players", len(rows), "algorithms"):
        ranks = next(ranks for ranks in NEAR if row.accepts(ranks))
        recording = record(row.collective, row.algorithm, ranks=ranks)
        board, file = usual_board(recording), name_on_ranks(row.title, ranks, ".html")
        write_page(board, folder / "players" / file)
        written.append(Played(row, recording, board, file))
    return written


def write_lookup(folder: Path, written: Sequence[Played], machines: Sequence[str]) -> None:
    """Write the pages of collectives and machines, the gallery and the page that leads to them."""
    write_catalog(
        [(each.recording, each.board) for each in written], folder / "gallery.html", mapped=True
    )
    names = []
    for name, group in groupby(written, lambda each: each.row.collective):
        _write_collective(folder, name, list(group))
        names.append((f"{COLLECTIVES[name].title}.html", COLLECTIVES[name].title))
    for machine in machines:
        _write_machine(folder, machine)
    body = "<h1>Look up</h1><h2>Collectives</h2>" + listed_links(names)
    body += "<h2>All algorithms on a map</h2><p>"
    body += link("../gallery.html", f"{len(written)} algorithms, to choose and play") + "</p>"
    about = {entry["name"]: entry["about"] for entry in list_machines()}
    body += "<h2>Machines</h2>" + table(
        ("machine", "what it is"),
        [(link(f"machine-{name}.html", name), escape(about[name])) for name in machines],
    )
    write_sheet(folder, "lookup/index.html", "Look up", body)


def _write_collective(folder: Path, name: str, written: Sequence[Played]) -> None:
    """What a collective promises, its calls, and its algorithms counted and timed."""
    promise = COLLECTIVES[name]
    timed = [_times(name, size) for size in SIZES]
    rows = []
    for each in written:
        counters, ranks = each.recording.counters, each.recording.ranks
        cells = [link(f"../players/{each.file}", each.row.algorithm), str(ranks)]
        cells += [str(counters.steps), _sent(each.recording)]
        rows.append([*cells, *(times.get(each.row.algorithm, "–") for times in timed)])
    calls = [
        (escape(library), f"<code>{escape(line)}</code>")
        for library, line in promise.calls.named.items()
    ]
    player = next((each for each in written if _is_start(each.row)), written[0])
    body = f"<h1>{promise.title}</h1><p>{escape(promise.sentence)}.</p>"
    body += frame(f"../players/{player.file}#embed", f"Player of {player.row.title}")
    if calls:
        body += "<h2>How it is called</h2>" + table(("library", "line"), calls)
    body += "<h2>Its algorithms</h2>" + table(HEAD, rows)
    body += (
        f'<p class="small">Steps and bytes were counted in executed schedules, in parts of the '
        f"vector. Times: {RANKS} ranks on {MACHINE}, lockstep clock; – where an algorithm does not "
        f"run there.</p><pre><code>collectives time {promise.title} -n {RANKS} "
        f"--topology {MACHINE} --size 64MiB</code></pre>"
    )
    write_sheet(folder, f"lookup/{promise.title}.html", promise.title, body)


def _is_start(row: Row) -> bool:
    """Whether it is a good one to begin with."""
    return (row.collective, row.algorithm) in START_HERE


def _sent(recording: Recording) -> str:
    """The bytes that the busiest rank sends, in vectors."""
    if not recording.collective.moves_data:
        return "–"
    vector = recording.count * recording.dtype.itemsize
    return f"{int(max(recording.counters.bytes_sent[: recording.ranks])) / vector:.4g}"


def _times(name: str, size: int) -> dict[str, str]:
    """The time of each algorithm that fits the machine; none where nothing can be ranked."""
    try:
        ranking = rank(name, ranks=RANKS, size=size, topology=MACHINE)
    except BadInput:
        return {}
    return {each.name: time_text(each.seconds) for each in ranking.timed}


def _write_machine(folder: Path, name: str) -> None:
    """The map of a machine, on which a ring all-reduce runs."""
    recording = record("all_reduce", "ring", ranks=RANKS)
    board, file = usual_board(recording, topology_for(recording, name)), f"machine-{name}.html"
    write_page(board, folder / "players" / file, explored=True, opened=True)
    about = next(entry["about"] for entry in list_machines() if entry["name"] == name)
    body = f"<h1>{escape(name)}</h1><p>{escape(about)}</p>"
    body += frame(f"../players/{file}#view=map&embed", f"Map of {name} with a ring all-reduce")
    body += f"<pre><code>collectives page --topology {name} -n {RANKS}</code></pre>"
    write_sheet(folder, f"lookup/{file}", name, body, wide=True)
