"""A row with arcs: legible for any number of ranks, its brackets say what the states hold."""

import pytest
from legible import check_links, check_parcels, check_places
from staged import some

from animations.drawing.sheet import SHEETS
from animations.drawing.ways import point
from animations.story.compose import proved_storyboard
from collectives import record

CASES = [
    ("all_reduce", "recursive_doubling"),
    ("all_reduce", "rabenseifner"),
    ("all_gather", "bruck"),
    ("barrier", "dissemination"),
]


@pytest.mark.parametrize("ranks", some([3, 5, 8, 16, 32, 64]))
@pytest.mark.parametrize("case", CASES, ids=lambda case: case[1])
def test_a_row_is_legible(case, ranks):
    board = proved_storyboard(record(*case, ranks=ranks))
    where = f"{case} on {ranks}"
    assert board.scenery.family == "row"
    check_places(board.scenery, where)
    check_links(board.scenery, where)
    if ranks <= 16:
        check_parcels(board, range(1, len(board.frames) + 1), where)


@pytest.mark.parametrize(("ranks", "family"), [(4, "ring"), (8, "circle"), (16, "row")])
def test_partners_to_the_left_and_right_by_turns_stand_round_a_ring(ranks, family):
    board = proved_storyboard(record("all_reduce", "swing", ranks=ranks))
    assert board.scenery.family == family
    check_places(board.scenery, ranks)
    check_links(board.scenery, ranks)
    check_parcels(board, range(1, len(board.frames) + 1), ranks)
    reach = [chip.text for chip in board.scenery.chips]
    assert reach[: len(reach) // 2] == ["1", "1", "3", "5"][: len(reach) // 2]


def test_every_step_has_a_distance_and_one_in_place_has_none():
    board = proved_storyboard(record("scan", "recursive_doubling", ranks=8))
    assert [chip.text for chip in board.scenery.chips] == ["0", "1", "2", "4"]


@pytest.mark.parametrize("sheet", ["lecture", "film", "film slide"])
def test_what_goes_three_cards_on_goes_round_the_ring_and_others_are_beside_it(sheet):
    """Near the cards between, not across the middle; each line beside that of others on a cable."""
    board = proved_storyboard(record("all_reduce", "swing", ranks=8), sheet=SHEETS[sheet])
    check_links(board.scenery, sheet)
    check_parcels(board, (3, 4), sheet)
    cards, ways = [card.box for card in board.scenery.cards], board.scenery.ways
    lines = {line.link: line.points for line in board.scenery.lines}

    def deep(way, rank):
        points, card = (point(way, time / 40) for time in range(41)), cards[rank % 8]
        return min(
            max(abs(x - card.x) - card.width / 2, abs(y - card.y) - card.height / 2)
            for x, y in points
        )

    for src in range(0, 8, 2):
        there, back = (src, (src + 3) % 8), ((src + 3) % 8, src)
        for between in (src + 1, src + 2):
            assert deep(lines[back], between) == pytest.approx(deep(lines[there], between))
            assert all(4 < deep(ways[link], between) < 150 for link in (there, back))
            assert deep(lines[there], between) > 0
    inner, outer = (
        min(deep(lines[link], link[0] + k) for k in (1, 2)) for link in ((2, 5), (0, 3))
    )
    assert inner > outer + 8
