"""The table of breaks fits the product: each can be made, and its tests are there."""

import pytest
from breaks import ROOT, Break, table


@pytest.mark.parametrize("one", table(), ids=lambda one: one.name)
def test_each_break_is_one_that_can_be_made(one):
    assert "\n" not in one.old + one.new
    assert one.old != one.new
    broken = one.applied()
    if one.file.endswith(".py"):
        compile(broken, one.file, "exec")
    assert one.tests
    for test in one.tests:
        path, _, function = test.partition("[")[0].partition("::")
        there = f"\ndef {function}(" in (ROOT / path).read_text("utf-8")
        assert there or not function, f"{test} is not there"


def test_there_are_breaks_in_every_area():
    assert len(table()) >= 60
    folders = {one.file.rpartition("/")[0] for one in table()}
    assert {"collectives", "animations"} <= {folder.partition("/")[0] for folder in folders}


def test_a_line_that_is_not_there_once_is_no_break():
    for old in ("no such line", "return"):
        with pytest.raises(ValueError, match="times in"):
            Break("it", "collectives/recording/memory.py", old, "pass", []).applied()
