"""The closed forms of algorithms on trees, for numbers of chunks that other tests do not try."""

import numpy as np
import pytest
from promises import Run
from settings import sampled_ranks

from collectives import ROWS
from collectives.algorithms import split_binary, tree
from collectives.catalog import closed_forms
from collectives.errors import BadInput
from collectives.theory import Case

PIPELINED = [
    row for row in ROWS if row.function.__module__ in (tree.__name__, split_binary.__name__)
]


def by_row(function):
    return pytest.mark.parametrize("row", PIPELINED, ids=lambda row: row.title)(function)


def test_these_are_the_pipelines_on_binary_trees():
    assert len(PIPELINED) == 7


@by_row
@pytest.mark.parametrize("chunks", [1, 2, 3, 5, 8, 33])
def test_forms_hold_for_any_number_of_chunks(row, chunks):
    for n in sampled_ranks((*range(2, 14), 16, 17, 33)):
        run = Run(row.function, n, chunks=chunks, chunk_count=chunks)
        case = Case(n, np.ones(chunks, np.intp))
        form = row.form
        assert form.step_count(case) == len(run.steps)
        assert form.message_count(case) == sum(map(len, run.messages()))
        assert form.sent_range(case) == (max(run.sent()),) * 2
        assert form.total_range(case) == (sum(run.sent()),) * 2


def test_two_trees_below_a_root_share_links_on_2_and_4_ranks_only():
    """Of all numbers up to 1025; there the messages are fewer than chunks on links."""
    size = np.ones(1000, np.intp)
    for down in (True, False):
        shared = [
            n for n in range(2, 1026) if closed_forms.shared_messages(Case(n, size), not down, down)
        ]
        assert shared == [2, 4]


def test_trees_that_do_not_fit_into_memory_are_refused():
    with pytest.raises(BadInput, match="two trees of 1000000000000 ranks would take"):
        closed_forms.shared_messages(Case(10**12, np.ones(4)), up=True, down=True)
