"""What other people's test-suites see of `collectives.testing`."""

import os
import subprocess
import sys

import pytest

from collectives import BadInput
from collectives.algorithms.ring import ring_all_reduce
from collectives.testing import assert_proved, every_size

pytest_plugins = ["pytester"]

SUITE = """
    import numpy as np
    from collectives import reduce
    from collectives.algorithms.ring import ring_all_gather
    from collectives.testing import assert_proved, every_size

    def my_all_reduce(n):
        rank = np.arange(n)
        for step in range(n - 1):
            # every rank sends a chunk to the next, which adds it
            yield reduce(rank, (rank + 1) % n, (rank - step - (n != 3)) % n)
        yield from ring_all_gather(n)

    def test_mine():
        assert_proved(my_all_reduce, ranks=[5, 3, 2])

    @every_size(range(1, 5))
    def test_mine_on(n):
        assert_proved(my_all_reduce, ranks=n)
"""


def test_a_suite_fails_with_the_paragraph_and_its_own_lines_only(pytester, monkeypatch):
    """In a process of its own, without what this process was told: options, width, plugins."""
    for name in [
        name for name in os.environ if name.startswith(("PYTEST", "CI", "BUILD_NUMBER", "COV"))
    ]:
        monkeypatch.delenv(name)
    monkeypatch.delenv("FORCE_COLOR", raising=False)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("PYTEST_DISABLE_PLUGIN_AUTOLOAD", "1")
    pytester.makepyfile(test_mine=SUITE)
    found = pytester.runpytest_subprocess("-p", "no:cacheprovider", "--color=no", "--tb=long")
    said = found.stdout.str()
    found.assert_outcomes(passed=3, failed=2)
    paragraph = (
        "E       AssertionError: my_all_reduce on 3 ranks: rank 0, slot 0 ends wrong: chunk 0 of "
        "ranks 1 and 2 is missing. It goes wrong in step 4 ("
    )
    assert said.count(paragraph) == 2
    assert said.count("On 2 ranks it is right") == 1
    assert ">       assert_proved(my_all_reduce, ranks=[5, 3, 2])" in said
    assert "test_mine_on[3]" in said
    for hidden in ("testing.py", "checking.py", "verdict ="):
        assert hidden not in said


def test_what_is_right_passes_in_silence():
    assert assert_proved(ring_all_reduce, ranks=range(1, 6)) is None


def test_what_is_wrong_is_an_assertion_that_fails():
    with pytest.raises(AssertionError, match=r"^ring_all_reduce on 2 ranks: rank 0, slot 2 ends"):
        assert_proved(ring_all_reduce, slots=lambda n: 2 * n)


def test_what_cannot_be_used_is_no_failed_assertion():
    with pytest.raises(BadInput, match="ranks is empty"):
        assert_proved(ring_all_reduce, ranks=[])


@every_size(range(2, 4))
def test_sizes_are_the_argument_n(n):
    assert n in (2, 3)


def test_pytest_is_not_loaded_before_it_is_used():
    code = "import sys, collectives.testing; print('pytest' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.stdout == "False\n"
