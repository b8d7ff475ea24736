"""Predictions of the lectures: answers by a second way; wrong answers wrong for other numbers."""

import re
import tomllib
from math import ceil, log2
from pathlib import Path

import pytest
from each import each

from animations.lab.computed_predictions import hurt_by_a_loss
from animations.lab.entries import FOLDER
from animations.lab.predictions import PREDICTED, cost, ring_questions, training, trees
from collectives import record
from collectives.catalog import find_row
from collectives.cost.busbw import Bandwidths
from collectives.cost.choose.crossover import crossings
from collectives.cost.choose.setup import Setup, sized
from collectives.cost.clocks.clock import dataflow, lockstep
from collectives.cost.clocks.costs import Costs
from collectives.cost.machines import topology
from collectives.cost.machines.faults import slow_rank
from collectives.questions.misconceptions import KNOWN
from collectives.units import parse_size

ROOT = Path(__file__).parents[2]
LECTURES = Path(cost.__file__).parent.glob("*.py")
LINKS = ((5e-6, 50e9), (1e-6, 400e9), (5e-5, 12.5e9))
SIZE = 1 << 20


def vector(algorithm, ranks, size=SIZE, collective="all_reduce", **more):
    return record(collective, algorithm, ranks=ranks, count=size, dtype="uint8", **more)


def crossbar(latency=5e-6, bandwidth=50e9):
    return lambda recording: topology(
        "crossbar", recording.ranks, latency=latency, bandwidth=bandwidth
    )


def values(asked):
    """The right answers; each question has one, and wrong ones with names that differ from it."""
    for question in asked:
        right = [option for option in question.options if not option.misconception]
        assert right == [question.right] and question.prompt.endswith("?")
        for means in ("value", "text"):
            found = [getattr(option, means) for option in question.options]
            assert len(set(found)) == len(found)
        assert all(
            option.misconception in KNOWN or option is right[0] for option in question.options
        )
        assert len(question.options) >= (1 if question.form == "number" else 3)
        assert [reason.misconception for reason in question.reasons].count("") == 1
        assert question.explanation and question.hint.endswith((".", "?"))
    return [question.right.value for question in asked]


@each("n", (2, 3, 4, 6, 8, 9))
def test_rings_by_their_closed_forms(n):
    recording = vector("ring", n, 4 * n)
    assert values(ring_questions.counts(recording)) == [2 * n - 2, pytest.approx(2 - 2 / n)]
    assert values(ring_questions.halfway(recording)) == [0]
    assert [question.step for question in ring_questions.halfway(recording)] == [n - 1]
    assert values(ring_questions.doubled(n)) == [4 * n - 2, pytest.approx(2 - 1 / n)]


@each("n", (2, 3, 4, 6, 8, 9))
def test_trees_by_their_closed_forms(n):
    """Who has the data doubles: in the last step those send who still find a rank without it."""
    depth = ceil(log2(n))
    recording = record("broadcast", "tree", ranks=n, count=n)
    assert values(trees.broadcast(recording))[0] == depth
    holders, senders = {0}, set()
    for step in recording.steps:
        senders = {int(rank) for rank in step.src}
        assert senders <= holders
        holders |= {int(rank) for rank in step.dst}
    assert values(trees.last_senders(recording)) == [len(senders)]
    both = record("all_reduce", "tree", ranks=n, count=n)
    assert values(trees.up_and_down(both))[0] == 2 * depth
    assert values(trees.tree_and_chain(n)) == [depth, n - 1]


def test_who_pays_for_a_tree():
    assert values(trees.busiest(16)) == [0, 5]
    for asked in (
        trees.broadcast,
        trees.last_senders,
        ring_questions.counts,
        ring_questions.halfway,
    ):
        assert asked(record("broadcast", "flat", ranks=8)) == []


@each("link", LINKS)
@each("n", (8, 64))
def test_crossovers_by_bisection_on_the_clock(n, link):
    setup = Setup(crossbar(*link), lockstep)

    def found(ranks, names):
        def seconds(name, size):
            return setup.time(sized(find_row("all_reduce", name), ranks, size)).total

        tree, chain = (lambda size, name=name: seconds(name, size) for name in names)
        return crossings(tree, chain)[-1].size

    alpha, bandwidth = link
    text, way = values(trees.wins_from(n, alpha, 1 / bandwidth))
    assert parse_size(text.removeprefix("about ").replace(" ", "")) == pytest.approx(
        found(n, ("tree", "ring")), rel=0.06
    )
    assert way == 1
    [right] = values(cost.equal_parts(*link))
    assert right / bandwidth == pytest.approx(alpha)
    assert values(cost.ring_and_tree(*(setup.time(vector(a, n)) for a in ("ring", "tree")))) == [
        2 * n - 2,
        2 * ceil(log2(n)),
        1,
    ]


@each("link", LINKS)
def test_chains_by_the_formula_of_a_pipeline(link):
    alpha, bandwidth = link
    counts = (1, 2, 4, 8, 16, 32, 64, 128)
    setup = Setup(crossbar(*link), lockstep)
    times = {q: setup.time(vector("ring", 8, SIZE, "broadcast", chunks=q)).total for q in counts}
    wanted = min(counts, key=lambda q: (6 + q) * (alpha + SIZE / q / bandwidth))
    assert values(cost.chunk_count(times, 8)) in ([wanted], [])
    assert cost.chunk_count(dict.fromkeys(counts, 1.0), 8) == []  # all are the best


