"""A score: the shots of a film in order, in passages that each show one thing."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from animations.drawing.drawing import Page
from animations.drawing.sheet import Sheet
from animations.story.comparison import DrawnComparison
from animations.story.storyboard import Storyboard
from animations.story.timed_board import TimedBoard
from animations.story.training import TrainingStory
from animations.whys.why import Why

WhyMoment = tuple[Why, Hashable]
Nodes = tuple[int, ...]  # that a camera looks at; none: at all of the stage
BECOMES_STAGE = 1.0, 2.0  # the moment of a title card whose cards go to where the stage has them
AWAY: Nodes = (-2,)  # the stage has given way to a page


class Play(Enum):
    """What moves on the stage in a keyframe, beside data on its way.

    LANDED: what its step wrote glows at once. WAVE: the same,
    or at the end all that is promised, node by node. AHEAD: dots run along the ways of steps.
    """

    NOTHING = ""
    LANDED = "landed"
    WAVE = "wave"
    AHEAD = "ahead"


@dataclass(frozen=True)
class Keyframe:
    """A state of a storyboard: step `step` (0: the start) is under way, or has `landed`.

    named: whether the data that is followed bears its name on its way; with AHEAD only it runs,
    with WAVE only what is marked from start to end glows, where it is.
    line: what stands below the headline; by default the comment of the step. revealed: how much of
    a mistake that is still untold is drawn: its outlines, so many arrows of a deadlock. part: from
    where to where of its way data travels in it. ahead: the steps, from the first to before the
    last, counted from 0, that are run through, if it plays that. camera: the nodes that are looked
    at when it begins, and those after `zooms` of its time; by default all of the stage. alone:
    whether all is pale but what is followed, and the two nodes between which it goes.
    """

    step: int
    landed: bool = True
    named: bool = False
    line: str = ""
    revealed: int = 0
    part: tuple[float, float] = (0.0, 1.0)
    play: Play = Play.NOTHING
    ahead: tuple[int, int] = (0, 0)
    camera: tuple[Nodes, Nodes] = ((), ())
    zooms: float = 0.5
    alone: bool = False

    @property
    def done(self) -> int:
        """Steps whose result is drawn."""
        return self.step if self.landed else self.step - 1


@dataclass(frozen=True)
class Shot:
    """A moment shown for some seconds; what is under way there moves on where it `travels`.

    moment: what the passage's scene shows, such as a keyframe. said: the sentence that is spoken,
    and the subtitle, from here on. section, chapter: the names of those that begin here, if any.
    """

    moment: Hashable
    seconds: float
    said: str
    section: str = ""
    chapter: str = ""
    travels: bool = False


def with_sentence(shot: Shot) -> Shot:
    """A shot whose picture has its sentence below the stage, if its moment has a line there."""
    moment: Any = shot.moment
    return (
        replace(shot, moment=replace(moment, line=shot.said)) if hasattr(moment, "line") else shot
    )


def gives_way(shot: Shot) -> bool:
    """Whether the stage gives way to a page in it."""
    return isinstance(shot.moment, Keyframe) and shot.moment.camera[1] == AWAY


@dataclass(frozen=True)
class TextCard:
    """The title of a storyboard, with what there is before and after."""

    board: Storyboard

    @property
    def sheet(self) -> Sheet:
        """The page it is drawn on."""
        return self.board.sheet


@dataclass(frozen=True)
class Passage:
    """Shots in a row of the one thing that is shown, such as a storyboard or a card.

    beside: of a stage, the moments of whys from which it comes back and to which it gives way.
    """

    shown: Storyboard | TimedBoard | DrawnComparison | TextCard | Page | TrainingStory
    shots: tuple[Shot, ...]
    beside: tuple[WhyMoment | None, WhyMoment | None] = (None, None)

    @property
    def runs(self) -> bool:
        """Whether it shows the steps themselves: it is neither a card nor a why."""
        return not isinstance(self.shown, TextCard | Why)


def beside_whys(passages: Sequence[Passage]) -> Iterator[Passage]:
    """Passages, of which stages know the whys from which they come and to which they give way."""
    befores, afters = [None, *passages[:-1]], [*passages[1:], None]
    for before, passage, after in zip(befores, passages, afters, strict=True):
        ends: list[WhyMoment | None] = [None, None]
        if isinstance(passage.shown, Storyboard):
            for place, (why, shot) in enumerate(((before, -1), (after, 0))):
                if why and isinstance(why.shown, Why):
                    ends[place] = why.shown, why.shots[shot].moment
        yield replace(passage, beside=(ends[0], ends[1]))


@dataclass(frozen=True)
class Score:
    """All passages of a film; `title` is that of the file, `language` that of its sentences.

    voice: the file of the sound of who speaks them, if there is one.
    """

    title: str
    passages: tuple[Passage, ...]
    language: str = "en"
    voice: str = ""

    @property
    def sheet(self) -> Sheet:
        """The page of every passage."""
        return self.passages[0].shown.sheet

    @property
    def seconds(self) -> float:
        """How long the film is."""
        return sum(shot.seconds for _, shot in self)

    @property
    def result(self) -> tuple[Passage, Shot]:
        """The last shot of the steps, with its passage."""
        return [each for each in self if each[0].runs][-1]

    def __iter__(self) -> Iterator[tuple[Passage, Shot]]:
        """Every shot with its passage, in order."""
        for passage in self.passages:
            for shot in passage.shots:
                yield passage, shot
