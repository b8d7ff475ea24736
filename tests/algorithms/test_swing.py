"""Swing: the sentence of each, the distances, and the last meeting that leads to an owner."""

import numpy as np
from exchanges import (
    EVEN,
    RANKS,
    few_steps_and_no_byte_too_many,
    gathered,
    log_steps,
    reverse_of,
    scattered,
)
from promises import Run, algorithms, keep

from collectives.algorithms import swing

DISTANCES = [1, -1, 3, -5, 11, -21, 43]


def met(n, rank, step):
    """The rank that a rank meets: even ranks swing to one side, odd ones to the other."""
    return (rank + (DISTANCES[step] if rank % 2 == 0 else -DISTANCES[step])) % n


def reachable(n, rank, steps):
    """The ranks that something can get to from a rank in some of these steps."""
    found = {rank}
    for step in steps:
        found |= {met(n, at, step) for at in found}
    return found


def each_sum_moves_at_the_last_meeting_that_leads_to_its_owner(run):
    count = log_steps(run.n)
    moved = set()
    for step, rows in enumerate(run.steps):
        for row in rows:
            moved.add((row.src, row.chunk))
            now = reachable(run.n, row.dst, range(step + 1, count))
            later = reachable(run.n, row.src, range(step + 1, count))
            if row.dst != met(run.n, row.src, step) or row.chunk not in now - later:
                return False
    once = len(moved) == len(run.rows) and moved == run.pairs()
    return once and len(run.steps) == count and scattered(run)


def partners_exchange_whole_sums(run):
    """In between, ranks of a power of two meet; the others hand in and get back."""
    n = run.n
    power = 1 << n.bit_length() - 1
    stands_in = {even: even + 1 for even in range(0, 2 * (n - power), 2)}
    team = [rank for rank in range(n) if rank not in stands_in]
    first, last = [(k, v, 0, True) for k, v in stands_in.items()], []
    last = [(v, k, 0, False) for k, v in stands_in.items()]
    between = [
        [(team[seat], team[met(power, seat, step)], 0, True) for seat in range(power)]
        for step in range(log_steps(power))
    ]
    expected = [step for step in [first, *between, last] if step]
    found = [[(row.src, row.dst, row.chunk, row.adds) for row in step] for step in run.steps]
    return found == expected and all(run.last[rank, 0] == run.whole(0) for rank in range(n))


def partners_swing_there_and_back(run):
    """Each step is one of partners on either side, first there and then back."""
    swings = [*range(log_steps(run.n)), *reversed(range(log_steps(run.n)))]
    meet = all(
        row.dst == met(run.n, row.src, swing) and row.adds == (step < len(swings) // 2)
        for step, (rows, swing) in enumerate(zip(run.steps, swings, strict=True))
        for row in rows
    )
    return meet and few_steps_and_no_byte_too_many(run)


PROMISES = {
    "Each sum moves on at the last meeting that still leads to its owner.": (
        each_sum_moves_at_the_last_meeting_that_leads_to_its_owner
    ),
    "The reduce-scatter runs in reverse: chunks go back the way their sums came.": (
        reverse_of(swing.swing_reduce_scatter, gathered)
    ),
    "Partners on the right and left by turns swap sums; the finished sums go back the same way.": (
        partners_swing_there_and_back
    ),
    "Partners exchange whole sums; ranks beyond a power of two fold into a neighbor.": (
        partners_exchange_whole_sums
    ),
}


def test_the_bandwidth_form_keeps_its_promise_for_every_even_number_of_ranks():
    for function in algorithms(swing):
        if function is not swing.swing_latency_all_reduce:
            keep(function, PROMISES, EVEN)


def test_the_latency_form_keeps_its_promise_for_every_number_of_ranks():
    keep(swing.swing_latency_all_reduce, PROMISES, RANKS, chunk_count=1)


def test_partners_are_those_of_bine_butterflies():
    """Of step i: the sum of (-2)^0 to (-2)^i to one side for even ranks, to the other for odd."""
    for step in range(6):
        far = sum((-2) ** power for power in range(step + 1))
        butterfly = [(rank + (-far if rank % 2 else far)) % 64 for rank in range(64)]
        assert swing.partner(64, step).tolist() == butterfly


def test_partners_are_1_1_3_5_11_ranks_apart_and_meet_each_other():
    for n in (64, 66, 90, 128):
        for step, distance in enumerate(DISTANCES):
            found = swing.partner(n, step).tolist()
            assert found == [met(n, rank, step) for rank in range(n)]
            assert [found[other] for other in found] == list(range(n))
            apart = {min((a - b) % n, (b - a) % n) for a, b in enumerate(found)}
            assert apart == {min(abs(distance) % n, -abs(distance) % n)}


def test_every_sum_finds_its_owner_for_every_even_number_of_ranks():
    """Beyond the sizes that are executed: no rank but the owner is left without a way."""
    for n in range(2, 514, 2):
        assert np.flatnonzero(swing.leaving(n) < 0).tolist() == [0]


def test_every_rank_sends_one_message_in_every_step():
    for n in EVEN[1:]:
        for links in Run(swing.swing_all_reduce, n).messages():
            assert len(links) == n
