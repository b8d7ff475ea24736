"""The three things that can go wrong, each with the exit status the command line gives it."""

import reprlib
from collections.abc import Iterable
from difflib import get_close_matches


class CollectivesError(Exception):
    """Any failure this package explains in one line; `status` is the command's exit status."""

    status = 2


class BadInput(CollectivesError, ValueError):  # noqa: N818 - reads as a sentence where raised
    """A value that cannot be used: names the value, the rule and the nearest valid choice."""


class WrongSchedule(CollectivesError, ValueError):  # noqa: N818
    """An algorithm broke a rule of schedules or the promise of its collective."""

    status = 1


class NotInstalled(CollectivesError, ImportError):  # noqa: N818
    """An optional dependency is absent: names the command that installs it."""

    status = 3


def nearest(value: str, choices: Iterable[str]) -> str:
    """The end of a message about an unknown name: the closest choice, or all of them.

    >>> nearest("rnig", ["ring", "tree"])
    'did you mean ring?'
    >>> nearest("x", ["ring", "tree"])
    'choose from ring, tree'
    """
    known = list(choices)
    close = get_close_matches(value, known, n=1)
    return f"did you mean {close[0]}?" if close else f"choose from {', '.join(known)}"


def quoted(text: str) -> str:
    """A text as a message names it: in quotes where it is empty or has blanks.

    >>> print(quoted("a.npy"), quoted("my file"), quoted(""))
    a.npy 'my file' ''
    """
    return text if text and text.isprintable() and " " not in text else repr(text)


def plural(number: int, noun: str) -> str:
    """A number and what it counts.

    >>> plural(1, "rank"), plural(2, "rank")
    ('1 rank', '2 ranks')
    """
    return f"{number} {noun}" + ("s" if number != 1 else "")


def brief(value: object) -> str:
    """A value in at most 60 characters, however large or deep it is.

    >>> brief({"ranks": [[1, 2], 3]}), brief("x" * 1000)
    ("{'ranks': [[1, 2], 3]}", "'xxxxxxxxxxxx...xxxxxxxxxxxxx'")
    """
    try:
        text = reprlib.repr(value)
    except ValueError:  # Python does not write out integers of thousands of digits
        text = f"a huge {type(value).__name__}"
    return text if len(text) <= 60 else text[:57] + "..."
