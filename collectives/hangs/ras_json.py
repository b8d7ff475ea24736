"""Reads what `ncclras -f json` prints: every rank's counts of operations, and absent ranks.

Fields: src/ras/client_support.cc of NVIDIA/nccl (at 12df1a1), `jsonWriteHeader`,
`jsonStartCommunicator` ("hash", "size", "missing_ranks_count"), `jsonWriteRankData` ("rank",
"host", "pid", "cuda_dev", "status" with "init_state", "async_error", "abort_flag",
"collective_counts") and `jsonWriteMissingRank` ("unresponsive", "considered_dead"). Results: 0 is
ncclSuccess, 7 ncclInProgress (src/nccl.h.in).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from collectives.errors import BadInput
from collectives.hangs.calls import Evidence, Notice, ProcessGroup, RankProgress, ranks_text
from collectives.hangs.fields import LARGEST, MOST_RANKS, mapping, sequence, whole_number
from collectives.words import brief, quoted, shown_name

MOST_COMMUNICATORS = 1 << 14
SUCCESS, IN_PROGRESS = 0, 7


def is_ras_json(content: Any) -> bool:
    """Whether a value is such output."""
    return isinstance(content, dict) and "communicators" in content and "nccl_version" in content


def read_ras_json(content: dict[str, Any], path: str) -> Evidence:
    """What the output says; raises BadInput, naming the field, for a value that cannot be."""
    groups, progress, notices = [], list[RankProgress](), list[Notice]()
    values = sequence("communicators", content["communicators"])
    if len(values) > MOST_COMMUNICATORS:
        raise BadInput(f"{len(values):,} communicators: at most {MOST_COMMUNICATORS:,} are read")
    for at, value in enumerate(values):
        what = f"communicator {at}"
        communicator = mapping(what, value)
        group = _group(communicator, what)
        groups.append(group)
        origin = f"{quoted(path)}, {what}"
        for entry in sequence(f"{what}: ranks", communicator.get("ranks", [])):
            rank = _rank(entry, group, what)
            progress += _counts(entry, group, rank, origin)
            status = mapping(f"{what}: status", entry.get("status", {}))
            notices += _troubles(status, group, rank, origin)
        for entry in sequence(f"{what}: missing_ranks", communicator.get("missing_ranks", [])):
            rank = _rank(entry, group, what)
            status = mapping(f"{what}: status", entry.get("status", {}))
            notices.append(_missing(status, group, rank, origin))
    return Evidence(tuple(groups), (), tuple(progress), tuple(notices), ("NCCL RAS",))


def _group(communicator: dict[str, Any], what: str) -> ProcessGroup:
    name = communicator.get("hash")
    if not isinstance(name, str) or not re.fullmatch(r"0x[0-9a-f]{1,16}", name):
        raise BadInput(f"{what}: hash {brief(name)}: must be hexadecimal; try: 0x1a2b")
    size = whole_number(f"{what}: size", communicator.get("size"), 1, MOST_RANKS)
    key, where = f"{int(name, 16):016x}", {}
    for field in ("ranks", "missing_ranks"):
        for entry in sequence(f"{what}: {field}", communicator.get(field, [])):
            rank = whole_number(f"{what}: rank", mapping(what, entry).get("rank"), 0, size)
            where[rank] = shown_name(
                f"GPU {brief(entry.get('cuda_dev'))}, process {brief(entry.get('pid'))} on "
                f"{str(entry.get('host'))[:100]}"
            )
    return ProcessGroup(key, f"communicator {key}", tuple(range(size)), True, where)


def _rank(entry: Any, group: ProcessGroup, what: str) -> int:
    return whole_number(f"{what}: rank", mapping(what, entry).get("rank"), 0, len(group.members))


def _counts(entry: Any, group: ProcessGroup, rank: int, origin: str) -> Iterator[RankProgress]:
    counts = mapping("collective_counts", entry.get("collective_counts", {}))
    for name, count in counts.items():
        number = whole_number(f"collective_counts: {brief(name)}", count, 0, LARGEST)
        yield RankProgress(group.key, rank, number, -1, shown_name(str(name)), origin)


def _troubles(
    status: dict[str, Any], group: ProcessGroup, rank: int, origin: str
) -> Iterator[Notice]:
    """What the status of a rank says that is wrong."""
    who = ranks_text([rank])
    for field, text in (("init_state", "initialization"), ("async_error", "asynchronous")):
        code = whole_number(field, status.get(field, SUCCESS), 0, 1 << 31)
        if code not in (SUCCESS, IN_PROGRESS):
            yield Notice("error", f"{who}: {text} error {code} of NCCL", group.key, (rank,), origin)
    if status.get("abort_flag") is True:
        yield Notice("error", f"{who}: aborted the communicator", group.key, (rank,), origin)


def _missing(status: dict[str, Any], group: ProcessGroup, rank: int, origin: str) -> Notice:
    who = ranks_text([rank])
    if status.get("considered_dead") is True:
        text = f"{who} is considered dead by NCCL"
    elif status.get("unresponsive") is True:
        text = f"{who} did not answer NCCL's query"
    else:
        text = f"{who} answers, but is no more in the communicator"
    return Notice("absent", text, group.key, (rank,), origin)
