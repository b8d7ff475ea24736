"""Many quick cases as one test: what pytest does around a test takes longer than they do."""

import functools
import inspect
from collections.abc import Callable, Iterable
from typing import Any

from spread import SAMPLE, spread


def each(
    names: str | tuple[str, ...],
    cases: Iterable[Any],
    title: Callable[[Any], object] = repr,
    few: int | None = None,
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Like `pytest.mark.parametrize`, but all cases are one test, which tries every one of them.

    title: what a case is called where it fails; it is given what `cases` has. The first failure
    is raised, and a note names it and all other cases that fail. Fixtures are shared by all cases.
    few: how many are tried with SAMPLE set, as by `make test`: other ones by each test.
    """
    known, cases = (names,) if isinstance(names, str) else names, list(cases)
    assert cases, "there is nothing to test"

    def decorated(function: Callable[..., None]) -> Callable[..., None]:
        cut = SAMPLE and few is not None
        tried = spread(function.__name__, cases, few) if cut else cases

        @functools.wraps(function)
        def test(**fixtures: Any) -> None:
            failed: dict[str, BaseException] = {}
            for case in tried:
                values = (case,) if isinstance(names, str) else case
                try:
                    function(**fixtures, **dict(zip(known, values, strict=True)))
                except (KeyboardInterrupt, SystemExit):
                    raise
                except BaseException as problem:  # pytest.fail raises no Exception
                    failed[str(title(case))] = problem
            for problem in failed.values():
                problem.add_note(f"{len(failed)} of {len(tried)} cases fail: {'; '.join(failed)}")
                raise problem

        signature = inspect.signature(function)
        rest = [p for name, p in signature.parameters.items() if name not in known]
        test.__signature__ = signature.replace(parameters=rest)  # type: ignore[attr-defined]
        return test

    return decorated


def row_title(row: Any) -> str:
    """The title of a row of the catalog, for `each`."""
    return str(row.title)
