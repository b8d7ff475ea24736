"""Times and rankings on a machine by name: what a notebook asks, as the clocks answer it."""

import pytest

import collectives
from collectives import BadInput, Costs, Faults, dataflow, lockstep, record, topology
from collectives.cost.machines.faults import late_rank, slow_link, slow_rank

RING = record("all_reduce", "ring", ranks=8, count=1 << 20, dtype="uint8")


def test_a_time_is_that_of_the_clock_on_the_machine():
    machine = topology("hgx-h100", 8)
    assert collectives.time(RING, "hgx-h100").total == lockstep(RING, machine).total
    assert collectives.time(RING, machine).total == lockstep(RING, machine).total
    found = collectives.time(RING, machine, clock="dataflow", costs=Costs(latency=1e-6))
    assert found.total == dataflow(RING, machine, Costs(latency=1e-6)).total


def test_parameters_are_those_of_the_machine():
    found = collectives.time(RING, latency="5us", bandwidth="50GB/s")
    machine = topology("crossbar", 8, latency=5e-6, bandwidth=50e9)
    assert found.total == lockstep(RING, machine).total


@pytest.mark.parametrize("size", ["1GiB", 1 << 30])
def test_a_size_counts_the_schedule_anew(size):
    found = collectives.time(RING, "hgx-h100", size=size)
    assert found.recording.count == 1 << 30
    again = record("all_reduce", "ring", ranks=8, count=1 << 30, dtype="uint8")
    assert found.total == lockstep(again, topology("hgx-h100", 8)).total


def test_a_ranking_has_the_fastest_first():
    found = collectives.rank("allreduce", ranks=8, size="1KiB", topology="hgx-h100")
    times = [one.seconds for one in found.timed]
    assert times == sorted(times) and len(times) > 10
    ring = next(one for one in found.timed if one.name == "ring")
    assert ring.seconds == collectives.time(RING, "hgx-h100", size=1024).total


def test_an_algorithm_shares_the_groups_of_the_machine():
    found = collectives.rank("all_reduce", ranks=8, size="1MiB", topology="cluster", gpus=4)
    named = {one.name: one.timing.recording.parameters for one in found.timed}
    assert named["hierarchical"] == {"gpus": 4}


@pytest.mark.parametrize(
    ("ask", "problem"),
    [
        ({"clock": "loose"}, "clock 'loose': unknown; did you mean lockstep"),
        ({"topology": "hgx-h10"}, "unknown topology 'hgx-h10'; did you mean hgx-h100"),
        ({"topology": topology("ring", 4)}, "8 ranks: ring has 4"),
        ({"topology": topology("ring", 8), "latency": "5us"}, "latency: the links of ring have"),
        ({"size": "1GB/s"}, "unknown unit 'GB/s'"),
        ({"size": -1}, "size -1: must be at least 0"),
        ({"lanes": 2}, "crossbar has no parameter 'lanes'"),
    ],
)
def test_what_cannot_be_timed_is_refused(ask, problem):
    with pytest.raises(BadInput, match=problem):
        collectives.time(RING, **ask)
    with pytest.raises(BadInput, match=problem):
        collectives.rank("all_reduce", ranks=8, **({"size": 1024} | ask))


def test_what_a_library_would_choose_takes_sizes_with_units():
    assert collectives.choose("nccl", "AllReduce", 8, "1MiB").row == "ring"
    with pytest.raises(BadInput, match="has no unit"):
        collectives.choose("nccl", "AllReduce", 8, "1024")


def test_faults_are_those_of_the_command_line():
    faults = Faults(slow_link=["0-1=0.5", "2→3=50%"], late="4=20us", dead=())
    machine = topology("ring", 8)
    for src, dst in ((0, 1), (1, 0), (2, 3)):
        machine = slow_link(machine, src, dst, 2)
    found = collectives.time(RING, "ring", clock="dataflow", faults=faults)
    assert found.total == dataflow(RING, machine, late_rank(Costs(), 4, 20e-6)).total
    assert str(faults) == "--slow-link 0-1=0.5; --slow-link 2→3=50%; --late 4=20us"
    healthy, slow = (
        collectives.rank("all_reduce", ranks=8, size="1MiB", topology="ring", faults=each).best
        for each in (Faults(), Faults(slow_rank="0=0.1"))
    )
    assert slow.seconds > healthy.seconds


@pytest.mark.parametrize("slow", [("3=0.5",), ("3=0.5", "5=0.9"), ("5=90%", "3=0.5")])
def test_a_short_rank_is_the_slowest_rank(slow):
    """An algorithm for a rank of half the bandwidth is timed around the rank that has it."""
    machine = slow_rank(topology("crossbar", 8), Costs(), 3, 2)[0]
    size, faults = 56_000_000, Faults(slow_rank=slow)
    found = collectives.rank("all_reduce", ranks=8, size=size, topology="crossbar", faults=faults)
    best = found.best.timing.recording
    assert (best.algorithm, best.parameters["short"]) == ("short-rank", 3)
    if len(slow) == 1:
        assert found.best.seconds == lockstep(best, machine).total
    other = collectives.rank("all_reduce", ranks=8, size=size, topology="crossbar")
    rows = [one.timing.recording for one in other.timed]
    assert next(r for r in rows if r.algorithm == "short-rank").parameters["short"] == 0


@pytest.mark.parametrize(
    ("faults", "problem"),
    [
        ({"slow_link": "0-9=0.5"}, "no node 9, ring has rank 0 to 7; try"),
        ({"late": "9=5us"}, "no rank 9; the ranks are 0 to 7; try: 7=5us"),
        ({"dead": "0-1", "seed": 3}, "--seed 3: there is no jitter"),
    ],
)
def test_faults_that_cannot_be_are_refused(faults, problem):
    with pytest.raises(BadInput, match=problem):
        collectives.time(RING, "ring", faults=Faults(**faults))


def test_a_recording_that_states_its_sizes_is_not_timed_as_if_they_were_even():
    uneven = record("all_gather", "ring", ranks=4, counts=[1, 2, 3, 4000])
    with pytest.raises(BadInput, match="states the size of each chunk; try: time without"):
        collectives.time(uneven, "hgx-h100", size="64MiB")
    assert collectives.time(uneven, "hgx-h100").total > 0
