"""A page for each algorithm: played, counted, timed beside its rivals, its sums, its code."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from html import escape
from pathlib import Path

from animations.site.layout import frame, link, settings, table, write_sheet
from animations.site.played import Played
from animations.site.report_markup import plain_markup, report_markup
from animations.site.site_times import MACHINES, RANKS, SIZES, library_spans, ranked, timed_by
from collectives.catalog import Row, rivals_of
from collectives.catalog.row_report import row_facts
from collectives.errors import BadInput
from collectives.proof.addition_order import addition_order
from collectives.proof.counts_table import count_lines
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.schedule.provenance import Source
from collectives.units import size_text, time_text
from collectives.words import ranges

MOST_SUMS = 8  # of a recording that are written out
ADDING = (4, 2, 3, 5, 6, 8, 9)  # ranks, few enough to read a sum, until an algorithm accepts them
PAPER = re.compile(r"arXiv (\d{4}\.\d{4,5})")


def algorithm_file(row: Row) -> str:
    """The file of its page, from the folder of the site on."""
    return f"algorithms/{row.algorithm}-{row.promise.title}.html"


def write_algorithms(folder: Path, written: Sequence[Played]) -> None:
    """Write the page of each algorithm that is played."""
    written_rows = {(played.row.collective, played.row.algorithm) for played in written}
    for played in written:
        _write(folder, played, written_rows)


def _write(folder: Path, played: Played, written_rows: set[tuple[str, str]]) -> None:
    row, recording = played.row, played.recording
    collective, head = row.promise, escape(row.heading)
    page = f"../lookup/{collective.title}.html"
    body = f"<h1>{head}</h1><p>{escape(collective.sentence)}. {plain_markup(row.idea)}</p>"
    body += frame(f"../players/{played.file}#embed", f"Player of {row.title}")
    body += "<h2>The idea</h2>" + _phases(played)
    body += "<h2>What it takes</h2>" + table(("what", "by the catalog"), _facts(row))
    body += f"<h2>Counted on {recording.ranks} ranks</h2>{report_markup(count_lines(recording))}"
    body += _choices(row) + _times(row, written_rows) + _sums(row)
    body += "<h2>Its code</h2>" + "".join(
        f'<h3><code>{escape(source.function)}</code></h3><p class="small">{escape(source.file)}, '
        f"line {source.first}</p><pre><code>{escape(source.text.rstrip())}</code></pre>"
        for source in _sources(recording)
    )
    body += f"<h2>Run it</h2><pre><code>{escape(_commands(row, recording.ranks))}</code></pre>"
    body += f"<p>{link(page, f'All algorithms of {collective.title}')}</p>"
    write_sheet(folder, algorithm_file(row), row.heading, body, above=f"lookup/{collective.title}")


def _phases(played: Played) -> str:
    """Why anybody needs it, then what each phase does, by the texts of the functions that ran."""
    board = played.board
    items = "".join(
        f"<li>Step {ranges(list(range(phase.first + 1, phase.end + 1)))}, "
        f"{escape(phase.name)}{f': {escape(phase.promise)}' if phase.promise else ''}.</li>"
        for phase in board.phases
        if phase.end > phase.first
    )
    need = f"<p>{escape(board.reason)}</p>" if board.reason else ""
    return need + (f"<ol>{items}</ol>" if items else "<p>Nothing is sent.</p>")


def _facts(row: Row) -> Iterator[tuple[str, str]]:
    """What the catalog has of the algorithm; papers that arXiv has are linked."""
    for what, text in row_facts(row):
        if text:
            linked = PAPER.sub(r'<a href="https://arxiv.org/abs/\1">\g<0></a>', escape(text))
            yield escape(what), linked


def _choices(row: Row) -> str:
    """Which library runs it when, by what the library's rules say here."""
    rows = [
        tuple(map(escape, cells))
        for algorithm, *cells in library_spans(row.collective)
        if algorithm == row.algorithm
    ]
    if not rows:
        return ""
    body = "<h2>Which library runs it when</h2>" + table(("library", "its name", "vector"), rows)
    return f'{body}<p class="small">{RANKS} ranks, by the rules of each library; NCCL on H100.</p>'


def _times(row: Row, written_rows: set[tuple[str, str]]) -> str:
    """Its time on several machines, beside its rivals and the fastest."""
    cases = [(machine, size) for machine in MACHINES for size in SIZES]
    times = [ranked(row.collective, *case) for case in cases]
    names = [row.algorithm, *(rival.algorithm for rival in rivals_of(row))]
    names += [next(iter(seconds)) for seconds, _ in times if seconds]
    rows = []
    for name in dict.fromkeys(names):
        cells = [time_text(seconds[name]) if name in seconds else "–" for seconds, _ in times]
        address = f"{name}-{row.promise.title}.html"
        is_linked = name != row.algorithm and (row.collective, name) in written_rows
        rows.append([link(address, name) if is_linked else escape(name), *cells])
    if not any(seconds for seconds, _ in times):
        return ""
    head = ("algorithm", *(f"{machine}, {size_text(size)}" for machine, size in cases))
    reasons = {
        f"{machine}: {left_out[row.algorithm]}"
        for (machine, _), (_, left_out) in zip(cases, times, strict=True)
        if row.algorithm in left_out
    }
    body = "<h2>Its time beside its rivals and the fastest</h2>" + table(head, rows)
    body += "".join(f"<p>Not on {escape(reason)}.</p>" for reason in sorted(reasons))
    return f'{body}<p class="small">{RANKS} ranks, lockstep clock.</p>'


def _sums(row: Row) -> str:
    """In which order floats are added, on a few ranks."""
    ranks = next((ranks for ranks in ADDING if row.accepts(ranks)), 0)
    if not row.promise.reduces or not ranks:
        return ""
    try:
        sums = addition_order(record(row.collective, row.algorithm, ranks=ranks))
    except BadInput:
        return ""
    rows = [
        (f"<code>{escape(each.expression)}</code>", ranges(each.chunks), ranges(each.ranks))
        for each in sums[:MOST_SUMS]
    ]
    body = "<h2>Order of the float sums</h2>" + table(("sum", "chunk", "ends at rank"), rows)
    rest = len(sums) - len(rows)
    more = f" {rest} more sums are not listed." if rest > 0 else ""
    return f'{body}<p class="small">{ranks} ranks; x0 is the data of rank 0.{more}</p>'


def _sources(recording: Recording) -> list[Source]:
    """The functions that made the steps, in the order in which they were at work."""
    return list(
        dict.fromkeys(
            entry.source
            for step in recording.steps
            for stamp in dict.fromkeys(step.stamps)
            for entry in stamp
            if entry.source.text
        )
    )


def _commands(row: Row, ranks: int) -> str:
    """What shows more of it."""
    name, on = f"{row.promise.title} {row.algorithm}", f"-n {ranks}"
    return str(
        settings()["pages"]["commands"].format(
            name=name, on=on, by=timed_by(row.promise, row.algorithm)
        )
    )
