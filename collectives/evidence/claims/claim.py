"""What widely read pages claim about collectives, beside what is computed here.

A claim has parts, each with the figure the page gives and readings: what is computed for it
under the conditions the page leaves open. A part is right if all readings agree with the figure,
imprecise if some do, wrong if none does; a claim is as good as its worst part.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from importlib import import_module

from collectives.errors import BadInput
from collectives.words import brief, nearest

VERDICTS = ("right", "imprecise", "wrong")  # from the best to the worst
PAGES = ("blog", "explainer", "calculator", "course", "reference")
ROUNDING = 1e-9  # of floats, as a part
TINY = math.ulp(0.0)  # the least that is above zero


@dataclass(frozen=True)
class Figure:
    """A figure as a page gives it: its text, and the values it may stand for."""

    text: str
    least: float
    most: float

    def holds(self, value: float) -> bool:
        """Whether a computed value is one of them."""
        margin = ROUNDING * abs(value)
        return self.least - margin <= value <= self.most + margin


def printed(text: str) -> Figure:
    """A number as it is printed: it stands for all that are rounded to it.

    >>> printed("13.04").holds(13.0385), printed("13.04").holds(14.0)
    (True, False)
    """
    number = Fraction(text.replace(",", ""))
    digits, _, exponent = text.lower().partition("e")
    half = Fraction(10) ** (int(exponent or 0) - len(digits.partition(".")[2])) / 2
    return Figure(text, float(number - half), float(number + half))


def about(value: float, part: float = 0.05) -> Figure:
    """A number that is said to be so approximately: 5 % off is still right."""
    return Figure(f"about {value:g}", value * (1 - part), value * (1 + part))


def between(least: float, most: float) -> Figure:
    """A range."""
    return Figure(f"{least:g} to {most:g}", least, most)


def less_than(value: float) -> Figure:
    """Any number below this one, which itself is none of them.

    >>> less_than(1).holds(0.999), less_than(1).holds(1.0)
    (True, False)
    """
    return Figure(f"less than {value:g}", -math.inf, value - 2 * ROUNDING * abs(value))


def more_than(value: float) -> Figure:
    """Any number above this one, which itself is none of them.

    >>> more_than(0).holds(0.001), more_than(0).holds(0.0)
    (True, False)
    """
    return Figure(f"more than {value:g}", value + 2 * ROUNDING * abs(value) or TINY, math.inf)


Computed = Callable[[], float | Fraction]


@dataclass(frozen=True)
class Part:
    """One figure of a claim: what it is a figure of, in which unit, and how it is computed."""

    what: str
    unit: str
    said: Figure
    readings: Mapping[str, Computed]  # under which condition: the computation

    def values(self) -> dict[str, float]:
        """What is computed under each condition."""
        return {when: float(compute()) for when, compute in self.readings.items()}

    def verdict(self, values: Mapping[str, float]) -> str:
        """right, imprecise or wrong: whether all, some or none of the values agree."""
        agree = [self.said.holds(value) for value in values.values()]
        return VERDICTS[0 if all(agree) else 1 if any(agree) else 2]


@dataclass(frozen=True)
class Claim:
    """A claim of a page, restated in short; `why` says what it leaves out or confuses."""

    number: int
    says: str
    why: str
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Page:
    """A page, its letter, how many of its claims were looked at, and those a number can settle."""

    letter: str
    title: str
    looked_at: int
    claims: tuple[Claim, ...]


@dataclass(frozen=True)
class Answer:
    """A claim with what was computed for each of its parts, and the verdict that follows."""

    page: Page
    claim: Claim
    values: tuple[Mapping[str, float], ...]

    @property
    def name(self) -> str:
        """The page's letter and the claim's number: C2."""
        return f"{self.page.letter}{self.claim.number}"

    @property
    def verdict(self) -> str:
        """That of the worst part."""
        parts = zip(self.claim.parts, self.values, strict=True)
        return max((part.verdict(values) for part, values in parts), key=VERDICTS.index)


def answer(page: Page, claim: Claim) -> Answer:
    """Compute all that a claim needs."""
    return Answer(page, claim, tuple(part.values() for part in claim.parts))


def pages() -> tuple[Page, ...]:
    """All pages, in the order of their letters."""
    return tuple(import_module(f"collectives.evidence.claims.{name}").PAGE for name in PAGES)


def answers(names: Iterable[str] = ()) -> tuple[Answer, ...]:
    """Answers to the claims of these names (C2) or pages (C); to all if there are none.

    >>> [one.verdict for one in answers(["C2", "c13"])]
    ['wrong', 'right']
    """
    known = {
        f"{page.letter}{claim.number}": (page, claim) for page in pages() for claim in page.claims
    }
    letters = {page.letter for page in pages()}
    wanted: dict[str, None] = {}
    for name in names:
        key = str(name).strip().upper()
        if key not in letters and key not in known:
            raise BadInput(f"claim {brief(name)}: {_near(key, known, letters)}")
        wanted |= dict.fromkeys(one for one in known if key in (one, one[0]))
    return tuple(answer(*known[name]) for name in wanted or known)


def _near(key: str, known: Iterable[str], letters: set[str]) -> str:
    if key[:1] in letters and key[1:].isdecimal():
        there = [int(name[1:]) for name in known if name[0] == key[0]]
        best = min(there, key=lambda number: abs(number - int(key[1:4])))
        return f"no number settles it; nearest: {key[0]}{best}"
    hint = nearest(key, known)
    return hint if hint.startswith("did") else f"choose a page, {', '.join(sorted(letters))}, or C2"
