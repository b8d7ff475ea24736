"""`collectives lecture`: the list, a film with what stands beside it, bad input, and going on."""

import os
import sys

import pytest

pytest.importorskip("manim")

from PIL import Image

from animations.course import lecture as course
from animations.drawing.render import encoder

SHORT = """
number = {number}
title = {{ en = "Short {number}", es = "Corto {number}" }}
[numbers]
steps = 'steps("ring", {number})'
[[passage]]
show = "words"
heading = {{ en = "First", es = "Primero" }}
[[passage.say]]
en = "A ring takes {{steps}} steps."
es = "Un anillo tarda {{steps}} pasos."
line = {{ en = "{{steps}} steps", es = "{{steps}} pasos" }}
[[passage]]
show = "words"
heading = {{ en = "Second", es = "Segundo" }}
[[passage.say]]
en = "That is all."
es = "Eso es todo."
"""


@pytest.fixture
def short(tmp_path, monkeypatch):
    """A course of two short lectures, rendered in this process; what is kept is in a new folder."""
    (tmp_path / "course").mkdir()
    for number, name in ((4, "one"), (8, "two")):
        (tmp_path / "course" / f"{name}.toml").write_text(SHORT.format(number=number))
    monkeypatch.setattr(course, "FOLDER", tmp_path / "course")
    monkeypatch.setenv("COLLECTIVES_CACHE", str(tmp_path / "kept"))
    monkeypatch.setattr("animations.film.engine.most_workers", lambda memory: 1)
    course.lectures.cache_clear()
    yield
    course.lectures.cache_clear()


def test_without_a_name_the_lectures_are_listed(right):
    listed = right("lecture").out
    assert all(each.title["en"] in listed for each in course.lectures().values())


def test_a_film_comes_with_subtitles_a_contact_sheet_and_checks(collectives, folder, short):
    ended = collectives("lecture one -q l --language es")
    assert (ended.status, ended.out) == (0, "lecture-4-one-es.mp4\n")
    assert "Un anillo tarda 6 pasos." in (folder / "lecture-4-one-es.srt").read_text()
    with Image.open(folder / "lecture-4-one-es-contact.png") as sheet:
        assert len(sheet.getcolors(1 << 20)) > 2
    assert "checks: 0:04, 2 sentences of at most 5 words" in ended.err
    assert "1 computed number" in ended.err
    assert "to mend: 0:04 long; must be 2:00 to 7:00" in ended.err


def test_all_go_on_where_an_interrupted_render_ended(collectives, folder, short, monkeypatch):
    """It is interrupted at the third of four parts; the first two are not encoded again."""
    encoded, encode, patience = [], encoder.encoded, 2

    def counted(frames, size, rate):
        if size != (16, 16):  # that only asks which encoder there is
            if len(encoded) == patience:
                raise KeyboardInterrupt
            encoded.append(size)
        return encode(frames, size, rate)

    monkeypatch.setattr(encoder, "encoded", counted)
    ended = collectives("lecture --all -q l -o films")
    assert ended.status == 130
    assert not [name for name in os.listdir(folder / "films") if "two" in name]
    patience = 5
    ended = collectives("lecture --all -q l -o films")
    assert ended.out == "films/lecture-4-one.mp4\nfilms/lecture-8-two.mp4\n"
    assert len(encoded) == 4
    names = ("lecture-4-one.mp4", "lecture-4-one.srt", "lecture-4-one-contact.png")
    assert set(names) <= set(os.listdir(folder / "films"))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("rnig", "unknown lecture 'rnig'; did you mean ring?"),
        ("ring --all", "--all ring: --all renders every lecture; try: ring alone"),
        ("-o a.mp4", "-o a.mp4: name a lecture; try: collectives lecture ring -o a.mp4"),
        ("ring -o a.gif", "-o a.gif: a lecture is written as .mp4; try: a.mp4"),
        ("ring --language fr", "--language fr: unknown"),
        ("--all -o file", "-o file: is a file; --all needs a folder; try: -o lectures"),
        ("--all -o no/such", "there is no folder no"),
    ],
)
def test_bad_input_is_refused_in_a_line(collectives, folder, words, message):
    (folder / "file").touch()
    ended = collectives(f"lecture {words}")
    assert (ended.status, ended.out) == (2, "")
    assert message in ended.err
    assert ended.err.count("\n") == 1


def test_papers_are_written_in_place_of_films(right, collectives, folder, short):
    assert right("lecture one --format handout").out == "lecture-4-one-handout.html\n"
    assert right("lecture one --format guide").out == "lecture-4-one-guide.md\n"
    assert right("lecture one --format slides --theme dark").out == "lecture-4-one-slides.html\n"
    assert right("lecture one --format slides -o a.pdf --language es").out == "a.pdf\n"
    assert right("lecture one --format notebook").out == "lecture-4-one-notebook.ipynb\n"
    assert right("lecture one --format page --seed 2").out == "lecture-4-one-page.html\n"
    page = (folder / "lecture-4-one-handout.html").read_text()
    assert page.count("class=gap") == 1
    assert right("lecture --all --format handout -o papers").out.count("\n") == 2
    assert len(list((folder / "papers").iterdir())) == 2


def test_papers_take_no_manim(right, short, monkeypatch):
    monkeypatch.setitem(sys.modules, "manim", None)
    assert right("lecture one --format handout").out == "lecture-4-one-handout.html\n"
    assert "Short 4" in right("lecture").out


def test_without_cairo_papers_name_it(collectives, short, monkeypatch):
    monkeypatch.setitem(sys.modules, "cairo", None)
    ended = collectives("lecture one --format slides")
    assert (ended.status, ended.out) == (3, "")
    assert "a lecture's pictures need pycairo and Pillow" in ended.err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("lecture ring --format quizz", "did you mean quiz?"),
        ("lecture ring --format handout -o ring.pdf", "a handout is written as .html"),
        ("lecture ring --format quiz --voice auto", "--voice: is of films"),
        ("lecture ring --format guide -q h", "is of films"),
        ("lecture ring --format quiz --language es", "exercises are in English"),
        ("lecture ring --seed 3", "a film has no exercises"),
        ("lecture ring --format slides -o a.mp4", "a deck of slides is written as .html or .pdf"),
        ("lecture ring --format slides --theme dark -o a.pdf", "--theme dark: paper is white"),
        ("lecture ring --format handout --theme dark", "--theme: is of films"),
        ("lecture rng --format quiz", "did you mean ring"),
    ],
)
def test_what_papers_have_not_is_refused(collectives, folder, words, told):
    ended = collectives(words)
    assert (ended.status, ended.out) == (2, "")
    assert told in ended.err
    assert not list(folder.iterdir())


def test_a_quiz_has_its_key_apart(right, folder):
    assert right("lecture ring --format quiz --seed 7").out == (
        "lecture-2-ring-quiz.md\nlecture-2-ring-quiz-key.md\n"
    )
    quiz = (folder / "lecture-2-ring-quiz.md").read_text()
    key = (folder / "lecture-2-ring-quiz-key.md").read_text()
    assert quiz.count("\n## ") == key.count("\n## ") == 5
    assert "Seed 7." in quiz
    assert right("lecture ring --format quiz -o quiz.gift").out == "quiz.gift\n"
