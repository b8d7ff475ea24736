"""The words of whys in a language, and pages of them on a sheet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from animations.drawing.sheet import Sheet
from animations.phrases import Phrases
from animations.whys.why import GrowingPicture, Why
from collectives.units import number_text, rough_size, size_text
from collectives.words import capital

SPELLED = range(3, 11)  # numbers that are words


class Local(str):
    """A number in the language already."""


@dataclass(frozen=True)
class Teller:
    """Says what a why says in a language, for a sheet."""

    say: Phrases
    sheet: Sheet

    def __call__(self, key: str, **fields: object) -> str:
        """A text of the section of whys, which begins with a capital letter."""
        local = {k: v if isinstance(v, Local) else self.decimal(str(v)) for k, v in fields.items()}
        return capital(self.say(f"why.{key}", **local))

    def count(self, number: int) -> str:
        """A number as people say it, a word where it is small."""
        return self.say(f"score.times_{number}").lower() if number in SPELLED else f"{number:,}"

    def figure(self, value: float) -> Local:
        """A number that is drawn, with the point, or the comma, of the language."""
        return Local(self.decimal(number_text(value)))

    def decimal(self, text: str) -> str:
        """A text with the decimal points, or commas, of the language."""
        return self.say.decimal(text)

    def at_size(self, size: float) -> str:
        """A size at which something is so, as borders are said."""
        text = size_text(rough_size(size, 2), binary=True)
        return self.decimal(self.say("score.at_size", size=text))

    def by(self, factor: int) -> str:
        """What multiplies by a factor, as a verb: doubles, triples, multiplies by 4."""
        known = {2: "twice", 3: "thrice"}.get(factor, "times")
        return self.say(f"why.by_{known}", number=factor)

    def rank(self, number: int) -> str:
        """The name of a rank."""
        return f"{self.say.noun('rank')} {number}"

    def ranks(self, number: int) -> str:
        """So many ranks."""
        return self.say.plural(number, "rank")

    def why(
        self,
        kind: str,
        sentences: Sequence[str],
        picture: GrowingPicture,
        aside: str = "",
        need: int = 0,
        idea: bool = False,
    ) -> Why:
        """A why with the question of its kind.

        need: how many sentences come before the steps; idea: whether these say the idea.
        """
        asks = self(f"{kind}_need") if need else ""
        heading = asks if need == len(sentences) else self(f"{kind}_question")
        spoken = tuple(sentences)
        return Why(self.sheet, heading, aside, spoken, picture, need=need, asks=asks, idea=idea)
