"""What `run`, `list` and `check` print: tables a student can follow."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable
from typing import Any

import numpy as np
from rich import box
from rich.console import Console
from rich.table import Table

from collectives.catalog import ROWS, Row
from collectives.phases import phases, step_caption
from collectives.recording import Recording, State
from collectives.resources import in_words
from collectives.schedule.step import rows

MOST_STEPS = 40  # of a table; beyond, the first and the last are shown
MOST_ROWS = 16  # of a step
MOST_HELD = 1 << 22  # contributions up to which the table says what each slot holds


def console() -> Console:
    """Standard output as plain text with tables; wide enough for them where it is no terminal."""
    width = shutil.get_terminal_size((120, 40)).columns if sys.stdout.isatty() else 120
    return Console(markup=False, highlight=False, emoji=False, width=width)


def show_run(out: Console, recording: Recording, span: tuple[int, int] | None) -> None:
    """Who sends what to whom and what it then holds, step by step."""
    total = len(recording.steps)
    first, last = span or (1, total)
    out.print(heading(recording), style="bold")
    out.print(f"{recording.collective.sentence}.")
    numbers = list(range(first, last + 1))
    hidden: range | None = None
    if len(numbers) > MOST_STEPS:
        half = MOST_STEPS // 2
        hidden = range(numbers[half], numbers[-half])
    held = recording.nodes * recording.slots * recording.ranks <= MOST_HELD
    if not held:
        out.print("(what the slots hold is shown for smaller numbers of ranks)")
    for phase in phases(recording):
        steps = [k for k in numbers if phase.first < k <= phase.end]
        if not steps:
            continue
        out.print()
        out.print(f"{phase.name}" + (f": {phase.promise}" if phase.promise else ""), style="bold")
        for number in steps:
            if hidden is not None and number in hidden:
                if number == max(steps[0], hidden.start):
                    last_hidden = min(hidden.stop - 1, steps[-1])
                    count = last_hidden - number + 1
                    out.print(f"… {count} steps hidden, {number} to {last_hidden}; --steps A-B")
                continue
            _show_step(out, recording, number, held)
    if not total:
        out.print("\nNothing has to move.")


def heading(recording: Recording) -> str:
    """One line that says what was run."""
    ranks, slots = plural(recording.ranks, "rank"), plural(recording.slots, "slot")
    vector = f"{recording.count} × {recording.dtype} in {slots}"
    parts = [recording.title, ranks, vector]
    if recording.collective.rooted:
        parts.append(f"root {recording.root}")
    if recording.collective.reduces:
        parts.append(recording.op)
    return " · ".join(parts)


def show_counters(out: Console, recording: Recording) -> None:
    """Executed counts beside closed form and lower bound."""
    counted, case = recording.counters, recording.case
    form, bound = (recording.row.form if recording.row else None), recording.bound
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("counter")
    for name in ("executed", "closed form", "lower bound"):
        table.add_column(name, justify="right")
    ports = f"{bound.steps} with {plural(bound.ports, 'port')}"
    formulas = form.text if form and recording.ranks > 1 else ("", "", "", "")
    sent = int(counted.bytes_sent.max())
    lines: list[tuple[str, str, str, str]] = [
        (
            "steps",
            str(counted.steps),
            _form(form.steps(case) if form else None, formulas[0]),
            ports,
        ),
        (
            "messages",
            str(counted.messages),
            _form(form.messages(case) if form else None, formulas[1]),
            "",
        ),
        ("transfers", str(counted.transfers), "", ""),
        ("ports", str(counted.ports), "", ""),
        (
            "sent by the busiest rank",
            in_words(sent),
            _form(form.sent(case) if form else None, formulas[2], True),
            in_words(bound.sent),
        ),
        ("received by the busiest rank", in_words(int(counted.bytes_received.max())), "", ""),
        (
            "sent by all ranks",
            in_words(counted.total_bytes),
            _form(form.total(case) if form else None, formulas[3], True),
            "",
        ),
        ("on the busiest link", in_words(max(counted.link_bytes.values(), default=0)), "", ""),
        ("latency", f"{counted.latency_units} α", "", f"{bound.steps} α"),
    ]
    for line in lines:
        table.add_row(*line)
    out.print()
    out.print(table)
    out.print(f"bounds: {bound.source}" + (f"; closed form: {form.source}" if form else ""))


def show_result(out: Console, recording: Recording, held: list[Any]) -> None:
    """What each rank ends with."""
    out.print()
    out.print("result", style="bold")
    for rank, vector in list(enumerate(held))[:MOST_ROWS]:
        if recording.after[rank].any():
            out.print(f"  rank {rank}: {numbers(vector, 8)}")
    if len(held) > MOST_ROWS:
        out.print(f"  … and {len(held) - MOST_ROWS} more ranks")


def show_list(out: Console, table_rows: Iterable[Row] = ROWS) -> None:
    """The catalog as a table."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for name in ("collective", "algorithm", "parameters", "steps", "sent by the busiest", "source"):
        table.add_column(name, overflow="fold")
    for row in table_rows:
        steps, _, sent, _ = row.form.text
        table.add_row(
            row.promise.title,
            row.algorithm,
            ", ".join(row.parameters) or "—",
            readable(steps),
            readable(sent),
            row.form.source,
        )
    out.print(table)
    out.print(LEGEND)


