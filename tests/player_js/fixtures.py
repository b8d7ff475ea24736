"""What the tests of the player's modules are told: for each NAME.test.js a value for its JSON."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import clock_cases
import compared_cases
import machine_cases
import moments_cases
import under_cases
from judges import Case
from settings import SOME_ROWS, THOROUGH, sampled, variants

from animations.player.pack.data import pack
from animations.player.pack.data import story as story_of
from animations.player.pack.question_data import question_data
from animations.story.usual import usual_board
from collectives import ROWS, WrongSchedule, record, send
from collectives.schedule import merged
from collectives.units import parse_size, rate_text, size_text, time_text

RANKS = (1, 2, 3, 5, 8, 16) if THOROUGH else (5,)
MUTANT_RANKS = (2, 3, 4, 5) if THOROUGH else (4,)
CROSSBARS = ((1000, 5e-6, 25e9), (1, 0.0, 1e9), (3, 1e-6, 400e9))  # chunk, latency, bandwidth
MUTANTS_EACH = 4  # of a row on so many ranks: 500 and more in all


def machine() -> dict[str, Any]:
    """Every row replayed, and mutants of every row judged."""
    rows = [(row, n) for row in SOME_ROWS for n in RANKS]
    replayed = [
        machine_cases.replayed(f"{row.title} on {n} ranks {values}", recording)
        for row, n in rows
        for values, recording in recordings(row, n)
    ]
    cases = [Case(row, n) for row in sampled(ROWS, 4) for n in MUTANT_RANKS if row.accepts(n)]
    mutants = [each for case in cases for each in machine_cases.mutants_of(case, MUTANTS_EACH)]
    return {"replayed": replayed, "mutants": mutants}


def recordings(row: Any, n: int) -> Iterator[tuple[dict[str, int], Any]]:
    """The recordings of a row on n ranks with the parameters it takes."""
    for values in variants(row, n):
        yield values, record(row.collective, row.algorithm, ranks=n, parameters=values)


ONE, TWO, SHORT = send(0, [1, 2], 0), send(0, [1, 2], 1), send(0, 1, 0, 1)  # SHORT: 3 into 2
BUILT = [  # broadcasts of chunks of 3 and 2 elements
    [ONE, TWO],
    [ONE, SHORT, send(0, 2, 1, 0)],
    [send(1, 2, 0), ONE, SHORT],
    [ONE, SHORT, merged([ONE, ONE])],
    [merged([ONE, ONE]), SHORT],
    [send(1, 2, 0), ONE, TWO],
]


def judge() -> dict[str, Any]:
    """What somebody builds of chunks that differ in size, each with the step Python refuses."""
    options = {"collective": "broadcast", "ranks": 3, "slots": 2, "count": 5}
    built = []
    for steps in BUILT:
        try:
            verdict = record(steps, **options).check()
            problem = "" if verdict else str(verdict)
        except WrongSchedule as refused:
            problem = str(refused)
        found = machine_cases.AT_STEP.search(problem)
        rows = [machine_cases.transfers(step) for step in steps]
        told = {"right": not problem, "step": int(found[1]) if found else 0}
        built.append({"steps": rows, **told, "sizes": "elements" in problem})
    switched = record("all_reduce", "sharp", ranks=3)
    boards = [usual_board(each) for each in (record(BUILT[0], **options), switched)]
    sent = max(switched.bytes_sent[:3]) // (switched.dtype.itemsize * int(switched.size[0]))
    return {"packed": pack(*map(story_of, boards)), "built": built, "sent": sent}


def story() -> dict[str, Any]:
    """Stories packed together, and quantities with their texts."""
    cases = [("all_reduce", "ring", 4), ("all_reduce", "sharp", 3), ("barrier", "dissemination", 1)]
    stories = [story_of(usual_board(record(name, row, ranks=n))) for name, row, n in cases]
    seconds = [0, *(lead * 10.0**power for power in range(-8, 2) for lead in (1, 1.2345, 9.996))]
    return {
        "packed": pack(*stories),
        "stories": stories,
        "drawn": pack(*(story_of(usual_board(each)) for each in rows_of_eight())),
        "times": [[value, time_text(value, 3)] for value in seconds],
        "sizes": [[n, size_text(n)] for n in (*range(9000), *(1 << k for k in range(14, 35)))],
        "rates": [[value, rate_text(value)] for value in (1e9, 2.5e9, 50e9, 900e9)],
    }


def rows_of_eight() -> Iterator[Any]:
    """Recordings of rows on 8 ranks, of all in `make thorough`."""
    for row in sampled(SOME_ROWS, 6):
        if row.accepts(8):
            yield record(row.collective, row.algorithm, ranks=8)


ASKED = [
    ("all_reduce", "ring", 8),
    ("broadcast", "tree", 8),
    ("barrier", "dissemination", 5),
    ("all_to_all", "bruck", 4),
    ("reduce", "rabenseifner", 6),
]


def ask() -> list[dict[str, Any]]:
    """Questions as a page has them, with what is typed for a number and the option it means."""
    found = []
    for name, row, ranks in ASKED:
        board = usual_board(record(name, row, ranks=ranks), asks=True)
        data = [question_data(question, board.say) for question in board.questions]
        numbers = [i for i, question in enumerate(board.questions) if question.form == "number"]
        typed = [[i, text, meant(data[i], text)] for i in numbers for text in texts(data[i])]
        last = len(board.frames)
        found.append({"title": board.title, "last": last, "questions": data, "typed": typed})
    return found


def texts(question: dict[str, Any]) -> list[str]:
    """Ways to type the amounts of a question, and what is no amount."""
    known = [text for text, *_ in question["options"]]
    number = known[question["right"]].split()[0]
    more = [number, f"  {number} ", f"{number}{question['unit']}", "", "many", "12 apples", "-3"]
    if question["unit"] not in ("steps", "messages"):
        value = question["options"][question["right"]][2]
        more += [f"{value} B", f"{value * 1.004 / 2**20:.4f}MiB", f"{value * 1.02} B", "7 steps"]
    return [*known, *more]


def meant(question: dict[str, Any], text: str) -> int | None:
    """The option a text means, -2 for an amount of none of them, None for what is no amount."""
    unit = question["unit"]
    plain = text.replace(" ", "")
    counted = unit in ("steps", "messages")
    found = re.fullmatch(
        rf"([\d.]+)({unit[:-1]}s?)?" if counted else r"([\d.]+)([KMG]?i?B)?", plain
    )
    if not found:
        return None
    amount = float(found[1])
    if not counted:
        amount *= parse_size(f"1{found[2] or unit}")
    near = 0 if counted else 0.01
    hits = [
        i
        for i, (_, _, value, _) in enumerate(question["options"])
        if abs(amount - value) <= near * value
    ]
    return hits[0] if hits else -2


def clock() -> dict[str, Any]:
    """Settings of pages, and the times of all messages."""
    return {"runs": list(clock_cases.cases())}


FIXTURES: dict[str, Callable[[], Any]] = {
    "ask": ask,
    "clock": clock,
    "compared": compared_cases.compared,
    "judge": judge,
    "machine": machine,
    "moments": moments_cases.moments,
    "story": story,
    "under": under_cases.under,
}
