"""What a page says of programs of single ranks: where each of them stands in every state."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from animations.player.scenery_data import numbered
from animations.story.storyboard import Storyboard
from collectives.schedule.provenance import Standing

Said = tuple[str, bool]  # where a rank stands, and whether it waits


def programs(board: Storyboard) -> dict[str, Any]:
    """Distinct texts, and for each state the index of that of each rank; nothing without programs.

    Of a deadlock there is one more state, in which all wait.
    """
    if not any(frame.standing for frame in board.frames) and not _stuck(board):
        return {}
    states = [[(board.say("programs.start"), False)] * board.ranks]
    files = {file for frame in board.frames for file in map(_file, frame.standing)}
    several = len(files - {""}) > 1
    for frame in board.frames:
        states.append([_said(board, one, several) for one in frame.standing])
    states += _stuck(board)
    said = numbered(one for state in states for one in state)
    at = [[said[one] for one in state] for state in states]
    return {"programs": {"said": [list(one) for one in said], "at": at}}


def _said(board: Storyboard, one: Standing, several: bool) -> Said:
    """Where a rank stands, with its file where there are several, and whom it waits for."""
    if not one.stamp:
        return board.say("programs.ended"), False
    line = board.say("wrong.line", line=one.stamp[-1].line)
    line = f"{_file(one)}, {line}" if several else line
    return (_waits(board, line, one.waits), True) if one.waits else (line, False)


def _file(one: Standing) -> str:
    return one.stamp[-1].source.file if one.stamp else ""


def _stuck(board: Storyboard) -> list[list[Said]]:
    """What all do in a deadlock."""
    halted = board.wrong.stuck if board.wrong else None
    if halted is None or not halted.peers:
        return []
    state = [(board.say("programs.ended"), False)] * board.ranks
    for rank, peers in halted.peers.items():
        state[rank] = _waits(board, halted.lines[rank], peers), True
    return [state]


def _waits(board: Storyboard, line: str, peers: Sequence[int]) -> str:
    others = ", ".join(map(str, dict.fromkeys(peers)))
    return board.say("programs.waits", line=line, others=others)
