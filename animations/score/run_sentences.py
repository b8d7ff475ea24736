"""The sentences of steps in a row that do alike, each larger, smaller or farther than before."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import pairwise

from animations.score.pacing import sentence, words
from animations.score.repeats import Run
from animations.score.state_sentences import group_of, times_said
from animations.score.step_sentences import (
    between_nodes,
    data_of,
    had_by,
    now_said,
    sums_sent,
)
from animations.story.frames import hopping
from animations.story.storyboard import Frame, Storyboard

MOST_PARTS = 64  # of a vector of which one is said


def scaled(board: Storyboard, run: Run, place: int) -> tuple[str, bool]:
    """That a step goes twice or half as far as the one before, or one rank further.

    Where each rank also sends half or twice as much, it says this; then True. Where steps are
    levels of a tree, it names these, and how many ranks are idle.
    """
    say, frame = board.say, board.frames[run.first + place]
    before, now = (_each_sends(board, run.first + at) for at in (place - 1, place))
    more = "_more" if now == 2 * before else "_less" if before == 2 * now else ""
    level, part = _level(board, frame, run.scale), Fraction(now, max(board.size, 1))
    reach = level or say(f"score.far_{run.scale}")
    if now and more and run.scale in ("twice", "half") and 1 < part.denominator <= MOST_PARTS:
        once_more = place > 1 and not level
        pair = board.frames[run.first + place - 1], frame
        if more == "_less" and [between_nodes(board, step) for step in pair] == [False, True]:
            return say("score.scaled_between", part=part), True
        again = "_again" * once_more
        if more == "_more" and len({step.example.chunk for step in pair}) == 1:
            text = say(f"score.scaled_grown{again}", far=reach)
            if (counted := had_by(board, frame, text, board.labels.chunk_count)) != text:
                return sentence(counted), True
        sums = sums_sent(board, frame) if once_more and more == "_less" else 0
        again = "_sums" if sums > 1 else again
        return say(f"score.scaled{more}{again}", far=reach, part=part, number=sums), True
    kept, distance = board.tallies.get(run.first + place), run.distances[place]
    lacks = kept and 0 < kept.finished[0] == kept.finished[1] == kept.wanted[0] * (1 - part)
    behind = "_behind" * (run.scale == "further" and distance == board.ranks - 1 > place)
    rest = "_hop" if hopping(board.frames, board.labels) else "_rest"
    rest *= bool(lacks) and run.scale == "twice" and now < 2 * before
    if not level:
        return say(f"score.scaled{behind or rest}", far=reach, distance=distance, part=part), False
    idle = board.ranks - len({node for m in frame.transfers for node in (m.src, m.dst)})
    key = f"score.scaled_{'idle' if idle else 'busy'}{'_one' * (idle == 1)}"
    return say(key, far=reach, ranks=say.plural(idle, "rank")), False


def _level(board: Storyboard, frame: Frame, scale: str) -> str:
    """Which level of a binomial tree sends up in a step, or gets data; nothing elsewhere.

    There it goes twice as far a level higher, and half as far a level lower.
    """
    src, dst = (board.scenery.cards[node].y for node in (frame.example.src, frame.example.dst))
    if board.scenery.family != "tree" or scale != ("twice" if src > dst else "half"):
        return ""
    level = sorted({card.y for card in board.scenery.cards}).index(max(src, dst))
    return board.say(f"score.far_{'up' if src > dst else 'down'}", level=level)


def started(board: Storyboard, run: Run) -> str:
    """How far the first of steps goes that then go twice or half as far; nothing of a tree.

    Nor of a later phase, where it is seen.
    """
    later = board.frames[run.first].phase > 0
    if later or run.scale not in ("twice", "half") or board.scenery.family == "tree":
        return ""
    reach, ends = board.say(f"score.far_{run.scale}"), (run.first, run.end - 1)
    leaves = [between_nodes(board, board.frames[step]) for step in ends] == [False, True]
    sent, last = (_each_sends(board, step) for step in ends)
    key = f"score.first_distance{'_inside' * (leaves and sent > last > 0)}"
    return board.say(key, distance=run.distances[0], far=reach)


def _each_sends(board: Storyboard, index: int) -> int:
    """Bytes that each node that sends in a step sends; 0 where they differ."""
    sent = Counter[int]()
    for move in board.frames[index].transfers:
        sent[move.src] += 0 if move.is_local else move.size
    sizes = {size for size in sent.values() if size}
    return sizes.pop() if len(sizes) == 1 else 0


def swung(board: Storyboard, run: Run, place: int) -> str | None:
    """That even ranks send one way, odd ones the other, and then both the other way round.

    On the same ways back also how many chunks each sends; None where ranks do not swing.
    """
    distances = [swing(board, index) for index in range(run.first, run.end)]
    if len(distances) < 2 or not all(distances) or any(a * b > 0 for a, b in pairwise(distances)):
        return None
    before = range(max(0, run.first - len(distances)), run.first)
    distance, first = abs(distances[place]), "right" if distances[0] > 0 else "left"
    if distances == [swing(board, index) for index in reversed(before)]:
        sent = sum(move.src == 0 for move in board.frames[run.first + place].transfers)
        fields = {"distance": distance, "chunks": board.say.plural(sent, "chunk")}
        return board.say(f"score.swing_{'returns' if place else 'return'}", **fields)
    back = "cables" if distance > 1 and board.scenery.family == "ring" else "back"
    key = back if place > 1 else "on" if place else first
    return board.say(f"score.swing_{key}", distance=distance, most=(distance + 1) // 2)


def swing(board: Storyboard, index: int) -> int:
    """How far to the right all even ranks send in a step, and all odd ones to the left; else 0."""
    n, moves = board.ranks, board.frames[index].transfers
    ways = {(1 - 2 * (m.src % 2)) * ((m.dst - m.src + n // 2) % n - n // 2) for m in moves}
    every = {move.src for move in moves} == {*range(n)} and board.nodes == n
    return ways.pop() if len(ways) == 1 and n % 2 == 0 and every else 0


def until(board: Storyboard, count: int, holds: str) -> str:
    """That so many steps follow, and what holds then."""
    then = f"{holds[:1].lower()}{holds[1:]}"
    return board.say("score.until", times=times_said(board, count), then=then)


def repetition(board: Storyboard, run: Run, steps: range) -> str:
    """How often the same is done again in some steps of a run, and what each of these adds."""
    say, times = board.say, times_said(board, len(steps))
    if run.scale:
        return say("score.again_further", times=times)
    if steps.stop == run.end and (gain := _becomes(board, board.frames[run.end - 1])):
        group, frame = say.noun(group_of(board, run.first, run.end)), board.frames[run.first]
        followed = {frame.transfers[i].chunk for i in frame.parcels[frame.hero].transfers}
        key = f"score.carried{'_all' * (len(followed) > 1)}"
        last = data_of(board, board.frames[run.end - 1]) == board.ranks
        shorter = [say("score.now_all_of", text="", ranks=board.ranks)] * last
        texts = [say(key, times=times, group=group, gain=text) for text in (*shorter, gain)]
        return next((text for text in texts[::-1] if words(text) <= say.most_words), texts[-1])
    if _passes_on(board, steps):
        return say("score.passes", times=times)
    ends = {board.frames[place].example.chunk for place in (steps.start - 1, steps.stop - 1)}
    goes_on = len(ends) == 1 and not run.regular
    gain = _gain(board, steps) or had_by(board, board.frames[steps.stop - 1], "") * goes_on
    return say(f"score.{'again' if run.regular else 'alike'}", times=times, gain=gain)


def _becomes(board: Storyboard, frame: Frame) -> str:
    """What the followed data is after a step: the sum of so many, or what so many have."""
    number = data_of(board, frame)
    return now_said(board, "", number) if number else had_by(board, frame, "")


def _passes_on(board: Storyboard, steps: range) -> bool:
    """Whether in each of some steps every rank sends just what came in the step before."""
    frames = board.frames[steps.start - 1 : steps.stop]
    came = [{(m.dst, m.into) for m in frame.transfers} for frame in frames[:-1]]
    sent = [{(m.src, m.chunk) for m in frame.transfers} for frame in frames[1:]]
    return came == sent and len({m.src for m in frames[-1].transfers if not m.adds}) == board.ranks


def _gain(board: Storyboard, steps: range) -> str:
    """What each step of a time-lapse adds to every chunk or to every rank, if that is the same."""
    say = board.say
    states = [board.tallies.get(step) for step in range(steps.start, steps.stop + 1)]
    pairs = [(a, b) for a, b in pairwise(states) if a and b]
    if len(pairs) < len(steps):
        return ""
    gains = {(b.spread[0] - a.spread[0], b.spread[1] - a.spread[1]) for a, b in pairs}
    if board.adds and gains == {(1, 1)} and pairs[0][0].spread[0] == pairs[0][0].spread[1]:
        return say("score.gains_stripe" if board.view.shows_ranks else "score.gains_data")
    low, *others = {b.finished[0] - a.finished[0] for a, b in pairs}
    alike = all(tally.finished[0] == tally.finished[1] for pair in pairs for tally in pair)
    if others or not alike or low < 1 or pairs[0][0].goal != board.ranks:  # some take turns
        return ""
    noun = "block" if board.labels.in_blocks else "finished_chunk" if board.adds else "chunk"
    more = say.plural(low, noun) if low > 1 else say(f"score.one_{noun}")
    return say("score.each_gets", more=more)
