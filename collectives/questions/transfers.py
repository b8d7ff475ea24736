"""Questions about the next transfer: which chunk a rank sends and to whom, or from whom it gets."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from collectives.questions.facts import Facts
from collectives.questions.question import Mark, Option, Question, asked, choice

FEWEST_NODES = 3  # to choose one from
HINT = "Look at both ends of a transfer in the source, or at what arrived in the previous step."


def next_transfer(facts: Facts, step: int, random: Random) -> Question | None:
    """What a rank sends next and to whom; where that is not one thing, only to or from whom."""
    ranks = list(range(facts.recording.ranks))
    random.shuffle(ranks)
    asks = [_chunk, _partner] if facts.recording.chunk_count > 1 else [_partner]
    for ask in asks:
        for rank in ranks:
            if question := ask(facts, step, rank, random):
                return question
    return None


def _chunk(facts: Facts, step: int, rank: int, random: Random) -> Question | None:
    """Which chunk a rank sends and to whom, where it sends exactly one."""
    own = [row for row in facts.rows(step) if row[0] == rank]
    if len(own) != 1 or facts.recording.in_blocks:
        return None
    [(_, dst, chunk, into, _)] = own
    names = facts.names

    def option(moved: int, node: int, misconception: str = "") -> Option:
        text = f"{names.slot(moved)} to {names.node(node)}"
        mark = Mark("transfer", (rank, moved, node, into if moved == chunk else moved))
        return Option(text, (moved, node), misconception, (mark,))

    wrong = [option(*other) for other in _other_transfers(facts, step, rank, chunk, dst)]
    options = choice(option(chunk, dst), wrong, random)
    if not options:
        return None
    because = _why_this_chunk(facts, step, rank, chunk)
    return asked(
        kind="next",
        step=step,
        form="choice",
        prompt=f"What does {names.node(rank)} send next, and to whom?",
        detail=f"in step {step}",
        options=options,
        because=because,
        random=random,
        hint=HINT,
        about=("rank", (rank,)),
    )


def _other_transfers(
    facts: Facts, step: int, rank: int, chunk: int, dst: int
) -> Iterator[tuple[int, int, str]]:
    """What a learner may take for the transfer: chunk, node, misconception."""
    chunks = facts.recording.chunk_count
    other = other_neighbor(facts, rank, dst)
    if other is not None:
        yield chunk, other, "wrong neighbor"
    arriving = [row[3] for row in facts.rows(step) if row[1] == rank]
    yield from ((slot, dst, "chunk on its way") for slot in arriving[:1] if slot != chunk)
    if rank < chunks and rank != chunk:
        yield rank, dst, "chunk of its own number"
    if chunk < chunks:
        yield (chunk + 1) % chunks, dst, "chunk beside it"


def other_neighbor(facts: Facts, node: int, partner: int) -> int | None:
    """A node linked to this one beside its partner, or the one on the other side of it."""
    others = [other for other in facts.links.get(node, []) if other != partner]
    ranks = facts.recording.ranks
    mirrored = (2 * node - partner) % ranks
    if mirrored in others or not others:
        return mirrored if mirrored not in (node, partner) else None
    return others[0]


def _why_this_chunk(facts: Facts, step: int, rank: int, chunk: int) -> str:
    """Since when the rank has what it sends."""
    for before in range(step - 1, 0, -1):
        if any(row[1] == rank and row[3] == chunk for row in facts.rows(before)):
            return f"it passes on what it has had since step {before}"
    return "it has had this data from the start"


def _partner(facts: Facts, step: int, rank: int, random: Random) -> Question | None:
    """To whom a rank sends, or from whom it receives, where that is one node."""
    if facts.recording.nodes < FEWEST_NODES:
        return None
    rows = facts.rows(step)
    for sends in (True, False):
        partners = {row[sends] for row in rows if row[not sends] == rank}
        if len(partners) == 1:
            return _place(facts, step, rank, partners.pop(), sends, random)
    return None


def _place(
    facts: Facts, step: int, rank: int, partner: int, sends: bool, random: Random
) -> Question:
    """The question for the node at the other end of a rank's transfers."""
    names, other = facts.names, other_neighbor(facts, rank, partner)
    verb, preposition = ("send", "to") if sends else ("receive", "from")

    def misconception(node: int) -> str:
        known = {partner: "", rank: "itself", other: "wrong neighbor"}
        return known.get(node, "no such transfer")

    row = next(row for row in facts.rows(step) if (row[not sends], row[sends]) == (rank, partner))

    def mark(node: int) -> Mark:
        if node == rank:
            return Mark("ranks", (rank,))
        src, dst = (rank, node) if sends else (node, rank)
        return Mark("transfer", (src, row[2], dst, row[3]))

    options = tuple(
        Option(names.node(node), (node,), misconception(node), (mark(node),))
        for node in range(facts.recording.nodes)
    )
    because = f"its partner in step {step} is {names.node(partner)}"
    wrong = ("wrong neighbor" if other is not None else "itself", "no such transfer")
    return asked(
        kind="next",
        step=step,
        form="place",
        prompt=f"{preposition.capitalize()} whom does {names.node(rank)} {verb} next?",
        detail=f"in step {step}",
        options=options,
        because=_why_this_partner(facts, step, rank, sends),
        random=random,
        believed=wrong,
        hint="The source line of this step names both ends of each transfer.",
        explanation=because,
        about=("rank", (rank,)),
    )


def _why_this_partner(facts: Facts, step: int, rank: int, sends: bool) -> str:
    """Why data goes between two nodes: the receiver lacks it, or the source just says so."""
    src, dst, chunk, into, _ = next(row for row in facts.rows(step) if row[not sends] == rank)
    if facts.is_small:
        held = {part[:2] for part in facts.content((dst, into), step - 1)}
        if {part[:2] for part in facts.content((src, chunk), step - 1)} - held:
            return "the receiver still lacks what the sender holds"
    return "the source names both ends of each transfer"
