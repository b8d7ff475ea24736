"""Recordings as JSON: a recipe for catalog rows, packed columns for everybody's own schedules."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from collectives.errors import BadInput
from collectives.files import replacing
from collectives.recording import Recording, record
from collectives.schedule import Frame, Source, Stamp, Step
from collectives.schedule.step import frozen

FORMAT = "collectives recording"
VERSION = 1
MOST_BYTES = 1 << 28  # of a file that is read
MOST_ROWS = 1 << 24  # of all packed steps together
COLUMNS = ("src", "dst", "chunk", "into", "count", "reduces", "origin")
SETTINGS: dict[str, type] = {
    "collective": str,
    "algorithm": str,
    "ranks": int,
    "root": int,
    "nodes": int,
    "slots": int,
    "count": int,
    "dtype": str,
    "op": str,
}


def save(recording: Recording, path: str | Path) -> None:
    """Write a recording to a file, beside it first, so that no half-written file is left."""
    with replacing(path) as file:
        file.write(json.dumps(to_json(recording), indent=1).encode())


def load(path: str | Path) -> Recording:
    """Read a recording; catalog rows are remade, others are unpacked and held against the rules.

    Nothing in the file is imported or run. Raises BadInput for anything but a sound recording.
    """
    try:
        with open(path, "rb") as file:
            text = file.read(MOST_BYTES + 1)
    except OSError as problem:
        raise BadInput(f"{path}: cannot be read: {problem.strerror}") from None
    if len(text) > MOST_BYTES:
        raise BadInput(f"{path}: larger than {MOST_BYTES >> 20} MiB, the most that is read")
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise BadInput(f"{path}: not a recording: {_brief(problem)}") from None
    try:
        return from_json(content)
    except BadInput as problem:
        raise BadInput(f"{path}: {problem}") from None


def to_json(recording: Recording) -> dict[str, Any]:
    """A recording as plain JSON values."""
    settings = {
        "collective": recording.collective.name,
        "algorithm": recording.algorithm,
        "ranks": recording.ranks,
        "root": recording.root,
        "nodes": recording.nodes,
        "slots": recording.slots,
        "count": recording.count,
        "dtype": str(recording.dtype),
        "op": recording.op,
    }
    if recording.chunks is not None:
        settings["chunks"] = recording.chunks
    content = {"format": FORMAT, "version": VERSION, **settings, "digest": digest(recording.steps)}
    if recording.row is None:
        content["packed"] = _pack(recording.steps)
    return content


def from_json(content: object) -> Recording:
    """The recording such values stand for; raises BadInput for anything else."""
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise BadInput(f'not a recording: "format" is not "{FORMAT}"')
    if content.get("version") != VERSION:
        raise BadInput(f"version {content.get('version')!r}; this program reads {VERSION}")
    for name, kind in SETTINGS.items():
        _typed(content, name, kind)
    chunks = _typed(content, "chunks", int) if "chunks" in content else None
    common = {
        "ranks": content["ranks"],
        "root": content["root"],
        "count": content["count"],
        "dtype": content["dtype"],
        "op": content["op"],
        "chunks": chunks,
    }
    if "packed" in content:
        steps = _unpack(_typed(content, "packed", dict))
        recording = record(
            steps,
            content["algorithm"],
            collective=content["collective"],
            slots=content["slots"],
            nodes=content["nodes"],
            **common,
        )
    else:
        recording = record(content["collective"], content["algorithm"], **common)
        if (recording.nodes, recording.slots) != (content["nodes"], content["slots"]):
            raise BadInput(
                f"{content['nodes']} nodes and {content['slots']} slots; {recording.title} has "
                f"{recording.nodes} and {recording.slots}"
            )
    if content.get("digest") != digest(recording.steps):
        raise BadInput("the digest differs: these are not the steps that were saved")
    return recording


def digest(steps: Iterable[Step]) -> str:
    """SHA-256 over the columns of all steps but `origin`, as 64-bit little-endian integers."""
    sha = hashlib.sha256()
    for step in steps:
        sha.update(len(step).to_bytes(8, "little"))
        for name in COLUMNS[:-1]:
            sha.update(getattr(step, name).astype("<i8").tobytes())
    return f"sha256:{sha.hexdigest()}"


def _pack(steps: Iterable[Step]) -> dict[str, Any]:
    stamps: dict[Stamp, int] = {}
    sources: dict[Source, int] = {}
    columns: dict[str, list[Any]] = {name: [] for name in COLUMNS}
    lengths = []
    for step in steps:
        lengths.append(len(step))
        for name in COLUMNS[:-1]:
            columns[name].append(getattr(step, name))
        index = np.array([stamps.setdefault(stamp, len(stamps)) for stamp in step.stamps])
        columns["origin"].append(index[step.origin])
    for stamp in stamps:
        for frame in stamp:
            sources.setdefault(frame.source, len(sources))
    return {
        "lengths": _pack_column(np.array(lengths, np.intp)),
        "columns": {
            name: _pack_column(np.concatenate(parts) if parts else np.zeros(0, np.intp))
            for name, parts in columns.items()
        },
        "stamps": [
            [[sources[f.source], f.line, dict(f.locals), f.reversed] for f in stamp]
            for stamp in stamps
        ],
        "sources": [[s.function, s.file, s.first, s.text] for s in sources],
    }


def _pack_column(column: Any) -> dict[str, Any]:
    small = not len(column) or int(column.max()) < 1 << 16
    data = column.astype("<u2" if small else "<u4").tobytes()
    return {
        "dtype": "uint16" if small else "uint32",
        "length": len(column),
        "deflate": base64.b64encode(zlib.compress(data)).decode(),
    }


def _unpack(packed: dict[str, Any]) -> list[Step]:
    lengths = _unpack_column(_typed(packed, "lengths", dict), "lengths")
    given = _typed(packed, "columns", dict)
    columns = {name: _unpack_column(_typed(given, name, dict), name) for name in COLUMNS}
    stamps = _unpack_stamps(packed)
    total = int(lengths.sum())
    for name, column in columns.items():
        if len(column) != total:
            raise BadInput(f"column {name} has {len(column)} rows; the steps have {total}")
    if total and int(columns["origin"].max()) >= len(stamps):
        raise BadInput(f"origin {columns['origin'].max()}: there are {len(stamps)} stamps")
    if total and int(columns["reduces"].max()) > 1:
        raise BadInput(f"reduces {columns['reduces'].max()}: must be 0 or 1")
    steps = []
    for end, length in zip(np.cumsum(lengths), lengths, strict=True):
        part = {name: frozen(column[end - length : end]) for name, column in columns.items()}
        part["reduces"] = frozen(part["reduces"].astype(np.bool_))
        used, origin = np.unique(part["origin"], return_inverse=True)
        part["origin"] = frozen(origin)
        steps.append(Step(**part, stamps=tuple(stamps[i] for i in used.tolist())))
    return steps


def _unpack_column(packed: dict[str, Any], name: str) -> Any:
    length = _typed(packed, "length", int)
    kind = _typed(packed, "dtype", str)
    if not 0 <= length <= MOST_ROWS:
        raise BadInput(f"column {name}: {length} rows; at most {MOST_ROWS} are read")
    if kind not in ("uint16", "uint32"):
        raise BadInput(f"column {name}: dtype {kind!r}; it must be uint16 or uint32")
    size = length * (2 if kind == "uint16" else 4)
    inflate = zlib.decompressobj()
    try:
        deflated = base64.b64decode(_typed(packed, "deflate", str), validate=True)
        data = inflate.decompress(deflated, size + 1)
    except (binascii.Error, ValueError, zlib.error) as problem:
        raise BadInput(f"column {name} is damaged: {_brief(problem)}") from None
    if len(data) != size:
        raise BadInput(f"column {name} is damaged: it does not hold {length} rows")
    return np.frombuffer(data, "<u2" if kind == "uint16" else "<u4").astype(np.intp)


def _unpack_stamps(packed: dict[str, Any]) -> list[Stamp]:
    try:
        sources = [
            Source(str(function), str(file), int(first), str(text))
            for function, file, first, text in _typed(packed, "sources", list)
        ]
        return [
            tuple(
                Frame(
                    sources[_index(source)],
                    int(line),
                    tuple((str(name), int(value)) for name, value in local.items()),
                    bool(reverse),
                )
                for source, line, local, reverse in stamp
            )
            for stamp in _typed(packed, "stamps", list)
        ]
    except (TypeError, ValueError, IndexError, AttributeError) as problem:
        raise BadInput(f"stamps are damaged: {_brief(problem)}") from None


def _index(value: object) -> int:
    if not isinstance(value, int) or value < 0:
        raise ValueError(f"{value!r} is not an index")
    return value


def _typed(content: dict[str, Any], name: str, kind: type) -> Any:
    if name not in content:
        raise BadInput(f'"{name}" is missing')
    value = content[name]
    if not isinstance(value, kind) or isinstance(value, bool):
        raise BadInput(f'"{name}" is {_brief(value)}; it must be {_KINDS[kind]}')
    return value


def _brief(value: object) -> str:
    text = str(value) if isinstance(value, Exception) else repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


_KINDS = {str: "a string", int: "an integer", dict: "an object", list: "an array"}
