"""A question: what is asked before which step, the answers to choose from, and the reasons."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from collectives.questions.balance import balanced
from collectives.questions.misconceptions import KNOWN
from collectives.questions.names import Content

MOST_OPTIONS = 4  # of a choice
MOST_REASONS = 3
FEWEST_WRONG = 2  # of a choice: with one it would be a coin


class Mark(NamedTuple):
    """Something that an answer claims of the picture.

    A "transfer" (source, chunk, destination, into), the content of a "cell" (node, slot), or
    "ranks" that it is about.
    """

    kind: str
    at: tuple[int, ...]
    content: Content = ()


@dataclass(frozen=True)
class Option:
    """An answer: its text, what it means, and the misconception it follows from, "" if right.

    value: for a cell its contributions as (rank, slot, times); for a transfer (chunk, node); for
    ranks their numbers; a number of bytes, messages or steps; the outcome of a changed line.
    marks: what the picture would show if it were right. refutation: what happens instead, found by
    executing: which step, which rank and which data.
    """

    text: str
    value: object
    misconception: str = ""
    marks: tuple[Mark, ...] = ()
    refutation: str = ""

    @property
    def feedback(self) -> str:
        """A sentence about this answer, "" if it is right."""
        return self.refutation or _feedback(self.misconception)


@dataclass(frozen=True)
class Reason:
    """A reason for an answer, and the misconception it is, "" if it is right."""

    text: str
    misconception: str = ""

    @property
    def feedback(self) -> str:
        """A sentence about this reason, "" if it is right."""
        return _feedback(self.misconception)


def _feedback(misconception: str) -> str:
    known = KNOWN.get(misconception)
    return known.feedback if known else ""


@dataclass(frozen=True)
class Question:
    """What is asked before a step.

    kind: one of `choose.KINDS`. step: the first that is not shown until it is answered, counted
    from 1; one more than there are if all are shown. form:
    "choice" of texts, "place" of ranks, or "number" with a unit. about: what is asked for, as
    ("cell", (rank, slot)) or ("rank", (rank,)), or nothing. options: one is right; of a place one
    for every rank. explanation: why the right one is right.
    """

    kind: str
    step: int
    form: str
    prompt: str
    detail: str
    options: tuple[Option, ...]
    reasons: tuple[Reason, ...]
    hint: str
    explanation: str
    about: tuple[str, tuple[int, ...]] | None = None
    unit: str = ""

    @property
    def right(self) -> Option:
        """The right answer."""
        return next(option for option in self.options if not option.misconception)


def choice(right: Option, wrong: Iterable[Option], random: Random) -> tuple[Option, ...]:
    """The right option and up to three others in random order; none where these are too few.

    An option that means or says what one before it does is left out.
    """
    others: list[Option] = []
    for option in wrong:
        if all(option.value != old.value and option.text != old.text for old in (right, *others)):
            others.append(option)
    if len(others) < FEWEST_WRONG:
        return ()
    kept = [right, *balanced(right, others, MOST_OPTIONS - 1, random)]
    random.shuffle(kept)
    return tuple(kept)


def reasons(right: str, names: Iterable[str], random: Random) -> tuple[Reason, ...]:
    """The right reason and those of some misconceptions, in random order."""
    known = dict.fromkeys(name for name in names if name)
    wrong = [Reason(KNOWN[name].because, name) for name in known]
    kept = [Reason(right), *wrong][:MOST_REASONS]
    random.shuffle(kept)
    return tuple(kept)


def asked(
    options: Iterable[Option],
    because: str,
    random: Random,
    explanation: str = "",
    believed: Iterable[str] | None = None,
    **about: Any,
) -> Question:
    """A question with the right reason, `because`, and with those that wrong answers follow from.

    explanation: the same as the reason, where it is not given. believed: the misconceptions whose
    reasons are offered, by default all of the options. about: the other fields of the question.
    """
    options = tuple(options)
    names = [option.misconception for option in options] if believed is None else believed
    chosen = reasons(because, names, random)
    return Question(options=options, reasons=chosen, explanation=explanation or because, **about)
