"""What `collectives list` prints: the catalog, or one collective of it, in tables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from collectives.catalog import DEFAULT_CHUNKS, ROWS, Parameter, Row, find_row
from collectives.cli.text import say, say_columns, say_table, wrapped
from collectives.collective import COLLECTIVES, find_collective
from collectives.errors import BadInput
from collectives.theory.case import LETTERS, Letter

OPTIMA = {"R": "steps", "B": "sent", "T": "total"}
SHOWN = (4, 8, 16, 64)  # numbers of ranks whose defaults are shown where they depend on it
EXAMPLE = 8  # ranks of an example
HEAD = ("algorithm", "ranks", "steps", "messages", "sent", "least", "from")


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
    name = find_collective(words[0]).name
    return tuple(row for row in ROWS if row.collective == name)


def show_rows(rows: Iterable[Row]) -> None:
    """Rows in a table for each collective, then what the letters and numbers mean."""
    sources: dict[str, int] = {}
    usual: dict[str, str] = {}
    for name, group in groupby(rows, lambda row: row.collective):
        of_one = list(group)
        promise = COLLECTIVES[name]
        say(f"{promise.title}: {promise.sentence[0].lower()}{promise.sentence[1:]}", bold=True)
        body, notes = [], []
        for row in of_one:
            body.append(_cells(row, sources.setdefault(row.source, len(sources) + 1)))
            notes.append(_more(row))
        say_columns(body, HEAD, notes)
        usual |= _say_letters(of_one)
        say()
    say_table(
        [
            *((f"{symbol}:", usual[symbol]) for symbol in LETTERS if symbol in usual),
            ("sent:", "bytes sent by the busiest rank, if N > 1 and all chunks are of one size"),
            ("least:", "equal to its lower bound for all accepted N; total: the bytes of all"),
            ("//:", "divided, and rounded down"),
            ("more:", "collectives list all-reduce; collectives list all-reduce ring"),
        ]
    )
    say()
    for source, number in sources.items():
        for line in wrapped(f"{f'[{number}]':<5}{source}", indent=5):
            say(line)


def readable(formula: str) -> str:
    """A formula of `theory` as people write it.

    >>> readable("2*(N-1)/N*S"), readable("N**2 - min(1, R)")
    ('2 (N-1)/N S', 'N^2-min(1,R)')
    """
    plain = formula.replace(", ", ",").replace(" + ", "+").replace(" - ", "-")
    return plain.replace("**", "^").replace("*", " ")


def usual_default(parameter: Parameter) -> int | None:
    """The default that is the same for any number of ranks; None if there is none."""
    found = {parameter.default(ranks) for ranks in range(2, SHOWN[-1] + 1)}
    return found.pop() if len(found) == 1 else None


def _cells(row: Row, source: int) -> list[str]:
    steps, messages, sent, _ = map(readable, row.form.text)
    reached = ", ".join(OPTIMA[letter] for letter in row.form.optimal)
    return [row.algorithm, row.sizes.text, steps, messages, sent, reached, f"[{source}]"]


def _more(row: Row) -> str:
    """Other names and parameters with their defaults, for the line below a row."""
    parts = [f"also {', '.join(row.also)}"] if row.also else []
    given = []
    if "root" in row.parameters:
        given.append("root=0")
    if "chunks" in row.parameters:
        given.append(f"chunks={DEFAULT_CHUNKS}")
    for parameter in row.takes:
        value = usual_default(parameter)
        some = f"{parameter.default(EXAMPLE)} if N={EXAMPLE}"
        given.append(f"{parameter.name}={some if value is None else value}")
    if given:
        parts.append(f"takes {', '.join(given)}")
    return "; ".join(parts)


def _say_letters(rows: list[Row]) -> dict[str, str]:
    """Explain the letters that only these rows have; those that all may use are returned."""
    usual: dict[str, str] = {}
    own: dict[str, dict[str, list[str]]] = {}
    for row in rows:
        for letter in letters_of(row, row.form.text[:3]):
            if LETTERS.get(letter.symbol) is letter:
                usual[letter.symbol] = letter.meaning
            else:
                named = own.setdefault(letter.symbol, {}).setdefault(letter.meaning, [])
                named.append(row.algorithm)
        for parameter in row.takes:
            named = own.setdefault(parameter.name, {}).setdefault(parameter.meaning, [])
            named.append(row.algorithm)
    for symbol, meanings in own.items():
        several = len(meanings) > 1
        text = "; ".join(
            f"{meaning} ({', '.join(names)})" if several else meaning
            for meaning, names in meanings.items()
        )
        for line in wrapped(f"  {symbol}: {text}", indent=5):
            say(line)
    return usual


def letters_of(row: Row, formulas: Iterable[str]) -> list[Letter]:
    """The letters in these formulas, each once."""
    found = {letter.symbol: letter for text in formulas for letter in row.form.letters(text)}
    return list(found.values())
