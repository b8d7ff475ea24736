"""Checks of a lecture name what a lecturer would mend; contact sheets show even distances."""

import pytest

pytest.importorskip("manim")

from animations.course.checks import problems, summary
from animations.course.contact_sheet import moments
from animations.course.text_pages import WordsPage
from animations.score.score import Passage, Score, Shot

SAID = "One sentence of seven words is spoken."


def score(*shots):
    """A score of shots on a page of words."""
    return Score("A lecture", (Passage(WordsPage("Heading"), shots),))


def test_a_lecture_without_faults_has_nothing_to_mend():
    shots = [Shot((0, False), 10.0, f"{SAID[:-1]} {letter}.") for letter in "abcdefghijklm"]
    assert problems(score(*shots)) == []
    assert summary(score(*shots), 3).startswith("2:10, 13 sentences of at most 8 words")


@pytest.mark.parametrize(
    ("shot", "problem"),
    [
        (Shot((0, False), 5.0, SAID), "0:05 long; must be 2:00 to 7:00"),
        (Shot((0, False), 130.0, " ".join(["word"] * 15)), "15 words, at most 14: word word"),
        (Shot((0, True), 1.0, SAID), "38 letters a second: One sentence"),
        (Shot((0, False), 130.0, SAID), "130 s without a move or a word after: One"),
        (Shot((0, True), 130.0, "It takes {steps} steps."), "a number was not computed: It"),
    ],
)
def test_what_a_lecturer_would_mend_is_named(shot, problem):
    assert any(found.startswith(problem) for found in problems(score(shot)))


def test_moments_are_at_even_distances():
    first, second = Shot((0, False), 3.0, "a"), Shot((0, False), 1.0, "b")
    found = [(shot.said, time) for _, shot, time in moments(score(first, second), 4)]
    assert found == [("a", 0.5 / 3), ("a", 1.5 / 3), ("a", 2.5 / 3), ("b", 0.5)]
