"""For other people's test-suites with pytest: an algorithm is proved, or the test says why not.

    from collectives.testing import assert_proved, every_size

    def test_mine():
        assert_proved(my_all_reduce, ranks=range(1, 33))

    @every_size(range(1, 33))
    def test_mine_on(n):
        assert_proved(my_all_reduce, ranks=n)

The first is one test, the second one for each number of ranks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from collectives.proof.check import check, numbers_of_ranks
from collectives.schedule import Schedule


def assert_proved(
    function: str | Callable[..., Schedule] | Schedule,
    algorithm: str | None = None,
    **settings: Any,
) -> None:
    """Raise AssertionError, saying what is wrong, unless an algorithm is right for all ranks.

    Parameters
    ----------
    function : str, callable or iterable of Step
        The collective of a catalog algorithm, a function that yields steps, or the steps.
    algorithm : str, optional
        The catalog's name of the algorithm.
    **settings
        Those of `collectives.check`: ranks, collective, root, slots, and the function's own
        arguments.

    Raises
    ------
    AssertionError
        Where the algorithm is wrong.
    BadInput
        For settings that cannot be used.

    Examples
    --------
    >>> from collectives.algorithms.ring import ring_all_reduce
    >>> assert_proved(ring_all_reduce, ranks=range(1, 9))
    """
    __tracebackhide__ = True  # pytest shows the test, not this
    verdict = check(function, algorithm, **settings)
    if not verdict:
        raise AssertionError(str(verdict))


def every_size(ranks: Iterable[int] = range(1, 34)) -> Any:
    """Decorate a test that takes n, so that it runs once for each number of ranks.

    Parameters
    ----------
    ranks : iterable of int
        Numbers of ranks; by default 1 to 33.

    Returns
    -------
    decorator
        For a test function with an argument n.
    """
    import pytest

    return pytest.mark.parametrize("n", numbers_of_ranks(ranks))
