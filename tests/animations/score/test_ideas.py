"""The idea that a film opens with: whole sentences, true on the ranks that are shown."""

import re

import pytest

from animations.phrases import phrases
from animations.score.pacing import clauses
from animations.score.sentences import phase_name
from animations.score.steps import score_of
from animations.story.compose import proved_storyboard
from animations.story.facts import idea_of
from collectives import ROWS, record

VERBS = """add adds are bring carries collect come comes copies double exchange fetches follow fold
    get gets give gives go goes halves hand hands has have holds hop hops is keep keeps leads
    loads merge moves pass passes releases report reports run runs send sends split starts stores
    sums swap takes works"""
ORDERS = r"^(?:linear )?(?:reduce|gather|scatter|reduce-scatter)\b|first gather"
TELLS = re.compile(rf"{ORDERS}|\b(?:{'|'.join(VERBS.split())})\b", re.IGNORECASE)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.title)
def test_each_sentence_of_an_idea_has_a_verb(row):
    ranks = next(number for number in (8, 4, 16, 3) if row.accepts(number))
    idea = idea_of(record(row.collective, row.algorithm, ranks=ranks), phrases("en"))
    said = clauses(idea)
    assert all(TELLS.search(sentence) for sentence in said), said


def test_one_rail_is_not_said_to_be_each_rail():
    """Only leaders talk between nodes: of the rails one is in use."""
    for algorithm, named in (("leader", False), ("hierarchical", True), ("nvls-tree", True)):
        board = proved_storyboard(record("all_reduce", algorithm, ranks=16))
        names = [phase_name(board, number) for number in range(len(board.phases))]
        invariants = [board.invariant(number + 1) for number in range(len(board.frames))]
        assert any("in each rail" in name for name in names) is named, names
        assert any(text.startswith("In each rail") for text in invariants) is named, invariants


@pytest.mark.parametrize("algorithm", ["double-binary-tree", "leader", "nvls-tree"])
def test_a_film_does_not_count_chunks_where_each_is_at_another_place(algorithm):
    told = [
        shot.said
        for _, shot in score_of(proved_storyboard(record("all_reduce", algorithm, ranks=8)))
    ]
    assert not [said for said in told if re.search(r"\d+ of \d+ chunks have", said)]


def test_of_unequal_chunks_nobody_says_that_no_byte_is_too_many():
    """The busiest port of this ring sends 11 elements of 6, where 9 would do."""
    uneven = record("all_reduce", "ring", ranks=4, counts=(3, 0, 1, 2))
    assert uneven.bytes_busiest_port > uneven.bound.busiest_port
    assert not idea_of(uneven, phrases("en"))
    assert "every port works" in idea_of(record("all_reduce", "ring", ranks=4), phrases("en"))


@pytest.mark.parametrize(("chunks", "idea"), [(1, False), (2, True), (3, False), (4, True)])
def test_each_of_two_trees_takes_half_of_the_chunks_only_where_it_does(chunks, idea):
    recording = record("all_reduce", "double_binary_tree", ranks=8, chunks=chunks)
    assert ("half of the chunks" in idea_of(recording, phrases("en"))) == idea
    said = [shot.said for _, shot in score_of(proved_storyboard(recording))]
    assert not [text for text in said if re.search(r"\d of the vector", text)]
