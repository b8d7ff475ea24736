"""A deck of slides as an HTML file beside their clips and stills, which needs no network."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import Template

from animations.drawing.theme import Theme
from animations.phrases import Phrases, phrases
from animations.player.pack.modules import joined
from animations.player.page import WEB, asset, digest

NAME = re.compile(r'<li id="\d+" data-name="([^"]+)"')
COLORS = ("background", "panel", "edge", "ink", "faint", "now")
KEYS = {
    "next": "Space → PageDown",
    "back": "← PageUp",
    "ends": "Home End",
    "jump": "7 Enter",
    "again": "R",
    "note": "N",
    "blank": "B",
    "fullscreen": "F",
    "help": "?",
}


@dataclass(frozen=True)
class Slide:
    """A clip NAME.mp4 that ends in NAME.png: its heading, what its end shows, what is said."""

    name: str
    heading: str
    alt: str
    said: tuple[str, ...]


def deck(
    title: str,
    slides: Sequence[Slide],
    size: tuple[int, int],
    theme: Theme,
    language: str,
    voiced: bool = False,
) -> str:
    """The page; without JavaScript, and on paper, a list of the stills with their words.

    voiced: the clips have sound, which a browser may hold back until a key is pressed. Its
    policy lets nothing be loaded but clips and stills.
    """
    say = phrases(language)
    style = asset("slides.css") + asset("deck.css") + color_rules(theme)
    script = joined(WEB, "deck.js")
    policy = (
        f"default-src 'none'; script-src '{digest(script)}'; style-src '{digest(style)}'; "
        "img-src 'self' file: data:; media-src 'self' file:; base-uri 'none'; form-action 'none'"
    )
    return Template(asset("deck.html")).substitute(
        language=language,
        policy=policy,
        title=html.escape(title),
        muted="" if voiced else "muted ",
        style=style,
        script=script,
        slides="\n".join(_item(number, slide, size) for number, slide in enumerate(slides, 1)),
        of=html.escape(say("deck.of", number="{number}", total=len(slides))),
        **controls(say, KEYS),
    )


def controls(say: Phrases, keys: Mapping[str, str]) -> dict[str, str]:
    """The words of a deck's buttons, and the list of its keys, by their names in the template."""
    listed = "".join(
        f"<dt>{key}</dt><dd>{html.escape(say(f'deck.{name}'))}</dd>" for name, key in keys.items()
    )
    words = {name: html.escape(say(f"deck.{name}")) for name in ("next", "back")}
    return {**words, "help": listed}


def is_deck(text: str) -> set[str]:
    """The names of the slides of a deck; none of another page."""
    return set(NAME.findall(text)) if 'name="generator" content="collectives"' in text else set()


def _item(number: int, slide: Slide, size: tuple[int, int]) -> str:
    name, heading, alt = (html.escape(text) for text in (slide.name, slide.heading, slide.alt))
    text = " ".join(slide.said)
    width, height = size
    return (
        f'<li id="{number}" data-name="{name}"><h2>{heading}</h2>'
        f'<img src="{name}.png" width="{width}" height="{height}" loading="lazy" alt="{alt}">'
        f"<p>{html.escape(text)}</p></li>"
    )


def color_rules(theme: Theme) -> str:
    """Its colors as custom properties."""
    rules = "".join(f"--{name}:{getattr(theme, name)};" for name in COLORS)
    return f":root{{{rules}}}\n"
