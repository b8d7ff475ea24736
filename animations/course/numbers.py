"""The numbers in a lecture's sentences: expressions of readings, and how they are written."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from animations.course.readings import LECTURE_READINGS
from collectives.errors import BadInput
from collectives.evidence.claims import evaluate
from collectives.units import number_text, rate_text, size_text, time_text
from collectives.words import nearest, percent

KINDS = ("size", "decimal", "time", "rate", "percent", "about")


@dataclass(frozen=True)
class Quantity:
    """A computed number in a sentence: {name} or, with its kind, {name:time}.

    Kinds: size (bytes, in powers of two), decimal (bytes, in powers of ten), time (seconds), rate
    (bytes a second), percent (a share), about (two digits), or none for a plain
    number, or a text.
    """

    value: float | Fraction | str

    def __format__(self, kind: str) -> str:
        """The number as text; raises BadInput for an unknown kind."""
        if isinstance(self.value, str):
            return self.value
        value = float(self.value)
        match kind:
            case "":
                return number_text(value)
            case "size" | "decimal":
                return size_text(round(value), digits=3, binary=kind == "size")
            case "time":
                return time_text(value, digits=3)
            case "rate":
                return rate_text(value, digits=3)
            case "percent":
                return percent(value)
            case "about":
                return number_text(float(f"{value:.2g}"))
        raise BadInput(f"{kind}: no kind of number; {nearest(kind, KINDS)}")


def quantities(expressions: Mapping[str, str]) -> dict[str, Quantity]:
    """Named numbers from their expressions; raises BadInput naming one that means nothing."""
    return {name: Quantity(evaluate(text, LECTURE_READINGS)) for name, text in expressions.items()}


def filled(text: str, numbers: Mapping[str, Quantity]) -> str:
    """A sentence with its numbers; raises BadInput for one that is not named."""
    try:
        return text.format(**numbers)
    except KeyError as problem:
        name = problem.args[0]
        raise BadInput(f"{{{name}}}: not among the numbers; {nearest(name, numbers)}") from None


def written(kind: str) -> Callable[[float], str]:
    """How the numbers of an axis are written: with three digits, or fewer."""
    return lambda value: f"{Quantity(value):{kind}}"
