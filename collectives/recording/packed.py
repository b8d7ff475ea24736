"""Steps as packed columns: deflated, as text, with the source lines they come from."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Iterable
from typing import Any, TypeVar

import numpy as np

from collectives.errors import BadInput
from collectives.memory_limit import check_memory
from collectives.schedule import Source, SourceFrame, Stamp, Step
from collectives.schedule.columns import frozen
from collectives.schedule.step import COLUMNS, Matrix
from collectives.words import brief, printable

MAX_FILE_ROWS = 1 << 24  # of all packed steps together
MAX_FILE_STEPS = 1 << 17
MAX_FILE_WORK = 1 << 28  # steps of all nodes that are made anew: some seconds
STORED = {"uint16": "<u2", "uint32": "<u4"}  # the dtypes of columns, and how numpy writes them
KINDS: dict[type, str] = {
    **{str: "a string", int: "an integer", bool: "true or false"},
    **{dict: "an object", list: "an array"},
}
Thing = TypeVar("Thing")


def pack(steps: Iterable[Step]) -> dict[str, Any]:
    """Steps as columns, and the source they come from."""
    kept = list(steps)
    stamps = indexed(mark for step in kept for mark in _marks(step))
    sources = indexed(frame.source for stamp, _ in stamps for frame in stamp)
    groups = indexed(matrix for _, matrix in stamps if matrix)
    columns = {name: [getattr(step, name) for step in kept] for name in COLUMNS[:-1]}
    columns["origin"] = [
        np.array([stamps[mark] for mark in _marks(step)])[step.origin] for step in kept
    ]
    if any(step.needs is not None for step in kept):
        columns["needs"] = [step.needed for step in kept]
    content: dict[str, Any] = {
        "lengths": _pack_column([[len(step) for step in kept]]),
        "columns": {name: _pack_column(parts) for name, parts in columns.items()},
        "stamps": [
            [[sources[f.source], f.line, dict(f.locals), f.reversed] for f in stamp]
            for stamp, _ in stamps
        ],
        "sources": [[s.function, s.file, s.first, s.text] for s in sources],
    }
    if groups:  # the matrices of ranks, and which of them each stamp has: -1 for none
        content["groups"] = list(groups)
        content["grouped"] = [groups.get(matrix, -1) for _, matrix in stamps]
    return content


def _marks(step: Step) -> list[tuple[Stamp, Matrix]]:
    """The stamps of a step, each with its matrix of ranks."""
    return list(zip(step.stamps, step.grouped, strict=True))


def indexed(things: Iterable[Thing]) -> dict[Thing, int]:
    """The different things in the order in which they come, each with its number.

    >>> indexed("abracadabra")
    {'a': 0, 'b': 1, 'r': 2, 'c': 3, 'd': 4}
    """
    return {thing: number for number, thing in enumerate(dict.fromkeys(things))}


def _pack_column(parts: list[Any]) -> dict[str, Any]:
    column = np.concatenate([np.zeros(0, np.intp), *parts])
    dtype = "uint16" if column.max(initial=0) < 1 << 16 else "uint32"
    data = column.astype(STORED[dtype]).tobytes()
    deflated = base64.b64encode(zlib.compress(data)).decode()
    return {"dtype": dtype, "length": len(column), "deflate": deflated}


def unpack(packed: dict[str, Any]) -> list[Step]:
    """The steps of such columns; raises BadInput for anything unsound."""
    repeats = typed(packed, "lengths", dict)
    number = typed(repeats, "length", int)
    check_length(number, 0)
    lengths = _unpack_column(repeats, "lengths", number)
    if number and not lengths.all():
        raise BadInput("a length is 0: empty steps are not saved")
    total = int(lengths.sum())
    check_length(number, total)
    check_memory(64 * total, f"{total} transfers")
    repeats = typed(packed, "columns", dict)
    names = (*COLUMNS, "needs") if "needs" in repeats else COLUMNS
    columns = {name: _unpack_column(typed(repeats, name, dict), name, total) for name in names}
    stamps = _unpack_stamps(packed)
    groups = unpack_groups(packed, len(stamps))
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
        marks = [(stamps[i], groups[i]) for i in used.tolist()]
        mine = tuple(matrix for _, matrix in marks)
        steps.append(
            Step(
                **part,
                stamps=tuple(s for s, _ in marks),
                groups=mine if any(mine) else (),
                standing=(),
            )
        )
    return steps


def check_length(steps: int, rows: int) -> None:
    """Refuse what would take minutes to read."""
    for number, limit, what in (
        (steps, MAX_FILE_STEPS, "steps"),
        (rows, MAX_FILE_ROWS, "transfers"),
    ):
        if not 0 <= number <= limit:
            raise BadInput(f"{brief(number)} {what}: a file holds 0 to {limit}")


def check_work(steps: int, nodes: int) -> None:
    """Refuse a catalog algorithm that would take long to make anew."""
    if steps * nodes > MAX_FILE_WORK:
        raise BadInput(
            f"{steps:,} steps on {nodes:,} nodes: read from a file are at most {MAX_FILE_WORK:,} "
            "in all; try: fewer ranks"
        )


def _unpack_column(packed: dict[str, Any], name: str, length: int) -> Any:
    rows = typed(packed, "length", int)
    if rows != length:
        raise BadInput(f"column {name} has {brief(rows)} rows; the steps have {length}")
    kind = typed(packed, "dtype", str)
    if kind not in STORED:
        raise BadInput(f"column {name}: dtype {brief(kind)}; it must be uint16 or uint32")
    size = length * np.dtype(kind).itemsize
    inflate = zlib.decompressobj()
    try:
        deflated = base64.b64decode(typed(packed, "deflate", str), validate=True)
        data = inflate.decompress(deflated, size + 1)
    except (binascii.Error, ValueError, zlib.error) as problem:
        raise BadInput(f"column {name} is damaged: {short(problem)}") from None
    if len(data) != size:
        raise BadInput(f"column {name} is damaged: it does not hold {length} rows")
    return np.frombuffer(data, STORED[kind]).astype(np.intp)


def _unpack_stamps(packed: dict[str, Any]) -> list[Stamp]:
    entries = typed(packed, "sources", list)
    sources = [Source(*values(source, str, str, int, str)) for source in entries]
    stamps = typed(packed, "stamps", list)
    return [tuple(unpack_frame(frame, sources) for frame in values(stamp)) for stamp in stamps]


def unpack_groups(packed: dict[str, Any], stamps: int) -> list[Matrix]:
    """The matrix of ranks of each stamp, empty where it has none."""
    matrices: list[Matrix] = []
    for group in typed(packed, "groups", list, []):
        rows = [tuple(values(row, *[int] * len(values(row)))) for row in values(group)]
        if len({len(row) for row in rows}) > 1:
            raise BadInput(f"groups are damaged: {brief(group)} has rows of different lengths")
        matrices.append(tuple(rows))
    numbers = typed(packed, "grouped", list, [-1] * stamps)
    values(numbers, *[int] * stamps)
    for number in numbers:
        if not -1 <= number < len(matrices):
            raise BadInput(f"grouped {brief(number)}: there are {len(matrices)} groups")
    return [matrices[number] if number >= 0 else () for number in numbers]


def unpack_frame(frame: object, sources: list[Source]) -> SourceFrame:
    """One level of a stamp: the number of its source, the line, the locals, whether reversed."""
    source, line, local, reverse = values(frame, int, int, dict, bool)
    if not 0 <= source < len(sources):
        raise BadInput(f"source {brief(source)}: there are {len(sources)} sources")
    for name, value in local.items():
        values([name, value], str, int)
    names = map(printable, local)
    return SourceFrame(
        sources[source], line, tuple(zip(names, local.values(), strict=True)), reverse
    )


def values(fields: object, *kinds: type) -> list[Any]:
    """The values of an array, which must be of these kinds, if any are named."""
    if not isinstance(fields, list) or (kinds and len(fields) != len(kinds)):
        raise BadInput(f"stamps are damaged: {brief(fields)}")
    for value, kind in zip(fields, kinds, strict=False):
        if type(value) is not kind:
            raise BadInput(f"stamps are damaged: {brief(value)} is not {KINDS[kind]}")
        _check_text(value)
    return fields


def typed(content: dict[str, Any], name: str, kind: type, *default: Any) -> Any:
    """The value of this name, or the default; raises BadInput where it is of another kind."""
    if name not in content and not default:
        raise BadInput(f'"{name}" is missing')
    if name not in content:
        return default[0]
    value = content[name]
    if not isinstance(value, kind) or isinstance(value, bool) != (kind is bool):
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
