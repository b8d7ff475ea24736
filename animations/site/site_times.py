"""Modeled times that several pages show: of each collective on each machine, ranked once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby

from collectives.collective import Collective
from collectives.cost.choose.ranking import rank_algorithms
from collectives.cost.libraries.default_algorithm import LIBRARIES, choose
from collectives.cost.where import Where
from collectives.errors import BadInput
from collectives.recording.recording import Recording
from collectives.units import size_text

RANKS, MACHINE = 8, "hgx-h100"
MACHINES = (MACHINE, "cluster:gpus=4", "torus-2d")  # switches, nodes on a network, a grid
SIZES = (64 << 10, 64 << 20)
SLIDER = tuple(1 << power for power in range(10, 31))  # sizes that are chosen from


@cache
def ranked(collective: str, machine: str, size: int) -> tuple[Mapping[str, float], dict[str, str]]:
    """Seconds of each algorithm, the fastest first, and why others are left out.

    Both empty where nothing of the collective can be ranked there.
    """
    try:
        ranking = rank_algorithms(collective, RANKS, size, Where(machine).setup())
    except BadInput:
        return {}, {}
    seconds = {timed.name: timed.seconds for timed in ranking.timed}
    return seconds, {row.algorithm: reason for row, reason in ranking.left_out}


def timed_by(promise: Collective, algorithm: str = "") -> str:
    """The options by which the command `time` takes a collective, or one algorithm of it."""
    if not promise.moves_data:
        return f"--topology {MACHINE}"
    machines = (*MACHINES, "crossbar")
    runs = (name for name in machines if algorithm in ranked(promise.name, name, SIZES[-1])[0])
    return f"--topology {next(runs, machines[-1]) if algorithm else MACHINE} --size 64MiB"


@cache
def chosen_rows(collective: str) -> Mapping[str, Sequence[tuple[str, str]]]:
    """Of each library that has rules for a collective: row and its own name, by slider's sizes."""
    rows = {}
    for name, library in LIBRARIES.items():
        if collective in library.collectives:
            choices = [choose(name, collective, RANKS, size) for size in SLIDER]
            rows[library.title] = [(choice.row, choice.library_name) for choice in choices]
    return rows


def library_spans(collective: str) -> Iterator[tuple[str, str, str, str]]:
    """What libraries run by size: row, library, its own name, and from which size to which."""
    for title, rows in chosen_rows(collective).items():
        start = 0
        for (row, called), run in groupby(rows):
            end = start + len(list(run)) - 1
            first, last = size_text(SLIDER[start]), size_text(SLIDER[end])
            yield row, title, called, first if start == end else f"{first} to {last}"
            start = end + 1


def vectors_sent(recording: Recording) -> float:
    """The bytes that the busiest rank sends, in vectors."""
    vector = recording.count * recording.dtype.itemsize
    return int(max(recording.counters.bytes_sent[: recording.ranks])) / vector
