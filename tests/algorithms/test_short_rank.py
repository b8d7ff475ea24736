"""Around a short rank: the sentence, one port, what each rank sends, and the time with a fault."""

from itertools import pairwise

import pytest
from promises import RANKS, Run, keep

import collectives
from collectives.algorithms.short_rank import short_rank_all_reduce
from collectives.cost.fault_texts import NO_FAULTS, Faults

HALF = Faults(slow_link=("0-switch 0=0.5",))


def chunks_of(n, chunks):
    """Two chunks for each part, a part for each rank of the ring and chunk of the pipeline."""
    return 2 * (n - 1) * chunks


def one_chunk_at_a_time_into_a_ring_of_pairs(run):
    short, every = run.given["short"], set(range(run.chunk_count))
    inward = [row for row in run.rows if row.dst == short]
    outward = [row for row in run.rows if row.src == short]
    among = [row for row in run.rows if short not in (row.src, row.dst)]
    rest = [rank for rank in range(run.n) if rank != short]
    after = dict(pairwise([*rest, *rest[:1]]))
    once = [sorted(row.chunk for row in rows) == sorted(every) for rows in (inward, outward)]
    single = all(row.count == 1 for row in inward + outward)
    paired = all(row.count == 2 and after[row.src] == row.dst for row in among)
    verbs = all(row.adds for row in outward) and not any(row.adds for row in inward)
    summed = all(run.last[rank, c] == run.whole(c) for rank in range(run.n) for c in every)
    return all(once) and single and paired and verbs and summed


PROMISES = {
    "A short rank hands in its data and gets the sums, one chunk at a time; a ring adds pairs.": (
        one_chunk_at_a_time_into_a_ring_of_pairs
    ),
}


@pytest.mark.parametrize("chunks", [1, 2, 3])
@pytest.mark.parametrize("place", [0, 0.5, 1])
def test_the_docstrings_promise_is_kept(chunks, place):
    keep(
        short_rank_all_reduce,
        PROMISES,
        short=lambda n: int(place * (n - 1)),
        chunks=chunks,
        chunk_count=lambda n: chunks_of(n, chunks),
    )


def test_every_rank_sends_and_receives_one_message_at_a_time():
    for n in RANKS:
        run = Run(short_rank_all_reduce, n, short=n // 2, chunks=2, chunk_count=chunks_of(n, 2))
        for links in run.messages():
            assert len({src for src, _ in links}) == len({dst for _, dst in links}) == len(links)


def test_the_short_rank_sends_the_vector_once_and_no_other_more_than_twice():
    for n in RANKS[1:]:
        run = Run(short_rank_all_reduce, n, short=0, chunks=2, chunk_count=chunks_of(n, 2))
        assert run.sent()[0] == run.chunk_count
        assert all(sent * (n - 1) == (2 * n - 3) * run.chunk_count for sent in run.sent()[1:])


def seconds(algorithm, faults=NO_FAULTS, **options):
    recording = collectives.record("all_reduce", algorithm, ranks=8, **options)
    found = collectives.time(recording, "crossbar", size="1GiB", faults=faults)
    return found.total


def test_half_the_bandwidth_of_a_rank_doubles_the_ring_and_hardly_delays_this():
    """S at half the bandwidth is what the short rank must send: no schedule takes less."""
    healthy, bound = seconds("ring"), 2 * (1 << 30) / 50e9
    assert seconds("ring", HALF) / healthy == pytest.approx(2, rel=0.01)
    assert bound < seconds("short-rank", HALF, chunks=16) < 1.11 * bound


@pytest.mark.parametrize(("left", "ahead"), [(0.5, True), (0.75, True), (0.85, False), (1, False)])
def test_the_ring_wins_where_the_rank_is_hardly_short(left, ahead):
    """The ring needs 2 (N-1)/N of what the short rank can do, this 2 + 2/c of what others can."""
    faults = Faults(slow_link=(f"0-switch 0={left}",))
    assert (seconds("short-rank", faults, chunks=16) < seconds("ring", faults)) is ahead
