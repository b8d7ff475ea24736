"""The comments above yields as captions say them, in numbers and neighbors that are true here.

Within groups of ranks, and on several chunks at once, a function's comments know of neither.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import prod
from typing import TYPE_CHECKING, NamedTuple

from animations.story.labels import Labels
from collectives.schedule import Stamp, Step
from collectives.schedule.provenance import caption, forward
from collectives.schedule.step import Matrix
from collectives.structure import Groups, Structure, Torus

if TYPE_CHECKING:
    from animations.story.frames import Move

NEIGHBORS = {  # on a ring of all ranks → in a group
    "its right neighbor": "the next rank of its {}",
    "its right": "the next rank of its {}",
    "its left neighbor": "the rank before it in its {}",
    "its left": "the rank before it in its {}",
    "their right neighbors": "the next ranks of their {}s",
    "their left neighbors": "the ranks before them in their {}s",
}
SIDE = re.compile(rf"\b({'|'.join(NEIGHBORS)})\b")
ONE = re.compile(r"\b(a |its )((?:\w+ )?)(chunk|block)\b")
PLACES = {"node": "within nodes", "rail": "between nodes"}
LINES = ("stack", "column", "row")  # of the last dimensions of a torus
Pair = tuple[int, int]


class Remark(NamedTuple):
    """What is said of a move.

    text: the comment above its yield. group: the kind of group it stays in: a node, rail, row,
    column or stack; nothing where `within` names none. promise: its function's.
    """

    text: str
    group: str
    promise: str


def remarks(
    step: Step, moves: Sequence[Move], labels: Labels, structure: Structure | None
) -> list[Remark]:
    """What is said of each move of a step, in its order.

    structure: names the groups in which parts of the step run; None where there are none.
    """
    origin = step.unrolled().origin.tolist()
    own: list[list[Pair]] = [[] for _ in step.stamps]
    for move, made in zip(moves, origin, strict=True):
        own[made].append((move.src, move.dst))
    found = [
        Remark(_true(caption(stamp), pairs, labels, noun), noun, _promise(stamp))
        for stamp, pairs, matrix in zip(step.stamps, own, step.grouped, strict=True)
        for noun in [_noun(matrix, structure)]
    ]
    return [found[made] for made in origin]


def _promise(stamp: Stamp) -> str:
    """What the function that yields promises."""
    return next((frame.source.promise for frame in forward(stamp)[::-1]), "")


def _true(text: str, every: list[Pair], labels: Labels, noun: str) -> str:
    """A comment that is true of these moves: from where to where each goes, in which groups."""
    pairs = list(dict.fromkeys(every))
    acting = {src for src, _ in pairs if src < labels.ranks}
    if len(acting) < labels.ranks:
        text = text.replace("every rank ", f"each of {labels.nodes(sorted(acting))} ")
    if text and noun in PLACES and not SIDE.search(text):
        text = f"{PLACES[noun]}, {text}"
    return SIDE.sub(lambda found: _neighbor(found[0], pairs, labels.ranks, noun), text)


def _noun(matrix: Matrix, structure: Structure | None) -> str:
    """What a row of a matrix of ranks is in a structure; nothing where that has no word for it."""
    if isinstance(structure, Groups) and matrix:
        inside = [{*row} <= {*members} for row in matrix for members in structure.members]
        return "node" if sum(inside) == len(matrix) else "rail"
    if isinstance(structure, Torus) and matrix and len(matrix[0]) > 1:
        apart = matrix[0][1] - matrix[0][0]  # ranks of the torus are numbered row by row
        shape = structure.shape
        strides = [prod(shape[i + 1 :]) for i in range(len(shape)) if shape[i] > 1]
        names = dict(zip(strides[::-1], LINES[::-1], strict=False))
        return names.get(apart, "")
    return ""


def in_plural(comment: str) -> str:
    """A comment where several chunks go from one node to another.

    >>> in_plural("every rank passes a finished chunk to its right")
    'every rank passes finished chunks to its right'
    """
    return ONE.sub(_plural, comment)


def _plural(found: re.Match[str]) -> str:
    return f"{found[1].replace('a ', '')}{found[2]}{found[3]}s"


def _neighbor(side: str, pairs: Sequence[Pair], ranks: int, noun: str) -> str:
    """Words for a neighbor: as they are, if all ranks stand in one ring in their order."""
    ahead = 1 if "right" in side else -1
    if all((src + ahead) % ranks == dst for src, dst in pairs):
        return side
    whole = any(len(group) == ranks for group in linked(pairs))
    return NEIGHBORS[side].format(noun or ("ring" if whole else "group"))


def linked(pairs: Sequence[Pair]) -> list[set[int]]:
    """The nodes that are linked with each other, over however many links.

    >>> linked([(0, 4), (1, 5), (5, 9)])
    [{0, 4}, {1, 5, 9}]
    """
    groups: dict[int, set[int]] = {}
    for pair in pairs:
        joined = set().union(*(groups.get(node, {node}) for node in pair))
        groups.update(dict.fromkeys(joined, joined))
    return list({id(group): group for group in groups.values()}.values())
