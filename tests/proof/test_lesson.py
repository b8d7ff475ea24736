"""Exercises are graded: what is right but takes more than the lesson teaches is told in what."""

import numpy as np
import pytest

from collectives import BadInput, check, reduce, send
from collectives.algorithms.binomial import binomial_broadcast
from collectives.algorithms.ring import ring_all_gather, ring_broadcast, ring_reduce_scatter
from collectives.proof.lesson import counts_text
from collectives.proof.own_algorithm import OwnAlgorithm


def lone_broadcast(n, root=0):
    """Only the root sends."""
    for k in range(1, n):
        yield send(root, (root + k) % n)


def flat_broadcast(n, root=0):
    """The root sends to all at once."""
    if n > 1:
        yield send(root, (root + np.arange(1, n)) % n)


def chain_broadcast(n, root=0):
    """From neighbor to neighbor."""
    for k in range(n - 1):
        yield send((root + k) % n, (root + k + 1) % n)


def whole_circle_all_gather(n):
    """One step more than a ring needs."""
    rank = np.arange(n)
    for step in range(n):
        yield send(rank, (rank + 1) % n, (rank - step) % n)


def direct_all_gather(n):
    """Every rank sends its chunk to all others: no ring."""
    rank = np.arange(n)
    for step in range(1, n):
        yield send(rank, (rank + step) % n, rank)


def heavy_all_gather(n):
    """A ring that sends the chunk before once more."""
    rank = np.arange(n)
    right = (rank + 1) % n
    for step in range(n - 1):
        chunks = [(rank - k) % n for k in range(step, max(-1, step - 2), -1)]
        yield send(np.tile(rank, len(chunks)), np.tile(right, len(chunks)), np.concatenate(chunks))


def detour_broadcast(n, root=0):
    """From any root to rank 0 first, and down its tree."""
    if root:
        yield send(root, 0)
    yield from binomial_broadcast(n, 0)


def adding_broadcast(n, root=0):
    """The tree, but each rank adds what it gets to its empty slot."""
    for step in binomial_broadcast(n, root):
        yield reduce(step.src, step.dst)


def lonely_reduce(n):
    """All ranks send to rank 0, one after the other."""
    for rank in range(1, n):
        yield reduce(rank, 0)


MISSED = [
    (
        lone_broadcast,
        "tree",
        (
            "lone_broadcast on 8 ranks, root 0: right, in 7 steps where 3 are possible; only "
            "rank 0 sends; rank 0 sends 7 S where 3 S is enough"
        ),
    ),
    (
        flat_broadcast,
        "tree",
        (
            "flat_broadcast on 8 ranks, root 0: right, but a rank has 7 messages in one step, not "
            "1 at a time; rank 0 sends 7 S where 3 S is enough"
        ),
    ),
    (
        chain_broadcast,
        "tree",
        (
            "chain_broadcast on 8 ranks, root 0: right, in 7 steps where 3 are possible; each step "
            "has one message only"
        ),
    ),
    (
        detour_broadcast,
        "tree",
        "detour_broadcast on 8 ranks, root 1: right, in 4 steps where 3 are possible",
    ),
    (
        adding_broadcast,
        "tree",
        (
            "adding_broadcast on 8 ranks, root 0: right, but it adds where nothing is summed: "
            "send is enough, reduce reads each slot first"
        ),
    ),
    (
        whole_circle_all_gather,
        "ring",
        (
            "whole_circle_all_gather on 8 ranks: right, in 8 steps where 7 are possible; step 8 "
            "changes nothing; rank 0 sends S where 0.875 S is enough"
        ),
    ),
    (
        direct_all_gather,
        "ring",
        "direct_all_gather on 8 ranks: right, but it is no ring: rank 0 sends to ranks 1 to 7",
    ),
    (
        heavy_all_gather,
        "ring",
        "heavy_all_gather on 8 ranks: right, rank 0 sends 1.625 S where 0.875 S is enough",
    ),
    (
        lonely_reduce,
        "tree",
        (
            "lonely_reduce on 8 ranks, root 0: right, in 7 steps where 3 are possible; each step "
            "has one message only"
        ),
    ),
]


def slots_of(function):
    return None if "gather" in function.__name__ else 1


