"""Flows that begin and end one by one: their rates after every event, and when they end."""

import random

import numpy as np
import pytest
from cost.clocks import slow
from each import each
from settings import sampled

from collectives.cost.clocks import fair_flows as module
from collectives.cost.clocks.fair_flows import NEVER, FairFlows
from collectives.cost.clocks.fair_share import arrivals
from collectives.cost.machines.paths import Paths

WAYS = {  # what is looked at after an event, and how: sorted out or all, one by one or arrays
    "one by one": (10**9, 10**9),
    "arrays": (-1, 10**9),
    "all at once": (10**9, -1),
}


@pytest.fixture(params=WAYS)
def ways(request, monkeypatch):
    """Each way of finding rates, however few flows there are."""
    quick_links, sorted_out = WAYS[request.param]
    monkeypatch.setattr(module, "QUICK_LINKS", quick_links)
    monkeypatch.setattr(module, "MOST_SORTED_OUT", sorted_out)


def network(pick):
    """Few different paths, so that many flows are of one class; some need no link at all."""
    links, flows = pick.randint(1, 7), pick.randint(1, 30)
    paths = [pick.choices(range(links), k=pick.randint(0, 3)) for _ in range(pick.randint(1, 8))]
    which = [pick.randrange(len(paths)) for _ in range(flows)]
    capacity = [pick.choice([1.0, 2.0, pick.uniform(0.5, 3.0)]) for _ in range(links)]
    limits = [pick.choice([1.0, 0.5, pick.uniform(0.1, 2.0)]) for _ in paths]
    path = [paths[k] for k in which]
    limit = np.array([limits[k] for k in which])
    start = np.cumsum([0, *map(len, path)])
    link = np.array([g for one in path for g in one], np.intp)
    return path, Paths(start, link), limit, np.array(capacity)


def rate(flows, flow):
    """Bytes per second of a flow that is under way."""
    return flows._rate[flows._class[flow]]


def walk(flows, begin, size, check):
    """Let flows begin when they are to; `check` what goes on after every event."""
    end, live = [NEVER] * len(begin), []
    waiting = sorted(range(len(begin)), key=begin.__getitem__)
    while waiting or live:
        now = min([flows.next_end(), *(begin[k] for k in waiting[:1])])
        if now == NEVER:
            break
        for flow in flows.finished(now):
            end[flow] = now
            live.remove(flow)
        while waiting and begin[waiting[0]] <= now:
            flow = waiting.pop(0)
            live.append(flow)
            flows.begin(flow, size[flow], now)
        flows.settle(now)
        check(live)
    return end


def random_walk(seed, check_rates):
    pick = random.Random(seed)
    path, paths, limit, capacity = network(pick)
    flows = FairFlows(paths, limit, capacity)
    number = len(limit)
    begin = [pick.choice([0.0, 1.0, pick.uniform(0.0, 5.0)]) for _ in range(number)]
    size = [pick.choice([1.0, 5.0, pick.uniform(0.1, 9.0)]) for _ in range(number)]

    def check(live):
        if check_rates:
            of = [rate(flows, flow) for flow in live]
            wanted = slow.max_min([path[k] for k in live], capacity.tolist(), limit[live].tolist())
            assert of == pytest.approx(wanted, rel=1e-9)

    end = walk(flows, begin, size, check)
    return paths, limit, capacity, begin, size, end


@each("seed", sampled(range(40), 2))
@pytest.mark.usefixtures("ways")
def test_rates_are_max_min_after_every_event(seed):
    random_walk(seed, True)


@each("seed", sampled(range(40, 100), 2))
@pytest.mark.usefixtures("ways")
def test_flows_end_when_they_do_with_rates_found_anew(seed):
    """A link of one's own stands in for a path without links."""
    paths, limit, capacity, begin, size, end = random_walk(seed, False)
    own = len(capacity)
    listed = [
        [*paths.link[a:b].tolist(), own + k]
        for k, (a, b) in enumerate(zip(paths.start, paths.start[1:], strict=False))
    ]
    start = np.cumsum([0, *map(len, listed)])
    link = np.array([g for one in listed for g in one], np.intp)
    room = np.append(capacity, np.full(len(limit), 1e9))
    wanted = arrivals(np.array(begin), np.array(size), start, link, room, limit)
    assert end == pytest.approx(wanted.tolist(), rel=1e-9)


@pytest.mark.usefixtures("ways")
def test_flows_on_a_dead_link_never_end_and_hold_up_no_others():
    paths = Paths(np.array([0, 1, 2]), np.array([0, 1]))
    flows = FairFlows(paths, np.array([1.0, 1.0]), np.array([0.0, 2.0]))
    for flow in (0, 1):
        flows.begin(flow, 4.0, 0.0)
    flows.settle(0.0)
    assert flows.next_end() == 4.0 and flows.finished(4.0) == [1]
    flows.settle(4.0)
    assert flows.next_end() == NEVER


@pytest.mark.usefixtures("ways")
def test_a_link_that_is_wanted_a_little_more_than_it_has_is_shared():
    flows = FairFlows(Paths(np.arange(3), np.zeros(2, np.intp)), np.ones(2), np.array([2 - 1e-6]))
    for flow in (0, 1):
        flows.begin(flow, 1.0, 0.0)
    flows.settle(0.0)
    assert rate(flows, 0) == rate(flows, 1) == pytest.approx(1 - 5e-7, rel=1e-12)
