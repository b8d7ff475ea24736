"""Ranks on other GPUs: paths lead there, times are those of the renamed schedule, moves are few."""

from itertools import pairwise, permutations

import numpy as np
import pytest

from collectives import record, send, time
from collectives.cost.machines import topology
from collectives.cost.machines.seats import place_texts, places_of, seated, seats_of, unseated
from collectives.cost.where import Where
from collectives.errors import BadInput

MACHINES = (("ring", {}), ("cluster", {"gpus": 4, "leaf": 1}), ("pcie-box", {"gpus_per_switch": 2}))


@pytest.mark.parametrize(("name", "parameters"), MACHINES)
def test_each_path_leads_from_rank_to_rank_on_the_gpus_of_both(name, parameters):
    plain = topology(name, 8, **parameters)
    moved = seated(plain, ["1=6", "7=3"])
    assert (np.sort(moved.bandwidth) == np.sort(plain.bandwidth)).all()
    for src, dst in permutations(range(8), 2):
        links = moved.paths([src], [dst]).link.tolist()
        begins, ends = moved.src[links].tolist(), moved.dst[links].tolist()
        assert (begins[0], ends[-1]) == (src, dst)
        assert begins[1:] == ends[:-1]
        seats = [moved.seats[src]], [moved.seats[dst]]
        assert links == plain.paths(*seats).link.tolist()
    back = unseated(moved)
    assert (back.src == plain.src).all() and (back.dst == plain.dst).all() and not back.seats


def chain(order):
    """The data goes along these ranks, one after another."""
    return (send(src, dst) for src, dst in pairwise(order))


def test_it_takes_as_long_as_the_same_schedule_with_other_ranks_where_they_were():
    order, seats = [0, 5, 1, 4, 2], seats_of(["5=2", "4=7"], 8)
    runs = [
        record(chain(ranks), collective="broadcast", ranks=8, root=ranks[0], slots=1, count=1 << 20)
        for ranks in (order, seats[order].tolist())
    ]
    times = [
        time(run, "cluster", gpus=4, place=place, clock=clock).total
        for clock in ("lockstep", "dataflow")
        for run, place in zip(runs, (["5=2", "4=7"], ()), strict=True)
    ]
    assert times[0] == pytest.approx(times[1], rel=1e-12)
    assert times[2] == pytest.approx(times[3], rel=1e-12)
    assert times[0] != pytest.approx(time(runs[0], "cluster", gpus=4).total, rel=1e-3)


def test_moves_are_the_fewest_and_lead_to_the_same_seats():
    for wanted in permutations(range(5)):
        moves = places_of(wanted)
        assert seats_of(moves, 5).tolist() == list(wanted)
        cycles, left = 0, set(range(5))
        while left:
            cycles += 1
            rank = min(left)
            while rank in left:
                left.remove(rank)
                rank = wanted[rank]
        assert len(moves) == 5 - cycles


def test_links_are_called_by_the_rank_that_is_there_now():
    ring = record("all_reduce", "ring", ranks=8)
    moved = Where("cluster:gpus=4", place=("0=5",)).topology(8)
    links = np.flatnonzero(moved.src == 0)
    assert {moved.label(int(end)) for end in moved.dst[links]} == {"node switch 1", "NIC 5"}
    placed = time(ring, "cluster", gpus=4, place="0=5", size="1MiB").topology
    assert placed.name == "cluster, place 0=5" and placed.seats == moved.seats
    assert not seated(moved, ["0=5"]).seats


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["3"], "place 3: must be RANK=GPU; try: 3=8"),
        (["3=8"], "place 3=8: no GPU 8 among 8; try: 7"),
        (["8=3"], "place 8=3: no rank 8 among 8; try: 7"),
        ([3], "place \\[3\\]: must be texts"),
    ],
)
def test_places_that_are_none_are_refused(texts, message):
    with pytest.raises(BadInput, match=message):
        seats_of(place_texts(texts), 8)


def test_a_place_needs_a_machine():
    with pytest.raises(BadInput, match="--place 3=8: on which machine"):
        Where(place=("3=8",)).topology(8)
