"""Grading: ten made students, folders of three kinds, hostile rows, and what is out of reach."""

import csv
import json
import os
import tempfile
from dataclasses import replace

import pytest
from class_of_ten import (
    BORROWED,
    HEAD,
    HUNGRY,
    MANY,
    RING,
    STUDENTS,
    TOO_EARLY,
    homework,
)

import collectives
from collectives import BadInput
from collectives.grading import load_homework
from collectives.grading.grades import Graded, Grades
from collectives.grading.judging import no_marks
from collectives.grading.submissions import key_beside, submissions
from collectives.own_code.confined import Limits, possible

LIMITS = Limits(step_seconds=1.5, output=1 << 20)
SECRET = "A sentence that stands in the solution alone."
PROBES = {  # what own code tries, and whether it needs files (0) or others (1) to be out of reach
    "open({key!r}).read()": 0,
    "open('/proc/%d/environ' % os.getppid()).read()": 0,
    "open('mine', 'w')": 0,
    "os.listdir({folder!r})": 0,
    "socket.socket()": 1,
    "os.fork()": 1,
    "os.kill(os.getppid(), 0)": 1,
    "os.execv('/bin/true', ['true'])": 1,
}
LOOKING = f"""
import gc, sys
parts = {SECRET[:20]!r}, {SECRET[20:]!r}
held = [thing for thing in gc.get_objects() if isinstance(thing, (dict, list, tuple))]
texts = [text for thing in held for text in thing if isinstance(text, str)]
assert not [text for text in texts if parts[0] + parts[1] in text]
assert not [word for word in [*sys.argv, *sys.modules] if "grading" in word or "/ring/" in word]
"""


def curious(key, folder):
    """A file that tries what must be out of reach on this system, and is right if it is."""
    confined = possible()
    code = HEAD + "import os, socket\n"
    for text in [text for text, needed in PROBES.items() if confined[needed]]:
        tried = text.format(key=str(key), folder=str(folder))
        code += f"try: {tried}\nexcept OSError: pass\nelse: raise SystemError({text!r})\n"
    return code + RING


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """What became of each student, all graded together: points, and what is wrong."""
    place = tmp_path_factory.mktemp("course")
    key = homework(place / "source/ring/ring_lab.py", "1-3")
    secret = f"### BEGIN SOLUTION\n    # {SECRET}"
    key.write_text(key.read_text().replace("### BEGIN SOLUTION", secret))
    handout = load_homework(key).handout()
    folder = place / "class"
    folder.mkdir()
    files = {name: text or handout for name, (text, _, _) in STUDENTS.items()}
    files |= {"borrowed": BORROWED, "hungry": HUNGRY, "many": HEAD + MANY, "again": TOO_EARLY}
    files["leaving"] = "import os\nos._exit(0)\n"  # as it is imported
    files |= {"curious": curious(key, folder), "looking": HEAD + LOOKING + RING}
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    return collectives.grade(folder, key, limits=LIMITS)


@pytest.fixture
def key(tmp_path):
    return homework(tmp_path / "source/ring/ring_lab.py", "1-3")


def outcomes(grades):
    return {student.student: (student.points, student.reason) for student in grades.students}


def test_ten_students_get_what_they_earn_and_none_costs_another_anything(graded):
    earned = outcomes(graded)
    assert {name: earned[name] for name in STUDENTS} == {
        name: (points, kind) for name, (_, points, kind) in STUDENTS.items()
    }
    rows = {row["student"]: row for row in csv.DictReader(graded.csv().splitlines())}
    assert {name: float(row["points"]) for name, row in rows.items()} == {
        name: points for name, (points, _) in earned.items()
    }
    texts = [row["diagnosis"] for row in rows.values()]
    assert any("ring_lab.py" in text for text in texts)
    assert not [text for text in texts if tempfile.gettempdir() in text], "where it was run"


def test_neither_the_key_nor_the_network_nor_others_can_be_reached(graded):
    assert outcomes(graded)["curious"] == (10, "")


def test_nothing_of_the_key_is_in_the_memory_of_what_is_run(graded):
    assert outcomes(graded)["looking"] == (10, "")


def test_steps_of_the_library_are_nobodys_own(graded):
    assert outcomes(graded)["borrowed"] == (1, "not one's own: an algorithm of the library")


def test_memory_and_output_are_limited(graded):
    assert outcomes(graded)["hungry"] == (0, "takes too much memory")
    assert outcomes(graded)["many"] == (0, "yields no steps")


def test_the_page_groups_what_most_got_wrong(graded, tmp_path):
    most = graded.groups[0]
    assert most.students == ("again", "off_by_one")
    assert most.title == "ring_all_gather: it stops too early: data is missing on 2 ranks"
    name = "</script><b>x"
    hostile = replace(graded, students=(replace(graded.students[0], student=name),))
    hostile.save(tmp_path / "marks.html")
    assert name not in (tmp_path / "marks.html").read_text()
    graded.save(tmp_path / "marks.json")
    assert len(json.loads((tmp_path / "marks.json").read_text())["students"]) == 16
    with pytest.raises(BadInput, match=r"try: marks\.csv"):
        graded.save(tmp_path / "marks.pdf")


