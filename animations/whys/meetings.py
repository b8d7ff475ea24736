"""Why every pair meets once: a table of who sends to whom, filled step by step."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import ceil

from animations.drawing.drawing import Drawing
from animations.drawing.shapes import Box, ColoredBox, Stroke, TextLine
from animations.whys.cost_bars import TURN, Cost, CostsElsewhere, PriceBars, cost_of
from animations.whys.counted import Flying, counted_formula
from animations.whys.folded_steps import FoldedSteps
from animations.whys.halving import ring_starts
from animations.whys.loads import PortColumns, panel_of
from animations.whys.port_queue import queue_whys
from animations.whys.sends import WhyFacts, again
from animations.whys.spread import MOST_DRAWN, StepsReached
from animations.whys.teller import Teller
from animations.whys.why import GrowingPicture, Joined, Why
from collectives.cost.choose.rivals import turn_at_once
from collectives.cost.choose.setup import resized
from collectives.cost.clocks.clock import lockstep
from collectives.cost.machines.topology import Topology
from collectives.recording.recording import Recording
from collectives.units import rough_size, size_text, time_text

FEWEST = 3  # ranks
BAND, ABOVE, BESIDE = 170.0, 92.0, 60.0  # pixels for the formula, and for titles and names
BEYOND = 4  # times a border: from so much above it bars go to so much below
LAST = 0.75  # of a sentence, in which cells come
LETTER, NUMBERED = 28.0, 44.0  # pixels of names, and of a cell that has the number of its step
Meeting = tuple[int, int, int]  # source, destination, step


@dataclass(frozen=True, eq=False)
class MeetingTables:
    """For each lap a table with a row for each sender and a column for each receiver.

    laps: the meetings of each. at_once: whether a lap is a single step. unit: a message as a part
    of the vector, in Typst.
    """

    ranks: int
    laps: tuple[tuple[Meeting, ...], ...]
    titles: tuple[str, ...]
    at_once: bool
    unit: str
    source: str
    reaches: tuple[StepsReached, ...]

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of a sentence."""
        before = self.reaches[item - 2].steps if item > 1 else 0
        reach = self.reaches[item - 1]
        at = before + min(1.0, time / LAST) * (reach.steps - before)
        drawing, count = Drawing(), 0
        for lap in range(len(self.laps)):
            drawing += self._table(room, lap, at)
            count += sum(self._comes(meeting) <= at for meeting in self.laps[lap] if not meeting[0])
        lit = {past.term for past in self.reaches[:item]}
        terms = {past.term for past in self.reaches if past.term}
        flying = Flying(reach.text, reach.term, (time - LAST) / (1 - LAST)) if reach.text else None
        formula = self.source, lit, terms, flying, self.unit
        return drawing + counted_formula(room.x, room.bottom - BAND / 2 + 34, count, *formula)

    def _comes(self, meeting: Meeting) -> float:
        """When a meeting is there, in steps: all at once in a single step, else by sender."""
        src, _, step = meeting
        return step + 0.5 if self.at_once else step + (src + 0.5) / self.ranks

    def table(self, room: Box, lap: int) -> Box:
        """The cells of a lap."""
        wide = room.width / len(self.laps)
        high = room.height - BAND - ABOVE
        width = min(wide - BESIDE - 30, 1.7 * high)
        x = room.left + (lap + 0.5) * wide + BESIDE / 2
        top = room.top + ABOVE
        return Box.between(x - width / 2, top, x + width / 2, top + high)

    def _table(self, room: Box, lap: int, at: float) -> Drawing:
        table = self.table(room, lap)
        wide, high = table.width / self.ranks, table.height / self.ranks
        boxes, dashes, lines = list[ColoredBox](), list[Stroke](), list[TextLine]()
        now = ceil(at) - 1 if at < self.reaches[-1].steps else -1  # the step that is filled
        tone = "now" if lap else "ink"
        lines.append(TextLine(self.titles[lap], table.left, table.top - 52, 32, tone))
        for rank in range(self.ranks):
            tone, x = f"rank {rank}", table.left + (rank + 0.5) * wide
            y = table.top + (rank + 0.5) * high
            if high >= LETTER:
                x_name = table.left - 20
                lines.append(TextLine(str(rank), x_name, y + 10, LETTER, tone, "bold", "center"))
            lines.append(TextLine(str(rank), x, table.top - 10, LETTER, tone, "bold", "center"))
            own = Box(x, y, 0.88 * wide, 0.84 * high)
            dashes += [Stroke(edge, "edge", 2, dashes=(3, 3)) for edge in own.sides]
        for src, dst, step in self.laps[lap]:
            x, y = table.left + (dst + 0.5) * wide, table.top + (src + 0.5) * high
            box = Box(x, y, 0.88 * wide, 0.84 * high)
            come = self._comes((src, dst, step)) <= at
            fresh = come and step == now
            tone = f"rank {src}" if come else "well"
            boxes.append(ColoredBox(box, tone, 5, "now" if fresh or (lap and come) else "edge", 3))
            if fresh and not self.at_once:  # each column once in a step
                mark = Box(x, table.top - 20, 1.6 * LETTER, 1.3 * LETTER)
                boxes.append(ColoredBox(mark, "panel", 8, "now", 3))
            if lap and come:  # a sum has all ranks in it
                stripes = Box(x, y, box.width - 8, box.height - 8).rows(self.ranks)
                boxes += [ColoredBox(part, f"rank {rank}") for rank, part in enumerate(stripes)]
        return Drawing(tuple(boxes), tuple(dashes), tuple(lines))


