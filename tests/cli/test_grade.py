"""`collectives exercise new`, `exercise handout` and `grade`, from nothing to marks."""

import csv

import pytest


def test_from_nothing_to_marks(right, folder):
    assert right("exercise new ring_lab.py").out.splitlines()[-1] == "ring_lab.py"
    text = (folder / "ring_lab.py").read_text()
    (folder / "ring_lab.py").write_text(text.replace('"1-16"', '"1-3"'))
    (folder / "class").mkdir()
    right("exercise handout ring_lab.py -o class/ann.py")
    assert "SOLUTION" not in (folder / "class/ann.py").read_text()
    told = right("grade class -o marks.csv").out
    assert "not answered" in told
    assert told.splitlines()[-2:] == ["marks.csv", "marks.html"]
    (row,) = csv.DictReader((folder / "marks.csv").read_text().splitlines())
    assert (row["student"], row["points"], row["of"]) == ("ann", "0", "10")


def test_a_file_beside_is_replaced_only_if_it_is_ours(right, collectives, folder):
    (folder / "ring_lab.py").write_text("")
    (folder / "class").mkdir()
    (folder / "marks.html").write_text("<h1>What most got wrong in spring</h1>")
    ended = collectives("grade class -o marks.csv")
    assert ended.status == 2 and "marks.html: is written beside marks.csv" in ended.err
    (folder / "quiz-key.md").write_text("mine")
    ended = collectives("lecture ring --format quiz -o quiz.md")
    assert ended.status == 2 and "quiz-key.md: is written beside quiz.md" in ended.err
    assert not (folder / "quiz.md").exists() and not (folder / "marks.csv").exists()
    (folder / "quiz-key.md").unlink()
    for _ in range(2):
        right("lecture ring --format quiz -o quiz.md")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("exercise new", "takes one file, nothing else; try: exercise new ring_lab.py"),
        ("exercise new a.txt", "a.py"),
        ("exercise new a.py ring", "takes one file"),
        ("exercise new mine.py", "exists, and is not replaced"),
        ("exercise new a.py --seed 3", "takes one file"),
        ("exercise new a.py -o b.py", "takes one file"),
        ("exercise handout mine.py -o handout.py", "has no solution"),
        ("exercise handout mine.py", "try: exercise handout ring_lab.py -o handout.py"),
        ("exercise handout no.py -o handout.py", "no such file"),
        ("grade nowhere", "no such file"),
        ("grade mine.py", "is no folder"),
        ("grade .", "no key is in it"),
        ("grade . -o marks.txt", ".csv"),
        ("grade . --seconds 0", "--seconds"),
    ],
)
def test_bad_input_is_one_line(collectives, folder, words, told):
    (folder / "mine.py").write_text("x = 1\n")
    ended = collectives(words)
    assert (ended.status, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert told in ended.err
    assert [path.name for path in folder.iterdir()] == ["mine.py"]
