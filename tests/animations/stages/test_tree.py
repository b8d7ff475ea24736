"""Trees: legible in any box, a level for each step, nothing but children below a parent."""

import pytest
from legible import check_links, check_parcels, check_places
from staged import BOXES, some, staged

from animations.stages.tree import tree
from animations.story.compose import proved_storyboard
from collectives import record

CASES = [
    ("broadcast", "tree"),
    ("reduce", "tree"),
    ("all_reduce", "tree"),
    ("scatter", "tree"),
    ("gather", "tree"),
    ("all_gather", "tree"),
    ("reduce_scatter", "tree"),
    ("broadcast", "knomial"),
    ("reduce", "knomial"),
    ("broadcast", "binary-tree"),
    ("reduce", "binary-tree"),
    ("barrier", "tree"),
]


@pytest.mark.parametrize("ranks", some([3, 2, 8, 5, 64, 16]))
@pytest.mark.parametrize("case", CASES, ids="-".join)
def test_a_tree_is_legible(case, ranks):
    recording = record(*case, ranks=ranks)
    for name, box in BOXES.items():
        where = f"{case} on {ranks}, {name}"
        board = staged(recording, tree, recording.structure, box)
        check_places(board.scenery, where)
        check_links(board.scenery, where)
        if ranks <= 16:
            check_parcels(board, range(1, len(board.frames) + 1), where)


@pytest.mark.parametrize("ranks", [5, 8, 13, 16])
def test_each_step_of_a_broadcast_lights_one_level_below_the_last(ranks):
    recording = record("broadcast", "tree", ranks=ranks, root=3)
    scenery = staged(recording, tree, recording.structure, BOXES["lecture"]).scenery
    assert [chip.steps for chip in scenery.chips] == [
        (),
        *((step,) for step in range(1, len(recording.steps) + 1)),
    ]
    assert [chip.box.y for chip in scenery.chips] == sorted({card.y for card in scenery.cards})
    for number, step in enumerate(recording.steps, 1):
        assert {scenery.cards[node].y for node in step.dst} == {scenery.chips[number].box.y}


def test_ranks_without_a_message_in_a_step_are_named_idle():
    recording = record("reduce", "tree", ranks=8)
    words = staged(recording, tree, recording.structure, BOXES["lecture"]).scenery.words
    assert [(word.text, word.step) for word in words] == [
        ("idle: ranks 1, 3, 5, 7", 2),
        ("idle: ranks 1–3, 5–7", 3),
    ]


@pytest.mark.parametrize("ranks", [6, 8])
def test_who_has_the_data_counts_up_beside_the_levels(ranks):
    recording = record("broadcast", "tree", ranks=ranks)
    words = proved_storyboard(recording).scenery.words
    counted = {word.states[0]: word.text for word in words if word.states}
    has = [
        recording.contributors(state)[:, 0, 0].sum() for state in range(len(recording.steps) + 1)
    ]
    assert counted == {state: f"{number}" for state, number in enumerate(has)}
    scattered = proved_storyboard(record("scatter", "tree", ranks=ranks)).scenery.words
    assert not any(word.states for word in scattered)


@pytest.mark.parametrize("ranks", [4, 8, 16])
@pytest.mark.parametrize("name", [("broadcast", "binomial"), ("all_reduce", "tree")])
def test_the_upper_half_of_a_binomial_tree_stands_on_the_right(name, ranks):
    cards = proved_storyboard(record(*name, ranks=ranks)).scenery.cards
    half = ranks // 2
    assert max(card.x for card in cards[:half]) < min(card.x for card in cards[half:])