def meeting_whys(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of what sends from every rank to every other, once in each lap, to one or all in a step."""
    n, laps, promise = facts.ranks, _laps(facts), facts.recording.collective
    if not laps:
        return
    count, length = len(laps), facts.steps // len(laps)
    moved = {sum(facts.port_bytes(rank)) for rank in range(n)}
    share = count * (n - 1) * facts.size * promise.moves_data
    cut = moved == {share // n} and not share % n
    if not share or (not cut and moved != {share}):
        return
    last = count + 1
    whole = f"frac(«1|N - 1», «{last}|N»)" if cut else "«1|(N - 1)»"
    source = f"{'«2|2» ' * (count > 1)}{whole} «{last}|S»"
    times, both = tell.count(n - 1), "_both" * (n == FEWEST)
    sentences = [tell(f"meet_all{both}", others=times)]
    reaches = [StepsReached(length, 1, str(n - 1))]
    if length > 1:
        sentences = [tell("meet_one"), tell("meet_once", steps=times)]
        reaches = [StepsReached(1), *reaches]
    if count > 1:
        sentences.append(tell(f"meet_back{both}", others=times))
        reaches.append(StepsReached(2 * length, 2, "2"))
    key = ("shot" if count > 1 else promise.name) if cut else "whole"
    sums = key if key in ("shot", "whole", "reduce_scatter", "all_gather") else "blocks"
    counts = {"sends": n - 1, "chunks": n, "ring": 2 * (n - 1)}
    sentences.append(tell(f"meet_{sums}", steps=tell.count(facts.steps), **counts))
    reaches.append(StepsReached(facts.steps, last, f"1/{n}" if cut else ""))
    titles = tell("meet_table"), tell("meet_table_back")
    unit = f"frac(1, {n}) S" if cut else "S"
    if cut and promise.in_blocks and length > 1:
        yield from queue_whys(facts, tell)
    if key == "shot":
        yield from ring_starts(facts, tell)
    parts = n, laps, titles, length == 1, unit, source, tuple(reaches)
    picture: GrowingPicture = MeetingTables(*parts)
    if key == "shot":
        before = tuple((picture, item) for item in range(1, last + 1))
        picture = Joined((*before, (_folded(facts, tell), 1)))
        sentences.insert(-1, tell("meet_moved", pieces=count * (n - 1), chunks=n))
    aside = tell("meet_aside", ranks=tell.ranks(n))
    why = tell.why("meet" + "_shot" * (key == "shot"), sentences, picture, aside)
    yield replace(why, aside_until=last)
    if key == "shot":
        yield from _one_shot(facts, tell)


def _laps(facts: WhyFacts) -> tuple[tuple[Meeting, ...], ...]:
    """The meetings of each lap, of few ranks of which every pair meets once in it; else none."""
    n, count = facts.ranks, len({sent.adds for *_, sent in facts.hops})  # sums, then copies
    length, rest = divmod(facts.steps, count or 1)
    if not FEWEST <= n <= MOST_DRAWN or facts.recording.nodes > n or rest:
        return ()
    numbers = range(count)
    laps = tuple(tuple(hop[:3] for hop in facts.hops if hop[2] // length == k) for k in numbers)
    every = [(src, dst) for src in range(n) for dst in range(n) if src != dst]
    meets = all(sorted(meeting[:2] for meeting in lap) == every for lap in laps)
    return laps if meets and (length == 1 or (length == n - 1 and not laps[1:])) else ()


def _one_shot(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """What each port sends beside one shot of whole vectors, and below which size that wins."""
    if flat := again(facts.recording, "flat", facts.ranks):
        shots = {"shots_one": flat, "shots_two": facts.recording}
        drawn = [panel_of(played, tell(f"{shot}_title"), tell) for shot, played in shots.items()]
        spoken = [tell(key, number=side.busiest) for key, side in zip(shots, drawn, strict=True)]
        columns = PortColumns(tuple(replace(panel, hops=()) for panel in drawn))  # as they cross
        parts: list[tuple[GrowingPicture, int]] = [(columns, item) for item in (1, 2)]
        own, rival, timing = facts.recording.row, flat.row, facts.timing
        if own and rival and timing and (border := turn_at_once(flat, timing.topology, own, rival)):
            spoken.append(tell("shots_below", size=size_text(rough_size(border, 2), binary=True)))
            parts.append((_below(timing.topology, tell, shots, border), 1))
        why = tell.why("shots", spoken, Joined(tuple(parts)), tell.ranks(facts.ranks))
        yield replace(why, borders=True)


def _below(machine: Topology, tell: Teller, shots: dict[str, Recording], border: int) -> PriceBars:
    """Both on a machine, from above the size at which they take as long to below it.

    With formulas, where there is one bandwidth.
    """

    def cost(shot: str, size: int) -> Cost:
        runs = (lockstep(resized(shots[shot], count), machine) for count in (size, 0))
        times, waits = ([0.0, *run.step_end.tolist()] for run in runs)
        own = cost_of(tell(f"{shot}_title"), times, waits, len(shots[shot].steps), "")
        own = replace(own, time=tell.decimal(time_text(own.seconds, 3)))
        first, *more = {*machine.bandwidth.tolist()}
        return own if more else own.summed(" ", round(own.moved * first / size, 3))

    sizes = BEYOND * border, border // BEYOND
    before, after = (tuple(cost(shot, size) for shot in shots) for size in sizes)
    labels = tuple((tell.say.plural(side.steps, "start"), "") for side in after)
    there = CostsElsewhere(tell.at_size(sizes[1]), after, before, None, labels, sizes, tell.at_size)
    return PriceBars(before, (TURN,), labels, elsewhere=there)


def _folded(facts: WhyFacts, tell: Teller) -> FoldedSteps:
    """Its steps below those of a ring, whose ports send as many pieces, one after another."""
    piece = facts.size // facts.ranks
    pieces = tuple(sent // piece for sent in facts.port_bytes(0))
    counts = sum(pieces), len(pieces)
    ring, own = (
        tell(f"meet_{key}", steps=k) for key, k in zip(("ring", "folds"), counts, strict=True)
    )
    return FoldedSteps(pieces, (ring, own))
