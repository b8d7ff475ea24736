"""`make test` tries a fixed few of a test's many cases, and all of those a person names."""

import os
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

from spread import FEW, spread

PARAMETERS = """
import pytest

@pytest.mark.parametrize("value", range(100))
def test_many(value):
    pass

def test_single():
    pass
"""


def test_few_are_distinct_far_apart_and_others_for_another_test():
    for size in (1, FEW, FEW + 1, 7, 99, 102):
        cases = spread("test_a", list(range(size)))
        assert len(set(cases)) == min(size, FEW)
        assert cases == sorted(cases)
    few = [set(spread(f"test_{k}", list(range(100)))) for k in range(500)]
    assert set().union(*few) == set(range(100))
    apart = sorted(few[0])
    assert {b - a for a, b in pairwise(apart)} == {100 // FEW}


def test_sampled_are_cases_and_never_a_whole_test(tmp_path):
    (tmp_path / "test_made.py").write_text(PARAMETERS)
    tests = Path(__file__).parent
    (tmp_path / "conftest.py").write_text((tests / "conftest.py").read_text())
    for variables, number in (({"SAMPLE": "1"}, FEW + 1), ({"SAMPLE": "1", "THOROUGH": "1"}, 101)):
        ended = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)],
            env={**os.environ, "PYTHONPATH": str(tests), "THOROUGH": "", **variables},
            capture_output=True,
            text=True,
            cwd=tmp_path,
        )
        assert f"{number} passed" in ended.stdout, ended.stdout + ended.stderr
