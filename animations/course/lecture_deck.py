"""A lecture as a deck: one HTML file with slides, and a window with notes for who speaks."""

from __future__ import annotations

import html
import json
from string import Template
from typing import Any

from animations.course.lecture import Lecture
from animations.course.lecture_file import find_or_read
from animations.course.lecture_slides import LectureSlide, slides_of
from animations.drawing.render.outlines import Outline
from animations.drawing.render.vector import element
from animations.drawing.theme import LIGHT, Theme
from animations.phrases import Phrases, phrases
from animations.player.deck import color_rules, controls
from animations.player.pack.modules import joined, packed
from animations.player.page import WEB, asset, digest

KEYS = {
    "next": "Space → PageDown",
    "back": "← PageUp",
    "slides": "↓ ↑",
    "ends": "Home End",
    "jump": "7 Enter",
    "again": "R",
    "presenter": "S",
    "restart": "T",
    "blank": "B",
    "fullscreen": "F",
    "help": "?",
}
WORDS = "planned", "behind", "presenter"  # that its script says


def deck(name: str | Lecture, language: str = "en", seed: int = 0, theme: Theme = LIGHT) -> str:
    """A lecture as a deck, the text of an HTML file that needs nothing else.

    A slide for each passage and each exercise; a key brings the next sentence with its picture,
    and last the answer of an exercise. Raises BadInput for an unknown lecture, a bad file or a seed
    that is none.
    """
    lecture = find_or_read(name)
    slides = slides_of(lecture, language, seed, theme)
    say = phrases(language)
    style = asset("slides.css") + asset("lecture_deck.css") + color_rules(theme)
    script = joined(WEB, "entry/lecture_deck.js")
    policy = (
        f"default-src 'none'; script-src '{digest(script)}'; style-src '{digest(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    return Template(asset("lecture_deck.html")).substitute(
        language=language,
        policy=policy,
        title=html.escape(lecture.title.get(language, lecture.title["en"])),
        style=style,
        script=script,
        slides="\n".join(map(_text, slides)),
        story=packed(json.dumps(_story(slides, say), separators=(",", ":")).encode()),
        coming=html.escape(say("deck.coming")),
        present=html.escape(say("deck.presenter")),
        **controls(say, KEYS),
    )


def _text(slide: LectureSlide) -> str:
    """A slide as text, for a reader without scripts and on paper."""
    sentences = "".join(f"<p>{html.escape(build.said)}</p>" for build in slide.builds)
    return f"<li><h2>{html.escape(slide.heading)}</h2>{sentences}</li>"


def _story(slides: tuple[LectureSlide, ...], say: Phrases) -> dict[str, Any]:
    """The slides as values of JSON; pictures are numbers of elements, each there once."""
    numbers: dict[str, int] = {}
    known: dict[int, tuple[Outline, int]] = {}  # an outline is kept, so that its id stays its own

    def number(outline: Outline) -> int:
        if id(outline) not in known:
            text = element(outline)
            known[id(outline)] = outline, numbers.setdefault(text, len(numbers))
        return known[id(outline)][1]

    listed = [
        {
            "heading": slide.heading,
            "size": [round(side) for side in slide.size],
            "says": slide.says,
            "seconds": round(slide.seconds, 1),
            "hints": slide.hints,
            "builds": [
                {"said": build.said, "frames": [[*map(number, frame)] for frame in build.frames]}
                for build in slide.builds
            ],
        }
        for slide in slides
    ]
    words = {key: say.patterns[f"deck.{key}"] for key in WORDS}
    return {"elements": [*numbers], "slides": listed, "words": words}
