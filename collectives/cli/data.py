"""Real data from .npy and .npz files, and results written back in the same shape.

Files may come from anywhere: nothing in them is unpickled, or believed.
"""

from __future__ import annotations

import io
import lzma
import os
import re
import warnings
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from glob import glob
from math import prod
from pathlib import Path
from typing import IO, Any, BinaryIO

import numpy as np
import numpy.typing as npt

from collectives.collective import own_cells
from collectives.errors import BadInput
from collectives.files import check_exists, check_writable, replacing
from collectives.memory_limit import check_memory
from collectives.proof.expected import sizes_of_results
from collectives.recording.payload import DTYPES, UNNAMED, find_dtype
from collectives.recording.recording import Recording
from collectives.units import size_text
from collectives.words import plural, quoted

Array = npt.NDArray[Any]
EPOCH = (1980, 1, 1, 0, 0, 0)
LARGEST_PACKED, MOST_PACKED = 1 << 30, 100  # bytes that may be packed to less than a hundredth
COPIES = 5  # of the data that are made while it is reduced and compared
MAX_DIMENSIONS = 16  # of an array: numpy has at most 64, and gathered results have more than data
NUMBER = re.compile(r"([0-9]+)")  # rank2 comes before rank10
HEADERS = {(1, 0): np.lib.format.read_array_header_1_0, (2, 0): np.lib.format.read_array_header_2_0}


@dataclass(frozen=True)
class Data:
    """Arrays of a file, by name, and `vectors` [rank, element]: all of them side by side."""

    arrays: dict[str, tuple[int, ...]]
    vectors: Array


def read_data(path: str, dtype: str | None = None) -> Data:
    """Read a .npy [rank, …] or a .npz of such arrays, which are joined into one vector per rank.

    A pattern such as grads/rank*.npy names a .npy for each rank. Files of bfloat16, which do not
    say what they hold, are told by `dtype`.

    Raises BadInput for a file that is missing, damaged or truncated, for object arrays (never
    unpickled), for dtypes that cannot be reduced and for arrays that do not fit together.
    """
    name = f"--data {quoted(path)}"
    arrays = _read_arrays(path, dtype, name)
    for key, array in arrays.items():
        _check_array(array, f"{name}, array {quoted(key)}" if key else name)
    _check_together(arrays, name)
    kind = find_dtype(next(iter(arrays.values())).dtype)
    vectors = np.ascontiguousarray(_side_by_side(arrays), dtype=kind)
    vectors.flags.writeable = False  # so that a recording need not copy it
    return Data({key: array.shape[1:] for key, array in arrays.items()}, vectors)


def read_calls(path: str, dtype: str | None = None) -> list[Array]:
    """The results of calls: the rows of a .npy, or the arrays of a .npz in their order.

    A .npy of one dimension is one call. Raises BadInput as `read_data` does.
    """
    name = f"--dumps {quoted(path)}"
    arrays = _read_arrays(path, dtype, name)
    for key, array in arrays.items():
        _check_type(array, f"{name}, array {quoted(key)}" if key else name)
    if "" in arrays and arrays[""].ndim > 1:
        return list(arrays[""])
    return list(arrays.values())


def _read_arrays(path: str, dtype: str | None, name: str) -> dict[str, Array]:
    """The arrays of a file by name, that of a .npy without one; raises BadInput."""
    if not path.endswith((".npy", ".npz")):
        raise BadInput(f"{name}: must be a .npy or a .npz file")
    if set(path) & set("*?[") and not Path(path).exists():
        arrays = {"": _read_ranks(path, name)}
    else:
        check_exists(path, name)
        arrays = _read_npz(path, name) if path.endswith(".npz") else {"": _read_npy(path, name)}
    if not arrays:
        raise BadInput(f"{name}: holds no array; try: one array [rank, element]")
    if dtype == "bfloat16":
        arrays = {key: _as_bfloat16(array) for key, array in arrays.items()}
    return arrays


def _read_npy(path: str, name: str) -> Array:
    """The array of a .npy file; raises BadInput, which calls the file `name`."""
    with _readable(name, ".npy"), open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        check_memory(COPIES * size, name)
        return _array(file, name, size)


