"""Two steps: the sentence of each algorithm, and what servers send and get."""

from collections import Counter

import pytest
from machines import all_whole
from promises import Run, algorithms, keep, name
from settings import sampled_ranks

from collectives.algorithms import parameter_server

SIZES = sampled_ranks((*range(1, 19), 20, 24, 25, 27, 32, 33))


def two_steps(run, there, back):
    """Exactly these (source, destination, chunk): adds in step 1, sends in step 2."""
    if run.n == 1:
        return not run.steps
    found = [[(r.src, r.dst, r.chunk, r.adds) for r in step] for step in run.steps]
    expected = [(*row, True) for row in there], [(*row, False) for row in back]
    return list(map(Counter, found)) == list(map(Counter, expected)) and all_whole(run)


def each_adds_up_its_chunk(run):
    there = [(src, dst, dst) for src, dst in run.pairs()]
    return two_steps(run, there, [(src, dst, src) for src, dst in run.pairs()])


def each_server_its_shard(run):
    shards = [(rank, run.n + s, s) for rank in range(run.n) for s in range(run.chunk_count)]
    return two_steps(run, shards, [(dst, src, shard) for src, dst, shard in shards])


PROMISES = {
    "In the first shot, every rank sums one chunk; in the second, it sends the sum to all.": (
        each_adds_up_its_chunk
    ),
    "A server, node n, adds up the data of all ranks and sends them the sum.": (
        each_server_its_shard
    ),
    "Each server, from node n on, adds up its shard of all ranks and sends them the sum.": (
        each_server_its_shard
    ),
}
GIVEN = {
    parameter_server.two_shot_all_reduce: [{}],
    parameter_server.parameter_server_all_reduce: [{"chunk_count": 1}],
    parameter_server.sharded_server_all_reduce: [
        {"servers": s, "chunk_count": s} for s in range(1, 7)
    ],
}


@pytest.mark.parametrize("function", algorithms(parameter_server), ids=name)
def test_the_docstrings_promise_is_kept(function):
    for given in GIVEN[function]:
        keep(function, PROMISES, SIZES, **given)


def test_one_server_of_shards_is_the_parameter_server():
    for n in SIZES:
        one = Run(parameter_server.sharded_server_all_reduce, n, servers=1, chunk_count=1)
        assert (
            one.steps == Run(parameter_server.parameter_server_all_reduce, n, chunk_count=1).steps
        )
