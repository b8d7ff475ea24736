"""Max-min shares and arrivals, held against the slow way of finding them."""

import random

import numpy as np
import pytest
from cost.clocks import slow
from each import each
from settings import sampled

from collectives.cost.clocks import fair_flows, fair_share
from collectives.cost.clocks.fair_flows import arrivals_one_by_one, fair_arrivals
from collectives.cost.clocks.fair_share import arrivals, fair_rates


def flows_of(pick, flows, links):
    """Paths of random lengths, capacities and limits of which some are equal."""
    paths = [
        [pick.randrange(links) for _ in range(pick.randint(1, min(4, links)))] for _ in range(flows)
    ]
    capacity = [pick.choice([1.0, 2.0, pick.uniform(0.5, 3.0)]) for _ in range(links)]
    limit = [pick.choice([np.inf, 1.0, pick.uniform(0.1, 2.0)]) for _ in range(flows)]
    start = np.cumsum([0, *map(len, paths)])
    link = np.array([k for path in paths for k in path], np.intp)
    return paths, capacity, limit, start, link


@pytest.fixture(params=["all at once", "one by one"])
def filling(request, monkeypatch):
    """Both ways of filling links, whatever their number."""
    if request.param == "one by one":
        monkeypatch.setattr(fair_share, "QUICK_FLOWS", 0)
        monkeypatch.setattr(fair_share, "WORTHWHILE", 0)


@each("seed", sampled(range(150), 3))
@pytest.mark.usefixtures("filling")
def test_rates_are_max_min_fair(seed):
    pick = random.Random(seed)
    paths, capacity, limit, start, link = flows_of(pick, pick.randint(1, 14), pick.randint(1, 7))
    rate = fair_rates(start, link, np.array(capacity), np.array(limit))
    assert np.allclose(rate, slow.max_min(paths, capacity, limit), rtol=1e-9)
    used = np.bincount(link, np.repeat(rate, np.diff(start)), len(capacity))
    assert (used <= np.array(capacity) * (1 + 1e-12)).all()
    for f, path in enumerate(paths):  # each flow is at its limit, or first of a full link
        firsts = [
            used[k] >= capacity[k] * (1 - 1e-9)
            and rate[f] >= max(rate[g] for g in range(len(paths)) if k in paths[g]) * (1 - 1e-9)
            for k in path
        ]
        assert rate[f] >= limit[f] * (1 - 1e-9) or any(firsts)


@each("seed", sampled(range(80), 2))
@pytest.mark.usefixtures("filling")
def test_flows_arrive_when_the_slow_ones_do(seed):
    """Uneven loads, staggered starts, links used by both directions, paths of several hops."""
    pick = random.Random(1000 + seed)
    flows, links = pick.randint(1, 12), pick.randint(1, 6)
    paths, capacity, limit, start, link = flows_of(pick, flows, links)
    size = [pick.choice([0.0, 1.0, 1.0, 5.0, pick.uniform(0.0, 9.0)]) for _ in range(flows)]
    begin = [pick.choice([0.0, 0.0, 1.0, pick.uniform(0.0, 5.0)]) for _ in range(flows)]
    if seed % 5 == 0:
        capacity[0] = 0.0  # a dead link
    flows = np.array(begin), np.array(size), start, link, np.array(capacity), np.array(limit)
    wanted = slow.arrivals(begin, size, paths, capacity, limit)
    assert np.allclose(arrivals(*flows), wanted, rtol=1e-9)
    assert np.allclose(arrivals_one_by_one(*flows), wanted, rtol=1e-9)


def test_the_quicker_way_is_taken(monkeypatch):
    """Uneven flows on short shared paths one by one, the others all together."""
    taken = []
    for name in ("arrivals", "arrivals_one_by_one"):
        monkeypatch.setattr(fair_flows, name, lambda *_, name=name: taken.append(name))

    def ask(flows, sizes, hops, shared=True):
        size = 1.0 + np.arange(flows) % sizes
        link = np.zeros(flows * hops, np.intp) if shared else np.arange(flows * hops)
        start = np.arange(0, flows * hops + 1, hops)
        fair_arrivals(size, size, start, link, np.ones(flows * hops), size)

    ask(100, 9, 4)
    ask(100, 9, 9, shared=False)
    ask(100, 8, 4)
    ask(100, 9, 5)
    ask(5000, 9, 4)
    assert taken == ["arrivals_one_by_one"] * 2 + ["arrivals"] * 3


@pytest.mark.usefixtures("filling")
def test_weights_share_a_full_link():
    start, link = np.array([0, 1, 2]), np.array([0, 0])
    free = np.full(2, np.inf)
    rate = fair_rates(start, link, np.array([3.0]), free, np.array([1.0, 2.0]))
    assert np.allclose(rate, [1.0, 2.0])
    held = fair_rates(start, link, np.array([3.0]), np.array([9.0, 1.0]), np.array([1.0, 2.0]))
    assert np.allclose(held, [2.0, 1.0])


def test_equal_flows_of_an_all_to_all_end_at_once():
    n = 64
    src, dst = np.nonzero(~np.eye(n, dtype=bool))
    start, link = np.arange(0, 2 * len(src) + 1, 2), np.stack([src, n + dst], 1).ravel()
    end = arrivals(
        np.zeros(len(src)),
        np.ones(len(src)),
        start,
        link,
        np.ones(2 * n),
        np.full(len(src), np.inf),
    )
    assert np.allclose(end, n - 1, rtol=1e-14)


def test_no_flow_is_fine():
    nothing = np.zeros(0)
    first = np.zeros(1, np.intp)
    assert len(arrivals(nothing, nothing, first, first[:0], np.ones(1), nothing)) == 0
    assert len(fair_rates(first, first[:0], np.ones(1), nothing)) == 0
