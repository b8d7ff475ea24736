"""Reads dumps of PyTorch's Flight Recorder, one for each rank, as JSON and as pickles.

Fields: torch/csrc/distributed/c10d/FlightRecorder.hpp (its "version" is 2.4 at commit 00f0e2f) and
FlightRecorderDetail.hpp (1189309) of pytorch/pytorch: `getCollectiveTrace`, `getPgConfig`,
`getPgStatus` and `dump_json`, which writes the numbers of pg_status as text. The rank is the number
that a file's name ends in (`DebugInfoWriter`: a prefix and the rank; tools/flight_recorder/
components/loader.py reads it there). The parts of a coalesced call are entries of the same number
before it, without events (components/utils.py, `find_coalesced_group`). "A retired but not
completed event has timed out" (FlightRecorder.hpp). Ranks in "nccl:send 1->2" are positions in the
group (components/types.py, `_init_global_src_dst`).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Any

from collectives.errors import BadInput
from collectives.hangs.calls import (
    COMPLETED,
    ENQUEUED,
    STARTED,
    Call,
    Evidence,
    ProcessGroup,
    RankProgress,
)
from collectives.hangs.fields import LARGEST, MOST_RANKS, mapping, sequence, whole_number
from collectives.hangs.operation_names import bare, is_between_two
from collectives.words import brief, listed, quoted, shown_name

STATES = {"scheduled": ENQUEUED, "started": STARTED, "completed": COMPLETED}
MOST_ENTRIES = 1 << 17
TRAILING = re.compile(r"(\d{1,9})(?:\.[a-zA-Z]{1,8})?$")
BETWEEN = re.compile(r"^(\w+) (\d{1,9})(->|<-)(\d{1,9})$")
NAMED_SO = "try: name it as PyTorch does, such as nccl_trace_rank_3"


@dataclass(frozen=True)
class Dump:
    """A dump of one rank: its groups by their names, calls and counters."""

    path: str
    rank: int
    groups: dict[str, ProcessGroup]
    calls: tuple[Call, ...]
    progress: tuple[RankProgress, ...]


def is_dump(content: Any) -> bool:
    """Whether a value is a dump: a dict with the keys that every dump has."""
    return isinstance(content, dict) and ("pg_config" in content or "entries" in content)


def read_dump(content: dict[str, Any], path: str) -> Dump:
    """The dump of a rank; raises BadInput, naming the field, for anything else."""
    version = content.get("version")
    if not isinstance(version, str) or not version.startswith("2."):
        raise BadInput(f"version {brief(version)}: only 2.x is read; try: a newer PyTorch")
    config = mapping("pg_config", content.get("pg_config", {}))
    groups = {name: _group(name, value) for name, value in config.items()}
    entries = sequence("entries", content.get("entries", []))
    if len(entries) > MOST_ENTRIES:
        raise BadInput(f"{len(entries):,} entries: at most {MOST_ENTRIES:,} are read")
    rank = _rank_of(path, groups.values())
    calls, names = [], dict[str, str]()
    for at, entry in enumerate(entries):
        where = f"entry {at}"
        name, title = _group_name(mapping(where, entry), where)
        group = groups.setdefault(name, ProcessGroup(_key(name, ()), title))
        names[str(whole_number(f"{where}: pg_id", entry.get("pg_id", -1), -1))] = name
        calls.append(_call(entry, where, group, rank, at, f"{quoted(path)}, {where}"))
    is_whole = [call.order for call in calls] == list(range(len(calls)))  # nothing was left out
    progress = _last_enqueued(calls, _progress(content, names, groups, rank, path))
    known = {progress_of_rank.group for progress_of_rank in progress} | {
        call.group for call in calls
    }
    for group in groups.values():
        if group.key not in known and rank in group.members:
            none = 0 if calls and is_whole else -1  # else its calls may have fallen out
            progress.append(RankProgress(group.key, rank, none, none, origin=quoted(path)))
    return Dump(path, rank, groups, tuple(_coalesced(calls)), tuple(progress))


def together(dumps: Sequence[Dump]) -> Evidence:
    """What the dumps of several ranks say; raises BadInput for two of one rank."""
    seen: dict[int, str] = {}
    for dump in dumps:
        if dump.rank in seen:
            both = f"{quoted(seen[dump.rank])} and {quoted(dump.path)}"
            raise BadInput(f"two dumps of rank {dump.rank}: {both}; {NAMED_SO}")
        seen[dump.rank] = dump.path
    groups = {group.key: group for dump in dumps for group in dump.groups.values()}
    return Evidence(
        groups=tuple(groups.values()),
        calls=tuple(call for dump in dumps for call in dump.calls),
        progress=tuple(reached for dump in dumps for reached in dump.progress),
        kinds=("Flight Recorder",) if dumps else (),
    )


def _coalesced(calls: list[Call]) -> Iterable[Call]:
    """Give the parts of a coalesced call its state: they have no events of their own."""
    whole = {
        (call.group, call.peer == -1, call.sequence): call
        for call in calls
        if bare(call.operation) == "coalesced"
    }
    for call in calls:
        parent = whole.get((call.group, call.peer == -1, call.sequence))
        if parent is not None:
            call = replace(call, state=parent.state, is_expired=parent.is_expired)
        yield call


def _rank_of(path: str, groups: Iterable[ProcessGroup]) -> int:
    """The rank of a dump: by the name of its file, else the one that all of its groups have."""
    members = [set(group.members) for group in groups if group.members]
    common = set.intersection(*members) if members else set()
    name = PurePath(path).name
    numbered = TRAILING.search(name)
    if numbered and (not members or int(numbered[1]) in common):
        return int(numbered[1])
    if len(common) == 1:
        return common.pop()
    if numbered:
        have = listed([str(rank) for rank in sorted(common)], limit=8) or "none in all"
        raise BadInput(f"rank {numbered[1]} by its name is not in its groups ({have}); {NAMED_SO}")
    raise BadInput(f"its name ends in no rank; {NAMED_SO}")


def _key(name: str, members: tuple[int, ...]) -> str:
    """A group is told from another of the same name by its ranks."""
    return f"{name}|{','.join(map(str, members))}"


def _group(name: str, value: Any) -> ProcessGroup:
    info = mapping(f"pg_config of {brief(name)}", value)
    ranks = info.get("ranks", "")
    if isinstance(ranks, str):
        if not re.fullmatch(r"\[?(?:\d{1,9}(?:, ?\d{1,9})*)?\]?", ranks):
            raise BadInput(f"ranks {brief(ranks)}: must be numbers; try: [0, 1]")
        ranks = [int(number) for number in re.findall(r"\d+", ranks)]
    numbers = [whole_number("ranks", rank, 0, MOST_RANKS) for rank in sequence("ranks", ranks)]
    members = tuple(sorted(set(numbers)))
    return ProcessGroup(_key(str(name), members), _title(str(name), info.get("desc")), members)


def _group_name(entry: dict[str, Any], where: str) -> tuple[str, str]:
    """The name of the group of an entry, and how a report says it."""
    value = entry.get("process_group", "")
    if isinstance(value, str):
        return value, _title(value, None)
    pair = sequence(f"{where}: process_group", value)
    if not pair or not all(isinstance(part, str) for part in pair):
        raise BadInput(f"{where}: process_group {brief(value)}: must be a name and a description")
    return pair[0], _title(pair[0], pair[1] if len(pair) > 1 else None)


def _title(name: str, description: Any) -> str:
    if isinstance(description, str) and description not in ("", "undefined"):
        return shown_name(description)
    return f"group {shown_name(name)}" if name else "a group without a name"


def _call(
    entry: dict[str, Any], where: str, group: ProcessGroup, rank: int, at: int, origin: str
) -> Call:
    title = entry.get("profiling_name")
    if not isinstance(title, str):
        raise BadInput(f"{where}: profiling_name {brief(title)}: must be text like nccl:all_reduce")
    state = entry.get("state")
    if not isinstance(state, str) or state not in STATES:
        near = listed(list(STATES), last="or")
        raise BadInput(f"{where}: state {brief(state)}: must be {near}")
    operation, peer = _operation(title.partition(":")[2] or title, group)
    between = peer >= 0 or entry.get("is_p2p") is True or is_between_two(operation)
    number = "p2p_seq_id" if between else "collective_seq_id"
    return Call(
        group.key,
        rank,
        whole_number(f"{where}: {number}", entry.get(number, entry.get("seq_id")), 0),
        operation,
        STATES[state],
        _elements(f"{where}: input_sizes", entry.get("input_sizes", [])),
        _elements(f"{where}: output_sizes", entry.get("output_sizes", [])),
        _dtype(entry.get("input_dtypes", [])),
        peer if peer >= 0 else -2 if between else -1,
        whole_number(f"{where}: record_id", entry.get("record_id", at), 0),
        entry.get("retired") is True and state != "completed",
        whole_number(f"{where}: time_created_ns", entry.get("time_created_ns", 0), 0),
        origin,
    )


def _operation(title: str, group: ProcessGroup) -> tuple[str, int]:
    """An operation and its other rank, of "send 1->2" and "recv 1<-2"."""
    between = BETWEEN.match(title)
    if not between:
        return shown_name(title), -1
    at = int(between[4])
    if group.members and at >= len(group.members):
        raise BadInput(f"profiling_name {brief(title)}: its group has {len(group.members)} ranks")
    return between[1], group.members[at] if group.members else at


def _elements(what: str, sizes: Any) -> int:
    """The elements of all tensors of a call; -1 where it has none."""
    total, shapes = 0, sequence(what, sizes)
    for shape in shapes:
        product = 1
        for size in sequence(what, shape):
            product *= whole_number(what, size, 0)
            if product >= LARGEST:
                raise BadInput(f"{what}: more than 2^63 elements")
        total += product
    return total if shapes else -1


def _dtype(value: Any) -> str:
    names = sequence("input_dtypes", value)
    return shown_name(" ".join(sorted({str(name)[:40] for name in names[:64]})))


def _progress(
    content: dict[str, Any],
    names: dict[str, str],
    groups: dict[str, ProcessGroup],
    rank: int,
    path: str,
) -> list[RankProgress]:
    """The counters of the groups of which an entry tells the number of the group."""
    progress = []
    for number, value in mapping("pg_status", content.get("pg_status", {})).items():
        status = mapping(f"pg_status of {brief(number)}", value)
        enqueued, completed = (
            _signed(f"pg_status: {field}", status.get(field, -1))
            for field in ("last_enqueued_collective", "last_completed_collective")
        )
        name = names.get(str(number))
        if name is None and len(groups) == 1:
            (name,) = groups
        if name is not None:
            key = groups[name].key
            progress.append(RankProgress(key, rank, enqueued, completed, origin=quoted(path)))
    return progress


def _last_enqueued(calls: Sequence[Call], progress: Iterable[RankProgress]) -> list[RankProgress]:
    """The counters of all groups, of which entries can be newer."""
    known = {reached.group: reached for reached in progress}
    for call in calls:
        if call.is_collective:
            reached = known.get(call.group, RankProgress(call.group, call.rank, origin=call.origin))
            last = max(reached.enqueued, call.sequence)
            known[call.group] = replace(reached, enqueued=last)
    return list(known.values())


def _signed(what: str, value: Any) -> int:
    """A number, which JSON has as text."""
    if isinstance(value, str) and re.fullmatch(r"-?\d{1,18}", value):
        value = int(value)
    return whole_number(what, value, -1)
