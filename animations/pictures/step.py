"""A step as shapes in drawing order: the one place that composes it, for films and figures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from animations.drawing import shapes
from animations.drawing.glyphs import text_width
from animations.drawing.nearby import text_box
from animations.drawing.scenery import Scenery
from animations.drawing.scenery_shapes import moment_boxes, moment_text, strokes
from animations.drawing.shapes import Align, ColoredBox, Shape, Stroke, TextLine
from animations.drawing.theme import Theme
from animations.pictures import panels
from animations.pictures.card_text import name_lines
from animations.pictures.cells import MOST_NAMED, behind, marks, wells
from animations.pictures.foot import Foot, caption_text
from animations.pictures.step_flights import ALONE, mark_text
from animations.score.score import Keyframe
from animations.story.cell_marks import cell_contents
from animations.story.cell_views import CellMark
from animations.story.storyboard import Storyboard
from animations.story.transfers import NodeSlot, Transfer
from animations.story.wrong import fault_strokes, stuck_at

MOST_RANKS = 16  # whose numbers the enlarged chunk bears
LENS = 4.0  # pixels of its outline
WIDE = 200.0  # pixels of a card from which on a number has its noun beside its name
ASIDE: dict[Align, Align] = {"left": "right", "right": "left", "center": "center"}


def still(board: Storyboard, keyframe: Keyframe, theme: Theme) -> list[Shape]:
    """The picture of a keyframe, of which nothing is on its way."""
    transfers = board.frames[keyframe.step - 1].transfers if keyframe.step else ()
    return [
        *behind(board, theme),
        *page(board, theme),
        *moment(board, keyframe, theme),
        *contents(board, keyframe.done, theme),
        *outlined(board, board.stale(keyframe.done), (), transfers, theme),
        *lens(board, keyframe, theme),
        *faults(board, keyframe.done, theme, keyframe.revealed),
        *front(board, (keyframe.step, not keyframe.landed), theme),
    ]


def page(board: Storyboard, theme: Theme) -> Iterator[Shape]:
    """What stays: the wells of the cells, panels and text."""
    yield from wells(board, theme)
    for node, well in board.goals:
        bar = shapes.goal_bar(board.scenery.cards[node].cell(well))
        yield ColoredBox(bar, theme.complete, name=f"goal-{node}-{well}")
    yield from panels.fixed_boxes(board, theme)
    yield from panels.fixed_text(board, theme)


def moment(
    board: Storyboard, keyframe: Keyframe, theme: Theme, foot: Foot = caption_text
) -> Iterator[Shape]:
    """What a keyframe shows on the stage below the cells' contents, and around the stage."""
    at = keyframe.step, not keyframe.landed
    alone = ((keyframe.step, _between(board, keyframe)),) if keyframe.alone else None
    moving = () if stuck_at(board, keyframe.done) else alone  # in a deadlock nothing is lit
    yield from strokes(board.scenery, *at, theme, moving)
    yield from panels.keyframe_boxes(board, keyframe, theme)
    yield from panels.keyframe_text(board, keyframe, theme, foot)
    yield from below(board, at, theme)


def contents(board: Storyboard, done: int, theme: Theme) -> Iterator[Shape]:
    """The marks in the cells after so many steps, then their text, where they can be told apart."""
    held = cell_contents(board, done)
    yield from marks(board, held, theme)
    if len(held) <= MOST_NAMED:
        yield from _numbers((mark for _, mark in held), theme)


def _numbers(marks: Iterable[CellMark], theme: Theme) -> Iterator[TextLine]:
    """The text on marks: numbers of ranks, and labels."""
    texts = map(mark_text, marks)
    return (TextLine(*text, theme.now_ink, align="center") for text in texts if text[0])


def outlined(
    board: Storyboard,
    stale: Iterable[NodeSlot],
    read: Iterable[Transfer],
    written: Iterable[Transfer],
    theme: Theme,
) -> Iterator[ColoredBox]:
    """Veils over what matters no more; outlines of cells that are read and written."""
    scenery, cards = board.scenery, board.scenery.cards
    color = theme.changed if scenery.table else theme.now
    for node, well in sorted(stale):
        name = f"stale-{node}-{well}"
        yield ColoredBox(cards[node].cell(well), theme.well, opacity=shapes.STALE, name=name)
    wells = scenery.fold.well
    sources = dict.fromkeys((transfer.src, wells[transfer.chunk]) for transfer in read)
    targets = dict.fromkeys((transfer.dst, wells[transfer.into]) for transfer in written)
    for cells, edge, part in ((sources, theme.now, 0.7), (targets, color, 1.0)):
        named = len(cells) <= MOST_NAMED
        for node, well in cells:
            cell = cards[node].cell(well)
            thin, name = part * shapes.outline_width(cell), f"written-{node}-{well}" * named
            yield ColoredBox(cell, "", edge=edge, width=thin, name=name)


