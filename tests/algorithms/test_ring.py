"""Algorithms on a ring: the sentence of each, and the two neighbors each rank talks to."""

from itertools import pairwise

import pytest
from promises import RANKS, Run, algorithms, keep, name

from collectives import record
from collectives.algorithms import ring

ALGORITHMS = algorithms(ring)


def rank_r_holds_chunk_r_summed(run):
    held = all(run.last[rank, rank] == run.whole(rank) for rank in range(run.n))
    return held and len(run.steps) == run.n - 1


def every_rank_has_every_chunk(run):
    cells = [(rank, chunk) for rank in range(run.n) for chunk in range(run.n)]
    starts = set(run.states[0]) == {(rank, rank) for rank in range(run.n)}
    held = all(run.last[cell] == {(cell[1], cell[1]): 1} for cell in cells)
    return starts and held and len(run.steps) == run.n - 1


def every_port_works_in_every_step(run):
    least = 2 * (run.n - 1)  # of each of n chunks, summed over the ranks that send
    senders = [sorted(row.src for row in step) for step in run.steps]
    every = all(some == [*range(run.n)] for some in senders)
    return every and sorted(row.chunk for row in run.rows) == sorted([*range(run.n)] * least)


def once_along_the_ring(run):
    path = [(run.root + hop) % run.n for hop in range(run.n)]
    hops = [[(row.src, row.dst) for row in step] for step in run.steps]
    return hops == [[hop] for hop in pairwise(path)]


def several_links_work_at_once(run):
    """Two at least, where there are so many."""
    return max(map(len, run.messages()), default=0) >= min(2, run.n - 1)


def every_rank_adds_its_own(run):
    whole = all(run.last[run.root, slot] == run.whole(slot) for slot in range(run.n))
    towards_the_root = {(other, (other - 1) % run.n) for other in run.others}
    return whole and run.links() == (towards_the_root if run.n > 1 else set())


PROMISES = {
    "Each chunk travels once round the ring, and every rank adds its own data.": (
        rank_r_holds_chunk_r_summed
    ),
    "Each chunk travels once round the ring, and every rank keeps a copy.": (
        every_rank_has_every_chunk
    ),
    "With one chunk for each rank, every port works in every step.": every_port_works_in_every_step,
    "The data runs once along the ring, from the root to its left neighbor.": once_along_the_ring,
    "Chunks follow one another along the chain, so that several links work at once.": (
        several_links_work_at_once
    ),
    "Sums run along a chain to the root; each rank adds its own data.": (every_rank_adds_its_own),
}


@pytest.mark.parametrize("function", ALGORITHMS, ids=name)
def test_the_docstrings_promise_is_kept(function):
    keep(function, PROMISES)


@pytest.mark.parametrize("function", ALGORITHMS, ids=name)
def test_on_a_ring_every_rank_talks_to_its_two_neighbors_only(function):
    for n in RANKS:
        links = Run(function, n, n // 2).links()
        assert all((src - dst) % n in (1, n - 1) for src, dst in links)


def test_the_busiest_rank_of_a_ring_all_reduce_sends_no_more_than_it_must():
    for n in RANKS:
        recording = record("all_reduce", "ring", ranks=n, count=3 * n)
        assert set(recording.bytes_sent) == {recording.bound.sent}


def test_captions_that_say_every_rank():
    for function in (ring.ring_reduce_scatter, ring.ring_all_gather):
        for n in RANKS[1:]:
            run = Run(function, n)
            for held, text, step in zip(run.states, run.captions, run.steps, strict=False):
                assert text.startswith("every rank ")
                assert [(row.src, row.dst) for row in step] == [(r, (r + 1) % n) for r in range(n)]
                if "passes a chunk on" in text:
                    assert all(
                        held[row.src, row.chunk] == {(row.chunk, row.chunk): 1} for row in step
                    )
