"""Questions about what a slot will hold after the next step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from collectives.questions.facts import Facts
from collectives.questions.names import Content
from collectives.questions.question import Mark, Option, Question, asked, choice
from collectives.questions.transfers import other_neighbor
from collectives.words import Worded, linked

FEWEST_RANKS = 3  # else every sum is complete
MOST_TRIED = 24  # slots of a step
COMPLETE = 0.03  # of the steps in which a complete sum may be the answer, which is the usual one
LEFT_OUT = 0.3  # of the questions whose answer is the largest, so that a guess gains nothing


def next_content(facts: Facts, step: int, random: Random) -> Question | None:
    """What a slot holds after a step that changes it; an empty one gets what its number says."""
    if not facts.is_small or facts.recording.ranks < FEWEST_RANKS:
        return None
    targets = list(dict.fromkeys((row[1], row[3]) for row in facts.rows(step)))
    random.shuffle(targets)
    usual = random.random() < COMPLETE
    targets = [cell for cell in targets if cell[0] < facts.recording.ranks][:MOST_TRIED]
    for node, slot in targets:
        before, after = (facts.content((node, slot), at) for at in (step - 1, step))
        alone = sum((row[1], row[3]) == (node, slot) for row in facts.rows(step)) == 1
        complete = len(after) == facts.recording.ranks and alone and not usual
        if not before or before == after or complete:
            continue
        if question := _question(facts, step, node, slot, random):
            return question
    return None


def _question(facts: Facts, step: int, node: int, slot: int, random: Random) -> Question | None:
    rows = [row for row in facts.rows(step) if (row[1], row[3]) == (node, slot)]
    names = facts.names
    after = facts.content((node, slot), step)

    def option(content: Content, misconception: str = "") -> Option:
        mark = Mark("cell", (node, slot), content)
        instead = _not_held(facts, step, (node, slot), content) if misconception else ""
        return Option(names.content(content, slot), content, misconception, (mark,), instead)

    taken = _taken_for(facts, step, node, slot)
    wrong = [option(content, name) for content, name in taken if content not in ((), after)]
    options = choice(option(after), wrong, random)
    if not options or (_is_largest(after, options) and random.random() < LEFT_OUT):
        return None
    adds = rows[-1][4]
    return asked(
        kind="cell",
        step=step,
        form="choice",
        prompt=Worded("What will {place} hold?", place=_place(facts, node, slot)),
        detail=Worded("after step {step}", step=step),
        options=options,
        because="its sender adds all that it holds" if adds else "it gets what its sender holds",
        random=random,
        hint="What does this slot hold now, what does its sender hold, and does the transfer add?",
        explanation=_sum(facts, step, node, slot),
        about=("cell", (node, slot)),
    )


def _is_largest(content: Content, options: Sequence[Option]) -> bool:
    """Whether an answer has more contributions than each other, which is the best guess."""
    contents = [option.value for option in options if isinstance(option.value, tuple)]
    amounts = sorted(sum(int(part[-1]) for part in parts) for parts in contents)
    return sum(part[-1] for part in content) == amounts[-1] > amounts[-2]


def _place(facts: Facts, node: int, slot: int) -> str:
    """A slot of a node; of a barrier, which has one, the list in which a rank keeps who arrived."""
    if not facts.recording.collective.moves_data:
        return Worded("the list of {node}", node=facts.names.node(node))
    return facts.names.place(node, slot)


def _sum(facts: Facts, step: int, node: int, slot: int) -> str:
    """What the slot held, what arrives, and what that makes."""
    rows = [row for row in facts.rows(step) if (row[1], row[3]) == (node, slot)]
    content, name = facts.names.content, facts.names.node
    old, new = (content(facts.content((node, slot), at), slot) for at in (step - 1, step))
    adds = rows[-1][4]
    pattern = "{node} adds {data}" if adds else "{node} sends {data}"
    sources = [Worded(pattern, node=name(row[0]), data=_held(facts, row, step)) for row in rows]
    end = Worded("together {data}", data=new) if adds else "which takes its place"
    pattern = "before step {step} it holds {old}; {sources}: {end}"
    return Worded(pattern, step=step, old=old, sources=linked(sources, "; "), end=end)


def _held(facts: Facts, row: tuple[int, int, int, int, bool], step: int) -> str:
    """What a transfer carries."""
    return facts.names.content(facts.content((row[0], row[2]), step - 1), row[3])


def _not_held(facts: Facts, step: int, cell: tuple[int, int], content: Content) -> str:
    """Whose data the slot has beside this content, or has not, or not so many times."""
    names, (node, slot) = facts.names, cell
    after = facts.content(cell, step)
    believed, held = ({part[:2]: part[2] for part in parts} for parts in (content, after))
    place = _place(facts, node, slot)
    missing, extra = sorted(held.keys() - believed.keys()), sorted(believed.keys() - held.keys())
    if missing or extra:
        verb = ("has" if extra else "also has") if missing else "does not have"
        origin = (missing or extra)[0][1]
        whose = names.nodes([rank for rank, of in missing or extra if of == origin])
        pattern = f"After step {{step}} {{place}} {verb} the data of {{who}}."
        return Worded(pattern, step=step, place=place, who=whose)
    rank, origin = next(part for part in held if held[part] != believed[part])
    number = held[rank, origin]
    times = {1: "only once", 2: "twice"}.get(number, "{number} times")
    pattern = f"After step {{step}} {{place}} has the data of {{who}} {times}."
    return Worded(pattern, step=step, place=place, who=names.node(rank), number=number)


def _taken_for(facts: Facts, step: int, node: int, slot: int) -> Iterator[tuple[Content, str]]:
    """What a learner may expect in a slot, and the misconception."""
    rows = [row for row in facts.rows(step) if (row[1], row[3]) == (node, slot)]
    src, _, chunk, _, adds = rows[-1]
    old = facts.content((node, slot), step - 1)
    sent = facts.content((src, chunk), step - 1)
    kept = old if adds else ()
    yield (sent, "overwritten") if adds else (facts.joined(old, sent), "added")
    yield old, "unchanged"
    origin = sent[0][1]
    if len(rows) > 1:
        yield facts.joined(kept, sent), "one of several"
    elif own := _own(facts, src, origin):
        yield facts.joined(kept, own), "sender's own data"
        without = tuple(part for part in sent if part not in own)
        yield facts.joined(kept, without), "without its own"
    yield facts.everybody(origin), "everything at once"
    later = (facts.content((node, slot), at) for at in range(step + 1, facts.last + 1))
    yield (
        next((content for content in later if content != facts.content((node, slot), step)), ()),
        "one step too many",
    )
    if adds:
        yield facts.joined(kept, sent, sent), "added twice"
    if arriving := facts.content((src, chunk), step):
        yield facts.joined(kept, arriving), "chunk on its way"
    neighbor = other_neighbor(facts, node, src)
    if neighbor is not None and (theirs := facts.content((neighbor, chunk), step - 1)):
        yield facts.joined(kept, theirs), "wrong neighbor"
        if len(rows) == 1:
            yield facts.joined(kept, sent, theirs), "both neighbors"
    beside = (chunk + 1) % facts.recording.chunk_count
    if beside != chunk and (theirs := facts.content((src, beside), step - 1)):
        yield facts.joined(kept, theirs), "chunk beside it"
    yield ((node, origin, 1),), "own data only"


def _own(facts: Facts, node: int, origin: int) -> Content:
    """The data that a rank has for a slot at the start."""
    known = node < facts.recording.ranks and facts.recording.precondition[node, origin]
    return ((node, origin, 1),) if known else ()
