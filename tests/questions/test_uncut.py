"""The vector in one chunk: executed, right, and what is said of its time and bytes is so."""

from random import Random

import pytest
from settings import SOME_ROWS, taken

from collectives import ROWS, record
from collectives.questions.facts import Facts
from collectives.questions.uncut import one_chunk, uncut
from collectives.questions.variants import Variants

SIZE = 64 << 20
EACH_CHUNK_ALIKE = {"all_reduce", "broadcast", "reduce"}


def asked(recording, seeds=12):
    found = (one_chunk(Variants(Facts(recording)), Random(seed)) for seed in range(seeds))
    return [question for question in found if question]


@pytest.mark.parametrize("row", SOME_ROWS, ids=lambda row: row.title)
def test_the_variant_is_right_and_sends_one_chunk(row):
    recording = record(row.collective, row.algorithm, ranks=taken(row, 8, 6, 4))
    variant = uncut(recording)
    assert (variant is None) or row.collective in EACH_CHUNK_ALIKE
    if variant is not None:
        assert variant.check(), variant.check()
        assert variant.chunk_count == 1 and variant.count == recording.count
        assert {tuple(link) for link in variant.counters.links.tolist()} <= {
            tuple(link) for link in recording.counters.links.tolist()
        }


def test_rings_trees_and_in_network_sums_are_asked_about():
    known = {
        row.algorithm
        for row in ROWS
        if row.collective == "all_reduce"
        and row.accepts(8)
        and uncut(record("all_reduce", row.algorithm, ranks=8))
    }
    assert {"ring", "double-binary-tree", "rabenseifner", "sharp", "nvls", "torus-2d"} <= known


@pytest.mark.parametrize("ranks", [4, 8, 16])
def test_a_ring_of_one_chunk_takes_about_n_times_as_long_and_sends_the_vector_twice(ranks):
    questions = asked(record("all_reduce", "ring", ranks=ranks))
    times = {each.right.text for each in questions if "How long" in each.prompt}
    sent = {each.right.text for each in questions if "How much" in each.prompt}
    latency, rate = 5e-6, 50e9  # of the crossbar
    cut, whole = (latency + size / rate for size in (SIZE / ranks, SIZE))
    assert times == {f"{whole / cut:.1f} times as long"}
    assert sent == {"2.00 S"}


def test_a_pipeline_of_one_chunk_sends_as_much_and_that_is_the_answer():
    questions = asked(record("broadcast", "ring", ranks=8))
    bytes_asked = [each for each in questions if "How much" in each.prompt]
    assert {each.right.text for each in bytes_asked} == {"1.00 S"}
    for question in bytes_asked:
        (reason,) = (each.text for each in question.reasons if not each.misconception)
        assert reason == "cutting changes when it is sent, not how much"
        assert "chunks spread the sending over the ranks" in {r.text for r in question.reasons}


def test_wrong_amounts_are_wrong_by_execution():
    for row in ROWS:
        if row.collective in EACH_CHUNK_ALIKE and row.accepts(8):
            recording = record(row.collective, row.algorithm, ranks=8)
            variant = uncut(recording)
            for question in asked(recording, 2):
                if "How much" in question.prompt:
                    share = max(variant.bytes_sent[:8]) / (variant.count * variant.dtype.itemsize)
                    assert question.right.value == pytest.approx(share * SIZE, rel=0.01)
                    others = [each.value for each in question.options if each.misconception]
                    assert all(value != question.right.value for value in others)
                    counted = question.explanation.split(", instead")[0].rpartition("(")[2]
                    part = (counted.removesuffix("S)").strip() or "1").rstrip("/")
                    assert float(part) == pytest.approx(share, rel=0.01)
