"""What becomes of changed steps: they are executed, and judged by the promise."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from collectives.questions.facts import Facts
from collectives.questions.question import Mark
from collectives.recording.memory import EmptySlot
from collectives.recording.replay import promised
from collectives.schedule import Step
from collectives.words import Worded, plural

OUTCOMES = {  # as long as each other, and no two words of one stand in another
    "harmless": "nothing: every promise is kept all the same",
    "lost": "slots lack some of their data, nothing else",
    "doubled": "some data is counted twice, none is missing",
    "foreign": "data ends in slots where it does not belong",
    "refused": "a step reads a slot that is still unwritten",
    "conflict": "some transfers overwrite one slot in a step",
}
STOPS = ("refused", "conflict")


@dataclass(frozen=True)
class Outcome:
    """What becomes of a changed schedule: one of OUTCOMES, and what shows it.

    marks: the slot or the transfers that show it. required: what that slot should end with.
    """

    name: str
    evidence: str
    marks: tuple[Mark, ...]
    required: Mark | None = None
    also_lost: bool = False

    def instead(self, name: str) -> str:
        """What happens in place of another outcome."""
        happens = "What goes wrong is something else"
        if self.name in STOPS:
            happens = "It is stopped before that"
        elif self.name == "harmless":
            happens = "Nothing goes wrong"
        elif name in STOPS:
            happens = "Every step can be executed"
        elif name == "harmless":
            happens = "A promise is broken"
        return Worded("{happens}: {evidence}.", happens=happens, evidence=self.evidence)

    def believed(self, name: str) -> tuple[Mark, ...]:
        """What that slot would end with if another outcome were right, where that is one thing."""
        if self.required is None or not self.required.content:
            return ()
        first, *rest = self.required.content
        rank, origin, times = first
        contents = {
            "harmless": (first, *rest),
            "lost": tuple(rest),
            "doubled": ((rank, origin, 2 * times), *rest),
        }
        content = contents.get(name)
        known = content is None or any(mark.content == content for mark in self.marks)
        return () if known or content is None else (self.required._replace(content=content),)


def outcome_of(facts: Facts, steps: list[Step]) -> Outcome | None:
    """What becomes of these steps in place of the recording's; None where two things go wrong."""
    conflict = next(filter(None, (_conflict(facts, k, s) for k, s in enumerate(steps, 1))), None)
    memory = facts.start()
    wanted = promised(facts.recording, memory.values[: facts.recording.ranks].copy())
    for number, step in enumerate(steps, 1):
        try:
            memory.combine(step, facts.add)
        except EmptySlot:
            sources = zip(step.src.tolist(), step.chunk.tolist(), strict=True)
            empty = next(at for at in sources if not memory.values[at].any())
            pattern = "step {step} reads {place}, where nothing was written"
            text = Worded(pattern, step=number, place=facts.names.place(*empty))
            return None if conflict else Outcome("refused", text, (Mark("cell", empty),))
    return conflict or _judged(facts, memory.values[: facts.recording.ranks], wanted)


def _conflict(facts: Facts, number: int, step: Step) -> Outcome | None:
    """A slot that one transfer overwrites and another writes in the same step."""
    target = step.dst * facts.recording.slots + step.into
    times = np.bincount(target)[target]
    twice = np.flatnonzero((times > 1) & ~step.reduces)
    if not len(twice):
        return None
    node, slot = int(step.dst[twice[0]]), int(step.into[twice[0]])
    both = np.flatnonzero(target == target[twice[0]])[:2].tolist()
    columns = step.src, step.chunk, step.dst, step.into
    marks = tuple(Mark("transfer", tuple(int(column[row]) for column in columns)) for row in both)
    place = facts.names.place(node, slot)
    text = Worded("two transfers of step {step} write {place}", step=number, place=place)
    return Outcome("conflict", text, marks)


def _judged(facts: Facts, held: np.ndarray, wanted: np.ndarray) -> Outcome | None:
    """What is wrong with what the promised slots hold at the end."""
    promised = facts.recording.postcondition[:, :, None]
    flaws = {
        "foreign": promised & (held > 0) & (wanted == 0),
        "doubled": promised & (held > wanted) & (wanted > 0),
        "lost": promised & (held < wanted),
    }
    present = [name for name, where in flaws.items() if where.any()]
    if not present:
        first = (int(at) for at in np.argwhere(facts.recording.postcondition)[0])
        kept = _cell(facts, wanted, *first)
        text = "every promised slot still ends with what it needs"
        return Outcome("harmless", text, (kept,), kept)
    if len(present) > 1 and present != ["foreign", "lost"]:
        return None
    where = flaws[present[0]]
    rank, slot = (int(at) for at in np.argwhere(where.any(axis=2))[0])
    ends, needed = (_cell(facts, which, rank, slot) for which in (held, wanted))
    text = _flaw(facts, present[0], (rank, slot), where[rank, slot], held[rank, slot])
    if more := int(sum(flaws.values()).any(axis=2).sum()) - 1:
        pattern = f"{{flaw}}; {{slots}} {'is' if more == 1 else 'are'} wrong"
        text = Worded(pattern, flaw=text, slots=plural(more, "more slot"))
    return Outcome(present[0], text, (ends,), needed, "lost" in present)


def _flaw(facts: Facts, name: str, at: tuple[int, int], wrong: np.ndarray, held: np.ndarray) -> str:
    """What a slot ends with or without: of the first of its origins that is wrong, all ranks.

    wrong: which contributions are. held: how many times it has each of them.
    """
    names, (rank, slot) = facts.names, at
    parts = [divmod(int(at), facts.recording.slots) for at in np.flatnonzero(wrong)]
    origin = parts[0][1]
    ranks = [owner for owner, of in parts if of == origin]
    owners = names.nodes(ranks)
    place = names.place(rank, slot)
    if not facts.recording.collective.moves_data:
        place = names.node(rank)
    whose = "the data of {who}" if origin == slot else "{slot} of {who}"
    data = Worded(whose, slot=names.slot(origin), who=owners)
    pattern = f"{{place}} {'ends with' if name == 'foreign' else 'ends without'} {{data}}"
    if name == "doubled":
        twice = all(held[owner * facts.recording.slots + origin] == 2 for owner in ranks)
        pattern = f"{{place}} ends with {{data}} {'twice' if twice else 'more than once'}"
    return Worded(pattern, place=place, data=data)


def _cell(facts: Facts, held: np.ndarray, rank: int, slot: int) -> Mark:
    """What a slot holds at the end."""
    return Mark("cell", (rank, slot), facts.listed(held[rank, slot]))
