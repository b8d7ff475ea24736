"""Mixture of experts: the sentences, on tables of every kind; the counts are those of DeepEP."""

from functools import cache

import numpy as np
import pytest
from promises import RANKS, Run, algorithms, keep, name

from collectives.algorithms import experts
from collectives.routing import Routing, random_routing
from collectives.schedule import transposed
from collectives.schedule.step import rows

TABLES = {
    "even": {},
    "one expert of each token": {"topk": 1},
    "skewed, with empty experts": {"skew": 3},
    "all to one": {"topk": 1, "skew": 1000},
    "little room": {"capacity": 1},
    "several experts on a rank": {"experts": 3, "topk": 3},
    "every expert": {"topk": 1000},
}


@cache
def table(n, kind, tokens=3):
    """A table of n ranks; the number of experts is for each rank."""
    given = {"experts": 1, "topk": 2} | TABLES[kind]
    every = n * given.pop("experts")
    return random_routing(n, tokens, every, min(given.pop("topk"), every), **given)


def takers(routing, token):
    """The ranks of a token's experts, by a loop."""
    each = routing.experts // routing.ranks
    return {expert // each for expert in routing.choice[token].tolist() if expert >= 0}


def tokens_of(routing):
    """Each token with its rank."""
    return [(token, token // routing.tokens) for token in range(routing.slots)]


def deep_ep_crossings(routing, gpus):
    """DeepEP's rule, counted: how many other nodes have an expert of a token, of all tokens."""
    return sum(
        len({rank // gpus for rank in takers(routing, token)} - {owner // gpus})
        for token, owner in tokens_of(routing)
    )


def crossings(run):
    """Copies that go from node to node, of all steps."""
    gpus = run.given["gpus"]
    return sum(row.count for row in run.rows if row.src // gpus != row.dst // gpus)


def all_have_their_tokens(run):
    routing = run.given["routing"]
    return all(
        run.last[rank, token] == {(owner, token): 1}
        for token, owner in tokens_of(routing)
        for rank in takers(routing, token)
    )


def all_sums_are_back(run, zeros=False):
    routing = run.given["routing"]
    return all(
        run.last.get((owner, token), {})
        == {(rank, token): 1 for rank in (range(run.n) if zeros else takers(routing, token))}
        for token, owner in tokens_of(routing)
    )


def straight(run):
    routing = run.given["routing"]
    wanted = sorted(
        (owner, rank, token)
        for token, owner in tokens_of(routing)
        for rank in takers(routing, token) - {owner}
    )
    sent = sorted((row.src, row.dst, row.chunk) for row in run.rows)
    return sent == wanted and len(run.steps) <= 1 and all_have_their_tokens(run)


def straight_back(run):
    routing = run.given["routing"]
    wanted = sorted(
        (rank, owner, token)
        for token, owner in tokens_of(routing)
        for rank in takers(routing, token) - {owner}
    )
    sent = sorted((row.src, row.dst, row.chunk) for row in run.rows)
    return sent == wanted and len(run.steps) <= 1 and all_sums_are_back(run)


def once_to_each_node(run):
    routing, gpus = run.given["routing"], run.given["gpus"]
    across = [
        (row.chunk, row.dst // gpus) for row in run.rows if row.src // gpus != row.dst // gpus
    ]
    once = len(set(across)) == len(across) == deep_ep_crossings(routing, gpus)
    return once and len(run.steps) <= 2 and all_have_their_tokens(run)


def once_from_each_node(run):
    routing, gpus = run.given["routing"], run.given["gpus"]
    across = [
        (row.chunk, row.src // gpus) for row in run.rows if row.src // gpus != row.dst // gpus
    ]
    once = len(set(across)) == len(across) == deep_ep_crossings(routing, gpus)
    return once and len(run.steps) <= 2 and all_sums_are_back(run)


def round_the_ring(run):
    routing = run.given["routing"]
    everywhere = all(
        run.last[rank, token] == {(owner, token): 1}
        for token, owner in tokens_of(routing)
        for rank in range(run.n)
    )
    return everywhere and run.links() <= {(r, (r + 1) % run.n) for r in range(run.n)}


def sums_round_the_ring(run):
    ring = {(r, (r + 1) % run.n) for r in range(run.n)}
    return all_sums_are_back(run, zeros=True) and run.links() <= ring


PROMISES = {
    "Each token goes straight to every rank that has one of its experts, once to each.": straight,
    "A token crosses once to each node that has its experts, and is handed on inside the node.": (
        once_to_each_node
    ),
    "Every rank gets all tokens round the ring, those its experts do not take as well.": (
        round_the_ring
    ),
    "Each rank sends what its experts made of a token straight to the token's rank.": (
        straight_back
    ),
    "Each node adds up what its ranks made of a token, and the sum crosses back once.": (
        once_from_each_node
    ),
    "Sums of all tokens go round the ring; ranks without a token's experts add zeros.": (
        sums_round_the_ring
    ),
}
FUNCTIONS = pytest.mark.parametrize("function", algorithms(experts), ids=name)
KINDS = pytest.mark.parametrize("kind", TABLES)
TWO_HOPS = (experts.two_hop_dispatch, experts.two_hop_combine)


def held(routing):
    """The cells that hold what experts made, before a combine."""
    return [(rank, t) for t, _ in tokens_of(routing) for rank in takers(routing, t)]


def given(function, n, kind, gpus):
    """The arguments of a run."""
    routing = table(n, kind)
    found = {"routing": routing, "chunk_count": routing.slots}
    if function in TWO_HOPS:
        found["gpus"] = gpus
    if function in (experts.direct_combine, experts.two_hop_combine):
        found["before"] = held(routing)
    return found


@FUNCTIONS
@KINDS
def test_the_docstrings_promise_is_kept(function, kind):
    for n in RANKS:
        for gpus in {g for g in (1, 2, 3, 4, n) if n % g == 0} if function in TWO_HOPS else {1}:
            keep(function, PROMISES, [n], **given(function, n, kind, gpus))


@KINDS
def test_a_combine_is_its_dispatch_backwards(kind):
    for n in RANKS:
        routing = table(n, kind)
        for there, back in (
            (experts.direct_dispatch(n, routing), experts.direct_combine(n, routing)),
            (experts.two_hop_dispatch(n, 1, routing), experts.two_hop_combine(n, 1, routing)),
            (experts.two_hop_dispatch(n, n, routing), experts.two_hop_combine(n, n, routing)),
        ):
            both = [
                [sorted(rows(step)) for step in steps if len(step)]
                for steps in (transposed(there), back)
            ]
            assert both[0] == both[1]


def test_a_token_with_two_experts_on_a_node_crosses_once():
    """Four ranks in two nodes: token 0 of rank 0 goes to ranks 2 and 3, through rank 2."""
    routing = Routing(4, 4, [[2, 3], [1, 0], [3, 2], [0, 3]])
    direct = Run(experts.direct_dispatch, 4, chunk_count=4, routing=routing)
    two_hop = Run(experts.two_hop_dispatch, 4, chunk_count=4, gpus=2, routing=routing)
    to_node_1 = [(row.src, row.dst) for row in direct.rows if row.chunk == 0]
    assert to_node_1 == [(0, 2), (0, 3)]
    assert [(r.src, r.dst) for r in two_hop.rows if r.chunk == 0] == [(0, 2), (2, 3)]
    assert crossings(two_hop) == 2 == deep_ep_crossings(routing, 2)


def test_more_experts_of_a_token_cross_no_more_often_than_there_are_nodes():
    for topk in (1, 2, 4, 8):
        routing = random_routing(8, 16, 8, topk)
        run = Run(experts.two_hop_dispatch, 8, chunk_count=128, gpus=4, routing=routing)
        direct = Run(experts.direct_dispatch, 8, chunk_count=128, routing=routing)
        across = sum(row.src // 4 != row.dst // 4 for row in direct.rows)
        assert crossings(run) <= min(128, across)
        assert np.isclose(across / 128, topk / 2, rtol=0.2)
