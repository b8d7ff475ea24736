"""A tour of a page: five stops, each a state with something to look at and a question."""

from __future__ import annotations

from animations.story.stop import Stop
from animations.story.storyboard import Frame, Storyboard

DRAWN = {"routed-groups": "groups"}  # kinds that are told as another one


def tour_of(board: Storyboard, kind: str = "") -> tuple[Stop, ...]:
    """The five stops; none of a wrong schedule and of one in which nothing moves.

    kind: of its structure, which says what its links are. All numbers are those of the storyboard.
    """
    moving = [frame for frame in board.frames if frame.transfers]
    if board.wrong or not moving or len(board.counters) < 2:
        return ()
    first, middle, last = moving[0], moving[(len(moving) - 1) // 2], len(board.frames)
    if len(board.phases) > 1:
        middle = board.frames[board.phases[0].end - 1]
    return (
        _stop(board, "start", 0, "rank:0", text=board.reason or board.need or f"{board.promise}."),
        _stop(board, "first", first.number, _transfer(first), text=_shape(board, kind, first)),
        _stop(board, "middle", middle.number, _cell(middle), text=_held(board, middle)),
        _stop(board, "steps", last, "counter:0", text=_counted(board, 0)),
        _stop(board, "bytes", last, "counter:1", text=_counted(board, 1)),
    )


def _stop(board: Storyboard, name: str, step: int, select: str, text: str) -> Stop:
    fields = {"ranks": board.say.plural(board.ranks, "rank")}
    return Stop(text, board.say(f"tour.{name}", **fields), step, select)


def _transfer(frame: Frame) -> str:
    return f"transfer:{frame.number}.{frame.followed}"


def _cell(frame: Frame) -> str:
    moved = frame.transfers[frame.followed]
    return f"cell:{moved.dst}.{moved.into}"


def _shape(board: Storyboard, kind: str, first: Frame) -> str:
    """What the links are, and the caption of the first step."""
    key = f"tour_shapes.{DRAWN.get(kind, kind)}"
    shape = board.say(key) if key in board.say.patterns else ""
    return f"{shape} {board.captions[first.number]}.".strip()


def _held(board: Storyboard, middle: Frame) -> str:
    """The caption, and what holds then."""
    held = board.invariant(middle.number)
    return f"{board.captions[middle.number]}.{f' {held}.' if held else ''}"


def _counted(board: Storyboard, number: int) -> str:
    """A counter at the end beside its bound, and why, where it is known."""
    row = board.counters[number]
    _, total, *bound = row.text(len(board.frames)).split(" / ")
    known = board.say("tour.bound", bound=bound[0]) if bound else ""
    text = board.say("tour.counted", label=row.label, total=total) + known + "."
    return " ".join((text, *board.trade.sentences[number : number + 1]))
