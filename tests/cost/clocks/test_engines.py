"""The dataflow clock has two ways to time; where both can, they agree."""

import random
from itertools import pairwise

import numpy as np
import pytest
from cost.clocks import slow
from cost.clocks.slow import slow_machine
from each import each
from settings import SOME_ROWS, recorded, sampled, settings

from collectives import ROWS, BadInput, record, reduce, send
from collectives.cost.clocks.clock import dataflow, lockstep
from collectives.cost.clocks.contention import contention_free
from collectives.cost.clocks.costs import Costs, LogGP, MessageCosts
from collectives.cost.clocks.event_clock import EventClock
from collectives.cost.clocks.port_clocks import PortClocks
from collectives.cost.clocks.step_messages import MessageSource
from collectives.cost.clocks.timing import times_of_messages
from collectives.cost.machines import topology, topology_for
from collectives.cost.machines.topology import changed, from_links

CASES = [(row, s) for row in SOME_ROWS for s in settings(row, (3, 4), all_roots=False)]
MODELS = [
    Costs(),
    Costs(latency=2.0, gamma=0.5),
    Costs(eager=7, arrivals={0: 9.0, 2: 3.5}, gamma=0.25),
    Costs(loggp=LogGP(L=3.0, o=1.0, g=2.0, G=0.25)),
    Costs(loggp=LogGP(L=0.5, o=1.0, g=20.0, G=0.5), eager=0, gamma=0.5),
    Costs(jitter=3.0, seed=5),
]


def by_ports(recording, made, costs):
    """Every message as the clocks of ports time it."""
    source = MessageSource(recording, made, costs)
    return times_of_messages(PortClocks(source, keep=True).times())


def by_events(recording, made, costs):
    """Every message as the queue of events times it."""
    return times_of_messages(EventClock(MessageSource(recording, made, costs)).times())


@pytest.mark.parametrize("costs", MODELS)
def test_port_clocks_and_events_tell_the_same_times(costs):
    """Rows take one port and two in turn, so that every row and every model has both."""
    for number, (row, setting) in enumerate(CASES):
        ports = 1 + (number + MODELS.index(costs)) % 2
        recording = recorded(row, setting, dtype="uint8")
        made = topology_for(recording, "crossbar", latency=1.0, bandwidth=2.0, ports=ports)
        one = by_ports(recording, made, costs)
        other = by_events(recording, made, costs)
        assert np.allclose(one.start, other.start, rtol=1e-9), (row, setting)
        assert np.allclose(one.sent, other.sent, rtol=1e-9), (row, setting)
        assert np.allclose(one.end, other.end, rtol=1e-9), (row, setting)


def overlaps(made, recording):
    """Whether two messages of different ports can use a shared link: every pair against every."""
    placement = made.placement(recording.ranks, recording.nodes)
    ways = [
        made.paths([placement[src]], [placement[dst]]).link.tolist()
        for src, dst in recording.counters.links.tolist()
    ]
    groups = [{int(made.group[link]) for link in way} for way in ways]
    return any(
        groups[a] & groups[b] and ways[a][0] != ways[b][0] and ways[a][-1] != ways[b][-1]
        for a in range(len(ways))
        for b in range(a)
    )


@pytest.mark.parametrize("at_once", [1, 1 << 13])
def test_what_is_told_apart_never_meets(at_once, monkeypatch):
    monkeypatch.setattr("collectives.cost.clocks.contention.CHECKED_PAIRS", at_once)
    seen = set()
    for seed in range(300):
        pick = random.Random(seed)
        row, n = pick.choice(ROWS), pick.choice([3, 4, 6, 8])
        name = pick.choice(["crossbar", "ring", "line", "torus-2d", "fully-connected", "cluster"])
        if not row.accepts(n) or (name == "cluster" and n % 2):
            continue
        recording = record(row.collective, row.algorithm, ranks=n)
        if recording.nodes > n:
            continue
        made = topology(name, n, **({"gpus": 2, "nics": 1, "leaf": 1} if name == "cluster" else {}))
        placement = made.placement(recording.ranks, recording.nodes)
        if contention_free(made, placement[recording.counters.links]):
            assert not overlaps(made, recording)
            seen.add(name)
    assert seen == {"crossbar", "ring", "line", "torus-2d", "fully-connected", "cluster"}


