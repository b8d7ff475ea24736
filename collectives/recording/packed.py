"""Steps as packed columns: deflated, as text, with the source lines they come from."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Iterable
from typing import Any

import numpy as np

from collectives.errors import BadInput
from collectives.memory_limit import check_memory
from collectives.schedule import Source, SourceFrame, Stamp, Step
from collectives.schedule.columns import frozen
from collectives.words import brief

MAX_FILE_ROWS = 1 << 24  # of all packed steps together
MAX_FILE_STEPS = 1 << 17
KINDS: dict[type, str] = {
    **{str: "a string", int: "an integer", bool: "true or false"},
    **{dict: "an object", list: "an array"},
}
COLUMNS = ("src", "dst", "chunk", "into", "count", "reduces", "origin")  # and "needs" if any


def pack(steps: Iterable[Step]) -> dict[str, Any]:
    """Steps as columns, and the source they come from."""
    stamps: dict[Stamp, int] = {}
    sources: dict[Source, int] = {}
    columns: dict[str, list[Any]] = {name: [] for name in (*COLUMNS, "needs")}
    lengths, needed = [], False
    for step in steps:
        lengths.append(len(step))
        for name in COLUMNS[:-1]:
            columns[name].append(getattr(step, name))
        index = np.array([stamps.setdefault(stamp, len(stamps)) for stamp in step.stamps])
        columns["origin"].append(index[step.origin])
        columns["needs"].append(step.chunk if step.needs is None else step.needs)
        needed = needed or step.needs is not None
    if not needed:
        del columns["needs"]
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


def unpack(packed: dict[str, Any]) -> list[Step]:
    """The steps of such columns; raises BadInput for anything unsound."""
    given = typed(packed, "lengths", dict)
    number = typed(given, "length", int)
    check_length(number, 0)
    lengths = _unpack_column(given, "lengths", number)
    if number and not lengths.all():
        raise BadInput("a length is 0: empty steps are not saved")
    total = int(lengths.sum())
    check_length(number, total)
    check_memory(64 * total, f"{total} transfers")
    given = typed(packed, "columns", dict)
    names = (*COLUMNS, "needs") if "needs" in given else COLUMNS
    columns = {name: _unpack_column(typed(given, name, dict), name, total) for name in names}
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


def check_length(steps: int, rows: int) -> None:
    """Refuse what would take minutes to read."""
    for number, most, what in (
        (steps, MAX_FILE_STEPS, "steps"),
        (rows, MAX_FILE_ROWS, "transfers"),
    ):
        if not 0 <= number <= most:
            raise BadInput(f"{brief(number)} {what}: a file holds 0 to {most}")


def _unpack_column(packed: dict[str, Any], name: str, length: int) -> Any:
    given = typed(packed, "length", int)
    if given != length:
        raise BadInput(f"column {name} has {brief(given)} rows; the steps have {length}")
    kind = typed(packed, "dtype", str)
    if kind not in ("uint16", "uint32"):
        raise BadInput(f"column {name}: dtype {brief(kind)}; it must be uint16 or uint32")
    size = length * (2 if kind == "uint16" else 4)
    inflate = zlib.decompressobj()
    try:
        deflated = base64.b64decode(typed(packed, "deflate", str), validate=True)
        data = inflate.decompress(deflated, size + 1)
    except (binascii.Error, ValueError, zlib.error) as problem:
        raise BadInput(f"column {name} is damaged: {short(problem)}") from None
    if len(data) != size:
        raise BadInput(f"column {name} is damaged: it does not hold {length} rows")
    return np.frombuffer(data, "<u2" if kind == "uint16" else "<u4").astype(np.intp)


def _unpack_stamps(packed: dict[str, Any]) -> list[Stamp]:
    sources = [
        Source(*values(given, str, str, int, str)) for given in typed(packed, "sources", list)
    ]
    return [
        tuple(_unpack_frame(frame, sources) for frame in values(stamp))
        for stamp in typed(packed, "stamps", list)
    ]


def _unpack_frame(given: object, sources: list[Source]) -> SourceFrame:
    source, line, local, reverse = values(given, int, int, dict, bool)
    if not 0 <= source < len(sources):
        raise BadInput(f"source {brief(source)}: there are {len(sources)} sources")
    for name, value in local.items():
        values([name, value], str, int)
    return SourceFrame(sources[source], line, tuple(local.items()), reverse)


def values(given: object, *kinds: type) -> list[Any]:
    """The values of an array, which must be of these kinds, if any are named."""
    if not isinstance(given, list) or (kinds and len(given) != len(kinds)):
        raise BadInput(f"stamps are damaged: {brief(given)}")
    for value, kind in zip(given, kinds, strict=False):
        if type(value) is not kind:
            raise BadInput(f"stamps are damaged: {brief(value)} is not {KINDS[kind]}")
        _check_text(value)
    return given


def typed(content: dict[str, Any], name: str, kind: type) -> Any:
    """The value of this name; raises BadInput where it is missing or of another kind."""
    if name not in content:
        raise BadInput(f'"{name}" is missing')
    value = content[name]
    if not isinstance(value, kind) or isinstance(value, bool):
        raise BadInput(f'"{name}" is {brief(value)}; it must be {KINDS[kind]}')
    _check_text(value)
    return value


def _check_text(value: object) -> None:
    """Refuse a string that no file can hold: one with half of a surrogate pair."""
    try:
        if isinstance(value, str):
            value.encode()
    except UnicodeEncodeError:
        raise BadInput(f"{brief(value)} is no text: it has half of a surrogate pair") from None


def short(problem: Exception) -> str:
    """What a failure says, in at most 60 characters."""
    text = str(problem)
    return text if len(text) <= 60 else text[:57] + "..."
