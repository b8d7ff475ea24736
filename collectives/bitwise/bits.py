"""`collectives.bits`: which elements a library adds in which order, and where two setups differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from collectives.bitwise.addition_map import AdditionMap, BitsSetup
from collectives.bitwise.dumps import Array, DumpComparison, calls_of, first_difference
from collectives.bitwise.library_order import KINDS, MAPPERS, MOST_RANKS, SETTINGS, map_of
from collectives.bitwise.map_comparison import MapComparison
from collectives.collective import find_collective
from collectives.cost.libraries.default_algorithm import OTHER_NAMES
from collectives.errors import BadInput
from collectives.recording.payload import FLOATS
from collectives.units import size_in_bytes
from collectives.values import dict_of, instance, items_of, whole
from collectives.words import brief, nearest, quoted

ITEMS = {"float16": 2, "bfloat16": 2, "float32": 4, "float64": 8}
DEFAULT_RANKS, DEFAULT_TYPE = 8, "float32"
MOST_BYTES = 1 << 40
COMMON = ("like", "size", "ranks", "root", "topology")


def bits(
    collective: str,
    *,
    like: str | None = None,
    size: int | str | None = None,
    ranks: int = DEFAULT_RANKS,
    dtype: str = DEFAULT_TYPE,
    root: int = 0,
    topology: str | None = None,
    settings: Mapping[str, object] | None = None,
    against: Mapping[str, object] | None = None,
    dumps: Sequence[Any] | None = None,
) -> AdditionMap | MapComparison | DumpComparison:
    """Which elements of a vector a library adds in which order; two setups, or two dumps.

    Parameters
    ----------
    collective : str
        "all_reduce", "reduce" or "reduce_scatter"; the operation is a sum.
    like : str
        The library: "openmpi", "mpich", "gloo" or "nccl".
    size : int or str
        Bytes of the full vector, such as "64KiB"; by default those of a dump.
    ranks : int
        How many take part, up to 64.
    dtype : str
        The type of the elements: "float16", "bfloat16", "float32" or "float64".
    root : int
        The root of a reduce.
    topology : str, optional
        What NCCL's tuner is asked about; by default nodes of eight H100.
    settings : mapping, optional
        What is set in the library: algorithm, protocol or channels of NCCL, or its log, a file
        whose rings are taken; algorithm or segment of Open MPI, algorithm of MPICH.
    against : mapping, optional
        What is other in a second setup: like, size, ranks, root, topology or a setting.
    dumps : pair of arrays [call, element], or of lists of vectors, optional
        Results of two ranks or two runs, of every call in order.

    Returns
    -------
    AdditionMap, MapComparison or DumpComparison
        The map; with `against` two maps and the elements whose order differs; with `dumps` the
        first call and element that differ. All have `lines()` and `as_json()`.

    Raises
    ------
    BadInput
        For values that cannot be used, and for libraries and collectives that are not modeled.

    Examples
    --------
    >>> bits("all_reduce", like="openmpi", size="4KiB", ranks=3)
    <AdditionMap: all-reduce of 4 KiB (1,024 float32) on 3 ranks; Open MPI ring, 3 orders>
    >>> bits("all_reduce", like="openmpi", size="4KiB", ranks=3, against={"size": "2KiB"})
    <MapComparison: another order; all-reduce of 4 KiB (1,024 float32) on 3 ranks | ...>
    >>> bits("all_reduce", dumps=([1.0, 2.0], [1.0, 2.5]))
    <DumpComparison: call 0, element 1>
    """
    kind = find_collective(collective).name
    if kind not in KINDS:
        raise BadInput(
            f"{collective}: nothing is added whose order is modeled; try: all-reduce, reduce or "
            "reduce-scatter"
        )
    if like is None and dumps is None:
        raise BadInput("which library? try: like='openmpi' (--like openmpi)")
    if like is None and against is not None:
        raise BadInput("against: which library? try: like='openmpi' (--like openmpi)")
    calls: list[Array] = []
    difference = None
    if dumps is not None:
        pair = items_of("dumps", dumps, "two dumps, a vector for each call", 2)
        if len(pair) != 2:
            raise BadInput(f"dumps: must be two, not {len(pair)}; try: a.npy b.npy")
        calls, theirs = (calls_of(dump, f"dump {number}") for number, dump in enumerate(pair))
        difference = first_difference(calls, theirs)
    if like is None:
        return DumpComparison(tuple(map(len, calls)), difference)
    if calls:
        call = calls[difference.call if difference else 0]
        if call.dtype.name not in ITEMS:
            raise BadInput(f"dumps of {call.dtype}: integers add up alike in any order")
        dtype, size = call.dtype.name, call.nbytes if size is None else size
    known = {} if settings is None else settings
    setup = _setup(kind, like, size, ranks, dtype, root, topology, known)
    first = map_of(setup)
    if dumps is None and against is None:
        return first
    maps = MapComparison(first, first if against is None else map_of(changed(setup, against)))
    return maps if dumps is None else DumpComparison(tuple(map(len, calls)), difference, maps)


def _setup(
    kind: str,
    like: str,
    size: int | str | None,
    ranks: int,
    dtype: str,
    root: int,
    topology: str | None,
    settings: Mapping[str, object],
) -> BitsSetup:
    """A setup whose every value can be; raises BadInput."""
    if size is None:
        raise BadInput("which size? try: size='1MiB' (--size 1MiB)")
    name = instance("dtype", dtype, str, DEFAULT_TYPE)
    if name not in ITEMS:
        raise BadInput(
            f"dtype {brief(dtype)}: must be a float, whose sums round; {nearest(name, FLOATS)}"
        )
    library = _library(like)
    plain = BitsSetup(kind, library, whole("ranks", ranks, 1, MOST_RANKS), 0, name, ITEMS[name])
    known = {"size": size, "root": root, **dict_of("settings", settings, "{'channels': 8}")}
    if topology is not None:
        known["topology"] = topology
    return changed(plain, known)


def changed(setup: BitsSetup, changes: Mapping[str, object]) -> BitsSetup:
    """A setup in which some values are others; raises BadInput for what cannot be."""
    new = setup
    known = dict_of("against", changes, "{'size': '2MiB'}")
    if "like" in known and _library(known["like"]) != setup.library:
        new = replace(new, library=_library(known["like"]), settings={})
    for name, value in known.items():
        if name == "size":
            new = replace(new, size=_size(value, new.itemsize))
        elif name == "ranks":
            new = replace(new, ranks=whole("ranks", _number(name, value), 1, MOST_RANKS))
        elif name == "root":
            new = replace(new, root=whole("root", _number(name, value), 0, MOST_RANKS - 1))
        elif name == "topology":
            new = replace(new, machine=instance("topology", value, str, "hgx-h100"))
        elif name != "like":
            usable = SETTINGS[new.library]
            if name not in usable:
                raise BadInput(
                    f"{name}={brief(value)}: {new.library} has no such setting; "
                    f"{nearest(name, (*usable, *COMMON))}"
                )
            new = replace(new, settings={**new.settings, name: _text(name, value)})
    return _checked(new)


def _checked(setup: BitsSetup) -> BitsSetup:
    """The setup, if its values fit together; raises BadInput."""
    if setup.collective == "reduce" and setup.root >= setup.ranks:
        raise BadInput(f"root {setup.root}: there are {setup.ranks} ranks; try: {setup.ranks - 1}")
    if setup.collective != "reduce" and setup.root:
        title = setup.collective.replace("_", "-")
        raise BadInput(f"root {setup.root}: {title} has no root; leave it out")
    if setup.machine and setup.library != "nccl":
        raise BadInput(
            f"topology {quoted(setup.machine)}: {setup.library} does not choose by it; leave it out"
        )
    if "segment" in setup.settings and "algorithm" not in setup.settings:
        raise BadInput("segment: Open MPI takes it with an algorithm; try: algorithm=5 too")
    return setup


def _library(name: object) -> str:
    """The library of a name in any spelling; raises BadInput for one that is not modeled."""
    key = instance("like", name, str, "openmpi").lower().replace("_", "-").replace(" ", "-")
    key = OTHER_NAMES.get(key, key)
    if key not in MAPPERS:
        raise BadInput(
            f"like {brief(name)}: the order of its additions is not modeled; "
            f"{nearest(key, MAPPERS)}"
        )
    return key


def _size(value: object, itemsize: int) -> int:
    """Bytes of whole elements; raises BadInput."""
    size = whole("size", size_in_bytes(value), 0, MOST_BYTES)
    if size % itemsize:
        near = max(itemsize, size - size % itemsize)
        raise BadInput(f"size {size} B: must be whole elements of {itemsize} bytes; try: {near}B")
    return size


def _number(name: str, value: object) -> int:
    """A whole number, of a text too; raises BadInput."""
    if isinstance(value, str):
        if not (value.isascii() and value.isdecimal() and len(value) < 10):
            raise BadInput(f"{name}={brief(value)}: must be a whole number; try: {name}=4")
        return int(value)
    return whole(name, value)


def _text(name: str, value: object) -> str:
    """A setting as a text; sizes of segments in bytes."""
    if name == "segment":
        return str(size_in_bytes(value, "segment"))
    if isinstance(value, str):
        return value
    return str(whole(name, value))
