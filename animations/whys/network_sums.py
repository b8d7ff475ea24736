"""Why a switch adds: pieces meet there once, so a port passes fewer than where it only forwards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from itertools import accumulate
from math import ceil, cos, sin, tau

import numpy as np

from animations.drawing.drawing import Drawing
from animations.drawing.glyphs import line_within
from animations.drawing.shapes import MOTION, Box, ColoredBox, Point, Stroke, TextLine
from animations.stages.group_plan import plans
from animations.stages.tower import Tower
from animations.whys.sends import WhyFacts, again
from animations.whys.spread import MOST_DRAWN, Spread, StepsReached
from animations.whys.teller import Teller
from animations.whys.waves import wave_whys
from animations.whys.why import GrowingPicture, Joined, Why
from collectives.algorithms.in_network import switch_tree
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.structure import Groups, Switches
from collectives.units import number_text, size_text

LAST = 0.88  # of a sentence, in which data moves
ROW, ROWS = 180.0, 360.0  # pixels of a row, and of all at most
FLATTER, BESIDE = 60.0, 44.0  # pixels that rows leave to nodes; from ranks to a way between
SIGNS, RESULT, DOT = 110.0, 420.0, 26.0  # pixels for names of lanes, a count, and what flies
ASIDE = 0.7 * DOT  # from a line, on which data goes both ways at once
KNOT, BENEATH = 92.0, 70.0  # pixels of a chunk at one of many nodes, and below all of them
SMALL, FIGURE = 28.0, 44.0  # pixels of letters
WAVES = 8  # of chunks, one after another, where it is shown what goes up and down at once
NODES = 8  # nodes between which trees are set beside a ring
NO_FIGURE = "", False  # of a sentence: nothing in place of a count, and its row not drawn on
Row = tuple[str, "PortTraffic", int]


@dataclass(frozen=True)
class SlotFlight:
    """A slot on its way to a node, and whose data it is.

    turn: its place among those that share its port, of `turns`. part: of the vector.
    """

    src: int
    dst: int
    slot: int
    held: tuple[int, ...]
    adds: bool
    turn: int
    turns: int
    part: Fraction

    def way(self, time: float) -> float:
        """How much of its way is behind it at a time of its step."""
        return min(1.0, max(0.0, (time * (self.turns + 1) - self.turn) / 2))


@dataclass(frozen=True, eq=False)
class PortTraffic:
    """What an algorithm sends step by step; inner: the ranks behind the port that is looked at.

    before: by step whose data is in which slot of which node.
    """

    inner: tuple[int, ...]
    before: tuple[tuple[tuple[tuple[int, ...], ...], ...], ...]
    steps: tuple[tuple[SlotFlight, ...], ...]

    def port(self, step: int, end: int) -> list[SlotFlight]:
        """What goes out by the port in a step (end 0), or comes in (end 1), in order."""
        ways = ((row, row.src in self.inner, row.dst in self.inner) for row in self.steps[step])
        mine = [row for row, begins, ends in ways if (begins, ends) == (not end, bool(end))]
        return sorted(mine, key=lambda row: row.turn)

    def passed(self, end: int, step: int, within: float) -> list[SlotFlight]:
        """What has gone out by the port, or has come in, at a time of a step."""
        steps = [(1.0, self.port(place, end)) for place in range(min(step, len(self.steps)))]
        if step < len(self.steps):
            steps.append((within, self.port(step, end)))
        return [row for time, sent in steps for row in sent if row.way(time) > (0, 0.99)[end]]

    @cached_property
    def busier(self) -> Fraction:
        """Vectors that pass the port in the busier way."""
        steps = range(len(self.steps))
        ways = ([row.part for step in steps for row in self.port(step, end)] for end in (0, 1))
        return max(sum(parts, Fraction()) for parts in ways)

    def again_up(self, ranks: int) -> Fraction:
        """How much of the vector goes out by the port once it is finished, as of so many ranks."""
        sent = self.passed(0, len(self.steps), 0.0)
        return sum((row.part for row in sent if len(row.held) == ranks), Fraction())

    def among(self, links: Callable[[int, int], bool]) -> PortTraffic:
        """What of it passes links between some nodes."""
        steps = (tuple(row for row in rows if links(row.src, row.dst)) for rows in self.steps)
        return replace(self, steps=tuple(steps))


@dataclass(frozen=True)
class NodeHops:
    """The hops of one chunk between nodes, by step: first to its sum, then back to all.

    busiest: the node of whose GPUs one sends most. sent: parts of a GPU, after each step, by it.
    """

    nodes: int
    steps: tuple[tuple[tuple[int, int], ...], ...]
    tree: bool
    busiest: int
    sent: tuple[Fraction, ...]

    def seats(self, room: Box) -> list[Box]:
        """Where nodes are: those of a tree at their levels, others round a circle."""
        depths, half = [0] * self.nodes, len(self.steps) // 2
        for node, above in [hop for step in self.steps[:half][::-1] for hop in step]:
            depths[node] = depths[above] + 1
        turns, radius = [tau * node / self.nodes for node in range(self.nodes)], room.height / 2
        at = [(room.x + radius * sin(turn), room.y - radius * cos(turn)) for turn in turns]
        if self.tree:
            wide, rise = room.width / (self.nodes - 1), room.height / max(depths)
            at = [(room.left + k * wide, room.top + deep * rise) for k, deep in enumerate(depths)]
        return [Box(*place, KNOT, KNOT) for place in at]

    def held(self, steps: int) -> list[tuple[int, ...]]:
        """Whose data the chunk has at each node after so many steps."""
        held = [{node} for node in range(self.nodes)]
        for step in self.steps[:steps]:
            before = [{*data} for data in held]
            for src, dst in step:
                held[dst] |= before[src]
        return [tuple(sorted(data)) for data in held]

    def drawn(self, room: Box, taken: float, label: str, *marked: int) -> Drawing:
        """The chunk at each node, and on its way, after so many steps; and a label below."""
        low = room.bottom - BENEATH - KNOT / 2
        seats = self.seats(Box.between(room.left, room.top + KNOT / 2, room.right, low))
        done, held = int(taken), self.held(int(taken))
        at = [(seat.x, seat.y) for seat in seats]
        strokes = [Stroke((at[a], at[b]), "edge", 4) for step in self.steps for a, b in step]
        small = [Box(*place, 0.6 * KNOT, 0.6 * KNOT) for place in at]
        way, chunks = 0.2 + 0.6 * MOTION.eased(taken - done), [*zip(seats, held, strict=True)]
        flying = self.steps[done] if taken > done else ()
        chunks += [(small[src].toward(small[dst], way), held[src]) for src, dst in flying]
        boxes = list[ColoredBox]()
        for place, data in chunks:
            boxes += striped(place, data, range(self.nodes), len(data) == self.nodes)
            boxes.append(ColoredBox(place, "", 3, "edge", 2))
        frames = (Box(*at[node], KNOT + 20, KNOT + 20) for node in marked)
        boxes += [ColoredBox(frame, "", 3, "now", 6) for frame in frames]
        line = TextLine(label, room.x, room.bottom - 4, FIGURE, "now", "bold", "center")
        return Drawing(tuple(boxes), tuple(strokes), (line,))


@dataclass(frozen=True, eq=False)
class HopsBeside:
    """Hops between nodes, of two schedules side by side: to the first sum, then to the end.

    Then again beside what the busiest GPU sends. share: bytes that a GPU adds up.
    """

    tell: Teller
    between: tuple[NodeHops, ...]
    share: Fraction

    @property
    def totals(self) -> list[str]:
        """What a GPU sends at most, in each of them."""
        return [self.size(hops.sent[-1]) for hops in self.between]

    def size(self, parts: Fraction) -> str:
        """So many parts of a GPU, in bytes."""
        return self.tell.decimal(size_text(round(parts * self.share), binary=True))

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """Up to the last step of those that take the fewest, then the other ones go on."""
        fewest, end = sorted(len(hops.steps) for hops in self.between)
        moments = (0.0, 1.0, 1.5, 2.0), (0.0, fewest / 2, fewest, end)
        taken = float(np.interp(item - 1 + min(1.0, time / LAST), *moments))
        drawing = Drawing()
        for hops, side in zip(self.between, (-0.25, 0.25), strict=True):
            box = Box(room.x + side * room.width, room.y, 0.42 * room.width, room.height)
            own, marked = min(taken, len(hops.steps)), [hops.busiest] * (item > 2)
            parts = (hops.nodes, "node"), (int(own), "step")
            label = ", ".join(self.tell.say.plural(*part) for part in parts)
            if marked:
                own = min(1.0, time / LAST) * len(hops.steps)
                label = f"↑ {self.size(hops.sent[int(own)])}"
            drawing += hops.drawn(box, own, label, *marked)
        return drawing


@dataclass(frozen=True, eq=False)
class NetworkSum:
    """Ranks below their switches; below them what passes the port of a rank, in rows.

    whole: ranks whose data a finished slot has. rows: the name of each, what passes, and the
    traffic with which it grows; whole beside others. parts: of each sentence some traffic and its
    steps from one to another. size: bytes of the vector, where parts of it are said in bytes.
    beside: of each sentence which rows are there; none: the first, and that of its traffic.
    figures: of sentences, what stands beside the row instead of its count, and whether the row is
    drawn on as if as much had passed as in the first one. sorting: the sentence in which finished
    slots that went up move to the end of their lane. longest: vectors of the longest row, where
    that is beside the picture.
    """

    tell: Teller
    parent: tuple[int, ...]
    whole: int
    traffic: tuple[PortTraffic, ...]
    rows: tuple[Row, ...]
    parts: tuple[tuple[int, int, int], ...]
    size: int = 0
    beside: tuple[tuple[int, ...], ...] = ()
    figures: Mapping[int, tuple[str, bool]] = field(default_factory=dict)
    sorting: int = 0
    longest: float = 0.0

    @property
    def ranks(self) -> int:
        """How many ranks there are: switches are numbered after them."""
        return min(above for above in self.parent if above >= 0)

    def _seats(self, scene: Box) -> dict[int, Box]:
        """Where ranks and switches are: in nodes as while it runs, else below each other."""
        if self.parent.count(-1) == 1:
            return Tower(self.parent).boxes(scene) or {}
        switches = range(self.ranks, len(self.parent))
        racks = tuple(((*Tower(self.parent).leaves(node), node),) for node in switches)
        plan = plans(scene, racks, nested=False, switched=True, busy=False)[0]
        cards = (zip(node, plan.cards(k, 0), strict=True) for k, (node,) in enumerate(racks))
        return {member: box for pairs in cards for member, box in pairs}

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of a sentence."""
        (chosen, first, end), part = self.parts[item - 1], min(1.0, time / LAST)
        traffic = self.traffic[chosen]
        lanes = max([min(2, len(self.rows)), *map(len, self.beside)])
        high = min(ROWS, ROW * lanes) - FLATTER * (self.parent.count(-1) > 1)
        seats = self._seats(Box.between(room.left, room.top - 30, room.right, room.bottom - high))
        step, within = divmod(first + part * (end - first), 1.0)
        drawing = self._scene(seats, traffic, int(step), within)
        lower = Box.between(room.left, room.bottom - high, room.right, room.bottom)
        beside = self.beside[item - 1] if self.beside else sorted({0, chosen})
        rows = [self.rows[k] for k in beside]
        widest = self.longest or max(float(row[1].busier) for row in rows)  # at one scale
        for place, row in zip(lower.rows(lanes), rows, strict=False):
            ended = row[2] != chosen
            progress = MOTION.eased(part) * (item == self.sorting)
            moment = (len(row[1].steps), 0.0, 0.0) if ended else (step, within, progress)
            mine = [k for k in range(1, item) if self.parts[k - 1][0] == row[2]]
            figure, further = self.figures.get(max(mine, default=0) if ended else item, NO_FIGURE)
            before = self.figures.get(item - 1, NO_FIGURE)
            grown = 1.0 if before[1] or not further else part
            figure = figure if grown == 1 else before[0]  # it is of the whole row
            drawing += self._row(place, row, widest, moment, figure)
            if further:
                drawing += self._as_if(place, row[1], widest, grown)
        return drawing

    def _scene(
        self, seats: dict[int, Box], traffic: PortTraffic, step: int, within: float
    ) -> Drawing:
        """All nodes with their cells, and what is on its way between them."""
        boxes, strokes, lines = list[ColoredBox](), list[Stroke](), list[TextLine]()
        sums = any(row.adds and row.dst >= self.ranks for rows in traffic.steps for row in rows)
        for node, above in enumerate(self.parent):
            if above >= 0:
                rank, switch = seats[node], seats[above]
                ends = (rank.x, _edge(rank, switch.y)), (rank.x, _edge(switch, rank.y))
                is_counted = {*Tower(self.parent).leaves(node)} == {*traffic.inner}
                strokes.append(Stroke(ends, *(("now", 10) if is_counted else ("link", 4))))
        cells = [list(slots) for slots in traffic.before[step]]
        flights = traffic.steps[step] if step < len(traffic.steps) else ()
        for row in flights:
            if row.way(within) >= 1:
                old = cells[row.dst][row.slot] if row.adds else ()
                cells[row.dst][row.slot] = tuple(sorted({*old, *row.held}))
        for node, seat in seats.items():
            is_rank = node < self.ranks
            tone, left = f"rank {node}" if is_rank else "ink", seat.left + 14
            boxes.append(ColoredBox(seat, "panel", 12, tone, 3))
            name, at = str(node) if is_rank else "Σ" * sums, (left, seat.top + 34)
            lines.append(TextLine(name, *at, SMALL, tone, "bold"))
            beside = not is_rank or self.parent.count(-1) > 1
            left += 48 * beside
            slots = cells[node] if node < len(cells) else []
            wide, top = (seat.right - 14 - left) / max(1, len(slots)), 14 if beside else 46
            for slot, held in enumerate(slots):
                x = left + slot * wide
                cell = Box.between(x, seat.top + top, x + 0.86 * wide, seat.bottom - 12)
                boxes += self._cell(cell, held)
        boxes += [box for row in flights for box in self._flying(seats, row, within)]
        return Drawing(tuple(boxes), tuple(strokes), tuple(lines))

    def _cell(self, box: Box, held: tuple[int, ...]) -> list[ColoredBox]:
        """A slot with a stripe for each rank in it; one tone where it is whole."""
        rows = [*held] if box.height <= DOT or self.whole == 1 else [*range(self.ranks)]
        return striped(box, held, rows, len(held) == self.whole > 1)

    def _flying(self, seats: dict[int, Box], row: SlotFlight, time: float) -> list[ColoredBox]:
        """A slot between its nodes, at a time of its step: upright, sideways, and upright."""
        if not 0 < row.way(time) < 1:
            return []
        a, b = seats[row.src], seats[row.dst]
        x = a.x - ASIDE if self.parent[row.src] == row.dst else b.x + ASIDE
        points = [(x, _edge(a, b.y)), (x, _edge(b, a.y))]
        if max(row.src, row.dst) < self.ranks:
            points = self._sideways(seats, row.src, row.dst)
        xs, ys = np.array(points).T
        gone = np.concatenate([[0.0], np.cumsum(np.abs(np.diff(xs)) + np.abs(np.diff(ys)))])
        way = MOTION.eased(row.way(time)) * gone[-1]
        box = Box(float(np.interp(way, gone, xs)), float(np.interp(way, gone, ys)), DOT, DOT)
        return self._cell(box, row.held)

    def _sideways(self, seats: dict[int, Box], src: int, dst: int) -> list[Point]:
        """From a rank to another: through the lowest switch above both, else between nodes."""
        a, b, tower = seats[src], seats[dst], Tower(self.parent)
        hubs = [k for k in seats if k >= self.ranks and {src, dst} <= {*tower.leaves(k)}]
        if hubs:
            y = seats[min(hubs)].y
            ends = _edge(a, y), _edge(b, y)
        else:  # on the sides away from their switches
            above = [seats[self.parent[node]].y for node in (src, dst)]
            ends = _edge(a, 2 * a.y - above[0]), _edge(b, 2 * b.y - above[1])
            y = sum(ends) / 2 + (ends[0] == ends[1]) * (BESIDE if above[0] < a.y else -BESIDE)
        return [(a.x, ends[0]), (a.x, y), (b.x, y), (b.x, ends[1])]

    def _row(
        self, room: Box, row: Row, widest: float, moment: tuple[float, ...], figure: str
    ) -> Drawing:
        """Both lanes of the port: what passed them so far, end to end; a figure, or its count.

        widest: vectors of the longest row. moment: step, time in it, and how far finished slots
        have moved to the end.
        """
        (name, traffic, scene), step = row, int(moment[0])
        tone = "now" if scene > 0 else "ink"
        result = min(RESULT, 0.35 * room.width)
        unit = (room.width - SIGNS - result) / widest
        high, boxes = (room.height - 64) / 2, list[ColoredBox]()
        top, counts = room.top + 52, [Fraction(), Fraction()]
        lines = [TextLine(name, room.left, room.top + 38, SMALL, tone, "bold")]
        for end, sign in enumerate("↑↓"):
            y, passed = top + (end + 0.5) * high, traffic.passed(end, step, moment[1])
            lines.append(TextLine(sign, room.left, y + 10, min(FIGURE, 0.9 * high), "faint"))
            wide = unit * np.array([float(sent.part) for sent in passed])
            sums = np.array([len(sent.held) == self.whole > 1 for sent in passed], np.bool_)
            order, last = np.argsort(sums, kind="stable"), wide / 2
            last[order] = np.cumsum(wide[order]) - wide[order] / 2
            first = np.cumsum(wide) - wide / 2
            middles = room.left + SIGNS + first + moment[2] * (not end) * (last - first)
            if self.whole == 1 and not end:
                lines += _by_step(room, traffic, unit, len(passed))
            for sent, is_sum, x, width in zip(passed, sums, middles, wide, strict=True):
                counts[int(is_sum)] += sent.part * (not end)
                ink = "complete" if is_sum else f"rank {sent.held[0]}"
                boxes.append(ColoredBox(Box(float(x), y, float(width) - 3, high - 4), ink, 3))
        text = " + ".join(str(count) for count in counts if count)
        total = self.tell.figure(round(float(sum(counts)), 3))
        if self.size and text:
            text = self.tell.decimal(size_text(round(sum(counts) * self.size), binary=True))
        elif step == len(traffic.steps) and text != total:
            text = f"{text} = {total}"
        at = room.right - result + 36, top + high + 14
        lines.append(line_within(result - 40, (FIGURE, SMALL), figure or text, *at, tone, "bold"))
        return Drawing(tuple(boxes), (), tuple(lines))

    def _as_if(self, room: Box, traffic: PortTraffic, widest: float, part: float) -> Drawing:
        """Outlines of what the first row has more, one after another."""
        high, boxes = (room.height - 64) / 2, list[ColoredBox]()
        unit = (room.width - SIGNS - min(RESULT, 0.35 * room.width)) / widest
        piece = traffic.steps[0][0].part
        left = room.left + SIGNS + unit * float(traffic.busier)
        count, wide = (self.traffic[0].busier - traffic.busier) / piece, unit * float(piece)
        for place in range(ceil(part * count)):
            for end in (0, 1):
                y = room.top + 52 + (end + 0.5) * high
                box = Box(left + (place + 0.5) * wide, y, wide - 7, high - 8)
                boxes.append(ColoredBox(box, "", 3, "wrong", 4))
        return Drawing(boxes=tuple(boxes))


