"""An exercise: what is asked, of what, the answers to choose from, and the right one."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import Any

from collectives.words import capital

LETTERS = "ABCDEF"
MOST_WRONG = 3
FEWEST_WRONG = 2  # with one it would be a coin
WIDTH = 92
NAMELESS: Mapping[str, str] = MappingProxyType({})
TOLERANCE = 0.01  # of what is computed by hand
LARGEST = 1e300  # number that may be an answer: whole ones can be too large for a float


@dataclass(frozen=True)
class Offered:
    """An answer that can be chosen: its text, whether it is right, and if not what is so.

    misconception: the name of what it follows from, in `questions/misconceptions.toml`; "" where
    it is right, or a mistake without a name.
    """

    text: str
    right: bool = False
    feedback: str = ""
    misconception: str = ""


@dataclass(frozen=True, repr=False)
class Exercise:
    """A problem on paper with one right answer.

    Attributes
    ----------
    kind : str
        One of `KINDS`.
    topic : str
        What it was made for: an algorithm, a collective, or "" for any.
    seed : int
        With kind and topic it makes the same exercise again.
    title : str
        Algorithm and ranks.
    text : str
        What is asked, in at most 120 words.
    material : tuple of str
        What stands below in a fixed pitch: steps, or lines of code.
    answers : tuple of Offered
        To choose from, exactly one of them right; empty where a number is asked for.
    value : float or None
        The number that is asked for, in `unit`; None where there are answers to choose from.
    unit : str
        Of the number; empty for a count.
    explanation : str
        Why that is the answer.
    """

    kind: str
    topic: str
    seed: int
    title: str
    text: str
    material: tuple[str, ...]
    answers: tuple[Offered, ...]
    value: float | None
    unit: str
    explanation: str

    @property
    def right(self) -> str:
        """The right answer as text: the number with its unit, or the letter and the text."""
        if self.value is not None:
            return f"{self.value:.6g} {self.unit}".strip()
        number = next(index for index, answer in enumerate(self.answers) if answer.right)
        return f"{LETTERS[number]}) {self.answers[number].text}"

    @property
    def exact(self) -> bool:
        """Whether only the number itself is right, as of a count; else what is near it, too."""
        return not self.unit

    def accepts(self, number: float) -> bool:
        """Whether a number is the one that is asked for; False where there is none."""
        if self.value is None or not -LARGEST < number < LARGEST:
            return False
        return abs(number - self.value) <= (not self.exact) * TOLERANCE * abs(self.value)

    def problem(self) -> list[str]:
        """What is printed: the question, what it is asked of, and the answers to choose from."""
        text = textwrap.wrap(f"{self.title}. {self.text}", WIDTH)
        below = ["", *(f"  {line}" for line in self.material)] if self.material else []
        if self.value is not None:
            return [*text, *below, "", f"  answer: ________ {self.unit}".rstrip()]
        options = [
            f"  {letter}) {answer.text}"
            for letter, answer in zip(LETTERS, self.answers, strict=False)
        ]
        return [*text, *below, "", *options]

    def markdown(self) -> list[str]:
        """The problem as Markdown, without its title."""
        text = textwrap.wrap(_marked(self.text), WIDTH)
        if self.material:
            text += ["", "```text", *self.material, "```"]
        if self.value is not None:
            return [*text, "", f"Answer: \\_\\_\\_\\_\\_\\_ {self.unit}".rstrip()]
        lettered = zip(LETTERS, self.answers, strict=False)
        return [*text, "", *(f"- {letter}) {_marked(answer.text)}" for letter, answer in lettered)]

    def solution(self) -> list[str]:
        """The right answer, and why."""
        why = capital(self.explanation).rstrip(".")
        return textwrap.wrap(f"{self.right}. {why}.", WIDTH)

    def lines(self, answer: bool = False) -> list[str]:
        """The problem, and with `answer` what is right below it."""
        return self.problem() + (["", *self.solution()] if answer else [])

    def as_json(self, answer: bool = False) -> dict[str, Any]:
        """The exercise as plain values, without what gives the answer away unless it is wanted."""
        problem: dict[str, Any] = {
            "kind": self.kind,
            "topic": self.topic,
            "seed": self.seed,
            "title": self.title,
            "text": self.text,
            "material": list(self.material),
            "answers": [choice.text for choice in self.answers],
            "unit": self.unit,
        }
        if answer:
            problem |= {"right": self.right, "value": self.value, "why": self.explanation}
            problem["misconceptions"] = [choice.misconception for choice in self.answers]
        return problem

    def __repr__(self) -> str:
        """One line: what kind it is, of what, with which seed."""
        return f"<Exercise: {self.kind}, {self.title}, seed {self.seed}>"


def _marked(text: str) -> str:
    """Text in which nothing is a sign of Markdown."""
    return re.sub(r"([\\`*_\[\]<>])", r"\\\1", text)


@dataclass(frozen=True)
class Draft:
    """What a kind of exercise makes: all of it but kind, topic and seed, which `exercise` knows."""

    title: str
    text: str
    explanation: str
    material: Sequence[str] = ()
    answers: tuple[Offered, ...] = ()
    value: float | None = None
    unit: str = ""


def choices(
    right: str,
    wrong: Iterable[tuple[str, str]],
    random: Random,
    names: Mapping[str, str] = NAMELESS,
) -> tuple[Offered, ...]:
    """The right answer and up to three others in random order; none where these are too few.

    wrong: texts, and what is so instead; one that says what another says is left out. names: the
    misconceptions that some of the texts follow from.
    """
    others: dict[str, str] = {}
    for text, feedback in wrong:
        if text != right:
            others.setdefault(text, feedback)
    if len(others) < FEWEST_WRONG:
        return ()
    kept = random.sample(sorted(others), min(MOST_WRONG, len(others)))
    answers = [
        Offered(right, True),
        *(Offered(text, False, others[text], names.get(text, "")) for text in kept),
    ]
    random.shuffle(answers)
    return tuple(answers)
