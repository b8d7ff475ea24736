"""The table of what a recording counts: executed, by closed form, and the lower bound."""

from __future__ import annotations

from collections.abc import Iterator

from collectives.catalog import Row
from collectives.catalog.routed_forms import expected_tokens
from collectives.recording.recording import Recording
from collectives.text_lines import Grid, Lines
from collectives.theory.bounds import FROM_TABLE
from collectives.theory.written import readable
from collectives.units import size_text
from collectives.words import plural, steps_text

MOST_PARTS = 6  # of a structure whose bytes are shown
MOST_ROWS = 1 << 17  # of a schedule that is gone through once more for its structure


def count_lines(recording: Recording) -> Lines:
    """Executed counts beside closed form and lower bound, and what they mean."""
    yield ""
    yield Grid(_counts(recording), ("count", "executed", "closed form", "lower bound"), {1, 2, 3})
    yield from _notes(recording)


def _counts(recording: Recording) -> list[tuple[str, str, str, str]]:
    counted, bound = recording.counters, recording.bound
    steps, messages, sent, total = _closed_forms(recording)
    ports = f"{bound.steps} with {plural(bound.ports, 'port')}" if bound.holds else ""
    bounds = size_text(bound.sent), size_text(bound.busiest_port), f"{bound.steps} α"
    bound_sent, port, latency = bounds if bound.holds else [""] * 3
    busiest = (
        counted.bytes_sent[: recording.ranks],
        counted.bytes_received[: recording.ranks],
        counted.bytes_by_link,
    )
    out, into, link = (size_text(int(moved.max(initial=0))) for moved in busiest)
    return [
        ("steps", str(counted.steps), steps, ports),
        ("messages", str(counted.messages), messages, ""),
        ("transfers", str(counted.transfers), "", ""),
        ("ports", str(counted.ports), "", ""),
        ("sent by the busiest rank", out, sent, bound_sent),
        ("received by the busiest", into, "", ""),
        ("through the busiest port", size_text(recording.bytes_busiest_port), "", port),
        ("sent by all", size_text(counted.total_bytes), total, ""),
        ("over the busiest link", link, "", ""),
        *((name, count, "", "") for name, count in _by_structure(recording)),
        ("latency", f"{counted.steps} α", "", latency),
    ]


def has_structure(recording: Recording) -> bool:
    """Whether the structure is stated, or inferred in little time."""
    return recording.row is not None or recording.counters.rows <= MOST_ROWS


def _by_structure(recording: Recording) -> Iterator[tuple[str, str]]:
    """Bytes over a few parts of the structure, and ranks that idle."""
    parts = recording.structure.parts().names if has_structure(recording) else ()
    if recording.collective.moves_data and 1 < len(parts) <= MOST_PARTS:
        yield from ((name, size_text(moved)) for name, moved in recording.bytes_by_part.items())
    if recording.counters.rows <= MOST_ROWS and any(recording.idle_ranks):
        idle = recording.idle_ranks
        low, high, average = min(idle), max(idle), sum(idle) / len(idle)
        text = f"{low}" if low == high else f"{low} to {high}, {average:.3g} on average"
        yield "ranks idle in a step", text


def _closed_forms(recording: Recording) -> list[str]:
    """Steps, messages, bytes sent by the busiest and by all: formulas that hold, and values."""
    if recording.row is None:
        return [""] * 4
    case = recording.case
    form = recording.row.form.of(case)
    values = [str(form.step_count(case)), str(form.message_count(case))]
    values += [_in_range(form.sent_range(case)), _in_range(form.total_range(case))]
    holds = [recording.ranks > 1] * 2 + [recording.ranks > 1 and case.even] * 2
    return [
        f"{readable(formula)} = {value}" if holds_here and not formula.isdigit() else value
        for formula, value, holds_here in zip(form.text, values, holds, strict=True)
    ]


def _in_range(ends: tuple[int, int]) -> str:
    """A number of bytes, or the two it lies between."""
    low, high = map(size_text, ends)
    return low if ends[0] == ends[1] else f"{low} to {high}"


def _notes(recording: Recording) -> Iterator[str]:
    """What the table means: its symbols, its words, its sources."""
    if recording.row is not None and recording.ranks > 1:
        yield from _letters(recording, recording.row)
    if recording.row is not None and not recording.case.even:
        yield "slots of unequal size: of the closed forms of bytes, values are shown"
    if recording.collective.routed and recording.row is not None and recording.row.form.where:
        tokens, per_token = expected_tokens(recording.setting), recording.size.mean()
        moved = size_text(round(tokens * per_token * recording.dtype.itemsize))
        yield f"expected of uniform routing: {tokens:.4g} tokens sent by all = {moved}"
    counted = recording.counters
    if counted.walked > counted.steps:
        steps = steps_text(counted.steps, counted.walked)
        yield f"{steps}: moves within ranks alone have a number, but no count"
    yield "message: what one rank sends another in one step; α: the latency of a message"
    yield "ports: most messages that one rank sends, or receives, in one step"
    yield f"busiest port: most bytes that one rank{_or_helper(recording)} sends, or receives"
    if recording.bound.holds:
        yield f"lower bounds: {recording.bound.source}"
    elif not recording.collective.promises_nothing:
        yield "lower bounds hold for ranks alone, not where other nodes take part"
    if recording.row is not None:
        from_table = recording.collective.routed and recording.row.form.where
        yield f"closed form: {FROM_TABLE if from_table else recording.row.source}"


def _or_helper(recording: Recording) -> str:
    """What has a busiest port beside ranks: a server has one port, a switch one for each link."""
    if recording.nodes == recording.ranks:
        return ""
    return " or server" if recording.helpers == "server" else " or port of a switch"


def _letters(recording: Recording, row: Row) -> list[str]:
    """The letters and parameters of the formulas, with their values for this recording."""
    case, letters = recording.case, {}
    for letter in row.form.of(case).every_letter:
        value = size_text(case.S) if letter.symbol == "S" else f"{letter.value(case)}"
        letters[letter.symbol] = f"{letter.symbol} = {value} ({letter.meaning})"
    short = [text for symbol, text in letters.items() if symbol in "NSCq"]
    parameters = [f"{name} = {value}" for name, value in recording.parameters.items()]
    first = ", ".join(short + parameters)
    return [first, *(text for symbol, text in letters.items() if symbol not in "NSCq")]
