"""How long one algorithm takes, what limits it, and what it is held against."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from typing import TYPE_CHECKING, Any

from collectives.collective import CUSTOM
from collectives.cost import time_facts
from collectives.cost.bounds.closed import alpha_beta
from collectives.cost.bounds.time_bound import TimeBound, time_bound
from collectives.cost.busbw import Bandwidths
from collectives.cost.choose.channels import cards_note, channels_note
from collectives.cost.choose.chunks import Chunks
from collectives.cost.choose.explain import bottleneck
from collectives.cost.choose.ranking import RankedAlgorithm
from collectives.cost.clocks.phase_times import phase_times
from collectives.cost.clocks.timing import Timing
from collectives.cost.machines.faults import stall
from collectives.cost.reached import NoCut, Reached, reached
from collectives.cost.time_facts import percent_text, seconds_text
from collectives.recording.described import described
from collectives.recording.recording import Recording
from collectives.text_lines import Heading, Lines, Paragraph
from collectives.theory.written import alpha_beta_text, readable
from collectives.units import rate_text, size_text, time_text
from collectives.values import finite
from collectives.words import capital, listed, plural, steps_text

if TYPE_CHECKING:
    from collectives.cost.libraries.advice import Advice
    from collectives.proof.prove import Verdict

LEAD = 13  # columns of what stands before
ROUNDED = 1e-6  # of a lower bound: a time less below it equals it


@dataclass(frozen=True)
class TimeReport:
    """One time with all that is known of it.

    clean: the timing without the faults, if there are any. other: by the other clock. chunks: the
    best number of them. advised: why this algorithm is timed.
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
    def recording(self) -> Recording:
        """What is timed."""
        return self.timing.recording

    @property
    def size(self) -> int:
        """Bytes of the vector."""
        return self.recording.count * self.recording.dtype.itemsize

    @property
    def ends(self) -> bool:
        """Whether it does not take for ever."""
        return isfinite(self.timing.total)

    @cached_property
    def bound(self) -> TimeBound | None:
        """The lower bound on the machine without faults."""
        plain = self._plain
        return time_bound(self.recording, plain.topology, plain.costs)

    @cached_property
    def reached(self) -> Reached | NoCut | None:
        """How near it is to what the machine as it is allows; None if the algorithm is wrong."""
        return None if self.correct is False else reached(self.timing)

    @cached_property
    def bandwidths(self) -> Bandwidths | None:
        """algbw and busbw, where nccl-tests have them."""
        return time_facts.bandwidths_of(self.timing, self.size)

    @cached_property
    def busiest(self) -> time_facts.BusiestLink | None:
        """The busiest link."""
        return time_facts.busiest_link(self.timing)

    @cached_property
    def stalled(self) -> str | None:
        """Where the schedule stops for ever."""
        timing = self.timing
        reason = None if self.ends else stall(self.recording, timing.topology, timing.costs)
        return None if reason is None else str(reason)

    @property
    def _plain(self) -> Timing:
        """The timing without the faults."""
        return self.timing if self.clean is None else self.clean

    @property
    def _ports_note(self) -> str | None:
        return time_facts.ports_note(self.timing, self.other.total if self.other else None)

    @property
    def _channels(self) -> str:
        return channels_note(self.recording, self.timing.topology) or cards_note(self.timing)

    @property
    def _closed_seconds(self) -> tuple[float, float, float] | None:
        """Seconds by the closed form, for this latency and bandwidth; None where links differ."""
        closed, plain = self.timed.closed, self._plain
        if closed is None or self.recording.ranks < 2:
            return None
        if plain.topology.channels > 1 and self.recording.setting.channels > 1:
            return None  # a crossbar has one card for each rank
        latency, bandwidth = alpha_beta(plain.topology, plain.costs)
        return closed.seconds(self.size, latency, bandwidth, plain.costs.gamma), latency, bandwidth

    def lines(self) -> Lines:
        """The time, its parts, and what limits it."""
        recording = self.recording
        parts = [recording.title, plural(recording.ranks, "rank")]
        parts += [size_text(self.size)] if recording.collective.moves_data else []
        parts += [f"{name} {value}" for name, value in recording.parameters.items()]
        parts += [f"root {recording.root}"] if recording.collective.rooted else []
        parts += [plural(recording.chunks, "chunk")] if recording.chunks is not None else []
        yield Heading(" · ".join(parts))
        yield from self.timing.topology.describe().splitlines()
        yield ""
        if self.advised is not None:
            yield from self.advised.lines()
        for lead, text in self._findings():
            yield Paragraph(text, lead or " ", LEAD)
        yield ""
        for sentence in filter(None, (bottleneck(self.timed), self._ports_note)):
            yield Paragraph(f"{capital(sentence)}.")

    def _findings(self) -> Iterator[tuple[str, str]]:
        """What is said of the time, and about what."""
        timing, total = self.timing, self.timing.total
        second = f", {seconds_text(self.other.total)} by {self.other.clock}" if self.other else ""
        yield "time", f"{seconds_text(total)} by the {timing.clock} clock{second}"
        if self.clean is not None and isfinite(self.clean.total):
            clean = self.clean.total
            times = f", {total / clean:.3g} times that" if clean and self.ends else ""
            yield "", f"{time_text(clean)} without the faults{times}"
        if self.stalled:
            yield "stalls", self.stalled
        if delays := time_facts.late_ranks(timing):
            yield "late", time_facts.late_text(delays, self.timed.arrival_delay)
        if dead := time_facts.dead_links(timing):
            every = [f"{size_text(link.bytes)} over {link.start} → {link.end}" for link in dead]
            yield "broken", f"cannot pass: {listed(every, time_facts.MOST_LISTED)}"
        if self.bandwidths is not None:
            algbw, busbw = map(rate_text, vars(self.bandwidths).values())
            yield "bandwidth", f"algbw {algbw}, busbw {busbw}"
        if self._channels:
            yield "channels", self._channels
        if self.ends:
            steps = steps_text(self.recording.counters.steps, self.recording.counters.walked)
            yield "latency", f"{seconds_text(self.timed.latency)} in {steps}"
            yield from self._phases()
            nothing = "none: no link carries any bytes"
            yield "busiest link", nothing if self.busiest is None else str(self.busiest)
            yield "idle", self._idle(bool(delays))
        if (closed := self._closed_seconds) is not None:
            yield "closed form", self._closed(*closed)
        yield "lower bound", self._bound()
        if self.reached is not None:
            yield "cut", str(self.reached)
        if self.chunks is not None and isfinite(self.chunks.seconds):
            yield "chunks", self._chunks(self.chunks)

    def _phases(self) -> Iterator[tuple[str, str]]:
        """Each phase with its time, where there are several."""
        lead, every = "phases", list(phase_times(self.timing))
        for phase, start, end in every if len(every) > 1 else ():
            first, last = phase.first + 1, phase.end
            steps = f"step {first}" if first == last else f"steps {first}-{last}"
            span = f"{seconds_text(end - start)}, {steps}"
            if start and (self.timing.clock == "dataflow" or lead):  # others follow
                span += f", from {seconds_text(start)} on"
            yield lead, f"{phase.name}: {span}"
            lead = ""

    def _idle(self, delayed: bool) -> str:
        """Which rank waits most, and how long all do."""
        idle, total = time_facts.idle_seconds(self.timing), self.timing.total
        longest, mean = float(idle.max()), float(idle.mean())
        if longest <= 1e-9 * total:
            return "none"
        share = f"{percent_text(longest / total)} of the time"
        text = f"at most {time_text(longest)}, {share} (rank {int(idle.argmax())}); "
        text += f"mean {time_text(mean)}, {percent_text(mean / total)}"
        return f"{text}; a late rank counts from its start" if delayed else text

    def _closed(self, seconds: float, latency: float, bandwidth: float) -> str:
        closed, recording = self.timed.closed, self.recording
        assert closed is not None
        texts = [alpha_beta_text(str(closed.steps), f"{float(closed.busiest_port):.4g} S")]
        if closed.formula is not None:
            texts.append(alpha_beta_text(*map(readable, closed.formula)))
        simple = " = ".join(dict.fromkeys(texts))
        where = f"α = {time_text(latency)}, 1/β = {rate_text(bandwidth)}"
        switched = recording.nodes > recording.ranks and recording.helpers == "switch"
        ports = ", and a port of a switch for each" if switched else ""
        total = seconds_text(seconds)
        return (
            f"{total} = {simple} on a crossbar with the link speed of neighboring ranks, "
            f"{where}{ports}"
        )

    def _bound(self) -> str:
        bound, total = self.bound, self.timing.total
        if bound is None:
            if self.recording.collective.name == CUSTOM.name:
                return "a custom collective promises nothing, so that it has none"
            return "none of messages between ranks holds where switches or servers take part"
        steps = f"{plural(bound.steps, 'step')} of {time_text(bound.latency)}"
        steps += f" with {bound.ports} ports a rank" if bound.ports > 1 else ""
        moved = f", and {size_text(bound.bytes)} at {rate_text(bound.bandwidth)}"
        text = f"{seconds_text(bound.seconds)} (at least {steps}{moved if bound.bytes else ''})"
        if self.correct is False:
            return f"{text}; not compared: the algorithm is wrong"
        if total and self.ends and bound.seconds:
            times = total / bound.seconds
            near = 1 - ROUNDED <= times < 1.01
            verdict = "this is within 1 % of it" if near else f"this takes {times:.3g} times that"
            return f"{text}; {verdict}"
        return text

    def _chunks(self, best: Chunks) -> str:
        now, total = self.recording.chunks, self.timing.total
        text = f"best {best.best}: {seconds_text(best.seconds)}"
        if total and self.ends and best.seconds and now != best.best:
            text += f", {total / best.seconds:.3g} times faster than {now}"
        return text if best.closed is None else f"{text}; the closed form says {best.closed:.4g}"

    @property
    def correct(self) -> bool | None:
        """Whether the algorithm is right; None where nothing is promised."""
        return None if self.recording.collective.promises_nothing else self.verdict.ok

    def as_json(self) -> dict[str, Any]:
        """The same as values."""
        timed, timing, second, chunks = self.timed, self.timing, self.other, self.chunks
        delays = {str(rank): by for rank, by in time_facts.late_ranks(timing).items()}
        values: dict[str, Any] = described(self.recording) | {
            "correct": self.correct,
            "size": self.size,
            "topology": timing.topology.name,
            "clock": timing.clock,
            "seconds": timing.total,
            "latency_seconds": timed.latency,
            "other_clock": second and {"name": second.clock, "seconds": second.total},
            "without_trouble": self.clean and self.clean.total,
            "stall": self.stalled,
            "ports_note": self._ports_note,
            "phases": [
                {"name": phase.name, "first_step": phase.first + 1, "last_step": phase.end}
                | {"start": start, "end": end, "seconds": end - start}
                for phase, start, end in phase_times(timing)
            ],
            "busiest_link": self.busiest and self.busiest.as_json(),
            "dead_links": [link.as_json() for link in time_facts.dead_links(timing)],
            "late": {"ranks": delays, "adds": timed.arrival_delay} if delays else None,
            "idle": time_facts.idle_values(timing) if self.ends else None,
            **time_facts.bandwidth_values(self.bandwidths),
            "closed_form": self._closed_values(),
            "lower_bound": self.bound and dict(vars(self.bound)),
            "cut": self.reached and self.reached.as_json(),
            "best_chunks": chunks
            and {"chunks": chunks.best, "seconds": chunks.seconds, "closed_form": chunks.closed},
            "channels_note": self._channels or None,
            "limit": bottleneck(timed),
            "library": self.advised and self.advised.as_json(),
        }
        plain: dict[str, Any] = finite(values)
        return plain

    def _closed_values(self) -> dict[str, Any] | None:
        terms, closed = self._closed_seconds or (None, None, None), self.timed.closed
        if closed is None or self.recording.ranks < 2:
            return None
        return dict(zip(("seconds", "latency", "bandwidth"), terms, strict=True)) | {
            "steps": closed.steps,
            "vectors": float(closed.busiest_port),
            "formula": None if closed.formula is None else list(closed.formula),
        }