@pytest.mark.parametrize(("function", "like", "said"), MISSED, ids=lambda each: str(each)[:24])
def test_what_is_right_but_not_the_lesson_is_told_in_what(function, like, said):
    root = 0 if function is lonely_reduce else None
    settings = {"ranks": range(1, 17), "slots": slots_of(function), "root": root}
    assert check(function, **settings)
    verdict = check(function, like=like, **settings)
    assert not verdict and str(verdict) == said


def test_a_function_that_takes_no_root_is_right_for_one_only():
    def rootless_broadcast(n):
        yield from binomial_broadcast(n, 0)

    verdict = check(rootless_broadcast, ranks=range(1, 9), slots=1, like="tree")
    assert not verdict
    assert str(verdict) == "rootless_broadcast: right for root 0 only; it takes no root"
    assert check(rootless_broadcast, ranks=range(1, 9), slots=1, like="tree", root=0)


def test_one_step_is_possible_and_a_switch_is_no_rank():
    one = str(check(lone_broadcast, like="flat", ranks=[8], slots=1))
    assert "right, in 7 steps where 1 is possible; only rank 0 sends" in one

    def star_all_reduce(n):
        rank = np.arange(n)
        yield reduce(rank, n, 0)
        yield send(n, rank, 0)

    star = str(check(star_all_reduce, like="ring", ranks=[8], slots=1, nodes=lambda n: n + 1))
    assert star.endswith("but it is no ring: switch 0 sends to ranks 0 to 7")


def turned_all_gather(n):
    """A ring to the left."""
    rank = np.arange(n)
    for step in range(n - 1):
        yield send(rank, (rank - 1) % n, (rank + step) % n)


@pytest.mark.parametrize(
    ("function", "like"),
    [
        (ring_all_gather, "ring"),
        (turned_all_gather, "ring"),
        (ring_reduce_scatter, "ring"),
        (binomial_broadcast, "tree"),
    ],
)
def test_what_reaches_the_lesson_is_right_with_its_counts_beside_the_least(function, like):
    verdict = check(
        function,
        like=like,
        ranks=range(1, 17),
        slots=slots_of(function) if like == "tree" else None,
    )
    assert verdict, verdict
    first, counts = str(verdict).splitlines()
    assert first.startswith(f"{function.__name__}: right in all ")
    assert counts.startswith("On 16 ranks") and counts.count("(at least ") == 2


def test_the_smallest_ranks_on_which_it_shows_are_named_where_8_are_not_tried():
    assert str(check(lone_broadcast, like="tree", ranks=[2, 3, 5], slots=1)).startswith(
        "lone_broadcast on 5 ranks, root 0: right, in 4 steps where 3 are possible; only rank 0"
    )
    assert check(lone_broadcast, like="tree", ranks=[1, 2, 3], slots=1)


def test_a_wrong_schedule_is_wrong_whatever_it_is_like():
    def hasty_broadcast(n):
        yield send(0, 1)

    assert "is empty at the end" in str(check(hasty_broadcast, like="tree", ranks=[4], slots=1))


def test_an_unknown_lesson_is_refused():
    with pytest.raises(BadInput, match="did you mean tree"):
        check(lone_broadcast, like="tre", ranks=[4], slots=1)
    with pytest.raises(BadInput, match="like 'tree': ring all-reduce has its own"):
        check("all_reduce", "ring", like="tree")


def test_a_barrier_has_no_bytes():
    def tell_barrier(n):
        rank = np.arange(n)
        for step in range(1, n):
            yield send(rank, (rank + step) % n)

    recording = OwnAlgorithm(tell_barrier).record(4, 0)
    assert counts_text(recording) == "On 4 ranks: 3 steps (at least 2), 12 messages"


def test_a_lesson_that_is_never_compared_is_no_praise():
    with pytest.raises(BadInput, match="like bine: it takes none of these numbers of ranks; try"):
        check(lone_broadcast, collective="broadcast", slots=1, ranks=[3, 5, 7], like="bine")


def test_a_pipeline_is_graded_by_a_row_without_chunks():
    found = check(ring_broadcast, collective="broadcast", ranks=[4, 8], like="tree")
    assert "right, in " in str(found)
