"""Claims of widely read pages that a number can settle, each beside what is computed."""

from collectives.evidence.claims.claim import (
    ROUNDING,
    VERDICTS,
    Answer,
    Claim,
    Figure,
    Page,
    Part,
    about,
    answer,
    answers,
    between,
    less_than,
    more_than,
    pages,
    printed,
)

__all__ = [
    "ROUNDING",
    "VERDICTS",
    "Answer",
    "Claim",
    "Figure",
    "Page",
    "Part",
    "about",
    "answer",
    "answers",
    "between",
    "less_than",
    "more_than",
    "pages",
    "printed",
]
