"""The film of a comparison: one clock that never goes back, and time to say each sentence."""

import pytest

from animations.score.comparison import pace_of, score_of_comparison, still_of_comparison
from animations.score.pacing import spoken_seconds
from animations.story.comparison import drawn_comparison
from collectives.catalog import find_row
from collectives.comparison.comparison import compare_recordings
from collectives.cost.by_name import setup_on
from collectives.cost.choose.setup import sized

CASES = [
    ("all_reduce", ("ring", "tree"), 8, 64 << 10),
    ("all_reduce", ("flat", "ring", "nvls"), 8, 1 << 28),
    ("all_reduce", ("ring", "leftward-ring"), 2, 8),
    ("barrier", ("dissemination", "tree"), 8, 0),
]


def shown_of(collective, algorithms, ranks, size):
    setup = setup_on("hgx-h100", "dataflow")
    rows = [find_row(collective, algorithm) for algorithm in algorithms]
    return drawn_comparison(compare_recordings([sized(row, ranks, size) for row in rows], setup))


@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(case[1]))
def test_the_clock_goes_on_at_one_pace_and_stands_while_a_sentence_is_said(case):
    shown = shown_of(*case)
    pace, now, again = pace_of(shown), 0.0, False
    for shot in score_of_comparison(shown).passages[0].shots:
        span = shot.moment
        if shot.section == "why":  # the run once more, from the start
            assert now == shown.seconds and not span.start
            now, again = 0.0, True
        assert span.start == pytest.approx(now)
        now = span.end
        assert shot.travels == (span.end > span.start)
        assert shot.seconds >= spoken_seconds(shot.said)
        if shot.travels and not again:
            assert shot.seconds * pace == pytest.approx(span.end - span.start)
            assert shot.said in (
                "",
                shown.say("comparison.lanes"),
                *map(shown.idle, shown.contenders),
            )
    assert now == shown.seconds and again


@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(case[1]))
def test_half_of_the_time_something_moves(case):
    """The run is not much shorter than what is said while it stands."""
    score = score_of_comparison(shown_of(*case))
    assert 2 * sum(shot.seconds for _, shot in score if shot.travels) >= score.seconds


@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(case[1]))
def test_each_is_announced_at_the_moment_it_is_done(case):
    shown = shown_of(*case)
    shots = score_of_comparison(shown).passages[0].shots
    for place, number in enumerate(shown.order):
        one = shown.contenders[number]
        for sentence in shown.finished(place):
            (shot,) = [each for each in shots if each.said == sentence]
            assert shot.moment.start == one.seconds
            assert shot.moment.lines == (sentence,)
    told = [shot.said for shot in shots if shot.moment.with_times and shot.said]
    assert told == [*shown.explanation, *shown.turn]


@pytest.mark.parametrize("case", CASES, ids=lambda case: "-".join(case[1]))
def test_a_film_is_neither_hasty_nor_long(case):
    shown = shown_of(*case)
    run = shown.seconds / pace_of(shown)
    assert 9 <= run <= 55
    assert score_of_comparison(shown).seconds < 120


def test_a_picture_is_of_the_moment_at_which_the_first_is_done():
    shown = shown_of(*CASES[0])
    (_, shot) = next(iter(still_of_comparison(shown)))
    assert shot.moment.start == shown.contenders[1].seconds
    assert shot.moment.lines == (shown.explanation[-1], *shown.turn)
    (_, early) = next(iter(still_of_comparison(shown, 3e-6)))
    assert early.moment.start == 3e-6


def test_a_film_says_meanwhile_how_long_ranks_wait():
    """Counted again from the messages: what of the time a rank neither sends nor receives."""
    shown = shown_of("all_reduce", ("ring", "tree"), 8, 2**26)
    (said,) = {shot.said for _, shot in score_of_comparison(shown) if " waits " in shot.said}
    timing = shown.contenders[1].timed.timing
    messages, waits = timing.messages, []
    for rank in range(8):
        mine = (messages.src == rank) | (messages.dst == rank)
        end, busy = 0.0, 0.0
        for first, last in sorted(zip(messages.start[mine], messages.end[mine], strict=True)):
            busy += max(0.0, last - max(first, end))
            end = max(end, last)
        waits.append(1 - busy / timing.total)
    assert said == f"Tree: a rank waits {100 * sum(waits) / 8:.0f} % of the time, on average."
    assert shown.idle(shown.contenders[0]) == "", "it never waits"


def test_the_picture_of_a_film_has_the_sentence_that_is_spoken():
    for _, shot in score_of_comparison(shown_of(*CASES[0])):
        assert not shot.said or shot.moment.lines == (shot.said,)
