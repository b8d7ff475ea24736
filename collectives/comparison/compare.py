"""`collectives.compare`: two to four algorithms, functions, recordings or files side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from collectives.catalog.parameters import NODE_OF_CHANNELS
from collectives.comparison.comparison import Comparison, Contender
from collectives.comparison.subjects import USUAL_RANKS, ComparisonRequest, entries_of
from collectives.cost.clocks.costs import Costs
from collectives.cost.fault_texts import NO_FAULTS, Faults
from collectives.cost.machines.topology import Topology
from collectives.cost.where import where_of
from collectives.errors import BadInput
from collectives.recording.request import whole_numbers
from collectives.units import size_in_bytes
from collectives.values import dict_of, instance, whole
from collectives.words import brief


def compare(
    *subjects: object,
    ranks: int | None = None,
    size: int | str | None = None,
    topology: str | Topology | None = None,
    clock: str = "dataflow",
    costs: Costs | None = None,
    faults: Faults = NO_FAULTS,
    root: int | None = None,
    chunks: int | None = None,
    parameters: Mapping[str, int] | None = None,
    **machine: object,
) -> Comparison[Contender]:
    """Two to four algorithms of one collective: which is first, why, and at which sizes another is.

    Parameters
    ----------
    *subjects : str, Path, callable, Recording or Row
        A collective and algorithms of it, such as "all_reduce", "ring", "tree", which may have
        parameters of their own behind a colon ("ring:channels=8"); your own functions;
        recordings; files that `collectives.load` reads.
    ranks : int, optional
        How many ranks take part; by default those of a recording, else the machine's, else 4.
    size : int or str, optional
        Bytes of the vector of all of them, such as "1GiB"; by default 64 MiB.
    topology : str or Topology, optional
        The machine: a name, which may have parameters behind a colon ("cluster:gpus=4"), a
        FILE.toml or a machine; by default the most usual one that all of them run on, and with a
        latency or bandwidth alone a crossbar of such links.
    clock : str
        "dataflow", without a barrier, or "lockstep", in which steps wait for one another.
    costs : Costs, optional
        What messages cost beside the links; by default nothing.
    faults : Faults, optional
        Slow, late and broken ranks and links; by default none.
    root : int, optional
        The root, where the collective has one; by default that of a recording, else 0.
    chunks : int, optional
        Chunks of the algorithms that are pipelines and have none of their own.
    parameters : mapping, optional
        Further arguments of all algorithms that take them, such as {"radix": 3}.
    **machine
        Parameters of the machine, such as gpus=4.

    Returns
    -------
    Comparison
        `contenders` with their times, `order`, `why`, `ranges`; `lines()` and `as_json()`.

    Raises
    ------
    BadInput
        For values that cannot be used, and where something does not fit the machine.
    WrongSchedule
        Where an algorithm that is not of the catalog is wrong.

    Examples
    --------
    >>> compare("all_reduce", "ring", "tree", ranks=8, size="64KiB", topology="hgx-h100")
    <Comparison: tree 6.874 µs, ring 14.25 µs; hgx-h100, dataflow clock>
    >>> compare("all_reduce", "ring:channels=1", "ring:channels=8", ranks=16, topology="cluster")
    <Comparison: ring (8 channels) 374.6 µs, ring (1 channel) 2.577 ms; cluster, dataflow clock>
    """
    entries = entries_of(subjects)
    request = ComparisonRequest(
        entries,
        None if ranks is None else whole("ranks", ranks, 1),
        None if root is None else whole("root", root),
        None if size is None else size_in_bytes(size),
        None if chunks is None else whole("chunks", chunks, 1),
    )
    if parameters is not None:
        texts = _named(parameters)
        numbers = whole_numbers(texts, request.rows, request.ranks or USUAL_RANKS)
        request = replace(request, parameters=numbers)
    takes = [taken for row in request.rows for taken in row.takes]
    taken = {taken.name for taken in takes if taken is not NODE_OF_CHANNELS}
    for name in taken.intersection(machine) if topology is None else ():
        near = f"parameters={{{name!r}: {brief(machine[name])}}}"
        raise BadInput(f"{name}: of a machine that is not named, or of an algorithm; try: {near}")
    where = where_of(topology, clock, costs, machine)
    return request.on(where, instance("faults", faults, Faults, "Faults(late='1=5us')"))


def _named(parameters: object) -> dict[str, object]:
    """The parameters of algorithms by their names; raises BadInput for others."""
    near = '{"radix": 3}'
    texts = dict_of("parameters", parameters, near)
    for name in texts:
        instance("parameters: the name", name, str, near)
    return texts
