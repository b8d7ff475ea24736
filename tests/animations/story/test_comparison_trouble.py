"""Algorithms side by side where there is trouble: what it costs, whom it stops, who would win."""

import re
from functools import lru_cache
from math import inf

import pytest
from settings import sampled

from animations.drawing.theme import DARK
from animations.pictures.comparison_stage import ComparisonStage
from animations.score.comparison import (
    ComparisonSpan,
    pace_of,
    score_of_comparison,
    still_of_comparison,
)
from animations.score.pacing import words
from animations.story.comparison import DrawnComparison, drawn_comparison
from collectives.catalog import find_row
from collectives.comparison.comparison import compare_recordings
from collectives.cost.by_name import setup_on
from collectives.cost.choose.setup import sized
from collectives.cost.fault_texts import Faults
from collectives.units import time_text

LANGUAGES = ("en", "es")  # whose letters all fonts have

CASES = {
    "turns": (("ring", "tree"), 64 << 10, {"slow_link": ("0-7=0.05",)}),
    "stays": (("ring", "tree"), 64 << 10, {"slow_link": ("2-3=0.1",)}),
    "late": (("ring", "tree", "rabenseifner"), 4096, {"late": ("5=90us",)}),
    "several": (("ring", "tree"), 4096, {"slow_rank": ("1=0.5", "2=0.5"), "late": ("3=9us",)}),
    "jitter": (("ring", "tree"), 4096, {"jitter": 2e-6}),
    "dead": (("ring", "tree"), 64 << 10, {"dead": ("4-5",)}),
    "one stops": (("ring", "linear", "tree"), 64 << 10, {"dead": ("0-7",)}),
}


@lru_cache
def shown_of(name: str, language: str = "en") -> DrawnComparison:
    algorithms, size, given = CASES[name]
    collective = "broadcast" if name == "one stops" else "all_reduce"
    faults, setup = Faults(**given), setup_on("ring", "dataflow")
    recordings = [sized(find_row(collective, each), 8, size) for each in algorithms]
    return drawn_comparison(compare_recordings(recordings, setup, faults), language)


def reasons(name: str, language: str = "en") -> list[str]:
    return list(shown_of(name, language).reasons)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", CASES)
def test_trouble_is_named_in_short_sentences(name, language):
    shown = shown_of(name, language)
    assert shown.trouble.note in shown.subtitle
    ends = [each for place in range(len(shown.contenders)) for each in shown.finished(place)]
    for text in (*shown.explanation, *ends):
        for sentence in re.split(r"(?<=[.?]) ", text):
            assert 0 < words(sentence) <= shown.say.most_words, sentence
            assert sentence[0].isupper() and sentence.endswith(".")
    assert len(reasons(name, language)) == len(reasons(name))


@pytest.mark.parametrize("name", ["turns", "stays", "several", "jitter"])
def test_what_trouble_costs_is_the_difference_of_two_times(name):
    shown = shown_of(name)
    (text,) = [each for each in shown.reasons if " costs " in each]
    for number in shown.order[:2]:
        one, clean = shown.contenders[number], shown.trouble.clean[number]
        assert f"{one.name} {time_text(one.seconds - clean, 3)}" in text


def test_who_would_be_first_without_trouble_is_said():
    for name, said in (("turns", "Without trouble, ring would be first."), ("stays", "")):
        shown, first = shown_of(name), min(range(2), key=shown_of(name).trouble.clean.__getitem__)
        assert (shown.order[0] == first) == (name == "stays")
        assert reasons(name)[-1] == (said or "Without trouble, ring is first, too.")


def test_what_a_late_rank_adds_is_said_beside_latency_and_bytes():
    shown = shown_of("several")
    for each in shown.contenders:
        parts = each.timed.latency, each.timed.bytes_seconds, each.timed.arrival_delay
        assert sum(parts) == pytest.approx(each.seconds)
    delays = {each.timed.arrival_delay for each in shown.contenders}
    saved = [text for text in shown.reasons if " saves " in text]
    assert len(delays) == 2 and not saved, "latency and bytes are not all that differs"


def test_what_is_stopped_stands_last_in_the_order_and_the_clock_ends_with_it():
    shown = shown_of("one stops")
    assert [shown.contenders[number].name for number in shown.order] == ["tree", "ring", "flat"]
    stopped = shown.contenders[shown.order[-1]]
    assert (stopped.seconds, stopped.until < inf) == (inf, True)
    assert shown.seconds == max(each.until for each in shown.contenders)
    assert shown.finished(2)[0].startswith("Flat never ends: in step 1, rank 5 waits for rank 0")
    assert reasons("one stops")[-2:] == [
        "The dead link 0-7 stops flat forever.",
        "Without trouble, tree is first, too.",
    ]
    assert {one for _, one in shown.ranges} <= set(shown.order[:2])


@pytest.mark.parametrize("name", sampled(["one stops", "dead"], 1))
def test_the_film_of_what_never_ends_goes_on_until_all_stand_still(name):
    shown = shown_of(name)
    pace, now, reached, again = pace_of(shown), 0.0, 0.0, False
    for shot in score_of_comparison(shown).passages[0].shots:
        if shot.moment.start != now:  # while it says why, it runs again
            assert (shot.moment.start, reached) == (0.0, shown.seconds)
            again = True
        now = shot.moment.end
        reached = max(reached, now)
        if shot.travels and not again:
            assert shot.seconds * pace == pytest.approx(shot.moment.end - shot.moment.start)
    assert reached == shown.seconds
    (_, still) = next(iter(still_of_comparison(shown)))
    assert still.moment.start == reached


def test_spanish_names_algorithms_and_draws_decimal_commas():
    shown = shown_of("stays", "es")
    assert shown.title == "¿El anillo o el árbol?"
    assert shown.finished(0)[-1].startswith("El árbol ha terminado entonces ")
    stage = ComparisonStage(shown, DARK)
    stage.show(ComparisonSpan(0.0, 2 * max(entry.seconds for entry in shown.contenders)))
    stage.travel(1.0)
    drawn = [line.text for shape in (*stage.still, *stage.moving) for line in shape.texts]
    assert any(re.search(r"\d,\d", text) for text in drawn)
    assert not [text for text in drawn if re.search(r"\d\.\d", text)]
