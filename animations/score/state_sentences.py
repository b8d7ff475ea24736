"""The sentences of what holds after a step, at most 14 words long, and what all of them share."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from animations.score.pacing import clauses
from animations.story.storyboard import Storyboard
from animations.story.tally import Tally
from collectives.schedule import Step
from collectives.words import capital

SPELLED = range(2, 11)  # numbers of repetitions that are words


def group_of(board: Storyboard, first: int, end: int) -> str:
    """The kind of group in which steps run, counted from 0: a row, or a node; else nothing."""
    groups = {p.remark.group for frame in board.frames[first:end] for p in frame.parcels}
    return groups.pop() if len(groups) == 1 else ""


def state(board: Storyboard, step: int, spread: bool = True) -> str:
    """What holds after a step, in numbers counted from the contributions; nothing if unknown.

    spread: whether the largest sum of each chunk is worth a sentence.
    """
    tally, say = board.tallies.get(step), board.say
    if tally is None:
        return ""
    if not board.labels.moves_data:
        return _heard(board, tally)
    each = board.adds and tally.goal == board.ranks and not board.labels.in_blocks
    if each and tally.finished == (1, 1) and tally.wanted[0] == tally.wanted[1] > 1:
        return say("score.each_finished")
    paired = board.counted and board.counted.asked.collective.pairs is not None
    whole = tally.wanted[0] == board.labels.chunk_count and not paired  # it is the same data
    if 0 < tally.done < tally.goal and (whole or board.adds):
        key = f"score.done_{'sum' if board.adds else 'data'}{'_one' * (tally.done == 1)}"
        return say(key, number=tally.done, total=tally.goal)
    low, high = tally.spread
    if spread and board.adds and 1 < low == high < board.ranks:
        return say(f"score.spread{'_chunks' * (board.labels.chunk_count > 1)}", number=low)
    return ""


def _heard(board: Storyboard, tally: Tally) -> str:
    """Of how many arrivals ranks know."""
    low, high = tally.held
    if tally.done and low != high:
        key = f"know{'_one' * (tally.done == 1)}"
        return board.say(f"score.{key}", number=tally.done, total=board.ranks)
    whose = "every" if low == high else "some"
    return board.say(f"score.{whose}_knows", number=high, total=board.ranks)


def steps_done(board: Storyboard, step: int) -> str:
    """How far the steps have come."""
    return board.say(f"score.step{'s' * (step != 1)}_done", number=step, total=len(board.frames))


def copied(board: Storyboard, number: int) -> str:
    """That finished data takes the way of the sums before it, where all steps of both take one."""
    first, last = board.phases[max(0, number - 1)], board.phases[number]
    frames, then = board.frames[first.first : last.end], board.frames[last.first].transfers
    ways = {frozenset((m.src, m.dst) for m in frame.transfers) for frame in frames}
    finished = all(not m.adds and len(m.cell.held) == board.ranks for m in then)
    return board.say("score.copied") if len(ways) == 1 and finished and board.adds else ""


def own_key(board: Storyboard, kind: str) -> str:
    """The key of a sentence that an algorithm has of its own, or its collective; else nothing."""
    asked = board.counted.asked if board.counted else None
    if not asked or asked.op != "sum":
        return ""
    name = f"score.{kind}_{asked.collective.name}"
    row = asked.row.algorithm.replace("-", "_") if asked.row else ""
    return next((key for key in (f"{name}_{row}", name) if key in board.say.patterns), "")


def remarks(comment: str, earlier: Collection[str]) -> list[str]:
    """What a step's comments say that has not been said yet."""
    return [part for part in comment.split("; ") if part and part not in earlier]


def fitting(board: Storyboard, text: str) -> tuple[str, ...]:
    """A text as sentences that are short enough."""
    plain = text.replace("`", "").replace(" — ", ": ").replace("——", "：")
    return clauses(plain, board.say.most_words)


def lacking(board: Storyboard, mend: Step) -> Iterator[str]:
    """Which message a schedule lacks that does too little, or that steps are too few for it."""
    src, dst, slot = (int(column[0]) for column in (mend.src, mend.dst, mend.chunk))
    came = {(m.src, m.chunk) for f in board.frames for m in f.transfers if m.dst == dst != m.src}
    node, peer = (board.labels.node(at, "some") for at in (src, dst))
    if board.wrong and (hops := max(board.wrong.hops.values(), default=0)):
        steps = board.say.plural(board.steps, "step")
        yield capital(board.say("wrong.too_far", other=peer, hops=hops, steps=steps))
    elif (src, slot) not in came:
        yield capital(board.say("wrong.unsent" if came else "wrong.idle", node=node, other=peer))


def times_said(board: Storyboard, count: int) -> str:
    """How many steps follow, a word where it is small."""
    return board.say(f"score.times_{count}") if count in SPELLED else f"{count:,}"
