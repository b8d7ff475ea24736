"""Trivance: the sentence of each, the distances, and that no byte is sent too many."""

from exchanges import (
    RANKS,
    gathered,
    log_steps,
    reduced,
    reverse_of,
    scattered,
)
from promises import Run, algorithms, keep

from collectives.algorithms import trivance


def apart(n):
    """How far partners are in each step, counted by hand: the last step closes the ring."""
    steps = log_steps(n, 3)
    found = [3**k for k in range(steps)]
    if found:
        found[-1] = min(found[-1], (n - found[-1] + 1) // 2)
    return found


def reachable(n, rank, hops):
    """The ranks that something can get to from a rank over some of these distances, in order."""
    found = {rank}
    for hop in hops:
        found |= {(at + way) % n for at in found for way in (hop, -hop)}
    return found


def in_the_last_step_that_leads_to_its_owner(run):
    hops, moved = apart(run.n), set()
    for step, rows in enumerate(run.steps):
        for row in rows:
            moved.add((row.src, row.chunk))
            now = reachable(run.n, row.dst, hops[step + 1 :])
            later = reachable(run.n, row.src, hops[step + 1 :])
            near = (row.dst - row.src) % run.n in (hops[step], run.n - hops[step])
            if not near or row.chunk not in now - later:
                return False
    once = len(moved) == len(run.rows) and moved == run.pairs()
    return once and len(run.steps) == len(hops) and scattered(run)


def few_steps_and_no_byte_too_many(run):
    few = len(run.steps) == 2 * log_steps(run.n, 3)
    return few and reduced(run) and set(run.sent()) == {2 * (run.n - 1)}


def whole_sums_on_both_sides(run):
    """A sum of the team grows to three times as many of its ranks; the others hand in and get."""
    n, power = run.n, 3 ** (log_steps(run.n + 1, 3) - 1)
    team = [place * n // power for place in range(power)]
    head = {rank: max(t for t in team if t <= rank) for rank in range(n) if rank not in team}
    into = {(rank, into, 0, True) for rank, into in head.items()}
    back = {(into, rank, 0, False) for rank, into in head.items()}
    between = [
        {
            (team[seat], team[(seat + way) % power], 0, True)
            for seat in range(power)
            for way in (3**k, -(3**k))
        }
        for k in range(log_steps(power, 3))
    ]
    found = [{(row.src, row.dst, row.chunk, row.adds) for row in step} for step in run.steps]
    folded = bool(head)
    grows = all(
        {rank for rank, _ in run.states[k + folded][team[seat], 0]} & set(team)
        == {team[(seat + far) % power] for far in range(-(3**k // 2), 3**k // 2 + 1)}
        for k in range(len(between) + 1)
        for seat in range(power)
    )
    return found == [step for step in [into, *between, back] if step] and grows and reduced(run)


PROMISES = {
    "Each sum goes one way or the other, in the last step that still leads to its owner.": (
        in_the_last_step_that_leads_to_its_owner
    ),
    "The reduce-scatter runs in reverse: chunks go back the way their sums came.": (
        reverse_of(trivance.trivance_reduce_scatter, gathered)
    ),
    "Reduce-scatter, then its reverse: few steps, and no rank sends more than it must.": (
        few_steps_and_no_byte_too_many
    ),
    "Whole sums go to both sides; ranks beyond a power of three fold into one before them.": (
        whole_sums_on_both_sides
    ),
}


def test_the_bandwidth_form_keeps_its_promise():
    for function in algorithms(trivance):
        if function is not trivance.trivance_latency_all_reduce:
            keep(function, PROMISES, RANKS)


def test_the_latency_form_keeps_its_promise():
    keep(trivance.trivance_latency_all_reduce, PROMISES, RANKS, chunk_count=1)


def test_every_sum_finds_its_owner():
    """Beyond the numbers that are executed: each rank but the owner sends its sum on once."""
    for n in range(1, 514):
        places = [place for step, _ in trivance.departures(n) for place in step.tolist()]
        assert sorted(places) == list(range(1, n))


def test_on_a_power_of_three_ranks_send_to_both_sides_in_every_step():
    for power in (3, 9, 27):
        for links in Run(trivance.trivance_all_reduce, power).messages():
            assert len(links) == 2 * power
