"""The glossary in each language: what a term means, and how texts spell it."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from animations.phrases import phrases, read
from collectives.collective import COLLECTIVES
from collectives.glossary import definitions, spellings
from collectives.words import capital


class GlossaryEntry(NamedTuple):
    """A sentence of what it means, its usual spelling, and further ones in small letters."""

    meaning: str
    word: str
    others: tuple[str, ...]

    @property
    def uses(self) -> tuple[str, ...]:
        """All spellings, in small letters."""
        return self.word.lower(), *self.others


@cache
def glossary(language: str) -> dict[str, GlossaryEntry]:
    """The terms of a language by their English words.

    >>> glossary("en")["switch"].others, glossary("es")["switch"].word
    (('switches',), 'conmutador')
    """
    if language == "en":
        return {
            term: GlossaryEntry(
                meaning,
                term,
                tuple(use for use, of in spellings().items() if of == term and use != term),
            )
            for term, meaning in definitions().items()
        }
    say = phrases(language)
    known = {
        term: GlossaryEntry(meaning, word, tuple(map(str.lower, others)))
        for term, (meaning, word, *others) in read(language, "terms").items()
    }
    for promise in COLLECTIVES.values():
        name, *_ = say.collective(promise.title).split("（")
        meaning = say("trade.stop", text=capital(say.promise(promise.sentence)))
        known[promise.title] = GlossaryEntry(
            meaning, name, (promise.title,) if name != promise.title else ()
        )
    return known
