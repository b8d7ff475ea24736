"""What the links of a recording are: as its row states it, else inferred from its steps."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from collectives.catalog import Row
from collectives.errors import BadInput
from collectives.structure.base import Structure
from collectives.structure.inference import inferred
from collectives.structure.traffic import Traffic

if TYPE_CHECKING:
    from collectives.recording.executed import ExecutedSchedule


def structure_of(recording: ExecutedSchedule) -> Structure:
    """The structure of a recording; on few ranks, where several agree, that of the algorithm."""
    row, promise = recording.row, recording.collective
    if row and row.structure and recording.setting.is_usual:
        return row.structure(recording.setting)
    root, servers = recording.root if promise.rooted else -1, recording.helpers == "server"
    like = _on_eight_ranks(row) if row and not recording.setting.other_ways else None
    return inferred(recording.traffic, root, servers, promise.in_blocks, like)


@cache
def _on_eight_ranks(row: Row) -> Structure | None:
    """What the links of a row are on eight ranks: on fewer they are those of others, too."""
    try:
        setting = row.setting(8)
    except BadInput:
        return None
    promise = row.promise_in(setting)
    traffic = Traffic(8, row.nodes(setting), tuple(row.schedule(setting)))
    root, servers = 0 if promise.rooted else -1, row.helpers == "server"
    return inferred(traffic, root, servers, promise.in_blocks)