def test_the_first_walk_forgets_slots_and_the_second_does_not(monkeypatch):
    """A pipeline of even steps after which a rank needs to know when its slots were written."""
    monkeypatch.setattr("collectives.cost.clocks.port_clocks.PENDING_ROWS", 10)
    for row, setting in CASES:
        recording = recorded(row, setting, dtype="uint8")
        made = topology_for(recording, "crossbar", latency=1.0, bandwidth=2.0)
        other = by_events(recording, made, Costs())
        timing = dataflow(recording, made)
        assert np.allclose(timing.messages.end, other.end, rtol=1e-9)
        assert np.allclose(timing.step_end[other.step] >= other.end * (1 - 1e-9), True)


def test_too_many_messages_that_share_links_are_refused_before_they_are_made():
    swap = record("all_to_all", "pairwise", ranks=1100)
    with pytest.raises(BadInput) as told:
        dataflow(swap, topology("ring", 1100))
    assert str(told.value) == (
        "1208900 messages share links on ring: too many for the dataflow clock, which takes 2^20; "
        "try: the lockstep clock, or fewer ranks"
    )


def test_steps_that_share_their_messages_are_those_that_cost_the_same():
    for row, setting in CASES:
        recording = recorded(row, setting, dtype="uint8", count=60)
        made = topology_for(recording, "crossbar", latency=1.0, bandwidth=2.0)
        for gamma in (0.0, 0.5):
            wanted = slow.messages_of(recording, [gamma] * recording.nodes)
            source = MessageSource(recording, made, Costs(gamma=gamma))
            for found, (messages, _) in zip(source, wanted, strict=True):
                routes = found.routes
                size = np.broadcast_to(found.size, routes.number)
                added = np.broadcast_to(found.added, routes.number) * gamma
                told = zip(routes.src, routes.dst, size, added, strict=True)
                mine = sorted((m.src, m.dst, m.size, m.added) for m in messages)
                assert sorted(map(tuple, np.array(list(told)).reshape(-1, 4))) == mine


def test_most_steps_of_a_pipeline_cost_the_same_where_chunks_have_two_sizes():
    chain = record("broadcast", "ring", ranks=4, chunks=64, count=1000, dtype="uint8")
    every = list(MessageSource(chain, topology("crossbar", 4), Costs()))
    kinds = [one for one, after in zip(every, [*every[1:], None], strict=True) if one is not after]
    assert (len(every), len(kinds)) == (66, 2 + 1 + 2 + 1 + 2)  # where it fills, changes, empties


def test_a_port_serves_the_nearest_peer_first():
    flat = record("broadcast", "flat", ranks=5, root=3)
    every = dataflow(flat, topology("crossbar", 5)).messages
    order = every.dst[np.argsort(every.start)]
    assert order.tolist() == [4, 0, 1, 2]
    swap = record("all_to_all", "flat", ranks=5)
    every = dataflow(swap, topology("crossbar", 5)).messages
    for first, then in pairwise(np.unique(every.start)):
        assert (
            len(np.unique((every.dst - every.src)[every.start == first] % 5)) == 1 and first < then
        )


def crossing():
    """Two messages that meet on a middle link, the second half a message later."""
    yield send([0, 1], [2, 3])


def test_messages_that_meet_in_the_middle_share_it():
    recording = record(crossing(), collective="broadcast", ranks=4, slots=1, count=8, dtype="uint8")
    src = [0, 1, 4, 5, 5]
    dst = [4, 4, 5, 2, 3]
    made = from_links("dumbbell", [("rank", 4), ("switch", 2)], src, dst, 0.0, 2.0)
    assert lockstep(recording, made).total == 8.0  # 16 bytes over one link of 2 B/s
    late = dataflow(recording, made, Costs(arrivals={1: 2.0})).messages
    # alone for 2 s: 4 bytes; then 1 B/s each: 4 s; the second then has 4 bytes left, at 2 B/s
    assert late.sent.tolist() == [6.0, 8.0]


def test_equal_events_happen_at_once_however_many():
    """All-to-all on a torus: thousands of flows, few different times."""
    swap = record("all_to_all", "pairwise", ranks=16, count=16 * 100, dtype="uint8")
    made = changed(topology("torus-2d", 16, latency=0.0, bandwidth=3.0), latency=np.zeros(64))
    every = dataflow(swap, made).messages
    assert len(np.unique(every.end.round(6))) <= 30


