"""Why a rival is faster with as many bytes: when each port, or each kind of link, is busy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil

import numpy as np

from animations.drawing.drawing import Drawing
from animations.drawing.glyphs import text_width
from animations.drawing.shapes import Box, ColoredBox, TextLine
from animations.whys.teller import Teller
from animations.whys.why import Why
from collectives.cost.clocks.timing import Timing
from collectives.cost.machines.paths import Floats, Integers
from collectives.structure import Groups
from collectives.structure.machines import homes
from collectives.units import number_text, time_text

MOST_ROWS, MOST_STEPS, MOST_PANELS = 16, 64, 3
DIGITS = 3  # of times
BUSY, RESTLESS = 0.8, 0.95  # parts of the time: nobody is said to wait, one never rests
TITLE, NAME, FIGURE = 30.0, 24.0, 48.0  # pixels of letters
ABOVE, BELOW, TALLEST = 44.0, 24.0, 110.0  # pixels above and below the rows, and of a row
BESIDE, INDENT = 200.0, (60.0, 190.0)  # pixels behind the rows, and before ports and kinds
LAST, SAME = 0.8, 1.01  # part of a sentence in which time passes; more bytes that are as many
MORE = 1.5  # times busier, at least, where that says enough


@dataclass(frozen=True, eq=False)
class BusyRows:
    """How long the ports of an algorithm, or its kinds of links, are busy in every step.

    starts, ends: of bytes and of steps, in seconds. busy: seconds by row and step. vectors: that
    all ports send.
    """

    title: str
    names: tuple[str, ...]
    starts: Floats
    ends: Floats
    busy: Floats
    vectors: float

    @property
    def share(self) -> float:
        """The part of the time in which a row is busy, on average."""
        return float(self.busy.sum(1).mean() / self.ends[-1])

    @property
    def percent(self) -> str:
        """The same in words."""
        return f"{round(100 * self.share)} %"


@dataclass(frozen=True, eq=False)
class Packing:
    """Panels below each other over one axis of time; one comes with each sentence.

    by_kind: rows are kinds of links, with how long they were busy.
    """

    panels: tuple[BusyRows, ...]
    by_kind: bool
    tell: Teller

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of a sentence."""
        drawing, high = Drawing(), room.height / len(self.panels)
        for number, panel in enumerate(self.panels[:item]):
            part = min(1.0, time / LAST) if number == item - 1 else 1.0
            top = room.top + number * high
            drawing += self._panel(panel, Box.between(room.left, top, room.right, top + high), part)
        return drawing

    def _time(self, seconds: float) -> str:
        return self.tell.decimal(time_text(seconds, DIGITS))

    def _panel(self, panel: BusyRows, room: Box, part: float) -> Drawing:
        indent = max(text_width(name, NAME, "bold") for name in panel.names)
        left = room.left + max(indent + 30, INDENT[self.by_kind])
        unit = (room.right - left - BESIDE) / max(panel.ends[-1] for panel in self.panels)
        pitch = min(TALLEST, (room.height - ABOVE - BELOW) / len(panel.names))
        at, boxes = part * panel.ends[-1], list[ColoredBox]()
        done = int(np.searchsorted(panel.ends, at * (1 + 1e-9)))  # steps
        lines = [TextLine(panel.title, room.left, room.top + 28, TITLE, "ink", "bold")]
        for row, name in enumerate(panel.names):
            y, x, tone = room.top + ABOVE + (row + 0.5) * pitch, left - 14, f"rank {row}"
            if not row % ceil(NAME / pitch):
                base = y - 6 if self.by_kind else y + 8
                lines.append(TextLine(name, x, base, NAME, tone, "bold", "right"))
            if self.by_kind and done:
                text = self._time(panel.busy[row, :done].sum())
                lines.append(TextLine(text, x, y + 28, TITLE, "ink", "bold", "right"))
            for begin, length in ((0.0, at), *zip(panel.starts, panel.busy[row], strict=True)):
                if length and at > begin:
                    wide = unit * min(at - begin, length)
                    bar = Box(left + unit * begin + wide / 2, y, max(1.0, wide - 1), 0.8 * pitch)
                    boxes.append(ColoredBox(bar, tone if begin else "well", 2))
        x, middle = left + at * unit + 20, room.top + ABOVE + len(panel.names) * pitch / 2
        if done:
            text = self._time(panel.ends[done - 1])
            lines.append(TextLine(text, x, middle + 6, FIGURE, "now", "bold"))
        if part >= 1 and not self.by_kind:
            lines.append(TextLine(panel.percent, x, middle + 48, TITLE, "ink"))
        return Drawing(tuple(boxes), (), tuple(lines))


