"""The routing table of a mixture of experts: how it is drawn, what it promises, what it refuses."""

import numpy as np
import pytest
from settings import sampled_ranks

from collectives import BadInput, check, record
from collectives.algorithms import experts
from collectives.catalog import find_row
from collectives.catalog.routed_forms import expected_tokens
from collectives.collective import find_collective
from collectives.recording import saved
from collectives.routed_promises import combine, dispatch
from collectives.routing import Routing, random_routing
from collectives.schedule import reduce, send
from collectives.theory.bounds import least_total

ALGORITHMS = [
    ("dispatch", "direct"),
    ("dispatch", "two-hop"),
    ("dispatch", "all-gather"),
    ("combine", "direct"),
    ("combine", "two-hop"),
    ("combine", "reduce-scatter"),
]
EDGES = [
    {"topk": 1, "skew": 1000},
    {"topk": 1, "skew": 1000, "capacity": 1},
    {"skew": 2, "capacity": 2, "tokens": 5},
    {"tokens": 1},
    {"seed": 7},
]
SMALL = Routing(4, 4, [[2, 3], [1, 0], [3, 2], [0, 3]])


def small_own(steps, promise):
    return record(steps, collective=promise(SMALL), ranks=4, slots=4)


@pytest.mark.parametrize("names", ALGORITHMS, ids=" ".join)
@pytest.mark.parametrize("given", EDGES, ids=str)
def test_every_edge_is_proved_and_counted(names, given):
    assert check(*names, ranks=sampled_ranks(range(2, 14)), **given)


def test_several_experts_of_a_rank_share_its_copy():
    routing = Routing(2, 4, [[0, 1], [2, 3], [0, 2], [1, 3]])
    assert routing.held.tolist() == [[True, False, True, True], [False, True, True, True]]
    src, dst, token = routing.direct()
    assert list(zip(src, dst, token, strict=True)) == [(0, 1, 1), (1, 0, 2), (1, 0, 3)]
    for names in ALGORITHMS:
        assert check(*names, ranks=[2, 4, 6], experts=12, topk=5)