def _in_order(path: str) -> list[str | int]:
    """What names are sorted by: text and numbers in turn.

    >>> sorted(["r10.npy", "r2.npy"], key=_in_order)
    ['r2.npy', 'r10.npy']
    """
    return [int(part) if at % 2 else part for at, part in enumerate(NUMBER.split(path))]


def _read_ranks(pattern: str, name: str) -> Array:
    """The arrays of the .npy files that a pattern matches, a rank each, by the numbers in names."""
    paths = glob(pattern) if pattern.endswith(".npy") else []
    if not paths:
        raise BadInput(f"{name}: no .npy file has such a name; try: 'rank*.npy'")
    paths.sort(key=_in_order)
    check_memory(COPIES * sum(map(os.path.getsize, paths)), name)
    arrays: list[Array] = []
    for path in paths:
        option = f"--data {quoted(path)}"
        check_exists(path, option)
        array = np.atleast_1d(_read_npy(path, option))
        arrays.append(array.astype(array.dtype.newbyteorder("="), copy=False))
        if (array.shape, arrays[-1].dtype) != (arrays[0].shape, arrays[0].dtype):
            kind = f"{arrays[0].dtype} of shape {arrays[0].shape}"
            raise BadInput(
                f"{option}: is {arrays[-1].dtype} of shape {array.shape}; must be {kind}, "
                f"as {quoted(paths[0])} is"
            )
    return np.stack(arrays)


def _read_npz(path: str, name: str) -> dict[str, Array]:
    """The arrays of a .npz file by name; raises BadInput, which calls the file `name`."""
    with _readable(name, ".npz"), zipfile.ZipFile(path) as archive:
        entries = archive.infolist()
        size, packed = sum(entry.file_size for entry in entries), os.path.getsize(path)
        if size > max(LARGEST_PACKED, MOST_PACKED * packed):
            unpacks = f"unpacks from {size_text(packed)} to {size_text(size)}"
            raise BadInput(f"{name}: {unpacks}; try: numpy.savez, which does not compress")
        check_memory(COPIES * size, name)
        arrays = {}
        for entry in entries:
            key = entry.filename.removesuffix(".npy")
            if key in arrays:
                raise BadInput(f"{name}: array {quoted(key)} occurs twice; leave one out")
            with archive.open(entry) as file:
                arrays[key] = _array(file, f"{name}, array {quoted(key)}", entry.file_size)
        return arrays


def _array(file: IO[bytes], name: str, size: int) -> Array:
    """The array at the start of a file of so many bytes."""
    try:
        with warnings.catch_warnings(action="ignore"):
            version = np.lib.format.read_magic(file)
            if version not in HEADERS:
                raise ValueError(f"version {version}")
            shape, fortran, dtype = HEADERS[version](file)
    except Exception as problem:  # whatever a parser may say to nonsense
        brief = " ".join(str(problem).split())[:80]
        raise BadInput(f"{name}: is not a numpy array file: {brief}") from None
    if dtype.hasobject:
        raise BadInput(f"{name}: holds Python objects, which are never unpickled")
    if not all(type(side) is int and side >= 0 for side in shape) or dtype.itemsize == 0:
        raise BadInput(f"{name}: is damaged: shape {shape} of {dtype}")
    if len(shape) > MAX_DIMENSIONS:
        number = f"{len(shape)} dimensions; at most {MAX_DIMENSIONS} are read"
        raise BadInput(f"{name}: has {number}; try: reshape(len(array), -1)")
    needed = prod(shape) * dtype.itemsize
    content = file.read(needed) if needed <= size else b""
    if len(content) != needed:
        raise BadInput(
            f"{name}: is truncated: shape {shape} of {dtype} takes {needed} B, more than there are"
        )
    array = np.frombuffer(content, dtype)
    if dtype == UNNAMED and _is_swapped(file):
        array = array.view("u2").byteswap().view(UNNAMED)
    return array.reshape(shape[::-1]).T if fortran else array.reshape(shape)


def _is_swapped(file: IO[bytes]) -> bool:
    """Whether elements without a type have the larger byte first: numpy does not tell."""
    file.seek(0)
    return b"'>V2'" in file.read(100)


