"""Chooses wrong answers so that the looks of an answer say nothing about whether it is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collectives.questions.question import Option

LOOKS = 3
CAUTION = 0.15  # of what a place may be missed by, so that the right answer is not what is guessed
MOST_POOL = 9  # wrong answers among which is chosen


def balanced(right: Option, wrong: Sequence[Option], number: int, random: Random) -> list[Option]:
    """So many of the wrong answers, or all where there are fewer.

    Of one look (how long an answer is, how large, how like the others) a place is drawn that the
    right answer is to have among them; of the answers with which it comes nearest to this place
    those win with which it comes nearest to such places of the other looks. What a guesser would
    take (the middle amount, the smallest, the answer most or least like the others) counts against.
    """
    pool = list(wrong[:MOST_POOL])
    random.shuffle(pool)
    number = min(number, len(pool))
    middle = (number + 1) // 2 / max(1, number)
    groups = [list(group) for group in combinations(pool, number)]
    first, aims = random.randrange(LOOKS), random.choices(range(number + 1), k=LOOKS)

    def distance(group: list[Option]) -> tuple[float, float]:
        standing = _standing([right, *group])
        distances = [abs(part - aim / number) for part, aim in zip(standing, aims, strict=True)]
        penalty = (standing[1] == middle) + (standing[1] == 0) / 2
        penalty += 2 * (standing[2] == 1) + (standing[2] == 0) / 2
        return distances[first] + CAUTION * penalty, sum(distances)

    return min(groups, key=distance)


def _standing(options: Sequence[Option]) -> list[float]:
    """The place of the first option by each look: 0 the shortest, 1 the longest."""
    words = [set(pairwise(option.text.split())) for option in options]
    common = Counter(word for text in words for word in text)
    likeness = [sum(common[word] for word in text) / max(1, len(text)) for text in words]
    lengths = [float(len(option.text)) for option in options]
    return [_place(look) for look in (lengths, [_amount(o.value) for o in options], likeness)]


def _place(looks: Sequence[float]) -> float:
    """The part of the others that are below the first, those alike by half."""
    first, *others = looks
    below = sum((look < first) + (look == first) / 2 for look in others)
    return below / max(1, len(others))


def _amount(value: object) -> float:
    """How large an answer is: a number, the contributions of a content, the ranks of a set."""
    match value:
        case int(number) | float(number):
            return number
        case ((_, _, _), *_):
            assert isinstance(value, tuple)
            return float(sum(times for _, _, times in value))
        case (int(chunk), int(_)):
            return chunk
        case _:
            return float(len(value)) if isinstance(value, tuple) else 0.0