LEGEND = (
    "N ranks, S bytes in all, C = ceil(log2 N), q chunks, B = ranks in the largest subtree\n"
    "below the root of a binomial tree. Any number of ranks; any root where there is one."
)


def readable(formula: str) -> str:
    """A formula of `theory` as people write it.

    >>> readable("2*(N-1)/N*S")
    '2 (N-1)/N S'
    """
    return formula.replace("*", " ")


def numbers(vector: Any, most: int = 4) -> str:
    """The first elements of an array, in brackets."""
    shown = " ".join(_number(value) for value in vector[:most].tolist())
    return f"[{shown}{' …' if len(vector) > most else ''}]"


def plural(number: int, noun: str) -> str:
    """A number and what it counts.

    >>> plural(1, "rank"), plural(2, "rank")
    ('1 rank', '2 ranks')
    """
    return f"{number} {noun}" + ("s" if number != 1 else "")


def ranges(values: Iterable[int]) -> str:
    """Whole numbers, runs of three and more joined.

    >>> ranges([0, 1, 2, 3, 6, 8, 9])
    '0-3 6 8 9'
    """
    runs: list[list[int]] = []
    for value in values:
        if runs and value == runs[-1][-1] + 1:
            runs[-1].append(value)
        else:
            runs.append([value])
    parts = [f"{run[0]}-{run[-1]}" if len(run) > 2 else " ".join(map(str, run)) for run in runs]
    return " ".join(parts)


def _show_step(out: Console, recording: Recording, number: int, held: bool) -> None:
    step = recording.steps[number - 1]
    caption = step_caption(step)
    out.print(f"  step {number} of {len(recording.steps)}" + (f": {caption}" if caption else ""))
    state = recording.state(number) if held else None
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 3, 0, 0))
    for row in list(rows(step))[:MOST_ROWS]:
        table.add_row(*_row_cells(recording, row, state))
    out.print(table)
    if len(step) > MOST_ROWS:
        out.print(f"      … and {len(step) - MOST_ROWS} more transfers")


def _row_cells(
    recording: Recording, row: tuple[int, int, int, int, int, bool], state: State | None
) -> list[str]:
    src, dst, chunk, into, count, adds = row
    moved = int(recording.size[chunk : chunk + count].sum()) * recording.dtype.itemsize
    cells = [
        f"      rank {src} → {dst}" if src != dst else f"      rank {src}, in place",
        f"{'+ adds' if adds else '= sends'} {_slots(chunk, count)}"
        + (f" to {_slots(into, count)}" if into != chunk else ""),
        in_words(moved),
    ]
    if state is not None:
        whose = _whose(recording, state, dst, into)
        more = f" (and {count - 1} more)" if count > 1 else ""
        cells.append(f"rank {dst} now has in slot {into}: {whose}{more}")
        cells.append(numbers(state.value(dst, into)))
    return cells


def _whose(recording: Recording, state: State, node: int, slot: int) -> str:
    """Whose data a slot holds, and how often where not once."""
    times, origin = state.times[node, slot], state.origin[node, slot]
    ranks = np.flatnonzero(times)
    if not len(ranks):
        return "nothing"
    if (times[ranks] == 1).all() and (origin[ranks] == slot).all():
        if len(ranks) == recording.ranks > 1:
            return f"all {recording.ranks} ranks"
        return ("ranks " if len(ranks) > 1 else "rank ") + ranges(ranks.tolist())
    parts = []
    for rank in ranks.tolist():
        often = f"{times[rank]} × " if times[rank] > 1 else ""
        foreign = origin[rank] != slot * times[rank]
        parts.append(f"{often}rank {rank}" + (" (another slot)" if foreign else ""))
    return ", ".join(parts)


def _slots(first: int, count: int) -> str:
    return f"slot {first}" if count == 1 else f"slots {first}-{first + count - 1}"


def _number(value: float) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def _form(value: int | None, formula: str, is_bytes: bool = False) -> str:
    if value is None:
        return "—"
    text = in_words(value) if is_bytes else str(value)
    return f"{readable(formula)} = {text}" if formula else text
