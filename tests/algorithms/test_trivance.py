"""Trivance: the sentence, and that it is a butterfly of threes."""

import pytest
from exchanges import reduced
from promises import algorithms, keep, name

from collectives.algorithms import trivance


def three_times_as_many(run):
    """Each rank sends to the two at the same distance; a sum holds a run of 1, 3, 9, … ranks."""
    for number, links in enumerate(run.messages()):
        reach = 3**number
        wanted = {(r, (r + way) % run.n) for r in range(run.n) for way in (reach, -reach)}
        if links != wanted:
            return False
    for number, state in enumerate(run.states):
        for rank in range(run.n):
            half = (3**number - 1) // 2
            data = {((rank + k) % run.n, 0): 1 for k in range(-half, half + 1)}
            if state[rank, 0] != data:
                return False
    return reduced(run)


PROMISES = {
    "Each rank adds its sum into two others; a sum grows to three times as many ranks' data.": (
        three_times_as_many
    ),
}


@pytest.mark.parametrize("function", algorithms(trivance), ids=name)
def test_the_docstrings_promise_is_kept(function):
    keep(function, PROMISES, [1, 3, 9, 27, 81], chunk_count=1)
