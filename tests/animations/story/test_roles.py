"""What a node is said to be: its neighbors in the words are those it exchanges messages with."""

import re

import pytest

from animations.story.labels import labels_of
from collectives import ROWS, record
from collectives.structure import Groups


def roles(collective, algorithm, ranks):
    recording = record(collective, algorithm, ranks=ranks)
    return roles_of(recording, labels_of(recording).node)


def roles_of(recording, name):
    return [recording.structure.role(node, name) for node in range(recording.nodes)]


@pytest.mark.parametrize(
    ("case", "node", "role"),
    [
        (("all_reduce", "tree", 8), 2, "child of rank 0, parent of rank 3"),
        (("all_reduce", "tree", 8), 0, "root of the tree, parent of ranks 1, 2 and 4"),
        (("all_reduce", "ring", 5), 4, "after rank 3 and before rank 0 on the ring"),
        (("reduce", "leftward-ring", 6), 2, "after rank 3 and before rank 1 on the ring"),
        (("all_reduce", "bidirectional-ring", 5), 4, "between rank 3 and rank 0 on the ring"),
        (("all_reduce", "ring", 2), 1, "neighbor of rank 0"),
        (
            ("broadcast", "double-binary-tree", 6),
            2,
            "in tree A: child of rank 3, a leaf; in tree B: child of rank 0, parent of rank 1",
        ),
        (("all_reduce", "torus-2d", 6), 5, "at (1, 2) of the 2 × 3 grid, each from 0"),
        (("all_reduce", "sharp", 6), 2, "child of switch 0, a leaf"),
        (("all_reduce", "tail-fold", 6), 5, "folded into rank 1"),
        (("all_reduce", "hierarchical", 6), 4, "in node 1, with ranks 3 and 5"),
        (("scan", "chain", 4), 0, "first of the line, before rank 1"),
        (("all_reduce", "two-shot", 6), 0, "linked with all others"),
        (("all_to_all", "flat", 6), 0, ""),
    ],
    ids=str,
)
def test_places_in_words(case, node, role):
    assert roles(*case)[node] == role


def test_who_is_named_is_linked():
    """In every row of the catalog; groups name the ranks of a node, linked or not."""
    told = 0
    for row in ROWS:
        recording = record(row.collective, row.algorithm, ranks=next(filter(row.accepts, (6, 8))))
        if isinstance(recording.structure, Groups):
            continue
        name = labels_of(recording).node
        links = {frozenset(map(name, pair)) for pair in recording.counters.links.tolist()}
        for node, role in enumerate(roles_of(recording, name)):
            for noun, numbers in re.findall(
                r"(rank|switch|server)(?:e?s)? (\d+(?:(?:, | and )\d+)*)", role
            ):
                for number in re.findall(r"\d+", numbers):
                    assert frozenset((name(node), f"{noun} {number}")) in links, (row.title, role)
                    told += 1
    assert told > 200
