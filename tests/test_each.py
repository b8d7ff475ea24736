"""The loop that stands for many tests fails where one of them would, and says which."""

import pytest
from each import each


def test_all_cases_are_tried_and_those_that_fail_are_named():
    tried = []

    @each("number", range(5), lambda number: f"case {number}")
    def test(number):
        tried.append(number)
        assert number not in (1, 3), f"{number} is bad"

    with pytest.raises(AssertionError, match="1 is bad") as found:
        test()
    assert found.value.__notes__ == ["2 of 5 cases fail: case 1; case 3"]
    assert tried == [0, 1, 2, 3, 4]


def test_a_sample_has_few_of_many(monkeypatch):
    monkeypatch.setattr("each.SAMPLE", True)
    tried = []
    each("number", range(100), few=4)(lambda number: tried.append(number))()
    assert len(tried) == 4 and tried[-1] - tried[0] == 75


def test_pytest_s_own_failures_count():
    @each("number", [7])
    def test(number):
        pytest.fail("no")

    with pytest.raises(pytest.fail.Exception, match="no"):
        test()


def test_nothing_to_try_is_refused():
    with pytest.raises(AssertionError, match="nothing to test"):
        each("number", [])


@pytest.mark.parametrize("outer", [1, 2])
@each(("a", "b"), [(1, 2), (3, 4)])
def test_fixtures_and_parameters_are_given_to_every_case(a, b, outer, tmp_path):
    assert b == a + 1
    assert outer in (1, 2) and tmp_path.is_dir()
