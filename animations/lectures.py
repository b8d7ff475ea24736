"""One Manim scene for every lecture: WhatIsACollectiveLecture, RingLecture and so on.

manim -pqh animations/lectures.py RingLecture
"""

from __future__ import annotations

from animations.course.lecture import lectures
from animations.course.lecture_file import lecture_score
from animations.film.film import Film
from animations.score.score import Score


def scene_name(name: str) -> str:
    """The name of a lecture's scene: RingLecture."""
    return "".join(word.capitalize() for word in name.split("-")) + "Lecture"


def scene(name: str) -> type[Film]:
    """The scene class of a lecture; `__module__` is ours, or Manim does not find it."""

    def score(self: Film) -> Score:
        return lecture_score(name)

    text = f"Lecture {lectures()[name].number}: {lectures()[name].title['en']}."
    return type(
        scene_name(name), (Film,), {"score": score, "__doc__": text, "__module__": __name__}
    )


for _name in lectures():
    globals()[scene_name(_name)] = scene(_name)
