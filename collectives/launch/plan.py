"""The plan of a launch: what each process sends, receives and writes, as plain files."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from collectives.errors import BadInput, TooLarge
from collectives.launch.player import BOARD
from collectives.recording.payload import FLOATS
from collectives.recording.rank_program import RankOperation, rank_programs
from collectives.recording.recording import Recording
from collectives.words import plural

RUNS = 20  # of which the median is told
MAX_MESSAGES = 1 << 16
MAX_PROCESSES = 256
Message = tuple[int, list[int]]  # the peer; the slots that are sent, or the sizes of what comes
Write = tuple[int, bool, int, int]  # slot, whether it is added, message (-1: own slot), which of it
PlayedStep = tuple[int, list[Message], list[Message], list[Write]]


@dataclass(frozen=True, eq=False)
class LaunchPlan:
    """What is played: a recording and the steps of each node."""

    recording: Recording
    programs: list[list[PlayedStep]]

    def as_json(self, timeout: float, oversubscribed: bool, runs: int = RUNS) -> dict[str, Any]:
        """As the player reads it."""
        recording = self.recording
        return {
            "collective": recording.collective.name,
            "nodes": recording.nodes,
            "ranks": recording.ranks,
            "root": recording.root,
            "dtype": recording.dtype.name,
            "op": recording.op,
            "reduces": recording.collective.reduces,
            "sizes": recording.size.tolist(),
            "owned": owned(recording),
            "starts": _cells(recording.precondition[:, : recording.chunk_count], recording.nodes),
            "ends": _cells(recording.postcondition, recording.nodes),
            "programs": self.programs,
            "runs": runs,
            "timeout": timeout,
            "oversubscribed": oversubscribed,
        }

    def write(self, folder: Path, timeout: float, oversubscribed: bool) -> None:
        """Write what the players read: the plan, the data, and an empty board."""
        content = self.as_json(timeout, oversubscribed)
        (folder / "plan.json").write_text(json.dumps(content))
        np.save(folder / "inputs.npy", self.recording.inputs)
        (folder / "board").write_bytes(bytes(8 * BOARD * self.recording.nodes))


def plan_of(recording: Recording) -> LaunchPlan:
    """The plan of a recording; raises BadInput for what cannot be launched."""
    if recording.dtype.name == "bfloat16":
        raise BadInput("dtype bfloat16: numpy alone has none; try: --dtype float32")
    if recording.nodes > MAX_PROCESSES:
        raise TooLarge(
            f"{plural(recording.nodes, 'process')}: at most {MAX_PROCESSES} are launched",
            f"-n {MAX_PROCESSES}",
        )
    if recording.counters.messages > MAX_MESSAGES:
        raise TooLarge(
            f"{recording.counters.messages} messages: at most {MAX_MESSAGES} are launched",
            "fewer ranks or chunks",
        )
    return LaunchPlan(recording, [played(program) for program in rank_programs(recording)])


def played(program: list[RankOperation]) -> list[PlayedStep]:
    """The steps of a rank, with one message to and from each peer, as they are counted."""
    steps: dict[int, list[RankOperation]] = {}
    for operation in program:
        steps.setdefault(operation.step, []).append(operation)
    return [_played(number, operations) for number, operations in steps.items()]


def _played(number: int, operations: list[RankOperation]) -> PlayedStep:
    sends: dict[int, list[int]] = {}
    receives: dict[int, list[int]] = {}
    writes: list[Write] = []
    for op in operations:
        if op.verb == "send":
            sends.setdefault(op.peer, []).extend(range(op.slot, op.slot + len(op.sizes)))
            continue
        adds = op.verb in ("reduce", "add")
        if op.verb in ("copy", "add"):
            writes += [(op.slot + k, adds, -1, op.source + k) for k in range(len(op.sizes))]
            continue
        there = receives.setdefault(op.peer, [])
        message, first = list(receives).index(op.peer), len(there)
        writes += [(op.slot + k, adds, message, first + k) for k in range(len(op.sizes))]
        there += op.sizes
    return number, list(sends.items()), list(receives.items()), writes


def owned(recording: Recording) -> list[int]:
    """Elements of each rank's own part of the vector, where it is cut into one for each."""
    if recording.chunk_count % recording.ranks:
        return [recording.count] * recording.ranks
    return [int(part) for part in recording.size.reshape(recording.ranks, -1).sum(axis=1)]


def is_float(recording: Recording) -> bool:
    """Whether sums depend on their order."""
    return recording.dtype.name in FLOATS


def _cells(cells: Any, nodes: int) -> list[list[int]]:
    """The slots of each node that are marked."""
    slots = [np.flatnonzero(row).tolist() for row in cells]
    return slots + [[]] * (nodes - len(slots))
