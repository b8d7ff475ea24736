"""What lectures show on the dataflow clock, where ranks do not move together."""

import re
import tomllib
from pathlib import Path

import pytest

from animations.course.lecture import lectures
from animations.course.lecture_file import lecture_score
from animations.course.machine_pages import LanesPage
from collectives.questions.misconceptions import MISCONCEPTIONS

LECTURES = list(lectures().values())
NUMBERS_SAID = {4: "four", 6: "six", 7: "seven", 8: "eight", 16: "two (boxes|nodes) of eight"}
DATA = Path(__file__).parents[2] / "data"
CONTRADICTED = tomllib.loads((DATA / "contradicted.toml").read_text("utf-8"))


def schedules(lecture):
    """What stands on clocks in a lecture: each with the passage's table, and the sentences."""
    for table in lecture.passages:
        if table["show"] == "lanes":
            for line in table["say"]:
                if "lanes" in line:
                    yield {**table, **line["lanes"]}, table["say"]


def runs(lecture):
    """The films of single algorithms: collective, algorithm or function, ranks."""
    return {
        (table["collective"], table.get("function") or table["algorithm"], table["ranks"])
        for table in lecture.passages
        if table["show"] == "algorithm"
    }


def run_of(schedule):
    name = schedule.get("function") or schedule["algorithm"]
    return schedule["collective"], name, schedule["ranks"]


def test_the_two_trees_are_drawn():
    """Lecture 3 shows both of them, and a rank that is a leaf in one alone."""
    score = lecture_score("trees")
    said = [shot.said for _, shot in score]
    assert ("broadcast", "double-binary-tree", 8) in runs(lectures()["trees"])
    assert any("is a leaf up here, and an inner node down there" in sentence for sentence in said)


def test_passages_that_contradict_a_misconception_are_there():
    """The table of the measure names passages, by the headings of their pages."""
    for name, (lecture, heading) in CONTRADICTED.items():
        tables = lectures()[lecture].passages
        headings = [table["heading"]["en"] for table in tables if "heading" in table]
        assert name in MISCONCEPTIONS
        assert heading in headings, name


def ranks_of(table):
    """How many ranks a passage shows, as its table says; None where it shows no ranks."""
    if table["show"] == "promises":
        return table.get("ranks", 4)
    return 4 if table["show"] == "training" else table.get("ranks")


def texts_of(table):
    """All that a passage says in English, with the names of its bars and axes."""
    match table:
        case {"en": str(text)}:
            return [text]
        case dict():
            return [text for value in table.values() for text in texts_of(value)]
        case list():
            return [text for value in table for text in texts_of(value)]
    return []


@pytest.mark.parametrize("lecture", LECTURES, ids=lambda lecture: lecture.name)
def test_a_lecture_keeps_its_number_of_ranks_or_says_the_change(lecture):
    """In the passage that shows another number, or in the last sentence before it."""
    number, before = None, []
    for table in lecture.passages:
        said = " ".join([*texts_of(table), *before]).lower()
        ranks = ranks_of(table)
        if ranks not in (None, number):
            words = rf"\b({ranks}|{NUMBERS_SAID.get(ranks, ranks)})\b"
            assert number is None or re.search(words, said), (number, ranks, said)
            number = ranks
        before = texts_of(table.get("say", [])[-1:])


def test_a_switch_in_time_is_no_rank():
    score = lecture_score("in-network")
    pages = [passage.shown for passage in score.passages if isinstance(passage.shown, LanesPage)]
    texts = [line.text for line in pages[0].at(1, 1.0).lines]
    assert [text for text in texts if "rank" in text] == ["↑ a rank"]
    assert "↓ switch" in texts
    assert "rank 8" not in texts
