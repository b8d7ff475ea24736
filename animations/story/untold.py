"""A wrong schedule as a film shows it until the mistake is seen: nothing says that it is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from animations.story.storyboard import Storyboard
from collectives.words import capital


def untold(board: Storyboard) -> Storyboard:
    """The storyboard of a wrong schedule without its marks; any other as it is."""
    if board.wrong is None:
        return board
    goal = f"{board.promise[:1].lower()}{board.promise[1:]}"
    return replace(
        board,
        title=board.wrong.name,
        ending=board.say("captions.promised", goal=goal),
        heading=board.say("counters.heading_now"),
        wrong=None,
        untold=board.wrong,
    )


def naming(board: Storyboard) -> Iterator[tuple[str, tuple[int, ...]]]:
    """What names the mistake of an untold storyboard: sentences, and how much each has drawn.

    A deadlock closes arrow by arrow.
    """
    wrong = board.untold
    assert wrong
    halted, say = wrong.stuck, board.say
    if halted is None or not halted.closing:
        bare = wrong.named.partition(": ")[2] if halted and halted.pairs else ""
        yield f"{capital(bare or wrong.named)}.", (1,)
        return
    first, *_, last = halted.pairs[: halted.closing]
    ends = ([board.labels.node(node, "some") for node in pair] for pair in (first, last))
    waits = [{"node": node, "other": peer} for node, peer in ends]
    yield capital(say("score.waits", **waits[0])), (1,)
    if between := tuple(range(2, halted.closing)):
        yield say("score.waits_alike"), between
    yield capital(say("score.waits_closing", **waits[1])), (halted.closing,)
    if halted.alike:
        yield say(f"score.waits_all_{halted.alike}"), (halted.closing,)
