"""Title cards show the start and the end of what follows, as the stage does."""

from dataclasses import astuple
from itertools import combinations

import numpy as np
import pytest

pytest.importorskip("manim")

from each import each
from samples import rows_on

from animations.drawing.sheet import SHEETS
from animations.drawing.theme import DARK
from animations.pictures.card_rooms import CardsOnTheWay, card_page, filling, stage_rooms
from animations.pictures.stage import Stage
from animations.pictures.title_cards import SmallStage, TitleCard
from animations.score.score import BECOMES_STAGE, Keyframe, TextCard
from animations.story.compose import proved_storyboard
from collectives import record, send
from collectives.collective import CUSTOM

BORDERS = 2.0  # pixels by which marks leave the sides of cells, whatever their size


def extent(outlines):
    """Left, top, right, bottom of some outlines, in pixels of the page."""
    points = np.concatenate([each.points for each in outlines if len(each.points)])
    x, y = points.T
    return x.min(), y.min(), x.max(), y.max()


@each("row", rows_on(8))
def test_small_stages_show_the_first_and_the_last_state_in_their_rooms(row):
    board = proved_storyboard(record(row.collective, row.algorithm, ranks=8))
    small, stage = SmallStage(board, DARK, stage_rooms(board.sheet)[0], 1.0), Stage(board, DARK)
    for done, room in zip((0, len(board.frames)), stage_rooms(board.sheet), strict=True):
        found = small.outlines(Keyframe(done), room)
        left, top, right, bottom = extent(found)
        assert room.left - 12 <= left < right <= room.right + 12
        assert room.top - 12 <= top < bottom <= room.bottom + 12
        stage.show(Keyframe(done))
        for ink in stage.stripes:
            same = [each for each in found if each.look == ink.look]
            counts = {len(each.points) for each in same}
            assert not len(ink.points) or len(ink.points) in counts


@pytest.mark.parametrize("name", [name for name in SHEETS if len(SHEETS[name].stages) == 1])
def test_stages_of_a_title_card_stay_on_the_page_and_below_its_text(name):
    board = proved_storyboard(record("all_reduce", "ring", ranks=4), sheet=SHEETS[name])
    first, second = stage_rooms(board.sheet)
    assert not first.overlaps(second)
    left, top, right, bottom = extent(TitleCard(TextCard(board), DARK).still)
    assert left >= 30 and top >= 20
    assert right <= board.sheet.width - 30 and bottom <= board.sheet.height - 30


@pytest.mark.parametrize("name", ["film", "film 4:3", "film tall"])
@pytest.mark.parametrize(
    ("collective", "algorithm", "ranks"),
    [
        ("all_reduce", "ring", 8),
        ("all_reduce", "tree", 8),
        ("all_reduce", "hierarchical", 16),
        ("broadcast", "ring", 6),
        ("all_to_all", "pairwise", 6),
    ],
)
def test_cards_fill_the_rooms_of_a_title_card_and_stay_apart(name, collective, algorithm, ranks):
    board = proved_storyboard(record(collective, algorithm, ranks=ranks), sheet=SHEETS[name])
    room, _ = stage_rooms(card_page(board.sheet))
    cards = [card.box for card in filling(board.scenery, room).cards]
    assert sum(box.width * box.height for box in cards) >= 0.6 * room.width * room.height
    assert all(room.holds(box) for box in cards)
    assert not any(a.overlaps(b) for a, b in combinations(cards, 2))


def test_a_title_card_shows_the_end_beside_the_start():
    board = proved_storyboard(record("all_reduce", "ring", ranks=4))
    first, _ = stage_rooms(board.sheet)
    card, small = TitleCard(TextCard(board), DARK), SmallStage(board, DARK, first, 1.0)
    card.show(None)
    shown = {each.points.tobytes() for each in (*card.still, *card.settled)}
    for done, room in zip((0, len(board.frames)), stage_rooms(board.sheet), strict=True):
        wanted = {each.points.tobytes() for each in small.outlines(Keyframe(done), room)}
        assert wanted <= shown


