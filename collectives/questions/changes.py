"""Questions about a changed line: the change is executed, and judged by the promise."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

import numpy as np

from collectives.questions.facts import Facts
from collectives.questions.question import Mark, Option, Question, asked, choice
from collectives.recording.memory import EmptySlot
from collectives.recording.replay import promised
from collectives.schedule import Step
from collectives.schedule.columns import Booleans, frozen
from collectives.schedule.provenance import SourceFrame, Stamp

MOST_ROWS = 1 << 14  # of a recording whose changes are executed
MOST_TRIED = 12  # changes
OUTCOMES = {
    "harmless": "nothing: every promise is still kept",
    "lost": "data is missing at the end, and nothing else is wrong",
    "doubled": "data is counted twice at the end, and nothing else is wrong",
    "foreign": "some slots end with data that does not belong there",
    "refused": "it stops: a transfer reads an empty slot",
    "conflict": "it is refused: two transfers of one step overwrite the same slot",
}
STOPS = ("refused", "conflict")
ChangedStep = Callable[[Step, Booleans, Facts], Step | None]


@dataclass(frozen=True)
class Change:
    """How the step looks after a change of some of its rows, None where it says nothing.

    effect: what the changed transfers do.
    """

    changed: ChangedStep
    effect: str


@dataclass(frozen=True)
class Outcome:
    """What becomes of a changed schedule: one of OUTCOMES, and what shows it.

    marks: the slot or the transfers that show it. due: what that slot should end with.
    """

    name: str
    evidence: str
    marks: tuple[Mark, ...]
    required: Mark | None = None
    also_lost: bool = False

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


def changed_line(facts: Facts, random: Random) -> Question | None:
    """What breaks if the transfers of one line are changed; none where two things break at once."""
    if not facts.is_small or facts.recording.counters.rows > MOST_ROWS:
        return None
    if any(step.needs is not None for step in facts.steps):
        return None  # what a change of such a line would mean is not in its transfers
    stamps = [stamp for step in facts.steps for stamp in step.stamps if stamp]
    turned = {_line(stamp) for stamp in stamps if stamp[-1].reversed}
    lines = [line for line in dict.fromkeys(map(_line, stamps)) if line and line not in turned]
    tries = [(line, change) for line in lines for change in CHANGES]
    random.shuffle(tries)
    dull: list[tuple[SourceFrame, str, Outcome]] = []
    for line, change in tries[:MOST_TRIED]:
        steps = _changed(facts, line, CHANGES[change])
        outcome = outcome_of(facts, steps) if steps is not None else None
        if outcome and outcome.name != "harmless" and CHANGES[change].changed is not _left_out:
            return _question(facts, line, change, outcome, random)
        dull += [(line, change, outcome)] if outcome else []
    return _question(facts, *dull[0], random) if dull else None


def _question(
    facts: Facts, line: SourceFrame, change: str, outcome: Outcome, random: Random
) -> Question:
    right = Option(OUTCOMES[outcome.name], outcome.name, marks=outcome.marks)
    others = [name for name in OUTCOMES if name != outcome.name]
    random.shuffle(others)
    wrong = [Option(OUTCOMES[name], name, name, outcome.believed(name)) for name in others]
    options = choice(right, wrong, random)
    taken = [option.misconception for option in options]
    believed = [n for n in taken if not (n == "lost" and outcome.also_lost)]
    if outcome.name in STOPS:  # what slots would end with is not known
        believed = ["harmless", *(name for name in STOPS if name != outcome.name)]
    return asked(
        kind="line",
        step=facts.last + 1,
        form="choice",
        prompt=f"What breaks if the transfers of this line {change}?",
        detail=_place(line),
        options=options,
        because=CHANGES[change].effect,
        random=random,
        believed=believed,
        hint="Follow one chunk through the steps after the change.",
        explanation=outcome.evidence,
    )


def _place(line: SourceFrame) -> str:
    """The function of a line and its text, or its number where the text is not of one line."""
    number = line.line - line.source.first
    lines = [text.strip() for text in line.source.lines] if line.source.text else []
    if not lines or lines.count(lines[number]) > 1:
        return f"line {number + 1} of {line.source.function}"
    return f"in {line.source.function}: {lines[number]}"


def _line(stamp: Stamp) -> SourceFrame | None:
    """The line of the source that made a transfer."""
    return replace(stamp[-1], locals=(), reversed=False) if stamp else None


def _changed(facts: Facts, line: SourceFrame, change: Change) -> list[Step] | None:
    """The steps with the transfers of a line changed; None where the change says nothing."""
    found, touched = [], False
    for step in facts.steps:
        own = np.array([_line(stamp) == line for stamp in step.stamps])[step.origin]
        if own.any():
            touched = True
            changed = change.changed(step, own, facts)
            if changed is None:
                return None
            step = changed
        if len(step):
            found.append(step)
    return found if touched else None


def _swapped(step: Step, own: Booleans, facts: Facts) -> Step | None:
    """Sends that add, or reduces that overwrite; None where the line has both."""
    return replace(step, reduces=frozen(step.reduces ^ own))


def _next_chunk(step: Step, own: Booleans, facts: Facts) -> Step | None:
    """The chunk with the next number, read and written."""
    chunks = facts.recording.chunk_count
    plain = (step.chunk == step.into) & (step.chunk < chunks)
    if chunks < 2 or step.needs is not None or not plain[own].all():
        return None
    moved = frozen(np.where(own, (step.chunk + 1) % chunks, step.chunk))
    into = frozen(np.where(own, moved, step.into))
    return replace(step, chunk=moved, into=into)


def _next_rank(step: Step, own: Booleans, facts: Facts) -> Step | None:
    """The rank after the one that was meant."""
    ranks = facts.recording.ranks
    if not (step.dst[own] < ranks).all():
        return None
    return replace(step, dst=frozen(np.where(own, (step.dst + 1) % ranks, step.dst)))


def _left_out(step: Step, own: Booleans, facts: Facts) -> Step | None:
    return step.select(np.flatnonzero(~own))


def _overwriting(step: Step, own: Booleans, facts: Facts) -> Step | None:
    return _swapped(step, own, facts) if step.reduces[own].all() else None


def _adding(step: Step, own: Booleans, facts: Facts) -> Step | None:
    return None if step.reduces[own].any() else _swapped(step, own, facts)


CHANGES = {
    "overwrite instead of adding": Change(_overwriting, "what arrives replaces what is there"),
    "add instead of overwriting": Change(_adding, "what is there becomes part of the sum"),
    "carry the next chunk (the first one after the last)": Change(
        _next_chunk, "a different chunk moves"
    ),
    "go to the next rank (rank 0 after the last)": Change(
        _next_rank, "a different rank gets the data"
    ),
    "are left out": Change(_left_out, "slots keep what they held before"),
}


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
            place = f"{facts.names.slot(empty[1])} of {facts.names.node(empty[0])}"
            text = f"step {number} reads {place}, where nothing was written"
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
    place = f"{facts.names.slot(slot)} of {facts.names.node(node)}"
    both = np.flatnonzero(target == target[twice[0]])[:2].tolist()
    columns = step.src, step.chunk, step.dst, step.into
    marks = tuple(Mark("transfer", tuple(int(column[row]) for column in columns)) for row in both)
    return Outcome("conflict", f"two transfers of step {number} write {place}", marks)


def _judged(facts: Facts, held: np.ndarray, wanted: np.ndarray) -> Outcome | None:
    """What is wrong with what the promised slots hold at the end."""
    promised = facts.recording.postcondition[:, :, None]
    flaws = {
        "foreign": promised & (held > 0) & (wanted == 0),
        "doubled": promised & (held > wanted) & (wanted > 0),
        "lost": promised & (held < wanted),
    }
    found = [name for name, where in flaws.items() if where.any()]
    if not found:
        first = (int(at) for at in np.argwhere(facts.recording.postcondition)[0])
        kept = _cell(facts, wanted, *first)
        text = "every promised slot still ends with what it needs"
        return Outcome("harmless", text, (kept,), kept)
    if len(found) > 1 and found != ["foreign", "lost"]:
        return None
    rank, slot, contribution = (int(at) for at in np.argwhere(flaws[found[0]])[0])
    owner, origin = divmod(contribution, facts.recording.slots)
    names = facts.names
    place = f"{names.slot(slot)} of {names.node(rank)}"
    if not facts.recording.collective.moves_data:
        place = names.node(rank)
    whose = f"the data of {names.node(owner)}"
    if origin != slot:
        whose = f"{names.slot(origin)} of {names.node(owner)}"
    verb = {"foreign": "ends with", "doubled": "ends with twice", "lost": "ends without"}
    text = f"{place} {verb[found[0]]} {whose}"
    ends, needed = (_cell(facts, which, rank, slot) for which in (held, wanted))
    return Outcome(found[0], text, (ends,), needed, "lost" in found)


def _cell(facts: Facts, held: np.ndarray, rank: int, slot: int) -> Mark:
    """What a slot holds at the end."""
    return Mark("cell", (rank, slot), facts.listed(held[rank, slot]))
