"""`page --ask`: a page with questions, or a line that says why there are none."""

import pytest

OWN = '''"""An own schedule."""

import numpy as np
from collectives import send


def myAllGather(n):
    """Every rank passes on what it received."""
    rank = np.arange(n)
    for step in range(n - 1):
        # to the right
        yield send(rank, (rank + 1) % n, (rank - step) % n)
'''
PAGE = "page own.py:myAllGather --collective all-gather"


def test_pages_that_ask_hold_back_what_follows(right, folder):
    right("page all-gather ring -n 4 --ask -o asks.html")
    right("page all-gather ring -n 4 -o plain.html")
    asks, plain = ((folder / name).read_text() for name in ("asks.html", "plain.html"))
    assert len(plain) < len(asks) < len(plain) + 10_000


def test_own_functions_are_run_again_on_twice_the_ranks(right, folder, story_in):
    (folder / "own.py").write_text(OWN)
    right(f"{PAGE} -n 4 --count 8 --ask -o asks.html")
    asked = story_in(folder / "asks.html")["questions"]
    [steps] = [question for question in asked if question["kind"] == "steps"]
    assert steps["options"][steps["right"]][0] == "7 steps"


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ("page all-reduce ring -n 1", "ring all-reduce on 1 rank: nothing moves"),
        ("page all-reduce ring -n 4", "ring all-reduce on 4 ranks: it has too many transfers"),
        (f"{PAGE} -n 1", "myAllGather on 1 rank: nothing moves"),
    ],
)
def test_where_nothing_can_be_asked_it_is_said(collectives, folder, words, why, monkeypatch):
    monkeypatch.setattr("collectives.questions.choose.MOST_ROWS", 20)
    (folder / "own.py").write_text(OWN)
    done = collectives(f"{words} --ask -o none.html")
    assert done.status == 2
    assert done.err == f"collectives: --ask: there is nothing to ask about {why}; try: -n 8\n"
    assert not (folder / "none.html").exists()
