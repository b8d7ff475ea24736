"""Neighbor exchange and Sparbit: the sentence of each, short hops, and Sparbit's rule by others."""

from collections import Counter

import pytest
from exchanges import EVEN, RANKS, gathered, held, hops, log_steps
from promises import Run, algorithms, keep, unrolled

from collectives.algorithms import neighbor_exchange


def neighbors_meet_in_turn_and_pass_the_latest_pair_on(run):
    """First both swap their own; then the pair that was complete last goes to the other side."""
    n = run.n
    for number, (step, links) in enumerate(zip(run.steps, run.messages(), strict=True)):
        right = {r for r in range(n) if (r + number) % 2 == 0}
        if links != {(r, (r + 1 if r in right else r - 1) % n) for r in range(n)}:
            return False
        for rank in range(n):
            sent = {row.chunk for row in unrolled(step) if row.src == rank}
            new = held(run.states[number], rank)
            if number:
                new -= held(run.states[number - 1], rank) - ({rank} if number == 1 else set())
            if sent != new or (number and sorted(sent) != [2 * (min(sent) // 2), max(sent)]):
                return False
    return gathered(run) and len(run.steps) == n // 2


def chunks_pass_half_as_far_to_ranks_that_lack_them(run):
    distances = [2**k % run.n for k in reversed(range(log_steps(run.n)))]
    lacked = all(
        (row.dst, row.chunk) not in before
        for before, step in zip(run.states, run.steps, strict=False)
        for row in step
    )
    return hops(run) == [{distance} for distance in distances] and lacked and gathered(run)


PROMISES = {
    "Neighbors swap chunks, then meet their two neighbors in turn and pass the latest pair on.": (
        neighbors_meet_in_turn_and_pass_the_latest_pair_on
    ),
    "Every step passes chunks half as far as the one before, to ranks that lack them.": (
        chunks_pass_half_as_far_to_ranks_that_lack_them
    ),
}


def test_every_algorithm_has_a_promise():
    assert algorithms(neighbor_exchange) == [
        neighbor_exchange.neighbor_exchange_all_gather,
        neighbor_exchange.sparbit_all_gather,
    ]


def test_neighbor_exchange_keeps_its_promise():
    keep(neighbor_exchange.neighbor_exchange_all_gather, PROMISES, EVEN)


def test_sparbit_keeps_its_promise():
    keep(neighbor_exchange.sparbit_all_gather, PROMISES, RANKS)


def test_most_bytes_go_over_short_hops():
    """As the module says: half of the chunks at least go no further than to a neighbor."""
    for function, ranks in (
        (neighbor_exchange.neighbor_exchange_all_gather, EVEN),
        (neighbor_exchange.sparbit_all_gather, RANKS),
    ):
        for n in ranks:
            run = Run(function, n)
            rows = [row for step in run.steps for row in unrolled(step)]
            near = sum((row.dst - row.src) % n in (1, n - 1) for row in rows)
            assert 2 * near >= len(rows)


def test_sparbit_sends_as_many_chunks_per_step_as_the_published_rule():
    """It doubles the number each step, less one where the digits of n call for that."""
    for n in range(2, 66):
        run = Run(neighbor_exchange.sparbit_all_gather, n)
        low = (n & -n).bit_length() - 1
        ignored = (~(n >> low) | 1) << low
        distance, expected = 1 << log_steps(n) - 1, 1
        for step in run.steps:
            less = (distance & ignored) == distance
            sent = Counter(row.src for row in step)
            assert set(sent.values()) == {expected - less}
            expected = 2 * expected - less
            distance >>= 1


@pytest.mark.parametrize(
    ("function", "n", "messages"),
    [
        (neighbor_exchange.neighbor_exchange_all_gather, 8, 32),
        (neighbor_exchange.sparbit_all_gather, 5, 20),
        (neighbor_exchange.sparbit_all_gather, 8, 56),
    ],
)
def test_messages_and_bytes_are_those_open_mpi_counts(function, n, messages):
    """Open MPI 5.0.11, all-gather 5 and 7; its Sparbit sends every chunk as a message."""
    run = Run(function, n)
    apart = function is neighbor_exchange.sparbit_all_gather
    assert (len(run.rows) if apart else sum(map(len, run.messages()))) == messages
    assert set(run.sent()) == {n - 1}
