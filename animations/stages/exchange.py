"""An exchange: a table of blocks to send and one of blocks received, a row of both for a rank."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from animations.drawing.scenery import Card, Chip, Fold, Scenery, StageLine, Way, Word
from animations.drawing.shapes import Box
from animations.stages.partners import (
    MOST_DOTS,
    chips,
    chords,
    circle_ground,
    circle_words,
    distances,
)
from animations.stages.staged import Staged
from animations.stages.tables import (
    BEND,
    LARGEST_PARCEL,
    crossing_ways,
    group_grounds,
    numbers,
    reach,
    row_shape,
    rows_of,
    tables_of,
    titles,
)
from collectives.structure import Exchange

PARTNER = {"+": "far", "⊕": "bits"}  # what the chips say of partners, by their sign
FEW, LEAST_OF_FEW = 8, 12  # ranks whose rows are this high, or not shown as rows
MOST_LINES = 300  # between the tables, in all steps together


def exchange(staged: Staged, box: Box, structure: Exchange) -> Scenery | None:
    """Rows of blocks on either side of a space in which they change places."""
    n, recording = staged.ranks, staged.recording
    if staged.nodes > n or recording.chunk_count != n or recording.promised_slots != 2 * n:
        return None
    if not staged.fold.is_plain:  # rows say whose blocks they are, so that one bar is enough
        staged = replace(staged, fold=Fold((0,) * n, staged.fold.well, "rank"))
    tables = tables_of(staged, box, structure)
    if min(tables.pitch, tables.high) < (LEAST_OF_FEW if n <= FEW else 5):
        return None
    rows = rows_of(staged, tables, structure)
    shape = row_shape(staged, tables)
    cards = tuple(
        Card(tables.box.x, y, shape, "panel", f"rank {rank}" if staged.fold.is_plain else "ink")
        for rank, y in enumerate(rows)
    )
    wide = min(LARGEST_PARCEL, (tables.gap - 8 - BEND) / reach(staged))
    ways, own = crossing_ways(staged, tables.start, tables.gap, rows, wide)
    deep = tables.below - 18
    below = Box(box.x, tables.box.bottom + 18 + deep / 2, box.width, deep)
    round_box = Box(box.left + deep / 2 + 20, below.y, deep, deep)
    circle = round_box if tables.has_circle and n <= MOST_DOTS else None
    steps, names = _chips(staged, below, circle, structure)
    return Scenery(
        "exchange",
        box,
        cards,
        staged.fold,
        grounds=(*group_grounds(tables, rows, structure), *circle_ground(staged, circle)),
        lines=(*_lines(staged, ways), *chords(staged, circle)),
        words=(
            *titles(staged, tables),
            *numbers(staged, tables, rows),
            *circle_words(staged, circle),
            *names,
        ),
        chips=steps,
        ways=ways,
        stream_ways=own,
        parcel=(wide, min(46.0, 0.76 * tables.high)),
    )


def _lines(staged: Staged, ways: dict[tuple[int, int], Way]) -> Iterator[StageLine]:
    """The ways of a step's data, while it is lit."""
    if sum(map(len, staged.link_steps.values())) <= MOST_LINES:
        for link, steps in staged.link_steps.items():
            yield StageLine(ways[link], steps, width=2.6, brief=True, link=link)


def _chips(
    staged: Staged, below: Box, circle: Box | None, structure: Exchange
) -> tuple[tuple[Chip, ...], tuple[Word, ...]]:
    """How far the data of each step goes."""
    left = below.left if circle is None else circle.right + 36
    room = Box((left + below.right) / 2, below.y, below.right - left, below.height)
    texts = distances(staged, structure.groups)
    sign = next((sign for sign in PARTNER if any(sign in text for text in texts)), "")
    titles = (staged.say(f"stage.{PARTNER.get(sign, 'each_step')}"), staged.say("stage.each_step"))
    steps = [(text, (number,)) for number, text in enumerate(texts, 1)]
    return chips(room, titles, steps) or ((), ())
