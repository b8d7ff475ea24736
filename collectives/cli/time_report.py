"""What is known of a time, as plain values: what `collectives time --json` prints."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from collectives.catalog import Row
from collectives.cli.console import finite
from collectives.cli.show import described
from collectives.cost.bounds.closed import alpha_beta
from collectives.cost.bounds.time_bound import time_bound
from collectives.cost.choose.chunks import Chunks
from collectives.cost.choose.explain import bottleneck, vectors_over_busiest_link, why_best
from collectives.cost.choose.ranking import RankedAlgorithm, Ranking
from collectives.cost.clocks.timing import Timing
from collectives.cost.machines.faults import stall
from collectives.evidence import busbw
from collectives.formats.trace_tracks import phase_times
from collectives.proof.prove import Verdict
from collectives.units import time_text
from collectives.words import plural

if TYPE_CHECKING:
    from collectives.cli.like import Advice

CLOCKS_DIFFER = 2  # the clocks differ so much that the reason is given
ALIKE = 1e-6  # of its seconds: links less apart are as busy
Report = dict[str, Any]


@dataclass(frozen=True)
class Views:
    """One time with all that is reported of it.

    clean: the timing without the faults, if there are any. other: by the other
    clock. chunks: the best number of them.
    """

    timed: RankedAlgorithm
    verdict: Verdict
    advised: Advice | None = None
    clean: Timing | None = None
    other: Timing | None = None
    chunks: Chunks | None = None

    @property
    def timing(self) -> Timing:
        """The timing."""
        return self.timed.timing

    @property
    def plain(self) -> Timing:
        """The timing without the faults."""
        return self.timed.timing if self.clean is None else self.clean


def time_report(views: Views) -> Report:
    """Everything that is known of one time."""
    timed, timing, recording = views.timed, views.timing, views.timing.recording
    size = recording.count * recording.dtype.itemsize
    chunks, ends = views.chunks, isfinite(timing.total)
    bound = time_bound(recording, views.plain.topology, views.plain.costs)
    stalled = None if ends else stall(recording, timing.topology, timing.costs)
    found = described(recording) | {
        "correct": None if recording.collective.promises_nothing else views.verdict.ok,
        "size": size,
        "topology": timing.topology.name,
        "clock": timing.clock,
        "seconds": timing.total,
        "latency_seconds": timed.latency,
        "other_clock": views.other and {"name": views.other.clock, "seconds": views.other.total},
        "without_trouble": views.clean and views.clean.total,
        "stall": stalled and str(stalled),
        "ports_note": _ports_note(timing, views.other.total if views.other else None),
        "phases": _phases(timing),
        "busiest_link": _busiest(timing),
        "dead_links": _dead(timing),
        "late": late_report(timed),
        "idle": _idle(timing),
        **_bandwidths(recording.collective.name, recording.ranks, size, timing.total),
        "closed_form": _closed(views, size),
        "lower_bound": bound and vars(bound),
        "best_chunks": chunks
        and {"chunks": chunks.best, "seconds": chunks.seconds, "closed_form": chunks.closed},
        "limit": bottleneck(timed),
        "library": views.advised and _advice(views.advised),
    }
    report: Report = finite(found)
    return report


def ranking_report(ranking: Ranking, size: int, other: Ranking | None = None) -> Report:
    """Every algorithm with its time, the fastest first; `other` is by the other clock."""
    first = ranking.best.timing
    seconds = {} if other is None else {one.name: one.seconds for one in other.timed}
    found = {
        "collective": first.recording.collective.name,
        "ranks": first.recording.ranks,
        "size": size,
        "topology": first.topology.name,
        "clock": first.clock,
        "algorithms": [_ranked(one, size, seconds.get(one.name)) for one in ranking.timed],
        "left_out": _left_out(ranking.left_out),
        "best": ranking.best.name,
        "reason": why_best(ranking),
        "other_clock": other
        and {
            "name": other.best.timing.clock,
            "best": other.best.name,
            "reason": why_best(other),
            "left_out": _left_out(other.crowded),
        },
    }
    report: Report = finite(found)
    return report


def _left_out(rows: Iterable[tuple[Row, object]]) -> list[Report]:
    """What a ranking leaves out, and why."""
    return [{"algorithm": row.algorithm, "reason": str(why)} for row, why in rows]


def _ranked(timed: RankedAlgorithm, size: int, other: float | None) -> Report:
    timing, recording = timed.timing, timed.timing.recording
    return {
        "algorithm": timed.name,
        "seconds": timed.seconds,
        "other_clock_seconds": other,
        "latency_seconds": timed.latency,
        "steps": recording.counters.steps,
        "ports": recording.counters.ports,
        "ports_note": _ports_note(timing, other),
        "chunks": recording.chunks,
        "parameters": dict(recording.parameters),
        **_bandwidths(recording.collective.name, recording.ranks, size, timing.total),
        "busiest_link": _busiest(timing),
        "limit": bottleneck(timed),
    }


def _phases(timing: Timing) -> list[Report]:
    """Each phase, from its first message's start to its last one's end."""
    return [
        {"name": phase.name, "first_step": phase.first + 1, "last_step": phase.end}
        | {"start": start, "end": end, "seconds": end - start}
        for phase, start, end in phase_times(timing)
    ]


def _busiest(timing: Timing) -> Report | None:
    """The link that would take longest for what it carries; None where nothing ever ends."""
    seconds, topology = timing.link_seconds, timing.topology
    if not isfinite(timing.total) or not seconds.max(initial=0.0) > 0:
        return None
    link = int(seconds.argmax())
    longest, group = float(seconds[link]), topology.group
    return _carried(timing, link) | {
        "bytes": int(timing.shared_bytes[link]),
        "shared_by": int((group == group[link]).sum()),
        "vectors": vectors_over_busiest_link(timing),
        "seconds": longest,
        "share": longest / timing.total,
        "links_alike": len(np.unique(group[seconds >= longest * (1 - ALIKE)])),
        "links": len(topology.capacity),
    }


def _bandwidths(collective: str, ranks: int, size: int, seconds: float) -> Report:
    """algbw and busbw, where nccl-tests have them."""
    known = {*busbw.SIZES, *busbw.OTHER_NAMES}
    if collective not in known or not size or not 0 < seconds < float("inf"):
        return {"algbw": None, "busbw": None}
    return vars(busbw.bandwidths(collective, ranks, size, seconds))


def _closed(views: Views, size: int) -> Report | None:
    closed, timing = views.timed.closed, views.plain
    if closed is None or timing.recording.ranks < 2:
        return None
    latency, bandwidth = alpha_beta(timing.topology, timing.costs)
    return {
        "seconds": closed.seconds(size, latency, bandwidth, timing.costs.gamma),
        "latency": latency,
        "bandwidth": bandwidth,
        "steps": closed.steps,
        "vectors": float(closed.busiest_port),
        "formula": None if closed.formula is None else list(closed.formula),
    }


def _advice(advised: Advice) -> Report:
    choice = advised.choice
    return {
        "name": choice.library,
        "algorithm": choice.library_name,
        "row": choice.row,
        "rule": choice.rule,
        "note": choice.note,
        "machine": advised.machine or None,
        "candidates": [
            {"name": one.name, "seconds": None if one.off else one.seconds, "off": one.off or None}
            for one in advised.candidates
        ],
    }


def late_report(timed: RankedAlgorithm) -> dict[str, Any] | None:
    """Who comes late, by how much, and the seconds that it adds; None where all are in time."""
    delays = {str(rank): by for rank, by in sorted(timed.timing.costs.arrivals.items()) if by}
    return {"ranks": delays, "adds": timed.arrival_delay} if delays else None


def _dead(timing: Timing) -> list[dict[str, Any]]:
    """The dead links over which bytes should pass, and how many."""
    dead = (timing.topology.bandwidth == 0) & (timing.link_bytes > 0)
    return [_carried(timing, link) for link in np.flatnonzero(dead).tolist()]


def _carried(timing: Timing, link: int) -> Report:
    """The ends of a link and the bytes that pass it, or should."""
    src, dst = timing.topology.src[link], timing.topology.dst[link]
    label = timing.topology.label
    return {"from": label(int(src)), "to": label(int(dst)), "bytes": int(timing.link_bytes[link])}


def _idle(timing: Timing) -> dict[str, Any] | None:
    """Seconds without work of each rank, from when it has come; None where the end never does."""
    if not isfinite(timing.total):
        return None
    idle = timing.idle.copy()
    for rank, delay in timing.costs.arrivals.items():
        idle[rank] = max(idle[rank] - delay, 0.0)
    return {
        "most": float(idle.max()),
        "rank": int(idle.argmax()),
        "mean": float(idle.mean()),
        "of_ranks": idle.tolist(),
    }


def _ports_note(timing: Timing, other: float | None) -> str | None:
    """Why the clocks differ: messages that one rank sends or receives in a step.

    other: seconds by the other clock. None where both tell about the same.
    """
    ports, name = timing.recording.counters.ports, timing.recording.algorithm
    if other is None or not (isfinite(timing.total) and isfinite(other)) or ports < 2:
        return None
    locked, flowing = (timing.total, other)[:: 1 if timing.clock == "lockstep" else -1]
    if flowing <= CLOCKS_DIFFER * locked:
        return None
    return (
        f"{name} uses {ports} ports at once: lockstep gives every port the same start-up at once "
        f"({time_text(locked)}), dataflow has {plural(ports, 'message')} of a rank wait for one "
        f"another at one port ({time_text(flowing)})"
    )
