"""Algorithms side by side: the same input, one machine, one clock; which is first, and why.

The reason is said in two parts of each time: latency, and what its bytes add to it.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property

from animations.drawing.sheet import Sheet
from animations.phrases import Phrases, phrases
from animations.story.comparison_sheet import ComparisonSheet, comparison_sheet
from animations.story.compose import storyboard
from animations.story.contender import DrawnContender, trouble_sentences
from collectives.comparison.comparison import AS_LONG, LARGEST, Comparison, Contender
from collectives.units import number_text, rate_text, size_text, time_text
from collectives.words import capital, percent

NEARLY = 1.1  # times as long: less is said in percent
MUCH = 0.1  # of the time: that ranks wait so long is said
DIGITS = 3  # of times and sizes that are said


@dataclass(frozen=True, repr=False)
class DrawnComparison(Comparison[DrawnContender]):
    """A comparison with the picture of each algorithm, on one page, in a language."""

    boxes: ComparisonSheet
    say: Phrases

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
        """All of them: ring or tree; those of one name by what tells them apart."""
        called = {entry.name.removesuffix(f" ({entry.label})") for entry in self.contenders}
        alike = len(called) == 1 and all(entry.label != entry.name for entry in self.contenders)
        *first, last = (entry.label if alike else entry.name for entry in self.contenders)
        either = self.say("comparison.either", first=self.say("lists.comma").join(first), last=last)
        return f"{called.pop()}: {either}" if alike else either

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
        return " · ".join(filter(None, (text, *self._channels, self.trouble.note)))

    @property
    def _channels(self) -> list[str]:
        """Of which contenders one ring is drawn, though more are timed."""
        pairs = [(entry.name, entry.timed.timing) for entry in self.contenders]
        drawn = {
            name: timing.recording.setting.channels for name, timing in pairs if timing.one_ring
        }
        if len(drawn) == len(pairs) and len({*drawn.values()}) == 1:
            return [self.say("comparison.all_channels", channels=next(iter(drawn.values())))]
        return [
            self.say("comparison.channels", name=name, channels=channels)
            for name, channels in drawn.items()
        ]

    @property
    def _task(self) -> str:
        recording = self.contenders[0].timed.timing.recording
        ranks = self.say.plural(recording.ranks, "rank")
        named = {"collective": capital(recording.collective.title), "ranks": ranks}
        if not recording.collective.moves_data:
            return self.say("comparison.task_without_data", **named)
        return self.say("comparison.task", size=size_text(self.size), **named)

    def asked(self) -> tuple[str, ...]:
        """What is compared."""
        return self.title, self.say("comparison.asked", task=self._task)

    def finished(self, place: int) -> tuple[str, ...]:
        """What is said when the one in this place of the order is done."""
        ended, first = self.contenders[self.order[place]], self.first
        if not ended.ends:
            return (self._never(ended),)
        time = _time(ended.seconds)
        if not place:
            if self.ties:
                names = self.say.listed([entry.name for entry in self.tied])
                return (self.say("comparison.tied", names=capital(names), time=time),)
            second = self.second
            done = second.done(ended.seconds)
            texts = [self.say("comparison.first", name=capital(ended.name), time=time)]
            if done < second.steps:
                steps = self.say.plural(second.steps, "step")
                named = {"name": second.name, "done": done, "steps": steps}
                texts.append(capital(self.say("comparison.left", **named)))
            return tuple(texts)
        named = {"name": capital(ended.name), "time": time}
        ratio = ended.seconds / first.seconds
        if ratio <= 1 + AS_LONG:
            return ()
        if ratio < NEARLY:
            return (self.say("comparison.longer", more=percent(ratio - 1), **named),)
        return (self.say("comparison.times", ratio=number_text(ratio, 2), **named),)

    def _never(self, stopped: DrawnContender) -> str:
        """Where one that is never done stands still."""
        halt, labels = stopped.timed_board.standstill, stopped.board.labels
        assert halt
        ends = {"source": labels.node(halt.src, "some"), "target": labels.node(halt.dst, "some")}
        return self.say("comparison.never", name=capital(stopped.name), step=halt.step, **ends)

    def path(self, contender: DrawnContender) -> str:
        """What a contender's time is made of: messages one after another."""
        named = {
            "name": capital(contender.name),
            "messages": self.say.plural(contender.path.messages, "message"),
        }
        if not contender.path.size:
            return self.say("comparison.path_without_bytes", **named)
        named["size"] = _size(contender.path.size)
        rates = sorted((self.first.rate, self.second.rate))
        if rates[1] > NEARLY * rates[0]:
            return self.say("comparison.path_at", rate=rate_text(contender.rate, DIGITS), **named)
        return self.say("comparison.path", **named)

    @cached_property
    def explanation(self) -> tuple[str, ...]:
        """The paths of the first two, and the reasons: sentences."""
        paths = tuple(self.path(entry) for entry in (self.first, self.second) if entry.ends)
        return (*paths, *self.reasons) if self.reasons else paths

    def idle(self, entry: DrawnContender) -> str:
        """How long its ranks wait; nothing where it never ends, or they hardly do."""
        timing = entry.timed.timing
        share = float(timing.idle.mean()) / timing.total if entry.ends and timing.total else 0.0
        if share < MUCH:
            return ""
        name = capital(entry.name)
        return self.say.decimal(self.say("comparison.idle", name=name, share=percent(share)))

    @cached_property
    def reasons(self) -> tuple[str, ...]:
        """Why the first is ahead of the second, and what trouble has to do with it: sentences."""
        return (*self._saved(), *trouble_sentences(self))

    def _saved(self) -> tuple[str, ...]:
        """What the first one saves, where latency and bytes are all that makes the difference."""
        first, second = self.first, self.second
        delay = second.timed.arrival_delay - first.timed.arrival_delay
        if self.ties or not second.ends or abs(delay) > AS_LONG * first.seconds:
            return ()
        latency = second.timed.latency - first.timed.latency
        moved = second.timed.bytes_seconds - first.timed.bytes_seconds
        margin = AS_LONG * first.seconds
        kind = "both" if latency > margin and moved > margin else ""
        kind = kind or ("latency" if latency > moved else "bytes")
        if not self.size:
            kind += "_alone"
        elif abs(min(latency, moved)) <= margin:
            kind += "_only"
        named = {"latency": _time(abs(latency)), "bytes": _time(abs(moved))}
        return (self.say(f"comparison.saves_{kind}", name=capital(first.name), **named),)

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
        texts = []
        for k in (here + 1, here - 1):
            if 0 <= k < len(sizes):
                key = "below" if k == 0 else "between" if k + 1 < len(sizes) else "above"
                named = {"size": _size(sizes[max(k, 1)]), "most": _size((*sizes, LARGEST)[k + 1])}
                name = self.contenders[self.ranges[k][1]].name
                texts.append(self.say(f"comparison.{key}{self._of_two}", name=name, **named))
        return tuple(texts)

    @property
    def _of_two(self) -> str:
        """The end of the key of a pattern, where two are compared and not more."""
        return "_of_two" if len(self.contenders) == 2 else ""


def drawn_comparison(comparison: Comparison[Contender], language: str = "en") -> DrawnComparison:
    """A comparison with its pictures; raises what `storyboard` raises."""
    boxes, contenders = comparison_sheet(len(comparison.contenders)), []
    say = phrases(language)
    for entry, place in zip(comparison.contenders, boxes.panels, strict=True):
        timing, verdict = entry.timed.timing, entry.recording.check()
        board = storyboard(
            entry.recording, verdict=verdict, timing=timing, sheet=place.sheet, language=language
        )
        contenders.append(DrawnContender(contender_name(entry, say), entry.timed, board))
    about = comparison.size, comparison.ranges, comparison.trouble, comparison.chunks
    return DrawnComparison(tuple(contenders), *about, boxes, say)


def contender_name(contender: Contender, say: Phrases) -> str:
    """Its name within a sentence, in the language: a name of the catalog that it is known by."""
    row = contender.recording.row
    named = row is not None and contender.name == row.label
    return say.name(contender.name) if named else contender.name


def _time(seconds: float) -> str:
    return time_text(seconds, DIGITS)


def _size(size: int) -> str:
    return size_text(size, DIGITS, binary=True)
