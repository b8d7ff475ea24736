"""A stop of the tour of a page."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Stop:
    """A stop: its sentences, a question, the step, and what is selected, as in a link to a page."""

    text: str
    question: str
    step: int
    select: str
