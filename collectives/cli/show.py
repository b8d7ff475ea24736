"""What `run` says of a recording: data, counts and results as text, and all of it for `--json`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from collectives.catalog import Row
from collectives.cli.about import letters_of
from collectives.cli.console import elements, say, say_table
from collectives.cli.rounding import order_report
from collectives.collective import Cells
from collectives.proof.rounding import Rounding
from collectives.recording.recording import Recording
from collectives.structure.counted import parts_of
from collectives.theory.written import readable
from collectives.units import size_text
from collectives.words import plural, steps_text

MOST_LINKS = 1 << 16  # of a report
MOST_PARTS = 6  # of a structure whose bytes are shown
MOST_ROWS = 1 << 17  # of a schedule that is gone through once more for its structure
MOST_RANKS = 16  # whose results are shown


def heading(recording: Recording) -> str:
    """One line that says what was run."""
    size = size_text(recording.count * recording.dtype.itemsize)
    slots = plural(recording.chunk_count, "slot")
    if recording.counts is not None:
        slots += f" of {', '.join(map(str, recording.counts[:MOST_RANKS]))}"
        slots += ", …" if len(recording.counts) > MOST_RANKS else ""
    parts = [recording.title, plural(recording.ranks, "rank")]
    if recording.collective.moves_data:
        parts.append(f"{recording.count} {recording.dtype} = {size} in {slots}")
    if recording.nodes > recording.ranks:
        parts.insert(2, plural(recording.nodes - recording.ranks, "more node"))
    parts += [f"{name} {value}" for name, value in recording.parameters.items()]
    if recording.collective.rooted:
        parts.append(f"root {recording.root}")
    if recording.collective.reduces:
        parts.append(recording.op)
    return " · ".join(parts)


def show_data(recording: Recording) -> None:
    """What each rank starts with: the data that was given, or small example numbers."""

    def own(rank: int) -> Any:
        cells = np.repeat(recording.precondition[rank, : recording.chunk_count], recording.size)
        return recording.inputs[rank][cells]

    title = "data" if recording.data is not None else "example data"
    _show_vectors(title, recording.precondition, own)


def show_result(recording: Recording, held: Sequence[Any]) -> None:
    """What each rank ends with."""
    _show_vectors("result", recording.postcondition, held.__getitem__)


def _show_vectors(title: str, cells: Cells, vector: Callable[[int], Any]) -> None:
    """The vectors of the first ranks that have any of these cells."""
    ranks = np.flatnonzero(cells.any(axis=1)).tolist()
    say()
    say(title, bold=True)
    for rank in ranks[:MOST_RANKS]:
        say(f"  rank {rank}: {elements(vector(rank), 8)}")
    if len(ranks) > MOST_RANKS:
        say(f"  … and {len(ranks) - MOST_RANKS} more ranks")


def show_counts(recording: Recording) -> None:
    """Executed counts beside closed form and lower bound."""
    say()
    say_table(_counts(recording), ("count", "executed", "closed form", "lower bound"), {1, 2, 3})
    for line in _notes(recording):
        say(line)


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


def _has_structure(recording: Recording) -> bool:
    """Whether the structure is stated, or inferred in little time."""
    return recording.row is not None or recording.counters.rows <= MOST_ROWS


def _by_structure(recording: Recording) -> Iterator[tuple[str, str]]:
    """Bytes over a few parts of the structure, and ranks that idle."""
    parts = parts_of(recording.structure).names if _has_structure(recording) else ()
    if recording.collective.moves_data and 1 < len(parts) <= MOST_PARTS:
        yield from ((name, size_text(moved)) for name, moved in recording.bytes_by_part.items())
    if recording.counters.rows <= MOST_ROWS and any(recording.idle_ranks):
        idle = recording.idle_ranks
        low, high, average = min(idle), max(idle), sum(idle) / len(idle)
        each = f"{low}" if low == high else f"{low} to {high}, {average:.3g} on average"
        yield "ranks idle in a step", each


def _closed_forms(recording: Recording) -> list[str]:
    """Steps, messages, bytes sent by the busiest and by all: formulas that hold, and values."""
    if recording.row is None:
        return [""] * 4
    form, case = recording.row.form, recording.case
    values = [str(form.step_count(case)), str(form.message_count(case))]
    values += [_in_range(form.sent_range(case)), _in_range(form.total_range(case))]
    holds = [recording.ranks > 1] * 2 + [recording.ranks > 1 and case.even] * 2
    return [
        f"{readable(formula)} = {value}" if said and not formula.isdigit() else value
        for formula, value, said in zip(form.text, values, holds, strict=True)
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
    counted = recording.counters
    if counted.walked > counted.steps:
        said = steps_text(counted.steps, counted.walked)
        yield f"{said}: moves within ranks alone have a number, but no count"
    yield "message: what one rank sends another in one step; α: the latency of a message"
    yield "ports: most messages that one rank sends, or receives, in one step"
    yield f"busiest port: most bytes that one rank{_or_helper(recording)} sends, or receives"
    if recording.bound.holds:
        yield f"lower bounds: {recording.bound.source}"
    elif not recording.collective.promises_nothing:
        yield "lower bounds hold for ranks alone, not where other nodes take part"
    if recording.row is not None:
        yield f"closed form: {recording.row.source}"


def _or_helper(recording: Recording) -> str:
    """What has a busiest port beside ranks: a server has one port, a switch one for each link."""
    if recording.nodes == recording.ranks:
        return ""
    return " or server" if recording.helpers == "server" else " or port of a switch"


def _letters(recording: Recording, row: Row) -> list[str]:
    """The letters and parameters of the formulas, with their values for this recording."""
    case, found = recording.case, {}
    for letter in letters_of(row, row.form.text):
        value = size_text(case.S) if letter.symbol == "S" else f"{letter.value(case)}"
        found[letter.symbol] = f"{letter.symbol} = {value} ({letter.meaning})"
    short = [text for symbol, text in found.items() if symbol in "NSCq"]
    given = [f"{name} = {value}" for name, value in recording.parameters.items()]
    first = ", ".join(short + given)
    return [first, *(text for symbol, text in found.items() if symbol not in "NSCq")]


def described(recording: Recording) -> dict[str, Any]:
    """What was counted, in `run --json` and `time --json`."""
    counted = recording.counters
    return {
        "collective": recording.collective.name,
        "algorithm": recording.algorithm,
        "ranks": recording.ranks,
        "root": recording.root,
        "nodes": recording.nodes,
        "chunks": recording.chunks,
        "parameters": dict(recording.parameters),
        "steps": counted.steps,
        "messages": counted.messages,
        "ports": counted.ports,
    }


def run_report(
    recording: Recording, correct: bool | None, compared: Rounding | None
) -> dict[str, Any]:
    """Everything `run --json` prints."""
    counted = recording.counters
    report = described(recording) | {
        "count": recording.count,
        "dtype": str(recording.dtype),
        "op": recording.op,
        "slots": recording.slots,
        "pieces": recording.chunk_count,
        "transfers": counted.transfers,
        "latency_units": counted.steps,
        "bytes_sent": recording.bytes_sent[: recording.ranks],
        "bytes_received": recording.bytes_received[: recording.ranks],
        "bytes_busiest_port": recording.bytes_busiest_port,
        "bytes_total": counted.total_bytes,
        "structure": _kind(recording),
        "bytes_by_part": recording.bytes_by_part if _has_structure(recording) else {},
        "idle_ranks": list(recording.idle_ranks) if counted.rows <= MOST_ROWS else None,
        "links": _links(recording),
        "correct": correct,
        "lower_bound": _lower_bound(recording),
        "closed_form": _closed_form(recording),
    }
    if compared is not None:
        report["rounding"] = {
            "elements": compared.elements,
            "differing": compared.differing,
            "largest": compared.largest,
            "ulps": compared.ulps,
            "ranks_disagree": compared.disagreeing,
            "not_finite": compared.not_finite,
            "overflowed": compared.overflowed,
            "largest_error": compared.exact and compared.exact.largest,
            "largest_error_ulps": compared.exact and compared.exact.ulps,
            "numpys_largest_error": compared.numpys and compared.numpys.largest,
            "numpys_largest_error_ulps": compared.numpys and compared.numpys.ulps,
            "order": order_report(recording),
        }
    return report


def _links(recording: Recording) -> list[list[int]] | None:
    """[source, destination, bytes] of every link in use; None where they are too many to read."""
    counted = recording.counters
    if len(counted.links) > MOST_LINKS:
        return None
    return [[src, dst, sent] for (src, dst), sent in sorted(counted.link_bytes.items())]


def _kind(recording: Recording) -> str | None:
    """The kind of structure: "ring", "two-trees"; None where it is not known."""
    if not _has_structure(recording):
        return None
    return re.sub("(?<=[a-z])(?=[A-Z])", "-", type(recording.structure).__name__).lower()


def _lower_bound(recording: Recording) -> dict[str, int | None]:
    """The bounds; null where they do not hold, as of nodes that are no ranks."""
    bound = recording.bound
    if not bound.holds:
        return {"steps": None, "ports": bound.ports, "bytes": None, "bytes_busiest_port": None}
    return {
        "steps": bound.steps,
        "ports": bound.ports,
        "bytes": bound.sent,
        "bytes_busiest_port": bound.busiest_port,
    }


def _closed_form(recording: Recording) -> dict[str, Any] | None:
    """The closed form's values; null where chunks differ and it says only between what."""
    if recording.row is None:
        return None
    form, case = recording.row.form, recording.case
    return {
        "steps": form.step_count(case),
        "messages": form.message_count(case),
        "bytes": _one_value(form.sent_range(case)),
        "bytes_total": _one_value(form.total_range(case)),
        "source": recording.row.source,
    }


def _one_value(ends: tuple[int, int]) -> int | None:
    return ends[0] if ends[0] == ends[1] else None
