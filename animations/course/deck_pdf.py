"""A deck on paper: A4, a page for each slide, its picture above and the notes below."""

from __future__ import annotations

import io
from collections.abc import Sequence
from typing import Any

import cairo

from animations.course.lecture import Lecture
from animations.course.lecture_file import find_or_read
from animations.course.lecture_slides import Build, LectureSlide, slides_of
from animations.drawing.glyphs import text_width
from animations.drawing.render.outlines import look, outlines
from animations.drawing.render.painter import MITER
from animations.drawing.render.vector import paint
from animations.drawing.shapes import TextLine, in_lines
from animations.drawing.theme import LIGHT

WIDTH, HEIGHT = 595.28, 841.89  # points of A4
MARGIN, GAP = 45.0, 14.0
COLUMNS = 2  # of the pictures of a recording on a page
HEADING, SENTENCE, SMALL = 15.0, 12.0, 9.0  # points of letters
PITCH = 1.4  # of a line, in letters
FIRST = "2026-01-01T00:00:00"  # when every file was made, so that the same deck is the same bytes


class DeckPaper:
    """Pages that are written from above; what no longer fits begins the next one."""

    def __init__(self, title: str) -> None:
        self._file = io.BytesIO()
        self._surface = cairo.PDFSurface(self._file, WIDTH, HEIGHT)
        self._surface.set_metadata(cairo.PDF_METADATA_TITLE, title)
        self._surface.set_metadata(cairo.PDF_METADATA_CREATE_DATE, FIRST)
        self._context: Any = cairo.Context(self._surface)
        self._context.set_miter_limit(MITER)
        self._title, self._number, self.y = title, 0, HEIGHT

    def begin(self, heading: str = "") -> None:
        """Begin a page; with a heading it is listed in the contents of the file."""
        if self._number:
            self._surface.show_page()
        self._number, self.y = self._number + 1, MARGIN
        if heading:
            place = f"page={self._number} pos=[0 0]"
            self._surface.add_outline(0, heading, place, cairo.PDF_OUTLINE_FLAG_OPEN)
        foot = HEIGHT - 0.5 * MARGIN
        self._line(TextLine(self._title, MARGIN, foot, SMALL, LIGHT.faint))
        end = TextLine(str(self._number), WIDTH - MARGIN, foot, SMALL, LIGHT.faint, align="right")
        self._line(end)

    def picture(self, slide: LectureSlide, build: Build, left: float, width: float) -> float:
        """Draw where a sentence comes to, at the height where the page is; its height."""
        context, scale = self._context, width / slide.size[0]
        height = scale * slide.size[1]
        context.save()
        context.rectangle(left, self.y, width, height)
        context.clip_preserve()
        context.set_source_rgb(*look(LIGHT.background)[:3])
        context.fill_preserve()
        context.save()
        context.translate(left, self.y)
        context.scale(scale, scale)
        context.new_path()
        for outline in build.frames[-1]:
            paint(context, outline)
        context.restore()
        context.rectangle(left, self.y, width, height)
        context.set_source_rgb(*look(LIGHT.edge)[:3])
        context.set_line_width(0.8)
        context.stroke()
        context.restore()
        return height

    def text(
        self, text: str, size: float, color: str, left: float = MARGIN, right: float = MARGIN
    ) -> None:
        """Write a text in as many lines as it takes."""
        room = WIDTH - left - right
        for line in in_lines(text, lambda line: text_width(line, size) <= room):
            if self.y + PITCH * size > HEIGHT - MARGIN:
                self.begin()
            self._line(TextLine(line, left, self.y + size, size, color))
            self.y += PITCH * size

    def _line(self, line: TextLine) -> None:
        for outline in outlines([line]):
            paint(self._context, outline)

    def content(self) -> bytes:
        """The file."""
        self._surface.finish()
        return self._file.getvalue()


def deck_pdf(name: str | Lecture, language: str = "en", seed: int = 0) -> bytes:
    """A lecture as a PDF file of A4 pages: of each slide its picture and its notes.

    Of a recording there are pictures of all its sentences, as a storyboard. Pictures are vectors,
    and text can be selected. Raises BadInput for an unknown lecture, a bad file or a seed that is
    none.
    """
    lecture = find_or_read(name)
    paper = DeckPaper(f"{lecture.number} · {lecture.title.get(language, lecture.title['en'])}")
    for slide in slides_of(lecture, language, seed, LIGHT):
        if slide.runs and len(slide.builds) > 1:
            _storyboard(paper, slide)
        else:
            _slide(paper, slide)
    return paper.content()


def _slide(paper: DeckPaper, slide: LectureSlide) -> None:
    """The picture of the last sentence, of an exercise that of the question; then the notes."""
    paper.begin(slide.heading)
    picture = slide.builds[0 if slide.asks else -1]
    paper.y += paper.picture(slide, picture, MARGIN, WIDTH - 2 * MARGIN) + GAP
    for build in slide.builds:
        paper.text(build.said, SENTENCE, LIGHT.ink)
        paper.y += 0.4 * SENTENCE
    _hints(paper, slide.hints)


def _hints(paper: DeckPaper, hints: Sequence[str]) -> None:
    paper.y += 0.5 * GAP
    for hint in hints:
        paper.text(f"– {hint}", SMALL, LIGHT.faint)
        paper.y += 0.3 * SMALL


def _storyboard(paper: DeckPaper, slide: LectureSlide) -> None:
    """All sentences with their pictures, in rows."""
    paper.begin(slide.heading)
    paper.text(slide.heading, HEADING, LIGHT.ink)
    width = (WIDTH - 2 * MARGIN - GAP * (COLUMNS - 1)) / COLUMNS
    high = width * slide.size[1] / slide.size[0]
    for first in range(0, len(slide.builds), COLUMNS):
        if paper.y + high + 3 * PITCH * SMALL > HEIGHT - MARGIN:
            paper.begin()
        top = lowest = paper.y + 0.5 * GAP
        for column, build in enumerate(slide.builds[first : first + COLUMNS]):
            left = MARGIN + column * (width + GAP)
            paper.y = top
            paper.y += paper.picture(slide, build, left, width) + 3
            paper.text(build.said, SMALL, LIGHT.ink, left, WIDTH - left - width)
            lowest = max(lowest, paper.y)
        paper.y = lowest
    _hints(paper, slide.hints)
