"""Questions about what a slot will hold after the next step."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from collectives.questions.facts import Facts
from collectives.questions.names import Content
from collectives.questions.question import Mark, Option, Question, asked, choice
from collectives.questions.transfers import other_neighbor

MOST_TRIED = 24  # slots of a step


def next_content(facts: Facts, step: int, random: Random) -> Question | None:
    """What a slot holds after a step that writes it, the ones that already hold something first."""
    if not facts.is_small:
        return None
    targets = list(dict.fromkeys((row[1], row[3]) for row in facts.rows(step)))
    random.shuffle(targets)
    targets = [cell for cell in targets if cell[0] < facts.recording.ranks][:MOST_TRIED]
    targets.sort(key=lambda cell: not facts.content(cell, step - 1))
    for node, slot in targets:
        if question := _question(facts, step, node, slot, random):
            return question
    return None


def _question(facts: Facts, step: int, node: int, slot: int, random: Random) -> Question | None:
    rows = [row for row in facts.rows(step) if (row[1], row[3]) == (node, slot)]
    names = facts.names
    after = facts.content((node, slot), step)

    def option(content: Content, misconception: str = "") -> Option:
        mark = Mark("cell", (node, slot), content)
        return Option(names.content(content, slot), content, misconception, (mark,))

    wrong = [option(*believed) for believed in _taken_for(facts, step, node, slot)]
    options = choice(option(after), wrong, random)
    if not options:
        return None
    src, _, chunk, _, adds = rows[-1]
    full = bool(facts.content((node, slot), step - 1))
    others = f" and {len(rows) - 1} more" if len(rows) > 1 else ""
    moved = "what it heard" if not facts.recording.collective.moves_data else names.slot(chunk)
    if adds:
        adds_all = "add what they hold" if others else "adds what it holds"
        because = f"{names.node(src)}{others} {adds_all} of {moved}"
    elif full:
        because = f"{moved} of {names.node(src)} replaces what was here"
    else:
        because = f"{moved} of {names.node(src)} arrives in an empty slot"
    return asked(
        kind="cell",
        step=step,
        form="choice",
        prompt="What will this cell hold?",
        detail=f"{names.node(node)}, {names.slot(slot)}, after step {step}",
        options=options,
        because=_rule(adds, full),
        random=random,
        hint="Does the transfer of this step add (reduce) or overwrite (send), and what does its "
        "sender hold now?",
        explanation=because,
        about=("cell", (node, slot)),
    )


def _rule(adds: bool, full: bool) -> str:
    """What a transfer does to a slot."""
    if adds and full:
        return "its sender adds all that it holds"
    return "what arrives replaces what was here" if full else "the slot was empty"


def _taken_for(facts: Facts, step: int, node: int, slot: int) -> Iterator[tuple[Content, str]]:
    """What a learner may expect in a slot, and the misconception."""
    rows = [row for row in facts.rows(step) if (row[1], row[3]) == (node, slot)]
    src, _, chunk, _, adds = rows[-1]
    old = facts.content((node, slot), step - 1)
    sent = facts.content((src, chunk), step - 1)
    kept = old if adds else ()
    if adds and old:
        yield sent, "overwritten"
    if not adds and old:
        yield facts.joined(old, sent), "added"
    yield old, "unchanged"
    origin = sent[0][1]
    if len(rows) > 1:
        yield facts.joined(kept, sent), "one of several"
    elif own := _own(facts, src, origin):
        yield facts.joined(kept, own), "sender's own data"
    other = other_neighbor(facts, node, src)
    if other is not None and (theirs := facts.content((other, chunk), step - 1)):
        yield facts.joined(kept, theirs), "wrong neighbor"
    beside = (chunk + 1) % facts.recording.chunk_count
    if beside != chunk and (theirs := facts.content((src, beside), step - 1)):
        yield facts.joined(kept, theirs), "chunk beside it"
    yield facts.everybody(origin), "everything at once"
    yield ((node, origin, 1),), "own data only"


def _own(facts: Facts, node: int, origin: int) -> Content:
    """The data that a rank has for a slot at the start."""
    known = node < facts.recording.ranks and facts.recording.precondition[node, origin]
    return ((node, origin, 1),) if known else ()
