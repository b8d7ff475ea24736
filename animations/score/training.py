"""The score of a training scheme: the clock of one timeline runs, then that of the other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from animations.score.pacing import spoken_seconds
from animations.score.score import Keyframe, Passage, Score, Shot
from animations.story.training import TrainingBeat, TrainingStory

RUN = 14.0  # seconds of film that the longer timeline takes
LEAST_SECONDS, START, END = 2.0, 3.0, 3.0  # seconds: of a sentence, more of both ends
STEP, REST = 1.2, 0.3  # seconds of a step within a network span


@dataclass(frozen=True)
class TrainingMoment:
    """The clock of a panel (0 or 1) goes from one time to another; the panel above has ended.

    beat: the number of the sentence; -1: before the first. keyframe: of the network span that is
    stepped through, if any.
    """

    panel: int
    since: float
    until: float
    beat: int
    keyframe: Keyframe | None = None

    def at(self, time: float) -> float:
        """The clock at a part of the shot, from 0 to 1."""
        return self.since + (self.until - self.since) * time


def training_score(story: TrainingStory) -> Score:
    """Both timelines at one speed, or as slowly as their sentences are spoken."""
    return Score(story.title, (Passage(story, tuple(_shots(story))),), story.language)


def _shots(story: TrainingStory) -> Iterator[Shot]:
    first = TrainingMoment(story.beats[0].panel, 0.0, 0.0, -1)
    yield Shot(first, START, f"{story.title}.", "title", story.title)
    panel = -1
    for number, beat in enumerate(story.beats):
        heading = story.headings[beat.panel] if beat.panel != panel else ""
        panel = beat.panel
        yield from _beat(story, beat, number, heading)
    last = TrainingMoment(1, story.beats[-1].until, story.beats[-1].until, len(story.beats) - 1)
    yield Shot(last, END, story.beats[-1].said, "end")


def _beat(story: TrainingStory, beat: TrainingBeat, number: int, heading: str) -> Iterator[Shot]:
    """The clock runs up to the span that is stepped into, through its steps, then rests."""
    speed = RUN / story.seconds
    section, left = f"{beat.panel + 1}.{number}", max(LEAST_SECONDS, spoken_seconds(beat.said))
    since, until = beat.since, beat.bar.start if beat.bar else beat.until
    if until > since:
        run = TrainingMoment(beat.panel, since, until, number)
        took = max(speed * (until - since), left * (beat.bar is None))
        yield Shot(run, took, beat.said, section, heading, travels=True)
        left, section, heading = left - took, "", ""
    if beat.bar and beat.bar.timing:
        timing = beat.bar.timing
        start = TrainingMoment(beat.panel, beat.bar.start, beat.bar.start, number, Keyframe(0))
        times = list(zip(timing.step_start.tolist(), timing.step_end.tolist(), strict=True))
        left -= len(times) * (STEP + REST)  # the steps begin while the sentence is spoken
        yield Shot(start, max(REST, left), beat.said, section, heading)
        for step, times_of_step in enumerate(times, 1):
            begin, end = (beat.bar.start + time for time in times_of_step)
            way = TrainingMoment(beat.panel, begin, end, number, Keyframe(step, landed=False))
            yield Shot(way, STEP, beat.said, travels=True)
            landed = TrainingMoment(beat.panel, end, end, number, Keyframe(step))
            yield Shot(landed, REST, beat.said)
        left = LEAST_SECONDS / 2
    if left > 0:
        rest = TrainingMoment(beat.panel, beat.until, beat.until, number)
        yield Shot(rest, left, beat.said, section, heading)
