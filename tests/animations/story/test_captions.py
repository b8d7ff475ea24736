"""Captions are true of what is executed: all that moves, from where to where, next to whom."""

import re

import pytest
from samples import sample, title

from animations.story.comments import linked
from animations.story.storyboard import proved_storyboard
from collectives import ROWS, record
from collectives.schedule.step import rows

EVERY = [(row, ranks) for row in ROWS for ranks in sample(row, (2, 3, 5, 8, 16), 2)]
PARCEL = re.compile(
    r"(rank|switch|server) (\d+) (adds|sends) chunks? ([\d, –]+) (?:in)?to "
    r"(ranks?|switch|switches|server) ([\d, –]+)"
)


def numbers(text):
    """The numbers in 0, 2, 4–7."""
    found = set()
    for part in text.strip(" ,").split(", "):
        first, _, last = part.partition("–")
        found |= set(range(int(first), int(last or first) + 1))
    return found


@pytest.mark.parametrize(("row", "ranks"), EVERY, ids=title)
def test_a_caption_names_all_that_moves(row, ranks):
    recording = record(row.collective, row.algorithm, ranks=ranks)
    board = proved_storyboard(recording)
    for number, step in enumerate(recording.steps, 1):
        text = board.captions[number]
        found = PARCEL.search(text)
        assert found or "chunk " not in text.partition(": ")[2] or " of " in text or "all " in text
        if found:
            src = int(found[2]) + ranks * (found[1] != "rank")
            to = {int(n) + ranks * (not found[5].startswith("rank")) for n in numbers(found[6])}
            sent = [
                (dst, chunk)
                for s, dst, chunk, _, _, adds in rows(step.unrolled())
                if s == src and adds == (found[3] == "adds") and dst in to
            ]
            named = {(dst, chunk) for dst in to for chunk in numbers(found[4])}
            assert named <= set(sent), text
            if recording.nodes == ranks:
                assert named == set(sent), text


@pytest.mark.parametrize(("row", "ranks"), EVERY, ids=title)
def test_neighbors_in_captions_are_neighbors(row, ranks):
    recording = record(row.collective, row.algorithm, ranks=ranks)
    board = proved_storyboard(recording)
    for number, step in enumerate(recording.steps, 1):
        text = board.captions[number].partition(" — ")[2]
        links = {(s, d) for s, d, *_ in rows(step) if s != d}
        ahead = {(d - s) % ranks for s, d in links}
        if "its right" in text:
            assert 1 in ahead and ahead <= {1, ranks - 1}, text
        if "its left" in text:
            assert ranks - 1 in ahead and ahead <= {1, ranks - 1}, text
        if text.startswith("every rank "):
            assert {s for s, *_ in rows(step)} >= set(range(ranks)), text
        several = len(list(rows(step.unrolled()))) > len({(s, d) for s, d, *_ in rows(step)})
        if " a chunk " in text or " a finished chunk " in text:
            assert not several, text


def test_a_ring_within_groups_speaks_of_the_group():
    torus = proved_storyboard(record("all_reduce", "torus-2d", ranks=16))
    assert "adds chunks into the next rank of its group: rank 0 adds chunks" in torus.captions[1]
    leader = proved_storyboard(record("all_reduce", "leader", ranks=8))
    assert "each of ranks 0, 4 adds a chunk into the next rank of its" in leader.captions[3]
    flat = proved_storyboard(record("all_reduce", "ring", ranks=4))
    assert "every rank adds a chunk into its right neighbor: rank 0 adds" in flat.captions[1]


def test_nodes_are_in_one_group_over_however_many_links():
    assert linked([(0, 1), (2, 3), (1, 2), (5, 4)]) == [{0, 1, 2, 3}, {4, 5}]
