"""The catalog as `collectives list` prints it: by name, with formulas, or one algorithm of it."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from collectives.catalog import DEFAULT_CHUNKS, ROWS, Row, find_row
from collectives.catalog.row_report import EXAMPLE, RowReport, row_values, usual_default
from collectives.collective import COLLECTIVES, find_collective
from collectives.errors import BadInput
from collectives.text_lines import Grid, Heading, Lines, Paragraph, Reporting, ReportLine
from collectives.theory.case import LETTERS
from collectives.theory.written import readable
from collectives.words import brief, nearest

OTHERS = ("machines", "links", "libraries")  # listed, too: collectives/cost/machine_list.py
NAMES = "nccl"  # what NCCL has a name for
OPTIMA = {"R": "steps", "B": "port", "T": "total"}
BEST_FOR = {"R": "short", "B": "long"}  # vectors
USERS = re.compile(
    "NCCL|MPICH|Open MPI|[Gg]loo|UCC|oneCCL|MSCCL|vLLM|TensorRT-LLM|Horovod|MVAPICH2|BytePS|SimGrid"
    "|PyTorch|ncclx"
)
HEAD = ("algorithm", "ranks", "steps", "messages", "sent", "optimal in", "source")


@dataclass(frozen=True)
class ListReport:
    """Rows of the catalog by name; with_formulas: what each of them counts, too."""

    rows: Sequence[Row]
    with_formulas: bool = False

    def lines(self) -> Lines:
        """A table for each collective, then what its columns mean."""
        return _formula_lines(self.rows) if self.with_formulas else _name_lines(self.rows)

    def as_json(self) -> list[dict[str, Any]]:
        """All that is known of each row."""
        return [row_values(row) for row in self.rows]


def listed_rows(words: Sequence[str]) -> Reporting:
    """What `collectives list` prints of these words; raises BadInput where they name nothing."""
    rows = find_rows(words)
    return RowReport(*rows) if len(words) == 2 else ListReport(rows, bool(words))


def find_rows(words: Sequence[str]) -> tuple[Row, ...]:
    """The rows that words name: a collective, a collective and an algorithm, or an algorithm.

    >>> [row.title for row in find_rows(["circulant"])]
    ['circulant all-gather', 'circulant reduce-scatter', 'circulant all-reduce']
    """
    if not words:
        return ROWS
    if len(words) > 2:
        raise BadInput(f"{' '.join(words)!r}: two words are enough, as in all-reduce ring")
    if len(words) == 2:
        return (find_row(*words),)
    key = words[0].replace("_", "-").lower()
    if key.replace("-", "_") not in COLLECTIVES:
        called = tuple(row for row in ROWS if key in (row.algorithm, *row.also))
        if called:
            return called
    try:
        name = find_collective(words[0]).name
    except BadInput:
        known = [*(collective.title for collective in COLLECTIVES.values()), *OTHERS, NAMES]
        raise BadInput(f"unknown collective {brief(words[0])}; {nearest(key, known)}") from None
    return tuple(row for row in ROWS if row.collective == name)


def users(row: Row) -> str:
    """The libraries that use an algorithm, without when.

    >>> users(find_row("barrier", "dissemination"))
    'MPICH, gloo, Open MPI'
    """
    named = dict.fromkeys(USERS.findall(row.used_by))
    return ", ".join(named) or row.used_by.partition(":")[0]


def _name_lines(rows: Iterable[Row]) -> Lines:
    """One line for each algorithm."""
    for name, group in groupby(rows, lambda row: row.collective):
        yield Heading(COLLECTIVES[name].title)
        body = [[f"{row.algorithm:<24}", f"{_best_for(row):<11}", users(row)] for row in group]
        yield Grid(body, ("algorithm", "best for", "used by"), indent=2)
        yield ""
    for lead, text in (
        ("best for", "short vectors: its steps equal the lower bound for its ports"),
        ("  ", "long vectors: the least bytes there can be through its busiest port"),
        ("  ", "blank: neither; it may be the fastest in between, see collectives time"),
        ("used by", "blank: no library we know of; when: collectives list all-reduce ring"),
    ):
        yield Paragraph(text, lead, 10)
    yield ""
    yield "formulas: collectives list all-reduce"
    yield "all of one algorithm: collectives list all-reduce ring"
    yield "what else can be chosen: collectives list machines, links or libraries"


def _best_for(row: Row) -> str:
    return ", ".join(BEST_FOR[letter] for letter in row.form.optimal if letter in BEST_FOR)


def _formula_lines(rows: Iterable[Row]) -> Lines:
    """Rows with their formulas, a table for each collective, then what letters and numbers mean."""
    sources: dict[str, int] = {}
    usual: dict[str, str] = {}
    for name, group in groupby(rows, lambda row: row.collective):
        of_one = list(group)
        promise = COLLECTIVES[name]
        yield Heading(f"{promise.title}: {promise.sentence[0].lower()}{promise.sentence[1:]}")
        if calls := promise.calls.named:
            yield Grid([[library, line] for library, line in calls.items()], indent=2)
            yield ""
        numbered = [(row, sources.setdefault(row.source, len(sources) + 1)) for row in of_one]
        yield Grid([_cells(row, source) for row, source in numbered], HEAD, indent=2)
        yield ""
        for row in of_one:
            if more := _more(row):
                yield Paragraph(f"  {row.algorithm}: {more}", indent=6)
        usual |= yield from _letter_lines(of_one)
        yield ""
    notes = {symbol: usual[symbol] for symbol in LETTERS if symbol in usual}
    notes |= {
        "sent": "bytes sent by the busiest rank, if N > 1 and all chunks are of one size",
        "optimal in": "what equals its lower bound for all accepted N; port: the bytes that the "
        "busiest rank sends, or receives if that is more; total: the bytes of all",
        "//": "divided, and rounded down",
        "more": "collectives list all-reduce ring",
    }
    for symbol, meaning in notes.items():
        yield Paragraph(meaning, f"{symbol}:", 12)
    yield ""
    for source, number in sources.items():
        yield Paragraph(source, f"[{number}]", 5)


def _cells(row: Row, source: int) -> list[str]:
    steps, messages, sent, _ = map(readable, row.form.text)
    reached = ", ".join(OPTIMA[letter] for letter in row.form.optimal)
    return [row.algorithm, row.sizes.text, steps, messages, sent, reached, f"[{source}]"]


def _more(row: Row) -> str:
    """Other names and parameters with their defaults, for the line below a table."""
    parts = [f"also {', '.join(row.also)}"] if row.also else []
    known = {"root": "root=0", "chunks": f"chunks={DEFAULT_CHUNKS}"}
    values = [text for name, text in known.items() if name in row.parameters]
    for parameter in row.takes:
        value = usual_default(parameter)
        some = f"{parameter.default(EXAMPLE, {})} if N={EXAMPLE}"
        values.append(f"{parameter.name}={some if value is None else value}")
    if values:
        parts.append(f"takes {', '.join(values)}")
    return "; ".join(parts)


def _letter_lines(rows: list[Row]) -> Generator[ReportLine, None, dict[str, str]]:
    """Explain the letters that only these rows have; those that all may use are returned."""
    usual: dict[str, str] = {}
    own: dict[str, dict[str, list[str]]] = {}
    for row in rows:
        meanings = [(take.name, take.meaning) for take in row.takes]
        for letter in row.letters(row.form.text[:3]):
            if LETTERS.get(letter.symbol) is letter:
                usual[letter.symbol] = letter.meaning
            else:
                meanings.append((letter.symbol, letter.meaning))
        for symbol, meaning in meanings:
            own.setdefault(symbol, {}).setdefault(meaning, []).append(row.algorithm)
    for symbol, meanings_of in own.items():
        whose = [f"{meaning} ({', '.join(names)})" for meaning, names in meanings_of.items()]
        yield Paragraph(
            f"  {symbol}: {'; '.join(whose if len(meanings_of) > 1 else meanings_of)}", indent=5
        )
    return usual
