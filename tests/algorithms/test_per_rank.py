"""Programs of one rank: they make the same steps as the algorithms for all ranks."""

import ast
from pathlib import Path

from each import each
from settings import sampled

from collectives.algorithms import binomial, doubling, hierarchical, per_rank, ring, tree
from collectives.algorithms.per_rank import binomial as binomial_rank
from collectives.algorithms.per_rank import doubling as doubling_rank
from collectives.algorithms.per_rank import hierarchical as hierarchical_rank
from collectives.algorithms.per_rank import one_sided
from collectives.algorithms.per_rank import ring as ring_rank
from collectives.algorithms.per_rank import tree as tree_rank
from collectives.schedule import table
from collectives.schedule.spmd import matched

WIDTH, LINES = 78, 13  # of a program on a slide


def cases():
    """Both views of an algorithm, on numbers of ranks, with parameters."""
    for n in range(1, 18):
        for name in ("ring_reduce_scatter", "ring_all_gather", "ring_all_reduce"):
            yield getattr(ring_rank, name), getattr(ring, name), n, {}
        yield one_sided.ring_all_gather, ring.ring_all_gather, n, {}
        for root in range(n):
            yield binomial_rank.binomial_broadcast, binomial.binomial_broadcast, n, {"root": root}
        one = doubling_rank.recursive_doubling_all_reduce
        yield one, doubling.recursive_doubling_all_reduce, n, {}
        one = hierarchical_rank.hierarchical_all_reduce
        for gpus in (gpus for gpus in range(1, n + 1) if n % gpus == 0):
            yield one, hierarchical.hierarchical_all_reduce, n, {"gpus": gpus}
        one = tree_rank.double_binary_tree_all_reduce
        for chunks in (1, 2, 4, 7):
            yield one, tree.double_binary_tree_all_reduce, n, {"chunks": chunks}


def rows(steps):
    """The rows of each step, by receiver; those that write the same slot in their order."""
    columns = ("dst", "into", "src", "chunk", "count", "reduces")
    every = (
        zip(*(getattr(step, name).tolist() for name in columns), strict=True) for step in steps
    )
    return [sorted(rows, key=lambda row: row[:2]) for rows in every if rows]


@each(("program", "schedule", "n", "given"), sampled(cases(), 3))
def test_programs_of_single_ranks_make_the_same_steps(program, schedule, n, given):
    mine = list(matched(program(rank, n, **given) for rank in range(n)))
    known = [step for step in schedule(n, **given) if len(step)]
    assert rows(mine) == rows(known), f"{table(mine)}\n{table(known)}"


def functions():
    for path in sorted(Path(per_rank.__file__).parent.glob("*.py")):
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.FunctionDef):
                yield node, path.read_text().splitlines()


@each(("function", "lines"), functions(), lambda case: case[0].name)
def test_a_program_fits_on_a_slide(function, lines):
    body = lines[function.body[1].lineno - 1 : function.end_lineno]
    assert max(map(len, body)) <= WIDTH and len(body) <= LINES
    assert ast.get_docstring(function).endswith(".") and "\n" not in ast.get_docstring(function)
