"""Why halving pays: each step sends half of what the one before sent, together almost a vector."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain, groupby, pairwise, product
from math import ceil, prod
from typing import NamedTuple

from animations.drawing.drawing import Drawing
from animations.drawing.formula import formula
from animations.drawing.shapes import MOTION, Box, ColoredBox, Stroke, TextLine
from animations.whys.digits import Hops, hops_of
from animations.whys.doubling import numbers
from animations.whys.sends import WhyFacts, again
from animations.whys.swings import DISTANCES, OUTSIDE, GrowingSum, RingStep
from animations.whys.teller import Teller
from animations.whys.why import Joined, Why
from collectives.structure import Torus

LETTERS = 72.0  # pixels of formulas
NAME = 90.0  # pixels before the name of a partner
FEWEST = 4  # ranks: below, nothing halves twice
LANE, BAR = 110.0, 60.0  # pixels from step to step, and of a bar
PROMISED = ("all_reduce", "reduce_scatter", "all_gather")
LABEL, ROW, SNAKE = 174.0, 30.0, 290.0  # pixels beside a bar, of a name, and of a grid
LAST, ASIDE = 0.75, 0.42  # of a sentence, until pieces are there; of a pitch, to a way back
MOST_BESIDE, MOST_IN_RING = 16, 32  # steps whose outlines stay; ranks of a ring that is shown


Ways = tuple[tuple[tuple[float, float], ...], ...]  # hops through a grid, by column and row


class Rows(NamedTuple):
    """Bars below one that is the vector: where that begins, pixels of a part, a lane and a bar."""

    left: float
    top: float
    unit: float
    lane: float
    high: float

    def bar(self, row: int, start: int, part: int) -> Box:
        """A part of the vector, from another one on."""
        x, y = self.left + self.unit * start, self.top + row * self.lane
        return Box.between(x, y, x + self.unit * part, y + self.high)


class Partner(NamedTuple):
    """Who shares with rank 0 in a step, its words, and the chunks that go there and come back."""

    rank: int
    name: str
    sent: tuple[int, ...]
    came: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Pieces:
    """Under a bar for the vector what leaves a port, step below step, each beside the one before.

    parts: by step, as so many of `whole`. turn: the first step of the way back. sums, steps: by
    sentence the formula, and up to which step they come. obvious: the same of the obvious way,
    which comes first; its pieces stay as outlines. name: of the way that is the obvious one.
    starts: whether steps are what counts, so that each has an α.
    partners: who sends as much to rank 0 in each step. grids: ways through grids that the
    last sentence speaks of.
    """

    parts: tuple[int, ...]
    whole: int
    turn: int
    sums: tuple[str, ...]
    steps: tuple[int, ...]
    vector: str
    step: str
    obvious: Pieces | None = None
    name: str = ""
    starts: bool = False
    partners: tuple[Partner, ...] = ()
    grids: tuple[Ways, ...] = ()

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of a sentence: first of the obvious way, then of this one."""
        if self.obvious is None:
            return self._alone(room, item, time, len(self.parts))
        own, others = len(self.parts), len(self.obvious.parts)
        if item == 1:
            return self.obvious._alone(room, item, time, others)
        return self._alone(room, item - 1, time, own if others > MOST_BESIDE else max(own, others))

    def _alone(self, room: Box, item: int, time: float, lanes: int) -> Drawing:
        before, goal = (0, *self.steps)[item - 1 : item + 1]
        done = min(1.0, time / LAST)
        at = before + done * (goal - before)
        lane = min(LANE, (room.height - 250) / (lanes + 1))
        unit = (room.width - LABEL - 320) / self.whole
        rows = Rows(room.left + LABEL, room.top + 20, unit, lane, min(BAR, 0.7 * lane))
        whole = rows.bar(0, 0, self.whole)
        name = TextLine(self.vector, whole.right + 24, whole.bottom - 8, 34, "ink", "bold")
        drawing = Drawing((ColoredBox(whole, "well", 4, "ink", 2),), (), (name,))
        drawing += self._filled(rows, done if item == 2 else float(item > 2))
        if self.obvious and len(self.obvious.parts) <= lanes:
            drawing += self.obvious._outlines(rows, len(self.parts))
        for number in range(len(self.parts)):
            come = MOTION.eased(min(1.0, max(0.0, at - number)))
            drawing += self._row(rows, number, come, whole.right)
        source = self.sums[item - 1 if done == 1 else max(0, item - 2)]
        typeset = formula(source)
        size = min(LETTERS, room.width / typeset.width)
        one_by_one = f"«{len(self.parts)}|" in source  # else a term for equal parts
        lit = ceil(at) if one_by_one else len(list(groupby(self.parts[: ceil(at)])))
        x, y = room.x - typeset.width * size / 2, room.bottom - 70
        drawing += typeset.drawn(x, y, size, lambda term: "now" if term <= lit else "line")
        ways = self.grids if item == len(self.sums) else ()
        for place, hops in zip(room.rows(max(1, len(ways))), ways, strict=False):
            drawing += _through_grid(place, hops, ceil(done * len(hops)))
        return drawing

    def _filled(self, rows: Rows, grown: float) -> Drawing:
        """What the steps there send, each in its place in the vector, and what is missing."""
        ends = [(self._start(k), self._start(k) + part) for k, part in enumerate(self.parts)]
        sent = [partner.sent for partner in self.partners] or [(*range(*pair),) for pair in ends]
        taken = {*chain(*sent[: ceil(grown * self.turn)])}
        rest = {*range(self.whole)} - taken if grown == 1 else set[int]()
        looks = (taken, ("rank 0",)), (rest, ("well", 4, "now", 5))
        cells = [(rows.bar(0, k, 1), look) for chunks, look in looks for k in chunks]
        return Drawing(tuple(ColoredBox(cell, *look) for cell, look in cells))

    def _outlines(self, rows: Rows, below: int) -> Drawing:
        """Where the pieces were; the name stands beside the first that is below so many others."""
        bars = [rows.bar(k + 1, self._start(k), part) for k, part in enumerate(self.parts)]
        boxes, rest = (ColoredBox(bar, "well", 4, "edge", 2) for bar in bars), bars[below:]
        names = (TextLine(self.name, b.right + 18, b.bottom - 8, 30, "faint") for b in rest[:1])
        return Drawing(tuple(boxes), lines=tuple(names))

    def _row(self, rows: Rows, number: int, come: float, right: float) -> Drawing:
        """A step: its name, and what it sends on its way down from the vector."""
        part, lane, left = self.parts[number], rows.lane, rows.left
        bar = rows.bar(number + 1, self._start(number), part)
        base, y, lines = bar.bottom - 8, bar.y, list[TextLine]()
        if not number % ceil(ROW / lane):
            name = f"{self.step} {number + 1}"
            lines.append(TextLine(name, left - 64, base, 30, "faint", align="right"))
        if not come:
            return Drawing(lines=tuple(lines))
        begin = 0 if number < self.turn else len(self.parts) + 1  # what returns comes from below
        bar = replace(bar, y=y - (1 - come) * (number + 1 - begin) * lane)
        beside, tone = bar.right + 18, "now" if number >= self.turn else "rank 0"
        boxes = [ColoredBox(bar, tone, 4)]
        if self.partners:
            beside, partner = right + 24, self.partners[number]
            boxes, edge = self._shared(rows, number, bar, tone), f"rank {partner.rank}"
            x, ink = (beside, "wrong") if part == self.whole else (beside + NAME, edge)
            lines += [TextLine(partner.name, x, y + 10, 28, ink, "bold")] * (come == 1)
        if self.starts:
            boxes.append(ColoredBox(Box(left - 28, y, 44, rows.high), "wrong", 4))
            alpha = TextLine("α", left - 28, y + 10, 30, "background", "bold", "center")
            lines += [alpha] * (lane >= ROW)
        if come == 1 and lane >= ROW and part < self.whole:
            lines.append(TextLine(str(Fraction(part, self.whole)), beside, y + 10, 30, "ink"))
        return Drawing(tuple(boxes), (), tuple(lines))

    def _shared(self, rows: Rows, number: int, bar: Box, tone: str) -> list[ColoredBox]:
        """What comes in from the partner, and what rank 0 sends, each where it is in the vector.

        The same stand one above the other. bar: how far they have come.
        """
        rank, _, sent, came = self.partners[number]
        if self.parts[number] == self.whole:
            high, low = bar.rows(2)
            return [ColoredBox(low, "well", 4, "wrong", 4), ColoredBox(high, tone, 4)]
        looks = (came, ("well", 4, f"rank {rank}", 4)), (sent, (tone, 4))
        cells = [(rows.bar(number + 1, k, 1), look) for chunks, look in looks for k in chunks]
        return [ColoredBox(replace(cell, y=bar.y), *look) for cell, look in cells]

    def _start(self, number: int) -> int:
        """The first part of the vector that a step sends, each after the one before."""
        there = number < self.turn
        return sum(self.parts[:number] if there else self.parts[number + 1 :]) % self.whole


