"""The comments above yields as captions say them, in numbers and neighbors that are true here.

Within groups of ranks, and on several chunks at once, a function's comments know of neither.
"""

from __future__ import annotations

import re
from collections.abc import Container, Hashable, Sequence
from typing import NamedTuple

from animations.phrases import Phrases
from animations.story.labels import Labels
from animations.story.transfers import Transfer
from collectives.schedule import Stamp, Step
from collectives.schedule.provenance import caption, forward
from collectives.structure import Structure

NAMED_GROUPS = ("node", "rail")  # that are named before the comment
Pair = tuple[int, int]
Ways = Container[tuple[int, int, int]]  # source, destination and chunk


class Remark(NamedTuple):
    """What is said of a transfer.

    text: the comment above its yield. group: the kind of group it stays in: a node, rail, row,
    column or stack; nothing where `within` names none, or one rail alone. promise: its function's.
    """

    text: str
    group: str
    promise: str


def remarks(
    step: Step, moves: Sequence[Transfer], labels: Labels, structure: Structure | None, added: Ways
) -> list[Remark]:
    """What is said of each transfer of a step, in its order.

    structure: names the groups in which parts of the step run; None where there are none. added:
    what the steps before have added.
    """
    origin = step.unrolled().origin.tolist()
    speakers, rows = _speakers(step), sum(map(len, step.grouped))
    pairs: dict[Hashable, list[Pair]] = {speaker: [] for speaker in speakers}
    acts: dict[Hashable, set[str]] = {speaker: set() for speaker in speakers}
    for move, index in zip(moves, origin, strict=True):
        pairs[speakers[index]].append((move.src, move.dst))
        back = (move.dst, move.src, move.chunk) in added
        acts[speakers[index]].add("adds" if move.adds else "copies" if back else "")
    texts = [
        Remark(
            _true(caption(stamp), pairs[speaker], labels, noun, acts[speaker]),
            "" if noun == "rail" and rows == 1 else noun,
            labels.say.promise(_promise(stamp)),
        )
        for stamp, speaker, matrix in zip(step.stamps, speakers, step.grouped, strict=True)
        for noun in [structure.group_noun(matrix) if structure else ""]
    ]
    return [texts[index] for index in origin]


def _speakers(step: Step) -> list[Hashable]:
    """Whose comment each stamp has: programs of single ranks share that of the line they are at."""
    if not step.standing:
        return list(range(len(step.stamps)))
    return [tuple((frame.source, frame.line) for frame in stamp) for stamp in step.stamps]


def _promise(stamp: Stamp) -> str:
    """What the function that yields promises."""
    return next((frame.source.promise for frame in forward(stamp)[::-1]), "")


def _true(text: str, every: list[Pair], labels: Labels, noun: str, acts: set[str]) -> str:
    """A comment that is true of these transfers: from where to where each goes, in which groups.

    acts: whether they add, or bring back what one of each pair added; else nothing.
    """
    say, pairs = labels.say, list(dict.fromkeys(every))
    text = say.caption(text)
    acting = {src for src, _ in pairs if src < labels.ranks}
    if 0 < len(acting) < labels.ranks:  # a switch may do it to every rank
        some = say("comments.each_of", nodes=labels.nodes(sorted(acting)))
        if say("comments.every_rank_that") not in text:  # which says itself which ranks
            text = text.replace(say("comments.every_rank"), some)
    sides = {words: key for key, (words, _) in say.neighbors.items()}
    side = re.compile(rf"(?<![a-z])({'|'.join(sides)})(?![a-z])")  # without blanks in Chinese
    if noun in NAMED_GROUPS and not side.search(text):
        if noun == "rail" and len(pairs) == len(linked(pairs)) and len(acts) == 1:
            text = say(f"comments.pair_{min(acts)}") if "" not in acts else text  # a tree of two
        text = say(f"comments.in_{noun}", text=text) if text else ""
    text = side.sub(lambda match: _neighbor(say, sides[match[0]], pairs, labels.ranks, noun), text)
    return say.contracted(text)


def in_plural(comment: str, say: Phrases) -> str:
    """A comment where several chunks go from one node to another.

    >>> from animations.phrases import phrases
    >>> in_plural("every rank passes a chunk on to the next", phrases("en"))
    'every rank passes chunks on to the next'
    """
    for singular, several in say.rewritten:
        comment = re.sub(singular, several, comment)
    return comment


def _neighbor(say: Phrases, side: str, pairs: Sequence[Pair], ranks: int, noun: str) -> str:
    """Words for a neighbor: as they are, if all ranks stand in one ring in their order."""
    ahead = 1 if "next" in side else -1
    if all((src + ahead) % ranks == dst for src, dst in pairs):
        return say.neighbors[side][0]
    whole = any(len(group) == ranks for group in linked(pairs))
    noun = noun or ("ring" if whole else "group")
    return say.neighbors[side][1].format(group=say.noun(noun), groups=say.several(noun))


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
