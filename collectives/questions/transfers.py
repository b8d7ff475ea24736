"""Questions about the next transfer: which chunk a rank sends and to whom, or from whom it gets."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from collectives.questions.facts import Facts
from collectives.questions.question import Mark, Option, Question, asked, choice
from collectives.words import Worded, capital

FEWEST_NODES = 3  # to choose one from
ROOT_SHARE = 0.6  # of the chance of other nodes to be the answer
HINT = "What did each rank receive in the step before, and which rank still lacks it?"


def next_transfer(facts: Facts, step: int, random: Random) -> Question | None:
    """What a rank sends next and to whom; where that is not one thing, only to or from whom."""
    ranks = list(range(facts.recording.ranks))
    random.shuffle(ranks)
    for rank in ranks if facts.recording.chunk_count > 1 else ():
        if question := _chunk(facts, step, rank, random):
            return question
    return _partner(facts, step, random)


def _chunk(facts: Facts, step: int, rank: int, random: Random) -> Question | None:
    """Which chunk a rank sends and to whom, where it sends exactly one."""
    own = [row for row in facts.rows(step) if row[0] == rank]
    if len(own) != 1 or facts.recording.in_blocks:
        return None
    [(_, dst, chunk, into, _)] = own
    names = facts.names

    def option(moved: int, node: int, misconception: str = "") -> Option:
        text = Worded("{slot} to {node}", slot=names.slot(moved), node=names.node(node))
        mark = Mark("transfer", (rank, moved, node, into if moved == chunk else moved))
        instead = _why_not(facts, step, own[0], moved, node) if misconception else ""
        return Option(text, (moved, node), misconception, (mark,), instead)

    wrong = [option(*transfer) for transfer in _other_transfers(facts, step, own[0], random)]
    options = choice(option(chunk, dst), wrong, random)
    if not options:
        return None
    return asked(
        kind="next",
        step=step,
        form="choice",
        prompt=Worded("What does {rank} send next, and to whom?", rank=names.node(rank)),
        detail=Worded("in step {step}", step=step),
        options=options,
        because=_why_this_chunk(facts, step, rank, chunk),
        random=random,
        hint=HINT,
        explanation=_since(facts, step, rank, chunk),
        about=("rank", (rank,)),
    )


Row = tuple[int, int, int, int, bool]


def _other_transfers(
    facts: Facts, step: int, row: Row, random: Random
) -> Iterator[tuple[int, int, str]]:
    """What a learner may take for the transfer: chunk, node, misconception.

    With another neighbor there is one other chunk, so that each is offered as often.
    """
    rank, dst, chunk, _, _ = row
    chunks = facts.recording.chunk_count
    arriving = [row[3] for row in facts.rows(step) if row[1] == rank]
    others = [(slot, "chunk on its way") for slot in arriving[:1]]
    others += [(rank, "chunk of its own number")] if rank < chunks else []
    if chunk < chunks:
        others += [((chunk + by) % chunks, "chunk beside it") for by in (1, chunks - 1)]
    others = [(slot, name) for slot, name in others if slot != chunk]
    neighbor = other_neighbor(facts, rank, dst)
    if neighbor is None or not others:
        yield from ((slot, dst, name) for slot, name in others)
        return
    slot, name = random.choice(others)
    yield slot, dst, name
    yield chunk, neighbor, "wrong neighbor"
    yield slot, neighbor, "wrong neighbor"


def other_neighbor(facts: Facts, node: int, partner: int) -> int | None:
    """A node linked to this one beside its partner, or the one on the other side of it."""
    others = [neighbor for neighbor in facts.links.get(node, []) if neighbor != partner]
    ranks = facts.recording.ranks
    mirrored = (2 * node - partner) % ranks
    if mirrored in others or not others:
        return mirrored if mirrored not in (node, partner) else None
    return others[0]


def _why_not(facts: Facts, step: int, row: Row, chunk: int, node: int) -> str:
    """When the rank sends this chunk, or from whom this node receives in the step."""
    names, rank, slot = facts.names, row[0], facts.names.slot(chunk)
    if chunk == row[2]:
        return _received(facts, step, node, row[0])
    sent = [k for k in range(1, facts.last + 1) if (rank, chunk) in facts.sent_in(k)]
    if not sent:
        pattern = "No step sends {slot} from {rank}, and step {step} does not either."
        return Worded(pattern, slot=slot, rank=names.node(rank), step=step)
    when = min(sent, key=lambda k: abs(k - step))
    pattern = "{slot} leaves {rank} in step {when}, not in step {step}."
    return capital(Worded(pattern, slot=slot, rank=names.node(rank), when=when, step=step))


def _received(facts: Facts, step: int, node: int, believed: int) -> str:
    """From whom a node receives in a step, instead of from another."""
    name, never = facts.names.node(node), facts.names.node(believed)
    rows = [row for row in facts.rows(step) if row[1] == node]
    if not rows:
        pattern = "In step {step} no data reaches {node}, not even from {never}."
        return Worded(pattern, step=step, node=name, never=never)
    return Worded(
        "In step {step} {node} receives {slot} from {src}, not from {never}.",
        step=step,
        node=name,
        slot=facts.names.slot(rows[0][2]),
        src=facts.names.node(rows[0][0]),
        never=never,
    )


def _since(facts: Facts, step: int, rank: int, chunk: int) -> str:
    """From whom the rank has what it sends, and since when."""
    slot, whose = facts.names.slot(chunk), facts.names.node(rank)
    for before in range(step - 1, 0, -1):
        for src, dst, _, into, _ in facts.rows(before):
            if (dst, into) == (rank, chunk):
                pattern = "{rank} received {slot} from {src} in step {step}"
                sender = facts.names.node(src)
                return Worded(pattern, rank=whose, slot=slot, src=sender, step=before)
    return Worded("{rank} has had {slot} from the start", rank=whose, slot=slot)


def _why_this_chunk(facts: Facts, step: int, rank: int, chunk: int) -> str:
    """Since when the rank has what it sends."""
    for before in range(step - 1, 0, -1):
        if any(row[1] == rank and row[3] == chunk for row in facts.rows(before)):
            if before < step - 1:
                return "it passes on what it received some steps before"
            return "it passes on what it received in the step before"
    return "it has had this data from the start"


def _partner(facts: Facts, step: int, random: Random) -> Question | None:
    """To whom a rank sends, or from whom it receives, where that is one node.

    Every node is as likely the answer; where one is the answer for all, none is asked for.
    """
    if facts.recording.nodes < FEWEST_NODES:
        return None
    asks: dict[int, list[tuple[int, bool]]] = {}
    for sends in (True, False):
        for rank in range(facts.recording.ranks):
            partners = {row[sends] for row in facts.rows(step) if row[not sends] == rank}
            if len(partners) == 1:
                asks.setdefault(partners.pop(), []).append((rank, sends))
    if len(asks) < FEWEST_NODES - 1:
        return None
    root = facts.recording.root  # to guess which is not to pay
    weights = [ROOT_SHARE if node == root else 1.0 for node in sorted(asks)]
    [partner] = random.choices(sorted(asks), weights)
    rank, sends = random.choice(asks[partner])
    return _place(facts, step, rank, partner, sends, random)


def _place(
    facts: Facts, step: int, rank: int, partner: int, sends: bool, random: Random
) -> Question:
    """The question for the node at the other end of a rank's transfers."""
    names, neighbor = facts.names, other_neighbor(facts, rank, partner)
    ask = "To whom does {rank} send next?" if sends else "From whom does {rank} receive next?"
    row = next(row for row in facts.rows(step) if (row[not sends], row[sends]) == (rank, partner))
    known = {partner: "", rank: "itself", neighbor: "wrong neighbor"}

    def option(node: int) -> Option:
        name = known.get(node, "no such transfer")
        src, dst = (rank, node) if sends else (node, rank)
        mark = Mark("transfer", (src, row[2], dst, row[3]))
        if node == rank:
            mark = Mark("ranks", (rank,))
        instead = _not_partner(facts, step, rank, node, sends) if name else ""
        return Option(names.node(node), (node,), name, (mark,), instead)

    way = names.sends(row[0], row[2], row[1])
    return asked(
        kind="next",
        step=step,
        form="place",
        prompt=Worded(ask, rank=names.node(rank)),
        detail=Worded("in step {step}", step=step),
        options=tuple(map(option, range(facts.recording.nodes))),
        because=_why_this_partner(facts, step, row),
        random=random,
        believed=("wrong neighbor" if neighbor is not None else "itself", "no such transfer"),
        hint=HINT,
        explanation=Worded("in step {step} {way}", step=step, way=way),
        about=("rank", (rank,)),
    )


