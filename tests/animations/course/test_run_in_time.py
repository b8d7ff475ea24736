"""Every lecture shows its run once on the dataflow clock, where ranks do not move together."""

import tomllib
from pathlib import Path

import pytest

from animations.course.examples import timed
from animations.course.lecture import lecture_score, lectures
from animations.course.parts import quantities
from collectives.questions.misconceptions import MISCONCEPTIONS

LECTURES = list(lectures().values())
SIZE = 64 << 20
DATA = Path(__file__).parents[2] / "data"
CONTRADICTED = tomllib.loads((DATA / "contradicted.toml").read_text("utf-8"))
MOMENT = 1e-8  # s
NUMBERS = ("moment", "behind", "ahead")


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


def in_time(lecture):
    """The schedule on the dataflow clock whose passage says which steps are under way at once."""
    [schedule] = [
        schedule
        for schedule, said in schedules(lecture)
        if schedule.get("clock", "dataflow") == "dataflow"
        and any("{behind}" in line["en"] and "{ahead}" in line["en"] for line in said)
    ][-1:]
    return schedule


@pytest.mark.parametrize("lecture", LECTURES, ids=lambda lecture: lecture.name)
def test_messages_of_several_steps_are_under_way_at_once(lecture):
    schedule = in_time(lecture)
    assert not runs(lecture) or run_of(schedule) in runs(lecture)
    said = next(said for shown, said in schedules(lecture) if shown == schedule)
    for language in ("en", "es"):
        assert sum(f"{{{NUMBERS[1]}}}" in line[language] for line in said) == 1
    wanted = {name: lecture.numbers[name] for name in NUMBERS}
    moment, behind, ahead = (float(quantities(wanted)[name].value) for name in NUMBERS)
    messages = timed(schedule, SIZE).messages
    rows = list(zip(messages.step + 1, messages.start, messages.end, strict=True))
    at_once = {step for step, start, end in rows if start <= moment < end}
    assert (min(at_once), max(at_once)) == (behind, ahead)
    assert ahead > behind
    for step, start, end in rows:  # no two are further apart at any time
        pairs = [(other, min(end, ends) - max(start, begins)) for other, begins, ends in rows]
        others = [other for other, overlap in pairs if overlap > MOMENT]
        assert max(others) - step <= ahead - behind


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
