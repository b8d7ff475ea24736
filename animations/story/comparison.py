"""Algorithms side by side: the same input, one machine, one clock; which is first, and why.

The reason is said in two parts of each time: latency, and what its bytes add to it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from animations.drawing.sheet import Sheet
from animations.phrases import Phrases, phrases
from animations.story.comparison_sheet import ComparisonSheet, comparison_sheet
from animations.story.contender import NO_TROUBLE, Contender, Trouble, trouble_sentences
from animations.story.storyboard import storyboard
from collectives.cost.choose.crossover import Seconds, fastest_by_size
from collectives.cost.choose.ranking import time_recording
from collectives.cost.choose.setup import Setup
from collectives.cost.clocks.critical_path import critical_path
from collectives.recording.recording import Recording
from collectives.units import number_text, rate_text, size_text, time_text
from collectives.words import capital, percent

LARGEST = 16 << 30  # bytes up to which it is looked up who is the fastest
AS_LONG = 1e-3  # of a time: a smaller difference is none
NEARLY = 1.1  # times as long: less is said in percent
DIGITS = 3  # of times and sizes that are said


@dataclass(frozen=True)
class Comparison:
    """Two to four algorithms. ranges: which of them is the fastest from which size on.

    trouble: what is wrong with the machine.
    """

    contenders: tuple[Contender, ...]
    size: int
    ranges: tuple[tuple[int, int], ...]
    boxes: ComparisonSheet
    say: Phrases
    trouble: Trouble = NO_TROUBLE

    @property
    def sheet(self) -> Sheet:
        """The page."""
        return self.boxes.page

    @property
    def title(self) -> str:
        """The question: Ring or tree?"""
        return self.say("comparison.title", names=capital(self.names))

    @property
    def names(self) -> str:
        """All of them: ring or tree."""
        *first, last = (each.name for each in self.contenders)
        return self.say("comparison.either", first=", ".join(first), last=last)

    @property
    def subtitle(self) -> str:
        """What they do, and where."""
        timing = self.contenders[0].timed.timing
        text = self.say(
            "comparison.subtitle",
            task=self._task,
            machine=timing.topology.name,
            clock=self.say(f"comparison.{timing.clock}"),
        )
        return " · ".join(filter(None, (text, self.trouble.note)))

    @property
    def _task(self) -> str:
        recording = self.contenders[0].timed.timing.recording
        ranks = self.say.plural(recording.ranks, "rank")
        named = {"collective": capital(recording.collective.title), "ranks": ranks}
        if not recording.collective.moves_data:
            return self.say("comparison.task_without_data", **named)
        return self.say("comparison.task", size=size_text(self.size), **named)

    @cached_property
    def order(self) -> tuple[int, ...]:
        """The numbers of the contenders, the fastest first; last those that are never done."""
        ends = [(each.seconds, each.until) for each in self.contenders]
        return tuple(sorted(range(len(ends)), key=ends.__getitem__))

    @property
    def first(self) -> Contender:
        """The fastest."""
        return self.contenders[self.order[0]]

    @property
    def second(self) -> Contender:
        """The next."""
        return self.contenders[self.order[1]]

    @property
    def _tied(self) -> list[Contender]:
        """The first and those that are done at the same time."""
        limit = self.first.seconds * (1 + AS_LONG) if self.first.ends else 0.0
        return [
            each for each in map(self.contenders.__getitem__, self.order) if each.seconds <= limit
        ]

    @property
    def ties(self) -> bool:
        """Whether the first two are done at the same time."""
        return len(self._tied) > 1

    @property
    def seconds(self) -> float:
        """When the last is done, or stands still."""
        return max(each.until for each in self.contenders)

    def asked(self) -> tuple[str, ...]:
        """What is compared."""
        return self.title, self.say("comparison.asked", task=self._task)

    def finished(self, place: int) -> tuple[str, ...]:
        """What is said when the one in this place of the order is done."""
        one, first = self.contenders[self.order[place]], self.first
        if not one.ends:
            return (self._never(one),)
        time = _time(one.seconds)
        if not place:
            if self.ties:
                names = self.say.listed([each.name for each in self._tied])
                return (self.say("comparison.tied", names=capital(names), time=time),)
            other = self.second
            left = other.steps - other.done(one.seconds)
            said = [self.say("comparison.first", name=capital(one.name), time=time)]
            if left:
                steps = self.say.plural(other.steps, "step")
                named = {"name": capital(other.name), "left": left, "steps": steps}
                said.append(self.say("comparison.left", **named))
            return tuple(said)
        named = {"name": capital(one.name), "time": time}
        ratio = one.seconds / first.seconds
        if ratio <= 1 + AS_LONG:
            return ()
        if ratio < NEARLY:
            return (self.say("comparison.longer", more=percent(ratio - 1), **named),)
        return (self.say("comparison.times", ratio=number_text(ratio, 2), **named),)

    def _never(self, one: Contender) -> str:
        """Where one that is never done stands still."""
        found, labels = one.timed_board.standstill, one.board.labels
        assert found
        ends = {"source": labels.node(found.src, "some"), "target": labels.node(found.dst, "some")}
        return self.say("comparison.never", name=capital(one.name), step=found.step, **ends)

    def path(self, contender: Contender) -> str:
        """What a contender's time is made of: messages one after another."""
        named = {
            "name": capital(contender.name),
            "messages": self.say.plural(contender.on_path, "message"),
        }
        if not contender.path_bytes:
            return self.say("comparison.path_without_bytes", **named)
        named["size"] = _size(contender.path_bytes)
        rates = sorted((self.first.rate, self.second.rate))
        if rates[1] > NEARLY * rates[0]:
            return self.say("comparison.path_at", rate=rate_text(contender.rate, DIGITS), **named)
        return self.say("comparison.path", **named)

    @cached_property
    def why(self) -> tuple[str, ...]:
        """The paths of the first two, and the reasons: sentences."""
        paths = tuple(self.path(each) for each in (self.first, self.second) if each.ends)
        return (*paths, *self.reasons) if self.reasons else paths

    @cached_property
    def reasons(self) -> tuple[str, ...]:
        """Why the first is ahead of the second, and what trouble has to do with it: sentences."""
        return (*self._saved(), *trouble_sentences(self))

    def _saved(self) -> tuple[str, ...]:
        """What the first one saves, where latency and bytes are all that makes the difference."""
        one, other = self.first, self.second
        delay = other.timed.arrival_delay - one.timed.arrival_delay
        if self.ties or not other.ends or abs(delay) > AS_LONG * one.seconds:
            return ()
        latency = other.timed.latency - one.timed.latency
        moved = other.timed.bytes_seconds - one.timed.bytes_seconds
        margin = AS_LONG * one.seconds
        kind = "both" if latency > margin and moved > margin else ""
        kind = kind or ("latency" if latency > moved else "bytes")
        if not self.size:
            kind += "_alone"
        elif abs(min(latency, moved)) <= margin:
            kind += "_only"
        named = {"latency": _time(abs(latency)), "bytes": _time(abs(moved))}
        return (self.say(f"comparison.saves_{kind}", name=capital(one.name), **named),)

    @cached_property
    def turn(self) -> tuple[str, ...]:
        """At which sizes another one is the fastest: sentences; none where no data is moved."""
        if not self.ranges:
            return ()
        sizes = [size for size, _ in self.ranges]
        here = max(0, bisect_right(sizes, self.size) - 1)
        if len(self.ranges) == 1:
            named = {"least": size_text(self.ranges[0][0]), "most": size_text(LARGEST)}
            name = capital(self.contenders[self.ranges[0][1]].name)
            key = "never_slower" if self.ties else f"always{self._of_two}"
            return (self.say(f"comparison.{key}", name=name, **named),)
        said = []
        for k in (here + 1, here - 1):
            if 0 <= k < len(sizes):
                key = "below" if k == 0 else "between" if k + 1 < len(sizes) else "above"
                named = {"size": _size(sizes[max(k, 1)]), "most": _size((*sizes, LARGEST)[k + 1])}
                name = self.contenders[self.ranges[k][1]].name
                said.append(self.say(f"comparison.{key}{self._of_two}", name=name, **named))
        return tuple(said)

    @property
    def _of_two(self) -> str:
        """The end of the key of a pattern, where two are compared and not more."""
        return "_of_two" if len(self.contenders) == 2 else ""


