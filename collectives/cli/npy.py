"""Reads .npy and .npz files from anywhere: nothing in them is unpickled, or believed."""

from __future__ import annotations

import lzma
import os
import warnings
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from math import prod
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from collectives.errors import BadInput
from collectives.memory_limit import check_memory
from collectives.words import quoted

Array = npt.NDArray[Any]
COPIES = 5  # of the data that are made while it is reduced and compared
HEADERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}


def read_npy(path: str, name: str) -> Array:
    """The array of a .npy file; raises BadInput, which calls the file `name`."""
    with _readable(name, ".npy"), open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        check_memory(COPIES * size, name)
        return _array(file, name, size)


def read_npz(path: str, name: str) -> dict[str, Array]:
    """The arrays of a .npz file by name; raises BadInput, which calls the file `name`."""
    with _readable(name, ".npz"), zipfile.ZipFile(path) as archive:
        entries = archive.infolist()
        check_memory(COPIES * sum(entry.file_size for entry in entries), name)
        arrays = {}
        for entry in entries:
            key = entry.filename.removesuffix(".npy")
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
    if min(shape, default=0) < 0 or dtype.itemsize == 0:
        raise BadInput(f"{name}: is damaged: shape {shape} of {dtype}")
    needed = prod(shape) * dtype.itemsize
    content = file.read(needed) if needed <= size else b""
    if len(content) != needed:
        raise BadInput(
            f"{name}: is truncated: shape {shape} of {dtype} takes {needed} B, more than there are"
        )
    array = np.frombuffer(content, dtype)
    return array.reshape(shape[::-1]).T if fortran else array.reshape(shape)


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
        NotImplementedError,  # a compression nobody has
        RuntimeError,  # encrypted
        ValueError,
        OverflowError,
    ) as problem:
        raise BadInput(f"{name}: is not a sound {suffix} file: {problem}") from None
