"""What is said of a moment in modeled time: which steps are under way, and who waits for whom."""

from __future__ import annotations

from animations.story.timed_board import TimedBoard
from collectives.words import capital, runs

MOST_GROUPS = 3  # of ranks that wait for the same one, or of steps in a row, in a line


def under_way_text(timed_board: TimedBoard, now: float) -> str:
    """The steps of which something is on its way, and what they do where all do the same."""
    board, steps = timed_board.board, timed_board.under_way(now)
    say, total = board.say, len(board.frames)
    ended = now >= timed_board.seconds - timed_board.rounding
    if timed_board.stands(now):
        return stuck_text(timed_board)
    if board.wrong and not steps and (ended or timed_board.done(now) == total):
        return board.captions[-1]
    if not steps and timed_board.done(now) == total:
        return f"{board.ending}."  # of an untold mistake: what is promised
    if not steps:
        return say("clock.nothing")
    if len(steps) == 1:
        return _of_one_step(timed_board, now, steps[0])
    numbers, named = runs(steps, "–"), {"number": len(steps), "first": steps[0], "last": steps[-1]}
    if len(numbers) > MOST_GROUPS:
        text = say("clock.many_steps", total=total, **named)
    else:
        text = say("clock.steps", numbers=say.listed(numbers), total=total)
    comments = {board.frames[step - 1].comment for step in steps}
    only = comments.pop()
    return say("clock.with_comment", text=text, comment=only) if not comments and only else text


def _of_one_step(timed_board: TimedBoard, now: float, number: int) -> str:
    """The caption of a step, or one with another example where its own is not on its way."""
    board, moving = timed_board.board, timed_board.moving(now)
    frame = board.frames[number - 1]
    firsts = [frame.transfers[parcel.transfers[0]] for parcel in frame.parcels]
    there = [i for i, own in enumerate(firsts) if (number, (own.src, own.dst)) in moving]
    own = not there or frame.hero in there
    return board.captions[number] if own else board.caption(number, there[0])


def waiting_text(timed_board: TimedBoard, now: float) -> str:
    """Who waits for whom at a moment; nothing where nobody does."""
    labels, say = timed_board.board.labels, timed_board.board.say
    groups: dict[int | None, list[int]] = {}
    for node, awaited in waiting(timed_board, now):
        groups.setdefault(awaited, []).append(node)
    largest = sorted(groups.items(), key=lambda group: (group[0] is not None, -len(group[1])))
    parts = []
    for awaited, nodes in largest[:MOST_GROUPS]:
        key = "late" if awaited is None else "waits"
        key += "_several" * (len(nodes) > 1)
        target = "" if awaited is None else labels.node(awaited, "some")
        parts.append(say(f"clock.{key}", who=labels.nodes(nodes), other=target))
    if more := sum(len(nodes) for _, nodes in largest[MOST_GROUPS:]):
        parts.append(say("clock.more", number=more))
    return capital(say("clock.apart").join(parts))


def waiting(timed_board: TimedBoard, now: float) -> list[tuple[int, int | None]]:
    """The nodes that wait, and for whom; at the end of what never ends, all who do so for ever."""
    if timed_board.standstill is not None and timed_board.stands(now):
        return list(timed_board.standstill.waits.items())
    return [(wait.node, wait.other) for wait in timed_board.waits.at(now)]


def stuck_text(timed_board: TimedBoard) -> str:
    """The message that never arrives."""
    standstill, labels = timed_board.standstill, timed_board.board.labels
    if standstill is None:
        return ""
    ends = (labels.node(node, "some") for node in (standstill.src, standstill.dst))
    named = dict(zip(("source", "target"), ends, strict=True))
    return timed_board.board.say("clock.stuck", step=standstill.step, **named)
