"""Chains below the root: the sentence of each, how long chains are, and what Open MPI counts."""

from collections import Counter
from itertools import pairwise

import pytest
from libraries import traffic
from promises import Run, algorithms, keep, name
from settings import sampled_ranks

from collectives import record
from collectives.algorithms import chains

ALGORITHMS = algorithms(chains)
RANKS = sampled_ranks(range(1, 18))


def lengths(n, count):
    """How many ranks each chain has, the longest first: cards dealt to so many players."""
    return sorted(Counter(card % count for card in range(n - 1)).values(), reverse=True)


def chains_of(run, up):
    """The places in each chain, from its head on, as the links of every chunk tell them."""
    below = {}
    for chunk in range(run.chunk_count):
        found = {}
        for row in run.rows:
            ends = (row.dst, row.src) if up else (row.src, row.dst)
            if row.chunk == chunk:
                found.setdefault(run.place(ends[0]), []).append(run.place(ends[1]))
        assert chunk == 0 or found == below
        below = found
    result = []
    for head in below.get(0, []):
        chain = [head]
        while chain[-1] in below:
            (following,) = below[chain[-1]]
            chain.append(following)
        result.append(chain)
    return result


def in_chains(run, up):
    found = chains_of(run, up)
    assert [place for chain in found for place in chain] == list(range(1, run.n))
    assert [len(chain) for chain in found] == lengths(run.n, run.given["chains"])
    for link in run.links():
        steps = [
            [number for number, step in enumerate(run.steps) for row in step if row.chunk == chunk
             and (row.src, row.dst) == link]
            for chunk in range(run.chunk_count)
        ]  # fmt: skip
        assert all(len(numbers) == 1 for numbers in steps)
        assert all(later[0] == number[0] + 1 for number, later in pairwise(steps))
    return all(row.adds == up for row in run.rows)


def data_down_every_chain(run):
    slots = [(rank, chunk) for rank in range(run.n) for chunk in range(run.chunk_count)]
    return in_chains(run, up=False) and all(
        run.last[slot] == {(run.root, slot[1]): 1} for slot in slots
    )


def sums_up_every_chain(run):
    whole = all(run.last[run.root, c] == run.whole(c) for c in range(run.chunk_count))
    return in_chains(run, up=True) and whole


ONE_CHUNK = {chains.down_chains: "broadcast", chains.up_chains: "reduce"}
PROMISES = {
    "A chunk goes down every chain, one rank further in each step.": data_down_every_chain,
    "A sum goes up every chain, one rank nearer to the root in each step.": sums_up_every_chain,
    "Chunks follow one another down every chain, whose lengths differ by at most one rank.": (
        data_down_every_chain
    ),
    "Sums of chunks follow one another up every chain, and the root adds up those of all chains.": (
        sums_up_every_chain
    ),
}


@pytest.mark.parametrize("count", [1, 2, 3, 4, 20])
@pytest.mark.parametrize("function", ALGORITHMS, ids=name)
def test_the_docstrings_promise_is_kept(function, count):
    if function in ONE_CHUNK:
        named = {"collective": ONE_CHUNK[function], "chunk_count": 1}
        return keep(function, PROMISES, RANKS, chains=count, **named)
    return keep(function, PROMISES, RANKS, chunks=3, chunk_count=3, chains=count)


@pytest.mark.parametrize("collective", ["broadcast", "reduce"])
def test_the_code_beside_the_stage_is_that_of_chains(collective):
    recording = record(collective, "chains", ranks=8)
    files = {frame.source.file for step in recording.steps for one in step.stamps for frame in one}
    assert files == {"chains.py"}


def test_the_heads_are_those_of_open_mpi():
    """Eight ranks, as its build_chain cuts them: the first chains are one rank longer."""
    first = {count: next(chains.down_chains(8, count)) for count in (1, 2, 4)}
    assert {count: step.dst.tolist() for count, step in first.items()} == {
        1: [1],
        2: [1, 5],
        4: [1, 3, 5, 7],
    }


@pytest.mark.parametrize("n", [5, 8])
def test_it_moves_the_bytes_that_open_mpi_counts_of_four_chains(n):
    run = Run(chains.chains_broadcast, n, chunks=1, chunk_count=1, chains=4)
    assert traffic(run) == (n - 1, 4, 1, n - 1)
