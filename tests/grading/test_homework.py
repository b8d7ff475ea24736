"""The lecturer's file: what students get of it, and what is refused."""

import pytest
from class_of_ten import homework

from collectives import BadInput
from collectives.grading import load_homework, scaffold


def test_students_get_neither_solution_nor_key(tmp_path):
    path = homework(tmp_path / "ring_lab.py", "1-16")
    hidden = "### BEGIN HIDDEN TESTS\nassert True  # hidden\n### END HIDDEN TESTS\n"
    path.write_text(path.read_text() + hidden)
    handout = load_homework(path).handout()
    for text in ("SOLUTION", "hidden", "range(n - 1)", "///", "1-16"):
        assert text in path.read_text()
        assert text not in handout
    assert "    # YOUR CODE HERE\n    raise NotImplementedError()\n" in handout
    assert "#   2 points: as few steps as possible\n" in handout
    compile(handout, "handout", "exec")


BAD = {
    "ranks = ": ('rank = "1-16"', "did you mean ranks?"),
    'ranks = "1-16"': ('ranks = "16-1"', "16-1: at most 200 numbers; try: 1-16"),
    'like = "ring"': ('like = "rng"', "rng"),
    "steps = 2": ("stepps = 2", "stepps"),
    "some = 1, right = 5, steps = 2, messages = 1, bytes = 1": ("right = 0", "points"),
    "[ring_all_gather]": ("[ring_all_gathr]", "ring_all_gathr"),
    "# /// key": ("# /// kex", "has no key"),
    "### END SOLUTION": ("", "does not end"),
    "### BEGIN SOLUTION": ("", "ends what is not begun"),
    "yield send": ("yield yield send(", "no Python"),
}


@pytest.mark.parametrize("old", BAD)
def test_a_bad_key_is_refused_in_one_line_that_names_it(tmp_path, old):
    new, told = BAD[old]
    path = tmp_path / "ring_lab.py"
    path.write_text(scaffold(path.name).replace(old, new if old != "ranks = " else "rank = "))
    with pytest.raises(BadInput) as caught:
        load_homework(path)
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)
