"""A lecture on paper: pictures of its passages, sentences with gaps, exercises, their key."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from PIL import Image

from animations.course.lecture import PAGES, Lecture, Table, Writer
from animations.course.lecture_file import find_or_read
from animations.course.parts import Quantity, quantities
from animations.drawing.theme import LIGHT
from animations.phrases import Phrases, phrases
from animations.pictures.scene import scene_of, still
from animations.score.score import Passage, Shot
from animations.story.comparison import DrawnComparison
from animations.story.storyboard import Storyboard
from animations.story.timed_board import TimedBoard
from animations.story.training import TrainingStory
from collectives.exercises import Exercise, exercise
from collectives.progress import counted
from collectives.values import whole

SIZE = (1280, 720)  # of a picture
COLORS = 64
MOST_SENTENCES = 4  # of a film in a lecture
GAP = re.compile("\ue000(.*?)\ue001")  # signs of no text, around a number to fill in
MOST_SEED = 2**53

STYLE = """
@page { size: A4; margin: 16mm }
body { font: 11pt/1.45 system-ui, sans-serif; color: #1a1a1a; background: #fff; margin: 0 auto;
  max-width: 178mm; padding: 4mm }
h1 { font-size: 20pt; margin: 0 0 2mm } h2 { font-size: 13pt; margin: 0 0 2mm }
section { break-inside: avoid; margin: 0 0 7mm } p { margin: 0 0 2mm }
.part { display: grid; grid-template-columns: 84mm 1fr; gap: 5mm } .part h2 { grid-column: 1 / -1 }
img { width: 100%; border: .3mm solid #bbb } ol { padding-left: 6mm } li { margin: 0 0 4mm }
.gap { display: inline-block; min-width: 18mm; border-bottom: .3mm solid #1a1a1a }
pre { font: 8.5pt/1.4 ui-monospace, monospace; white-space: pre-wrap; margin: 1mm 0 2mm }
.answers { list-style: upper-alpha; padding-left: 7mm } .answers li { margin: 0 }
.key { break-before: page } .small { font-size: 9pt; color: #444 }
@media (max-width: 700px) { .part { display: block } }
"""


@dataclass(frozen=True)
class Gap(Quantity):
    """A computed number of a sentence that is to be filled in."""

    def __format__(self, kind: str) -> str:
        """The number between the signs of a gap."""
        return f"\ue000{super().__format__(kind)}\ue001"


@dataclass(frozen=True)
class HandoutPart:
    """A passage on paper: its heading, its picture as PNG, what stands there and its sentences."""

    heading: str
    picture: bytes
    shows: str
    sentences: tuple[str, ...]


def handout(name: str | Lecture, language: str = "en", seed: int = 0) -> str:
    """A lecture as an HTML page to print on A4: pictures, sentences with gaps, exercises, key.

    Raises BadInput for an unknown lecture or a bad file, or a seed that is none.
    """
    lecture = find_or_read(name)
    seed = whole("seed", seed, 0, MOST_SEED)
    parts, say = list(parts_of(lecture, language)), phrases(language)
    problems = exercises_of(lecture, seed) if language == "en" else []
    title = escape(lecture.title.get(language, lecture.title["en"]))
    number = say("handout.seed", number=lecture.number, seed=seed)
    first = f"<h1>{title}</h1><p class=small>{escape(number)}. {say('handout.fill')}</p>"
    body = [first, *map(_part, parts)]
    if problems:
        answer = say("handout.answer")
        items = "".join(f"<li>{_problem(problem, answer)}</li>" for problem in problems)
        body.append(f"<h2>{say('handout.exercises')}</h2><ol>{items}</ol>")
    body.append(_key(parts, problems, say))
    head = f"<meta charset=utf-8><title>{title}</title><style>{STYLE}</style>"
    head += "<meta name=viewport content='width=device-width'>"
    inner = f"<head>{head}</head><body>{''.join(body)}</body>"
    return f"<!doctype html><html lang={language}>{inner}</html>\n"


def exercises_of(lecture: Lecture, seed: int = 0) -> list[Exercise]:
    """The exercises that a lecture names, each with the next seed."""
    named = enumerate(lecture.exercises)
    return [exercise(topic, kind, seed + number) for number, (topic, kind) in named]


def parts_of(lecture: Lecture, language: str) -> Iterator[HandoutPart]:
    """The passages of a lecture on paper."""
    for _, parts in parts_by_passage(lecture, language):
        yield from parts


def parts_by_passage(
    lecture: Lecture, language: str
) -> Iterator[tuple[Table, Sequence[HandoutPart]]]:
    """Each passage of a lecture's file, and what it is on paper."""
    numbers = quantities(lecture.numbers)
    gaps = {key: Gap(number.value) for key, number in numbers.items()}
    writer, marked = Writer(lecture, language, numbers), Writer(lecture, language, gaps)
    tables = lecture.passages
    for table in counted(tables, f"drawing lecture {lecture.name}", len(tables), "passages"):
        if table["show"] in PAGES:
            yield table, (_page(writer, marked, table),)
        else:
            yield table, tuple(_film(writer, table))


def _page(writer: Writer, marked: Writer, table: Table) -> HandoutPart:
    """A page with all its items; the sentences with gaps."""
    page = PAGES[table["show"]](writer, table)
    shot = Shot((page.items, False), 1, "")
    sentences = tuple(marked.text(line) for line in table["say"])
    heading = writer.text(table["heading"])
    return HandoutPart(heading, _png(Passage(page, (shot,)), shot, 1), heading, sentences)


def _film(writer: Writer, table: Table) -> Iterator[HandoutPart]:
    """The film of an algorithm, a clock or a comparison: a moment in the middle, few sentences."""
    for passage in writer.passages_of(table):
        moving = [shot for shot in passage.shots if shot.travels] or list(passage.shots)
        shot = moving[len(moving) // 2]
        spoken = tuple(dict.fromkeys(each.said for each in passage.shots if each.said))
        if not spoken:
            continue
        picture, shows = _png(passage, shot, 0.5), shot.said or spoken[0]
        sentences = spoken if table.get("say") else spoken[:MOST_SENTENCES]
        yield HandoutPart(title_of(passage), picture, shows, sentences)


def title_of(passage: Passage) -> str:
    """What the film of a passage is of."""
    shown = passage.shown
    if isinstance(shown, TimedBoard):
        return shown.board.title
    if isinstance(shown, Storyboard | DrawnComparison | TrainingStory):
        return shown.title
    return next((shot.chapter for shot in passage.shots if shot.chapter), "")


def _png(passage: Passage, shot: Shot, time: float) -> bytes:
    """A moment of a passage as a small PNG file, on white."""
    pixels = Image.fromarray(still(scene_of(passage, LIGHT), shot, time, SIZE))
    file = io.BytesIO()
    pixels.quantize(COLORS).save(file, "PNG", optimize=True)
    return file.getvalue()


def _part(part: HandoutPart) -> str:
    """A passage as HTML."""
    data = base64.b64encode(part.picture).decode()
    gap = "<span class=gap>&nbsp;</span>"
    text = "".join(f"<p>{GAP.sub(gap, escape(sentence))}</p>" for sentence in part.sentences)
    heading = f"<h2>{escape(part.heading)}</h2>" if part.heading else ""
    picture = f"<img alt='{escape(part.shows, quote=True)}' src='data:image/png;base64,{data}'>"
    return f"<section class=part>{heading}{picture}<div>{text}</div></section>"


def without_gaps(sentence: str) -> str:
    """A sentence with the numbers in its gaps."""
    return GAP.sub(r"\1", sentence)


def _problem(problem: Exercise, answer: str) -> str:
    """An exercise as HTML, without its answer."""
    text = f"<p>{escape(problem.title)}. {escape(problem.text)}</p>"
    if problem.material:
        text += f"<pre>{escape(chr(10).join(problem.material))}</pre>"
    if problem.value is not None:
        return f"{text}<p>{answer}: <span class=gap>&nbsp;</span> {escape(problem.unit)}</p>"
    items = "".join(f"<li>{escape(offered.text)}</li>" for offered in problem.answers)
    return f"{text}<ol class=answers>{items}</ol>"


def _key(parts: Sequence[HandoutPart], problems: Sequence[Exercise], say: Phrases) -> str:
    """The numbers of the gaps in their order, and the right answers with why."""
    rows = [
        f"<li>{escape(part.heading)}: {escape(', '.join(numbers))}</li>"
        for part in parts
        if (numbers := [number for text in part.sentences for number in GAP.findall(text)])
    ]
    text = f"<h2>{say('handout.key')}</h2><p>{say('handout.numbers')}:</p><ul>{''.join(rows)}</ul>"
    if problems:
        items = "".join(f"<li>{escape(' '.join(each.solution()))}</li>" for each in problems)
        text += f"<ol>{items}</ol>"
    return f"<section class=key>{text}</section>"
