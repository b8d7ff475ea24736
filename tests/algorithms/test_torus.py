"""Rings in a grid: the sentence of each, and that only neighbors in the grid talk."""

import pytest
from machines import all_whole, divisors
from promises import Run, algorithms, keep, name
from settings import sampled_ranks

from collectives.algorithms import torus

SIZES = sampled_ranks((*range(1, 19), 20, 24, 25, 27, 32, 33))


def place(rank, shape):
    """Plane, row and column of a rank."""
    _, rows, columns = shape
    return rank // (rows * columns), rank // columns % rows, rank % columns


def shape(run):
    """Planes, rows and columns of the grid."""
    rows = run.given["rows"]
    columns = run.given.get("columns", run.n // rows)
    return run.n // rows // columns, rows, columns


def directions(step, grid):
    """Along which dimensions rows go, and their verbs; None where one is no step along a ring."""
    found = set()
    for row in step:
        ends = list(zip(place(row.src, grid), place(row.dst, grid), grid, strict=True))
        moved = [d for d, (a, b, _) in enumerate(ends) if a != b]
        forward = len(moved) == 1 and (ends[moved[0]][1] - ends[moved[0]][0]) % grid[moved[0]] == 1
        found.add((moved[0], row.adds) if forward else None)
    return found


def one_after_another(run, order):
    """Reduces along these dimensions one after another, then sends along them the other way."""
    grid = shape(run)
    there = [(d, True) for d in order for _ in range(grid[d] - 1)]
    back = [(d, False) for d, _ in reversed(there)]
    return [directions(step, grid) for step in run.steps] == [{one} for one in there + back]


def rows_columns_rows(run):
    return one_after_another(run, (2, 1)) and all_whole(run)


def one_then_the_others(run):
    return one_after_another(run, (2, 1, 0)) and all_whole(run)


def half(run, first):
    """A run with the rows of one half of the slots only."""
    part = object.__new__(Run)
    part.__dict__.update(run.__dict__)
    part.steps = [[row for row in step if (row.chunk < run.n) is first] for step in run.steps]
    return part


def one_half_each_way_first(run):
    halves = one_after_another(half(run, True), (2, 1)), one_after_another(half(run, False), (1, 2))
    return all(halves) and all_whole(run)


PROMISES = {
    "Rows add up first; then each column adds up only its share.": (rows_columns_rows),
    "One dimension adds up first; then the others add up only a share.": (one_then_the_others),
    "Half of the vector takes the rows first, the other half the columns.": (
        one_half_each_way_first
    ),
}


def settings(function, n):
    """Every way to call one of these functions for n ranks, with the number of chunks."""
    for rows in divisors(n):
        if function is torus.torus_3d_all_reduce:
            for columns in divisors(n // rows):
                yield {"rows": rows, "columns": columns, "chunk_count": n}
        else:
            two = function is torus.two_color_torus_all_reduce
            yield {"rows": rows, "chunk_count": 2 * n if two else n}


@pytest.mark.parametrize("function", algorithms(torus), ids=name)
def test_the_docstrings_promise_is_kept(function):
    for n in SIZES:
        for given in settings(function, n):
            keep(function, PROMISES, [n], **given)


@pytest.mark.parametrize("side", range(2, 6))
def test_in_a_square_grid_the_two_colors_never_meet_on_a_link(side):
    run = Run(torus.two_color_torus_all_reduce, side * side, rows=side, chunk_count=2 * side * side)
    for step in run.steps:
        links = [
            {(r.src, r.dst) for r in step if (r.chunk < run.n) is one} for one in (True, False)
        ]
        assert links[0]
        assert links[1]
        assert not links[0] & links[1]


def test_where_grids_are_not_square_the_colors_meet():
    run = Run(torus.two_color_torus_all_reduce, 6, rows=2, chunk_count=12)
    both = [{(r.src, r.dst) for r in run.steps[1] if (r.chunk < 6) is one} for one in (True, False)]
    assert both[0] & both[1]


def test_a_row_of_ranks_is_a_ring():
    for n in SIZES:
        line, column = (Run(torus.torus_2d_all_reduce, n, rows=rows).steps for rows in (1, n))
        assert line == column
