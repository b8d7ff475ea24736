"""`collectives time --measured FILE`: what nccl-tests measured, beside the model of the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING

from collectives.cli.console import say_report
from collectives.cli.like import check_alone, followed
from collectives.cli.placed import placed
from collectives.collective import CUSTOM, SEND_RECV, find_collective
from collectives.cost.busbw import SIZES, factor, known_operation, operation
from collectives.cost.choose.setup import Setup, resized
from collectives.cost.like import advice
from collectives.cost.machines import MACHINES
from collectives.cost.machines.links import LINKS
from collectives.cost.where import Where
from collectives.errors import BadInput
from collectives.evidence.measured_model import gpu_of
from collectives.formats.nccl_tests import BenchmarkRow, Table, has_rates_of, ranks_by_rates, read
from collectives.formats.nccl_tests.measured_report import Compared, MeasuredFile, Modeled
from collectives.proof.prove import refuse_wrong, verdict_on
from collectives.words import listed, plural, quoted, ranges

if TYPE_CHECKING:
    from collectives.cli.time import Asked
    from collectives.recording.recording import Recording

MOST_MESSAGES = 1 << 24  # of the schedules of all sizes
MOST_SEARCHED = 64  # sizes, for each of which the best number of chunks is looked for
MOST_TOLD = 1024  # ranks that are timed because a file says so
MOST_NAMED = 4  # hosts, lines, sizes
LIKE = "nccl"  # whose choice is timed where no algorithm is named
NEIGHBORS = "each rank sending to the next, which no send-recv of the catalog does"
TO_THE_NEXT = "the Chakra traces or the MSCCL program of such messages, as in next.et --measured"


def time_measured(asked: Asked, path: str, like: str | None) -> None:
    """Every size of a file with its measured and its modeled time.

    Raises BadInput, and WrongSchedule where the algorithm is wrong.
    """
    subject, file = asked.subject, quoted(path)
    if asked.output is not None:
        raise BadInput(f"-o {quoted(asked.output)}: a trace is of one size; leave --measured out")
    subject.refuse(f"{file} has sizes of its own", ("size", "count", "counts"))
    tables = read(path)
    name, own_ranks = _collective(asked, tables)
    if name == SEND_RECV.name:
        raise BadInput(f"{file}: nccl-tests measure {NEIGHBORS}; try: {TO_THE_NEXT}")
    if name != CUSTOM.name and not known_operation(name):
        title = name.replace("_", "-")
        raise BadInput(f"{file}: nccl-tests measure no {title}; try: all-reduce")
    table = _of_operation(tables, name, own_ranks, file)
    ranks, notes = _ranks(table, own_ranks, file)
    where, said = _machine(asked.where, table, ranks, file)
    notes += said
    if not subject.is_fixed:
        subject = replace(subject, ranks=ranks)
    asked = replace(asked, where=where, subject=subject)
    if subject.collective_alone and like is None:
        _check_gpus(where, subject.collective_alone, file)
        like = LIKE
        notes.append("no algorithm is named: timed is what NCCL would choose, as with --like nccl")
    rows = [row for row in table.rows if row.size and row.timed is not None]
    if not rows:
        raise BadInput(f"{file}: has no times of sizes above 0")
    model = _model(asked, rows, like, file)
    share = float(factor(table.operation, ranks))
    found = [Compared(row, model(row), share) for row in rows]
    machine = where.called
    report = MeasuredFile(path, table, ranks, machine, where.clock, found, notes)
    say_report(report, asked.as_json)
    if not subject.in_catalog:
        refuse_wrong(verdict_on(placed(subject.sized(rows[-1].size), where)[0]))


def _check_gpus(where: Where, collective: str, file: str) -> None:
    """Raise BadInput where NCCL does not know the machine and so chooses no algorithm."""
    if where.kind is None or not where.kind.tuned:
        machine, near = where.called, f"{collective} ring, or --topology hgx-h100"
        raise BadInput(
            f"{file}: no algorithm is named, and NCCL's choice is known only for GPUs, "
            f"not for {machine}; try: {near}"
        )


def _collective(asked: Asked, tables: list[Table]) -> tuple[str, int | None]:
    """The name of the collective that is asked about, and the ranks where those are given."""
    subject = asked.subject
    if subject.in_catalog:
        return find_collective(subject.words[0]).name, subject.ranks
    size = tables[0].rows[-1].size
    ranks = subject.ranks or tables[0].ranks or None
    sized = replace(subject, ranks=None if subject.is_fixed else ranks).sized(size)
    recording = sized.recording(None if subject.is_typed else "uint8", executed=False)
    return recording.collective.name, recording.ranks if subject.is_fixed else subject.ranks


def _of_operation(tables: list[Table], name: str, ranks: int | None, file: str) -> Table:
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


def _ranks(table: Table, given: int | None, file: str) -> tuple[int, list[str]]:
    """How many ranks, and what tells so; raises BadInput where nothing does or -n disagrees."""
    by_rates = list(ranks_by_rates(table))
    measured = table.ranks or (by_rates[0] if len(by_rates) == 1 else 0)
    if given is None and not measured:
        raise BadInput(f"{file}: it does not say how many ranks; try: -n 8")
    if given is not None and table.ranks not in (0, given):
        raise BadInput(
            f"-n {given}: {file} measures {plural(measured, 'rank')}; try: -n {measured}"
        )
    if given is None and measured > MOST_TOLD:
        raise BadInput(
            f"{file}: measures {plural(measured, 'rank')}; above {MOST_TOLD} ranks "
            f"-n is needed; try: -n {measured}"
        )
    ranks, notes = given or measured, []
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
        other = ranges(by_rates[:MOST_NAMED])
        notes.append(
            f"its busbw over its algbw is not that of {plural(ranks, 'rank')}, but of {other}"
        )
    return ranks, notes


def _machine(where: Where, table: Table, ranks: int, file: str) -> tuple[Where, list[str]]:
    """The machine that is meant, else that of the devices; and what of the file disagrees."""
    gpus = list(dict.fromkeys(filter(None, map(_gpu, table.devices))))
    nodes = len(table.hosts)
    each = ranks // nodes if nodes and ranks % nodes == 0 else 0
    if where.is_given:
        try:
            where.check_ranks(ranks)
        except BadInput as problem:
            why = str(problem).partition("; try:")[0]
            near = f"cluster:gpus={each or min(ranks, 8)}"
            raise BadInput(f"{file} measures {why}; try: --topology {near}") from None
        return where, list(_against(where, gpus, nodes, each, table))
    gpu = gpus[0] if len(gpus) == 1 else ""
    boxes = [name for name, box in MACHINES.items() if gpu in box.gpus and ranks <= box.max_ranks]
    links = [name for name, link in LINKS.items() if gpu in link.gpus]
    if nodes == 1 and boxes:
        name = boxes[0]
    elif each and nodes > 1 and links:
        name = f"cluster:gpus={each},inside={links[0]}"
    else:
        return where, [
            f"no machine is known by its devices: timed on a {where.machine}; see --topology"
        ]
    return replace(where, name=name), [f"machine, by its devices: --topology {name}"]


def _gpu(device: str) -> str | None:
    """The GPU at an NVSwitch that a device is; None of others, such as PCIe cards."""
    separate = any(word in device.upper() for word in ("PCIE", "NVL"))
    return None if separate else gpu_of(device)


def _against(where: Where, gpus: list[str], nodes: int, each: int, table: Table) -> Iterator[str]:
    """What of the file does not agree with a machine that is given."""
    if where.kind is None:
        return
    if where.kind.gpus and gpus and not set(gpus) & set(where.kind.gpus):
        devices = listed(table.devices, MOST_NAMED)
        yield f"it was measured on {devices}, the machine is {where.machine}"
    if where.kind.gpus and nodes > 1:
        yield f"it was measured on {nodes} nodes, {where.machine} is one"
    if where.kind.multiple_of and each and int(where.settings["gpus"]) != each:
        have = plural(int(where.settings["gpus"]), "GPU")
        yield f"its nodes have {plural(each, 'GPU')}, those of the machine {have}"


def _model(
    asked: Asked, rows: list[BenchmarkRow], like: str | None, file: str
) -> Callable[[BenchmarkRow], Modeled]:
    """A function that gives the modeled time of a row; raises BadInput for too many messages."""
    timed = _timed_like(asked, like) if like is not None else _timed_subject(asked, rows)
    rooted = find_collective(asked.subject.words[0]).rooted if asked.subject.in_catalog else False
    sizes = len({(row.size, row.root) for row in rows})
    searched = asked.subject.best or like is not None
    if searched and sizes > MOST_SEARCHED:
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


Timer = Callable[[int, "int | None"], "tuple[Recording, Setup, float | None]"]


def _timed_subject(asked: Asked, rows: list[BenchmarkRow]) -> Timer:
    """Of an algorithm, one's own or one in a file."""
    subject, first = asked.subject, max(row.size for row in rows)

    @cache
    def largest() -> tuple[Recording, Setup]:
        return placed(subject.sized(first), asked.where, change=asked.faults.of)

    def timed(size: int, root: int | None) -> tuple[Recording, Setup, float | None]:
        if subject.in_catalog:
            sized = replace(subject, size=size, root=_root(subject.root, root))
            return *placed(sized, asked.where, change=asked.faults.of), None
        recording, setup = largest()
        return resized(recording, size), setup, None

    return timed


def _timed_like(asked: Asked, library: str | None) -> Timer:
    """Of what a library would choose for each size, with NCCL's own estimate."""

    subject = asked.subject
    check_alone(subject, str(library))
    name = find_collective(subject.words[0]).name

    def timed(size: int, root: int | None) -> tuple[Recording, Setup, float | None]:
        advised = advice(str(library), name, subject.ranks or 1, size, asked.where)
        found = followed(subject, name, advised.choice)
        sized = replace(found, size=size, root=_root(subject.root, root))
        chosen = (one for one in advised.candidates if one.name == advised.choice.library_name)
        estimate = next((one.seconds for one in chosen if not one.off), None)
        return *placed(sized, asked.where, change=asked.faults.of), estimate

    return timed


def _root(given: int | None, measured: int | None) -> int | None:
    """The root; raises BadInput where another was measured."""
    if None not in (given, measured) and given != measured:
        raise BadInput(f"--root {given}: root {measured} was measured; try: --root {measured}")
    return given if measured is None else measured
