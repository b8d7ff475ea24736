"""Words of messages and captions: numbers with their nouns, lists, the nearest of some names."""

from __future__ import annotations

import reprlib
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from typing import Any

LONGEST_NAME = 120  # letters

MAX_QUOTED = 200  # characters


class Worded(str):
    """English text that remembers its pattern and fields, so that it can be said in other words.

    A field may be a tuple of texts, which stand in a row with commas between them.

    >>> Worded("child of {parent}", parent="rank 0"), Worded("{all}, 8", all=("2", "4"))
    ('child of rank 0', '2, 4, 8')
    """

    pattern: str
    fields: dict[str, object]

    def __new__(cls, pattern: str, /, **fields: object) -> Worded:
        """The pattern with these fields; raises KeyError for one that is missing."""
        rows = {k: ", ".join(v) for k, v in fields.items() if isinstance(v, tuple)}
        return cls.of(pattern.format(**fields | rows), pattern, fields)

    @classmethod
    def of(cls, text: str, pattern: str, fields: dict[str, object]) -> Worded:
        """A text that was made of this pattern and these fields."""
        worded = super().__new__(cls, text)
        worded.pattern, worded.fields = pattern, fields
        return worded

    def __str__(self) -> str:
        """Itself, so that an exception keeps the pattern of its message."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """How to make it again in another process."""
        return Worded.of, (super().__str__(), self.pattern, self.fields)


class Quoted(str):
    """Text out of somebody's code, the same in every language unless it is a known comment."""


def plural(number: int, noun: str) -> str:
    """A number and what it counts.

    >>> plural(1, "rank"), plural(1024, "rank"), plural(2, "switch")
    ('1 rank', '1,024 ranks', '2 switches')
    """
    ending = "" if number == 1 else "es" if noun.endswith(("s", "x", "ch", "sh")) else "s"
    return Worded(f"{{number:,}} {noun}{ending}", number=number)


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
        words = [*words[:limit], Worded("{number} more", number=len(words) - limit)]
    if len(words) < 2:
        return words[0] if words else ""
    return Worded(f"{{first}} {last} {{last}}", first=tuple(words[:-1]), last=words[-1])


def linked(parts: Iterable[str], sign: str) -> str:
    """Texts with a sign between them.

    >>> linked(["2 S", "S/4"], " + ")
    '2 S + S/4'
    """
    first, *others = parts
    for other in others:
        first = Worded(f"{{first}}{sign}{{last}}", first=first, last=other)
    return first


def located(where: str, problem: object) -> str:
    """What is wrong, after where it is; in words of languages if that is known in them.

    >>> located("step 2", Worded("slot {slot} is empty", slot=1))
    'step 2: slot 1 is empty'
    """
    text = str(problem)
    if not where or not isinstance(text, Worded):
        return f"{where}: {text}" if where else text
    return Worded("{where}: {problem}", where=where, problem=text)


def runs(values: Iterable[int], to: str = " to ") -> list[str]:
    """Whole numbers in ascending order, three and more neighbors as one text.

    >>> runs([1, 2, 3, 5, 8, 9])
    ['1 to 3', '5', '8', '9']
    """
    runs: list[str] = []
    for _, group in groupby(enumerate(values), lambda placed: placed[1] - placed[0]):
        run = [value for _, value in group]
        if len(run) > 2:
            runs.append(Worded(f"{{first}}{to}{{last}}", first=run[0], last=run[-1]))
        else:
            runs += map(str, run)
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
    raised = text[:1].upper() + text[1:]
    return Worded.of(raised, text.pattern, text.fields) if isinstance(text, Worded) else raised


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
