"""Algorithms on a k-nomial tree: the sentence of each, its steps, its ports, and radix 2."""

from itertools import pairwise

import pytest
from libraries import traffic
from promises import Run, algorithms, keep, name
from settings import sampled_ranks

from collectives.algorithms import binomial, knomial

ALGORITHMS = algorithms(knomial)
RANKS = sampled_ranks(range(1, 18))


def rounded_log(n, radix):
    power = steps = 0
    while radix**power < n:
        power, steps = power + 1, steps + 1
    return steps


def holders_serve_radix_less_one(run):
    radix, having, hops = run.given["radix"], {run.root}, []
    for messages in run.messages():
        sent = [src for src, _ in messages]
        assert all(sent.count(src) <= radix - 1 for src in sent)
        assert set(sent) <= having
        having |= {dst for _, dst in messages}
        hops.append({run.place(dst) - run.place(src) for src, dst in messages})
    shorter = all(max(later) < min(hop) for hop, later in pairwise(hops))
    whole = all(run.last[rank, 0] == {(run.root, 0): 1} for rank in range(run.n))
    return shorter and whole and having == set(range(run.n))


def radix_sums_become_one(run):
    radix, left = run.given["radix"], list(range(run.n))
    for messages in run.messages():
        order = sorted(left, key=run.place)
        groups = [order[k : k + radix] for k in range(0, len(order), radix)]
        assert messages == {(other, group[0]) for group in groups for other in group[1:]}
        left = [group[0] for group in groups]
    adds = all(row.adds for row in run.rows)
    return adds and left == [run.root] and run.last[run.root, 0] == run.whole(0)


PROMISES = {
    "Ranks with the data send it to up to radix - 1 others at once, in ever shorter hops.": (
        holders_serve_radix_less_one
    ),
    "The broadcast runs in reverse: up to radix sums become one in each step.": (
        radix_sums_become_one
    ),
}


@pytest.mark.parametrize("radix", [2, 3, 4, 5, 20])
@pytest.mark.parametrize("function", ALGORITHMS, ids=name)
def test_the_docstrings_promise_is_kept(function, radix):
    keep(function, PROMISES, RANKS, radix=radix, chunk_count=1)


@pytest.mark.parametrize("radix", [2, 3, 4, 5, 20])
@pytest.mark.parametrize("function", ALGORITHMS, ids=name)
def test_steps_are_as_few_as_so_many_ports_allow(function, radix):
    for n in range(1, 70):
        run = Run(function, n, radix=radix, chunk_count=1)
        assert len(run.steps) == rounded_log(n, radix)


def test_radix_2_is_the_binomial_tree():
    for n in RANKS:
        for root in range(n):
            ours = Run(knomial.knomial_broadcast, n, root, radix=2)
            assert ours.messages() == Run(binomial.binomial_broadcast, n, root).messages()


def test_open_mpis_default_radix_4_moves_the_bytes_its_counters_show():
    """Its root sends 4 vectors at N = 5 and 8, and 6 at 16."""
    for n, most in ((5, 4), (8, 4), (16, 6)):
        run = Run(knomial.knomial_broadcast, n, radix=4, chunk_count=1)
        assert traffic(run) == (n - 1, most, 1, n - 1)