def packing_whys(
    timing: Timing, rivals: Sequence[tuple[str, Timing]], tell: Teller
) -> Iterator[Why]:
    """Of an algorithm whose ports often wait, beside others whose ports wait more, or less.

    rivals: by name, among them the same in more chunks.
    """
    structure = timing.recording.structure
    home = homes(structure.members)[0] if isinstance(structure, Groups) else None
    own = busy_rows(tell("rival_here"), timing, home, tell)
    panels = [panel for rival in rivals if (panel := busy_rows(*rival, home, tell))]
    if own is None or not own.vectors or not panels:
        return
    if home is not None:
        panels, sentences = [own, panels[0]], _in_turns(own, panels[0], tell)
    else:
        panels = sorted([own, *panels], key=lambda panel: -panel.ends[-1])[-MOST_PANELS:]
        pairs = pairwise([panel.share for panel in panels])
        if own not in panels or own.share > BUSY or any(a >= b for a, b in pairs):
            return
        sentences = [_share(panels[0], own, tell)]
        for before, panel in pairwise(panels):
            fields = {"own": number_text(before.vectors), "number": number_text(panel.vectors)}
            less = SAME * panel.vectors < before.vectors and panel.share < MORE * before.share
            text = tell("pack_less", name=panel.title, **fields) if less else ""
            sentences.append(text or _share(panel, own, tell))
    if len(sentences) > 1:
        aside = tell("pack_aside" if home is None else "pack_aside_kinds")
        yield tell.why("pack", sentences, Packing(tuple(panels), home is not None, tell), aside)


def _share(panel: BusyRows, own: BusyRows, tell: Teller) -> str:
    """How much of the time a port sends, and which one never rests."""
    key, sent = "pack_own" if panel is own else "pack_share", own.busy.sum(1)
    node = own.names[int(sent.argmax())]
    if panel is own and sent.max() > RESTLESS * own.ends[-1]:
        key = "pack_door"
    return tell(key, name=panel.title, share=panel.percent, node=node)


def _in_turns(own: BusyRows, rival: BusyRows, tell: Teller) -> list[str]:
    """That links inside nodes and between them wait for each other, and what a rival's do."""
    steps = [int(panel.busy[1].astype(bool).sum()) for panel in (own, rival)]
    if own.busy.min(0).any() or not own.busy.any(1).all() or steps[0] >= steps[1]:
        return []
    carried, cables = rival.busy[1].sum(), own.busy[1].sum()
    key = "longer" if rival.ends[-1] > own.ends[-1] else "cables" if carried > cables else "no_more"
    if key != "longer" and carried < BUSY * rival.ends[-1]:
        return []
    texts = tell("pack_turns", own=steps[0]), tell(f"pack_{key}", name=rival.title, rival=steps[1])
    return list(texts)


def busy_rows(title: str, timing: Timing, home: Integers | None, tell: Teller) -> BusyRows | None:
    """What each port sends when, or how long links inside nodes and between them are busy.

    home: the node of each rank. Nothing where both kinds have one bandwidth.
    """
    recording, machine, ports = timing.recording, timing.topology, timing.recording.nodes
    ranks, few = recording.ranks, ports <= MOST_ROWS or home is not None
    if (ports > ranks and recording.helpers == "switch") or len(recording.steps) > MOST_STEPS * few:
        return None
    placement = machine.placement(ranks, recording.nodes, recording.title)
    busy, waits, sent, rates = [], [], 0.0, set[float]()
    for place, step in enumerate(recording.steps):
        moves = step.unrolled()
        away = moves.src != moves.dst
        ends = np.stack([moves.src, moves.dst, moves.chunk])[:, away]
        src, dst, chunk = np.unique(ends, axis=1) if away.any() else ends
        paths = machine.paths(placement[src], placement[dst])
        rate, sizes = paths.minimum(machine.bandwidth), recording.sizes(place)[src, chunk]
        seconds = sizes * recording.dtype.itemsize / rate
        waits.append(paths.total(machine.latency).max(initial=0.0))
        kinds = [rate == one_rate for one_rate in {*rate.tolist()}]
        if home is not None:
            kinds = [home[src] == home[dst], home[src] != home[dst]]
        kinds = kinds or [src >= 0]
        used = np.array([np.bincount(src, seconds * kind, ports) for kind in kinds])
        busy.append(used.max(axis=0 if home is None else 1))
        sent, rates = sent + sizes.sum() / max(recording.count, 1), rates | {*rate.tolist()}
    if home is not None and len(rates) == 1:
        return None
    helper = tell.say.noun(recording.helpers)
    names = [f"{k}" if k < ranks else f"{helper} {k - ranks}" for k in range(ports)]
    if home is not None:
        names = [tell("pack_inside"), tell("pack_between")]
    starts = timing.step_start + np.array(waits)
    return BusyRows(title, tuple(names), starts, timing.step_end, np.array(busy).T, float(sent))
