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

from collectives.catalog import find_row
from collectives.collective import Collective, exchange, find_collective
from collectives.errors import BadInput, brief
from collectives.files import replacing
from collectives.recorder import record
from collectives.recording import Recording
from collectives.resources import check_memory
from collectives.schedule import Frame, Source, Stamp, Step
from collectives.schedule.step import frozen

FORMAT = "collectives recording"
VERSION = 2
MOST_BYTES = 1 << 28  # of a file that is read
MOST_ROWS = 1 << 24  # of all packed steps together
MOST_STEPS = 1 << 17
MOST_LETTERS = 1000  # of a setting
COLUMNS = ("src", "dst", "chunk", "into", "count", "reduces", "origin")
SETTINGS: dict[str, type] = {
    "collective": str,
    "algorithm": str,
    "ranks": int,
    "root": int,
    "nodes": int,
    "pieces": int,
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
    except ValueError as problem:
        raise BadInput(f"{brief(path)}: cannot be read: {problem}") from None
    if len(text) > MOST_BYTES:
        raise BadInput(f"{path}: larger than {MOST_BYTES >> 20} MiB, the most that is read")
    try:
        content = json.loads(text)
    except (ValueError, RecursionError) as problem:
        raise BadInput(f"{path}: not a recording: {_short(problem)}") from None
    try:
        return from_json(content)
    except BadInput as problem:
        raise BadInput(f"{path}: {problem}") from None


def to_json(recording: Recording) -> dict[str, Any]:
    """A recording as plain JSON values; raises BadInput for one too large to be read again."""
    settings = {
        "collective": recording.collective.name,
        "algorithm": recording.algorithm,
        "ranks": recording.ranks,
        "root": recording.root,
        "nodes": recording.nodes,
        "pieces": recording.pieces,
        "slots": recording.slots,
        "count": recording.count,
        "dtype": str(recording.dtype),
        "op": recording.op,
    }
    if recording.chunks is not None:
        settings["chunks"] = recording.chunks
    if recording.counts is not None:
        settings["counts"] = list(recording.counts)
    if recording.parameters:
        settings["parameters"] = dict(recording.parameters)
    if recording.row is None and recording.collective.pairs is not None:
        settings["pairs"] = [list(pair) for pair in recording.collective.pairs]
    content = {"format": FORMAT, "version": VERSION, **settings, "digest": digest(recording.steps)}
    if recording.row is None:
        _check_length(recording.counters.walked, recording.counters.rows)
        content["packed"] = _pack(recording.steps)
    return content


def from_json(content: object) -> Recording:
    """The recording such values stand for; raises BadInput for anything else."""
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise BadInput(f'not a recording: "format" is not "{FORMAT}"')
    if _typed(content, "version", int) != VERSION:
        raise BadInput(f"version {brief(content['version'])}; this program reads {VERSION}")
    for name, kind in SETTINGS.items():
        if kind is str and len(_typed(content, name, kind)) > MOST_LETTERS:
            raise BadInput(f'"{name}" is longer than {MOST_LETTERS} letters')
        _typed(content, name, kind)
    chunks = _typed(content, "chunks", int) if "chunks" in content else None
    counts = _typed(content, "counts", list) if "counts" in content else None
    common = {
        "ranks": content["ranks"],
        "root": content["root"],
        "count": content["count"] if counts is None else None,
        "counts": counts,
        "dtype": content["dtype"],
        "op": content["op"],
        "chunks": chunks,
    }
    if "packed" in content:
        steps = _unpack(_typed(content, "packed", dict))
        recording = record(
            steps,
            content["algorithm"],
            collective=_promise(content),
            slots=content["pieces"],
            scratch=_scratch(content),
            nodes=content["nodes"],
            **common,
        )
    else:
        parameters = _typed(content, "parameters", dict) if "parameters" in content else {}
        row = find_row(content["collective"], content["algorithm"])
        for name in parameters:
            if name not in {parameter.name for parameter in row.takes}:
                raise BadInput(f"{brief(name)} is no parameter of {row.title}")
            _typed(parameters, name, int)
        recording = record(
            content["collective"], content["algorithm"], parameters=parameters, **common
        )
        if (recording.nodes, recording.slots) != (content["nodes"], content["slots"]):
            raise BadInput(
                f"{content['nodes']} nodes and {content['slots']} slots; {recording.title} has "
                f"{recording.nodes} and {recording.slots}"
            )
    if content.get("digest") != digest(recording.steps):
        raise BadInput("the digest differs: these are not the steps that were saved")
    return recording


def _promise(content: dict[str, Any]) -> str | Collective:
    """The collective, or the sends that a list of pairs promises."""
    if "pairs" not in content:
        return str(content["collective"])
    pairs = _typed(content, "pairs", list)
    return exchange(_values(pair, int, int, int, int) for pair in pairs)


def _scratch(content: dict[str, Any]) -> int:
    """Slots beyond those the promise speaks of."""
    scratch = content["slots"] - find_collective(content["collective"]).places(content["pieces"])
    if scratch < 0:
        raise BadInput(f"{content['slots']} slots: too few for {content['pieces']} pieces")
    return int(scratch)


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
    given = _typed(packed, "lengths", dict)
    number = _typed(given, "length", int)
    _check_length(number, 0)
    lengths = _unpack_column(given, "lengths", number)
    if number and not lengths.all():
        raise BadInput("a length is 0: empty steps are not saved")
    total = int(lengths.sum())
    _check_length(number, total)
    check_memory(64 * total, f"{total} transfers")
    given = _typed(packed, "columns", dict)
    columns = {name: _unpack_column(_typed(given, name, dict), name, total) for name in COLUMNS}
    stamps = _unpack_stamps(packed)
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


def _check_length(steps: int, rows: int) -> None:
    """Refuse what would take minutes to read."""
    for number, most, what in ((steps, MOST_STEPS, "steps"), (rows, MOST_ROWS, "transfers")):
        if not 0 <= number <= most:
            raise BadInput(f"{brief(number)} {what}: a file holds 0 to {most}")


def _unpack_column(packed: dict[str, Any], name: str, length: int) -> Any:
    given = _typed(packed, "length", int)
    if given != length:
        raise BadInput(f"column {name} has {brief(given)} rows; the steps have {length}")
    kind = _typed(packed, "dtype", str)
    if kind not in ("uint16", "uint32"):
        raise BadInput(f"column {name}: dtype {brief(kind)}; it must be uint16 or uint32")
    size = length * (2 if kind == "uint16" else 4)
    inflate = zlib.decompressobj()
    try:
        deflated = base64.b64decode(_typed(packed, "deflate", str), validate=True)
        data = inflate.decompress(deflated, size + 1)
    except (binascii.Error, ValueError, zlib.error) as problem:
        raise BadInput(f"column {name} is damaged: {_short(problem)}") from None
    if len(data) != size:
        raise BadInput(f"column {name} is damaged: it does not hold {length} rows")
    return np.frombuffer(data, "<u2" if kind == "uint16" else "<u4").astype(np.intp)


def _unpack_stamps(packed: dict[str, Any]) -> list[Stamp]:
    sources = [
        Source(*_values(given, str, str, int, str)) for given in _typed(packed, "sources", list)
    ]
    return [
        tuple(_unpack_frame(frame, sources) for frame in _values(stamp))
        for stamp in _typed(packed, "stamps", list)
    ]


def _unpack_frame(given: object, sources: list[Source]) -> Frame:
    source, line, local, reverse = _values(given, int, int, dict, bool)
    if not 0 <= source < len(sources):
        raise BadInput(f"source {brief(source)}: there are {len(sources)} sources")
    for name, value in local.items():
        _values([name, value], str, int)
    return Frame(sources[source], line, tuple(local.items()), reverse)


def _values(given: object, *kinds: type) -> list[Any]:
    """The values of an array, which must be of these kinds, if any are named."""
    if not isinstance(given, list) or (kinds and len(given) != len(kinds)):
        raise BadInput(f"stamps are damaged: {brief(given)}")
    for value, kind in zip(given, kinds, strict=False):
        if type(value) is not kind:
            raise BadInput(f"stamps are damaged: {brief(value)} is not {_KINDS[kind]}")
        _check_text(value)
    return given


def _typed(content: dict[str, Any], name: str, kind: type) -> Any:
    if name not in content:
        raise BadInput(f'"{name}" is missing')
    value = content[name]
    if not isinstance(value, kind) or isinstance(value, bool):
        raise BadInput(f'"{name}" is {brief(value)}; it must be {_KINDS[kind]}')
    _check_text(value)
    return value


def _check_text(value: object) -> None:
    """Refuse a string that no file can hold: one with half of a surrogate pair."""
    try:
        if isinstance(value, str):
            value.encode()
    except UnicodeEncodeError:
        raise BadInput(f"{brief(value)} is no text: it has half of a surrogate pair") from None


def _short(problem: Exception) -> str:
    text = str(problem)
    return text if len(text) <= 60 else text[:57] + "..."


_KINDS = {
    str: "a string",
    int: "an integer",
    dict: "an object",
    list: "an array",
    bool: "true or false",
}
