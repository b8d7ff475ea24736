"""What earns points: on some numbers of ranks, from every root, beside an algorithm or a bound."""

import numpy as np
import pytest

from collectives import BadInput, send
from collectives.algorithms.ring import ring_all_reduce
from collectives.grading.borrowed import taken_from
from collectives.grading.homework import load_homework, scaffold
from collectives.grading.judging import _judge, judged_file
from collectives.grading.task import task_of
from collectives.own_code.confined import Limits
from collectives.proof.own_algorithm import OwnAlgorithm

CHECKS = {"some": 1, "right": 4, "steps": 2, "messages": 1, "bytes": 1, "time": 1}


def doubling_all_gather(n):
    """Right for powers of two only."""
    rank, distance = np.arange(n), 1
    while distance < n:
        partner = rank ^ distance
        if (partner >= n).any():
            return
        first = rank // distance * distance
        yield send(rank, partner, first, count=distance)
        distance *= 2


def hasty_broadcast(n, root=0):
    """Both ways round a ring, one step too few where n is even."""
    way = np.array([1, -1])
    for hop in range((n - 1) // 2):
        yield send((root + way * hop) % n, (root + way * (hop + 1)) % n)


def relay_broadcast(n, root=0):
    """Each rank passes the data on: right, in n - 1 steps."""
    for hop in range(n - 1):
        yield send((root + hop) % n, (root + hop + 1) % n)


def rootless_broadcast(n):
    yield from relay_broadcast(n)


def earned(function, **settings):
    """The points of each check that earns any, and the kinds of what is wrong."""
    task = task_of(function.__name__, settings)
    points = {}
    wrong = [each.kind for each in _judge(OwnAlgorithm(function, slots=task.slots), task, points)]
    return points, wrong


def test_some_numbers_of_ranks_earn_what_the_key_says():
    points, (kind,) = earned(doubling_all_gather, ranks="1-4", points={"some": 1, "right": 4})
    assert (points, kind) == ({"some": 1}, "it stops too early: data is missing")
    points, (kind,) = earned(hasty_broadcast, ranks="1-4", slots=1, points={"some": 1, "right": 4})
    assert (points, kind) == ({"some": 1}, "it stops too early: data is missing")
    points, wrong = earned(doubling_all_gather, ranks="2,4,8", points={"some": 1, "right": 4})
    assert (points, wrong) == ({"some": 1, "right": 4}, [])


def test_time_is_compared_on_a_machine_with_parameters():
    """One ring through two nodes loses to two levels, and wins on one node."""
    for gpus, points in ((4, {}), (8, {"time": 1})):
        settings = {"machine": f"cluster:gpus={gpus}", "like": "hierarchical", "ranks": "8"}
        settings |= {"within": 0.1, "library": True}
        assert earned(ring_all_reduce, **settings, points={"time": 1})[0] == points
    with pytest.raises(BadInput, match="gps"):
        task_of("ring_all_reduce", settings | {"machine": "cluster:gps=4", "points": {"time": 1}})


def test_what_takes_no_root_is_right_for_one_only():
    points, wrong = earned(rootless_broadcast, ranks="1-4", slots=1, points={"right": 1})
    assert (points, wrong) == ({}, ["right for root 0 only"])


@pytest.mark.parametrize("like", ["", "tree"])
def test_more_steps_than_need_be_earn_nothing_for_steps(like):
    checks = {"right": 4, "steps": 2, "bytes": 1} if not like else CHECKS
    settings = {"like": like} if like else {}
    points, wrong = earned(relay_broadcast, ranks="1-4", slots=1, points=checks, **settings)
    lost = {"steps"} | ({"time"} if like else set())
    assert points == {name: most for name, most in checks.items() if name not in lost}
    assert wrong == ["more steps than need be", "longer than need be"][: len(lost)]


LISTED = """
from collectives.algorithms.ring import ring_all_gather as taken
def ring_all_gather(n):
    yield from list(taken(n))
"""
TAKERS = {  # the source, and what its function takes of the library's algorithms
    LISTED: "collectives.algorithms.ring.ring_all_gather",
    "def ring_all_gather(n):\n import collectives.algorithms.ring as x": (
        "collectives.algorithms.ring"
    ),
    "from collectives import ROWS as R\nrows = [*R]\ndef ring_all_gather(n): return rows": (
        "collectives.ROWS"
    ),
    "import collectives\ndef ring_all_gather(n): return collectives.record": "collectives.record",
    "from collectives import send\ndef ring_all_gather(n): yield send(0, 1)": "",
    "from collectives import record\nimport numpy as np\ntried = record(np)\n"
    "def ring_all_gather(n): return np\nif __name__ == '__main__': print(record)": "",
    "no Python": "",
}


@pytest.mark.parametrize("source", TAKERS)
def test_what_a_function_takes_of_the_library_is_read(source):
    assert taken_from(source.encode(), "ring_all_gather") == TAKERS[source]


def test_steps_that_are_taken_earn_nothing_but_some(tmp_path):
    path = tmp_path / "key.py"
    path.write_text(scaffold(path.name))
    homework = load_homework(path)
    (tmp_path / "ann.py").write_text(LISTED)
    marks, (wrong,) = judged_file(tmp_path / "ann.py", homework, Limits())
    assert sum(mark.points for mark in marks) == 1
    assert "taken from collectives.algorithms.ring" in wrong.text
