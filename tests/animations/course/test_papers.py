"""Handouts, quizzes and guides of lectures: their gaps, numbers, minutes and exercises."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from spread import THOROUGH

from animations.course.guide import clock, guide
from animations.course.handout import exercises_of, handout
from animations.course.lecture import find_lecture, lectures
from animations.course.lecture_file import lecture_score
from animations.course.parts import filled, quantities
from animations.phrases import phrases
from collectives import BadInput

LABS = Path(__file__).parents[3] / "notebooks"

NAMES = list(lectures()) if THOROUGH else ["ring"]


class Read(HTMLParser):
    """The gaps of a page, its pictures, its lists, and whether each tag is closed."""

    def __init__(self):
        super().__init__()
        self.gaps, self.pictures, self.open, self.text = 0, [], [], ""

    def handle_starttag(self, tag, attributes):
        self.gaps += ("class", "gap") in attributes
        if tag == "img":
            self.pictures.append(dict(attributes))
        elif tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


@pytest.fixture(scope="module", params=NAMES)
def lecture(request):
    return find_lecture(request.param)


@pytest.fixture(scope="module")
def page(lecture):
    return handout(lecture.name, seed=3)


def test_every_number_of_a_sentence_is_a_gap_and_stands_in_the_key(lecture, page):
    """Its sentences are filled in by themselves, and held to the key in their order."""
    numbers = quantities(lecture.numbers)
    wanted = []
    for table in lecture.passages:
        if table["show"] in {
            "algorithm",
            "training",
        }:  # films, whose sentences are printed as they are
            continue
        texts = [line["en"] for line in table.get("say", ())]
        fields = [field for text in texts for field in re.findall(r"\{\w+(?::\w+)?\}", text)]
        wanted += [filled(field, numbers) for field in fields]
    read = Read()
    read.feed(page)
    assert not read.open
    numeric = sum(not problem.answers for problem in exercises_of(lecture, 3))
    assert read.gaps == len(wanted) + numeric
    key = read.text.rpartition("Numbers in the order of the gaps")[2]
    at = 0
    for number in wanted:
        at = key.index(number, at) + len(number)
    paragraphs = re.findall(r"<p>(.*?)</p>", page.partition("<h2>Exercises")[0])
    said = "".join(text for text in paragraphs if "class=gap" in text)  # a film may say it before
    assert "\ue000" not in page
    assert not any(f" {number} " in said for number in wanted if len(number) > 2)


def test_every_picture_says_what_it_shows(lecture, page):
    read = Read()
    read.feed(page)
    assert len(read.pictures) >= len(lecture.passages)
    for picture in read.pictures:
        assert picture["alt"]
        assert picture["src"].startswith("data:image/png;base64,")


def test_a_spanish_handout_is_spanish(lecture):
    page = handout(lecture.name, "es")
    assert lecture.title["es"] in page
    assert "Exercises" not in page
    assert "Soluciones" in page


def test_a_chinese_handout_has_what_there_is_in_chinese():
    page = handout("ring", "zh")
    assert "<html lang=zh>" in page
    assert phrases("zh")("handout.key") in page


def test_a_guide_has_the_minutes_the_questions_and_the_answers(lecture):
    text, score = guide(lecture.name, seed=3), lecture_score(lecture.name)
    assert f", {clock(score.seconds)}) repeats it" in text
    assert not lecture.lab or (LABS / f"{lecture.lab}.ipynb").exists()
    assert (f"`{lecture.lab}.ipynb`" in text) == bool(lecture.lab)
    rows = re.findall(r"^\| (\d+):(\d+) \| .* \| (\d+):(\d+) \|$", text, re.M)
    begins = [60 * int(a) + int(b) for a, b, _, _ in rows]
    takes = [60 * int(c) + int(d) for _, _, c, d in rows]
    assert begins == sorted(begins)
    assert abs(sum(takes) + begins[0] - score.seconds) <= len(rows)
    questions = {shot.said for _, shot in score if "?" in shot.said}
    stops = text.partition("## Where to stop")[2].partition("## Numbers")[0]
    assert set(re.findall(r"^- \*\*\d+:\d+\*\* (.*)$", stops, re.M)) == questions
    for problem in exercises_of(lecture, 3):
        assert " ".join(problem.solution()) in text
        assert all(offered.feedback in text for offered in problem.answers)


def test_what_can_be_skipped_is_no_question_and_no_later_passage_needs_it(lecture):
    """No number and no term that it brings comes back, and a step is seen to be no barrier."""
    tables = lecture.passages
    said = [str(table.get("say", "")) for table in tables]
    names = [{*re.findall(r"\{(\w+)", text)} for text in said]
    late, board = guide(lecture.name).partition("## Skip when late")[2].split("## ")[:2]
    assert board.startswith("On the board\n\n- *")
    for at, table in enumerate(tables):
        heading = table.get("heading", {}).get("en", "?")
        assert (f"- {heading} (" in late) == bool(table.get("optional"))
        if table.get("optional"):
            assert {table["show"], tables[at - 1]["show"]}.isdisjoint({"question", "lanes"})
            new, after = names[at].difference(*names[:at]), set().union(*names[at + 1 :])
            terms = [term for line in table["say"] for term in line.get("defines", ())]
            assert 0 < at < len(tables) - 1
            assert not new & after
            assert not [term for term in terms if term in " ".join(said[at + 1 :])]


def test_every_lecture_has_five_exercises_of_different_kinds():
    for lecture in lectures().values():
        problems = exercises_of(lecture, 11)
        assert len(problems) == 5, lecture.name
        assert len({tuple(problem.problem()) for problem in problems}) == 5


def test_unknown_lectures_and_seeds_are_refused():
    with pytest.raises(BadInput, match="unknown lecture 'rng'; did you mean ring"):
        handout("rng")
    with pytest.raises(BadInput, match="seed -1"):
        handout("ring", seed=-1)
