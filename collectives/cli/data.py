"""Real data from .npy and .npz files, and results written back in the same shape."""

from __future__ import annotations

import io
import zipfile
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt

from collectives.cli.npy import read_npy, read_npz
from collectives.collective import own_cells
from collectives.errors import BadInput
from collectives.files import check_exists, check_writable, replacing
from collectives.proof.expected import sizes_of_results
from collectives.recording.payload import find_dtype
from collectives.recording.recording import Recording
from collectives.words import quoted

Array = npt.NDArray[Any]
EPOCH = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class Data:
    """Arrays of a file, by name, and `vectors` [rank, element]: all of them side by side."""

    path: str
    arrays: dict[str, tuple[int, ...]]
    vectors: Array


def read_data(path: str) -> Data:
    """Read a .npy [rank, …] or a .npz of such arrays, which are joined into one vector per rank.

    Raises BadInput for a file that is missing, damaged or truncated, for object arrays (never
    unpickled), for dtypes that cannot be reduced and for arrays that do not fit together.
    """
    name = f"--data {quoted(path)}"
    if not path.endswith((".npy", ".npz")):
        raise BadInput(f"{name}: must be a .npy or a .npz file")
    check_exists(path, name)
    arrays = read_npz(path, name) if path.endswith(".npz") else {"": read_npy(path, name)}
    if not arrays:
        raise BadInput(f"{name}: holds no array; nearest: one array [rank, element]")
    for key, array in arrays.items():
        _check_array(array, f"{name}, array {quoted(key)}" if key else name)
    _check_together(arrays, name)
    rows = len(next(iter(arrays.values())))
    flat = [array.reshape(rows, prod(array.shape[1:])) for array in arrays.values()]
    dtype = find_dtype(flat[0].dtype)
    vectors = np.ascontiguousarray(np.concatenate(flat, axis=1), dtype=dtype)
    vectors.flags.writeable = False  # so that a recording need not copy it
    return Data(path, {key: array.shape[1:] for key, array in arrays.items()}, vectors)


def check_result_path(path: str, recording: Recording) -> None:
    """Raise BadInput if the result of a recording could not be written to this path."""
    check_writable(path)
    lengths = sorted(_lengths(recording))
    if path.endswith(".npy") and len(lengths) > 1:
        raise BadInput(
            f"-o {path}: ranks end with {' or '.join(map(str, lengths))} elements, which is no "
            f"table; nearest: {Path(path).with_suffix('.npz')}, with an array for each rank"
        )


def write_result(path: str, recording: Recording, held: list[Array], data: Data | None) -> None:
    """Write what the ranks end with: [rank, element], a row for each rank that has a result.

    A .npz has the arrays of the data by their names, in their shapes; where the ranks gather,
    [rank, rank it came from, …]. Without data, or where the result is a part of the vector
    only, or blocks of several arrays: an array `result`, or one array `rank_R` for each rank
    where the lengths differ.
    """
    if len(_lengths(recording)) > 1:
        parts = {f"rank_{rank}": vector for rank, vector in enumerate(held)}
    else:
        rows = [vector for rank, vector in enumerate(held) if recording.postcondition[rank].any()]
        parts = _parts(np.stack(rows), recording, data)
    with replacing(path) as file:
        if path.endswith(".npy"):
            np.lib.format.write_array(file, _table(parts), allow_pickle=False)
        else:
            _write_npz(file, parts)


def _check_array(array: Array, name: str) -> None:
    if array.dtype.kind not in "iuf" or array.dtype.itemsize > 8:
        raise BadInput(f"{name}: {array.dtype} cannot be reduced; nearest: int64 or float64")
    if array.ndim < 2:
        like = f"{(*array.shape, 1) if array.ndim else (1, 1)}"
        raise BadInput(f"{name}: shape {array.shape} is not [rank, element]; nearest: {like}")
    if not len(array):
        raise BadInput(f"{name}: shape {array.shape} has no row; there must be one for each rank")


def _check_together(arrays: dict[str, Array], name: str) -> None:
    rows = {key: f"{len(array)} rows" for key, array in arrays.items()}
    kinds = {key: str(array.dtype.newbyteorder("=")) for key, array in arrays.items()}
    for found, rule in ((rows, "one row for each rank"), (kinds, "the same dtype")):
        if len(set(found.values())) > 1:
            listed = ", ".join(f"{quoted(key)} has {value}" for key, value in found.items())
            raise BadInput(f"{name}: every array must have {rule}; {listed}")


def _parts(result: Array, recording: Recording, data: Data | None) -> dict[str, Array]:
    """The result by the names of the data, in the shapes of its arrays."""
    if data is None:
        return {"result": result}
    sizes = [prod(shape) for shape in data.arrays.values()]
    gathered = recording.collective.precondition is own_cells and data.vectors.shape[1] == sum(
        sizes
    )
    blocks = recording.ranks if gathered else 1
    mixed = recording.collective.separate_buffers and len(sizes) > 1
    if mixed or result.shape[1] != blocks * sum(sizes):
        return {"result": result}
    if len(sizes) == 1 and not next(iter(data.arrays)):
        shape = result.shape[1:] if gathered else next(iter(data.arrays.values()))
        return {"result": result.reshape(len(result), *shape)}
    pieces = np.split(
        result.reshape(len(result), blocks, sum(sizes)), np.cumsum(sizes)[:-1], axis=2
    )
    lead = (len(result), blocks) if gathered else (len(result),)
    return {
        name: piece.reshape(*lead, *shape)
        for (name, shape), piece in zip(data.arrays.items(), pieces, strict=True)
    }


def _table(parts: dict[str, Array]) -> Array:
    """One array as it is, several side by side: [rank, element]."""
    arrays = list(parts.values())
    if len(arrays) == 1:
        return arrays[0]
    flat = [array.reshape(len(array), prod(array.shape[1:])) for array in arrays]
    return np.concatenate(flat, axis=1)


def _write_npz(file: BinaryIO, arrays: dict[str, Array]) -> None:
    """As `np.savez`, which takes no array named `file`."""
    with zipfile.ZipFile(file, "w") as archive:
        for name, array in arrays.items():
            buffer = io.BytesIO()
            np.lib.format.write_array(buffer, array, allow_pickle=False)
            archive.writestr(zipfile.ZipInfo(f"{name}.npy", EPOCH), buffer.getbuffer())


def _lengths(recording: Recording) -> set[int]:
    """The different lengths of what the ranks end with."""
    promised = recording.postcondition.any(axis=1)
    return {int(length) for length in sizes_of_results(recording)[promised]}