def _not_partner(facts: Facts, step: int, rank: int, node: int, sends: bool) -> str:
    """What the rank's data, or the node's, does in the step instead."""
    names, name = facts.names, facts.names.node(node)
    if node == rank:
        row = next(row for row in facts.rows(step) if row[not sends] == rank)
        ends = {"src": names.node(row[0]), "dst": names.node(row[1])}
        pattern = "In step {step} {slot} goes from {src} to {dst}: a rank sends nothing to itself."
        return Worded(pattern, step=step, slot=names.slot(row[2]), **ends)
    if sends:
        return _received(facts, step, node, rank)
    rows = [row for row in facts.rows(step) if row[0] == node]
    if not rows:
        return Worded("In step {step} {node} sends no data to any rank.", step=step, node=name)
    way = names.sends(node, rows[0][2], rows[0][1])
    pattern = "In step {step} {way}, not to {rank}."
    return Worded(pattern, step=step, way=way, rank=names.node(rank))


def _why_this_partner(facts: Facts, step: int, row: Row) -> str:
    """Why data goes between two nodes: the receiver lacks it, or it takes its place."""
    src, dst, chunk, into, _ = row
    if facts.is_small:
        held = {part[:2] for part in facts.content((dst, into), step - 1)}
        if {part[:2] for part in facts.content((src, chunk), step - 1)} - held:
            return "the receiver still lacks what the sender holds"
    return "the algorithm pairs these two in this step"
