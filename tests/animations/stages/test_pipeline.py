"""A pipeline: legible for any number of ranks in any box; its grid says what the links carry."""

import pytest
from legible import check_links, check_parcels, check_places, check_words
from staged import BOXES, SOME_BOXES, some, staged

from animations.stages.pipeline import pipeline
from collectives import record
from collectives.schedule.step import rows
from collectives.structure import Line

CASES = {
    ("broadcast", "ring"): range,
    ("reduce", "ring"): lambda n: range(n - 1, -1, -1),
    ("scan", "chain"): range,
    ("exscan", "chain"): range,
    ("send_recv", "pipeline_activations"): range,
}


def piped(case, ranks, box="lecture"):
    recording = record(*case, ranks=ranks)
    line = Line(tuple(CASES[case](ranks)))
    return recording, staged(recording, pipeline, line, BOXES[box])


@pytest.mark.parametrize("box", SOME_BOXES)
@pytest.mark.parametrize("ranks", some([2, 3, 5, 8, 16, 32, 64]))
@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_a_pipeline_is_legible(case, ranks, box):
    _, board = piped(case, ranks, box)
    where, frames = f"{case} on {ranks} in {box}", len(board.frames)
    check_places(board.scenery, where)
    check_links(board.scenery, where)
    if ranks <= 16:
        check_parcels(board, range(1, frames + 1), where)
    check_words(board.scenery, where)


@pytest.mark.parametrize("ranks", [2, 5, 16])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_its_grid_has_a_chip_for_each_chunk_on_a_link(case, ranks):
    recording, board = piped(case, ranks)
    sent = {
        (number, src, dst, chunk % recording.chunk_count)
        for number, step in enumerate(recording.steps, 1)
        for src, dst, chunk, *_ in rows(step.unrolled())
        if src != dst
    }
    names = {word.baseline: word.text for word in board.scenery.words if "→" in word.text}
    drawn = []
    assert bool(names) == (recording.chunk_count > 1)  # of one chunk there is nothing to tell
    for chip in board.scenery.chips:
        link = min(names, key=lambda base: abs(base - 7 - chip.box.y))
        src, dst = map(int, names[link].split(" → "))
        drawn += [(step, src, dst, int(chip.text)) for step in chip.steps]
        assert chip.hatched == (not chip.steps)
    assert sorted(drawn) == sorted(sent if names else [])


def test_it_says_when_it_fills_and_drains():
    _, board = piped(("broadcast", "ring"), 4)
    words = [word.text for word in board.scenery.words]
    assert words[-3:] == ["fill", "all links busy", "drain"]
