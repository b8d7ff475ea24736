"""Lectures of one's own: the example of the docs is read and drawn, bad files are refused."""

import re
from pathlib import Path

import pytest

from animations.course.lecture import FOLDER, PAGES, SHOWN, lectures
from animations.course.lecture_file import KEYS, lecture_score, read_lecture
from collectives.errors import BadInput

DOCS = Path(__file__).parents[3] / "docs" / "lecture-format.md"
EXAMPLE = DOCS.read_text("utf-8").split("```toml\n")[1].split("```")[0]


def written(tmp_path, text):
    path = tmp_path / "mine.toml"
    path.write_text(text, "utf-8")
    return path


def test_the_example_of_the_docs_becomes_a_handout(tmp_path):
    handout = pytest.importorskip("animations.course.handout")
    page = handout.handout(read_lecture(written(tmp_path, EXAMPLE)))
    assert "<h2>Steps of a ring</h2>" in page and "<h2>To remember</h2>" in page
    assert "Steps of a ring: 14</li>" in page  # 2 (N - 1), Patarasuk and Yuan 2009


def test_the_example_of_the_docs_becomes_all_that_a_lecture_becomes(tmp_path):
    pytest.importorskip("cairo")
    from animations.course.guide import guide
    from animations.course.lecture_deck import deck
    from animations.course.lecture_page import lecture_page

    path = str(written(tmp_path, EXAMPLE))
    score = lecture_score(path)
    assert score.title == "The ring in one minute"
    assert "Eight ranks need 14 steps." in {shot.said for _, shot in score}
    for door in (guide, deck, lecture_page):
        text = door(path)
        assert "The ring in one minute" in text
        assert "Steps of a ring" in text


def test_every_key_of_the_format_is_explained():
    text = DOCS.read_text("utf-8").partition("What these hold")[2]
    explained = {key for line in text.splitlines() for key in re.findall("`(\\w+)`", line[:40])}
    known = {key for keys in KEYS.values() for key in (*keys.more, *keys.brings)}
    plain = {"ranks", "unit", "algorithm", "seconds", "stage", "chunks", "clock"}
    assert known - plain <= explained | {"source"}


def test_a_lecture_of_the_course_is_read_as_a_file():
    name = "ring"
    assert read_lecture(FOLDER / f"{name}.toml") == lectures()[name]


def test_keys_of_every_kind_are_those_that_the_course_uses():
    assert KEYS.keys() == PAGES.keys() | SHOWN.keys()
    for lecture in lectures().values():
        for table in lecture.passages:
            keys = KEYS[table["show"]]
            assert set(table) <= {*keys.needed, *keys.more, "optional"}
            assert set(keys.needed) <= set(table)
    for kind, keys in KEYS.items():
        row = next(line for line in DOCS.read_text("utf-8").splitlines() if f"| `{kind}` |" in line)
        for key in {*keys.needed, *keys.more, *keys.brings} - {"show"}:
            assert f"`{key}`" in row


LAST = 'en = "For 8 KiB the ring takes {small:time}."'
BAD = {
    "number = 1\ntitle": ("number = true\ntitle", "number: must be a whole number, not True"),
    '{steps} steps."': ('{steps} steps."\nes = "{stps}"', "sentence 1: {stps}: not among"),
    'show = "words"\nheading': ('show = "words"\nheding', "passage 3 (words): unknown key heding"),
    "number = 1": ("numbr = 1", "the lecture: unknown key numbr; did you mean number?"),
    "number = 1\n": ("number = [", "no TOML"),
    'show = "bars"': ('show = "bar"', "passage 1, show bar: did you mean bars?"),
    'show = "words"': ('show = ["words"]', "passage 3, show ['words']: "),
    'unit = { en = "steps" }': ("", "passage 1 (bars): has no unit"),
    "bar = {": ("baar = {", "passage 1 (bars), sentence 1: unknown key baar; did you mean bar?"),
    "{steps} steps": ("{stps} steps", "sentence 1: {stps}: not among the numbers; did you mean"),
    "'steps(\"ring\", 8)'\nsmall": ("'stepz(\"ring\", 8)'\nsmall", "[numbers] steps: "),
    '"bytes"]': ('"bytez"]', "exercises, number 1: "),
    ", value = 'steps(\"ring\", 8)'": ("", "passage 1 (bars): has no value"),
    'algorithm = "ring"': ('algorithm = "rign"', "passage 2 (algorithm): "),
    "exercises =": ("sources = [1]\nexercises =", "sources, number 1: must be a text, not 1"),
    "[numbers]": ('goal = { es = "Hola" }\n[numbers]', "goal: must have a text in English"),
    "value = 'steps(\"ring\", 8)' }": (
        "value = 'steps(\"ring\", 8)' }\npoint = '15'",
        "passage 1 (bars): point 15: not on the page; ",
    ),
    'line = { en = "8 KiB: {small:time}" }': (
        'line = "8 KiB"',
        "8 KiB': must be a text by language",
    ),
    'label = { en = "8 ranks" }': ("label = { en = 8 }", "(bars): 8: must be a text"),
    "value = 'steps(\"ring\", 8)'": ("value = [14]", "[14]: must be an expression; try: "),
    'bar = { label = { en = "8 ranks" }, value = \'steps("ring", 8)\' }': (
        "bar = 14",
        "passage 1 (bars): a key holds a value of a kind that it cannot",
    ),
    "steps = 'steps(\"ring\", 8)'": (f"steps = '{'-' * 3000}1'", "is nested too deep"),
    '{ en = "The ring in one minute" }': ('"The ring"', "title: must be a table"),
}


