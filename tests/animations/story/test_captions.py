"""Captions are true of what is executed: all that moves, from where to where, next to whom."""

import re

import numpy as np
import pytest
from samples import pairs, title

from animations.story.comments import linked
from animations.story.compose import proved_storyboard
from animations.story.facts import with_values
from collectives import record
from collectives.algorithms.binomial import binomial_broadcast
from collectives.schedule import within
from collectives.schedule.step import rows

EVERY = pairs((2, 3, 5, 8, 16), 1)
PARCEL = re.compile(
    r"(rank|switch|server) (\d+) sends chunks? ([\d, –]+) to "
    r"(ranks?|switch|switches|server) ([\d, –]+)"
    r"|(rank|switch|server) (\d+) adds chunks? ([\d, –]+) from (rank|switch|server) ([\d, –]+)"
)

SENDS = "every rank sends"


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
            sends, parts = bool(found[1]), [part for part in found.groups() if part]
            ends = [
                {number + ranks * (not noun.startswith("rank")) for number in numbers(some)}
                for noun, some in (parts[:2], parts[3:])
            ]
            (src,), to = ends if sends else ends[::-1]
            sent = [
                (dst, chunk)
                for s, dst, chunk, _, _, adds in rows(step.unrolled())
                if s == src and adds != sends and dst in to
            ]
            named = {(dst, chunk) for dst in to for chunk in numbers(parts[2])}
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
        if re.search("to the next(?! in)", text):
            assert 1 in ahead and ahead <= {1, ranks - 1}, text
        if re.search("to the one before(?! in)", text):
            assert ranks - 1 in ahead and ahead <= {1, ranks - 1}, text
        if text.startswith("every rank "):
            assert {s for s, *_ in rows(step)} >= set(range(ranks)), text
        several = len(list(rows(step.unrolled()))) > len({(s, d) for s, d, *_ in rows(step)})
        if " a chunk " in text:
            assert not several, text


@pytest.mark.parametrize(
    ("algorithm", "ranks", "step", "said"),
    [
        ("hierarchical", 16, 1, f"{SENDS} chunks to the next in its node, which adds them"),
        ("hierarchical", 16, 4, f"{SENDS} a chunk to the next in its rail, which adds it: rank "),
        ("torus-2d", 16, 1, f"{SENDS} chunks to the next in its row, which adds them"),
        ("torus-2d", 16, 4, f"{SENDS} a chunk to the next in its column, which adds it: "),
        ("torus-3d", 16, 5, f"{SENDS} a chunk to the next in its stack, which adds it: "),
        ("leader", 8, 2, "within nodes, every second remaining rank sends its sum"),
        ("leader", 8, 3, "each of ranks 0, 4 sends a chunk to the next in its rail, which"),
        ("nvls-tree", 8, 3, "between nodes, one of each pair sends its sum, and the other adds it"),
        ("ring", 16, 1, f"{SENDS} a chunk to the next, which adds it: rank 1 adds chunk 15"),
    ],
)
def test_a_caption_speaks_of_the_group(algorithm, ranks, step, said):
    board = proved_storyboard(record("all_reduce", algorithm, ranks=ranks))
    assert board.captions[step].partition(" — ")[2].startswith(said)


def nodes_broadcast(n, root=0):
    """Between two nodes first."""
    rank = np.arange(n).reshape(2, n // 2)
    yield from within(rank[:, 0], binomial_broadcast(2))
    yield from within(rank, binomial_broadcast(n // 2))


def test_a_pair_that_has_added_nothing_sends_no_result_back():
    board = proved_storyboard(record(nodes_broadcast, ranks=8, slots=1))
    assert board.frames[0].comment == "between nodes, ranks with the data send it on"
    board = proved_storyboard(record("all_reduce", "nvls-tree", ranks=8))
    back = "between nodes, the one that added sends the result back"
    assert any(back in frame.comment for frame in board.frames)


def test_nodes_are_in_one_group_over_however_many_links():
    assert linked([(0, 1), (2, 3), (1, 2), (5, 4)]) == [{0, 1, 2, 3}, {4, 5}]


@pytest.mark.parametrize(("row", "ranks"), EVERY, ids=title)
def test_an_invariant_is_the_promise_of_a_function_at_work(row, ranks):
    recording = record(row.collective, row.algorithm, ranks=ranks)
    board = proved_storyboard(recording)
    assert board.invariant(0) == ""
    for number, step in enumerate(recording.steps, 1):
        promises = {frame.source.promise for stamp in step.stamps for frame in stamp}
        said = {with_values(promise, recording.parameters) for promise in promises}
        text = board.invariant(number)
        if board.phases[board.frames[number - 1].phase].name in ("adding", "sending"):
            assert not text  # what a function does between its parts promises nothing of its own
            continue
        shown = re.sub(r"^In each \w+: ", "", text)
        known = {promise[:1].lower() + promise[1:] for promise in said}
        assert shown in known | said or all(part in said for part in shown.split("; ")), text
        assert len(text) <= 106


@pytest.mark.parametrize(
    ("algorithm", "step", "text"),
    [
        ("ring", 1, "Each chunk travels once round the ring, and every rank adds its own data"),
        ("hierarchical", 1, "In each node: each chunk travels once round the ring, and every"),
        ("hierarchical", 4, "In each rail: each chunk travels once round the ring, and every"),
        ("torus-3d", 4, "In each stack: each chunk travels once round the ring, and every"),
        ("double-binary-tree", 1, "Sums go up to the root, the deepest level of the tree first"),
    ],
)
def test_an_invariant_names_the_group_in_which_it_holds(algorithm, step, text):
    board = proved_storyboard(record("all_reduce", algorithm, ranks=8))
    assert board.invariant(step).startswith(text)
