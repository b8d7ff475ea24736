"""The algorithms that are compared: picture and time of each, and what trouble costs them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from animations.story.storyboard import Storyboard
from animations.story.timed_board import TimedBoard, timed_board_of
from collectives.comparison.comparison import Contender
from collectives.units import time_text
from collectives.words import capital

if TYPE_CHECKING:
    from animations.story.comparison import DrawnComparison

ROUNDED_OFF = 1e-9  # of a time: less apart is at once
NOTICED = 1e-3  # of a time: what trouble costs is said from here on
DEAD = "dead"


@dataclass(frozen=True)
class DrawnContender(Contender):
    """One of the algorithms, with its picture."""

    board: Storyboard

    @cached_property
    def timed_board(self) -> TimedBoard:
        """Its storyboard by its timing."""
        return timed_board_of(self.board, self.timed.timing)

    @property
    def until(self) -> float:
        """When nothing of it moves any more; its picture stands a little longer."""
        return self.seconds if self.ends else self.timed_board.seconds

    def stands(self, now: float) -> bool:
        """Whether it stands still for ever."""
        return not self.ends and now >= self.until * (1 - ROUNDED_OFF)

    @property
    def steps(self) -> int:
        """Its steps in which a message travels."""
        return self.board.steps

    def done(self, now: float) -> int:
        """How many of these have ended by now."""
        counted = np.diff([0, *(frame.counted for frame in self.board.frames)])
        return int(counted[self.timed.timing.step_end <= now * (1 + ROUNDED_OFF)].sum())


def trouble_sentences(comparison: DrawnComparison) -> Iterator[str]:
    """Whom trouble stops, what it costs the first two, and who would be first without it."""
    kinds, say = comparison.trouble.kinds, comparison.say
    if not kinds:
        return
    dead = [contender.name for contender in comparison.contenders if not contender.ends]
    if DEAD in kinds:
        named = capital(_named(comparison, {DEAD: kinds[DEAD]}))
        key = "comparison.stops" if dead else "comparison.stops_none"
        yield say(key, trouble=named, **({"names": say.listed(dead)} if dead else {}))
    slower = {kind: texts for kind, texts in kinds.items() if kind != DEAD}
    pair = [number for number in comparison.order[:2] if comparison.contenders[number].ends]
    if slower and pair:
        yield _costs(comparison, capital(_named(comparison, slower)), pair)
    order = sorted(range(len(comparison.contenders)), key=comparison.trouble.clean.__getitem__)
    before, next_one = (comparison.trouble.clean[number] for number in order[:2])
    if comparison.first.ends and not comparison.ties and next_one > before * (1 + NOTICED):
        first = comparison.contenders[order[0]]
        key = "comparison.also_first" if first is comparison.first else "comparison.would_be_first"
        yield say(key, name=first.name)


def _costs(comparison: DrawnComparison, trouble: str, pair: list[int]) -> str:
    """What trouble costs the first two, or the only one that is ever done."""
    say, costs = comparison.say, [_cost(comparison, number) for number in pair]
    names = [comparison.contenders[number].name for number in pair]
    if not any(costs):
        return say(f"comparison.costs_nothing{'_one' * (len(pair) == 1)}", trouble=trouble)
    texts = [_amount(cost) or say("comparison.nothing") for cost in costs]
    if len(pair) == 1:
        return say("comparison.costs_one", trouble=trouble, name=names[0], time=texts[0])
    fields = dict(zip(("first", "second", "time", "other"), (*names, *texts), strict=True))
    return say("comparison.costs", trouble=trouble, **fields)


def _cost(comparison: DrawnComparison, number: int) -> float:
    """Seconds that trouble adds; 0 for what is not noticed."""
    entry = comparison.contenders[number]
    cost = entry.seconds - comparison.trouble.clean[number]
    return cost if abs(cost) > NOTICED * entry.seconds else 0.0


def _amount(seconds: float) -> str:
    """A time, with a minus where it is one less; nothing of 0."""
    return f"{'-' * (seconds < 0)}{time_text(abs(seconds), 3)}" if seconds else ""


def _named(comparison: DrawnComparison, kinds: Mapping[str, tuple[str, ...]]) -> str:
    """Trouble in words."""
    if len(kinds) > 1:
        return comparison.say("comparison.trouble")
    ((kind, texts),) = kinds.items()
    key = f"comparison.{kind}{'_several' * (len(texts) > 1)}"
    return comparison.say(key, which=texts[0] if texts else "")
