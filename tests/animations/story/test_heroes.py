"""One chunk is followed through a film: where it is sent, and while it rests, what is added."""

import pytest
from samples import sample, title

from animations.story.compose import proved_storyboard
from animations.story.frames import hopping
from collectives import ROWS, record

MOST = 7  # steps of which all ways are tried
EVERY = [(row, ranks) for row in ROWS for ranks in sample(row, (2, 3, 5, 8, 16), 1)]


def board_of(collective, algorithm, ranks):
    return proved_storyboard(record(collective, algorithm, ranks=ranks))


def reach(steps, at):
    """For how many of these steps the content of a cell can be followed, found by trying all."""
    if not steps:
        return 0
    transfers = [m for m in steps[0].transfers if not m.is_local] or steps[0].transfers
    ways = [m for m in transfers if (m.src, m.chunk) == at]
    ways = ways or [m for m in transfers if m.adds and (m.dst, m.into) == at]
    return max((1 + reach(steps[1:], (m.dst, m.into)) for m in ways), default=0)


@pytest.mark.parametrize(("row", "ranks"), EVERY, ids=title)
def test_the_hero_is_followed_as_long_as_any_chunk_can_be(row, ranks):
    board = proved_storyboard(record(row.collective, row.algorithm, ranks=ranks))
    steps, at = board.frames, None
    if 0 < len(steps) <= MOST:
        first = steps[0].example
        best = max(reach(steps, (m.src, m.chunk)) for m in steps[0].transfers)
        assert 1 + reach(steps[1:], (first.dst, first.into)) == best
    for step in steps:
        hero = step.example
        sent_on = [m for m in step.transfers if (m.src, m.chunk) == at and not m.is_local]
        added = [m for m in step.transfers if (m.dst, m.into) == at and m.adds]
        new = [m for m in sent_on or added if (m.dst, m.into) in step.cells]
        if new:
            assert hero in (sent_on or added)
        at = hero.dst, hero.into


def test_the_chunk_of_a_ring_goes_all_the_way_round_and_on():
    board = board_of("all_reduce", "ring", 8)
    heroes = [frame.example for frame in board.frames]
    assert {transfer.chunk for transfer in heroes} == {7}
    assert [transfer.dst for transfer in heroes[:-1]] == [transfer.src for transfer in heroes[1:]]


def test_the_enlarged_chunk_is_the_sum_once_it_has_landed():
    board = board_of("reduce_scatter", "ring", 4)
    assert [len(board.enlarged(step, False).held) for step in (1, 2, 3)] == [1, 2, 3]
    assert [len(board.enlarged(step, True).held) for step in (1, 2, 3)] == [2, 3, 4]
    assert board.enlarged(0, True) is None


def test_a_sum_that_rests_is_followed_by_what_is_added_to_it():
    heroes = [frame.example for frame in board_of("reduce", "tree", 8).frames]
    assert [(transfer.src, transfer.dst) for transfer in heroes] == [(1, 0), (2, 0), (4, 0)]


def test_the_hero_goes_to_a_rank_that_lacks_it():
    frames = board_of("broadcast", "van_de_geijn", 8).frames
    assert all((f.example.dst, f.example.into) in f.cells and f.example.dst for f in frames)


def test_the_caption_speaks_of_the_hero():
    for frame in (board := board_of("all_reduce", "rabenseifner", 8)).frames:
        parcel = frame.parcels[frame.hero]
        what = board.labels.contents([frame.transfers[i] for i in parcel.transfers])
        adds = f"adds {what} from rank {parcel.src}"
        said = adds if parcel.adds else f"rank {parcel.src} sends {what} "
        assert said in board.captions[frame.number]
        assert frame.example is frame.transfers[frame.followed]
        assert frame.followed in parcel.transfers


def test_a_block_of_two_hops_is_followed_where_all_go_equally_far():
    bruck = board_of("all_to_all", "bruck", 8)
    ways = [(f.example.cell.labels, f.example.src, f.example.dst) for f in bruck.frames[1:]]
    assert [ways[0], ways[2]] == [(("0→5",), 0, 1), (("0→5",), 1, 5)], "as far apart as can be"
    apart = board_of("all_to_all", "hierarchical", 8)
    assert hopping(bruck.frames, bruck.labels) and not hopping(apart.frames, apart.labels)


def test_a_block_of_two_hops_is_marked_where_it_is_and_not_where_it_was():
    board = board_of("all_to_all", "bruck", 8)
    held = board.cells(len(board.frames))[5, 8]
    assert board.traced == held and (held.held, held.labels) == ((0,), ("0→5",))
    places = [[node for node, _ in board.traces(step)] for step in range(len(board.frames) + 1)]
    assert places == [[0], [0], [1], [1], [5]]
    assert board.traces(4, landed=False) == [], "it is on its way"


def test_the_followed_chunk_has_a_border_at_switches_up_and_down():
    """Not where it was; where it goes, if an older part of it is there."""
    sharp = board_of("all_reduce", "sharp", 8)
    places = [sorted(node for node, _ in sharp.outlined(step)) for step in range(1, 5)]
    assert places == [[8, 9], [10], [8, 9], [*range(8)]]
    assert {well for step in range(1, 5) for _, well in sharp.outlined(step)} == {0}
    assert board_of("all_reduce", "ring", 8).outlined(1) == []


def test_the_chunk_that_all_ranks_get_is_marked_on_each_that_has_it():
    board = board_of("all_gather", "bruck", 7)
    assert [len(board.traces(step)) for step in range(4)] == [1, 2, 4, 7]
    assert all(cell[1] == 3 for cell in board.traces(3))
    assert board_of("all_reduce", "ring", 4).traced is None
    assert board_of("all_to_all", "pairwise", 6).traced is None, "it goes one hop"


def test_near_hops_of_what_is_followed_are_near():
    for ranks in (8, 16):
        frames = board_of("all_gather", "pat", ranks).frames
        hops = [abs(frame.example.dst - frame.example.src) for frame in frames]
        assert hops == [ranks >> step for step in range(1, len(frames) + 1)]
