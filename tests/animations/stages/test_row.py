"""A row with arcs: legible for any number of ranks, its brackets say what the states hold."""

from itertools import pairwise
from math import hypot

import pytest
from legible import MOMENTS, check_links, check_parcels, check_places, inside
from staged import some

from animations.drawing.glyphs import text_width
from animations.drawing.shapes import Box
from animations.drawing.sheet import SHEETS
from animations.drawing.ways import point
from animations.pictures.step_flights import StepFlights
from animations.story.comparison_sheet import comparison_sheet
from animations.story.compose import proved_storyboard
from collectives import record, topology

FORWARD = {
    4: (1, 4),
    6: (1, 3, 4, 6),
    8: (1, 3, 4, 6),
}  # steps of Swing in which even ranks send forward
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


@pytest.mark.parametrize(("ranks", "family"), [(4, "ring"), (8, "ring"), (16, "row")])
def test_partners_to_the_left_and_right_by_turns_stand_round_a_ring(ranks, family):
    board = proved_storyboard(record("all_reduce", "swing", ranks=ranks), topology("ring", ranks))
    assert board.scenery.family == family
    check_places(board.scenery, ranks)
    check_links(board.scenery, ranks)
    check_parcels(board, range(1, len(board.frames) + 1), ranks)
    reach = [chip.text for chip in board.scenery.chips]
    assert reach[: len(reach) // 2] == ["1", "1", "3", "5"][: len(reach) // 2]


@pytest.mark.parametrize("machine", ["crossbar", "hgx-h100", "torus-2d", "line"])
def test_where_there_is_no_ring_of_cables_none_is_drawn(machine):
    recording = record("all_reduce", "swing", ranks=8)
    assert proved_storyboard(recording, topology(machine, 8)).scenery.family == "row"


def test_every_step_has_a_distance_and_one_in_place_has_none():
    board = proved_storyboard(record("scan", "recursive_doubling", ranks=8))
    assert [chip.text for chip in board.scenery.chips] == ["0", "1", "2", "4"]


@pytest.mark.parametrize("ranks", [4, 6, 8])
@pytest.mark.parametrize("sheet", ["lecture", "film", "film slide"])
def test_messages_go_round_the_ring_and_light_the_cables_that_they_take(sheet, ranks):
    """One direction outside of all cards and one inside; lines beside one cable are apart."""
    recording = record("all_reduce", "swing", ranks=ranks)
    board = proved_storyboard(recording, topology("ring", ranks), sheet=SHEETS[sheet])
    scenery, steps = board.scenery, range(1, len(board.frames) + 1)
    check_places(scenery, sheet)
    check_links(scenery, sheet)
    check_parcels(board, steps, sheet)
    cards = [card.box for card in scenery.cards]
    x, y = (sum(at) / ranks for at in zip(*((card.x, card.y) for card in cards), strict=True))
    for number in steps:
        flights = StepFlights(board, board.frames[number - 1], 0)
        for box in (box for time in MOMENTS for box in flights.boxes(time)):
            assert inside(box, Box(960, 540, 1920, 1080)), f"step {number}"
        for link in {(move.src, move.dst) for move in board.frames[number - 1].transfers}:
            lit = [line for line in scenery.lines if line.link == link and number in line.steps]
            assert len(lit) == min((link[1] - link[0]) % ranks, (link[0] - link[1]) % ranks)
            assert [line.arrow for line in lit] == [False] * (len(lit) - 1) + [True]
            ahead = (link[0] % 2 == 0) == (number in FORWARD[ranks])
            next_to = (link[0] if ahead else link[1]) + len(lit) // 2
            one, other = cards[next_to % ranks], cards[(next_to + 1) % ranks]
            cable = hypot((one.x + other.x) / 2 - x, (one.y + other.y) / 2 - y)
            at = point(scenery.ways[link], 0.5)
            assert (hypot(at[0] - x, at[1] - y) > cable) == ahead, f"{link} in step {number}"
        ends = [line.points for line in scenery.lines if number in line.steps]
        assert len({*ends}) == len(ends)


@pytest.mark.parametrize("ranks", [8, 16])
@pytest.mark.parametrize("sheet", ["lecture", "film", "film slide"])
@pytest.mark.parametrize("collective", ["all_gather", "reduce_scatter"])
def test_uplinks_under_a_row_light_what_crosses_between_the_halves(collective, sheet, ranks):
    recording = record(collective, "pat", ranks=ranks)
    board = proved_storyboard(recording, topology("switch-tree", ranks), sheet=SHEETS[sheet])
    scenery, half = board.scenery, ranks // 2
    where = f"{collective} on {ranks}"
    check_places(scenery, where)
    check_links(scenery, where)
    for number, step in enumerate(recording.steps, 1):
        rows = step.unrolled()
        moved = rows.src != rows.dst
        ends = [rows.src[moved] // half, rows.dst[moved] // half]
        crossing = [int(((ends[0] == at) & (ends[1] != at)).sum()) for at in (0, 1)]
        written = [word.text for word in scenery.words if word.step == number]
        counts = [board.say.plural(crossing[at], "chunk") for at in (0, 1, 1, 0) if crossing[at]]
        assert written == counts
        lit = [line for line in scenery.lines if line.link is None and number in line.steps]
        assert len(lit) == len(counts)
        assert [line.points[0][1] < line.points[1][1] for line in lit] == [True, False] * (
            len(lit) // 2
        )


@pytest.mark.parametrize(
    ("algorithm", "ranks", "machine", "parameters", "grounds"),
    [
        ("pat", 8, "switch-tree", {}, 3),
        ("pat", 8, "switch-tree", {"radix": 4}, 3),
        ("pat", 8, "switch-tree", {"radix": 8}, 0),
        ("pat", 8, "hgx-h100", {}, 0),
        ("pat", 8, "crossbar", {}, 0),
        ("pat", 16, "switch-tree", {"radix": 4}, 0),
        ("pat", 4, "switch-tree", {}, 0),
        ("bruck", 8, "switch-tree", {}, 0),
    ],
)
def test_a_row_has_switches_only_where_its_machine_is_that_of_its_algorithm(
    algorithm, ranks, machine, parameters, grounds
):
    recording = record("all_gather", algorithm, ranks=ranks)
    board = proved_storyboard(recording, topology(machine, ranks, **parameters))
    assert len(board.scenery.grounds) == grounds


@pytest.mark.parametrize("number", [2, 3, 4])
@pytest.mark.parametrize(
    ("collective", "algorithm"), [("all_reduce", "swing"), ("all_gather", "pat")]
)
def test_what_chips_are_is_said_on_the_own_stage_only(collective, algorithm, number):
    sheet = comparison_sheet(number).panels[-1].sheet
    recording = record(collective, algorithm, ranks=8)
    board = proved_storyboard(recording, topology("hgx-h100", 8), sheet=sheet)
    titles = [word for word in board.scenery.words if word.text.startswith("distance")]
    assert titles, "there is room for one word at least"
    for word in titles:
        assert word.x - text_width(word.text, word.size) >= sheet.stage.left


@pytest.mark.parametrize("ranks", [4, 8, 16])
def test_what_partners_swap_passes_at_a_distance(ranks):
    """The sign of the lower one has room below the upper one."""
    board = proved_storyboard(record("all_reduce", "recursive_doubling", ranks=ranks))
    for time in MOMENTS:
        upper, lower = StepFlights(board, board.frames[0], 9).boxes(time)[:2]
        assert not upper.overlaps(lower, gap=board.scenery.badge)


@pytest.mark.parametrize(
    ("ranks", "gpus", "names"),
    [(16, 8, ["node 0", "node 1"]), (6, 2, ["node 0", "node 1", "node 2"]), (8, 1, []), (8, 8, [])],
)
@pytest.mark.parametrize("sheet", ["lecture", "film", "tall"])
def test_a_box_stands_round_the_ranks_of_each_node_of_a_cluster(ranks, gpus, names, sheet):
    machine = topology("cluster", ranks, gpus=gpus)
    recording = record("all_reduce", "recursive_doubling", ranks=ranks)
    scenery = proved_storyboard(recording, machine, sheet=SHEETS[sheet]).scenery
    assert [word.text for word in scenery.words if word.text.startswith("node")] == names
    check_places(scenery, sheet)
    rooms = [ground.box for ground in scenery.grounds]
    assert len(rooms) == len(names)
    assert not any(one.overlaps(other) for one, other in pairwise(rooms))
    for number, room in enumerate(rooms):
        held = [rank for rank in range(ranks) if inside(scenery.cards[rank].box, room)]
        assert held == [*range(number * gpus, (number + 1) * gpus)]
