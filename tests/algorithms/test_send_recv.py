"""Send and receive: the pairs each pattern lists are the ones it serves, when its sentence says."""

import numpy as np
import pytest
from promises import RANKS, Run, algorithms, keep, name

from collectives.algorithms import send_recv

PAIRS = {
    "ping_pong": send_recv.ping_pong_pairs,
    "halo_exchange": send_recv.halo_pairs,
    "pipeline_activations": send_recv.activation_pairs,
}
PIECES = {"ping_pong": 1, "halo_exchange": 2}  # the pipeline: as many as chunks


def served(function, n, chunks=4):
    """A run of the pattern and the pairs it lists."""
    given = (n, chunks) if function.__name__ == "pipeline_activations" else (n,)
    listed = PAIRS[function.__name__](*given)
    chunk_count = chunks if len(given) > 1 else PIECES[function.__name__]
    parameters = {"chunks": chunks} if len(given) > 1 else {}
    return Run(function, n, collective="send_recv", chunk_count=chunk_count, **parameters), listed


def pings_then_pongs(run):
    even = range(0, run.n - 1, 2)
    pings = [(r, r + 1) for r in even]
    pongs = [(r + 1, r) for r in even]
    return [[(row.src, row.dst) for row in step] for step in run.steps] == (
        [pings, pongs] if run.n > 1 else []
    )


def edges_go_to_their_side(run):
    left = {(r, (r - 1) % run.n, 0, 3) for r in range(run.n)}
    right = {(r, (r + 1) % run.n, 1, 2) for r in range(run.n)}
    moved = {(row.src, row.dst, row.chunk, row.into) for row in run.rows}
    return len(run.steps) == 1 and moved == left | right


def activations_one_after_another(run):
    chunks = run.given["chunks"]
    when = {(r.src, r.chunk, r.dst): k for k, step in enumerate(run.steps, 1) for r in step}
    return when == {(r, m, r + 1): r + m + 1 for r in range(run.n - 1) for m in range(chunks)}


PROMISES = {
    "Each pair of ranks sends a chunk there and another back.": (pings_then_pongs),
    "Each rank of a ring hands each of its two neighbors the edge next to it.": (
        edges_go_to_their_side
    ),
    "Stage r sends stage r + 1 its activation of micro-batch m in step r + m + 1.": (
        activations_one_after_another
    ),
}
FUNCTIONS = pytest.mark.parametrize("function", algorithms(send_recv), ids=name)


@FUNCTIONS
def test_the_docstrings_promise_is_kept(function):
    keep(function, PROMISES, collective="send_recv", chunk_count=PIECES.get(function.__name__))


def test_activations_come_in_order_for_any_number_of_micro_batches():
    for chunks in (1, 2, 7):
        keep(
            send_recv.pipeline_activations,
            PROMISES,
            collective="send_recv",
            chunk_count=chunks,
            chunks=chunks,
        )


@FUNCTIONS
def test_every_pair_is_served_and_nothing_else_arrives(function):
    for n in RANKS:
        for chunks in (1, 4):
            run, listed = served(function, n, chunks)
            assert listed.shape[1] == 4
            expected = {
                (dst, run.chunk_count + place): {(src, chunk): 1}
                for src, chunk, dst, place in listed.tolist()
            }
            assert len(expected) == len(listed)
            arrived = {cell: held for cell, held in run.last.items() if cell[1] >= run.chunk_count}
            assert arrived == expected
            assert all(run.last[cell] == {cell: 1} for cell in run.states[0])


def test_each_edge_lands_on_the_side_it_comes_from():
    """On a ring of more than two, a rank's left neighbor fills place 0, its right one place 1."""
    for n in RANKS[2:]:
        src, edge, dst, place = send_recv.halo_pairs(n).T
        assert np.array_equal(src, np.where(place == 0, dst - 1, dst + 1) % n)
        assert np.array_equal(edge, 1 - place)