def _by_step(room: Box, traffic: PortTraffic, unit: float, passed: int) -> Iterator[TextLine]:
    """How many chunks go out by the port in each step, above them where there is room."""
    counts = [len(traffic.port(k, 0)) for k in range(len(traffic.steps))]
    chunk, left = unit * float(traffic.steps[0][0].part), room.left + SIGNS
    for count, end in zip(counts, accumulate(counts), strict=True):
        x, roomy = left + chunk * (end - count / 2), chunk * count > SMALL / 2
        text = f"{count}" * (roomy and end <= passed)
        yield TextLine(text, x, room.top + 38, SMALL, "ink", "bold", "center")


def _edge(box: Box, toward: float) -> float:
    """The height of the upper or the lower side of a box, as this is toward a height."""
    return box.top if toward < box.y else box.bottom


def striped(box: Box, held: Sequence[int], rows: Sequence[int], whole: bool) -> list[ColoredBox]:
    """A slot with a stripe for each of those whose data it has, in its row; one tone if whole."""
    if whole:
        return [ColoredBox(box, "complete", 3)]
    stripes = zip(rows, box.rows(max(1, len(rows))), strict=False)
    drawn = [ColoredBox(stripe, f"rank {number}") for number, stripe in stripes if number in held]
    return [ColoredBox(box, "well", 3), *drawn]