def test_a_spreadsheet_runs_nothing_that_a_student_is_called(key):
    work = load_homework(key)
    students = [Graded("=1+1", "x.py", *no_marks(work, "no file", "-2"))]
    (row,) = csv.DictReader(Grades(work, tuple(students), (True, True), 0.0).csv().splitlines())
    assert (row["student"], row["diagnosis"]) == ("'=1+1", "'-2")


def hand_in(path, text=RING):
    path.parent.mkdir(parents=True)
    path.write_text(text)


def test_folders_of_nbgrader_name_students_and_the_assignment(tmp_path, key):
    for student in ("ann", "bob"):
        hand_in(tmp_path / f"submitted/{student}/ring/ring_lab.py")
        hand_in(tmp_path / f"submitted/{student}/another/ring_lab.py", "another")
    (tmp_path / "submitted/cid").mkdir()
    assert key_beside(tmp_path) == key_beside(tmp_path / "submitted") == key
    for folder in (tmp_path, tmp_path / "submitted"):
        handed_in = submissions(folder, load_homework(key))
        assert [(work.student, work.content, work.problem) for work in handed_in] == [
            ("ann", RING.encode(), ""),
            ("bob", RING.encode(), ""),
            ("cid", b"", "has no ring_lab.py"),
        ]


@pytest.mark.parametrize(
    ("folder", "names"),
    [
        ("ring-lab-submissions", ["ring-lab-ann", "ring-lab-bob-k"]),
        ("repos", ["ring-lab-ann", "ring-lab-bob-k"]),
    ],
)
def test_folders_of_github_classroom_name_students(tmp_path, key, folder, names):
    for name in names:
        hand_in(tmp_path / folder / name / "ring_lab.py")
    handed_in = submissions(tmp_path / folder, load_homework(key))
    assert [work.student for work in handed_in] == ["ann", "bob-k"]


def test_what_the_names_of_folders_share_may_be_a_part_of_them(tmp_path, key):
    for name in ("anna-k", "anna-m"):
        hand_in(tmp_path / "repos" / name / "ring_lab.py")
    handed_in = submissions(tmp_path / "repos", load_homework(key))
    assert [work.student for work in handed_in] == ["anna-k", "anna-m"]


def test_files_that_are_not_run_are_named(tmp_path, key):
    hand_in((folder := tmp_path / "class") / "ann.py")
    for name in ("bob.PY", "cid.ipynb", "dan.zip"):
        (folder / name).write_text(RING)
    handed_in = submissions(folder, load_homework(key))
    assert [(work.student, work.problem) for work in handed_in] == [
        ("ann", ""),
        ("bob", "has no bob.py; there is bob.PY"),
        ("cid", "has no cid.py; there is cid.ipynb"),
        ("dan", "has no dan.py; there is dan.zip"),
    ]


HOSTILE = {  # names of folders, as bytes, and what is said of them
    b"=1+1": "=1+1",
    b"a\nb": r"a\nb",
    b"\xff": r"\udcff",
    b"\x1b[2J": r"\x1b[2J",
}


def test_students_may_be_called_anything(tmp_path, key):
    for name in HOSTILE:
        place = os.path.join(os.fsencode(tmp_path), b"submitted", name, b"ring")
        os.makedirs(place)
        with open(os.path.join(place, b"ring_lab.py"), "wb") as file:
            file.write(b"\0\xff")
    handed_in = submissions(tmp_path, load_homework(key))
    assert {work.student for work in handed_in} == {*HOSTILE.values()}
    assert {work.content for work in handed_in} == {b"\0\xff"}


def test_what_is_no_plain_file_is_not_opened(tmp_path, key):
    folder = tmp_path / "flat"
    folder.mkdir()
    (folder / "linked.py").symlink_to(key)  # which would earn all points
    os.mkfifo(folder / "pipe.py")
    (folder / "folder.py").mkdir()
    problems = {work.student: work.problem for work in submissions(folder, load_homework(key))}
    assert "link" in problems["linked"]
    assert "regular" in problems["pipe"]
    assert "directory" in problems["folder"]


def test_a_key_whose_solution_earns_less_is_refused(tmp_path, key):
    key.write_text(key.read_text().replace("range(n - 1)", "range(n - 2)"))
    hand_in(tmp_path / "flat/ann.py")
    with pytest.raises(BadInput, match="its own solution earns 0 of 10 points: it stops too early"):
        collectives.grade(tmp_path / "flat", key, limits=LIMITS)


def test_a_key_is_no_student_whatever_its_path_is_called(tmp_path):
    key = homework(tmp_path / "class" / "ring_lab.py")
    (key.parent / "ann.py").write_text(HEAD + RING)
    around = load_homework(key.parent / ".." / "class" / key.name)
    assert [each.student for each in submissions(key.parent, around)] == ["ann"]


def test_an_empty_name_is_not_the_folder_one_stands_in():
    with pytest.raises(BadInput, match=r"^'': names no folder"):
        collectives.grading.grade("")
