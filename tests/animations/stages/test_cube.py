"""Ranks at the corners of a cube: legible, and refused where partners differ in more bits."""

import pytest
from legible import check_links, check_parcels, check_places

from animations.story.compose import proved_storyboard
from collectives import record
from collectives.errors import BadInput

CUBES = [("all_reduce", "recursive_doubling"), ("all_reduce", "rabenseifner")]


@pytest.mark.parametrize("ranks", [4, 8, 16])
@pytest.mark.parametrize("case", CUBES, ids=lambda case: case[1])
def test_a_cube_is_legible(case, ranks):
    board = proved_storyboard(record(*case, ranks=ranks), stage="cube")
    where = f"{case} on {ranks}"
    assert board.scenery.family == "cube"
    check_places(board.scenery, where)
    check_links(board.scenery, where)
    check_parcels(board, range(1, len(board.frames) + 1), where)


@pytest.mark.parametrize(
    ("algorithm", "ranks"), [("recursive_doubling", 5), ("bruck", 8), ("rabenseifner", 32)]
)
def test_what_is_no_cube_is_refused(algorithm, ranks):
    with pytest.raises(BadInput, match="there is cube, of 4, 8 or 16 ranks"):
        proved_storyboard(record("all_reduce", algorithm, ranks=ranks), stage="cube")
