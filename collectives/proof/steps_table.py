"""The steps of a recording as a table: who sends what to whom, and what the receiver then has."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import isqrt

import numpy as np

from collectives.errors import WrongSchedule
from collectives.recording.phases import Phase, phases, step_caption
from collectives.recording.recording import Recording
from collectives.recording.replay import State
from collectives.schedule import Step
from collectives.schedule.step import rows
from collectives.text_lines import Grid, Heading, Lines, elements
from collectives.units import size_text
from collectives.words import ranges, steps_text

Span = tuple[int, int]
MOST_STEPS = 40  # of a table; beyond, the first and the last are shown
MOST_ROWS = 16  # of a step
MOST_HELD = 1 << 23  # contributions in all states that are kept, to say what each slot holds
MOST_VALUES = 4  # of a slot


def step_lines(recording: Recording, span: Span | None, executed: bool) -> Lines:
    """Who sends what to whom, step by step, and, where `executed`, what the receiver then has."""
    total = len(recording.steps)
    first, last = span or (1, total)
    numbers = range(first, last + 1)
    half = MOST_STEPS // 2
    hidden = numbers[half:-half] if len(numbers) > MOST_STEPS else range(0)
    printed = [number for number in numbers if number not in hidden]
    sample = _sample(recording) if executed else None
    yield from _legend(recording, sample is not None)
    if executed and sample is None and total:
        yield "What the slots hold is not shown: too many of them, or the steps fail."
    wanted = set(printed)  # in one walk: all of them may not fit into memory
    steps = {at: step for at, step in enumerate(recording.steps, 1) if at in wanted}
    parts = iter(phases(recording))
    phase: Phase | None = None
    for number in printed:
        if hidden and number == hidden.stop:
            yield ""
            yield f"… {len(hidden)} steps hidden, {hidden[0]} to {hidden[-1]}; see --steps A-B"
        if phase is None or number > phase.end:
            phase = next(part for part in parts if number <= part.end)
            yield ""
            yield Heading(phase.name + (f": {phase.promise}" if phase.promise else ""))
        state = sample.state(number) if sample else None
        yield from _step_lines(recording, number, steps[number], state)


def _legend(recording: Recording, held: bool) -> Iterator[str]:
    """What the signs of the table mean."""
    if not len(recording.steps):
        yield "Nothing has to move."
        return
    if not recording.collective.moves_data:
        heard = "; at the right: of whom that one has now heard" if held else ""
        yield f"A rank tells another all that it knows{heard}."
        return
    adds = "+ reduces into it, " if recording.collective.reduces else ""
    yield f"Slot k is a rank's place for chunk k: {adds}= overwrites it."
    if recording.row and recording.collective.routed:
        routing = recording.setting.routing
        yield f"Chunk k is token k % {routing.tokens} of rank k // {routing.tokens}. {routing.text}"
        if recording.collective.reduces:
            yield "A rank's data stand for outputs of its experts, weighted and added up already."
    chunk_count, slots = recording.chunk_count, recording.promised_slots
    if slots > chunk_count:
        several = f"Slots {chunk_count} to {slots - 1} are"
        single = slots == chunk_count + 1
        yield f"{f'Slot {chunk_count} is' if single else several} for what is received."
    if recording.slots > slots:
        yield f"Slots from {slots} on are scratch: what is left there does not matter."
    counted = recording.counters
    if counted.walked > counted.steps:
        steps = steps_text(counted.steps, counted.walked)
        yield f"{steps}: moves within ranks alone have a number, but no count."
    if held:
        yield "At the right: whose data the receiver's slot has now, and its first elements."
    if recording.collective.reduces and recording.op in ("prod", "min", "max"):
        yield f"Where the algorithm's own words say add or sum, read {recording.op}."
    if recording.collective.reduces and recording.op == "avg":
        yield "The steps show sums; at the end each is divided by the number of ranks."


def _sample(recording: Recording) -> Recording | None:
    """The recording on just the elements that are shown; None where it is too large, or fails."""
    kept = isqrt(len(recording.steps)) + 1
    if recording.nodes * recording.slots * recording.ranks * kept > MOST_HELD:
        return None
    width = MOST_VALUES + 1
    if recording.size.min() > width:
        starts = np.cumsum(recording.size) - recording.size
        first = (starts[:, None] + np.arange(width)).ravel()
        data = recording.inputs[:, first].copy()
        recording = replace(recording, count=len(first), counts=None, data=data)
    try:
        recording.execute()
    except WrongSchedule:
        return None
    return recording


def _step_lines(recording: Recording, number: int, step: Step, state: State | None) -> Lines:
    """A step's caption and its transfers."""
    caption = step_caption(step)
    in_place = ", in place" if (step.src == step.dst).all() else ""
    named = f"  step {number} of {len(recording.steps)}{in_place}"
    yield named + (f": {caption}" if caption else "")
    first = step.select(slice(MOST_ROWS))
    needs = first.needed.tolist()
    listed = zip(rows(first), needs, strict=True)
    yield Grid([_row_cells(recording, number, *row, state) for row in listed], indent=4)
    if len(step) > MOST_ROWS:
        yield f"    … and {len(step) - MOST_ROWS} more transfers"


