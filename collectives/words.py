"""Words of messages and captions: numbers with their nouns, lists, the nearest of some names."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby

LONGEST_NAME = 120  # letters

MAX_QUOTED = 200  # characters


class Worded(str):
    """English text that remembers its pattern and fields, so that it can be said in other words.

    >>> Worded("child of {parent}", parent="rank 0")
    'child of rank 0'
    """

    pattern: str
    fields: dict[str, object]

    def __new__(cls, pattern: str, /, **fields: object) -> Worded:
        """The pattern with these fields; raises KeyError for one that is missing."""
        text = super().__new__(cls, pattern.format(**fields))
        text.pattern, text.fields = pattern, fields
        return text


def plural(number: int, noun: str) -> str:
    """A number and what it counts.

    >>> plural(1, "rank"), plural(1024, "rank"), plural(2, "switch")
    ('1 rank', '1,024 ranks', '2 switches')
    """
    ending = "" if number == 1 else "es" if noun.endswith(("s", "x", "ch", "sh")) else "s"
    return f"{number:,} {noun}{ending}"


def steps_text(counted: int, executed: int) -> str:
    """Steps that are counted, and those in place, of moves within ranks alone, that only run.

    >>> steps_text(3, 3), steps_text(3, 4)
    ('3 steps', '3 steps and 1 in place')
    """
    in_place = f" and {executed - counted:,} in place" if executed > counted else ""
    return plural(counted, "step") + in_place


def listed(parts: Sequence[str], limit: int = 0, last: str = "and") -> str:
    """Words in a row; of more than `limit`, if that is given, the first ones and how many more.

    >>> listed(["a", "b", "c"]), listed(["a", "b"], last="or"), listed(["a", "b", "c"], limit=1)
    ('a, b and c', 'a or b', 'a and 2 more')
    """
    words = list(parts)
    if limit and len(words) > limit:
        words = [*words[:limit], f"{len(words) - limit} more"]
    return f" {last} ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def runs(values: Iterable[int], to: str = " to ") -> list[str]:
    """Whole numbers in ascending order, three and more neighbors as one text.

    >>> runs([1, 2, 3, 5, 8, 9])
    ['1 to 3', '5', '8', '9']
    """
    runs: list[str] = []
    for _, group in groupby(enumerate(values), lambda placed: placed[1] - placed[0]):
        run = [value for _, value in group]
        runs += [f"{run[0]}{to}{run[-1]}"] if len(run) > 2 else map(str, run)
    return runs


def ranges(values: Iterable[int]) -> str:
    """Whole numbers in ascending order, three and more neighbors joined.

    >>> ranges([0, 1, 2, 3, 6, 8, 9])
    '0-3, 6, 8, 9'
    """
    return ", ".join(runs(values, "-"))


def capital(text: str) -> str:
    """The text with a capital first letter.

    >>> capital("ring all-reduce"), capital("")
    ('Ring all-reduce', '')
    """
    return text[:1].upper() + text[1:]


def percent(share: float) -> str:
    """A share in percent, small ones to one digit.

    >>> percent(0.256), percent(0.0034), percent(0)
    ('26 %', '0.3 %', '0 %')
    """
    return f"{100 * share:.0f} %" if share >= 0.01 or not share else f"{100 * share:.1g} %"


def nearest(value: object, choices: Iterable[str]) -> str:
    """The end of a message about an unknown name: the closest choice, or all of them.

    >>> nearest("rnig", ["ring", "tree"])
    'did you mean ring?'
    >>> nearest("x", ["ring", "tree"])
    'choose from ring, tree'
    """
    from difflib import get_close_matches

    known = list(choices)
    text = value if isinstance(value, str) else brief(value)
    close = get_close_matches(text, known, n=1)
    return f"did you mean {close[0]}?" if close else f"choose from {', '.join(known)}"


def printable(text: str) -> str:
    r"""Text without characters that control a terminal or the direction of text: their escapes.

    >>> print(printable("a\x1b[2J \u202eb"))
    a\x1b[2J \u202eb
    """
    if text.isprintable():
        return text
    from unicodedata import category

    blanks = "".join(" " if category(letter) == "Zs" else letter for letter in text)
    return "".join(letter if letter.isprintable() else escaped(letter) for letter in blanks)


def escaped(letter: str) -> str:
    r"""A letter as its number, as Python writes it.

    >>> print(escaped("\x1b"), escaped("北"))
    \x1b \u5317
    """
    return letter.encode("unicode_escape").decode()


def shown_name(text: str) -> str:
    r"""A name of somebody's own as messages and pictures show it: one printable line, not too long.

    >>> print(shown_name("my\nmachine\x1b"), len(shown_name("a" * 5000)))
    my machine\x1b 120
    """
    return shortened(printable(" ".join(text.split())), lambda line: len(line) <= LONGEST_NAME)


def shortened(text: str, fits: Callable[[str], bool]) -> str:
    """The text, or as many of its letters as fit with an ellipsis behind them.

    >>> shortened("all-reduce", lambda line: len(line) <= 6)
    'all-r…'
    """
    if fits(text):
        return text
    from bisect import bisect_left

    longer = range(1, len(text))
    length = bisect_left(longer, True, key=lambda end: not fits(f"{text[:end]}…"))
    return f"{text[:length].rstrip()}…"


def quoted(text: str) -> str:
    """A text as a message names it: in quotes where it is empty or has blanks; the ends if long.

    >>> print(quoted("a.npy"), quoted("my file"), quoted(""))
    a.npy 'my file' ''
    """
    if len(text) > MAX_QUOTED:
        text = f"{text[: MAX_QUOTED // 2]}...{text[-MAX_QUOTED // 2 :]}"
    return text if text and text.isprintable() and " " not in text else repr(text)


def brief(value: object) -> str:
    """A value in at most 60 characters, however large or deep it is.

    >>> brief({"ranks": [[1, 2], 3]}), brief("x" * 1000)
    ("{'ranks': [[1, 2], 3]}", "'xxxxxxxxxxxx...xxxxxxxxxxxxx'")
    """
    try:
        text = reprlib.repr(value)
    except ValueError:  # Python does not write out integers of thousands of digits
        text = f"a huge {type(value).__name__}"
    text = " ".join(text.split())
    return text if len(text) <= 60 else text[:57] + "..."
