"""What nccl-tests measured beside the model of the same: `collectives.measured`, and its parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from collectives.catalog import find_row
from collectives.collective import CUSTOM, SEND_RECV, find_collective
from collectives.comparison.verdicts import judged
from collectives.cost.busbw import SIZES, factor, known_operation, operation
from collectives.cost.choose.chunks import best_chunks
from collectives.cost.choose.setup import Setup, resized, sized
from collectives.cost.clocks.costs import Costs
from collectives.cost.fault_texts import NO_FAULTS, Faults
from collectives.cost.like import advice
from collectives.cost.machines import MACHINES
from collectives.cost.machines.links import LINKS
from collectives.cost.machines.topology import Topology
from collectives.cost.where import Where, where_of
from collectives.errors import BadInput
from collectives.evidence.measured_model import gpu_of
from collectives.files import path_of
from collectives.formats.nccl_tests import BenchmarkRow, Table, has_rates_of, ranks_by_rates, read
from collectives.formats.nccl_tests.measured_report import Compared, MeasuredFile, Modeled
from collectives.recording.recording import Recording
from collectives.values import instance, whole
from collectives.words import brief, listed, plural, quoted, ranges

MOST_MESSAGES = 1 << 24  # of the schedules of all sizes
MOST_SEARCHED = 64  # sizes, for each of which the best number of chunks is looked for
MOST_TOLD = 1024  # ranks that are timed because a file says so
MOST_NAMED = 4  # hosts, lines, sizes
LIKE = "nccl"  # whose choice is timed where no algorithm is named
NEIGHBORS = "each rank sending to the next, which no send-recv of the catalog does"
TO_THE_NEXT = "the Chakra traces or the MSCCL program of such messages, as in next.et --measured"
Timer = Callable[[int, "int | None"], "tuple[Recording, Setup, float | None]"]


@dataclass(frozen=True)
class MeasuredSubject:
    """What the sizes of a file are timed with.

    ranks: where they are given. timer: for a machine, its ranks and the size of the first row, what
    times a size and a root, with NCCL's own estimate. alone: no algorithm is named, and none of a
    library's. searched: the best number of chunks is looked for.
    """

    collective: str
    ranks: int | None
    timer: Callable[[Where, int, int], Timer]
    alone: bool = False
    searched: bool = False


def measured(
    path: str | Path,
    collective: str | Recording,
    algorithm: str | None = None,
    *,
    ranks: int | None = None,
    topology: str | Topology | None = None,
    clock: str = "lockstep",
    costs: Costs | None = None,
    faults: Faults = NO_FAULTS,
    chunks: int | None = None,
    **machine: object,
) -> MeasuredFile:
    """Output of nccl-tests beside the model; `collectives time --measured` in Python.

    Parameters
    ----------
    path : str or Path
        What `all_reduce_perf` or another of nccl-tests printed.
    collective : str or Recording
        What was measured, such as "all_reduce"; or a recording of what is timed.
    algorithm : str, optional
        What is timed; by default what NCCL would choose for each size.
    ranks : int, optional
        How many there are, where the file does not say it.
    topology : str or Topology, optional
        The machine; by default that of the devices in the file, and with a latency or bandwidth
        alone a crossbar of such links.
    clock : str
        "lockstep" or "dataflow"; see `collectives.time`.
    costs : Costs, optional
        What messages cost beside the links; by default nothing.
    faults : Faults, optional
        Slow, late and broken ranks and links; by default none.
    chunks : int, optional
        Chunks of a pipeline.
    **machine
        Parameters of the machine, such as gpus=4.

    Returns
    -------
    MeasuredFile
        `sizes` with measured and modeled time; `lines()` is what the command prints, `as_json()`
        the same as values.

    Raises
    ------
    BadInput
        For a file that is none of nccl-tests, and for values that do not fit it.
    """
    if isinstance(collective, Recording):
        own, name = collective, collective.collective.name
    else:
        own, name = None, find_collective(collective).name
    ranks = None if ranks is None else whole("ranks", ranks, 1)
    chunks = None if chunks is None else whole("chunks", chunks, 1)
    if own is not None:
        _check_beside(own, algorithm, ranks, chunks)

    def timer(where: Where, ranks: int, _: int) -> Timer:
        def timed(size: int, root: int | None) -> tuple[Recording, Setup, float | None]:
            setup = faults.of(where.setup(), ranks)
            if own is not None:
                return resized(own, size), setup, None
            named, best, filled = algorithm, chunks, dict[str, int]()
            if named is None:
                choice = advice(LIKE, name, ranks, size, where).choice
                named, filled = choice.row, dict(choice.parameters)
            row = find_row(name, named)
            filled = setup.fill(row, ranks, row.taken(filled))
            if algorithm is None and "chunks" in row.parameters:
                best = best_chunks(row, ranks, size, setup, root or 0, filled).best
            return sized(row, ranks, size, best, root or 0, filled), setup, None

        return timed

    alone = own is None and algorithm is None
    subject = MeasuredSubject(name, own.ranks if own else ranks, timer, alone, searched=alone)
    faults = instance("faults", faults, Faults, "Faults(late='1=5us')")
    where, file = where_of(topology, clock, costs, machine), str(path_of(path))
    tables = read(file)
    if own is not None:
        _check_ranks_of(own, tables, quoted(file))
    return beside_model(file, tables, subject, where)


def _check_beside(
    own: Recording, algorithm: str | None, ranks: int | None, chunks: int | None
) -> None:
    """Raise BadInput for what contradicts the recording that is timed."""
    if algorithm and own.row and find_row(own.collective.name, algorithm) is own.row:
        algorithm = own.algorithm  # by another of its names
    options = {"algorithm": algorithm, "ranks": ranks, "chunks": chunks}
    for name, value in options.items():
        mine = getattr(own, name)
        if value is not None and value != mine:
            has = "no chunks" if mine is None else brief(mine)
            raise BadInput(f"{name} {brief(value)}: the recording has {has}; leave it out")
    if own.uneven:
        raise BadInput("the recording states the size of each chunk; try: one without counts")


def _check_ranks_of(own: Recording, tables: list[Table], file: str) -> None:
    """Raise BadInput where the file has no run on as many ranks as the recording."""
    measured = sorted({table.ranks for table in tables if table.ranks})
    if measured and own.ranks not in measured:
        has, near = plural(own.ranks, "rank"), plural(measured[-1], "rank")
        raise BadInput(f"{file}: measures {near}, the recording has {has}; try: one on {near}")


def beside_model(
    path: str, tables: list[Table], subject: MeasuredSubject, where: Where
) -> MeasuredFile:
    """Every size of a file with its measured and its modeled time; raises BadInput."""
    file, name = quoted(path), subject.collective
    if name == SEND_RECV.name:
        raise BadInput(f"{file}: nccl-tests measure {NEIGHBORS}; try: {TO_THE_NEXT}")
    if name != CUSTOM.name and not known_operation(name):
        title = name.replace("_", "-")
        raise BadInput(f"{file}: nccl-tests measure no {title}; try: all-reduce")
    table = runs_of(tables, name, subject.ranks, file)
    ranks, notes = ranks_of(table, subject.ranks, file)
    where, more = _machine(where, table, ranks, file)
    notes += more
    if subject.alone:
        _check_gpus(where, name.replace("_", "-"), file)
        notes.append("no algorithm is named: timed is what NCCL would choose, as with --like nccl")
    rows = [row for row in table.rows if row.size and row.timed is not None]
    if not rows:
        raise BadInput(f"{file}: has no times of sizes above 0")
    model = _model(subject, where, ranks, rows, file)
    share = float(factor(table.operation, ranks))
    sizes = [Compared(row, model(row), share) for row in rows]
    verdict = "" if name == CUSTOM.name else _verdict(table, name, ranks, where)
    return MeasuredFile(path, table, ranks, where.called, where.clock, sizes, notes, verdict)


def _verdict(table: Table, collective: str, ranks: int, where: Where) -> str:
    """Whether that is healthy, beside what the library would do; nothing of what has no range."""
    with suppress(BadInput):
        return str(judged(table, collective, ranks, where))
    return ""


def _check_gpus(where: Where, collective: str, file: str) -> None:
    """Raise BadInput where NCCL does not know the machine and so chooses no algorithm."""
    if where.kind is None or not where.kind.tuned:
        machine, near = where.called, f"{collective} ring, or --topology hgx-h100"
        raise BadInput(
            f"{file}: no algorithm is named, and NCCL's choice is known only for GPUs, "
            f"not for {machine}; try: {near}"
        )


def runs_of(tables: list[Table], name: str, ranks: int | None, file: str) -> Table:
    """The rows of all runs of this operation; raises BadInput where they are not of one kind."""
    wanted = "" if name == CUSTOM.name else operation(name)
    known = list(dict.fromkeys(table.operation for table in tables if table.operation))
    mine = [table for table in tables if table.operation in ("", wanted or table.operation)]
    if not mine:
        near = known[0].replace("alltoall", "all-to-all").replace("_", "-")
        near = TO_THE_NEXT if known[0] == "sendrecv" else near
        raise BadInput(f"{file}: measures {listed(known)}, not {wanted}; try: {near}")
    if ranks is not None and any(table.ranks == ranks for table in mine):
        mine = [table for table in mine if table.ranks in (0, ranks)]
    numbers = sorted({table.ranks for table in mine})
    if len(numbers) > 1 or len({table.operation for table in mine}) > 1:
        what = [
            f"{table.operation or 'some operation'} of {plural(table.ranks, 'rank')}"
            for table in mine
        ]
        near = f"-n {numbers[-1]}" if len(numbers) > 1 else "a file with one of them"
        raise BadInput(f"{file}: has runs of {listed(what, MOST_NAMED)}; try: {near}")
    first = mine[0]
    if not (wanted or first.operation):
        raise BadInput(f"{file}: does not say what it measures; try: --collective all-reduce")
    rows = [row for table in mine for row in table.rows]
    return replace(first, operation=wanted or first.operation, rows=rows)


def ranks_of(table: Table, asked: int | None, file: str) -> tuple[int, list[str]]:
    """How many ranks, and what tells so; raises BadInput where nothing does or -n disagrees."""
    by_rates = list(ranks_by_rates(table))
    measured = table.ranks or (by_rates[0] if len(by_rates) == 1 else 0)
    if asked is None and not measured:
        raise BadInput(f"{file}: it does not say how many ranks; try: -n 8")
    if asked is not None and table.ranks not in (0, asked):
        raise BadInput(
            f"-n {asked}: {file} measures {plural(measured, 'rank')}; try: -n {measured}"
        )
    if asked is None and measured > MOST_TOLD:
        raise BadInput(
            f"{file}: measures {plural(measured, 'rank')}; above {MOST_TOLD} ranks "
            f"-n is needed; try: -n {measured}"
        )
    ranks, notes = asked or measured, []
    others = [name for name in SIZES if has_rates_of(table, name, ranks)]
    if not by_rates and others:
        raise BadInput(
            f"{file}: its ratio of busbw to algbw fits {listed(others)} on "
            f"{plural(ranks, 'rank')}, not {table.operation}; try: {others[0]}"
        )
    if not table.ranks and by_rates and ranks in by_rates:
        notes.append(
            f"no ranks are listed: its ratio of busbw to algbw fits {plural(ranks, 'rank')}"
        )
    elif by_rates and ranks not in by_rates:
        rank_texts = ranges(by_rates[:MOST_NAMED])
        notes.append(
            f"its busbw over its algbw is not that of {plural(ranks, 'rank')}, but of {rank_texts}"
        )
    return ranks, notes


def _machine(where: Where, table: Table, ranks: int, file: str) -> tuple[Where, list[str]]:
    """The machine that is meant, else that of the devices; and what of the file disagrees."""
    gpus, nodes, per_node = _listed_devices(table, ranks)
    if where.is_given:
        try:
            where.check_ranks(ranks)
        except BadInput as problem:
            why = str(problem).partition("; try:")[0]
            if not why.startswith(plural(ranks, "rank")):
                raise
            near = f"cluster:gpus={per_node or min(ranks, 8)}"
            raise BadInput(f"{file} measures {why}; try: --topology {near}") from None
        return where, list(against(where, table, ranks))
    gpu = gpus[0] if len(gpus) == 1 else ""
    boxes = [name for name, box in MACHINES.items() if gpu in box.gpus and ranks <= box.max_ranks]
    links = [name for name, link in LINKS.items() if gpu in link.gpus]
    if nodes == 1 and boxes:
        name = boxes[0]
    elif per_node and nodes > 1 and links:
        name = f"cluster:gpus={per_node},inside={links[0]}"
    else:
        return where, [
            f"no machine is known by its devices: timed on a {where.machine}; see --topology"
        ]
    return replace(where, name=name), [f"machine, by its devices: --topology {name}"]


def _gpu(device: str) -> str | None:
    """The GPU at an NVSwitch that a device is; None of others, such as PCIe cards."""
    separate = any(word in device.upper() for word in ("PCIE", "NVL"))
    return None if separate else gpu_of(device)


def _listed_devices(table: Table, ranks: int) -> tuple[list[str], int, int]:
    """The GPUs at NVSwitches that the header lists, its nodes, and the ranks of each; else 0."""
    gpus, nodes = list(dict.fromkeys(filter(None, map(_gpu, table.devices)))), len(table.hosts)
    return gpus, nodes, ranks // nodes if nodes and ranks % nodes == 0 else 0


def against(where: Where, table: Table, ranks: int) -> Iterator[str]:
    """What of the file does not agree with a machine that is given."""
    gpus, nodes, per_node = _listed_devices(table, ranks)
    if where.kind is None:
        return
    if where.kind.gpus and gpus and not set(gpus) & set(where.kind.gpus):
        devices = listed(table.devices, MOST_NAMED)
        yield f"it was measured on {devices}, the machine is {where.machine}"
    if where.kind.gpus and nodes > 1:
        yield f"it was measured on {nodes} nodes, {where.machine} is one"
    if where.kind.multiple_of and per_node and int(where.settings["gpus"]) != per_node:
        have = plural(int(where.settings["gpus"]), "GPU")
        yield f"its nodes have {plural(per_node, 'GPU')}, those of the machine {have}"


def _model(
    subject: MeasuredSubject, where: Where, ranks: int, rows: list[BenchmarkRow], file: str
) -> Callable[[BenchmarkRow], Modeled]:
    """A function that gives the modeled time of a row; raises BadInput for too many messages."""
    timed = subject.timer(where, ranks, max(row.size for row in rows))
    rooted = subject.collective != CUSTOM.name and find_collective(subject.collective).rooted
    sizes = len({(row.size, row.root) for row in rows})
    if subject.searched and sizes > MOST_SEARCHED:
        raise BadInput(
            f"{file}: {sizes} sizes; the best number of chunks is searched for at most "
            f"{MOST_SEARCHED}; try: an algorithm with --chunks 4"
        )

    @cache
    def at(size: int, root: int | None) -> Modeled:
        recording, setup, estimate = timed(size, root)
        messages = recording.counters.messages
        if messages * sizes > MOST_MESSAGES:
            raise BadInput(
                f"{file}: {sizes} sizes of {messages:,} messages each; at most "
                f"{MOST_MESSAGES:,} in all are timed; try: fewer sizes"
            )
        seconds = setup.time(recording).total
        return Modeled(seconds, recording.algorithm, recording.chunks, estimate)

    def of(row: BenchmarkRow) -> Modeled:
        root = row.root if rooted and row.root is not None and row.root >= 0 else None
        return at(row.size, root)

    of(max(rows, key=lambda row: row.size))  # of the most messages
    return of
