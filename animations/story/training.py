"""The story of a training scheme: its two timelines, and what is said until when."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from animations.drawing.sheet import PAGE, Sheet
from animations.phrases import read
from collectives.choices import LANGUAGES
from collectives.training.pairs import TrainingPair
from collectives.training.timeline import Span, Timeline
from collectives.units import number_text, rate_text, size_text, time_text
from collectives.values import one_of
from collectives.words import percent

DIGITS = 3


@dataclass(frozen=True, eq=False)
class TrainingBeat:
    """The clock of a timeline runs from a moment to another while a sentence is said.

    bar: a network span that is stepped through meanwhile, if any.
    """

    panel: int
    since: float
    until: float
    said: str
    bar: Span | None = None


@dataclass(frozen=True, eq=False)
class TrainingStory:
    """What a film of a training scheme shows: two timelines, one below the other, on one scale."""

    pair: TrainingPair
    title: str
    subtitle: str
    headings: tuple[str, ...]
    beats: tuple[TrainingBeat, ...]
    language: str = "en"
    sheet: Sheet = PAGE

    @property
    def seconds(self) -> float:
        """Of the longer timeline."""
        return max(line.total for line in self.pair.timelines)

    def word(self, name: str, **fields: object) -> str:
        """One of the words of a picture, with its fields."""
        return str(texts(self.language)["words"][name].format(**fields))

    def named(self, table: str, name: str) -> str:
        """What something is called: a kind, a collective, a label, something that is held."""
        return str(texts(self.language)[table].get(name, name))


@dataclass(frozen=True, eq=False)
class TimelineFacts:
    """The numbers of a timeline as text, by the names that sentences use."""

    line: Timeline

    def __getattr__(self, name: str) -> str:
        """A field of a sentence."""
        line = self.line
        match name:
            case "total" | "exposed":
                return _time(getattr(line, name))
            case "network":
                return _time(line.busy)
            case "hidden":
                return _time(line.busy - line.exposed)
            case "waits":
                return _time(line.waited * line.total)
            case "waited":
                return percent(line.waited)
            case "update":
                return _time(sum(s.end - s.start for s in line.lane(0) if s.kind == "update"))
            case "sent":
                return _size(line.sent)
            case "peak":
                return _size(float(line.peak(0)))
            case "rate":
                timing = next(span.timing for span in line.spans if span.timing)
                return rate_text(float(timing.topology.bandwidth.max()), DIGITS)
        raise AttributeError(name)


@dataclass(frozen=True)
class BarFacts:
    """The numbers of a network span as text."""

    span: Span

    @cached_property
    def _recording(self) -> Any:
        return self.span.recording

    @property
    def size(self) -> str:
        """Bytes of its vector; of a hop, those that are sent."""
        return _size(self._recording.count * self._recording.dtype.itemsize)

    @property
    def blocks(self) -> str:
        """Bytes for each rank, where they differ: of an uneven all-to-all."""
        counts = self._recording.counts or ()
        return " · ".join(map(_size, counts)) if len(set(counts)) > 1 else ""

    @property
    def steps(self) -> int:
        """Its steps."""
        return len(self._recording.steps)

    @property
    def time(self) -> str:
        """How long it takes."""
        return _time(self.span.end - self.span.start)


def texts(language: str) -> dict[str, Any]:
    """All sentences and words of films of training in a language."""
    return read(language, "training")


def training_story(pair: TrainingPair, language: str = "en") -> TrainingStory:
    """The story of a pair of timelines, with all its numbers filled in."""
    story = texts(one_of("language", language, LANGUAGES))[pair.scheme]
    fields = fields_of(pair)
    beats: list[TrainingBeat] = []
    for panel, name in enumerate(("before", "after")):
        now = 0.0
        for entry in story[name]:
            key, _, sentence = entry.partition(" | ")
            line = pair.timelines[panel]
            until, bar = _moment(line, key)
            if bar:
                fields["bar"] = BarFacts(bar)
            beats.append(TrainingBeat(panel, now, until, sentence.format(**fields), bar))
            now = until
    titles = story["title"], story["subtitle"].format(**fields)
    headings = tuple(heading.format(**fields) for heading in story["headings"])
    return TrainingStory(pair, *titles, headings, tuple(beats), language)


def fields_of(pair: TrainingPair) -> dict[str, Any]:
    """What sentences may name: both timelines, their ratios, and the numbers of the setup."""
    before, after = pair.timelines
    fields: dict[str, Any] = {name: f"{value:,.0f}" for name, value in pair.setup.items()}
    if "parameters" in pair.setup:
        fields["billions"] = number_text(pair.setup["parameters"] / 1e9, DIGITS)
        fields["parameters"] = f"{fields['billions']}B"
    if "hot" in pair.setup:
        fields["hot"] = percent(pair.setup["hot"])
    return fields | {
        "gpus": before.gpus,
        "memory": _size(pair.memory or 0),
        "before": TimelineFacts(before),
        "after": TimelineFacts(after),
        "gain": number_text(before.total / after.total, DIGITS),
        "more": number_text(after.sent / before.sent, DIGITS),
    }


def _moment(line: Timeline, key: str) -> tuple[float, Span | None]:
    """The time that a key names, and the network span it steps into, if any."""
    first, _, kind = key.rpartition(" ")
    if first == "zoom":
        bars = (s for s in line.spans if s.recording and s.recording.collective.name == kind)
        bar = min(bars, key=lambda span: span.start)
        return bar.end, bar
    if kind == "end":
        return line.total, None
    spans = [span for span in line.spans if span.kind == kind]
    if first == "start":
        return min(span.start for span in spans), None
    if first:
        own = sorted((s for s in spans if s.gpu == 0), key=lambda span: span.start)
        return own[int(first) - 1].end, None
    return max(span.end for span in spans), None


def _time(seconds: float) -> str:
    return time_text(seconds, DIGITS)


def _size(size: float) -> str:
    return size_text(size, DIGITS, binary=False)
