"""A lecture to read: one HTML page of pictures and sentences, players, questions and sources."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from html import escape
from typing import Any

from animations.course.examples import recording_of
from animations.course.lecture import PAGES, Lecture, Table
from animations.course.lecture_file import find_or_read
from animations.course.lecture_slides import LectureSlide, slides_of
from animations.drawing.render.vector import element
from animations.drawing.theme import LIGHT, THEMES, Theme
from animations.phrases import Phrases, phrases
from animations.player.deck import color_rules
from animations.player.pack.modules import joined
from animations.player.page import WEB, asset, digest, page
from animations.story.usual import usual_board
from collectives.catalog import find_row
from collectives.errors import BadInput
from collectives.exercises import LETTERS, Exercise

HEADED_TOP = 176  # pixels of a page that its heading takes
DIGESTS = re.compile(r"'sha256-[^']+'")
WORDS = "right", "wrong", "chosen"  # that its script says


def lecture_page(
    name: str | Lecture, language: str = "en", seed: int = 0, theme: Theme = LIGHT
) -> str:
    """A lecture as the text of an HTML page that needs nothing else.

    Each passage has its picture and its sentences; of a recording there is a player, which a
    sentence takes to its step. Questions lock what is answered. Raises BadInput for an unknown
    lecture, a bad file or a seed that is none.
    """
    lecture = find_or_read(name)
    say, players = phrases(language), list[str]()
    slides = slides_of(lecture, language, seed, theme)
    problems = [slide.problem for slide in slides if slide.problem]
    body = "".join(_passage(slide, players, theme, say) for slide in slides if not slide.asks)
    if problems:
        items = "".join(_exercise(problem, say) for problem in problems)
        head = f"<h2>{_say(say, 'exercises', 'handout')}</h2>"
        body += f"<section>{head}<ol class=exercises>{items}</ol></section>"
    body += f"<section>{_sources(lecture, say)}</section>"
    story = {
        "players": players,
        "answers": [*map(_answer, problems)],
        "words": {word: say.patterns[f"lecture_page.{word}"] for word in WORDS},
    }
    title = lecture.title.get(language, lecture.title["en"])
    head = f"<h1>{escape(title)}</h1>"
    if language in lecture.goal:
        head += f"<p class=goal>{_say(say, 'goal')} {escape(lecture.goal[language])}</p>"
    return _document(title, language, head + body, story, theme, players)


def _document(
    title: str, language: str, body: str, story: Any, theme: Theme, players: Sequence[str]
) -> str:
    """The page; its policy lets run what stands in it and in its players, and nothing be loaded."""
    style = asset("lecture_page.css") + color_rules(theme)
    script = joined(WEB, "entry/lecture_page.js")
    framed = dict.fromkeys(known for text in players for known in DIGESTS.findall(text[:2000]))
    allowed = " ".join(framed)
    policy = (
        f"default-src 'none'; script-src '{digest(script)}' {allowed}; "
        f"style-src '{digest(style)}' {allowed}; frame-src blob:; img-src data:; "
        "base-uri 'none'; form-action 'none'"
    )
    data = json.dumps(story, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width">'
        f'<title>{escape(title)}</title><link rel="icon" href="data:,">'
        f"<style>{style}</style></head><body><main>{body}</main>"
        f'<script type="application/json" id="story">{data}</script>'
        f'<script type="module">{script}</script></body></html>\n'
    )


def _passage(slide: LectureSlide, players: list[str], theme: Theme, say: Phrases) -> str:
    """A passage: its picture, or a player in its place; its sentences, or its options."""
    heading = escape(slide.heading)
    text = f"<h2>{heading}</h2>"
    if slide.options:
        options = "".join(f"<button>{escape(option)}</button>" for option in slide.options)
        lead = f"<legend>{_say(say, 'choose')}</legend>"
        return (
            f"<section>{text}<fieldset class=prediction>{lead}{options}"
            "<p role=status></p></fieldset></section>"
        )
    player = _player(slide.table, theme, say) if slide.runs else ""
    number = f" data-player={len(players)}" if player else ""
    players += [player] if player else []
    text += f"<figure{number}>{_picture(slide, heading)}</figure>"
    if not player:
        text += "".join(f"<p>{escape(build.said)}</p>" for build in slide.builds)
        return f"<section>{text}</section>"
    steps = "".join(
        f"<li><button data-step={build.step}>{escape(build.said)}</button></li>"
        for build in slide.builds
    )
    return f"<section>{text}<ol class=steps>{steps}</ol></section>"


def _picture(slide: LectureSlide, heading: str) -> str:
    """What the last sentence comes to, without a heading, which stands above it."""
    width, height = slide.size
    top = HEADED_TOP if slide.table["show"] in PAGES else 0
    shapes = "".join(map(element, slide.builds[-1].frames[-1]))
    look = f'viewBox="0 {top} {width:.0f} {height - top:.0f}" role=img aria-label="{heading}"'
    return f"<svg {look}>{shapes}</svg>"


def _player(table: Table, theme: Theme, say: Phrases) -> str:
    """The page of the player of a passage; nothing where it has more ranks than a page shows."""
    if table["show"] != "algorithm":
        return ""
    name = next(name for name, known in THEMES.items() if known == theme)
    try:
        recording = recording_of(table)
        board = usual_board(recording, stage=table.get("stage", ""), language=say.language)
        return page(board, name)
    except BadInput:
        return ""


def _exercise(problem: Exercise, say: Phrases) -> str:
    """An exercise that can be answered once."""
    text = f"<p>{escape(problem.title)}. {escape(problem.text)}</p>"
    if problem.material:
        text += f"<pre>{escape(chr(10).join(problem.material))}</pre>"
    if problem.value is not None:
        unit = escape(problem.unit)
        text += f"<label>{_say(say, 'answer', 'handout')}: <input inputmode=decimal> {unit}</label>"
    else:
        lettered = zip(LETTERS, problem.answers, strict=False)
        text += "".join(
            f"<label><input type=radio name=R> {letter}) {escape(offered.text)}</label>"
            for letter, offered in lettered
        )
    text += f"<button disabled>{_say(say, 'lock')}</button><p role=status></p>"
    return f"<li><form>{text}</form></li>"


def _answer(problem: Exercise) -> dict[str, Any]:
    """What is right, and what each answer shows."""
    rights = [number for number, offered in enumerate(problem.answers) if offered.right]
    return {
        "right": rights[0] if rights else -1,
        "value": problem.value,
        "exact": problem.exact,
        "feedback": [offered.feedback for offered in problem.answers],
        "solution": " ".join(problem.solution()),
    }


def _sources(lecture: Lecture, say: Phrases) -> str:
    """Where the numbers come from, and who described the algorithms."""
    numbers = "".join(
        f"<li><code>{escape(f'{name} = {expression}')}</code></li>"
        for name, expression in lecture.numbers.items()
    )
    sources = dict.fromkeys((*lecture.sources, *_of_algorithms(lecture)))
    text = ""
    if sources:
        items = "".join(f"<li>{escape(source)}</li>" for source in sources)
        text += f"<h2>{_say(say, 'sources')}</h2><ul>{items}</ul>"
    if numbers:
        text += f"<details><summary>{_say(say, 'numbers')}</summary><ul>{numbers}</ul></details>"
    return text


def _of_algorithms(lecture: Lecture) -> Iterator[str]:
    """The sources of the algorithms of the catalog that are shown."""
    for table in lecture.passages:
        for name in (*table.get("algorithms", ()), table.get("algorithm")):
            if name and "collective" in table:
                row = find_row(table["collective"], name)
                yield f"{row.title}: {row.source}"


def _say(say: Phrases, word: str, section: str = "lecture_page") -> str:
    return escape(say(f"{section}.{word}"))
