"""The concept inventory: twenty items in parallel forms whose wrong answers are misconceptions.

Given before and after a course; docs/inventory.md is its manual. It has not been validated.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from collectives.errors import BadInput
from collectives.exercises import inventory_items as items
from collectives.exercises.exercise import LETTERS, Exercise
from collectives.exercises.inventory_items import Maker, from_cases
from collectives.exercises.kinds import KINDS, MOST_SEED, exercise_of
from collectives.exercises.sheet import ExerciseSheet
from collectives.questions.misconceptions import KNOWN
from collectives.values import whole

TOPIC = "inventory"
MOST_DRAWN = 50  # times that an item is drawn, until it has answers enough


class InventoryItem(NamedTuple):
    """concept: what somebody has understood who answers right; make: draws a form of it."""

    concept: str
    make: Maker


def _of(topic: str, kind: str) -> Maker:
    return from_cases(topic, KINDS[kind][1])


ITEMS: Mapping[str, InventoryItem] = {
    "promise": InventoryItem("a collective is a promise about data at the end", items.promised),
    "content": InventoryItem(
        "a step adds or overwrites what a slot holds", _of("recursive-doubling all-reduce", "cell")
    ),
    "next": InventoryItem("a rank passes on what it has received", _of("ring all-gather", "next")),
    "through-a-rank": InventoryItem(
        "ranks share the work; none is in the middle", items.through_a_rank
    ),
    "who-adds": InventoryItem("every rank can add", items.who_adds),
    "at-once": InventoryItem("messages of a step move at once", items.at_once),
    "late": InventoryItem("a rank waits for its data, not for all ranks", items.late_to_begin),
    "no-barrier": InventoryItem("a step is not a barrier", items.without_a_barrier),
    "idle": InventoryItem("in a tree ranks rest", _of("tree broadcast", "idle")),
    "steps-ring": InventoryItem(
        "the steps of a ring grow with the ranks", _of("ring all-reduce", "twice")
    ),
    "steps-tree": InventoryItem(
        "the steps of a tree grow with their logarithm", _of("tree broadcast", "twice")
    ),
    "sent": InventoryItem(
        "chunks are parts of the vector: bytes are counted, not chunks",
        _of("ring reduce-scatter", "sent-so-far"),
    ),
    "least-sent": InventoryItem("there is a least that must be sent", items.least_sent),
    "latency-or-bytes": InventoryItem(
        "small vectors pay for steps, large ones for bytes", items.why_fastest
    ),
    "pipeline": InventoryItem("chunks let ranks work at once", items.in_one_piece),
    "slow-rank": InventoryItem(
        "a slow rank slows down who needs its data", _of("ring all-reduce", "slow-rank")
    ),
    "loss": InventoryItem(
        "what is lost is missing further on, and there alone", items.hurt_by_a_loss
    ),
    "changed-line": InventoryItem(
        "code for all ranks says who sends what", _of("ring all-reduce", "line")
    ),
    "float-order": InventoryItem(
        "messages decide the order of additions", _of("ring all-reduce", "float-order")
    ),
    "across-nodes": InventoryItem(
        "placement decides which messages leave a node", items.across_nodes
    ),
}


@dataclass(frozen=True, repr=False)
class ConceptInventory(ExerciseSheet):
    """A form of the inventory: its items in order, each with its answers in random order."""

    @property
    def title(self) -> str:
        """What it is; the seed is the number of the form."""
        return "Concept inventory of collectives"

    def lines(self, answer: bool = False) -> list[str]:
        """The form; with `answer` the key: the right letter, and what each other one shows."""
        if not answer:
            return super().lines()
        text = [f"{self.title}, seed {self.seed}: key"]
        for number, problem in enumerate(self.exercises, 1):
            text += ["", f"{number}. {problem.right}", f"   {ITEMS[problem.kind].concept}"]
            text += [
                f"   {letter}: {choice.misconception} ({KNOWN[choice.misconception].because})"
                for letter, choice in zip(LETTERS, problem.answers, strict=False)
                if not choice.right
            ]
        return text

    def as_json(self, answer: bool = False) -> dict[str, Any]:
        """The form as plain values, each item with its concept."""
        problems = [
            {**problem.as_json(answer), "concept": ITEMS[problem.kind].concept}
            for problem in self.exercises
        ]
        return {"topic": self.topic, "seed": self.seed, "exercises": problems}

    def __repr__(self) -> str:
        """One line: which form it is."""
        return f"<ConceptInventory: {len(self.exercises)} items, seed {self.seed}>"


def inventory(seed: int = 0) -> ConceptInventory:
    """A form of the concept inventory, the same for the same seed.

    Parameters
    ----------
    seed : int
        Another seed makes a parallel form: the same concepts on other ranks, steps and sizes.

    Returns
    -------
    ConceptInventory
        Twenty items with one right answer each, found by executing; each wrong answer follows from
        a misconception, whose name it has.

    Raises
    ------
    BadInput
        For a seed that is no whole number from 0.

    Examples
    --------
    >>> form = inventory(7)
    >>> form
    <ConceptInventory: 20 items, seed 7>
    >>> sorted(answer.misconception for answer in form.exercises[3].answers)
    ['', 'N for N - 1', 'central process', 'sent once']
    """
    seed = whole("seed", seed, 0, MOST_SEED)
    return ConceptInventory(TOPIC, seed, tuple(_item(name, seed) for name in ITEMS))


def _item(name: str, seed: int) -> Exercise:
    random = Random(f"{TOPIC} {name} {seed}")
    for _ in range(MOST_DRAWN):
        draft = ITEMS[name].make(random)
        if draft is not None and draft.answers:
            return exercise_of(draft, name, TOPIC, seed)
    raise BadInput(f"seed {seed}: no form of item {name}; try: {seed + 1}")
