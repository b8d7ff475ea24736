"""Terms of the glossary that each lecture uses first, and those it uses before it defines them."""

from collections.abc import Iterator
from typing import NamedTuple

from animations.course.lecture import lectures
from animations.course.lecture_file import lecture_score
from collectives.glossary import terms_in


class NewTerms(NamedTuple):
    """Of a lecture: its film's seconds, its new terms, and those that come before `defines`."""

    name: str
    seconds: float
    terms: frozenset[str]
    early: tuple[str, ...]

    @property
    def rate(self) -> float:
        """New terms a minute."""
        return 60 * len(self.terms) / self.seconds


def new_terms() -> Iterator[NewTerms]:
    """All lectures in the order of the course."""
    known: set[str] = set()
    for name, lecture in lectures().items():
        defined, early, new = set(known), dict[str, None](), set[str]()
        says = {t["heading"]["en"]: t["say"] for t in lecture.passages if "heading" in t}
        for passage in (score := lecture_score(name)).passages:
            chapter = passage.shots[0].chapter
            lines = iter(says.get(chapter, ()))
            for said in dict.fromkeys(shot.said for shot in passage.shots):
                defined |= {*next(lines, {}).get("defines", ())}
                used = set(terms_in([said]).values())
                early |= dict.fromkeys(sorted(used - defined))
                new |= used - known
        known |= new
        yield NewTerms(name, score.seconds, frozenset(new), tuple(early))
