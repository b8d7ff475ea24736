"""What the tests of the player's modules are told: for each NAME.test.js a value for its JSON."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import machine_cases
from judges import Case
from settings import SOME_ROWS, THOROUGH, sampled, variants

from collectives import ROWS, record

RANKS = (1, 2, 3, 5, 8, 16) if THOROUGH else (5,)
MUTANT_RANKS = (2, 3, 4, 5) if THOROUGH else (4,)
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


FIXTURES: dict[str, Callable[[], Any]] = {"machine": machine}
