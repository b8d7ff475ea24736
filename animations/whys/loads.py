"""Why the busiest port decides: a column for each port of the vectors that pass it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from animations.drawing.drawing import Drawing
from animations.drawing.glyphs import text_width
from animations.drawing.shapes import Box, ColoredBox, Point, Stroke, TextLine
from animations.whys.sends import WhyFacts, again
from animations.whys.servers import MOST_STRIPES, SharedServers
from animations.whys.teller import Teller
from animations.whys.two_tree_work import ONE, one_tree
from animations.whys.why import Joined, Why
from collectives.recording.phases import phases
from collectives.recording.recording import Recording
from collectives.structure import Star, Switches, TwoTrees
from collectives.units import number_text

FEWEST, MOST_PORTS = 3, 34  # ranks; columns of a panel
SCALED = 64  # ranks of which it is said what a port passes
NAMES, ABOVE, TITLE = 44.0, 70.0, 60.0  # pixels below and above the columns, and for a title
LAST = 0.85  # of a sentence, in which vectors come
LETTER, FIGURE = 28.0, 52.0  # pixels of names, and of the number on a column
Loads = tuple[tuple[float, ...], ...]  # by port, by step: vectors


@dataclass(frozen=True)
class PortPanel:
    """The ports of a recording: their names, what passes them, and the most in words.

    port: the port that is spoken of, the busiest where it is None. hops: what flies from one port
    to another: from which to which, and in which step.
    """

    title: str
    names: tuple[str, ...]
    loads: Loads
    busiest: str
    port: int | None = None
    hops: tuple[tuple[int, int, int], ...] = ()


@dataclass(frozen=True, eq=False)
class PortColumns:
    """Panels at one scale; each comes with a sentence. A box is a vector, or a part of it.

    first: a port of the last panel, and the vectors that pass it first: the next sentence lights
    these, then the others. more: those of more ranks, with the last sentence.
    """

    panels: tuple[PortPanel, ...]
    first: tuple[int, float] = (0, 0.0)
    more: tuple[PortPanel, ...] = ()

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of a sentence."""
        grows = item > len(self.panels) + 1
        panels = self.more if grows else self.panels
        tallest = max(sum(load) for panel in panels for load in panel.loads)
        drawing, share = Drawing(), len(panels)
        wide = (1 - 0.04 * (share - 1)) * room.width / share
        for number, panel in enumerate(panels[:item]):
            left = room.left + number * (wide + 0.04 * room.width)
            part = min(1.0, time / LAST) if grows or number == item - 1 else 1.0
            place = Box.between(left, room.top, left + wide, room.bottom)
            later = item == share + 1 and number == share - 1 and self.first[1]
            drawing += self._panel(panel, place, tallest, part, later and 1 + (time >= 0.5))
        return drawing

    def _panel(
        self, panel: PortPanel, room: Box, tallest: float, part: float, half: float
    ) -> Drawing:
        base = room.bottom - TITLE - NAMES
        scale = (base - room.top - ABOVE) / tallest
        pitch, at = room.width / len(panel.names), part * len(panel.loads[0])
        boxes, lines = list[ColoredBox](), list[TextLine]()
        totals = [*map(sum, panel.loads)]
        busiest = max(totals) if panel.port is None else totals[panel.port]
        uneven, tops = panel.port is not None or min(totals) < 0.999 * busiest, list[Point]()
        for port, load in enumerate(panel.loads):
            x, high, tone = room.left + (port + 0.5) * pitch, 0.0, f"rank {port}"
            hot = uneven and totals[port] > 0.999 * busiest
            hot = hot if panel.port is None else port == panel.port
            for step, vectors in enumerate(load):
                left = vectors * min(1.0, max(0.0, at - step))
                while left > 1e-9:
                    piece = min(1.0, left)
                    y, tall = base - scale * (high + piece / 2), max(1.0, scale * piece - 4)
                    box = Box(x, y, min(0.8 * pitch, 90.0), tall)
                    which = 1 + (high + piece / 2 > self.first[1])
                    dim = half and port == self.first[0] and half != which
                    boxes.append(ColoredBox(box, "edge" if dim else "now" if hot else tone, 3))
                    high, left = high + piece, left - piece
            tops.append((x, base - scale * high))
            ink, name = "now" if hot else "faint", panel.names[port]
            if text_width(name, LETTER, "bold") < 1.6 * pitch:
                lines.append(TextLine(name, x, base + 34, LETTER, ink, "bold", "center"))
            elif hot and totals.count(busiest) == 1:  # it is spoken of
                lines.append(TextLine(name, room.right, base + 66, LETTER, ink, "bold", "right"))
        flying = [hop[:2] for hop in panel.hops if hop[2] == int(at)]
        columns = list(zip(*flying, strict=True))
        fan = max((column.count(end) for column in columns for end in column), default=1)
        turn, way = divmod(at % 1 * fan, 1)
        for src, dst in flying:  # as many at once as have ports of their own
            if (dst - src) % fan == turn:
                (a, top), (b, low) = tops[src], tops[dst]
                y = top + way * (low - top) - 40 - 200 * way * (1 - way)
                size = max(12.0, scale * panel.loads[src][int(at)] / columns[0].count(src) - 4)
                place = Box(a + way * (b - a), y - size / 2, min(0.8 * pitch, 90.0), size)
                boxes.append(ColoredBox(place, f"rank {src}", 3, "now", 4))
        if part >= 1:
            marked = totals.index(busiest) if panel.port is None else panel.port
            x = max(room.left + (marked + 0.5) * pitch, room.left + 60)
            y = base - scale * busiest - 18
            lines.append(TextLine(panel.busiest, x, y, FIGURE, "now", "bold", "center"))
        lines.append(TextLine(panel.title, room.x, room.bottom, 30, "ink", align="center"))
        ground = Stroke(((room.left, base), (room.right, base)), "edge", 3)
        return Drawing(tuple(boxes), (ground,), tuple(lines))


