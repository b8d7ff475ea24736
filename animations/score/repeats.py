"""Which steps of a storyboard repeat the one before, found from what was executed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from animations.story.storyboard import Frame, Storyboard

Measure = Callable[[int, int, int], int]
MEASURES: tuple[Measure, ...] = (  # of the way from one rank to another, of so many ranks
    lambda src, dst, ranks: (dst - src) % ranks,
    lambda src, dst, ranks: (src - dst) % ranks,
    lambda src, dst, ranks: abs(dst - src),
)
SHOWN, LAPSED = 2, 3  # steps without a rule that are shown one by one, and that follow quickly
QUICKLY = 2  # steps, at least, of a time-lapse


@dataclass(frozen=True)
class Run:
    """Steps in a row, of one phase, that the same statements make.

    distances: how far the data of each step goes, where all of it goes equally far; else none.
    alike: whether all steps send over the same links. whole: how many steps are shown one by one
    in any case. lapse: from which of its steps on it is shown as a time-lapse, of the first run
    where one more can be slow at its end; its end where it is not.
    """

    first: int
    end: int
    distances: tuple[int, ...]
    alike: bool
    whole: int = 0

    @property
    def scale(self) -> str:
        """How far a step goes beside the one before: "twice", "half", one rank "further"."""
        pairs = list(pairwise(self.distances))
        if not pairs:
            return ""
        rules = {
            "twice": all(2 * a == b for a, b in pairs),
            "half": all(a == 2 * b for a, b in pairs),
            "further": all(a + 1 == b for a, b in pairs) and len(pairs) > 1,
        }
        return next((rule for rule, holds in rules.items() if holds), "")

    @property
    def regular(self) -> bool:
        """Whether all steps send over the same links, or equally far."""
        return self.alike or len({*self.distances}) == 1

    @property
    def lapse(self) -> int:
        """The first step that is part of the time-lapse; the end where there is none."""
        slow = 1 if self.first or self.regular else SHOWN
        limit = max(self.whole, slow + 1 + (self.first == 0))
        if self.end - self.first <= limit or self.scale in ("twice", "half"):
            return self.end
        return self.first + slow


def runs(board: Storyboard, first: int, end: int, whole: int = 0) -> Iterator[Run]:
    """The runs of the steps from `first` to before `end`, counted from 0.

    Of at most `whole` steps none is left to a time-lapse.
    """
    numbered = list(enumerate(board.frames))[first:end]
    for _, group in groupby(numbered, lambda pair: (pair[1].phase, _statements(pair[1]))):
        steps = list(group)
        frames = [frame for _, frame in steps]
        links = {frozenset((m.src, m.dst, m.adds) for m in frame.transfers) for frame in frames}
        apart_by = _distances(frames, board.nodes, board.ranks)
        yield Run(steps[0][0], steps[-1][0] + 1, apart_by, len(links) == 1, whole)


def _statements(frame: Frame) -> tuple[object, ...]:
    """What makes a step: its comments, and the lines that yield."""
    lines = {(m.source.function, m.source.first) for m in frame.transfers if m.source is not None}
    return frame.comment, frozenset(lines), all(transfer.is_local for transfer in frame.transfers)


def _distances(frames: Sequence[Frame], nodes: int, ranks: int) -> tuple[int, ...]:
    """How far each step sends, by the measure by which all of its data goes equally far.

    By that of the least distances; nothing where that may be either way round, as with 3 ranks.
    """
    pairs = [{(m.src, m.dst) for m in frame.transfers if not m.is_local} for frame in frames]
    if nodes > ranks or not all(pairs):
        return ()
    every = []
    for measure in MEASURES:
        steps = [{measure(*pair, ranks) for pair in step} for step in pairs]
        if all(len(step) == 1 for step in steps):
            every.append(tuple(distance for step in steps for distance in step))
    shortest = [distances for distances in every if sum(distances) == min(map(sum, every))]
    if len({*shortest}) == 2 == len(pairs) and len(every) < len(MEASURES):
        return ()  # twice as far one way round is half as far the other way
    straight = every[-1:] if len(every) == len(MEASURES) else []
    return min(
        [distances for distances in straight if distances in shortest] or shortest, default=()
    )
