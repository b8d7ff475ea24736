"""What can be shown, selected and built in a picture, as plain values: a step, a rank, a slot …"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from animations.story.storyboard import Storyboard
from collectives.errors import BadInput
from collectives.values import dict_of, items_of, whole
from collectives.words import brief

NEAR = "{'rank': 0}, {'rank': 0, 'slot': 0} or {'transfer': [1, 0]}"

STEPS_NEAR = "[[(0, 1, 0, 0, True)]]: rank 0 adds its slot 0 into slot 0 of rank 1"
Built = list[list[tuple[int, int, int, int, bool]]]

LISTS = {
    "transfer": ("[1, 0]", "the number of a step, and that of a transfer in it"),
    "chunk": ("[0]", "the number of a chunk, or a block's destination and source"),
    "line": ("[0, 0]", "the number of a source, and that of a line in it"),
    "link": ("[0, 1]", "two ranks"),
}  # nearest value, and what the numbers are


class Reach(NamedTuple):
    """How far a picture goes, and how far until the next question is answered."""

    last: int  # its last step
    limit: int  # the last step that may be shown
    asks: bool  # whether a question is open


def reach_of(board: Storyboard | None, answers: Sequence[object]) -> Reach:
    """The reach of a picture of which so many questions are answered; none without a picture."""
    if board is None:
        return Reach(0, 0, asks=False)
    last, still_open = len(board.frames), board.questions[len(answers) :]
    limit = min(still_open[0].step - 1, last) if still_open else last
    return Reach(last, limit, asks=bool(still_open))


def within_reach(state: dict[str, Any], reach: Reach) -> dict[str, Any]:
    """What replaces the parts of a browser's state that the picture does not have."""
    reached: dict[str, Any] = {}
    if state.get("step", 0) > reach.limit:
        reached["step"] = reach.limit
    if state.get("playing") and not reach.last:
        reached["playing"] = False
    if state.get("selection") is not None and reach.asks:
        reached["selection"] = None
    return reached


def check_step(value: object, reach: Reach) -> int:
    """The step as a number; raises BadInput for one that there is not, or that is locked."""
    step = whole("step", value, 0, reach.last)
    if step > reach.limit:
        raise BadInput(
            f"step {step}: locked until the question before step {reach.limit + 1} is answered "
            f"in the picture; try: {reach.limit}"
        )
    return step


def check_playing(plays: bool, reach: Reach) -> bool:
    """Whether it plays; raises BadInput where there is no step to play."""
    if plays and not reach.last:
        raise BadInput("playing True: the picture has no steps; try: False")
    return plays


def check_selection(kept: object, board: Storyboard | None, reach: Reach) -> dict[str, Any] | None:
    """The selection in Python's own numbers; raises BadInput for what the picture does not have.

    Nothing can be selected while a question is open: the story of a selection answers it.
    """
    if kept is None:
        return None
    selection = dict_of("selection", kept, NEAR)
    if reach.asks:
        raise BadInput(
            f"selection {brief(selection)}: its story answers a question that is open; "
            "answer that first, in the picture; try: None"
        )
    if board is None:
        raise BadInput(f"selection {brief(selection)}: there is no picture; try: None")
    for kind in LISTS:
        if selection.keys() == {kind}:
            return {kind: _numbers(kind, selection[kind], board)}
    if selection.keys() == {"counter"}:
        last = len(board.counters) - 1
        return {"counter": whole("selection of counter", selection["counter"], 0, last)}
    if selection.keys() not in ({"rank"}, {"rank", "slot"}):
        raise BadInput(f"selection {brief(selection)}: selects nothing; try: {NEAR}")
    limits = {"rank": board.nodes - 1, "slot": board.slots - 1}
    return {
        name: whole(f"selection of {name}", value, 0, limits[name])
        for name, value in selection.items()
    }


def check_built(value: object, board: Storyboard | None) -> Built | None:
    """Steps in Python's own numbers; raises BadInput for what is not there."""
    if value is None:
        return None
    if board is None or board.task is None:
        raise BadInput(f"built {brief(value)}: this picture shows no single ranks; try: None")
    ends = [board.nodes - 1] * 2 + [board.slots - 1] * 2
    built: Built = []
    for step in items_of("built", value, STEPS_NEAR):
        built.append([])
        for row in items_of("built", step, STEPS_NEAR):
            *numbers, adds = items_of("built", row, STEPS_NEAR)
            if len(numbers) != len(ends) or not isinstance(adds, bool):
                raise BadInput(f"built {brief(row)}: must be numbers and a verb; {STEPS_NEAR}")
            src, dst, chunk, into = (
                whole(f"built {name}", number, 0, last)
                for name, number, last in zip(
                    ("src", "dst", "chunk", "into"), numbers, ends, strict=True
                )
            )
            built[-1].append((src, dst, chunk, into, adds))
    return built


def _numbers(kind: str, value: object, board: Storyboard) -> list[int]:
    """The numbers of a transfer, chunk, line or link, each of which the picture has."""
    nearest, rule = LISTS[kind]
    numbers = items_of(f"selection of {kind}", value, nearest)
    labels = board.labels
    lengths = {"chunk": 2 if labels.in_blocks else 1}
    if len(numbers) != lengths.get(kind, 2):
        raise BadInput(f"selection of {kind} {brief(value)}: must be {rule}; try: {nearest}")
    if kind == "transfer":
        step = whole("selection of transfer in step", numbers[0], 1, len(board.frames))
        last = len(board.frames[step - 1].transfers) - 1
        return [step, whole("selection of transfer", numbers[1], 0, last)]
    if kind == "line":
        texts = list(
            dict.fromkeys(m.source.text for f in board.frames for m in f.transfers if m.source)
        )
        source = whole("selection of line in source", numbers[0], 0, len(texts) - 1)
        return [source, whole("selection of line", numbers[1], 0, len(texts[source]) - 1)]
    ends = [board.nodes - 1] * 2 if kind == "link" else [labels.chunk_count - 1, board.ranks - 1]
    return [
        whole(f"selection of {kind}", number, 0, last)
        for number, last in zip(numbers, ends, strict=False)
    ]