@pytest.mark.parametrize("right", BAD)
def test_a_bad_file_is_refused_by_its_table_and_key(tmp_path, right):
    wrong, message = BAD[right]
    assert right in EXAMPLE
    with pytest.raises(BadInput) as refused:
        read_lecture(written(tmp_path, EXAMPLE.replace(right, wrong, 1)))
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)


IN_TIME = """
[[passage]]
show = "{show}"
heading = {{ en = "In time" }}
collective = "reduce"
algorithm = "linear"
ranks = {ranks}
machine = "crossbar"
size = '64*MiB'
[[passage.say]]
en = "All send at once."
{first}
[[passage.say]]
en = "One after the other."
{then}
"""
SENT = """
[[passage]]
show = "why"
heading = {{ en = "Forward, or add?" }}
collective = "all_reduce"
algorithm = "{algorithm}"
ranks = 8
[[passage.say]]
en = "They send."
sends = {sends}
"""


@pytest.mark.parametrize(
    ("algorithm", "sends", "message"),
    [
        ("sharp", "[0, 0, 3]", "sends: beyond the steps"),
        ("sharp", "[0, 1, 0]", "sends: beyond the steps"),
        ("ring", "[0, 0, 1]", "ring: no switch saves its ports bytes"),
    ],
)
def test_sends_of_no_steps_are_refused(tmp_path, algorithm, sends, message):
    passage = SENT.format(algorithm=algorithm, sends=sends)
    with pytest.raises(BadInput, match=re.escape(message)):
        read_lecture(written(tmp_path, EXAMPLE + passage))


LANES = "lanes = { name = { en = 'all' } }"


@pytest.mark.parametrize(
    ("show", "ranks", "first", "then", "message"),
    [
        ("queue", 8, "queue = 0", "queue = 2", "queue '0, 2': shares of the time"),
        ("queue", 8, "queue = 0.5", "queue = 1", "queue '0.5, 1': shares of the time"),
        ("queue", 8, "queue = 0", "queue = 'x'", "queue '0, x': shares of the time"),
        ("queue", 1, "queue = 0", "queue = 1", "ranks 1: nothing is sent"),
        ("queue", 64, "queue = 0", "queue = 1", "ranks 64: at most 17 can be told apart"),
        ("lanes", 8, LANES, "at = '9'", "at 9 s: no moment of the lanes"),
        ("lanes", 8, "at = '1e-3'", LANES, "at: marks a moment of the schedule before it"),
        ("messages", 8, "messages = []", "grow = '8'", "messages: 0 rows; try: 1 to 3"),
        ("lanes", 8, LANES, "ways = '3'", "a key holds a value of a kind that it cannot"),
    ],
)
def test_moments_that_are_none_are_refused(tmp_path, show, ranks, first, then, message):
    passage = IN_TIME.format(show=show, ranks=ranks, first=first, then=then)
    with pytest.raises(BadInput, match=re.escape(message)):
        read_lecture(written(tmp_path, EXAMPLE + passage))


@pytest.mark.parametrize("wait", ['"2"', "true", "-1", "1e9", "nan"])
def test_a_question_waits_for_seconds(tmp_path, wait):
    asking = EXAMPLE.replace('show = "words"', 'show = "question"')
    with pytest.raises(BadInput, match=r"wait .*: must be seconds, 0 to 600; try: 8"):
        read_lecture(written(tmp_path, asking.replace(LAST, f"wait = {wait}\n{LAST}")))
    assert read_lecture(written(tmp_path, asking.replace(LAST, f"wait = 2.5\n{LAST}")))
