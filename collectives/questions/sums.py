"""Questions about the order in which floats are added: the terms of a sum after a step."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import reduce
from operator import add
from random import Random

import numpy as np

from collectives.proof.addition_order import Term, initial_terms
from collectives.questions.facts import Facts
from collectives.questions.question import Option, Question, asked, choice
from collectives.words import Worded, linked

FEWEST_TERMS, MOST_TERMS = 4, 8  # with fewer, most orders are the same; more are too long to read
MOST_SAID = 3  # partial sums of an explanation
BELIEVED = ("rank order", "in pairs", "same in every chunk")
Cell = tuple[int, int]


def added_order(facts: Facts, step: int, random: Random) -> Question | None:
    """In which order the data of the ranks is added in a slot that a step adds to."""
    recording = facts.recording
    if recording.ranks > MOST_TERMS or not recording.collective.reduces or recording.op != "sum":
        return None
    firsts, sums = _sums(facts, step)
    cells = [cell for cell in sums if len(sums[cell].ranks) >= FEWEST_TERMS]
    if not cells:
        return None
    cell = random.choice(cells)
    right, place, slot = sums[cell], facts.names.place(*cell), cell[1]
    beside = [sums[at] for at in sums if at[1] != slot]
    others = [term for term in beside if len(term.ranks) == len(right.ranks)]
    taken = [(term, name) for term, name in _taken_for(right, others) if term.text != right.text]
    partial = [(text, at) for (of, text), at in firsts.items() if of == slot and text in right.text]

    def instead(term: Term) -> str:
        text, (at, node) = next(pair for pair in partial if pair[0] not in term.text)
        pattern = "After step {step} {place} holds {sum}."
        return Worded(pattern, step=at, place=facts.names.place(node, slot), sum=text[1:-1])

    wrong = [Option(str(term), str(term), name, (), instead(term)) for term, name in taken]
    options = choice(Option(str(right), str(right)), wrong, random)
    if not options:
        return None
    true = {name for term, name in _orders(right) if term.text == right.text}
    said = [
        Worded("after step {step} {sum}", step=at, sum=text[1:-1])
        for text, (at, _) in partial[-MOST_SAID:]
    ]
    return asked(
        kind="sum",
        step=step,
        form="choice",
        prompt=Worded("In which order will {place} be added up?", place=place),
        detail=Worded("after step {step}; xk is the data of rank k", step=step),
        options=options,
        because="what arrives is added to what was added up before",
        random=random,
        believed=[name for name in BELIEVED if name in {name for _, name in taken} - true],
        hint="Follow this slot back: which sum arrives, and what does it meet there?",
        explanation=linked(said, "; "),
    )


def _sums(
    facts: Facts, step: int
) -> tuple[dict[tuple[int, str], tuple[int, int]], dict[Cell, Term]]:
    """The sums that each slot has had, with step and node of the first; what this step adds up."""
    memory = initial_terms(facts.recording)
    firsts: dict[tuple[int, str], tuple[int, int]] = {}
    sums: dict[Cell, Term] = {}
    for number, rows in enumerate(facts.steps[:step], 1):
        memory.combine(rows, np.add)
        added = [
            *zip(rows.dst[rows.reduces].tolist(), rows.into[rows.reduces].tolist(), strict=True)
        ]
        if len(set(added)) < len(added):
            return {}, {}  # who of two is added first is not said
        sums = {cell: memory.values[cell][0] for cell in added}
        for (node, slot), term in sums.items():
            if len(term.ranks) > 1:  # else it was copied into an empty slot
                firsts.setdefault((slot, term.text), (number, node))
    return firsts, {cell: term for cell, term in sums.items() if cell[0] < facts.recording.ranks}


def _orders(right: Term) -> Iterator[tuple[Term, str]]:
    """Orders that follow from a rule about the numbers of the ranks, and the misconception."""
    ranks = sorted(right.ranks)
    yield added_by_number(ranks), "rank order"
    yield added_in_pairs(ranks), "in pairs"


def _taken_for(right: Term, others: Iterable[Term]) -> Iterator[tuple[Term, str]]:
    """Sums that a learner may take for this one, and the misconception."""
    yield from _orders(right)
    yield added_by_number([int(rank) for rank in re.findall(r"\d+", right.text)][::-1]), "own first"
    yield from ((term, "same in every chunk") for term in others)
    ranks = sorted(right.ranks)
    for first in range(1, len(ranks)):
        yield added_by_number(ranks[first:] + ranks[:first]), "own first"


def added_by_number(ranks: Iterable[int]) -> Term:
    """The sum of the data of some ranks, added one after the other.

    >>> print(added_by_number(range(4)))
    ((x0 + x1) + x2) + x3
    """
    return reduce(add, map(Term.of, ranks))


def added_in_pairs(ranks: list[int]) -> Term:
    """The sum of the data of some ranks, halves added first.

    >>> print(added_in_pairs([0, 1, 2, 3]))
    (x0 + x1) + (x2 + x3)
    """
    if len(ranks) == 1:
        return Term.of(ranks[0])
    middle = (len(ranks) + 1) // 2
    return added_in_pairs(ranks[:middle]) + added_in_pairs(ranks[middle:])
