"""Reads files of any of these formats, told by their content: what they say together."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from collectives.errors import BadInput, naming
from collectives.files import read_bytes
from collectives.hangs import flight_recorder, nccl_calls, ras_json, ras_text, watchdog
from collectives.hangs.calls import Evidence, ProcessGroup, RankProgress
from collectives.hangs.plain_pickle import PlainUnpickler, is_pickle
from collectives.words import quoted

MAX_FILE_BYTES = 1 << 25
INFO = b"NCCL INFO"


def read_evidence(paths: Sequence[str]) -> tuple[Evidence, list[str]]:
    """What the files say of calls, and which of them are logs of NCCL, or of nothing known.

    Raises BadInput for a file that is of a format, but broken.
    """
    dumps, lines, looks, infos, called = [], [], [], [], []
    for path in paths:
        content = read_bytes(path, MAX_FILE_BYTES)
        with naming(quoted(path)):
            value = _value(content)
            if value is None and nccl_calls.has_calls(content):
                called.append((path, content))
            if value is None and not _is_text_of_calls(content):
                infos.append(path)
            elif ras_json.is_ras_json(value):
                looks.append(ras_json.read_ras_json(value, path))
            elif value is not None:
                dumps.append(flight_recorder.read_dump(value, path))
            else:
                if watchdog.is_watchdog(content):
                    lines += watchdog.lines_of(content, path)
                if ras_text.is_ras(content):
                    looks.append(ras_text.read_ras(content, path))
                if INFO in content:
                    infos.append(path)
    parts = [flight_recorder.together(dumps), _merged(watchdog.together(lines), dumps), *looks[-1:]]
    if not dumps and not lines and not looks:  # which say more
        parts = [nccl_calls.read_calls(called)]
    return _joined(parts, [look.progress for look in looks[:-1]], looks[:-1]), infos


def _is_text_of_calls(content: bytes) -> bool:
    return watchdog.is_watchdog(content) or ras_text.is_ras(content)


def _value(content: bytes) -> Any:
    """The value of a pickle or a JSON file that has calls; None for other files."""
    if content[:1] == b"\x80":
        if not is_pickle(content):
            raise BadInput("a pickle without its end, or of an unknown protocol; copy it whole")
        value = PlainUnpickler(content).value()
    elif content[:64].lstrip()[:1] == b"{":
        value = _json(content)
    else:
        return None
    if ras_json.is_ras_json(value) or flight_recorder.is_dump(value):
        return value
    raise BadInput(
        "neither a Flight Recorder dump (entries, pg_config) nor ncclras -f json (communicators)"
    )


def _json(content: bytes) -> Any:
    try:
        return json.loads(content)
    except RecursionError:
        raise BadInput("JSON that is nested too deep") from None
    except ValueError as problem:  # text that is no UTF-8, too
        raise BadInput(f"JSON that is broken: {problem}") from None


def _merged(lines: Evidence, dumps: Sequence[flight_recorder.Dump]) -> Evidence:
    """Lines of the watchdog, without groups that dumps know better."""
    names = {name for dump in dumps for name in dump.groups}
    dropped = {group.key for group in lines.groups if group.key.removeprefix("watchdog ") in names}
    return Evidence(
        tuple(group for group in lines.groups if group.key not in dropped),
        tuple(call for call in lines.calls if call.group not in dropped),
        tuple(reached for reached in lines.progress if reached.group not in dropped),
        kinds=lines.kinds,
        notes=lines.notes,
        is_expired=lines.is_expired,
    )


def _joined(
    parts: Sequence[Evidence], looks: Sequence[tuple[RankProgress, ...]], before: Sequence[Evidence]
) -> Evidence:
    groups: dict[str, ProcessGroup] = {}
    for part in (*before, *parts):
        groups |= {group.key: group for group in part.groups if not group.standing}
    for part in parts:
        groups |= {group.key: group for group in part.groups}
    return Evidence(
        tuple(groups.values()),
        tuple(call for part in parts for call in part.calls),
        tuple(reached for part in parts for reached in part.progress),
        tuple(notice for part in parts for notice in part.notices),
        tuple(dict.fromkeys(kind for part in (*parts, *before) for kind in part.kinds)),
        tuple(looks),
        tuple(note for part in parts for note in part.notes),
        any(part.is_expired for part in parts),
    )