def traced(board: Storyboard, cells: Iterable[NodeSlot], theme: Theme) -> Iterator[ColoredBox]:
    """A border around what is marked from start to end, in these cells."""
    for node, well in cells:
        cell = board.scenery.cards[node].cell(well)
        yield ColoredBox(cell, "", edge=theme.ink, width=shapes.traced_border(cell))


def shaded(board: Storyboard, keyframe: Keyframe, theme: Theme) -> Iterator[ColoredBox]:
    """Veils over all nodes but those of what alone is bright, if it is."""
    for node, card in enumerate(board.scenery.cards if keyframe.alone else ()):
        veiled = card.boxes if node not in _between(board, keyframe) else ()
        yield from (ColoredBox(box, theme.background, opacity=1 - ALONE) for box in veiled)


def _between(board: Storyboard, keyframe: Keyframe) -> tuple[int, int]:
    """The nodes between which what is followed goes."""
    example = board.frames[keyframe.step - 1].example
    return example.src, example.dst


def lens(board: Storyboard, keyframe: Keyframe, theme: Theme) -> Iterator[Shape]:
    """The chunk in the caption, enlarged, as it is on its way, then as it is where it landed."""
    box = board.scenery.lens
    if box is None or stuck_at(board, keyframe.done):
        return
    if cell := board.enlarged(keyframe.step, keyframe.landed):
        colors, marks = board.view.mark_colors(theme), board.view.marks(cell, box, MOST_RANKS)
        yield ColoredBox(box, theme.well, shapes.LENS_RADIUS, theme.now, LENS)
        yield from (ColoredBox(mark.box, colors[mark.ink]) for mark in marks)
        yield from _numbers(marks, theme)


def faults(board: Storyboard, done: int, theme: Theme, revealed: int = 0) -> Iterator[Shape]:
    """What is wrong, outlined in dashes, and what is missing, crossed, with the hops to it.

    Before that is seen, the hops of what has come so far.
    """
    halo, lines = fault_strokes(board, done, revealed)
    yield from (Stroke(line, theme.background, width) for line, width in halo)
    for number, (line, width) in enumerate(lines):
        yield Stroke(line, theme.wrong, width, name=f"wrong-{number}")
    wrong = board.untold or (board.wrong if done == len(board.frames) else None)
    here = wrong.hops.items() if wrong else ()
    counts = {at[0]: hops for at, hops in here if board.wrong or at in board.cells(done)}
    names = name_lines(board, lambda name: text_width(name, 1.0, "bold")) if counts else ()
    for node, name in names:
        card, hops = board.scenery.cards[node].box, counts.get(node, 0)
        text = board.say.plural(hops, "hop") if card.width > WIDE else f"{hops}"
        color, align = theme.wrong if hops > board.steps else theme.now, ASIDE[name.align]
        yield replace(name, text=text * (hops > 0), x=2 * card.x - name.x, color=color, align=align)


def front(
    board: Storyboard,
    at: tuple[int, bool],
    theme: Theme,
    also: Iterable[int] = (),
    smallest: float = 0.0,
) -> Iterator[Shape]:
    """Names of cards on plates that hide what passes below, and chips at the ends of ways.

    smallest: pixels of letters, below which a name is left out with its plate.
    """
    names = [
        name for name in panels.card_names(board, theme) if name.size >= shapes.NEARLY * smallest
    ]
    plates = (replace(box, width=box.width + 10) for box in map(text_box, names))
    yield from (ColoredBox(plate, theme.panel) for plate in plates)
    yield from names
    yield from above(board, at, theme, also)


def above(
    board: Storyboard, at: tuple[int, bool], theme: Theme, also: Iterable[int] = ()
) -> Iterator[Shape]:
    """Chips below which parcels pass."""
    scenery = _layer(board.scenery, above=True)
    yield from moment_boxes(scenery, *at, theme, tuple(also))
    yield from moment_text(scenery, *at, theme, tuple(also))


def below(
    board: Storyboard, at: tuple[int, bool], theme: Theme, also: Iterable[int] = ()
) -> Iterator[Shape]:
    """Chips, gauges and words of the stage that are not in front."""
    scenery = _layer(board.scenery, above=False)
    yield from moment_boxes(scenery, *at, theme, tuple(also))
    yield from moment_text(scenery, *at, theme, tuple(also))


def readable(board: Storyboard, at: tuple[int, bool], theme: Theme) -> list[TextLine]:
    """Labels and words of the stage that stay readable where something flies over them."""
    scenery = replace(board.scenery, chips=())
    return [*panels.slot_labels(board, theme), *moment_text(scenery, *at, theme)]


def _layer(scenery: Scenery, above: bool) -> Scenery:
    """A scenery with only the chips that are in front of all, or with all but them."""
    chips = tuple(chip for chip in scenery.chips if chip.above is above)
    if above:
        return replace(scenery, chips=chips, words=(), gauges=())
    return replace(scenery, chips=chips)