def traffic_of(facts: WhyFacts, *inner: int, rings: int = 1) -> PortTraffic:
    """What a recording sends; what one rank sends to several goes out in turn.

    rings: among which the vector is shared, where it is one of several.
    """
    recording, n = facts.recording, facts.ranks
    steps = list[tuple[SlotFlight, ...]]()
    for place in facts.moving:
        rows, held = recording.steps[place].unrolled(), recording.contributors(place)
        columns = rows.src, rows.dst, rows.chunk, rows.into, rows.reduces
        every = list(zip(*(column.tolist() for column in columns), strict=True))
        flights = []
        for src, dst, chunk, into, adds in every:
            mates = [row[1:3] for row in every if row[0] == src and (src < n or row[1] == dst)]
            mates.sort(key=lambda pair: ((pair[0] - src) % n, pair[1]))
            whose = tuple(np.flatnonzero(held[src, chunk]).tolist())
            part = Fraction(int(recording.sizes(place)[src, chunk]), rings * recording.count)
            turn = mates.index((dst, chunk))
            flights.append(SlotFlight(src, dst, into, whose, adds, turn, len(mates), part))
        steps.append(tuple(flights))
    states = tuple(
        tuple(tuple(tuple(np.flatnonzero(slot).tolist()) for slot in slots) for slots in held)
        for held in map(recording.contributors, facts.ends)
    )
    return PortTraffic(inner or (0,), states, tuple(steps))


