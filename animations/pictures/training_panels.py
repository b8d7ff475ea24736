"""TimelinePanel, bars and text of a film of training as plain data: position, size, color."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from animations.drawing.glyphs import fitted, line_within, size_for, text_width, wrapped
from animations.drawing.shapes import HATCH, Box, ColoredBox, Shape, Stroke, TextLine
from animations.drawing.theme import Theme
from animations.drawing.time_lanes import hatched
from animations.drawing.time_lanes import span as lane_span
from animations.story.training import TrainingStory
from collectives.training.timeline import Span, Timeline, gaps
from collectives.units import size_text, time_text
from collectives.words import percent

TOPS, HEIGHT = (150.0, 512.0), 346.0  # of the panels
LEFT, RIGHT, EDGE = 292.0, 1872.0, 48.0  # of the lanes; of the text
ROW, LANE, ALONE = 74.0, 30.0, 4  # pixels of a GPU's row, and of its lanes; times as high if alone
FIRST = 50.0  # from the top of a panel to its first row
MEMORY = 400.0  # width of what each GPU holds, at the right
LEGEND, CAPTION, HELD = 900.0, 970.0, 120.0  # baselines
SMALL, LARGE = 24.0, {1: 24.0, ALONE: 40.0}  # pixels of letters: 1/45 of the height; of numbers
THIN = 2.0  # pixels of the shortest bar
FOLLOWED, BEYOND = 4.0, 1.2  # pixels of an outline; how much is drawn of the room that there is
TONES = {
    "load": "faint",
    "forward": "phase 0",
    "backward": "phase 1",
    "update": "faint",
    "network": "now",
    "scatter": "local",
}


Chosen = Callable[[float, float], bool]  # by start and end


@dataclass(frozen=True)
class TimelinePanel:
    """Where the lanes of a panel are, and how time becomes pixels."""

    story: TrainingStory
    panel: int

    @property
    def line(self) -> Timeline:
        """The timeline of the panel."""
        return self.story.pair.timelines[self.panel]

    @property
    def box(self) -> Box:
        """All of the panel."""
        return Box((EDGE + RIGHT) / 2, TOPS[self.panel] + HEIGHT / 2, RIGHT - EDGE, HEIGHT)

    @property
    def right(self) -> float:
        """The right end of the lanes."""
        return RIGHT if self.story.pair.memory is None else RIGHT - MEMORY - 40

    @cached_property
    def gpus(self) -> range:
        """The GPUs that have a row: one, if all do and hold the same at the same times."""
        line, lines = self.line, self.story.pair.timelines
        same = all(
            _activity(row, gpu) == _activity(row, 0) for row in lines for gpu in range(row.gpus)
        )
        return range(1 if same else line.gpus)

    @cached_property
    def followed(self) -> str:
        """The bucket that is outlined: of those that are gathered twice the one in the middle."""
        gathers = (span for span in self.line.lane(0, network=True) if tone_of(span) == "network")
        labels = Counter(span.label for span in gathers)
        twice = sorted(label for label, times in labels.items() if times > 1)
        return twice[len(twice) // 2] if twice else ""

    @property
    def scale(self) -> int:
        """How many times as high as one of several a row is."""
        return ALONE if len(self.gpus) == 1 else 1

    def x(self, time: float) -> float:
        """Where a time is."""
        return LEFT + (self.right - LEFT) * time / self.story.seconds

    def lane(self, gpu: int, network: bool, start: float, end: float) -> Box:
        """The part of a lane between two times."""
        high = LANE * self.scale
        top = TOPS[self.panel] + FIRST + ROW * gpu + (high + 3 if network else 0)
        return lane_span(self.x(start), self.x(end), top + high / 2, high, THIN)


def _activity(line: Timeline, gpu: int) -> list[list[tuple[Any, ...]]]:
    """What a GPU does and holds, and when."""
    spans = [(s.kind, s.label, s.start, s.end) for s in line.spans if s.gpu == gpu]
    return [spans, [(h.what, h.size, h.start, h.end) for h in line.held if h.gpu == gpu]]


def fixed_text(story: TrainingStory, theme: Theme) -> list[Shape]:
    """Title and subtitle."""
    wide = RIGHT - EDGE
    title = line_within(wide, (46, 46), story.title, EDGE, 78, theme.ink, "bold")
    wide -= sum(_held_width(story, what) for what in tones_of_held(story))
    return [title, line_within(wide, (26, SMALL), story.subtitle, EDGE, 120, theme.faint)]


def legend(story: TrainingStory, theme: Theme) -> Iterator[Shape]:
    """What the colors and the hatch mean."""
    x = EDGE
    for kind, name in _names(story).items():
        box = Box(x + 14, LEGEND - 7, 28, 20)
        if kind == "waiting":
            yield from hatched(box, theme.faint, 1.4, HATCH)
        else:
            yield ColoredBox(box, theme.tone(TONES[kind]), 3)
        yield TextLine(name, x + 38, LEGEND, SMALL, theme.ink)
        x += 38 + text_width(name, SMALL) + 30


def _names(story: TrainingStory) -> dict[str, str]:
    """The names of the kinds of spans that are there; those of network spans by collective."""
    spans = [span for line in story.pair.timelines for span in line.spans]
    names = {span.recording.collective.name: tone_of(span) for span in spans if span.recording}
    if "all_to_all" in names:
        names.pop("send_recv", "")  # its way back
    kinds = {str(span.kind) for span in spans} - {"update", "network"}  # updates are as loads
    kinds_shown: dict[str, str] = {k: story.named("kinds", k) for k in TONES if k in kinds}
    for tone in ("network", "scatter"):
        called = [story.named("collectives", name) for name in sorted(names) if names[name] == tone]
        if called:
            kinds_shown[tone] = ", ".join(called)
    return kinds_shown | {"waiting": story.named("kinds", "waiting")}


def caption(sentence: str, theme: Theme) -> list[Shape]:
    """The sentence below the panels."""
    return [
        TextLine(line, (EDGE + RIGHT) / 2, CAPTION + 48 * row, 42, theme.ink, align="center")
        for row, line in enumerate(wrapped(sentence, RIGHT - EDGE, 42, 2))
    ]


def frame(at: TimelinePanel, theme: Theme) -> Iterator[Shape]:
    """Empty lanes with their names, and the heading."""
    story, top = at.story, TOPS[at.panel]
    name = "stage" if story.pair.scheme in ("pipeline", "1f1b") else "gpu"
    heading = fitted(story.headings[at.panel], 800, 29, "bold")
    yield TextLine(heading, EDGE, top + 32, 29, theme.ink, "bold")
    for gpu in at.gpus:
        number = gpu if len(at.gpus) > 1 else f"0–{at.line.gpus - 1}"
        base = at.lane(gpu, False, 0.0, 0.0).y + 8
        yield TextLine(story.word(name, number=number), EDGE, base, 24, theme.rank(gpu), "bold")
        for network in (False, True):
            lane = at.lane(gpu, network, 0.0, story.seconds)
            yield ColoredBox(lane, theme.levels[0], 3)
            text = story.word("network" if network else "compute")
            yield TextLine(text, LEFT - 12, lane.y + 8, SMALL, theme.faint, align="right")


def tone_of(span: Span) -> str:
    """The kind of a span as the legend has it."""
    collective = span.recording and span.recording.collective
    return "scatter" if collective and collective.reduces and collective.owned else span.kind


def bars(at: TimelinePanel, chosen: Chosen, now: float, theme: Theme) -> Iterator[Shape]:
    """The chosen spans, up to `now`, with their labels as soon as these fit."""
    for span in at.line.spans:
        if span.gpu not in at.gpus or not chosen(span.start, span.end) or span.start >= now:
            continue
        network = span.kind == "network"
        box = at.lane(span.gpu, network, span.start, min(span.end, now))
        edge = (theme.ink, FOLLOWED) if span.label == at.followed else ("", 0.0)
        yield ColoredBox(box, theme.tone(TONES[tone_of(span)]), 3, *edge)
        full = at.lane(span.gpu, network, span.start, span.end)
        label = at.story.named("labels", span.label)
        size = size_for(label, full.width - 6, LARGE[at.scale], SMALL)
        half = text_width(label, size) / 2
        if 2 * half + 6 < full.width and full.x + half <= box.right:
            yield TextLine(label, full.x, full.y + 0.36 * size, size, theme.now_ink, align="center")


def waits(at: TimelinePanel, chosen: Chosen, now: float, theme: Theme) -> Iterator[Stroke]:
    """The hatch where a GPU waits in the chosen gaps, up to `now`."""
    for gpu in at.gpus:
        for start, end in at.line.waiting(gpu):
            seen = at.x(end) - at.x(start) > THIN
            if seen and chosen(start, end) and start < now:
                box = at.lane(gpu, False, start, min(end, now))
                yield from hatched(box, theme.faint, 1.4, HATCH)


def clock(at: TimelinePanel, now: float, theme: Theme) -> list[Shape]:
    """The line for now, and the counters: time, time of any network lane's use, waiting so far."""
    line, top = at.line, TOPS[at.panel]
    sends = sorted((s.start, s.end) for s in line.spans if s.kind == "network" and s.start < now)
    used = now - sum(end - start for start, end in gaps(sends, now))
    idle = (
        min(end, now) - start
        for gpu in range(line.gpus)
        for start, end in line.waiting(gpu)
        if start < now
    )
    share, now = sum(idle) / (line.gpus * now) if now else 0.0, round(now, 12)
    text = at.story.word(
        "clock", time=time_text(now, 3), network=time_text(used, 3), waiting=percent(share)
    )
    high = ROW * len(at.gpus) * at.scale - 8
    bar = Box(at.x(now), top + FIRST + high / 2 - 4, 3, high + 12)
    counters = TextLine(text, at.right, top + 32, 25, theme.now, "bold", "right")
    return [ColoredBox(bar, theme.now), counters]