def _row_cells(
    recording: Recording,
    number: int,
    row: tuple[int, int, int, int, int, bool],
    needs: int,
    state: State | None,
) -> list[str]:
    src, dst, chunk, into, count, adds = row
    way = f"{_node(recording, src)} → {_node(recording, dst, '')}"
    if not recording.collective.moves_data:
        return [way, _whose(recording, state, dst, into)] if state is not None else [way]
    verb = "= sends"
    if adds:
        verb = "+ adds" if recording.op in ("sum", "avg") else "+ reduces"
    cells = [
        way if src != dst else f"{_node(recording, src)}, in place",
        f"{verb} {_slots(chunk, count)}"
        + (f" to {_slots(into, count)}" if into != chunk else "")
        + (f", computed from its {_slots(needs, count)}" if needs != chunk else ""),
        size_text(_moved(recording, number, src, chunk, count)),
    ]
    if state is not None:
        more = f" (and {count - 1} more slots)" if count > 1 else ""
        cells.append(f"now from {_whose(recording, state, dst, into)}{more}")
        cells.append(elements(state.value(dst, into), MOST_VALUES))
    return cells


def _node(recording: Recording, node: int, rank: str = "rank ") -> str:
    """A rank, or a node that is none, by its number."""
    return f"{rank}{node}" if node < recording.ranks else f"node {node}"


def _moved(recording: Recording, number: int, src: int, chunk: int, count: int) -> int:
    """Bytes that a row of a step reads."""
    if chunk + count <= recording.chunk_count:
        elements_read = recording.size[chunk : chunk + count]
    else:
        elements_read = recording.sizes(number - 1)[src, chunk : chunk + count]
    return int(elements_read.sum()) * recording.dtype.itemsize


def _whose(recording: Recording, state: State, node: int, slot: int) -> str:
    """Whose data a slot holds, and how often where not once."""
    times, origin = state.times[node, slot], state.origin[node, slot]
    ranks = np.flatnonzero(times)
    if not len(ranks):
        return "nobody"
    plain = (times[ranks] == 1).all() and (origin[ranks] == slot).all()
    if plain or not recording.collective.moves_data:
        if len(ranks) == recording.ranks > 1:
            return f"all {recording.ranks} ranks"
        return ("ranks " if len(ranks) > 1 else "rank ") + ranges(ranks.tolist())
    parts = []
    for rank in ranks.tolist():
        repeats = f"{times[rank]} × " if times[rank] > 1 else ""
        foreign = origin[rank] != slot * times[rank]
        where = f" (its slot {origin[rank]})" if times[rank] == 1 else " (another slot)"
        parts.append(f"{repeats}rank {rank}" + (where if foreign else ""))
    return ", ".join(parts)


def _slots(first: int, count: int) -> str:
    return f"slot {first}" if count == 1 else f"slots {first}-{first + count - 1}"
