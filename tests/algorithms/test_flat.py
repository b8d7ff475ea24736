"""Flat algorithms: the sentence of each, and the one step of the module's."""

import pytest
from promises import RANKS, Run, algorithms, keep, name

from collectives.algorithms import flat

ALGORITHMS = algorithms(flat)


def in_one_step(run):
    return len(run.steps) == (run.n > 1)


def all_add(run):
    return all(row.adds for row in run.rows)


def root_sends_everything(run):
    return in_one_step(run) and run.moved() == {(run.root, other, 0) for other in run.others}


def others_send_everything_to_the_root(run):
    moved = {(r, run.root, 0) for r in run.others}
    return in_one_step(run) and all_add(run) and run.moved() == moved


def root_sends_each_its_chunk(run):
    return in_one_step(run) and run.moved() == {(run.root, r, r) for r in run.others}


def each_sends_its_chunk_to_the_root(run):
    return in_one_step(run) and run.moved() == {(r, run.root, r) for r in run.others}


def each_sends_its_chunk_to_every_other(run):
    return in_one_step(run) and run.moved() == {(src, dst, src) for src, dst in run.pairs()}


def each_sends_every_other_its_chunk(run):
    moved = {(src, dst, dst) for src, dst in run.pairs()}
    return in_one_step(run) and all_add(run) and run.moved() == moved


def each_sends_everything_to_every_other(run):
    moved = {(src, dst, 0) for src, dst in run.pairs()}
    return in_one_step(run) and all_add(run) and run.moved() == moved


PROMISES = {
    "The root sends everything to every other rank at once.": root_sends_everything,
    "Every other rank sends everything to the root, which adds it all up.": (
        others_send_everything_to_the_root
    ),
    "The root sends each rank its chunk.": root_sends_each_its_chunk,
    "Each rank sends its chunk to the root.": each_sends_its_chunk_to_the_root,
    "Each rank sends its chunk to every other rank at once.": each_sends_its_chunk_to_every_other,
    "Each rank sends every other rank that rank's chunk, and adds up what it gets.": (
        each_sends_every_other_its_chunk
    ),
    "Each rank sends everything to every other rank, and adds up what it gets.": (
        each_sends_everything_to_every_other
    ),
}


@pytest.mark.parametrize("function", ALGORITHMS, ids=name)
def test_the_docstrings_promise_is_kept(function):
    keep(function, PROMISES)


@pytest.mark.parametrize("function", ALGORITHMS, ids=name)
def test_flat_algorithms_take_one_step(function):
    """One step, as the module says."""
    for n in RANKS:
        assert len(Run(function, n, n // 2).steps) == (n > 1)
