"""Algorithms side by side: each sentence is short, and its numbers are the clock's."""

import re
from dataclasses import replace
from functools import lru_cache

import pytest
from settings import THOROUGH

from animations.score.pacing import MOST_WORDS, words
from animations.story.comparison import DrawnComparison, drawn_comparison
from collectives.catalog import find_row
from collectives.comparison.comparison import compare_recordings
from collectives.cost.by_name import setup_on
from collectives.cost.choose.setup import sized
from collectives.cost.clocks.clock import dataflow
from collectives.units import parse_size, time_text

CASES = {
    "small": ("all_reduce", ("ring", "tree"), 8, 64 << 10, "hgx-h100"),
    "large": ("all_reduce", ("ring", "tree"), 8, 256 << 20, "hgx-h100"),
    "four": ("all_reduce", ("ring", "tree", "nvls", "recursive-doubling"), 8, 1 << 20, "hgx-h100"),
    "bytes alike": ("all_reduce", ("ring", "tree", "rabenseifner"), 8, 1 << 20, "hgx-h100"),
    "tied": ("all_reduce", ("ring", "leftward-ring", "tree"), 8, 1 << 20, "hgx-h100"),
    "three turns": ("all_reduce", ("recursive-doubling", "nvls", "ring"), 8, 4096, "hgx-h100"),
    "barrier": ("barrier", ("dissemination", "tree"), 8, 0, "hgx-h100"),
    "cluster": ("all_reduce", ("hierarchical", "ring"), 16, 64 << 20, "cluster"),
    "in channels": ("all_reduce", ("double-binary-tree", "ring"), 16, 64 << 20, "cluster"),
    "uneven": ("reduce_scatter", ("ring", "recursive-halving"), 7, 1000, "crossbar"),
    "all-to-all": ("all_to_all", ("pairwise", "bruck"), 8, 64 << 10, "hgx-h100"),
}
TWICE = ("cluster", "in channels", "uneven")
EVERY = list(CASES) if THOROUGH else [name for name in CASES if name not in TWICE]


@lru_cache
def made(name: str) -> DrawnComparison:
    collective, algorithms, ranks, size, machine = CASES[name]
    setup = setup_on(machine, "dataflow")
    rows = [find_row(collective, algorithm) for algorithm in algorithms]
    recordings = [sized(row, ranks, size, None, 0, setup.fill(row, ranks, {})) for row in rows]
    return drawn_comparison(compare_recordings(recordings, setup))


def said(shown: DrawnComparison) -> list[str]:
    ends = [each for place in range(len(shown.contenders)) for each in shown.finished(place)]
    return [*shown.asked(), *ends, *shown.explanation, *shown.turn]


@pytest.mark.parametrize("name", EVERY)
def test_sentences_are_short_and_end(name):
    for text in said(made(name)):
        for sentence in re.split(r"(?<=[.?]) ", text):
            assert 0 < words(sentence) <= MOST_WORDS, sentence
            assert sentence[0].isupper()
            assert sentence[-1] in ".?"


@pytest.mark.parametrize("name", EVERY)
def test_a_time_is_that_of_the_clock_and_has_two_parts(name):
    for each in made(name).contenders:
        timing = each.timed.timing
        again = dataflow(timing.recording, timing.topology)
        assert each.seconds == again.total
        parts = each.timed.latency + each.timed.bytes_seconds
        assert parts == pytest.approx(each.seconds, rel=1e-9)


def test_the_tree_is_first_where_latency_counts_and_the_ring_where_bytes_do():
    small, large = made("small"), made("large")
    assert [small.first.name, large.first.name] == ["tree", "ring"]
    assert small.finished(0) == (
        "Tree finishes first, after 6.87 µs.",
        "Ring has then finished 6 of 14 steps.",
    )
    ring = small.second.timed.timing
    assert int((ring.step_end <= small.first.seconds).sum()) == 6
    assert small.explanation[-1] == "Tree saves 8 µs of latency, and loses 619 ns on bytes."
    assert large.explanation[-1] == "Ring saves 2.54 ms on bytes, and loses 8 µs of latency."
    assert small.turn[0].startswith("From ")
    assert large.turn[0].startswith("Below ")


@pytest.mark.parametrize("name", ["small", "four", "all-to-all"])
def test_the_order_turns_where_it_is_said(name):
    shown = made(name)
    found = 0
    for text in shown.turn:
        match = re.match(r"(From|Below) ([\d.]+ \w+)", text)
        number, unit = match[2].split()
        limit = float(number) * parse_size(f"1{unit}")
        near = limit * (1.02 if match[1] == "From" else 0.98)
        times = {}
        for each in shown.contenders:
            timing = each.timed.timing
            sized_anew = replace(timing.recording, count=int(near), data=None)
            times[each.name] = dataflow(sized_anew, timing.topology).total
        assert min(times, key=times.get) in text
        found += 1
    assert found


def test_one_that_is_the_fastest_in_between_is_not_said_to_stay_so():
    said = "From 190 KiB to 48.1 MiB, NVLS is the fastest."
    assert made("three turns").turn == (said,)
    sizes = [size for size, _ in made("three turns").ranges]
    middle, large = (replace(made("three turns"), size=size) for size in sizes[1:])
    assert [text.split()[0] for text in middle.turn] == ["From", "Below"]
    assert middle.turn[0] == "From 48.1 MiB up, ring is the fastest."
    assert large.turn == (said,)


def test_what_never_turns_is_said_to_stay():
    always = "Rabenseifner is the fastest at every size from 8 B to 16 GiB."
    assert made("bytes alike").turn == (always,)


def test_those_that_tie_are_named_together():
    shown = made("tied")
    first = shown.finished(0)
    time = time_text(shown.first.seconds, 3)
    assert first == (f"Ring and leftward-ring finish together, after {time}.",)
    assert shown.finished(1) == ()
    assert shown.finished(2)


def test_where_no_data_moves_nothing_turns():
    shown = made("barrier")
    assert shown.turn == ()
    assert shown.explanation[-1] == "Dissemination saves 3 µs of latency."


def test_a_path_names_its_rate_where_the_other_has_another():
    assert not any(" at " in path for path in made("small").explanation)
    shown = made("cluster")
    assert (shown.first.name, shown.second.name) == ("ring", "hierarchical")
    assert shown.first.rate == pytest.approx(50e9)  # all of each ring's path over the network
    assert "15 MiB at 50 GB/s" in shown.explanation[0]  # an eighth of 120, in each of 8 channels
    assert shown.subtitle.endswith(" · ring: 1 of 8 channels drawn")


def test_channels_that_all_have_are_said_once():
    assert made("in channels").subtitle.endswith("no barriers · 1 of 8 channels drawn")
