"""What can be selected in a picture, as plain values: a rank, a slot of it, a transfer."""

from __future__ import annotations

from typing import Any

from animations.story.storyboard import Storyboard
from collectives.errors import BadInput
from collectives.values import dict_of, items_of, whole
from collectives.words import brief

NEAR = "{'rank': 0}, {'rank': 0, 'slot': 0} or {'transfer': [1, 0]}"


def check_selection(given: object, board: Storyboard | None) -> dict[str, Any] | None:
    """The selection in Python's own numbers; raises BadInput for what the picture does not have."""
    if given is None:
        return None
    selection = dict_of("selection", given, NEAR)
    if board is None:
        raise BadInput(f"selection {brief(selection)}: there is no picture; nearest: None")
    if selection.keys() == {"transfer"}:
        return {"transfer": _transfer(selection["transfer"], board)}
    if selection.keys() not in ({"rank"}, {"rank", "slot"}):
        raise BadInput(f"selection {brief(selection)}: selects nothing; nearest: {NEAR}")
    most = {"rank": board.nodes - 1, "slot": board.slots - 1}
    return {
        name: whole(f"selection of {name}", value, 0, most[name])
        for name, value in selection.items()
    }


def _transfer(given: object, board: Storyboard) -> list[int]:
    """The number of a step, from 1, and that of a transfer in it, from 0."""
    numbers = items_of("selection of transfer", given, "[1, 0]")
    if len(numbers) != 2:
        rule = "must be the number of a step, and that of a transfer in it"
        raise BadInput(f"selection of transfer {brief(given)}: {rule}; nearest: [1, 0]")
    step = whole("selection of transfer in step", numbers[0], 1, len(board.frames))
    number = whole("selection of transfer", numbers[1], 0, len(board.frames[step - 1].moves) - 1)
    return [step, number]
