"""What the tests of the exchange algorithms share: full promises, reverses, fewest steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from interpreter import Row
from promises import Function, Run, unrolled
from settings import sampled_ranks

RANKS = sampled_ranks(range(1, 34))
EVEN = sampled_ranks((1, *range(2, 41, 2)))


def gathered(run: Run) -> bool:
    """Every rank has every chunk, and had its own before."""
    first = {(rank, rank): {(rank, rank): 1} for rank in range(run.n)}
    cells = [(rank, chunk) for rank in range(run.n) for chunk in range(run.n)]
    return run.states[0] == first and run.last == {cell: {(cell[1],) * 2: 1} for cell in cells}


def scattered(run: Run) -> bool:
    """Rank r has the sum of chunk r, after every rank had something in every chunk."""
    before = len(run.states[0]) == run.n**2
    return before and all(run.last[rank, rank] == run.whole(rank) for rank in range(run.n))


def reduced(run: Run) -> bool:
    """Every rank has every sum, after every rank had something in every chunk."""
    before = len(run.states[0]) == run.n * run.chunk_count
    return before and all(run.last[cell] == run.whole(cell[1]) for cell in run.states[0])


def log_steps(n: int, base: int = 2) -> int:
    """The least number of steps in which one rank can reach n, with base - 1 ports."""
    steps = 0
    while base**steps < n:
        steps += 1
    return steps


def few_steps_and_no_byte_too_many(run: Run) -> bool:
    """Both halves take the fewest steps; each rank sends 2 (n - 1) of n chunks, the least."""
    base = run.given.get("base", 2)
    few = len(run.steps) == 2 * log_steps(run.n, base)
    return few and reduced(run) and set(run.sent()) == {2 * (run.n - 1)}


def turned(steps: Iterable[Iterable[Row]]) -> list[set[tuple[int, int, int, bool]]]:
    """The steps last first, with each transfer the other way and the other verb."""
    flat = [unrolled(step) for step in steps]
    return [{(row.dst, row.src, row.chunk, not row.adds) for row in step} for step in flat[::-1]]


def reverse_of(
    forward: Function, holds: Callable[[Run], bool] = lambda run: True
) -> Callable[[Run], bool]:
    """A predicate: the run is that of `forward` in reverse, and `holds` is true of it."""

    def kept(run: Run) -> bool:
        given: dict[str, Any] = {name: run.given[name] for name in run.given if name != "n"}
        steps = [
            {(row.src, row.dst, row.chunk, row.adds) for row in unrolled(step)}
            for step in run.steps
        ]
        return steps == turned(Run(forward, run.n, **given).steps) and holds(run)

    return kept


def hops(run: Run) -> list[set[int]]:
    """Of each step, how many ranks to the right its rows go."""
    return [{(row.dst - row.src) % run.n for row in step} for step in run.steps]


def held(state: Iterable[tuple[int, int]], rank: int) -> set[int]:
    """The chunks that a rank has."""
    return {chunk for owner, chunk in state if owner == rank}


def kept_sums(run: Run) -> list[list[set[int]]]:
    """Before the first step and after each: of each rank, the sums it has not given away."""
    found = [[set(range(run.n)) for _ in range(run.n)]]
    for step in run.steps:
        given = {(row.src, row.chunk) for row in unrolled(step)}
        found.append(
            [{c for c in kept if (rank, c) not in given} for rank, kept in enumerate(found[-1])]
        )
    return found
