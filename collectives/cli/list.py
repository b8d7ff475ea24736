"""What `collectives list` prints: the catalog, a collective of it, and what else can be chosen."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Any

from collectives.catalog import DEFAULT_CHUNKS, ROWS, Row, find_row
from collectives.cli.about import EXAMPLE, letters_of, row_report, show_row, usual_default
from collectives.cli.console import say, say_json, say_paragraph, say_table
from collectives.collective import COLLECTIVES, find_collective
from collectives.errors import BadInput
from collectives.theory.case import LETTERS
from collectives.theory.written import readable
from collectives.units import rate_text, time_text
from collectives.words import brief, nearest

OPTIMA = {"R": "steps", "B": "port", "T": "total"}
BEST_FOR = {"R": "short", "B": "long"}  # vectors
USERS = re.compile(
    "NCCL|MPICH|Open MPI|[Gg]loo|UCC|oneCCL|MSCCL|vLLM|TensorRT-LLM|Horovod|MVAPICH2|BytePS|SimGrid"
)
HEAD = ("algorithm", "ranks", "steps", "messages", "sent", "optimal in", "source")


def show_list(words: Sequence[str], as_json: bool) -> None:
    """`collectives list`; raises BadInput for words that name nothing."""
    others = OTHERS.get(words[0].lower()) if len(words) == 1 else None
    if others is not None:
        others(as_json)
        return
    rows = find_rows(words)
    if as_json:
        say_json([row_report(row) for row in rows])
    elif not words:
        _show_names(rows)
    elif len(words) == 2:
        show_row(*rows)
    else:
        _show_formulas(rows)


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
        known = [*(collective.title for collective in COLLECTIVES.values()), *OTHERS]
        raise BadInput(f"unknown collective {brief(words[0])}; {nearest(key, known)}") from None
    return tuple(row for row in ROWS if row.collective == name)


def users(row: Row) -> str:
    """The libraries that use an algorithm, without when.

    >>> users(find_row("barrier", "dissemination"))
    'MPICH, gloo, Open MPI'
    """
    named = dict.fromkeys(USERS.findall(row.used_by))
    return ", ".join(named) or row.used_by.partition(":")[0]


def _show_names(rows: Iterable[Row]) -> None:
    """One line for each algorithm."""
    for name, group in groupby(rows, lambda row: row.collective):
        say(COLLECTIVES[name].title, bold=True)
        body = [[f"{row.algorithm:<24}", f"{_best_for(row):<11}", users(row)] for row in group]
        say_table(body, ("algorithm", "best for", "used by"), indent=2)
        say()
    for lead, text in (
        ("best for", "short vectors: its steps equal the lower bound for its ports"),
        ("  ", "long vectors: the least bytes there can be through its busiest port"),
        ("  ", "blank: neither; it may be the fastest in between, see collectives time"),
        ("used by", "blank: no library we know of; when: collectives list all-reduce ring"),
    ):
        say_paragraph(text, lead, 10)
    say()
    say("formulas: collectives list all-reduce")
    say("all of one algorithm: collectives list all-reduce ring")
    say("what else can be chosen: collectives list machines, links or libraries")


def _best_for(row: Row) -> str:
    return ", ".join(BEST_FOR[letter] for letter in row.form.optimal if letter in BEST_FOR)


def _show_formulas(rows: Iterable[Row]) -> None:
    """Rows with their formulas, a table for each collective, then what letters and numbers mean."""
    sources: dict[str, int] = {}
    usual: dict[str, str] = {}
    for name, group in groupby(rows, lambda row: row.collective):
        of_one = list(group)
        promise = COLLECTIVES[name]
        say(f"{promise.title}: {promise.sentence[0].lower()}{promise.sentence[1:]}", bold=True)
        numbered = [(row, sources.setdefault(row.source, len(sources) + 1)) for row in of_one]
        say_table([_cells(row, source) for row, source in numbered], HEAD, indent=2)
        say()
        for row in of_one:
            if more := _more(row):
                say_paragraph(f"  {row.algorithm}: {more}", indent=6)
        usual |= _say_letters(of_one)
        say()
    notes = {symbol: usual[symbol] for symbol in LETTERS if symbol in usual}
    notes |= {
        "sent": "bytes sent by the busiest rank, if N > 1 and all chunks are of one size",
        "optimal in": "what equals its lower bound for all accepted N; port: the bytes that the "
        "busiest rank sends, or receives if that is more; total: the bytes of all",
        "//": "divided, and rounded down",
        "more": "collectives list all-reduce ring",
    }
    for symbol, meaning in notes.items():
        say_paragraph(meaning, f"{symbol}:", 12)
    say()
    for source, number in sources.items():
        say_paragraph(source, f"[{number}]", 5)


def _cells(row: Row, source: int) -> list[str]:
    steps, messages, sent, _ = map(readable, row.form.text)
    reached = ", ".join(OPTIMA[letter] for letter in row.form.optimal)
    return [row.algorithm, row.sizes.text, steps, messages, sent, reached, f"[{source}]"]


def _more(row: Row) -> str:
    """Other names and parameters with their defaults, for the line below a table."""
    parts = [f"also {', '.join(row.also)}"] if row.also else []
    known = {"root": "root=0", "chunks": f"chunks={DEFAULT_CHUNKS}"}
    given = [text for name, text in known.items() if name in row.parameters]
    for parameter in row.takes:
        value = usual_default(parameter)
        some = f"{parameter.default(EXAMPLE, {})} if N={EXAMPLE}"
        given.append(f"{parameter.name}={some if value is None else value}")
    if given:
        parts.append(f"takes {', '.join(given)}")
    return "; ".join(parts)


def _say_letters(rows: list[Row]) -> dict[str, str]:
    """Explain the letters that only these rows have; those that all may use are returned."""
    usual: dict[str, str] = {}
    own: dict[str, dict[str, list[str]]] = {}
    for row in rows:
        meanings = [(one.name, one.meaning) for one in row.takes]
        for letter in letters_of(row, row.form.text[:3]):
            if LETTERS.get(letter.symbol) is letter:
                usual[letter.symbol] = letter.meaning
            else:
                meanings.append((letter.symbol, letter.meaning))
        for symbol, meaning in meanings:
            own.setdefault(symbol, {}).setdefault(meaning, []).append(row.algorithm)
    for symbol, found in own.items():
        whose = [f"{meaning} ({', '.join(names)})" for meaning, names in found.items()]
        say_paragraph(f"  {symbol}: {'; '.join(whose if len(found) > 1 else found)}", indent=5)
    return usual


def show_machines(as_json: bool) -> None:
    """The machines, and the parameters of each with its default and meaning."""
    from collectives.cost.machines import list_machines

    machines: list[dict[str, Any]] = list_machines()
    if as_json:
        say_json(machines)
        return
    for machine in machines:
        say_paragraph(machine["about"], machine["name"], 17)
        for one in machine["parameters"]:
            text = f"{one['name']}={one['default']}"
            say_paragraph(one["meaning"], f"{'':<17}{text:<22} ", 40)
        if not machine["parameters"]:
            say_paragraph("takes no parameters", " ", 17)
    say()
    say_paragraph("typed as in --topology cluster:gpus=4,nics=1; names of links: list links")
    say_paragraph("drawn by collectives figure topology hgx-h100; your own: --topology FILE.toml")


def show_links(as_json: bool) -> None:
    """The kinds of links that machines are made of."""
    from collectives.cost.machines.links import LINKS, list_links

    if as_json:
        say_json(list_links())
        return
    body = [
        [
            link.name,
            rate_text(link.bandwidth),
            time_text(link.latency),
            ", ".join(link.other_names),
            link.source,
        ]
        for link in LINKS.values()
    ]
    say_table(body, ("link", "each way", "latency", "also called", "source"), (1, 2))
    say()
    say_paragraph("each way: the line rate of one direction; latencies are typical values")
    say_paragraph("also called: blank where there is no other name")


def show_libraries(as_json: bool) -> None:
    """The libraries whose choice is known, and what each decides by."""
    from collectives.cost.libraries.default_algorithm import LIBRARIES

    if as_json:
        say_json([{"name": name, **vars(library)} for name, library in LIBRARIES.items()])
        return
    for name, library in LIBRARIES.items():
        say_paragraph(f"{library.title} decides by {library.decides_by}", name, 14)
        say_paragraph(", ".join(one.replace("_", "-") for one in library.collectives), "  ", 14)
        say_paragraph(f"source: {library.source}", "  ", 14)
    say()
    say("as in: collectives time all-reduce --like nccl --size 1MiB --topology hgx-h100")


OTHERS = {"machines": show_machines, "links": show_links, "libraries": show_libraries}
