"""A communicator that shrinks: what the ranks that remain run, how long it takes, what idles."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from collectives.catalog import ROWS, Row
from collectives.cost.choose.channels import channels_there
from collectives.cost.choose.setup import resized
from collectives.cost.clocks.costs import Costs
from collectives.cost.clocks.timing import Timing
from collectives.cost.like import advice
from collectives.cost.machines.paths import Integers
from collectives.cost.shrunk_machine import BY_RANK, nodes_of, uneven_rings, without_ranks
from collectives.cost.time_facts import MOST_LISTED, seconds_text
from collectives.cost.where import Where, where_of
from collectives.errors import BadInput
from collectives.proof.prove import Verdict, prove, refuse_wrong
from collectives.recording.recorder import record
from collectives.recording.recording import Recording, check_recording
from collectives.text_lines import Heading, Lines, Paragraph
from collectives.units import size_in_bytes, size_text
from collectives.values import items_of, whole
from collectives.words import listed, plural, runs

LEAD = 13  # columns of what stands before
MOST_PROVED = 1 << 20  # rows of a schedule that is proved in seconds


@dataclass(frozen=True, repr=False)
class Shrunk:
    """A collective before and after some ranks leave its communicator.

    Attributes
    ----------
    before, after : Timing
        On all ranks, and on those that remain, renumbered in order: of another algorithm that
        accepts their number, where this one does not.
    gone : tuple of int
        The ranks that leave.
    refused : str
        Why the algorithm does not run on those that remain; else empty.
    verdict : Verdict or None
        The proof of the schedule after; None of one so large that it would take long.
    idle : tuple of str
        Cards, switches or links between those that remain, which carried data and do not now.
    library : str
        What NCCL would run on those that remain, where its model knows.
    """

    before: Timing
    after: Timing
    gone: tuple[int, ...]
    refused: str
    verdict: Verdict | None
    idle: tuple[str, ...]
    library: str = ""

    def __repr__(self) -> str:
        """One line: the algorithms and their times."""
        times = " → ".join(self._time(moment) for moment in (self.before, self.after))
        return f"<Shrunk: {times}, without {self._gone}>"

    def lines(self) -> Lines:
        """What changes, for people."""
        before, after = self.before, self.after
        name, size = before.recording.title, before.recording.count
        yield Heading(f"{name} · {size_text(size)} · without {self._gone}")
        yield from before.topology.describe().splitlines()
        yield ""
        for lead, text in self._findings():
            yield Paragraph(text, lead, LEAD)
        if self.library:
            yield ""
            yield Paragraph(f"On the {plural(after.recording.ranks, 'rank')} {self.library}.")

    def _findings(self) -> Iterable[tuple[str, str]]:
        before, after = self.before.recording, self.after.recording
        yield "ranks", f"{before.ranks:,} → {after.ranks:,}, renumbered in order"
        if self.refused:
            how = "without it" if after.algorithm == before.algorithm else "instead"
            yield "refused", f"{self.refused}; {after.title} runs {how}"
        for lead, timing in (("before", self.before), ("after", self.after)):
            yield lead, f"{self._time(timing)} by the {timing.clock} clock{_counts(timing)}"
        if self.verdict is not None:
            yield "proof", f"the schedule of the {plural(after.ranks, 'rank')} is right"
        if folded := _folded(after):
            who = listed([str(rank) for rank in folded], MOST_LISTED)
            yield (
                "fold",
                (
                    f"{plural(after.ranks, 'rank')}, no power of two: of the new ranks {who} rest "
                    "between sending data at the start and receiving the result at the end"
                ),
            )
        if _channels(self.before) < channels_there(before, self.before.topology):
            yield (
                "channels",
                (
                    "1 in both times: of nodes that keep different numbers of ranks only rings of "
                    "all-reduce, all-gather and reduce-scatter are modeled in several"
                ),
            )
        yield "idle", listed(self.idle, MOST_LISTED) if self.idle else "nothing that carried data"

    def as_json(self) -> dict[str, Any]:
        """The same as values."""
        every = {"before": self.before, "after": self.after}
        return {
            "without": list(self.gone),
            **{name: _values(timing) for name, timing in every.items()},
            "refused": self.refused or None,
            "correct": self.verdict and self.verdict.ok,
            "folded": _folded(self.after.recording),
            "idle": list(self.idle),
            "library": self.library or None,
        }

    @property
    def _gone(self) -> str:
        return f"{'rank' if len(self.gone) == 1 else 'ranks'} {', '.join(runs(self.gone, '-'))}"

    @staticmethod
    def _time(timing: Timing) -> str:
        return f"{timing.recording.algorithm} {seconds_text(timing.total)}"


def shrunk(
    recording: Recording,
    without: Sequence[int],
    topology: Any = "crossbar",
    *,
    size: int | str | None = None,
    clock: str = "lockstep",
    costs: Costs | None = None,
    **parameters: object,
) -> Shrunk:
    """What ranks run after others have left their communicator, as by ncclCommShrink.

    The machine stays: messages of others still pass the place of a rank that has left.

    Parameters
    ----------
    recording : Recording
        An algorithm of the catalog on all ranks.
    without : sequence of int
        The ranks that leave.
    topology : str or Topology
        The machine of all ranks: a name that `collectives.topology` knows, or a machine.
    size : int or str, optional
        Bytes of the vector, such as "1GiB"; by default the recording's own.
    clock : str
        "lockstep" or "dataflow"; see `collectives.time`.
    costs : Costs, optional
        As of `collectives.time`.
    **parameters
        Parameters of the machine, such as latency="5us".

    Returns
    -------
    Shrunk
        `before` and `after` are timings; `lines()` says what changes.

    Raises
    ------
    BadInput
        For ranks that cannot leave, and for an unknown machine or size.

    Examples
    --------
    >>> from collectives import record
    >>> shrunk(record("all_reduce", "ring", ranks=8), [3], "hgx-h100", size="1GiB")
    <Shrunk: ring 4.19 ms → ring 4.102 ms, without rank 3>
    """
    check_recording(recording)
    if size is not None:
        recording = resized(recording, size_in_bytes(size))
    where = where_of(topology, clock, costs, parameters)
    return shrink(recording, items_of("without", without, "[3]"), where)


def shrink(recording: Recording, without: Iterable[object], where: Where) -> Shrunk:
    """The same where the machine is known."""
    row, setup = recording.row, where.setup()
    if row is None or recording.counts is not None:
        raise BadInput(
            "without: only an algorithm of the catalog, without sizes of its chunks, makes a "
            "schedule for those that remain; try: all-reduce ring"
        )
    gone = _gone(recording, without)
    left = np.delete(np.arange(recording.ranks), gone)
    machine = setup.machine(recording)
    there = replace(setup, machine=lambda _: without_ranks(machine, gone))
    root = int(np.searchsorted(left, recording.root))
    name, ranks, refused = recording.collective.name, len(left), ""
    size = recording.count * recording.dtype.itemsize
    small = 8 * ranks if recording.collective.moves_data else 0
    try:
        row.setting(ranks, root, recording.chunks, recording.given)
    except BadInput as problem:
        refused = str(problem).partition("; try:")[0]
        mild = "channels" in recording.given and row.accepts(ranks)
        accepting = row if mild else _accepting(row, ranks)
        ours = record(name, accepting.algorithm, ranks=ranks, root=root)
    else:
        chunks, chosen = recording.chunks, recording.given
        ours = record(name, row.algorithm, ranks=ranks, root=root, chunks=chunks, parameters=chosen)
    run = uneven_rings(resized(ours, small), machine, left) or ours
    verdict = prove(resized(run, small)) if run.counters.rows <= MOST_PROVED else None
    if verdict is not None:
        refuse_wrong(verdict)
    after = there.time(resized(run, size))
    uneven = len({len(node) for node in nodes_of(machine, left)}) > 1
    before = replace(setup, as_asked=uneven and row.in_channels not in BY_RANK).time(recording)
    choice = _library(name, machine, left, size, where)
    return Shrunk(before, after, gone, refused, verdict, _idle(before, after, gone), choice)


def _accepting(row: Row, ranks: int) -> Row:
    """The algorithm this one was made to beat, the classic one, or another that accepts them."""
    rows = [fit for fit in ROWS if fit.collective == row.collective and fit.accepts(ranks)]
    return min(rows, key=lambda fit: (fit.algorithm not in row.against.split(), not fit.classic))


def _gone(recording: Recording, without: Iterable[object]) -> tuple[int, ...]:
    """The ranks that leave, in order; raises BadInput."""
    ranks = recording.ranks
    gone = [whole("without: rank", rank, 0, ranks - 1) for rank in without]
    for rank in gone:
        if gone.count(rank) > 1:
            raise BadInput(f"without: rank {rank} is given twice; leave one of them out")
        if recording.collective.rooted and rank == recording.root:
            near = next((rank for rank in range(ranks) if rank not in gone), 0)
            raise BadInput(f"without: rank {rank} is the root, which must stay; try: root {near}")
    if not 0 < len(gone) < ranks:
        rule = "names no rank" if not gone else f"leaves none of {plural(ranks, 'rank')}"
        raise BadInput(f"without: {rule}; try: {ranks - 1 if ranks > 1 else 'more ranks'}")
    return tuple(sorted(gone))


def _idle(before: Timing, after: Timing, gone: tuple[int, ...]) -> tuple[str, ...]:
    """Nodes, or else links, that carried data before; not those of the ranks that leave."""
    topology = before.topology
    used, now = before.link_bytes > 0, after.link_bytes > 0
    ends = np.stack([topology.src, topology.dst])
    silent = np.setdiff1d(ends[:, used], np.append(ends[:, now], gone))
    if len(silent):
        return tuple(topology.label(node) for node in silent.tolist())
    links = np.flatnonzero(used & ~now & ~np.isin(ends, gone).any(axis=0))
    return tuple(topology.link_label(link) for link in links.tolist())


def _library(name: str, machine: Any, left: Integers, size: int, where: Where) -> str:
    """What NCCL would run on the ranks that remain; empty where no model says."""
    if where.kind is None or not where.kind.tuned:
        return ""
    if "gpus" in where.settings:
        sizes = sorted({len(node) for node in nodes_of(machine, left)})
        if len(sizes) > 1:
            kept = listed([str(size) for size in sizes])
            return f"NCCL's choice is not modeled: nodes keep {kept} GPUs"
        cards = min(int(where.settings["nics"]), sizes[0])
        where = replace(where, given={**where.given, "gpus": sizes[0], "nics": cards})
    try:
        return str(advice("nccl", name, len(left), size, where).choice)
    except BadInput:
        return ""


def _folded(recording: Recording) -> list[int]:
    """Ranks beyond a power of two that rest from the second step to the one before the last.

    None of an algorithm whose ranks rest so on a power of two as well: such as leaves of a tree.
    """
    ranks, row = recording.ranks, recording.row
    resting = [] if row is None or ranks & (ranks - 1) == 0 else _resting(recording)
    above = 1 << ranks.bit_length()
    if row is None or not resting or not row.accepts(above, recording.given):
        return resting
    whole_one = record(
        recording.collective.name,
        row.algorithm,
        ranks=above,
        root=recording.root,
        chunks=recording.chunks,
        parameters=recording.given,
    )
    return [] if _resting(whole_one) else resting


def _resting(recording: Recording) -> list[int]:
    """Ranks that are busy in the first and the last step, and in none between."""
    if len(recording.steps) < 3:
        return []
    busy = [{*step.src.tolist(), *step.dst.tolist()} for step in recording.steps]
    resting = set(range(recording.ranks)).difference(*busy[1:-1])
    return sorted(resting & busy[0] & busy[-1])


def _counts(timing: Timing) -> str:
    recording = timing.recording
    steps, sent = plural(recording.counters.steps, "step"), size_text(max(recording.bytes_sent))
    side = "" if (channels := _channels(timing)) == 1 else f" in {channels} channels"
    return f", {steps}{side}, at most {sent} sent by a rank"


def _channels(timing: Timing) -> int:
    recording = timing.recording
    if recording.row is None:  # rings on uneven nodes
        return recording.chunk_count // recording.ranks
    return recording.setting.channels


def _values(timing: Timing) -> dict[str, Any]:
    recording = timing.recording
    return {
        "algorithm": recording.algorithm,
        "ranks": recording.ranks,
        "channels": _channels(timing),
        "steps": recording.counters.steps,
        "seconds": timing.total,
        "clock": timing.clock,
    }
