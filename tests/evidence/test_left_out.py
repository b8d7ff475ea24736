"""Posted rows judged by a fit to other sources: no row of a source has a say in its own verdict."""

from dataclasses import replace

import pytest

from collectives.evidence.left_out import fit_start, left_out
from collectives.evidence.measured import compare

FOUND = compare()


def test_three_of_four_rows_that_were_not_fitted_are_met():
    found = left_out(FOUND)
    assert sum(one.rows for one in found) == len(FOUND) == 48
    assert sum(one.met for one in found) == 36
    assert {
        one.name.partition("/")[0]: (one.met, one.rows) for one in found if "/" in one.name
    } == {
        "NVIDIA": (2, 6),
        "aws-samples": (3, 5),
        "coreweave": (6, 9),
        "microsoft": (16, 18),
        "stas00": (7, 7),
    }


@pytest.mark.parametrize("name", sorted({one.row.repository for one in FOUND}))
def test_no_row_is_both_fitted_and_judged(name):
    """Other times of a source change nothing in the fit that judges it."""
    rows = [
        replace(one, row=replace(one.row, time_us=one.row.time_us * 3))
        if one.row.repository == name
        else one
        for one in FOUND
    ]
    (before, after) = (
        next(one for one in left_out(each) if one.name == name) for each in (FOUND, rows)
    )
    assert before.fit == after.fit and after.met < before.met


def test_a_start_that_is_known_comes_back():
    known = replace(fit_start(FOUND), launch=33.0, loss=0.1, filling=60.0)
    rows = [
        replace(one, cause="", row=replace(one.row, time_us=known.time(one.model))) for one in FOUND
    ]
    assert fit_start(rows) == known


def test_rows_with_a_suspected_fault_are_judged_and_not_fitted():
    sound = [one for one in FOUND if one.cause != "fault"]
    assert len(sound) == 44 and fit_start(sound) == fit_start(FOUND)