def memory_frame(at: TimelinePanel, theme: Theme) -> Iterator[Shape]:
    """What stands beside the bars of what GPUs hold: their meaning, and how much has room."""
    pair, top = at.story.pair, TOPS[at.panel]
    if pair.memory is None:
        return
    left = RIGHT - MEMORY
    yield TextLine(at.story.word("holds"), left, top + 32, SMALL, theme.ink, "bold")
    if pair.memory:
        x = left + MEMORY * pair.memory / most_held(at.story)
        high = ROW * len(at.gpus) * at.scale
        yield ColoredBox(Box(x, top + FIRST + high / 2 - 6, 3, high), theme.wrong)
        text = at.story.word("room", size=size_text(pair.memory, 3, binary=False))
        yield TextLine(text, RIGHT, top + 32, SMALL, theme.wrong, align="right")


def memory_legend(story: TrainingStory, theme: Theme) -> Iterator[Shape]:
    """The names of what is held, from the right, on the line of the subtitle."""
    if story.pair.memory is None:
        return
    x = RIGHT
    for what, tone in reversed(tones_of_held(story).items()):
        x -= _held_width(story, what)
        yield TextLine(story.named("held", what), x + 60, HELD, SMALL, theme.ink)
        yield ColoredBox(Box(x + 36, HELD - 7, 28, 20), theme.tone(tone), 3)


