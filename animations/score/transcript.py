"""A score as text: a transcript with a picture for each chapter, and a script for a speaker."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from animations.phrases import phrases
from animations.score.pacing import words
from animations.score.score import Keyframe, Passage, Score, Shot, TextCard, gives_way
from animations.story.storyboard import Storyboard


@dataclass(frozen=True)
class Spoken:
    """A sentence with its chapter, from `start` to `end` in seconds; what is seen at its end."""

    said: str
    chapter: str
    start: float
    end: float
    passage: Passage
    shot: Shot

    @property
    def seen(self) -> str:
        """What the picture shows, in words."""
        subject, moment = self.passage.shown, self.shot.moment
        if isinstance(subject, TextCard):
            return subject.board.title
        if isinstance(subject, Storyboard) and isinstance(moment, Keyframe):
            return subject.captions[moment.step]
        return str(getattr(subject, "heading", "") or getattr(subject, "title", ""))

    @property
    def alt(self) -> str:
        """The same for readers who do not see it."""
        subject = self.passage.shown
        if isinstance(subject, TextCard):
            return f"{subject.board.title}. {subject.board.promise}. {subject.board.subtitle}."
        if isinstance(subject, Storyboard):
            return f"{subject.title}, {subject.subtitle}. {self.seen}."
        return self.seen


def sentences(score: Score) -> list[Spoken]:
    """All sentences in order, and the silences between them; a chapter begins one anew."""
    merged: list[Spoken] = []
    start, chapter = 0.0, ""
    for passage, shot in score:
        end, chapter = start + shot.seconds, shot.chapter or chapter
        last = merged[-1] if merged else None
        if last and last.said == shot.said and not shot.chapter:
            seen = last.shot if gives_way(shot) else shot
            merged[-1] = replace(last, end=end, passage=passage, shot=seen)
        else:
            merged.append(Spoken(shot.said, chapter, start, end, passage, shot))
        start = end
    return merged


def chapters(score: Score) -> list[list[Spoken]]:
    """The sentences of each chapter; of a film without chapters all of them."""
    return [list(part) for _, part in groupby(sentences(score), lambda part: part.chapter)]


def transcript(score: Score, stills: Sequence[str]) -> str:
    """The transcript in Markdown; stills: the file of each chapter's picture."""
    blocks = [f"# {score.title}"]
    for spoken, file in zip(chapters(score), stills, strict=True):
        name = spoken[0].chapter or score.title
        blocks.append(f"## {minutes(spoken[0].start)} {name}")
        blocks.append(f"![{_plain(spoken[-1].alt)}](<{file}>)")
        blocks += [part.said for part in spoken if part.said]
    return "\n\n".join(blocks) + "\n"


def slides_transcript(
    title: str, slides: Sequence[tuple[str, str, Sequence[str]]], stills: Sequence[str]
) -> str:
    """The transcript of slides: of each its heading, what its still shows, and what is said."""
    blocks = [f"# {title}"]
    for number, ((heading, alt, lines), file) in enumerate(zip(slides, stills, strict=True), 1):
        blocks += [f"## {number}. {heading}", f"![{_plain(alt)}](<{file}>)", *lines]
    return "\n\n".join(blocks) + "\n"


def script(score: Score) -> str:
    """The script for a speaker in Markdown: when, what is seen, what is said, how fast."""
    say, every = phrases(score.language), sentences(score)
    spoken = sum(words(part.said) for part in every)
    pace = round(spoken * 60 / score.seconds) if score.seconds else 0
    facts = {"time": minutes(score.seconds), "words": spoken, "pace": pace}
    rows = [say("script.head"), "| --- | --- | --- | --- |"]
    for part in every:
        lasts = part.end - part.start
        speed = f"{words(part.said) * 60 / lasts:.0f}" if part.said and lasts else ""
        cells = (minutes(part.start), _plain(part.seen), part.said or say("script.silence"), speed)
        rows.append(f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |")
    table = "\n".join(rows)
    return f"# {score.title}\n\n{say('script.facts', **facts)}\n\n{table}\n"


def minutes(seconds: float) -> str:
    """A time in minutes and seconds, of which the fraction is left out.

    >>> minutes(62.9)
    '1:02'
    """
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def _plain(text: str) -> str:
    """A text that stands within Markdown's brackets."""
    return text.replace("[", "(").replace("]", ")").replace("..", ".")