def port_loads(recording: Recording, one_way: bool = False) -> Loads:
    """By port and step the vectors that it sends, or receives if that is more; of no switch.

    one_way: only what is received of what goes to a root, else what is sent.
    """
    ports = recording.ranks if isinstance(recording.structure, Switches) else recording.nodes
    loads = []
    for place, step in enumerate(recording.steps):
        rows = step.unrolled()  # a chunk for two slots of one rank is sent once
        src, dst, chunk = np.unique((rows.src, rows.dst, rows.chunk), axis=1)
        moved = recording.sizes(place)[src, chunk] * (src != dst)
        if moved.any():
            ends = np.array([np.bincount(end, moved, recording.nodes) for end in (src, dst)])
            passed = ends[int(recording.collective.reduces)] if one_way else ends.max(axis=0)
            loads.append(passed[:ports] / recording.count)
    return tuple(map(tuple, np.array(loads).T.tolist()))


def star_whys(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of what sends everything to one node, or a few: the queue there, and with twice the ranks."""
    recording = facts.recording
    if not isinstance(recording.structure, Star) or not FEWEST <= facts.ranks <= MOST_PORTS // 2:
        return
    totals = [sum(load) for load in port_loads(recording)]
    busiest = _busiest(recording)
    others = [total for total in totals if total < busiest - 1e-9]
    if busiest < 2 or not others or min(others) < max(others) - 1e-9:
        return
    twice = again(recording, recording.algorithm, 2 * facts.ranks)
    if twice is None or (larger := _busiest(twice)) <= busiest:
        return
    n, number, hub = facts.ranks, len(totals) - len(others), totals.index(busiest)
    came, went = (sum(hop[end] == hub for hop in facts.hops) for end in (1, 0))
    key = "star_queue" if number == 1 else "star_queues"
    if number == recording.chunk_count == 1 and came and went and came + went == busiest:
        key = "star_both"
    fields = {"came": tell.count(came), "went": tell.count(went), "others": number_text(others[0])}
    fields |= {"number": number_text(busiest), "node": _name(recording, hub, tell)}
    nodes = tell.say.plural(number, recording.helpers if hub >= n else "rank")
    titles = list(map(tell.ranks, (n, 2 * n)))
    twofold = tell("star_twice", ranks=titles[1], number=number_text(larger))
    sentences = [tell(key, nodes=nodes, **fields), twofold]
    panels = [panel_of(recording, titles[0], tell), panel_of(twice, titles[1], tell)]
    is_hub = number == 1 and recording.helpers == "server"
    if (shards := _shards_of(recording)) is None or not is_hub or _busiest(shards) >= busiest:
        yield tell.why("star", sentences, PortColumns(tuple(panels)), tell("star_aside"))
        return
    servers = tell.say.plural(shards.nodes - n, "server")
    sentences.append(tell("star_spread", servers=servers, chunks=shards.chunk_count))
    fields |= {"less": number_text(_busiest(shards)), "servers": servers}
    sentences.append(tell("star_shared", number=fields["less"]))
    panels.append(panel_of(shards, f"{titles[0]} + {servers}", tell))
    names = panels[-1].names
    if n <= MOST_STRIPES:
        names = tuple(_name(shards, node, tell) for node in range(shards.nodes))
    columns, flown = PortColumns(tuple(panels)), SharedServers(names, panels[-1].hops)
    joined = Joined(((columns, 1), (columns, 2), (flown, 1), (columns, 3)))
    why = tell.why("star", sentences, joined, tell("star_aside"))
    yield replace(why, aside_until=2, brief=tell("star_brief", **fields))


def _shards_of(recording: Recording) -> Recording | None:
    """The same with as many servers as ranks, each of which holds as many elements."""
    n = recording.ranks
    alike = n * max(1, recording.count // n)
    return again(recording, "sharded-parameter-server", n, alike, servers=n)


def beside_tree_whys(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of a broadcast or reduce in chunks whose busiest port passes less than that of a tree."""
    recording, name = facts.recording, facts.recording.collective.name
    if name not in ("broadcast", "reduce") or recording.chunk_count < 2 or facts.ranks < FEWEST:
        return
    root, halves = recording.root, isinstance(recording.structure, TwoTrees)  # of one binary tree
    beaten, whole = ("binary-tree", 1) if halves else ("tree", None)
    tree = again(recording, beaten, facts.ranks, chunks=whole)
    passed, chunks = _busiest(recording, True), recording.chunk_count
    if tree is None or facts.ranks > MOST_PORTS or passed >= _busiest(tree, True):
        return
    busiest = number_text(passed)
    kind = "cut_one" if busiest == "1" else "halves" if halves else "cut"
    cut = tell(f"beside_{kind}", chunks=chunks, number=busiest)
    sentences = [tell(f"beside_{name}", number=number_text(_busiest(tree, True))), cut]
    port, first, more = None, Fraction(0), tuple[PortPanel, ...]()
    back = [step for _, dst, step, _ in facts.hops if dst == root]
    swaps = [part.first for part in phases(recording)[1:] if halves]
    if name == "broadcast" and (starts := back or swaps):
        sent = [facts.port_bytes(rank) for rank in range(facts.ranks)]
        port = root if back else max(range(facts.ranks), key=lambda k: (sum(sent[k]), k != root))
        split = sent[port][: min(starts)], sent[port][min(starts) :]
        first, then = (Fraction(sum(part), facts.size) for part in split)
        goals = {dst for src, dst, step, _ in facts.hops if src == port and step < min(starts)}
        down = f"{len(goals)} × " * (len(goals) > 1) + f"{first / len(goals)}"
        fields = {"rank": port, "first": first, "then": then, "down": down, "number": busiest}
        sentences += [tell(f"beside_{'parts' if back else 'swap'}", **fields)] * (then > 0)
    if back and name == "broadcast":  # to the root, which has them
        count = SCALED * max(1, recording.count // SCALED)
        played = (again(recording, way, SCALED, count) for way in ("tree", recording.algorithm))
        if len(runs := [*filter(None, played)]) == 2 and facts.ranks < SCALED:
            down, number = (number_text(_busiest(run, True)) for run in runs)
            names = tell("beside_whole"), tell.ranks(SCALED)
            more = tuple(panel_of(*way, tell, True) for way in zip(runs, names, strict=True))
            sentences.append(tell("beside_more", ranks=names[1], number=number, most=down))
    here = panel_of(recording, tell("beside_chunks", chunks=chunks), tell, True)
    panels = panel_of(tree, tell("beside_whole"), tell, True), replace(here, port=port)
    columns, below = PortColumns(panels, (port or 0, float(first)), more), one_tree(tree)
    later = ((columns, item) for item in range(2, len(sentences) + 1))
    yield tell.why("beside", sentences, Joined(((below, ONE), *later)), tell("beside_aside"), 1)


def _busiest(recording: Recording, one_way: bool = False) -> float:
    return max(map(sum, port_loads(recording, one_way)), default=0.0)


def panel_of(recording: Recording, title: str, tell: Teller, one_way: bool = False) -> PortPanel:
    """The ports of a recording under a title; one_way: see `port_loads`."""
    loads = port_loads(recording, one_way)
    ranks = range(recording.ranks)
    several = len(loads) > recording.ranks + 1  # servers, with a short name each
    names = [
        str(k) if k in ranks else f"s{k - len(ranks)}" if several else _name(recording, k, tell)
        for k in range(len(loads))
    ]
    legible = names if len(loads) <= MOST_PORTS else [""] * len(loads)
    hops = tuple(hop[:3] for hop in WhyFacts(recording).hops if max(hop[:2]) < len(loads))
    busiest = tell.figure(_busiest(recording, one_way))
    return PortPanel(title, tuple(legible), loads, busiest, hops=hops if legible == names else ())


def _name(recording: Recording, node: int, tell: Teller) -> str:
    if node < recording.ranks:
        return tell.rank(node)
    return f"{tell.say.noun(recording.helpers)} {node - recording.ranks}"