def _held_width(story: TrainingStory, what: str) -> float:
    """Pixels of a name of what is held, with its box."""
    return text_width(story.named("held", what), SMALL) + 60


def memory_bars(at: TimelinePanel, now: float, theme: Theme) -> Iterator[Shape]:
    """What each GPU holds at a time, as a bar of its parts, and the sum."""
    story = at.story
    if story.pair.memory is None:
        return
    scale, tones = MEMORY / most_held(story), tones_of_held(story)
    for gpu in at.gpus:
        lane = at.lane(gpu, True, 0, 0)
        x, y = RIGHT - MEMORY, lane.y
        ended = now >= at.line.total
        held = at.line.holding(gpu, at.line.peak_time(gpu) if ended else now)
        for what, tone in tones.items():
            largest = max((part.size for part in at.line.held if part.what == what), default=1)
            pieces = max(1, round(held.get(what, 0) / largest))  # as whole buckets
            wide = float(held.get(what, 0)) * scale / pieces
            for _ in range(pieces * bool(wide)):
                piece = Box(x + wide / 2, y, wide - 1.5 * (pieces > 1), lane.height)
                yield ColoredBox(piece, theme.tone(tone), 2)
                x += wide
        total = float(sum(held.values()))
        color = theme.wrong if 0 < (story.pair.memory or 0) < total else theme.ink
        text = size_text(total, 3, binary=False)
        text = story.word("at_most", size=text) if ended else text
        yield TextLine(text, RIGHT - MEMORY, lane.top - 6, LARGE[at.scale], color, "bold")


def most_held(story: TrainingStory) -> float:
    """The most bytes of any bar, or a little more than there is room for."""
    peaks = [float(line.peak(gpu)) for line in story.pair.timelines for gpu in range(line.gpus)]
    return max(*peaks, BEYOND * float(story.pair.memory or 0))


def tones_of_held(story: TrainingStory) -> dict[str, str]:
    """The tone of everything that is held, what lasts first."""
    names = dict.fromkeys(h.what for line in story.pair.timelines for h in line.held)
    lasting = [name for name in ("optimizer", "parameters", "gradients") if name in names]
    order = [*lasting, *(name for name in names if name not in lasting)]
    if len(order) == 1:
        return {order[0]: "level 2"}
    return dict(zip(order, ("level 1", "level 2", "level 3", "now", "local"), strict=False))