@contextmanager
def _readable(name: str, suffix: str) -> Iterator[None]:
    """Turn whatever opening, unzipping or reading a file raises into one line."""
    try:
        yield
    except BadInput:
        raise
    except OSError as problem:
        raise BadInput(f"{name}: cannot be read: {problem.strerror or problem}") from None
    except (
        zipfile.BadZipFile,
        zlib.error,
        lzma.LZMAError,
        EOFError,
        RuntimeError,  # encrypted, or a compression nobody has
        ValueError,
        OverflowError,
    ) as problem:
        raise BadInput(f"{name}: is not a sound {suffix} file: {problem}") from None


def check_result_path(path: str, recording: Recording) -> None:
    """Raise BadInput if the result of a recording could not be written to this path."""
    check_writable(path)
    lengths = sorted(_lengths(recording))
    if path.endswith(".npy") and len(lengths) > 1:
        raise BadInput(
            f"-o {path}: ranks end with {' or '.join(map(str, lengths))} elements, which is no "
            f"table; try: {Path(path).with_suffix('.npz')}, with an array for each rank"
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
        none = np.empty((0, recording.count), recording.dtype)
        parts = _parts(np.stack(rows) if rows else none, recording, data)
    with replacing(path) as file:
        if path.endswith(".npy"):
            table = _side_by_side(parts) if len(parts) > 1 else next(iter(parts.values()))
            np.lib.format.write_array(file, table, allow_pickle=False)
        else:
            _write_npz(file, parts)


def _as_bfloat16(array: Array) -> Array:
    """Elements of two bytes without a type as bfloat16; anything else as it is."""
    return array.view(find_dtype("bfloat16")) if array.dtype == UNNAMED else array


def _check_type(array: Array, name: str) -> None:
    if array.dtype == UNNAMED:
        what = "elements of 2 bytes without a type, as which numpy saves bfloat16"
        raise BadInput(f"{name}: holds {what}; try: --dtype bfloat16")
    if array.dtype.name not in DTYPES:
        raise BadInput(f"{name}: {array.dtype} cannot be reduced; try: int64 or float64")


def _check_array(array: Array, name: str) -> None:
    _check_type(array, name)
    if array.ndim < 2:
        shapes = f"{(1, array.size)} for 1 rank, {(array.size, 1)} for {plural(array.size, 'rank')}"
        rule = "must be [rank, element]"
        raise BadInput(f"{name}: shape {array.shape} {rule}; which is meant? try: {shapes}")
    if not len(array):
        raise BadInput(f"{name}: shape {array.shape} has no row; there must be one for each rank")


def _check_together(arrays: dict[str, Array], name: str) -> None:
    rows = {key: f"{len(array)} rows" for key, array in arrays.items()}
    kinds = {key: str(array.dtype.newbyteorder("=")) for key, array in arrays.items()}
    for traits, rule in ((rows, "one row for each rank"), (kinds, "the same dtype")):
        if len(set(traits.values())) > 1:
            listed = ", ".join(f"{quoted(key)} has {value}" for key, value in traits.items())
            raise BadInput(f"{name}: every array must have {rule}; {listed}")


def _parts(result: Array, recording: Recording, data: Data | None) -> dict[str, Array]:
    """The result by the names of the data, in the shapes of its arrays."""
    if data is None:
        return {"result": result}
    sizes = [prod(shape) for shape in data.arrays.values()]
    promise, width = recording.collective, sum(sizes)
    gathered = promise.precondition is own_cells and data.vectors.shape[1] == width
    blocks = recording.ranks if gathered else 1
    mixed = promise.separate_buffers and len(sizes) > 1
    if mixed or result.shape[1] != blocks * width:
        return {"result": result}
    if len(sizes) == 1 and not next(iter(data.arrays)):
        shape = result.shape[1:] if gathered else next(iter(data.arrays.values()))
        return {"result": result.reshape(len(result), *shape)}
    ends = np.cumsum(sizes)[:-1]
    pieces = np.split(result.reshape(len(result), blocks, width), ends, axis=2)
    lead = (len(result), blocks) if gathered else (len(result),)
    return {
        name: piece.reshape(*lead, *shape)
        for (name, shape), piece in zip(data.arrays.items(), pieces, strict=True)
    }


def _side_by_side(arrays: dict[str, Array]) -> Array:
    """All elements of each rank in a row: [rank, element]."""
    flat = [array.reshape(len(array), prod(array.shape[1:])) for array in arrays.values()]
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
