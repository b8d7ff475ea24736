"""The stage of a mixture of experts: places that fill as the recording says, none that overlaps."""

from itertools import combinations

import numpy as np
import pytest
from each import each
from legible import check_links, check_parcels, check_places, check_words, inside

from animations.story.compose import proved_storyboard
from collectives import record

ROWS = {
    "dispatch": ("direct", "two-hop", "all-gather"),
    "combine": ("direct", "two-hop", "reduce-scatter"),
}
TABLES = [{}, {"skew": 2, "capacity": 2}, {"tokens": 5, "topk": 1}]
CASES = [
    (collective, name, ranks, table)
    for collective, names in ROWS.items()
    for name in names
    for ranks, table in zip((4, 8, 6), TABLES, strict=True)
]


def board_of(collective, name, ranks, table):
    recording = record(collective, name, ranks=ranks, parameters=table)
    return recording, proved_storyboard(recording)


@each(("collective", "name", "ranks", "table"), CASES)
def test_a_stage_is_legible(collective, name, ranks, table):
    recording, board = board_of(collective, name, ranks, table)
    scenery, where = board.scenery, f"{recording.heading} {table}"
    assert scenery.family == "experts"
    check_places(scenery, where)
    check_words(scenery, where)
    check_links(scenery, where)
    check_parcels(board, range(1, len(board.frames) + 1), where)
    boxes = [chip.box for chip in scenery.chips]
    assert not any(a.overlaps(b, -0.1) for a, b in combinations(boxes, 2))
    grounds = [ground.box for ground in scenery.grounds]
    assert all(any(inside(box, ground) for ground in grounds) for box in boxes)


@each(("collective", "name", "ranks", "table"), CASES)
def test_places_fill_when_tokens_come_or_leave(collective, name, ranks, table):
    recording, board = board_of(collective, name, ranks, table)
    routing, rows = recording.setting.routing, board.scenery.cards
    chips = board.scenery.chips
    assert sorted(chip.text for chip in chips) == sorted(
        str(token) for token in np.nonzero(routing.choice >= 0)[0].tolist()
    )
    for chip in chips:
        token, (at,) = int(chip.text), chip.steps
        rank = min(range(ranks), key=lambda rank: abs(rows[rank].y - chip.box.y))
        if rank == token // routing.tokens:
            assert at == 0, "a rank's own token need not travel"
        elif collective == "dispatch":
            held = [
                bool(recording.contributors(state)[rank, token].any()) for state in (at - 1, at)
            ]
            assert held == [False, True]
        else:
            step = recording.steps[at - 1].unrolled()
            assert ((step.src == rank) & (step.chunk == token)).any()


def test_capacity_shows_as_places_and_what_finds_no_room_is_named():
    recording, board = board_of("dispatch", "direct", 8, {"skew": 2, "capacity": 2})
    routing, said = recording.setting.routing, [word.text for word in board.scenery.words]
    dashed = [ground for ground in board.scenery.grounds if ground.dashed]
    assert len(dashed) == (routing.load == 0).sum() == sum("empty" in text for text in said)
    empty = [ground for ground in board.scenery.grounds if ground.fill == "well"]
    assert len(empty) == 8 * 2 - routing.load.sum()
    assert "no room: 0 ×2, 1 ×2" in said and "no room: 2, 3" in said


@pytest.mark.parametrize("name", ["two-hop", "direct"])
def test_nodes_are_frames_and_rails_stay(name):
    _, board = board_of("dispatch", name, 8, {})
    frames = [ground for ground in board.scenery.grounds if not ground.fill]
    rails = [line for line in board.scenery.lines if not line.brief]
    assert len(frames) == 2 * (name == "two-hop")
    assert all(abs(src - dst) == 4 for src, dst in (line.link for line in rails)) or not frames


def test_many_ranks_have_another_stage():
    assert board_of("dispatch", "direct", 16, {})[1].scenery.family == "matrix"