def test_jitter_is_drawn_in_the_order_of_the_schedule():
    recording = record("all_reduce", "ring", ranks=4)
    made = topology("crossbar", 4)
    costs = MessageCosts(made, np.arange(4), Costs(jitter=1.0, seed=3))
    wanted = np.random.default_rng(3).uniform(0, 1.0, 4)
    routes = next(iter(MessageSource(recording, made, Costs()))).routes
    lead = costs.lead(routes, np.zeros(4)) - routes.lead
    assert np.allclose(lead, wanted)


def any_steps(pick, n, slots):
    """Steps that move anything anywhere, needing any slot; some come several times over."""
    for _ in range(pick.randint(1, 6)):
        rows = pick.randint(1, n)
        src, dst = (np.array([pick.randrange(n) for _ in range(rows)]) for _ in range(2))
        count = pick.choice([1, 1, 2])
        ends = range(0, slots - count + 1, count)  # no two ranges overlap in part
        chunk, into, other = ([pick.choice(ends) for _ in range(rows)] for _ in range(3))
        needs = pick.choice([None, other])
        times = pick.choice([1, 1, 2, 5])
        for _ in range(times):
            yield reduce(src, dst, chunk, into, count, needs)
        ranks = pick.sample(range(n), 2)
        for _ in range(times):
            cells = [pick.randrange(slots) for _ in range(3)]
            yield send(*ranks, *cells[:2], needs=cells[2])


@each("seed", sampled(range(60), 3))
def test_schedules_of_any_kind_are_timed_alike(seed):
    """What a slot holds may be read late and overwritten early; ports may be idle meanwhile."""
    pick = random.Random(seed)
    n, slots = pick.randint(2, 5), pick.randint(2, 4)
    recording = record(
        list(any_steps(pick, n, slots)),
        collective="all_reduce",
        ranks=n,
        slots=slots,
        count=slots * pick.choice([1, 4]),
        dtype="uint8",
    )
    if seed % 2:
        made = topology("crossbar", n, latency=1.0, bandwidth=2.0, ports=pick.choice([1, 2, 3]))
    else:
        made = topology("fully-connected", n, latency=1.0, bandwidth=2.0)
    costs = Costs(gamma=pick.choice([0.0, 0.5]), arrivals=pick.choice([{}, {0: 2.25}]))
    one = by_ports(recording, made, costs)
    other = by_events(recording, made, costs)
    assert np.allclose(one.start, other.start, rtol=1e-9)
    assert np.allclose(one.end, other.end, rtol=1e-9)
    machine = slow_machine(made, recording)
    wanted = slow.dataflow(recording, machine, 0.0, [costs.gamma] * n, costs.arrivals)
    assert dataflow(recording, made, costs).total == pytest.approx(wanted, rel=1e-9)


def test_a_port_may_take_more_messages_than_it_has_room_for():
    flat = record("broadcast", "flat", ranks=3, count=8, dtype="uint8")
    src, dst = [0, 3, 3], [3, 1, 2]
    ends = [("rank", 3), ("switch", 1)]
    room = from_links("wide", ends, src, dst, 0.0, 2.0, lanes=2)
    none = changed(room, capacity=np.full(3, 2.0))
    assert contention_free(room, flat.counters.links) and not contention_free(
        none, flat.counters.links
    )
    assert dataflow(flat, room).total == lockstep(flat, room).total == 4.0
    assert dataflow(flat, none).total == lockstep(flat, none).total == 8.0


def test_messages_of_one_wide_port_meet_behind_it():
    flat = record("broadcast", "flat", ranks=3, count=8, dtype="uint8")
    src, dst = [0, 3, 4, 4], [3, 4, 1, 2]
    made = from_links("neck", [("rank", 3), ("switch", 2)], src, dst, 0.0, 2.0, lanes=[2, 1, 1, 1])
    assert not contention_free(made, flat.counters.links)
    assert dataflow(flat, made).total == lockstep(flat, made).total == 8.0


def handed_on():
    """The larger piece goes round by way of the first scratch slot."""
    yield send([0, 1], [1, 0], 0, 2)
    yield send([0, 1], [1, 0], 1, 2)
    yield send([0, 1], [1, 0], 2, 3)


def test_scratch_slots_have_the_size_of_what_came_last():
    given = record(
        handed_on(), collective="broadcast", ranks=2, slots=2, scratch=2, count=3, dtype="uint8"
    )
    made = topology("crossbar", 2, latency=0.0, bandwidth=1.0)
    for clock in (lockstep, dataflow):
        assert clock(given, made).messages.size.tolist() == [2, 2, 1, 1, 1, 1]
        assert clock(given, made).total == 4.0