@pytest.mark.parametrize("name", ["film", "film tall", "lecture"])
@each("row", rows_on(8), few=4)
def test_the_cards_before_go_to_where_the_stage_has_them(name, row):
    board = proved_storyboard(record(row.collective, row.algorithm, ranks=8), sheet=SHEETS[name])
    card, stage = TitleCard(TextCard(board), DARK), Stage(board, DARK)
    card.show(BECOMES_STAGE)
    assert card.travels(BECOMES_STAGE) and not card.still
    stage.show(Keyframe(0))
    inks = [ink for ink in stage.stripes if len(ink.points)]

    def marks(ink, drawn):
        return [o.points for o in drawn if (o.look, len(o.points)) == (ink.look, len(ink.points))]

    before = [marks(ink, TitleCard(TextCard(board), DARK).still) for ink in inks]
    assert inks and all(before)
    for time, wanted in ((0.0, before), (1.0, [[ink.points] for ink in inks])):
        card.travel(time)
        for ink, places in zip(inks, wanted, strict=True):
            there = marks(ink, card.settled)
            assert any(abs(a - b).max() < BORDERS for a in there for b in places)


@pytest.mark.parametrize("times", [1.0, 1.5])
def test_each_card_and_cell_goes_the_whole_way(times):
    scenery = proved_storyboard(record("all_reduce", "hierarchical", ranks=16)).scenery
    filled = filling(scenery, stage_rooms(SHEETS["film"])[0])
    way = CardsOnTheWay(filled, scenery, times)
    first, half, last = (way.at(part).cards for part in (0, 0.5 if way.fading else 0.6, 1))
    assert [card.box for card in first] == [card.box for card in filled.cards]
    for node, own in enumerate(scenery.cards):
        a, b, c = first[node], half[node], last[node]
        wanted = [own.box, *(own.cell(well) for well in range(len(own.shape.cells)))]
        boxes = [c.box, *(c.cell(well) for well in range(len(own.shape.cells)))]
        for box, goal in zip(boxes, wanted, strict=True):
            assert astuple(box) == pytest.approx([times * side for side in astuple(goal)])
        if node in way.fading:
            continue
        across = [(a.x, b.x, c.x), (a.box.width, b.box.width, c.box.width)]
        down = [(a.y, b.y, c.y), (a.box.height, b.box.height, c.box.height)]
        assert all(middle == pytest.approx(end) for _, middle, end in across), "all the way"
        assert all(middle == pytest.approx(start) for start, middle, _ in down), "not yet"


@pytest.mark.parametrize(
    ("collective", "algorithm", "ranks", "fading"),
    [
        ("barrier", "dissemination", 8, []),
        ("all_reduce", "hierarchical", 16, []),
        ("all_reduce", "ring", 8, [4, 5, 6, 7]),
        ("all_reduce", "sharp", 8, [8, 9, 10]),
    ],
)
def test_cards_pass_over_no_other_on_their_way(collective, algorithm, ranks, fading):
    """What cannot but pass over others fades: a row that turns round, and switches."""
    sheet = SHEETS["film"]
    scenery = proved_storyboard(record(collective, algorithm, ranks=ranks), sheet=sheet).scenery
    filled = filling(scenery, stage_rooms(card_page(sheet))[0])
    way = CardsOnTheWay(filled, scenery, card_page(sheet).height / sheet.height)
    assert sorted(way.fading) == fading
    for part in np.linspace(0, 1, 21).tolist():
        boxes = [card.box for card in way.at(part).cards]
        pairs = combinations([box for box in boxes if box.left > 0], 2)
        gone = 0.2 <= part < (0.8 if fading else 1.0)
        assert len(boxes) - sum(box.left > 0 for box in boxes) == gone * len(fading)
        assert not any(one.overlaps(other, -5) for one, other in pairs), part
    assert (way.hidden(0.0), way.hidden(0.2), way.hidden(1.0)) == (0, 1, 0)


def test_nothing_is_claimed_where_nothing_is_promised():
    """No proof, no bound, and no cell counts as useless."""
    steps = [send([0, 1, 2], [1, 2, 0], 0, 1)] * 2
    board = proved_storyboard(record(steps, collective=CUSTOM, ranks=3, slots=1, scratch=1))
    assert "Nothing is promised" in board.ending
    assert board.heading == "now / this algorithm"
    assert not any(board.stale(step) for step in range(3))
