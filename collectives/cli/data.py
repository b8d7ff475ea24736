"""Real data from .npy and .npz files, and results written back in the same shape."""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from collectives.errors import BadInput
from collectives.files import check_writable, replacing
from collectives.payload import find_dtype
from collectives.recording import Recording
from collectives.resources import check_memory

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Data:
    """Arrays of a file, by name, and `vectors` [rank, element]: all of them side by side."""

    arrays: dict[str, tuple[int, ...]]
    vectors: Array


def read_data(path: str) -> Data:
    """Read a .npy [rank, …] or a .npz of such arrays, which are joined into one vector per rank.

    Raises BadInput for a file that is missing, damaged or truncated, for object arrays (never
    unpickled), for dtypes that cannot be reduced and for arrays that do not fit together.
    """
    if not path.endswith((".npy", ".npz")):
        raise BadInput(f"--data {path}: must be a .npy or a .npz file")
    arrays = _read_npz(path) if path.endswith(".npz") else {"": _read_npy(path, path)}
    if not arrays:
        raise BadInput(f"--data {path}: holds no array")
    for name, array in arrays.items():
        what = f"--data {path}" + (f", array {name}" if name else "")
        if array.dtype.kind not in "iuf":
            raise BadInput(f"{what}: dtype {array.dtype} cannot be reduced; use int64 or float32")
        if array.ndim < 2:
            raise BadInput(f"{what}: shape {array.shape}; it must be [rank, element]")
    ranks = {name: len(array) for name, array in arrays.items()}
    kinds = {array.dtype.newbyteorder("=") for array in arrays.values()}
    if len(set(ranks.values())) > 1:
        listed = ", ".join(f"{name} has {rows}" for name, rows in ranks.items())
        raise BadInput(f"--data {path}: arrays for different numbers of ranks: {listed}")
    if len(kinds) > 1:
        raise BadInput(f"--data {path}: several dtypes, {', '.join(sorted(map(str, kinds)))}")
    rows = next(iter(ranks.values()))
    if rows < 1:
        raise BadInput(f"--data {path}: has no row; there must be one for each rank")
    dtype = find_dtype(kinds.pop())
    flat = [array.reshape(rows, int(np.prod(array.shape[1:]))) for array in arrays.values()]
    vectors = np.ascontiguousarray(np.concatenate(flat, axis=1), dtype=dtype)
    return Data({name: array.shape[1:] for name, array in arrays.items()}, vectors)


def check_result_path(path: str, recording: Recording) -> None:
    """Raise BadInput if the result of a recording could not be written to this path."""
    check_writable(path)
    if path.endswith(".npy") and len(_lengths(recording)) > 1:
        raise BadInput(
            f"-o {path}: ranks end with {' or '.join(map(str, sorted(_lengths(recording))))} "
            "elements, which is no table; write a .npz, with an array for each rank"
        )


def write_result(path: str, recording: Recording, held: list[Array], data: Data | None) -> None:
    """Write what the ranks end with: [rank, element], a row for each rank that has a result.

    A .npz has the arrays of the data by their names, where the result has their shape; else
    an array `result`, or one array `rank_R` for each rank where the lengths differ.
    """
    rows = [vector for rank, vector in enumerate(held) if recording.after[rank].any()]
    buffer = io.BytesIO()
    if len(_lengths(recording)) > 1:
        named = {f"rank_{rank}": vector for rank, vector in enumerate(held)}
        np.savez(buffer, **named)  # type: ignore[arg-type]
    else:
        result = np.stack(rows)
        shapes = data.arrays if data is not None else {"": result.shape[1:]}
        if sum(int(np.prod(shape)) for shape in shapes.values()) != result.shape[1]:
            shapes = {"": result.shape[1:]}
        parts = _parts(result, shapes)
        if path.endswith(".npy"):
            np.save(buffer, parts.get("", result))
        else:
            np.savez(buffer, **{name or "result": part for name, part in parts.items()})  # type: ignore[arg-type]
    with replacing(path) as file:
        file.write(buffer.getbuffer())


def _parts(result: Array, shapes: dict[str, tuple[int, ...]]) -> dict[str, Array]:
    ends = np.cumsum([int(np.prod(shape)) for shape in shapes.values()])
    pieces = np.split(result, ends[:-1], axis=1)
    return {
        name: piece.reshape(len(result), *shape)
        for (name, shape), piece in zip(shapes.items(), pieces, strict=True)
    }


def _lengths(recording: Recording) -> set[int]:
    """The different lengths of what the ranks end with."""
    after = recording.after
    return {int(length) for length in (after @ recording.size)[after.any(axis=1)]}


def _read_npy(path: str, what: str) -> Array:
    try:
        with open(path, "rb") as file:
            return _read_array(file, what, Path(path).stat().st_size)
    except OSError as problem:
        raise BadInput(f"--data {path}: cannot be read: {problem.strerror or problem}") from None


def _read_npz(path: str) -> dict[str, Array]:
    arrays = {}
    try:
        with zipfile.ZipFile(path) as archive:
            for entry in archive.infolist():
                with archive.open(entry) as file:
                    name = entry.filename.removesuffix(".npy")
                    arrays[name] = _read_array(file, f"{path}, array {name}", entry.file_size)
    except OSError as problem:
        raise BadInput(f"--data {path}: cannot be read: {problem.strerror or problem}") from None
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError, ValueError) as problem:
        if isinstance(problem, BadInput):
            raise
        raise BadInput(f"--data {path}: is not a .npz file: {problem}") from None
    return arrays


def _read_array(file: Any, what: str, size: int) -> Array:
    check_memory(6 * size, f"--data {what}")
    try:
        version = np.lib.format.read_magic(file)
        read = {
            (1, 0): np.lib.format.read_array_header_1_0,
            (2, 0): np.lib.format.read_array_header_2_0,
        }.get(version)
        if read is None:
            raise ValueError(f"version {version}")
        shape, fortran, dtype = read(file)
        if dtype.hasobject:
            raise BadInput(f"--data {what}: holds Python objects, which are never unpickled")
        if min(shape, default=0) < 0:
            raise ValueError(f"shape {shape}")
        elements = 1
        for length in shape:
            elements *= length
        if elements * dtype.itemsize > size:
            raise BadInput(
                f"--data {what}: is truncated: shape {shape} of {dtype} takes "
                f"{elements * dtype.itemsize} B, the file has {size} B"
            )
        content = file.read(elements * dtype.itemsize)
        if len(content) != elements * dtype.itemsize:
            raise BadInput(f"--data {what}: is truncated")
        array = np.frombuffer(content, dtype)
        return array.reshape(shape[::-1]).T if fortran else array.reshape(shape)
    except BadInput:
        raise
    except (ValueError, EOFError, SyntaxError, TypeError, OverflowError) as problem:
        brief = " ".join(str(problem).split())[:80]
        raise BadInput(f"--data {what}: is not a numpy array file: {brief}") from None
