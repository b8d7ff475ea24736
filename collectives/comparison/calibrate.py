"""`collectives.calibrate`: a machine whose links are fitted to output of nccl-tests."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from collectives.collective import find_collective
from collectives.comparison.calibration import (
    Calibration,
    CalibrationRow,
    FittedLink,
    ForetoldRow,
    machine_text,
)
from collectives.comparison.diagnose import collective_of
from collectives.comparison.measured_file import ranks_of, runs_of
from collectives.cost.machines.links import LINKS
from collectives.cost.machines.paths import Floats
from collectives.cost.machines.toml_file import parse_topology
from collectives.cost.where import Where
from collectives.errors import BadInput
from collectives.evidence.expect import expected
from collectives.evidence.measured_model import gpu_of
from collectives.files import path_of
from collectives.formats.nccl_tests import read
from collectives.units import time_text
from collectives.values import whole
from collectives.words import plural, quoted

MOST_RANKS = 128  # of a run: each trial times a ring and trees of them
MOST_FITTED = 12  # rows of a run
LEAST_SIZES = 4  # of a run: two that are fitted, and two that are held back
LEAST_SPREAD = 4.0  # of times: below it, latency and bandwidth are one number
ROUNDS = 12
NUDGE = 1e-3
SENSITIVE = 0.1  # of the log of a time, by the log of a latency or bandwidth: less is none
SLOWER = np.array([0.0, 0.1])  # of the logs: a step down to the least bandwidth that is enough
INSIDE, BETWEEN = "within a node", "between nodes"


def calibrate(
    *paths: str | Path,
    ranks: int | None = None,
    nodes: int | None = None,
    collective: str | None = None,
) -> Calibration:
    """A machine fitted to output of nccl-tests, and how well it foretells rows held back.

    Every other size of a run is held back. The latency and bandwidth of links make the least
    squares of log(machine's time / measured time), the time being that of `collectives.expect` on
    the machine: the faster of a ring and two trees, without start-up, which latencies then include.

    Parameters
    ----------
    *paths : str or Path
        What `all_reduce_perf` or another of nccl-tests printed: runs on one node, on several.
    ranks, nodes : int, optional
        How many there are, where a file does not say it.
    collective : str, optional
        What was measured, where a file does not say it.

    Returns
    -------
    Calibration
        `links`, `topology`, `foretold`; `save()` writes FILE.toml; `lines()` and `as_json()`.

    Raises
    ------
    BadInput
        For files that are none of nccl-tests, and rows that cannot tell links.
    """
    if not paths:
        raise BadInput("no file to calibrate from; try: out.txt")
    ranks = None if ranks is None else whole("ranks", ranks, 2, MOST_RANKS)
    nodes = None if nodes is None else whole("nodes", nodes, 1, MOST_RANKS)
    names, runs = set(), defaultdict(list)
    for path in dict.fromkeys(str(path_of(path)) for path in paths):
        gpu, rows = _rows(path, ranks, nodes, collective)
        names.add(gpu)
        runs[rows[0].run].extend(rows)
    largest = max(runs, key=lambda run: run[1:])
    for _, number, on in runs:
        if number * largest[2] != largest[1] * on and on > 1:
            raise BadInput(
                f"{number} ranks on {on} nodes beside {largest[1]} on {largest[2]}: nodes must be "
                "alike; try: files of one kind of nodes"
            )
    parts = [_parted(rows) for rows in runs.values()]
    fitted = [row for first, _ in parts for row in first]
    return _fit(largest[1], largest[2], fitted, [row for _, rest in parts for row in rest], names)


def _rows(
    path: str, ranks: int | None, nodes: int | None, collective: str | None
) -> tuple[str | None, list[CalibrationRow]]:
    """The GPU of a file, where all are of one kind, and its rows; raises BadInput."""
    file, tables = quoted(path), read(path)
    name = collective_of(tables[0], ranks, file) if collective is None else collective
    name = find_collective(name).name
    table = runs_of(tables, name, ranks, file)
    number, _ = ranks_of(table, ranks, file)
    if not 2 <= number <= MOST_RANKS:
        raise BadInput(f"{file}: {plural(number, 'rank')}; 2 to {MOST_RANKS} can be fitted")
    on = nodes or len(table.hosts)
    if not on:
        raise BadInput(f"{file}: does not say on how many nodes; try: --nodes 1")
    if nodes and table.hosts and nodes != len(table.hosts):
        near = len(table.hosts)
        raise BadInput(f"--nodes {nodes}: {file} lists {plural(near, 'host')}; try: --nodes {near}")
    if number % on:
        raise BadInput(f"{file}: {plural(number, 'rank')} on {on} nodes: nodes must be alike")
    rows = []
    for row in table.rows:
        timed = row.timed
        if timed is not None and timed.wrong:
            raise BadInput(f"{file} line {row.line}: results are wrong; try: collectives diagnose")
        if timed is not None and row.size and 0 < timed.seconds < float("inf"):
            rows.append(CalibrationRow(path, row.line, name, number, on, row.size, timed.seconds))
    sizes = len({row.size for row in rows})
    if sizes < LEAST_SIZES:
        raise BadInput(
            f"{file}: {plural(sizes, 'size')} with a time; {LEAST_SIZES} are needed to fit some "
            "and judge others; try: -b 8 -e 1G -f 2"
        )
    gpus = {gpu_of(device) for device in table.devices}
    return (gpus.pop() if len(gpus) == 1 else None), rows


def _parted(rows: Sequence[CalibrationRow]) -> tuple[list[CalibrationRow], list[CalibrationRow]]:
    """The rows of a run that are fitted, of every other size from the smallest, and the others."""
    sizes = sorted({row.size for row in rows})[::2]
    if len(sizes) > MOST_FITTED:
        kept = np.linspace(0, len(sizes) - 1, MOST_FITTED).round().astype(int)
        sizes = [sizes[place] for place in kept]
    chosen = set(sizes)
    first = [row for row in rows if row.size in chosen]
    shortest, longest = min(row.seconds for row in first), max(row.seconds for row in first)
    if longest < LEAST_SPREAD * shortest:
        times = f"{time_text(shortest, 3)} to {time_text(longest, 3)}"
        raise BadInput(
            f"{quoted(rows[0].path)}: times from {times} do not tell latency from bandwidth; "
            "try: -b 8 -e 1G -f 2"
        )
    return first, [row for row in rows if row.size not in chosen]


def _fit(
    ranks: int,
    nodes: int,
    fitted: list[CalibrationRow],
    held: list[CalibrationRow],
    gpus: set[str | None],
) -> Calibration:
    """The links within a node from rows of one node, then those between nodes from the others."""
    within = [row for row in fitted if row.nodes == 1]
    across = [row for row in fitted if row.nodes > 1]
    notes = [] if across else ["all rows are of one node: they tell nothing about a network"]
    if within:
        links = [_link(INSIDE, within, [])]
    else:
        gpu = next(iter(gpus)) if len(gpus) == 1 else None
        wire = next((link for link in LINKS.values() if gpu in link.gpus), None)
        if wire is None:
            raise BadInput(
                "no file of one node, and no header tells the links of a GPU: what is within a "
                "node and what between nodes cannot be told apart; try: a run on one node, too"
            )
        links = [FittedLink(INSIDE, wire.latency, wire.bandwidth, f"that of {wire.name}, no fit")]
        notes.append("no file is of one node: its links are those of the GPU in the header")
    if across:
        links.append(_link(BETWEEN, across, links))
    seconds = _seconds(held, links)
    foretold = [ForetoldRow(row, float(value)) for row, value in zip(held, seconds, strict=True)]
    return Calibration(ranks, nodes, links, fitted, foretold, notes)


def _link(place: str, rows: list[CalibrationRow], others: list[FittedLink]) -> FittedLink:
    """The link with the least squares in log time, by damped Gauss-Newton steps in its logs."""
    measured = np.log([row.seconds for row in rows])
    rate = max(row.size / row.seconds for row in rows)
    start = FittedLink(place, min(row.seconds for row in rows) / 8, rate, "")

    def missed(logs: Floats) -> Floats:
        latency, bandwidth = np.exp(logs).tolist()
        trial = replace(start, latency=latency, bandwidth=bandwidth)
        gap: Floats = np.log(_seconds(rows, [*others, trial])) - measured
        return gap

    logs, damping = np.log([start.latency, start.bandwidth]), 0.1
    gap = missed(logs)
    for _ in range(ROUNDS):
        slopes = np.stack([(missed(logs + step) - gap) / NUDGE for step in NUDGE * np.eye(2)], 1)
        stiff = np.vstack([slopes, np.sqrt(damping) * np.eye(2)])
        step = np.linalg.lstsq(stiff, np.append(-gap, [0.0, 0.0]), rcond=None)[0]
        tried = missed(logs + np.clip(step, -2, 2))
        if (tried**2).sum() < (gap**2).sum():
            logs, gap, damping = logs + np.clip(step, -2, 2), tried, damping / 10
        else:
            damping *= 10
        if np.abs(step).max() < NUDGE:
            break
    by_latency, by_bandwidth = np.abs(slopes).max(axis=0).tolist()
    origin = f"fitted to {plural(len(rows), 'row')}"
    if by_bandwidth < SENSITIVE and others:  # the links within nodes are what limits all rows
        limit = (gap**2).sum() + len(rows) * NUDGE**2
        while (missed(logs - SLOWER) ** 2).sum() <= limit:
            logs = logs - SLOWER
        origin += "; no row depends on the bandwidth, which is at least this"
    elif min(by_latency, by_bandwidth) < SENSITIVE:
        what = "latency" if by_latency < by_bandwidth else "bandwidth"
        raise BadInput(
            f"{quoted(rows[0].path)}: no row depends on the {what} {place}; try: -b 8 -e 1G -f 2"
        )
    latency, bandwidth = np.exp(logs).tolist()
    return FittedLink(place, latency, bandwidth, origin)


def _seconds(rows: Sequence[CalibrationRow], links: Sequence[FittedLink]) -> Floats:
    """The time of each row on the machine of these links, as `collectives expect` has it."""
    times = {}
    for run in {row.run for row in rows}:
        collective, ranks, nodes = run
        where = Where(built=parse_topology(machine_text(ranks, nodes, links)))
        sizes = sorted({row.size for row in rows if row.run == run})
        for size in expected(collective, where, ranks, sizes).sizes:
            times[run, size.size] = size.seconds
    return np.array([times[row.run, row.size] for row in rows])
