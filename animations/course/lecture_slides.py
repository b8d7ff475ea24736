"""A lecture as slides: pictures as outlines, a sentence for each, and notes for who speaks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby

from animations.course.exercise_page import ExercisePage
from animations.course.guide import numbers_said, stops_at
from animations.course.handout import MOST_SEED, exercises_of, title_of
from animations.course.headed import BOTTOM, Headed
from animations.course.lecture import Lecture, Table, Writer
from animations.course.parts import quantities
from animations.drawing.render.outlines import Outline
from animations.drawing.theme import LIGHT, Theme
from animations.phrases import Phrases, phrases
from animations.pictures.scene import Scene, drawn, scene_of
from animations.score.score import Keyframe, Passage, Shot
from animations.story.storyboard import Storyboard
from animations.story.timed_board import TimedBoard
from animations.story.training import TrainingStory
from collectives.exercises import LETTERS, Exercise
from collectives.progress import counted
from collectives.values import whole

SESSION = 45 * 60  # seconds on stage, of which each slide has its share
BELOW = 20.0  # pixels below what stands on a page
FRAMES, MOST_FRAMES, FEWEST_FRAMES = 8, 24, 2  # of a shot that moves; of all of a sentence
ASKED = 90.0  # seconds for an exercise
Picture = tuple[Outline, ...]


@dataclass(frozen=True)
class Build:
    """A sentence of a slide and its picture; frames: what leads to it, and last what stays.

    step: of a recording, that is shown with it.
    """

    said: str
    frames: tuple[Picture, ...]
    step: int = 0


@dataclass(frozen=True)
class LectureSlide:
    """A slide: builds come one after the other as keys are pressed.

    size: width and height of its pictures in pixels. says: whether the sentence stands below the
    picture, because that does not say it. seconds: planned for it. hints: for who speaks, beside
    the sentences. runs: whether its builds are steps of a recording. table: the passage it is
    made from. options: those of a passage that asks. problem: the exercise that it is, whose last
    build is the answer.
    """

    heading: str
    size: tuple[float, float]
    builds: tuple[Build, ...]
    seconds: float
    says: bool = True
    hints: tuple[str, ...] = ()
    runs: bool = False
    table: Table = field(default_factory=dict)
    options: tuple[str, ...] = ()
    problem: Exercise | None = None

    @property
    def asks(self) -> bool:
        """Whether it is an exercise."""
        return self.problem is not None


def slides_of(
    lecture: Lecture, language: str = "en", seed: int = 0, theme: Theme = LIGHT
) -> tuple[LectureSlide, ...]:
    """A slide for each passage of a lecture, and one for each exercise, as long as a session.

    Exercises are in English and stand on slides in English only. Raises BadInput for a seed that
    is none.
    """
    seed = whole("seed", seed, 0, MOST_SEED)
    exercises = [*_exercises(lecture, seed, theme)] if language == "en" else []
    slides = [*_passages(lecture, language, theme)]
    left = SESSION - ASKED * len(exercises)
    pace = max(1.0, left / sum(slide.seconds for slide in slides))
    return *(replace(slide, seconds=pace * slide.seconds) for slide in slides), *exercises


def _passages(lecture: Lecture, language: str, theme: Theme) -> Iterator[LectureSlide]:
    writer = Writer(lecture, language, quantities(lecture.numbers))
    tables, name = lecture.passages, f"drawing lecture {lecture.name}"
    for table in counted(tables, name, len(tables), "passages"):
        hints = numbers_said(lecture, table)
        for passage in writer.passages_of(table):
            heading = writer.text(table["heading"]) if "heading" in table else title_of(passage)
            slide = _slide(passage, heading, hints, writer, theme)
            yield replace(slide, table=table, options=_options(writer, table))


def _options(writer: Writer, table: Table) -> tuple[str, ...]:
    asks = table["show"] == "question"
    return tuple(writer.text(line) for line in writer.items(table, "line")) if asks else ()


def _slide(
    passage: Passage, heading: str, hints: Sequence[str], writer: Writer, theme: Theme
) -> LectureSlide:
    shown, scene = passage.shown, scene_of(passage, theme)
    width, height = float(scene.sheet.width), float(scene.sheet.height)
    headed = isinstance(shown, Headed)
    builds = tuple(
        Build(shots[0].said, tuple(_frames(scene, shots)), _step(shots[-1]))
        for shots in _by_sentence(passage.shots)
    )
    say = phrases(writer.language)
    stops = [say("deck.stop", question=build.said) for build in builds if stops_at(build.said)]
    return LectureSlide(
        heading,
        (width, _lowest(builds) if headed else height),
        builds,
        sum(shot.seconds for shot in passage.shots),
        headed or isinstance(shown, TimedBoard),
        (*stops, *hints),
        isinstance(shown, Storyboard | TimedBoard | TrainingStory),
    )


def _step(shot: Shot) -> int:
    return shot.moment.step if isinstance(shot.moment, Keyframe) else 0


def _by_sentence(shots: Sequence[Shot]) -> list[list[Shot]]:
    """The shots of each sentence, with those after it in which nothing is said."""
    runs: list[list[Shot]] = []
    for said, alike in groupby(shots, lambda shot: shot.said):
        if said or not runs:
            runs.append([*alike])
        else:
            runs[-1] += alike
    return runs


def _lowest(builds: Sequence[Build]) -> float:
    """The height of a page of which the lower end may be empty, as a sentence stands below it."""
    pictures = (frame for build in builds for frame in build.frames)
    points = [outline.points for picture in pictures for outline in picture]
    return max(BOTTOM, *(float(part[:, 1].max()) for part in points if len(part))) + BELOW


def _frames(scene: Scene, shots: Sequence[Shot]) -> Iterator[Picture]:
    """What moves while a sentence is said, in few frames, and what it comes to."""
    moving = [shot for shot in shots if shot.travels and scene.travels(shot.moment)]
    frames = min(FRAMES, max(FEWEST_FRAMES, MOST_FRAMES // max(1, len(moving))))
    for shot in shots:
        scene.show(_still_camera(shot).moment)
        if shot in moving:
            for frame in range(frames):
                scene.travel((frame + 1) / frames)
                yield tuple(drawn(scene))
        elif shot is shots[-1]:
            yield tuple(drawn(scene))


def _still_camera(shot: Shot) -> Shot:
    """The shot with a camera that stands where it comes to."""
    if not isinstance(shot.moment, Keyframe):
        return shot
    last = shot.moment.camera[1]
    return replace(shot, moment=replace(shot.moment, camera=(last, last)))


def _exercises(lecture: Lecture, seed: int, theme: Theme) -> Iterator[LectureSlide]:
    say = phrases("en")
    problems = exercises_of(lecture, seed)
    for number, problem in enumerate(problems, 1):
        heading = say("deck.exercise", number=number, total=len(problems), title=problem.title)
        page = ExercisePage(heading, say("handout.seed", number=lecture.number, seed=seed))
        page = replace(page, problem=problem)
        shots = tuple(Shot((item, False), ASKED / 2, "") for item in (0, 1))
        scene = scene_of(Passage(page, shots), theme)
        builds = []
        texts = say("deck.choose"), " ".join(problem.solution())
        for shot, said in zip(shots, texts, strict=True):
            builds.append(Build(said, tuple(_frames(scene, [shot]))))
        size = (float(page.sheet.width), _lowest(builds))
        hints = tuple(_feedback(problem, say))
        yield LectureSlide(heading, size, tuple(builds), ASKED, hints=hints, problem=problem)


def _feedback(problem: Exercise, say: Phrases) -> Iterator[str]:
    """What each wrong answer shows."""
    for letter, offered in zip(LETTERS, problem.answers, strict=False):
        if offered.feedback:
            yield say("deck.shows", answer=letter, feedback=offered.feedback)
