"""What a schedule is executed on: real data cut into chunks, contributions, proof payloads."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from collectives.collective import Cells
from collectives.errors import BadInput, imported
from collectives.recording.memory import Memory
from collectives.schedule.columns import Integers
from collectives.values import one_of
from collectives.words import brief, nearest

Array = npt.NDArray[Any]
OPERATORS: dict[str, np.ufunc] = {
    "sum": np.add,
    "prod": np.multiply,
    "min": np.minimum,
    "max": np.maximum,
    "avg": np.add,  # a sum, and one division of the result
}
OPERATIONS = {"sum": "sum", "prod": "product", "min": "minimum", "max": "maximum", "avg": "average"}
DTYPES = [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]
UNNAMED = np.dtype("V2")  # as which numpy saves and loads bfloat16
FLOATS = ["float16", "bfloat16", "float32", "float64"]
DTYPES += FLOATS


def find_dtype(name: object) -> np.dtype[Any]:
    """The dtype of this name, if it can be reduced; raises BadInput otherwise.

    numpy has no bfloat16; that of ml_dtypes is imported when it is asked for.
    """
    if isinstance(name, str) and name == "bfloat16":
        name = _ml_dtypes().bfloat16
    try:
        with warnings.catch_warnings(action="ignore"):
            dtype = np.dtype(name)  # type: ignore[call-overload]
    except (TypeError, ValueError, SyntaxError, RuntimeError):
        raise BadInput(f"unknown dtype {brief(name)}; {nearest(name, DTYPES)}") from None
    native: np.dtype[Any] = dtype.newbyteorder("=")
    if name is None or str(native) not in DTYPES:
        named = brief(name) if isinstance(name, str) else str(dtype)
        if dtype == UNNAMED:
            named += ", as which numpy loads bfloat16 (try: data.view(ml_dtypes.bfloat16)),"
        raise BadInput(f"dtype {named} cannot be reduced; choose from {', '.join(DTYPES)}")
    return native


def _ml_dtypes() -> Any:
    """The package that has bfloat16; raises NotInstalled without it."""
    return imported("ml_dtypes", "bfloat16 needs ml_dtypes", "bfloat16")


def is_float(dtype: np.dtype[Any]) -> bool:
    """Whether these are floats, bfloat16 too, which numpy takes for bytes without a meaning."""
    return dtype.name in FLOATS


def limits_of(dtype: np.dtype[Any]) -> Any:
    """What np.finfo says of floats, for bfloat16 too."""
    return np.finfo(dtype) if dtype.kind == "f" else _ml_dtypes().finfo(dtype)


def array_of(data: npt.ArrayLike) -> Array:
    """The data as an array; raises BadInput for rows of different lengths."""
    try:
        return np.asarray(data)
    except (ValueError, TypeError):
        raise BadInput(
            f"data {brief(data)}: must be an array [rank, element], a row as long as the other; "
            "try: [[1, 2], [3, 4]]"
        ) from None


def check_operator(op: str, dtype: np.dtype[Any]) -> None:
    """Raise BadInput for an unknown operator, or avg of integers."""
    one_of("op", op, OPERATORS)
    if op == "avg" and not is_float(dtype):
        raise BadInput(f"avg of {dtype}: an average needs floats; try: --dtype float64")


def example_data(ranks: int, count: int, dtype: np.dtype[Any]) -> Array:
    """The data used where none is given, shape [rank, element]: small, and all ranks differ.

    Floats are tenths, which have no exact binary form: so their sums round.

    >>> example_data(2, 3, np.dtype("int64"))
    array([[1, 2, 3],
           [4, 5, 6]])
    >>> example_data(1, 3, np.dtype("float64"))
    array([[0.1, 0.2, 0.3]])
    """
    hundred = np.arange(1, 101)
    values = (hundred / 10 if is_float(dtype) else hundred).astype(dtype)
    return np.resize(values, (ranks, count)) if ranks * count else np.zeros((ranks, 0), dtype)


def example_columns(ranks: int, count: int, dtype: np.dtype[Any], columns: Integers) -> Array:
    """Only these elements of the example data, which is not made: [rank, column].

    >>> example_columns(2, 10**12, np.dtype("int64"), np.array([0, 10**12 - 1]))
    array([[  1, 100],
           [  1, 100]])
    """
    at = np.arange(ranks)[:, None] * (count % 100) + columns % 100
    examples: Array = example_data(1, 100, dtype)[0, at % 100]
    return examples


def chunk_sizes(count: int, slots: int, sizes: Sequence[int] | None = None) -> Integers:
    """Elements of each slot, shape [slots]: as given, else as in MPICH and Open MPI.

    >>> chunk_sizes(10, 4)
    array([3, 3, 2, 2])
    """
    if sizes is not None:
        return np.array(sizes, np.intp)
    whole, rest = divmod(count, slots)
    return whole + (np.arange(slots) < rest).astype(np.intp)


def split(vectors: np.ndarray, size: Integers) -> np.ndarray:
    """Vectors [node, element] as chunks [node, chunk, element], short ones padded with zeros.

    `size[chunk]` is in elements. Where all chunks are equal this is a view.
    """
    nodes, chunk_count = len(vectors), len(size)
    width = int(size.max())
    if width == int(size.min()):
        return vectors.reshape(nodes, chunk_count, width)
    chunks = np.zeros((nodes, chunk_count, width), vectors.dtype)
    end = np.cumsum(size)
    for chunk, (first, last) in enumerate(zip(end - size, end, strict=True)):
        chunks[:, chunk, : last - first] = vectors[:, first:last]
    return chunks


def joined(chunks: np.ndarray, size: Integers) -> np.ndarray:
    """The inverse of `split`: chunks [node, chunk, element] as vectors [node, element]."""
    nodes, chunk_count, width = chunks.shape
    if width == int(size.min()):
        return chunks.reshape(nodes, chunk_count * width)
    return np.concatenate([chunks[:, chunk, : size[chunk]] for chunk in range(chunk_count)], axis=1)


def data_memory(data: Array, before: Cells, size: Integers, nodes: int) -> Memory:
    """A memory of real data: `data[rank, element]` cut into chunks, empty where not `before`.

    Each rank's chunks are its own; slots beyond them start empty.
    """
    ranks, slots = before.shape
    chunks = split(data, size)
    held = before[:, : len(size)]
    values = np.zeros((nodes, slots, chunks.shape[2]), data.dtype)
    values[:ranks, : len(size)] = chunks if held.all() else np.where(held[:, :, None], chunks, 0)
    return Memory(values, before)


def size_memory(before: Cells, size: Integers, nodes: int) -> Memory:
    """How many elements a slot holds: `values[node, slot]`, 0 where it is empty.

    To be run with np.maximum: what is reduced is of one size.
    """
    values = np.zeros((nodes, before.shape[1]), np.intp)
    values[: len(before), : len(size)] = np.where(before[:, : len(size)], size, 0)
    return Memory(values, before)


def from_own_slots(data: Array, before: Cells, count: int) -> Array:
    """Rows that hold each rank's own slots only, put at their place in the full vector."""
    ranks, slots = before.shape
    vectors = np.zeros((ranks, slots, count // slots), data.dtype)
    vectors[before] = data.reshape(-1, count // slots)
    return vectors.reshape(ranks, count)


def outputs(values: Array, after: Cells, size: Integers) -> list[Array]:
    """What each rank ends with, [element]; empty where nothing is promised to it.

    `values[node, slot, element]` are all slots, padded; `size[chunk]` is in elements.
    """
    ranks, chunk_count = len(after), len(size)
    vectors = joined(values[:ranks, :chunk_count], size)
    kept = np.repeat(after[:, :chunk_count], size, axis=1)
    return [vector[keep] for vector, keep in zip(vectors, kept, strict=True)]


def received(values: Array, after: Cells, sizes: Integers) -> list[Array]:
    """As `outputs`, where ranks have separate buffers; `sizes[node, slot]` is in elements."""
    ends = [
        [values[rank, slot, : sizes[rank, slot]] for slot in np.flatnonzero(cells)]
        for rank, cells in enumerate(after)
    ]
    return [np.concatenate([values[0, 0, :0], *parts]) for parts in ends]


def mean(total: Array, ranks: int) -> Array:
    """A sum over ranks divided by their number, in the sum's own dtype.

    Types of 16 bits do not have every number of ranks: the quotient is rounded, the number is not.
    """
    wide = total.astype(np.float32) if total.itemsize == 2 else total
    quotient: Array = (wide / wide.dtype.type(ranks)).astype(total.dtype)
    return quotient


def contribution_memory(before: Cells, nodes: int) -> Memory:
    """Whose data a slot holds: `values[node, slot, 0, rank]` times, `[…, 1, rank]` from where.

    The second is the sum of the slots the contributions came from. Floats, so that a count
    that doubles with every step saturates and never wraps.
    """
    ranks, slots = before.shape
    values = np.zeros((nodes, slots, 2, ranks))
    rank, slot = np.nonzero(before)
    values[rank, slot, 0, rank] = 1
    values[rank, slot, 1, rank] = slot
    return Memory(values, before)


def vector_memory(before: Cells, nodes: int) -> Memory:
    """The exact multiset of contributions: `values[node, slot, rank * slots + origin]` times."""
    ranks, slots = before.shape
    values = np.zeros((nodes, slots, ranks * slots), np.float32)
    rank, slot = np.nonzero(before)
    values[rank, slot, rank * slots + slot] = 1
    return Memory(values, before)


def fingerprint_memory(before: Cells, nodes: int, seed: int | None = None) -> Memory:
    """A random number for each contribution, so that a slot's sum tells which it holds.

    Without a seed nobody can know the numbers beforehand, and so make a wrong schedule whose
    sums are right: a proof must not have one.

    Whole numbers from 1 to 2^38, held in float64: sums are exact below 2^53, and beyond they
    only grow. So nothing wraps round to the expected sum, a doubled contribution always
    shows, and a wrong multiset passes for the right one with a probability below 2^-37 (with
    2^15 ranks and more the numbers are smaller, so that their sum stays exact).
    """
    values = np.zeros((nodes, before.shape[1]))
    held = values[: len(before)]
    largest = 1 << min(38, 53 - len(before).bit_length())
    np.random.default_rng(seed).random(out=held)  # twice as fast as integers
    held *= largest
    np.floor(held, out=held)
    held += 1
    held[~before] = 0
    return Memory(values, before)


def level_memory(before: Cells, nodes: int) -> Memory:
    """How many contributions a slot holds, and which: `values[node, slot]` is [count, fingerprint].

    Far smaller than `contribution_memory`, for many ranks.
    """
    prints = fingerprint_memory(before, nodes, seed=0).values  # the same whenever it is drawn
    return Memory(np.stack([prints > 0, prints], axis=2).astype(np.float64), before)
