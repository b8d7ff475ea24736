"""What is wrong with a cell, opened: what is in it twice, missing or foreign, and what did it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from animations.drawing.drawing import Drawing
from animations.drawing.glyphs import line_within
from animations.drawing.shapes import MOTION, Box, ColoredBox, Stroke, TextLine
from animations.drawing.sheet import Sheet
from animations.story.labels import Labels
from animations.whys.teller import Teller
from animations.whys.why import Why
from collectives.proof.diagnosis.contents import bits
from collectives.proof.diagnosis.history import Cell, History, contributions
from collectives.proof.first_wrong import DOUBLED, FOREIGN, LOST, Fault, FirstWrong
from collectives.recording.recording import Recording
from collectives.words import capital

NAMED, CAUSE, LINE, SINCE = "named", "cause", "line", "since"  # kinds of sentences
MOST_ROWS = 16  # contributions of a cell that are drawn
TALLEST = 150.0  # pixels of one
NARROW = 1300.0  # pixels of a room that has no place for what came
LETTERS, SUM, CODE = 36.0, 110.0, 34.0  # pixels
BELOW = 120.0  # pixels for a line of source


@dataclass(frozen=True)
class CellPart:
    """A contribution: its name and value, the tone of its rank, how often it is there.

    wanted: how often it must be there.
    """

    name: str
    value: str
    tone: str
    times: int
    wanted: int


@dataclass(frozen=True, eq=False)
class OpenedCell:
    """The pieces of a cell, those that are too many drawn out of it, and its sum.

    kinds: of each sentence. title: of the cell. came: the same of what came last, with the numbers
    of its pieces. gone: whether what is missing was overwritten. total: the sum, and what it
    should be, as text, if anything. code: the line of source.
    """

    kinds: tuple[str, ...]
    title: str
    pieces: tuple[CellPart, ...]
    came: tuple[str, tuple[int, ...]]
    gone: bool
    total: tuple[str, str]
    code: str

    def drawn(self, room: Box, item: int, time: float) -> Drawing:
        """The picture at a time of a sentence."""
        kind, before = self.kinds[item - 1], self.kinds[:item]
        part = MOTION.eased(min(1.0, time / 0.7))
        bottom = room.bottom - BELOW * (LINE in self.kinds)
        upper = Box.between(room.left, room.top + 50, room.right, bottom)
        left = 0.0 if room.width < NARROW else 0.33
        wide = (0.29 if left else 0.45) * upper.width
        cell = Box(upper.left + left * upper.width + wide / 2, upper.y, wide, upper.height)
        aside = upper.right - 0.5 * cell.width - cell.x
        drawing = self._cell(cell, aside, part if kind == NAMED else 1.0)
        if CAUSE in before and self.came[1] and left:
            drawing += self._came(upper, cell, part if kind == CAUSE else 1.0)
        if LINE in before:
            band = Box(room.x, room.bottom - 60, room.width, 72)
            line = line_within(band.width - 40, (CODE, 24.0), self.code, 0, band.y + 12, "now")
            line = replace(line, x=band.left + 20, face="mono")
            boxes = (ColoredBox(band, "panel", 10, "now", 3),)
            drawing += Drawing(boxes, (), (line,) if kind != LINE or time > 0.2 else ())
        return drawing

    def _rows(self, cell: Box) -> list[Box]:
        """Where each piece stands in a cell."""
        high = min(TALLEST, cell.height / len(self.pieces))
        top = cell.y - high * len(self.pieces) / 2
        return [
            Box(cell.x, top + (row + 0.5) * high, cell.width - 24, 0.88 * high)
            for row in range(len(self.pieces))
        ]

    def _piece(self, number: int, box: Box, edge: str = "", opacity: float = 1.0) -> Drawing:
        piece = self.pieces[number]
        size = min(LETTERS, 0.62 * box.height)
        base, ink = box.y + 0.36 * size, "now_ink"
        lines = (
            line_within(0.6 * box.width, (size, 24.0), piece.name, box.left + 18, base, ink),
            TextLine(piece.value, box.right - 18, base, size, ink, "bold", "right"),
        )
        filled = ColoredBox(box, piece.tone, 6, edge, 7.0 if edge else 0.0, opacity)
        return Drawing((filled,), (), lines if opacity == 1 else ())

    def _framed(self, cell: Box, rows: Sequence[Box], title: str) -> Drawing:
        """The frame of a cell with its title."""
        around = Box.between(cell.left, rows[0].top - 14, cell.right, rows[-1].bottom + 14)
        line = line_within(
            cell.width, (LETTERS, 24.0), title, cell.x, around.top - 18, "ink", "bold", "center"
        )
        return Drawing((ColoredBox(around, "panel", 10, "edge", 4),), (), (line,))

    def _cell(self, cell: Box, aside: float, part: float) -> Drawing:
        """The cell; what is too many goes out of it, so far aside; what is missing leaves a gap."""
        rows = self._rows(cell)
        drawing = self._framed(cell, rows, self.title)
        for number, (piece, row) in enumerate(zip(self.pieces, rows, strict=True)):
            away = replace(row, x=row.x + part * aside)
            if min(piece.times, piece.wanted):
                edge = "wrong" if piece.times > piece.wanted else ""
                drawing += self._piece(number, row, edge)
            elif piece.wanted:
                name = TextLine(piece.name, row.x, row.y + 12, LETTERS, "wrong", "sans", "center")
                gap = ColoredBox(row, "", 6, "wrong", 4)
                drawing += Drawing((gap,), (), (name,) * (part == 1 or not self.gone))
            if piece.times > piece.wanted:
                drawing += self._piece(number, away, "wrong")
            elif piece.times < piece.wanted and self.gone and part < 1:
                drawing += self._piece(number, away, "wrong", 0.99 * (1 - part))
        if part == 1 and self.total[0]:
            doubled = (row for row, piece in enumerate(self.pieces) if piece.times > piece.wanted)
            low = next(doubled, len(rows)) > len(rows) / 2 - 1
            x, top = cell.x + aside, rows[0].top if low else rows[-1].bottom - 190
            total = TextLine(self.total[0], x, top + 90, SUM, "wrong", "bold", "center")
            promised = TextLine(self.total[1], x, top + 150, LETTERS, "ink", "sans", "center")
            drawing += Drawing(lines=(total, promised))
        return drawing

    def _came(self, upper: Box, cell: Box, part: float) -> Drawing:
        """What came last into the cell, as it was when it came."""
        title, numbers = self.came
        wide = 0.8 * cell.width
        goal = Box(upper.left + wide / 2, upper.y, wide, upper.height)
        goal = replace(goal, x=goal.x - (1 - part) * 60)
        rows = self._rows(goal)
        drawing = self._framed(goal, rows, title)
        for number in numbers:
            bad = self.pieces[number].times > self.pieces[number].wanted
            drawing += self._piece(number, rows[number], "wrong" if bad else "")
        arrow = Stroke(((goal.right + 12, upper.y), (cell.left - 12, upper.y)), "wrong", 7, True)
        return drawing + Drawing(strokes=(arrow,) if part == 1 else ())


def mistake_whys(
    wrong: FirstWrong, code: tuple[int, str] | None, labels: Labels, sheet: Sheet
) -> tuple[Why, ...]:
    """What is wrong with the first wrong cell of an executed schedule, and what did it.

    code: the number and text of the line that did it, if they are known.
    """
    fault = next((fault for fault in wrong.faults if fault.kind in (DOUBLED, LOST, FOREIGN)), None)
    recording, tell = wrong.recording, Teller(labels.say, sheet)
    if wrong.refused or fault is None or not labels.moves_data or not recording.steps:
        return ()
    seen, (node, slot) = len(recording.steps), fault.cell
    pieces = _pieces(recording, fault, labels)
    if not 1 + (fault.kind != FOREIGN) <= len(pieces) <= MOST_ROWS:
        return ()
    ranks = sorted({rank for rank, _ in fault.contributions})
    total, promised = _totals(recording, pieces.values())
    whole = total != promised and {rank for rank, _ in pieces} == {*range(recording.ranks)}
    several = "_several" * (fault.kind == DOUBLED and len(ranks) > 1)
    key = f"mistake_{fault.kind}{several}{'_sum' * whole}"
    items = [(NAMED, tell(key, who=labels.nodes(ranks), number=total, due=promised))]
    source_cell, came, cause = _cause(recording, fault)
    sender = labels.node(source_cell[0], "some") if source_cell else ""
    came_from = labels.node(source_cell[0]) if source_cell else ""
    at = {"node": labels.node(node, "some"), "source": sender, "step": seen}
    items.append((CAUSE, tell(f"mistake_{cause}", **at)))
    if code and cause != "never":
        items.append((LINE, tell("mistake_line", line=code[0], step=seen)))
    if wrong.overlapping and wrong.step < seen:
        items.append((SINCE, tell("mistake_since", step=wrong.step)))
    kinds, sentences = zip(*items, strict=True)
    rows = {at: number for number, at in enumerate(pieces)}
    picture = OpenedCell(
        kinds,
        capital(labels.say("faults.cell", slot=labels.slot(slot, "some"), node=at["node"])),
        tuple(pieces.values()),
        (tell("mistake_came", source=came_from), tuple(rows[at] for at in came if at in rows)),
        cause == "over",
        (str(total), labels.say("why.mistake_due", due=promised)) if whole else ("", ""),
        f"{code[0]}   {code[1].strip()}" if code else "",
    )
    aside = tell("mistake_aside", ranks=tell.ranks(recording.ranks), step=seen)
    return (tell.why("mistake", sentences, picture, aside),)


def _pieces(recording: Recording, fault: Fault, labels: Labels) -> dict[Cell, CellPart]:
    """What is in a cell, or should be, slot by slot: by the contribution its piece."""
    held, odd = contributions(recording, fault.cell), {*fault.contributions}
    origins, pieces = sorted({*held, *odd}, key=lambda at: (at[1], at[0])), dict[Cell, CellPart]()
    for at, value in zip(origins, _values(recording, origins), strict=True):
        rank, slot = at
        name = labels.node(rank) if slot == fault.cell[1] else f"{labels.short(slot)}, {rank}"
        wanted = int(fault.kind != FOREIGN or at not in odd)
        pieces[at] = CellPart(name, value, f"rank {rank}", held[at], wanted)
    return pieces


def _totals(recording: Recording, pieces: Collection[CellPart]) -> tuple[int, int]:
    """The sum of a cell of an all-reduce, and what it should be; nothing where none is known."""
    if recording.collective.name != "all_reduce" or not all(piece.value for piece in pieces):
        return 0, 0
    total = sum(piece.times * int(piece.value) for piece in pieces)
    return total, sum(piece.wanted * int(piece.value) for piece in pieces)


def _values(recording: Recording, origins: Sequence[Cell]) -> list[str]:
    """The first elements of contributions, as text; nothing where they are no whole numbers."""
    state = recording.excerpt(1).state(0)
    firsts = [state.value(*at)[:1].tolist() for at in origins]
    known = recording.op == "sum" and all(first and isinstance(first[0], int) for first in firsts)
    return [str(first[0]) if known else "" for first in firsts]


def _cause(recording: Recording, fault: Fault) -> tuple[Cell | None, list[Cell], str]:
    """From where the last step brought something to the cell, what, and which sentence says so."""
    version = History(recording).now.get(fault.cell)
    if version is None or version.step < len(recording.steps) or not version.rows:
        return None, [], "never"
    slot = fault.contributions[0][1]
    blamed = sum(1 << rank for rank, own in fault.contributions if own == slot)
    brought = [(row, read, read.content.get(slot, (0, 0))[0]) for row, read in version.rows]
    row, read, _ = next((each for each in brought if each[2] & blamed), brought[-1])
    before = version.old.content.get(slot, (0, 0))[0] if version.old else 0
    came = [(rank, own) for own, (some, _) in read.content.items() for rank in bits(some)]
    if fault.kind == DOUBLED:
        twice = sum(bool(part & blamed) for _, _, part in brought) > 1
        cause = "again" if before & blamed and row.adds else "both" if twice else "brought"
    elif fault.kind == LOST:
        cause = "over" if not row.adds and before & blamed else "lacked"
    else:
        cause = "brought"
    return row.src, came, cause
