"""A course in a folder: all that its index names is there, and nothing is made twice."""

import re
from json import dumps, loads

import pytest

from animations.course.lecture import lectures
from animations.course.release import release
from collectives import BadInput


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    return release(tmp_path_factory.mktemp("course"), ["hierarchy"])


def test_the_index_leads_to_all_that_was_made(course):
    index = (course.folder / "index.html").read_text("utf-8")
    named = set(re.findall('href="([^"]+)"', index))
    assert all((course.folder / file).exists() for file in named)
    assert {*course.fresh} <= {*named, "index.html"}
    assert "collectives lecture hierarchy -q h" in index, "how its film is made"
    quiz, key = (
        (course.folder / f"lecture-07-hierarchy/quiz{end}.md").read_text("utf-8")
        for end in ("", "-key")
    )
    assert "Answer: " in quiz and "Step by step" in key and "Step by step" not in quiz


def test_what_is_there_is_kept_and_what_was_removed_is_made_again(course):
    removed = ("lecture-07-hierarchy/quiz-key.md", "inventory/after.md")
    for file in removed:
        (course.folder / file).unlink()
    again = release(course.folder, ["hierarchy"])
    remade = ("lecture-07-hierarchy/quiz.md", "inventory/after.md")
    assert again.fresh == remade and all((course.folder / file).exists() for file in removed)
    assert {*again.kept} == {*course.fresh} - {*remade}


def test_every_lecture_has_an_outcome_in_the_syllabus(course):
    assert all(lecture.goal["en"].endswith(".") for lecture in lectures().values())
    text = (course.folder / "syllabus.md").read_text("utf-8")
    assert "## 7. " in text and "network card" in text


def test_what_somebody_has_changed_is_left_as_it_is(course):
    """Whatever it would be made from now: a lab with answers."""
    stamps, lab = course.folder / "stamps.json", course.folder / "labs/02_ring.ipynb"
    known = loads(stamps.read_text())
    known["labs"]["from"] = known["LICENSE.md"]["from"] = "older"
    stamps.write_text(dumps(known))
    lab.write_text("mine")
    again = release(course.folder, ["hierarchy"])
    assert (again.changed, again.fresh) == (("labs",), ("LICENSE.md",))
    assert lab.read_text() == "mine"
    assert "labs: changed by you, and kept; remove it to have it made again" in again.lines()


def test_an_unknown_lecture_is_refused_before_anything_is_made(tmp_path):
    with pytest.raises(BadInput, match="did you mean hierarchy"):
        release(tmp_path / "course", ["hierarchie"])
    assert not (tmp_path / "course").exists()


def test_files_of_others_are_not_replaced(tmp_path):
    (tmp_path / "index.html").write_text("mine")
    with pytest.raises(BadInput, match=r"has files that are no course's; try: .*course"):
        release(tmp_path, ["hierarchy"])
    with pytest.raises(BadInput, match="is a file; try: "):
        release(tmp_path / "index.html", ["hierarchy"])
    with pytest.raises(BadInput, match="cannot be made: "):
        release(tmp_path / "index.html" / "course", ["hierarchy"])
    assert [path.read_text() for path in tmp_path.iterdir()] == ["mine"]