def network_whys(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of an all-reduce whose sums are made in switches, where that is less for each port."""
    structure, n, name = facts.recording.structure, facts.ranks, facts.recording.collective.name
    adds = any(sent.adds and dst >= n for _, dst, _, sent in facts.hops)
    if name != "all_reduce" or not adds or not 3 <= n <= MOST_DRAWN or not facts.even:
        return
    if isinstance(structure, Groups):
        yield from _of_nodes(facts, tell, structure)
    elif isinstance(structure, Switches):
        yield from _of_switches(facts, tell, structure)


def _of_switches(facts: WhyFacts, tell: Teller, switches: Switches) -> Iterator[Why]:
    """Switches above all ranks, beside switches that only forward."""
    recording, n = facts.recording, facts.ranks
    rival, own = again(recording, "two-shot", n), traffic_of(facts)
    few = recording.chunk_count < n
    if few or (recording.chunk_count == n and own.again_up(n)):  # of one wave, or of few chunks
        chunks = WAVES * (1 + few)
        waves = again(recording, recording.algorithm, n, chunks * n, chunks=chunks)
        own = traffic_of(WhyFacts(waves or recording))
    port, alone = recording.bytes_busiest_port / facts.size, 2 * (n - 1) / n
    if rival is None or port >= alone:
        return
    end, first = len(own.steps), len(own.port(0, 0))
    got = next(step for step in range(end) if len(own.port(step, 1)) >= first)
    fields = {"port": number_text(port), "alone": number_text(alone), "number": tell.count(n - 1)}
    sentences = [tell(f"network_{key}", **fields) for key in ("forward", "return", "up", "less")]
    traffic = traffic_of(WhyFacts(rival)), own
    parts = [(0, 0, 1), (0, 1, 2), (1, 0, got), (1, got, end)]
    if again_up := own.again_up(n):
        sentences.append(tell("network_again", part=str(again_up)))
        parts.append((1, end, end))
    rows = (tell("network_forwards"), traffic[0], 0), (tell("stages_add"), own, 1)
    sums = NetworkSum(tell, switches.parent, n, traffic, rows, tuple(parts))
    picture = replace(sums, sorting=len(parts) * bool(again_up))
    yield tell.why("network", sentences, picture, tell.ranks(n), 2)
    if recording.chunk_count > 1:
        yield from wave_whys(facts, tell, 1)


def _of_nodes(facts: WhyFacts, tell: Teller, groups: Groups) -> Iterator[Why]:
    """Nodes with a switch each, and a network between them."""
    n, parent = facts.ranks, [-1] * facts.recording.nodes
    for *ranks, switch in groups.members:
        for rank in ranks:
            parent[rank] = switch
    gpus, ring = len(groups.members[0]) - 1, again(facts.recording, "ring", n, n)
    nodes = again(facts.recording, "hierarchical", n, n, gpus=gpus)  # of equal chunks
    own = _busiest_between(traffic_of(facts), n)
    near, between = own.among(lambda a, b: max(a, b) >= n), own.among(lambda a, b: max(a, b) < n)
    across = [k for k, rows in enumerate(between.steps) if rows]
    if ring is None or nodes is None or not across:
        return
    flat = traffic_of(WhyFacts(ring), *groups.members[0][:-1], rings=gpus)
    inner = traffic_of(WhyFacts(nodes)).among(lambda a, b: a // gpus == b // gpus)
    if near.busier >= inner.busier:  # of few GPUs a node: no byte is saved inside
        return
    named = {"inside": near, "between": between, "alone": flat, "rings": inner}
    fields = {k: size_text(round(of.busier * facts.size), binary=True) for k, of in named.items()}
    fields |= {"part": f"1/{gpus}", "steps": str(len(flat.steps)), "far": str(len(across))}
    two, beside = len(groups.members) == 2, _tree_beside_ring(tell, Fraction(facts.size, gpus))
    tree, lap = (len(hops.steps) for hops in beside.between)
    crossing = ("pair", "climb", "many", "cost") if two else ("tree",)
    keys = "ring", "border", "node", *crossing, "copies"
    counts = {"gpus": gpus, "nodes": NODES, "up": tree // 2, "trees": tree, "ring": lap}
    fields |= dict(zip(("most", "lap"), beside.totals, strict=True))
    sentences = [tell(f"network_{key}", **fields, **counts) for key in keys]
    flows, names = (flat, between, inner, near), ("by_ring", "between", "in_node", "nvlink")
    kinds = zip(names, flows, (0, 1, -1, 1), strict=True)
    rows = tuple((tell(f"network_{key}", gpus=gpus), flow, turn) for key, flow, turn in kinds)
    mid, first, last = len(flat.steps) // 2, across[0], across[-1] + 1
    parts = (0, 0, mid), (0, mid, 2 * mid), (1, 0, first), (1, first, last), (1, last, facts.steps)
    pairs = (0,), (0,), (0, 1), (0, 1), (2, 3)
    picture = NetworkSum(tell, tuple(parent), n, (flat, own), rows, parts, facts.size, pairs)
    turns: list[tuple[GrowingPicture, int]] = [(picture, item) for item in range(1, 6)]
    turns[4:4] = [(beside, item) for item in (1, 2, 3)] * two
    yield tell.why("nodes", sentences, Joined(tuple(turns)), tell.ranks(n), 2)


def _busiest_between(traffic: PortTraffic, ranks: int) -> PortTraffic:
    """The same behind the port of the rank that sends most to other nodes."""
    sent = [Fraction()] * ranks
    for row in (row for rows in traffic.steps for row in rows):
        if max(row.src, row.dst) < ranks:
            sent[row.src] += row.part
    return replace(traffic, inner=(sent.index(max(sent)),))


def _tree_beside_ring(tell: Teller, share: Fraction) -> HopsBeside:
    """A tree of many nodes, and a ring of them, where each GPU adds up so many bytes."""
    large = record("all_reduce", "nvls-tree", ranks=2 * NODES, parameters={"gpus": 2}, chunks=1)
    ring = record("all_reduce", "ring", ranks=NODES)
    return HopsBeside(tell, (hops_of(large, 2, True), hops_of(ring, 1, False)), share)


def hops_of(recording: Recording, ranks: int, tree: bool) -> NodeHops:
    """The hops of chunk 0 between nodes of so many ranks each."""
    n, facts = recording.ranks, WhyFacts(recording)
    hops = [hop for hop in facts.hops if max(hop[:2]) < n and 0 in hop[3].numbers]
    steps: list[list[tuple[int, int]]] = [[] for _ in range(facts.steps)]
    for src, dst, step, _ in hops:
        steps[step].append((src // ranks, dst // ranks))
    rail = traffic_of(facts).among(lambda a, b: max(a, b) < n and a % ranks == 0)
    (busiest,) = _busiest_between(rail, n).inner
    moved = [[row.part * (row.src == busiest) for row in rows] for rows in rail.steps if rows]
    parts = (sum(own, Fraction()) for own in moved)
    sent = tuple(ranks * total for total in accumulate(parts, initial=Fraction()))
    kept = tuple(map(tuple, filter(None, steps)))
    return NodeHops(n // ranks, kept, tree, busiest // ranks, sent)


def far_first_whys(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of an all-gather whose largest messages go near, beside one whose largest go far."""
    n = facts.ranks
    rival = again(facts.recording, "bruck", n) if facts.at_home else None
    called = facts.recording.collective.name, facts.recording.algorithm
    if called != ("all_gather", "pat") or rival is None or n not in (8, 16) or not facts.even:
        return
    parent, inner = tuple(switch_tree(n, n // 2).tolist()), range(n // 2)
    traffic = traffic_of(WhyFacts(rival), *inner), traffic_of(facts, *inner)
    theirs, own = ([len(t.port(step, 0)) for step in range(len(t.steps))] for t in traffic)
    if len({*own}) > 1:
        return
    keys, more = ("bruck", "bruck_far", "pat", "pat_near"), ", ".join(map(str, theirs))
    fields = {"theirs": more, "each": own[0], "own": number_text(float(traffic[1].busier))}
    texts = [tell(f"far_{key}", **fields) for key in keys]
    rows = ("Bruck", traffic[0], 0), ("PAT", traffic[1], 1)
    (last, end), middle = [len(t.steps) for t in traffic], 1
    parts = (0, 0, last - 1), (0, last - 1, last), (1, 0, middle), (1, middle, end)
    sums = NetworkSum(tell, parent, 1, traffic, rows, parts)
    of_trees, tree = _trees(facts, tell, (n - 1, n // 2 - 1))  # whose near hops do not wrap
    turns = (sums, 1), (sums, 2), (tree, 1), (tree, 2), (sums, 3), (sums, 4)
    sentences = *texts[:2], *of_trees, *texts[2:]
    why = tell.why("far", sentences, Joined(turns), tell.ranks(n), 3, idea=True)
    yield replace(why, turn=(3, tell("far_turn"), tell.ranks(n)))


def _trees(facts: WhyFacts, tell: Teller, chunks: tuple[int, int]) -> tuple[list[str], Spread]:
    """The ways of one chunk, row below row; then beside it those of another."""
    tree, beside = (_ways_of(facts, number) for number in chunks)
    fields = {"chunk": chunks[0], "numbers": ", ".join(tree.counts)}
    return [tell(f"tree_{key}", **fields) for key in ("one", "each")], replace(beside, obvious=tree)


def _ways_of(facts: WhyFacts, chunk: int) -> Spread:
    states, n = [facts.recording.contributors(place) for place in facts.ends], facts.ranks
    has = [{*np.flatnonzero(slots[:n, chunk].any(axis=1)).tolist()} for slots in states]
    hops = [hop for hop in facts.hops if chunk in hop[3].numbers]
    held = tuple(tuple((chunk,) * (rank in ranks) for rank in range(n)) for ranks in has)
    steps = ([hop[:2] for hop in hops if hop[2] == step] for step in range(facts.steps))
    rows = tuple(range(n)), held, tuple(map(tuple, steps)), tuple(str(len(ranks)) for ranks in has)
    return Spread(*rows, True, "", (StepsReached(facts.steps),))