def test_a_table_is_always_the_same_and_seeds_differ():
    one, again, other = (random_routing(8, 4, 16, 3, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(one.choice, again.choice)
    assert not np.array_equal(one.choice, other.choice)
    drawn = [[2, 14, 5], [11, 10, 14]]  # by RandomState, whose numbers never change
    assert one.choice[:2].tolist() == drawn


def test_experts_of_a_token_differ_and_weigh_one_together():
    routing = random_routing(8, 50, 16, 4, skew=1)
    assert all(len(set(row)) == 4 for row in routing.choice.tolist())
    assert np.allclose(routing.weight.sum(axis=1), 1)
    assert (np.diff(routing.weight, axis=1) <= 0).all()


def test_skew_makes_first_experts_popular():
    even, skewed, one = (random_routing(8, 500, 8, 1, skew=s) for s in (0, 1, 1000))
    assert np.allclose(even.load / 4000, 1 / 8, atol=0.02)
    odds = 1 / np.arange(1, 9)
    assert np.allclose(skewed.load / 4000, odds / odds.sum(), atol=0.02)
    assert one.load.tolist() == [4000] + [0] * 7


def test_capacity_drops_the_tokens_that_score_worst():
    free, full = (random_routing(4, 8, 4, 2, skew=1, capacity=c) for c in (None, 5))
    assert full.load.max() == 5 and full.dropped == 64 - full.load.sum() > 0
    kept = full.choice >= 0
    assert np.array_equal(full.choice[kept], free.choice[kept])
    late = np.log(-np.log1p(-np.random.RandomState(0).random_sample((32, 4))))
    late += np.log1p(np.arange(4))
    for expert in range(4):
        token, place = np.nonzero(free.choice == expert)
        best = sorted(late[token, expert])[:5]
        assert sorted(late[token[kept[token, place]], expert]) == best


def test_a_token_that_no_expert_takes_does_not_come_back():
    routing = Routing(2, 2, [[0], [-1], [0], [1]])
    recording = record(
        experts.direct_combine(2, routing), collective=combine(routing), ranks=2, slots=4
    )
    assert recording.check() and [len(rows) for rows in recording.result()] == [4, 8]


@pytest.mark.parametrize(
    ("choice", "says"),
    [
        ([0, 1], r"must be \[token, place\]"),
        ([[0.5], [1]], r"must be \[token, place\]"),
        ([], r"must be \[token, place\]"),
        ([[0], [1], [0]], "3 tokens and 2 experts: 2 ranks cannot share them"),
        ([[0], [2]], r"experts \[2\] of token 1: must be different experts from 0 to 1"),
        ([[0, 0], [0, 1]], r"experts \[0, 0\] of token 0: must be different experts"),
    ],
)
def test_a_table_that_does_not_fit_is_refused(choice, says):
    with pytest.raises(BadInput, match=says):
        Routing(2, 2, choice)


def test_other_refusals():
    with pytest.raises(BadInput, match=r"weight \[1.0\]: .* shape \(2, 1\)"):
        Routing(2, 2, [[0], [1]], [1.0])
    with pytest.raises(BadInput, match=r"topk 3: .* of which there are 2; try: 2"):
        random_routing(2, 1, 2, 3)
    with pytest.raises(BadInput, match="dispatch promises what its routing table says; give"):
        record([send(0, 1)], collective="dispatch", ranks=2)
    with pytest.raises(BadInput, match="op max: a combine adds what experts made; try: sum"):
        record("combine", "direct", ranks=2, op="max")


def test_the_sum_of_a_combine_is_the_weighted_sum_of_outputs():
    routing = random_routing(4, 6, 8, 3, skew=1, capacity=9)
    outputs = np.random.RandomState(1).random_sample((8, 24, 5))
    wanted = np.zeros((24, 5))
    for token, (chosen, weights) in enumerate(zip(routing.choice, routing.weight, strict=True)):
        for expert, weight in zip(chosen, weights, strict=True):
            if expert >= 0:
                wanted[token] += weight * outputs[expert, token]
    kept = (routing.choice >= 0).any(axis=1)
    data = routing.weighted(outputs)
    for algorithm in ("direct", "two-hop", "reduce-scatter"):
        given = {"tokens": 6, "experts": 8, "topk": 3, "skew": 1, "capacity": 9}
        found = record("combine", algorithm, ranks=4, data=data, parameters=given)
        got = np.concatenate(found.result()).reshape(-1, 5)
        all_come = algorithm == "reduce-scatter"
        assert np.allclose(got, wanted if all_come else wanted[kept])


WRONG_DISPATCHES = {
    "a token is not sent": [send([0, 0, 1, 2, 3], [2, 3, 0, 3, 0], [0, 0, 1, 2, 3])][:0],
    "token 0 does not reach rank 3": [send([0, 1, 2, 3], [2, 0, 3, 0], [0, 1, 2, 3])],
    "rank 3 gets another token": [
        send([0, 0, 1, 2, 3], [2, 3, 0, 3, 0], [0, 0, 1, 2, 3], into=[0, 1, 1, 2, 3])
    ],
}
WRONG_COMBINES = {
    "what rank 3 made is missing": [reduce([2, 0, 3, 0], [0, 1, 2, 3], [0, 1, 2, 3])],
    "what rank 2 made is added twice": [
        reduce([2, 2, 3, 0, 3, 0], [0, 0, 0, 1, 2, 3], [0, 0, 0, 1, 2, 3])
    ],
}


def test_the_right_schedules_are_right():
    right = [send([0, 0, 1, 2, 3], [2, 3, 0, 3, 0], [0, 0, 1, 2, 3])]
    back = [reduce([2, 3, 0, 3, 0], [0, 0, 1, 2, 3], [0, 0, 1, 2, 3])]
    assert small_own(right, dispatch).check() and small_own(back, combine).check()


@pytest.mark.parametrize("steps", WRONG_DISPATCHES.values(), ids=list(WRONG_DISPATCHES))
def test_a_wrong_dispatch_is_refused(steps):
    verdict = small_own(steps, dispatch).check()
    assert not verdict and "is missing" in str(verdict)


@pytest.mark.parametrize("steps", WRONG_COMBINES.values(), ids=list(WRONG_COMBINES))
def test_a_wrong_combine_is_refused(steps):
    verdict = small_own(steps, combine).check()
    assert not verdict and "rank 0, slot 0 ends wrong" in str(verdict)


def test_zeros_have_to_be_in_the_sum_where_they_are_promised():
    recording = record("combine", "reduce-scatter", ranks=3)
    assert recording.check()
    inputs = recording.inputs.reshape(3, -1, 4)
    assert (inputs.any(axis=2) == recording.setting.routing.held).all()


def test_bounds_are_those_of_the_table():
    recording = record("dispatch", "direct", ranks=4, count=32, dtype="uint8")
    routing = recording.setting.routing
    copies = sum(
        len({e for e in row if e != t // 2}) for t, row in enumerate(routing.choice.tolist())
    )
    assert least_total(recording.collective, recording.case) == 4 * copies
    back = record("combine", "direct", ranks=4, count=32, dtype="uint8")
    assert least_total(back.collective, back.case) == 4 * copies
    received = [
        sum(e == r != t // 2 for t, row in enumerate(routing.choice) for e in row) for r in range(4)
    ]
    assert back.bound.sent == 4 * max(received)
    assert recording.bound.busiest_port >= 4 * max(received)


def test_what_comes_back_may_be_added_up_on_its_way():
    """Three ranks have something for token 0, of which its rank has to receive one sum."""
    routing = Routing(4, 4, [[1, 2, 3], [1, -1, -1], [2, -1, -1], [3, -1, -1]])
    steps = experts.direct_combine(4, routing)
    recording = record(steps, collective=combine(routing), ranks=4, slots=4, count=4, dtype="uint8")
    assert recording.check() and recording.bytes_received[0] == 3
    assert recording.bound.busiest_port == 1


@pytest.mark.parametrize("names", ALGORITHMS, ids=" ".join)
def test_a_saved_recording_is_read_again(names, tmp_path):
    recording = record(*names, ranks=4, parameters={"skew": 1, "seed": 3})
    saved.save(recording, tmp_path / "one.json")
    assert saved.load(tmp_path / "one.json").collective == recording.collective
    row = find_row(*names)
    own = record(
        row.schedule(recording.setting),
        collective=recording.collective,
        ranks=4,
        slots=recording.chunk_count,
    )
    saved.save(own, tmp_path / "own.json")
    again = saved.load(tmp_path / "own.json")
    assert again.check() and again.collective.name == find_collective(names[0]).name


def across(algorithm, topk, skew):
    """Tokens that cross between two nodes of eight ranks, for each token there is."""
    given = {"tokens": 16, "topk": topk, "skew": skew}
    given |= {"gpus": 8} if algorithm == "two-hop" else {}
    recording = record("dispatch", algorithm, ranks=16, count=256, dtype="uint8", parameters=given)
    sent = recording.counters.link_bytes.items()
    return sum(size for (src, dst), size in sent if src // 8 != dst // 8) / 256


def test_what_crosses_the_network_by_algorithm_experts_of_a_token_and_skew():
    """Direct grows with the experts, two hops end at the other node, all-gather knows no table."""
    for skew in (0, 2):
        direct, two_hop, ring = (
            [across(name, topk, skew) for topk in (1, 2, 4, 8)]
            for name in ("direct", "two-hop", "all-gather")
        )
        assert direct[0] == two_hop[0]
        assert all(one > other for one, other in zip(direct[1:], two_hop[1:], strict=True))
        assert direct == pytest.approx([0.5, 1, 2, 4], rel=0.05)
        assert two_hop == sorted(two_hop) and two_hop[-1] <= 1
        assert ring == [2 * 15 / 16] * 4 and direct[1] < ring[1] < direct[2]
    assert across("two-hop", 4, 2) < across("two-hop", 4, 0)  # favorites share a node


WRONG = {
    "ranks 0: must be at least 1; try: 1": (0, 2, [[0]]),
    "ranks -1: must be at least 1; try: 1": (-1, 2, [[0]]),
    "ranks '2': must be a whole number; try: 1": ("2", 2, [[0]]),
    "ranks 2.0: must be an integer; try: 2": (2.0, 2, [[0], [1]]),
    "experts 0: must be at least 1; try: 1": (1, 0, [[0]]),
    "choice [[0, 1], [0]]: must be [token, place]; try: [[0], [1]]": (2, 2, [[0, 1], [0]]),
    "weight [[1], []]: must be finite numbers of the choice's shape (2, 1); leave it out": (
        *(2, 2, [[0], [1]]),
        [[1], []],
    ),
    "weight [['x'], [1]]: must be finite numbers of the choice's shape (2, 1); leave it out": (
        *(2, 2, [[0], [1]]),
        [["x"], [1]],
    ),
    "weight [[nan], [1]]: must be finite numbers of the choice's shape (2, 1); leave it out": (
        *(2, 2, [[0], [1]]),
        [[float("nan")], [1]],
    ),
}


@pytest.mark.parametrize("said", WRONG)
def test_a_table_of_wrong_values_is_refused_in_a_line(said):
    with pytest.raises(BadInput) as problem:
        Routing(*WRONG[said])
    assert str(problem.value) == said


def test_nodes_and_outputs_must_fit_the_table():
    table = Routing(2, 2, [[0], [1]])
    for gpus, near in ((0, 1), (3, 2)):
        rule = rf"gpus {gpus}: must be a divisor of the number of ranks \(2 ranks\); try: {near}$"
        with pytest.raises(BadInput, match=rule):
            table.by_node(gpus)
    with pytest.raises(BadInput, match=r"^outputs \[1, 2\]: .* of 2 x 2; try: np.ones\(\(2, 2, 1"):
        table.weighted([1, 2])


def test_a_parameter_that_is_no_number_gets_its_default_as_a_hint():
    with pytest.raises(BadInput, match=r"^radix '3': must be a whole number; try: 2$"):
        record("all_to_all", "bruck", ranks=4, parameters={"radix": "3"})


@pytest.mark.parametrize("name", ["direct", "two-hop"])
@pytest.mark.parametrize("table", [(4, 4, 1, 2), (8, 8, 2, 4), (8, 16, 5, 2), (6, 12, 12, 3)])
def test_uniform_tables_send_what_is_expected_on_average(name, table):
    ranks, experts_of_all, topk, gpus = table
    given = {"tokens": 16, "experts": experts_of_all, "topk": topk}
    given |= {"gpus": gpus} if name == "two-hop" else {}
    row, sent = find_row("dispatch", name), []
    for seed in range(60):
        setting = row.setting(ranks, parameters={**given, "seed": seed})
        sent.append(sum(len(step) for step in row.schedule(setting)))
    error = np.std(sent) / len(sent) ** 0.5
    assert abs(np.mean(sent) - expected_tokens(setting)) <= 3 * error + 1e-9
