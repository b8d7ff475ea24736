"""What is known of a time, as plain values: what `collectives time --json` prints."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np

from collectives.catalog import Row
from collectives.cli.like import Advice
from collectives.cli.timing_notes import dead_report, idle_report, late_report, ports_note
from collectives.cost.bounds.closed import alpha_beta
from collectives.cost.bounds.time_bound import time_bound
from collectives.cost.choose.chunks import Chunks
from collectives.cost.choose.explain import bottleneck, vectors_over_busiest_link, why_best
from collectives.cost.choose.ranking import RankedAlgorithm, Ranking
from collectives.cost.clocks.timing import Timing
from collectives.cost.machines.faults import stall
from collectives.evidence import busbw
from collectives.recording.phases import phases

MOST_PHASED = 1 << 14  # steps that are put into phases
ALIKE = 1e-6  # of its seconds: links less apart are as busy
Report = dict[str, Any]


@dataclass(frozen=True)
class Views:
    """All that is told of one time.

    clean: the timing without the trouble, if there is any. other: the other clock's name and
    time. chunks: the best number of them.
    """

    timed: RankedAlgorithm
    advised: Advice | None = None
    clean: Timing | None = None
    other: tuple[str, float] | None = None
    chunks: Chunks | None = None

    @property
    def timing(self) -> Timing:
        """The timing."""
        return self.timed.timing

    @property
    def plain(self) -> Timing:
        """The timing without the trouble."""
        return self.timed.timing if self.clean is None else self.clean


def report(views: Views) -> Report:
    """Everything that is known of one time."""
    timed, timing, recording = views.timed, views.timing, views.timing.recording
    size = recording.count * recording.dtype.itemsize
    counted = recording.counters
    stalled = None
    if not isfinite(timing.total):
        found = stall(recording, timing.topology, timing.costs)
        stalled = None if found is None else str(found)
    return {
        "collective": recording.collective.name,
        "algorithm": recording.algorithm,
        "ranks": recording.ranks,
        "root": recording.root,
        "nodes": recording.nodes,
        "size": size,
        "chunks": recording.chunks,
        "parameters": dict(recording.parameters),
        "topology": timing.topology.name,
        "clock": timing.clock,
        "seconds": _finite(timing.total),
        "latency_seconds": _finite(timed.latency),
        "other_clock": _pair(views.other),
        "without_trouble": None if views.clean is None else _finite(views.clean.total),
        "stall": stalled,
        "steps": counted.steps,
        "messages": counted.messages,
        "ports": counted.ports,
        "ports_note": ports_note(timing, None if views.other is None else views.other[1]),
        "phases": _phases(timing),
        "busiest_link": _busiest(timing),
        "dead_links": dead_report(timing),
        "late": late_report(timed),
        "idle": idle_report(timing),
        **_bandwidths(recording.collective.name, recording.ranks, size, timing.total),
        "closed_form": _closed(views, size),
        "lower_bound": _least(views.plain),
        "best_chunks": _chunks(views.chunks),
        "limit": bottleneck(timed),
        "library": None if views.advised is None else _advice(views.advised),
    }


def ranking_report(ranking: Ranking, size: int, other: Ranking | None = None) -> Report:
    """Every algorithm with its time, the fastest first; `other` is by the other clock."""
    first = ranking.best.timing
    seconds = {} if other is None else {one.name: one.seconds for one in other.timed}
    return {
        "collective": first.recording.collective.name,
        "ranks": first.recording.ranks,
        "size": size,
        "topology": first.topology.name,
        "clock": first.clock,
        "algorithms": [_ranked(one, size, seconds.get(one.name)) for one in ranking.timed],
        "left_out": _left_out(ranking.left_out),
        "best": ranking.best.name,
        "reason": why_best(ranking),
        "other_clock": None
        if other is None
        else {
            "name": other.best.timing.clock,
            "best": other.best.name,
            "reason": why_best(other),
            "left_out": _left_out(other.crowded),
        },
    }


def _left_out(rows: Iterable[tuple[Row, object]]) -> list[Report]:
    """What a ranking leaves out, and why."""
    return [{"algorithm": row.algorithm, "reason": str(why)} for row, why in rows]


def _ranked(timed: RankedAlgorithm, size: int, other: float | None) -> Report:
    timing, recording = timed.timing, timed.timing.recording
    return {
        "algorithm": timed.name,
        "seconds": _finite(timed.seconds),
        "other_clock_seconds": None if other is None else _finite(other),
        "latency_seconds": _finite(timed.latency),
        "steps": recording.counters.steps,
        "ports": recording.counters.ports,
        "ports_note": ports_note(timing, other),
        "chunks": recording.chunks,
        "parameters": dict(recording.parameters),
        **_bandwidths(recording.collective.name, recording.ranks, size, timing.total),
        "busiest_link": _busiest(timing),
        "limit": bottleneck(timed),
    }


def _phases(timing: Timing) -> list[Report]:
    """Each phase, from its first message's start to its last one's end."""
    if len(timing.step_start) > MOST_PHASED:
        return []
    found = []
    for phase in phases(timing.recording):
        start = float(timing.step_start[phase.first : phase.end].min())
        end = float(timing.step_end[phase.first : phase.end].max())
        found.append(
            {
                "name": phase.name,
                "first_step": phase.first + 1,
                "last_step": phase.end,
                "start": _finite(start),
                "end": _finite(end),
                "seconds": _finite(end - start) if isfinite(start) else None,
            }
        )
    return found


def _busiest(timing: Timing) -> Report | None:
    """The link that would take longest for what it carries; None where nothing ever ends."""
    seconds, topology = timing.link_seconds, timing.topology
    if not isfinite(timing.total) or not seconds.max(initial=0.0) > 0:
        return None
    link = int(seconds.argmax())
    most = float(seconds[link])
    return {
        "from": topology.label(int(topology.src[link])),
        "to": topology.label(int(topology.dst[link])),
        "bytes": int(timing.link_bytes[link]),
        "vectors": vectors_over_busiest_link(timing),
        "seconds": most,
        "share": most / timing.total,
        "links_alike": int((seconds >= most * (1 - ALIKE)).sum()),
        "links": topology.links,
    }


def _bandwidths(collective: str, ranks: int, size: int, seconds: float) -> Report:
    """algbw and busbw, where nccl-tests have them."""
    known = {*busbw.SIZES, *busbw.OTHER_NAMES}
    if collective not in known or not size or not 0 < seconds < float("inf"):
        return {"algbw": None, "busbw": None}
    found = busbw.bandwidths(collective, ranks, size, seconds)
    return {"algbw": found.algbw, "busbw": found.busbw}


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


def _least(timing: Timing) -> Report | None:
    least = time_bound(timing.recording, timing.topology, timing.costs)
    if least is None:
        return None
    return {
        "seconds": _finite(least.seconds),
        "steps": least.steps,
        "latency": least.latency,
        "bytes": least.sent,
        "bandwidth": _finite(least.bandwidth),
    }


def _chunks(chunks: Chunks | None) -> Report | None:
    if chunks is None:
        return None
    return {"chunks": chunks.best, "seconds": _finite(chunks.seconds), "closed_form": chunks.closed}


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


def _pair(other: tuple[str, float] | None) -> Report | None:
    return None if other is None else {"name": other[0], "seconds": _finite(other[1])}


def _finite(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None