def test_late_and_slow_ranks():
    chain, whole = vector("ring", 8, SIZE, "broadcast", chunks=4), vector("ring", 8)
    assert values(cost.who_waits(chain, crossbar()(chain), 50e-6)) == [(True, False)]
    machine, costs = slow_rank(crossbar()(whole), Costs(), 3, 4)
    healthy, slow = dataflow(whole, crossbar()(whole)), dataflow(whole, machine, costs)
    factor, busy = values(cost.slow_rank(healthy, slow, 4))
    chunk = SIZE / 8 / 50e9
    assert factor == pytest.approx(
        (5 * 2.5e-6 + 4 * chunk) / (5e-6 + chunk), rel=1e-3
    )  # of two links one is slow
    assert busy == (2, 3, 4)


def test_nodes_wires_and_what_nccl_chooses():
    inside, card = 450e9, 50e9
    size, n, gpus = 1 << 28, 64, 8
    timings = []
    for name in ("ring", "hierarchical"):
        more = {"parameters": {"gpus": gpus}} if name == "hierarchical" else {}
        recording = vector(name, n, size, **more)
        cluster = topology("cluster", n, gpus=gpus, inside="nvlink4", outside="ib-ndr")
        timings.append(lockstep(recording, cluster))
    [factor] = values(cost.across_nodes(*timings, gpus))
    wire = [2 * (n - 1) / n / card, 2 * (gpus - 1) / gpus / inside + 2 * (7 / 8) / gpus / card]
    assert factor == pytest.approx(wire[0] / wire[1], rel=0.03)
    measured = {
        name: (Bandwidths(1e9, busbw), 50e9)
        for name, busbw in (("ring", 50e9), ("switch", 90e9), ("two levels", 80e9))
    }
    assert values(cost.above_the_wire(measured)) == [("switch", "two levels")]
    assert values(cost.nccl_sizes()) == [("Tree", "NVLSTree")]


def test_a_lost_message_hurts_those_whom_its_receiver_still_serves():
    assert [hurt_by_a_loss("recursive-doubling", 8, number) for number in (1, 2, 3)] == [4, 2, 1]
    assert [hurt_by_a_loss("ring", 8, number) for number in (7, 8, 14)] == [8, 7, 1]


def test_training_by_its_times():
    steps = {1: 5.0, 2: 4.0, 4: 3.0, 16: 2.0, 64: 1.0, 256: 1.5}
    syncs = {"now": 2.0, "fp32": 4.0, "a tree": 12.0}
    assert values(training.training(steps, syncs)) == [64, 2.0, 6.0]


def test_scaling_by_the_last_number_of_ranks_that_is_efficient():
    parts = {"ring": (1.0, 0.98, 0.95, 0.9), "hierarchical": (1.0, 0.99, 0.98, 0.97)}
    [question] = training.scaling((1, 8, 64, 4096), parts, 8)
    assert question.right.value == (64, 4096)
    assert question.right.text == "ring up to 64, hierarchical all"
    assert {option.value for option in question.options} == {
        (64, 4096),
        (4096, 64),
        (64, 64),
        (4096, 4096),
    }
    assert training.scaling((1, 8), dict.fromkeys(parts, (1.0, 0.95)), 8) == []


def test_no_lab_changes_the_words_of_a_misconception_of_the_core():
    text = (ROOT / "collectives" / "questions" / "misconceptions.toml").read_text()
    assert not PREDICTED.keys() & tomllib.loads(text).keys()


@each("name", KNOWN)
def test_what_is_said_about_a_misconception_is_a_whole_sentence(name):
    because, feedback = KNOWN[name]
    assert re.fullmatch(r"[A-Z][^.?!]* [^.?!]*\.", feedback) and len(feedback.split()) < 20
    assert not feedback.startswith("It would")
    assert (because[0].islower() or because[:2] in ("N ", "NC")) and not because.endswith(".")


def test_a_wrong_answer_and_its_reason_hear_the_same_sentence():
    [question, *_] = ring_questions.counts(vector("ring", 8, 32))
    heard = "That is the count for one lap; there are two."
    assert heard in [option.feedback for option in question.options]
    wrong = [reason for reason in question.reasons if reason.misconception]
    assert [reason.feedback for reason in wrong] == [KNOWN[r.misconception][1] for r in wrong]
    assert question.right.feedback == ""


def computed():
    """Predictions of counts and amounts, whose explanations compute them."""
    broadcast = record("broadcast", "tree", ranks=8)
    yield from (*ring_questions.counts(vector("ring", 8, 32)), *ring_questions.doubled(32))
    yield from (*trees.broadcast(broadcast), *trees.last_senders(broadcast), *trees.busiest(16))
    yield from trees.up_and_down(record("all_reduce", "tree", ranks=8))
    yield from (*trees.tree_and_chain(1000), *cost.equal_parts(5e-6, 50e9))


@each("question", list(computed()), lambda question: question.prompt)
def test_explanations_compute_and_reasons_do_not_tell(question):
    assert len(re.findall(r"\d+", question.explanation)) >= 2 or " × S" in question.explanation
    numbers = set(re.findall(r"[\d.,]+", question.right.text))
    for reason in question.reasons:
        assert not numbers & set(re.findall(r"[\d.,]+", reason.text)), reason


def test_what_is_true_of_the_root_is_no_wrong_reason():
    """It has the data first, and most ranks below it: neither is offered as a mistake."""
    [sends, _] = trees.busiest(16)
    wrong = [reason.text for reason in sends.reasons if reason.misconception]
    assert not [text for text in wrong if "below" in text or "first" in text.split()[:4]]


def test_every_misconception_of_the_lectures_is_somebodys():
    text = "".join(path.read_text() for path in (*LECTURES, *FOLDER.glob("*.toml")))
    assert not [name for name in PREDICTED if f'"{name}"' not in text]
