"""Exercises whose steps stand as code: they are counted, followed or timed by reading it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import replace
from random import Random

from collectives.exercises import count_exercises as counts
from collectives.exercises import order_exercises as orders
from collectives.exercises import run_exercises as runs
from collectives.exercises import slot_exercises as slots
from collectives.exercises import time_exercises as times
from collectives.exercises.cases import LEGEND, ExerciseCase
from collectives.exercises.exercise import Draft
from collectives.exercises.question_exercises import code_of

MOST_WORDS = 120
SELF_CONTAINED = {"np", "send", "reduce"}  # what code uses that needs no other function
HOW_TO_READ = (
    "In the code each yield is a step; send(a, b, c): a sends its chunk c to b, which overwrites "
    "its own; reduce adds; without c it is chunk 0, with count=k chunks c to c + k - 1; arrays are "
    "several transfers."
)
ASKED: Mapping[str, Callable[[ExerciseCase, Random], Draft | None]] = {  # by concept
    "what a step moves": counts.messages,
    "what a slot holds": runs.held_number,
    "how many steps": counts.steps,
    "who is a partner": orders.sources_of_a_rank,
    "how many bytes": counts.sent_by_a_rank,
    "who works when": counts.idle_steps,
    "latency or bytes": times.time_by_hand,
    "the order of sums": slots.float_sum,
    "what a change breaks": slots.lost_transfer,
    "what is slow": times.slowed_by_hand,
}


def read_from_code(case: ExerciseCase, random: Random) -> Draft | None:
    """One of what other kinds ask, with the algorithm's code in the place of its steps."""
    drafts = (asked(name, case, random) for name in random.sample(list(ASKED), len(ASKED)))
    return next(filter(None, drafts), None)


def asked(concept: str, case: ExerciseCase, random: Random) -> Draft | None:
    """What is asked of a concept, with code; None where the code calls other functions."""
    row = case.recording.row
    if row is None or not case.is_printable:
        return None
    others = {*inspect.getclosurevars(row.function).globals} - SELF_CONTAINED
    draft = None if others else ASKED[concept](case, random)
    if draft is None:
        return None
    text = f"{draft.text.replace(LEGEND, '').strip()} {HOW_TO_READ}"
    code = [line for line in code_of(row.function) if '"""' not in line]  # it may tell the answer
    return replace(draft, text=text, material=code) if len(text.split()) <= MOST_WORDS else None
