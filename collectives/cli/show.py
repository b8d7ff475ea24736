"""What `list` and `run` print beside the steps: the catalog, counts, results, the verdict."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from collectives.catalog import ROWS, Row
from collectives.cli.text import elements, plural, say, say_table
from collectives.recording import Recording
from collectives.resources import in_words

MOST_RANKS = 16  # whose results are shown
SYMBOLS = {
    "N": "N ranks",
    "S": "S bytes in the full vector",
    "C": "C = ceil(log2 N)",
    "q": "q chunks",
    "B": "B = ranks in the largest subtree below the root of a binomial tree",
    "V": "V = binary ones in the numbers 1 to N-1",
}


def show_list(rows: Iterable[Row] = ROWS) -> None:
    """The catalog as a table."""
    sources: dict[str, int] = {}
    cells = []
    for row in rows:
        steps, messages, sent, _ = map(readable, row.form.text)
        number = sources.setdefault(row.form.source, len(sources) + 1)
        parameters = ", ".join(row.parameters)
        name = row.promise.title
        cells.append((name, row.algorithm, parameters, steps, messages, sent, f"[{number}]"))
    head = ("collective", "algorithm", "parameters", "steps", "messages", "sent", "source")
    say_table(cells, head)
    say()
    say("sent: bytes sent by the busiest rank, where the vector divides evenly and N > 1.")
    say(", ".join(SYMBOLS[symbol] for symbol in "NSCq") + ",")
    say(f"{SYMBOLS['B']}.")
    say("Every algorithm takes any number of ranks, and any root where it has one.")
    for source, number in sources.items():
        say(f"[{number}] {source}")


def heading(recording: Recording) -> str:
    """One line that says what was run."""
    size = in_words(recording.count * recording.dtype.itemsize)
    parts = [
        recording.title,
        plural(recording.ranks, "rank"),
        f"{recording.count} {recording.dtype} = {size} in {plural(recording.slots, 'slot')}",
    ]
    if recording.nodes > recording.ranks:
        parts.insert(2, plural(recording.nodes - recording.ranks, "more node"))
    if recording.collective.rooted:
        parts.append(f"root {recording.root}")
    if recording.collective.reduces:
        parts.append(recording.op)
    return " · ".join(parts)


def show_data(recording: Recording) -> None:
    """What each rank starts with: the data that was given, or small example numbers."""
    holders = [rank for rank in range(recording.ranks) if recording.before[rank].any()]
    say()
    say("data" if recording.data is not None else "example data", bold=True)
    for rank in holders[:MOST_RANKS]:
        own = np.repeat(recording.before[rank], recording.size)
        say(f"  rank {rank}: {elements(recording.inputs[rank][own], 8)}")
    if len(holders) > MOST_RANKS:
        say(f"  … and {len(holders) - MOST_RANKS} more ranks")


def show_result(recording: Recording, held: list[Any]) -> None:
    """What each rank ends with."""
    promised = [rank for rank in range(len(held)) if recording.after[rank].any()]
    say()
    say("result", bold=True)
    for rank in promised[:MOST_RANKS]:
        say(f"  rank {rank}: {elements(held[rank], 8)}")
    if len(promised) > MOST_RANKS:
        say(f"  … and {len(promised) - MOST_RANKS} more ranks")


def show_counts(recording: Recording) -> None:
    """Executed counts beside closed form and lower bound."""
    say()
    say_table(_counts(recording), ("count", "executed", "closed form", "lower bound"), {1, 2, 3})
    for line in _notes(recording):
        say(line)


def readable(formula: str) -> str:
    """A formula of `theory` as people write it.

    >>> readable("2*(N-1)/N*S")
    '2 (N-1)/N S'
    """
    return formula.replace("*", " ")


def _counts(recording: Recording) -> list[tuple[str, str, str, str]]:
    counted, bound = recording.counters, recording.bound
    steps, messages, sent, total = _closed_forms(recording)
    known = recording.nodes == recording.ranks
    ports = f"{bound.steps} with {plural(bound.ports, 'port')}" if known else ""
    least, latency = (in_words(bound.sent), f"{bound.steps} α") if known else ("", "")
    busiest = (counted.bytes_sent, counted.bytes_received, counted.bytes_by_link)
    out, into, link = (in_words(int(moved.max(initial=0))) for moved in busiest)
    return [
        ("steps", str(counted.steps), steps, ports),
        ("messages", str(counted.messages), messages, ""),
        ("transfers", str(counted.transfers), "", ""),
        ("ports", str(counted.ports), "", ""),
        ("sent by the busiest rank", out, sent, least),
        ("received by the busiest", into, "", ""),
        ("sent by all ranks", in_words(counted.total_bytes), total, ""),
        ("over the busiest link", link, "", ""),
        ("latency", f"{counted.latency_units} α", "", latency),
    ]


def _closed_forms(recording: Recording) -> tuple[str, str, str, str]:
    """Steps, messages, bytes sent by the busiest and by all: their formulas and values."""
    if recording.row is None:
        return "", "", "", ""
    form, case = recording.row.form, recording.case
    steps, messages, sent, total = _formulas(recording)
    return (
        f"{steps}{form.steps(case)}",
        f"{messages}{form.messages(case)}",
        f"{sent}{in_words(form.sent(case))}",
        f"{total}{in_words(form.total(case))}",
    )


def _formulas(recording: Recording) -> tuple[str, str, str, str]:
    """The formulas, each with its "= ", empty where they do not say the value as it is."""
    if recording.row is None or recording.ranks == 1:
        return "", "", "", ""
    text = recording.row.form.text
    steps, messages, sent, total = (f"{readable(formula)} = " for formula in text)
    if text[0].isdigit():
        steps = ""
    even = recording.count % recording.slots == 0
    return steps, messages, sent if even else "", total if even else ""


def _notes(recording: Recording) -> list[str]:
    """What the table means: its symbols, its words, its sources."""
    notes = []
    used = "".join(_formulas(recording))
    values = {symbol: text for symbol, text in _values(recording).items() if symbol in used}
    if values:
        notes.append(", ".join(text for symbol, text in values.items() if symbol in "NSCq"))
        notes.extend(text for symbol, text in values.items() if symbol in "BV")
    if recording.row is not None and recording.count % recording.slots:
        notes.append("slots of unequal size: the closed form of the bytes is shown as its value")
    notes.append("message: what one rank sends another in one step; α: the latency of a message")
    notes.append("ports: most messages that one rank sends, or receives, in one step")
    if recording.nodes > recording.ranks:
        notes.append("lower bounds hold for ranks alone, not where other nodes take part")
    else:
        notes.append(f"lower bounds: {recording.bound.source}")
    if recording.row is not None:
        notes.append(f"closed form: {recording.row.form.source}")
    return notes


def _values(recording: Recording) -> dict[str, str]:
    """The symbols of the formulas, with their values for this recording."""
    case, ranks = recording.case, recording.ranks
    subtree = max((min(2 << k, ranks) - (1 << k) for k in range(case.C)), default=0)
    return {
        "N": f"N = {plural(ranks, 'rank')}",
        "S": f"S = {in_words(case.S)}",
        "C": f"C = ceil(log2 N) = {case.C}",
        "q": f"q = {plural(recording.slots, 'chunk')}",
        "B": f"B = {plural(subtree, 'rank')} in the largest subtree below the root",
        "V": f"V = {sum(map(int.bit_count, range(ranks)))} binary ones in 1 to N-1",
    }