def compared(
    recordings: Sequence[Recording],
    setup: Setup,
    size: int,
    language: str = "en",
    trouble: Trouble = NO_TROUBLE,
) -> Comparison:
    """The comparison of recordings of one collective, for a vector of `size` bytes.

    trouble: what is wrong with the machine of the setup. Raises what `storyboard` raises, and
    BadInput where one does not fit the machine.
    """
    boxes, say = comparison_sheet(len(recordings)), phrases(language)
    contenders = []
    for recording, place in zip(recordings, boxes.panels, strict=True):
        timed = time_recording(recording, setup)
        verdict = recording.check()
        board = storyboard(
            recording, verdict=verdict, timing=timed.timing, sheet=place.sheet, language=language
        )
        path = critical_path(timed.timing)
        carried = int(timed.timing.messages.size[path].sum())
        contenders.append(Contender(_name(recording), board, timed, len(path), carried))
    ranges: list[tuple[int, int]] = []
    running = [number for number, each in enumerate(contenders) if each.ends]
    if size and len(running) > 1:
        smallest = max(each.chunk_count for each in recordings)  # bytes, so that no chunk is empty
        times = [_seconds(recordings[number], setup) for number in running]
        ranges = [(at, running[one]) for at, one in fastest_by_size(times, smallest, LARGEST)]
    return Comparison(tuple(contenders), size, tuple(ranges), boxes, say, trouble)


def _name(recording: Recording) -> str:
    return recording.row.label if recording.row else recording.title


def _seconds(recording: Recording, setup: Setup) -> Seconds:
    """The time of the same steps for so many bytes."""
    unit = recording.dtype.itemsize
    return lambda size: setup.time(replace(recording, count=size // unit, data=None)).total


def _time(seconds: float) -> str:
    return time_text(seconds, DIGITS)


def _size(size: int) -> str:
    return size_text(size, DIGITS, binary=True)