def halving_whys(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of what sends a half, a quarter … from every port, and perhaps the same on the way back."""
    if (counted := _counted(facts)) is None:
        return
    (parts, whole, half), n = counted, facts.ranks
    back = len(parts) > half
    shares = back and halves(parts[:half], n) and facts.recording.chunk_count == whole
    partners = _partners(facts, len(parts), tell) if shares else ()
    opening = _opening(facts, tell, parts[:half], whole, bool(partners))
    sentences = [opening, tell("pieces_all", last=f"1/{n}")]
    if back:
        sentences.append(_there_and_back(facts, tell, parts, half))
    sums = _sums(parts[:half], whole)[: len(sentences)]
    steps = (half, half, len(parts))[: len(sentences)]
    picture = Pieces(parts, whole, half, sums, steps, tell("pieces_vector"), tell.say.noun("step"))
    adds = back and not isinstance(facts.recording.structure, Torus)
    if way := _obvious(facts, tell, picture, adds):
        picture = replace(picture, partners=partners if adds else ())
        yield _after_obvious(facts, tell, sentences, picture, way)
    else:
        yield tell.why("pieces", sentences, picture, tell("pieces_aside", ranks=tell.ranks(n)))


def _there_and_back(facts: WhyFacts, tell: Teller, parts: Sequence[int], half: int) -> str:
    """How many steps that takes, and how a ring of all would; on a torus, by its loops."""
    n, laps = facts.ranks, [len(list(run)) for _, run in groupby(parts[:half])]
    around = isinstance(facts.recording.structure, Torus) and prod(lap + 1 for lap in laps) == n
    sizes = tell.say.listed([*dict.fromkeys(f"{lap + 1}" for lap in laps)])
    fields = {"sizes": sizes, "loops": " + ".join(map(str, laps)), "ranks": n, "lap": n - 1}
    return tell(f"pieces_back{'_loops' * around}", steps=len(parts), ring=2 * (n - 1), **fields)


def _counted(facts: WhyFacts) -> tuple[tuple[int, ...], int, int] | None:
    """What every port sends by step, as so many of a whole, and the steps before the way back.

    None of what does not fall step by step, or does not go back as it came.
    """
    n, recording = facts.ranks, facts.recording
    if n < FEWEST or recording.nodes > n or not facts.even:
        return None
    ports = {facts.port_bytes(rank) for rank in range(n)}
    name = recording.collective.name
    if len(ports) > 1 or name not in PROMISED:
        return None
    sent = ports.pop()
    whole = recording.chunk_count if recording.chunk_count % n == 0 else n
    unit, rest = divmod(facts.size, whole)
    if rest or any(number % unit for number in sent):
        return None
    parts = tuple(number // unit for number in sent)
    half = len(parts) // 2 if name == "all_reduce" else len(parts)
    there, back = parts[:half], parts[half:]
    falling = there[::-1] if name == "all_gather" else there
    return (parts, whole, half) if back in ((), there[::-1]) and falls(falling, whole, n) else None


def _opening(
    facts: WhyFacts, tell: Teller, there: Sequence[int], whole: int, partners: bool
) -> str:
    """What the steps of the way there send; partners: whether two share what is left."""
    gathers = facts.recording.collective.name == "all_gather"
    if whole == facts.ranks and halves(there[::-1] if gathers else there, whole):
        key = "double" if gathers else f"halve{'_there' * partners}"
        return tell(f"pieces_{key}", steps=tell.count(len(there)))
    runs = [(len(list(run)), Fraction(part, whole)) for part, run in groupby(there)]
    texts = [tell.say(f"why.pieces_run{'s' * (k > 1)}", count=k, part=part) for k, part in runs]
    capped = gathers and 1 < there[-1] < 2 * there[-2] and len(runs) == len(there)
    listed = tell.say("why.pieces_then").join(texts[: -1 if capped else None])
    return tell(f"pieces_{'capped' if capped else 'all_runs'}", runs=listed, last=texts[-1])


def _sums(there: Sequence[int], whole: int) -> tuple[str, ...]:
    """The formulas of the parts of the way there, of their sum, and of both ways."""
    runs = [(len(list(run)), Fraction(part, whole)) for part, run in groupby(there)]
    added = [f"{count} dot " * (count > 1) + _term(part) for count, part in runs]
    counted = "+".join(f"«{k}|{each}»" for k, each in enumerate(added, 1))
    share = "frac(N - 1, N) S"
    return counted, f"{'+'.join(added)} = «1|{share}»", f"«1|2» {share}"


def _after_obvious(
    facts: WhyFacts, tell: Teller, sentences: list[str], picture: Pieces, way: Pieces
) -> Why:
    """The obvious way first, which is slow by its bytes or by its steps, then why this is less."""
    n, structure, steps = facts.ranks, facts.recording.structure, len(picture.parts)
    gathers, key = facts.recording.collective.name == "all_gather", "doubling"
    if way.starts:
        key = "snake" if n % 2 == 0 and isinstance(structure, Torus) else "ring"
        fewer = f"«1|{steps}» alpha < {way.steps[0]} alpha"
        picture = replace(picture, sums=(*picture.sums[:-1], fewer), starts=True)
    if key == "ring" and picture.turn == steps:
        fields = {"part": Fraction(sum(picture.parts), picture.whole), "steps": tell.count(steps)}
        sentences[-1] = tell("pieces_less", **fields, ring=tell.count(way.steps[0]))
    need = tell(f"pieces_{key}", number=tell.count(len(way.parts)), part=f"1/{n}")
    if isinstance(structure, Torus):
        ways = _ways(*structure.shape)
        way = replace(way, grids=ways[:1])
        picture = replace(picture, grids=ways[1:] * (picture.turn < steps))
    picture, before, turn = replace(picture, obvious=way), 1, (0, "", "")
    sentences = [need, *sentences]
    joined = Joined(tuple((picture, item) for item, _ in enumerate(sentences, 1)))
    hops = hops_of(facts.recording) if gathers else []
    if hops and [hop for hop, _ in hops] == [2**step for step in range(len(hops))]:
        ring = _windows(n, hops, tell)
        came = numbers([len(chunks) for _, chunks in hops])
        sentences[1:1] = [tell("pieces_outside"), tell("pieces_farther", numbers=came)]
        two = replace(ring, steps=ring.steps[:2])  # enough to see who has what is missing
        joined = Joined(((picture, 1), (two, OUTSIDE), (ring, DISTANCES), *joined.parts[1:]))
        before, turn = 3, (2, tell("pieces_turn"), tell("pieces_turn_aside", rank=tell.rank(0)))
    aside = tell(f"pieces_aside{'_rank' * bool(picture.partners)}", ranks=tell.ranks(n))
    return replace(tell.why("pieces", sentences, joined, aside, before, idea=before > 1), turn=turn)


def _ways(*shape: int) -> tuple[Ways, ...]:
    """Through a grid with an even number of rows: a ring to and fro, a loop of each kind, a snake.

    Each is its hops, between a column and row and the next.

    >>> [len(hops) for hops in _ways(2, 4)], _ways(2, 2, 2)
    ([8, 4, 7], ())
    """
    if len(shape) != 2 or shape[0] % 2:
        return ()
    rows = [[(column, row) for column in range(shape[1])] for row in range(shape[0])]
    snake = [*pairwise(seat for row in rows for seat in row[:: 1 - 2 * (row[0][1] % 2)])]
    closing = rows[-1][0], (-ASIDE, shape[0] - 1), (-ASIDE, 0), rows[0][0]
    return (*snake, closing), (*pairwise(rows[0]), *pairwise(row[0] for row in rows)), (*snake,)


def _through_grid(room: Box, hops: Ways, count: int) -> Drawing:
    """The ranks of a grid at the right of a room, and the first hops of a way through them."""
    columns, rows = (1 + max(axis) for axis in zip(*chain(*hops), strict=True))
    pitch = min(SNAKE, 0.6 * room.height) / max(columns, rows)
    left, top = room.right - (columns - 0.5) * pitch, room.y - (rows - 1) / 2 * pitch
    ways = [[(left + x * pitch, top + y * pitch) for x, y in hop] for hop in hops[:count]]
    seats = product(range(int(columns)), range(int(rows)))
    cards = (Box(left + x * pitch, top + y * pitch, 0.5 * pitch, 0.5 * pitch) for x, y in seats)
    boxes = tuple(ColoredBox(card, "panel", 6, "ink", 3) for card in cards)
    return Drawing(strokes=tuple(Stroke(tuple(way), "now", 8) for way in ways)) + Drawing(boxes)


def _windows(ranks: int, hops: Hops, tell: Teller) -> GrowingSum:
    """Step by step what rank 0 has on a ring of chunks, and what comes from just outside of it."""
    own, steps = frozenset({0}), list[RingStep]()
    for hop, chunks in hops:
        steps.append(RingStep((), 1, 0, Fraction(), hop, own, frozenset(chunks)))
        own |= steps[-1].partner
    return GrowingSum(ranks, tuple(steps), tell.say("stage.distance"))


def ring_starts(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of an all-reduce in fewer steps than a ring: what a ring sends, before the steps."""
    n = facts.ranks
    texts = tell("pieces_vector"), tell.say.noun("step")
    if way := _obvious(facts, tell, Pieces((), n, 0, (), (), *texts), False):
        need = tell("pieces_ring", number=tell.count(len(way.parts)), part=f"1/{n}")
        yield tell.why("pieces", [need], way, tell("pieces_aside", ranks=tell.ranks(n)), 1)


def _obvious(facts: WhyFacts, tell: Teller, picture: Pieces, adds: bool) -> Pieces | None:
    """The doubling of an all-reduce where it adds whole vectors, else a ring."""
    n, both = facts.ranks, facts.recording.collective.name == "all_reduce"
    if not adds and n > MOST_IN_RING:
        return None
    way = again(facts.recording, "recursive_doubling" if adds else "ring", n)
    ports = {WhyFacts(way).port_bytes(rank) for rank in range(n)} if way else set()
    if len(ports) != 1 or {*(sent := ports.pop())} != {facts.size // (1 if adds else n)}:
        return None
    count, whole = len(sent), picture.whole
    terms = " + ".join(f"«{number}|S»" for number in range(1, count + 1))
    source = f"{terms} = «{count}|{count} S»" if adds else f"«{count}|{count} alpha»"
    part = whole if adds else whole // n
    turn = count // 2 if both and not adds else count
    names = picture.vector, picture.step, None, "" if adds else tell("rival_ring"), not adds
    partners = _partners(WhyFacts(way), count, tell) if adds and way else ()
    return Pieces((part,) * count, whole, turn, (source,), (count,), *names, partners)


def _partners(facts: WhyFacts, steps: int, tell: Teller) -> tuple[Partner, ...]:
    """Partners of rank 0 in these steps, if each has rank 0 as its partner; else none."""
    every = list[Partner]()
    for step, sent in enumerate(facts.sends[0][:steps]):
        back = facts.sends[sent.to[0]][step] if sent and len(sent.to) == 1 else None
        if sent and back and back.to == (0,):
            rank, kind = sent.to[0], "same" if sent.bytes == facts.size else "partner"
            name = tell(f"pieces_{kind}", rank=rank)
            every.append(Partner(rank, name, sent.numbers, back.numbers))
    return tuple(every) if len(every) == steps else ()


def falls(parts: Sequence[int], whole: int, ranks: int) -> bool:
    """Whether no part is larger than the one before, some is smaller, and only a rank's is missing.

    >>> falls([4, 4, 1], 10, 10), falls([3, 3], 7, 7), falls([2, 3], 6, 6)
    (True, False, False)
    """
    lacks = (whole - sum(parts)) * ranks == whole
    return lacks and [*parts] == sorted(parts)[::-1] and parts[0] > parts[-1]


def _term(part: Fraction) -> str:
    """A part of the vector, in Typst."""
    top = "S" if part.numerator == 1 else f"{part.numerator} S"
    return f"frac({top}, {part.denominator})"


def halves(parts: Sequence[int], ranks: int) -> bool:
    """Whether parts of a vector of so many are a half, a quarter, and so on down to one.

    >>> halves([4, 2, 1], 8), halves([4, 2], 8), halves([3, 2, 1], 6)
    (True, False, False)
    """
    steps = enumerate(parts, 1)
    halved = all(part == ranks >> step and ranks == part << step for step, part in steps)
    return halved and len(parts) > 1 and parts[-1] == 1
