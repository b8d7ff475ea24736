"""Title cards show the start and the end of what follows, as the stage does."""

import numpy as np
import pytest

pytest.importorskip("manim")

from each import each
from samples import rows_on

from animations.film.shapes import ORIGIN, UNIT
from animations.film.small_stage import SmallStage
from animations.film.stage import Stage
from animations.film.title_cards import TitleCard, stage_rooms
from animations.score.score import Card, Keyframe
from animations.story.sheet import SHEETS
from animations.story.storyboard import proved_storyboard
from animations.story.theme import DARK
from collectives import record


def extent(mobjects):
    """Left, top, right, bottom of some mobjects, in pixels of the page."""
    points = np.concatenate([each.points for each in mobjects if len(each.points)])
    x, y = points[:, 0] * UNIT + ORIGIN[0], ORIGIN[1] - points[:, 1] * UNIT
    return x.min(), y.min(), x.max(), y.max()


@each("row", rows_on(8))
def test_small_stages_show_the_first_and_the_last_state_in_their_rooms(row):
    board = proved_storyboard(record(row.collective, row.algorithm, ranks=8))
    small, stage = SmallStage(board, DARK), Stage(board, DARK)
    for done, room in zip((0, len(board.frames)), stage_rooms(board.sheet), strict=True):
        found = small.mobjects(Keyframe(done), room)
        left, top, right, bottom = extent(found)
        assert room.left - 12 <= left < right <= room.right + 12
        assert room.top - 12 <= top < bottom <= room.bottom + 12
        stage.show(Keyframe(done))
        for ink in stage.stripes:
            same = [m for m in found if m.fill_color == ink.fill_color]
            counts = {len(m.points) for m in same}
            assert not len(ink.points) or len(ink.points) in counts


@pytest.mark.parametrize("name", [name for name in SHEETS if len(SHEETS[name].stages) == 1])
def test_stages_of_a_title_card_stay_on_the_page_and_below_its_text(name):
    board = proved_storyboard(record("all_reduce", "ring", ranks=4), sheet=SHEETS[name])
    first, second = stage_rooms(board.sheet)
    assert not first.overlaps(second)
    left, top, right, bottom = extent(TitleCard(Card(board, "title"), DARK).still)
    assert left >= 30 and top >= 20
    assert right <= board.sheet.width - 30 and bottom <= board.sheet.height - 30


def test_a_title_card_shows_the_end_beside_the_start():
    board = proved_storyboard(record("all_reduce", "ring", ranks=4))
    card, small = TitleCard(Card(board, "title"), DARK), SmallStage(board, DARK)
    shown = {each.points.tobytes() for each in card.still}
    for done, room in zip((0, len(board.frames)), stage_rooms(board.sheet), strict=True):
        wanted = {each.points.tobytes() for each in small.mobjects(Keyframe(done), room)}
        assert wanted <= shown
