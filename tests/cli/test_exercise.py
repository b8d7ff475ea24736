"""`collectives exercise`: a problem, its answer, sheets for paper and for learning systems."""

import json
import zipfile

import pytest

from collectives import exercise, sheet
from collectives.exercises import KINDS


def test_a_problem_is_printed_and_with_c_its_answer(right):
    problem = exercise("ring", seed=7)
    assert right("exercise ring --seed 7").out.splitlines() == problem.problem()
    assert right("exercise ring --seed 7 -c").out.splitlines() == problem.lines(answer=True)
    kind = right("exercise ring messages --seed 7").out
    assert kind == right("exercise ring --kind messages --seed 7").out


def test_a_sheet_has_its_seed_and_its_key_apart(right):
    paper = right("exercise ring --number 3 --seed 7").out
    key = right("exercise ring --number 3 --seed 7 -c").out
    assert paper.startswith("ring: 3 exercises, seed 7\n")
    for problem in sheet("ring", 3, 7).exercises:
        assert " ".join(problem.solution()) in " ".join(key.split())
        assert " ".join(problem.solution()) not in " ".join(paper.split())


def test_json_tells_the_answer_only_where_it_is_wanted(right):
    problem = right("exercise ring messages --json").json
    assert "right" not in problem
    assert (
        right("exercise ring messages -c --json").json["value"]
        == exercise("ring", "messages").value
    )
    assert right("exercise --list --json").json == {name: text for name, (text, _) in KINDS.items()}


def test_each_kind_is_listed(right):
    assert [line.split()[0] for line in right("exercise --list").out.splitlines()] == list(KINDS)


@pytest.mark.parametrize("ending", ["txt", "md", "gift", "xml", "zip", "json"])
def test_a_file_of_each_kind_is_written(right, folder, ending):
    name = f"sheet.{ending}"
    assert right(f"exercise ring --number 3 --seed 7 -o {name}").out == f"{name}\n"
    made = (folder / name).read_bytes()
    if ending == "json":
        assert len(json.loads(made)["exercises"]) == 3
    elif ending == "zip":
        assert zipfile.is_zipfile(folder / name)
    else:
        assert sheet("ring", 3, 7).exercises[0].title in made.decode()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("exercise rng", "no algorithm or collective is rng; did you mean ring?"),
        (
            "exercise ring --kind mesages",
            "unknown kind of exercise mesages; did you mean messages?",
        ),
        ("exercise ring tree", "no algorithm is 'ring tree'; try: ring"),
        ("exercise barrier", "barrier: exercises are of collectives that move data"),
        ("exercise messages bytes", "bytes: a kind is named already; try: messages alone"),
        ("exercise messages --kind bytes", "messages: a kind is named already"),
        ("exercise ring --seed -1", "seed -1"),
        ("exercise ring --number 0", "--number 0"),
        ("exercise ring --number 101", "number of exercises 101"),
        ("exercise ring -o sheet.doc", "sheet.doc"),
        ("exercise ring -o no/sheet.md", "no"),
        ("exercise ring --json -o sheet.md", "try: -o sheet.json"),
    ],
)
def test_bad_input_is_one_line(collectives, folder, words, told):
    ended = collectives(words)
    assert (ended.status, ended.out, ended.err.count("\n")) == (2, "", 1)
    assert told in ended.err
    assert not list(folder.iterdir())
