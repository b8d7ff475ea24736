"""The counters beside the picture: steps, data moved and time in every state, lower bounds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeVar

import numpy as np

from animations.phrases import Phrases, phrases
from animations.story.setup_times import message_figures, rates
from collectives.cost.bounds.time_bound import time_bound
from collectives.cost.clocks.timing import Timing
from collectives.cost.machines.named import DEFAULT
from collectives.cost.machines.topology import Topology
from collectives.recording.recording import Recording
from collectives.units import rate_text, size_beside, time_text
from collectives.words import shortened

LONGEST_LABEL, LONGEST_NAME = 36, 24  # letters, so that the numbers have room beside them
DIGITS = 3  # of times
T = TypeVar("T", int, float)


@dataclass(frozen=True)
class CounterRow:
    """One row: its value and its text in each state, the start included.

    Values are numbers, bytes or seconds. bound, bound_text: what no algorithm can beat; None and
    nothing where there is no such number. ends: whether the last state is the end.
    """

    label: str
    values: tuple[float, ...]
    texts: tuple[str, ...]
    bound: float | None
    bound_text: str
    ends: bool = True

    def unfinished(self, states: int) -> CounterRow:
        """The row of a schedule that is drawn until its mistake is seen: nothing to compare."""
        more = states - len(self.values)
        values, texts = self.values + more * self.values[-1:], self.texts + more * self.texts[-1:]
        return CounterRow(self.label, values, texts, None, "", ends=False)

    def text(self, step: int) -> str:
        """Now / this algorithm / lower bound."""
        parts = (self.texts[step], self.texts[-1] if self.ends else "", self.bound_text)
        return " / ".join(part for part in parts if part)


def counter_rows(
    steps: list[int], busiest: list[int], timing: Timing, language: str = "en"
) -> tuple[CounterRow, ...]:
    """The rows: steps, what has gone through the busiest port, and time.

    steps: steps so far in which a message traveled, state by state. busiest: through the port that
    has sent or received most so far, in bytes; in messages where the collective moves no data.
    """
    say, recording = phrases(language), timing.asked
    bound = recording.bound
    label = say(
        "counters.steps_that_send" if recording.counters.walked > steps[-1] else "counters.steps"
    )
    if bound.holds:
        label = say("counters.with_ports", label=label, ports=say.plural(bound.ports, "port"))
    least_steps, least_port = (bound.steps, bound.busiest_port) if bound.holds else (None, None)
    if recording.collective.moves_data:
        text = partial(size_beside, whole=recording.count * recording.dtype.itemsize)
        port_row = _row(say("counters.busiest_port"), busiest, text, least_port)
    else:
        port_row = _row(say("counters.busiest_port_messages"), busiest, str, None)
        port_row = replace(port_row, bound_text="–" if bound.holds else "")
    return (_row(label, steps, str, least_steps), port_row, time_row(timing, language))


def _row(label: str, values: Sequence[T], text: Callable[[T], str], bound: T | None) -> CounterRow:
    bound_text = "" if bound is None else text(bound)
    return CounterRow(label, tuple(values), tuple(map(text, values)), bound, bound_text)


def time_row(timing: Timing, language: str = "en") -> CounterRow:
    """The time so far in each state, as the clock has it, to the last digit.

    The lower bound is that of `time_bound`: so many steps, each of at least the latency between
    two ranks, and the bytes of the busiest rank. Lockstep cannot beat the sum. A step in which a
    message travels takes that latency and then as long as the bytes of each of its senders take to
    leave, and those of its receivers to arrive, so all steps together take that latency once for
    each, and there are at least as many as the bound of steps says; and as long as the bytes of any
    port take, so also of the busiest, and these are at least as many as the bound says. There is
    none where switches or servers take part.
    """
    recording, machine = timing.recording, timing.topology
    bound = time_bound(recording, machine, timing.costs)
    values = [0.0, *timing.step_end.tolist()]
    text = partial(time_text, digits=DIGITS)
    label = _time_label(recording, machine, phrases(language))
    return _row(label, values, text, bound and bound.seconds)


def machine_name(machine: Topology) -> str:
    """The name of a machine that somebody chose; nothing for the one of all that chose none."""
    if machine.name == DEFAULT:
        return ""
    return shortened(machine.name, lambda line: len(line) <= LONGEST_NAME)


def _time_label(recording: Recording, machine: Topology, say: Phrases) -> str:
    """What is timed: the machine, and what every message takes, where all take the same."""
    name = machine_name(machine) or machine.name
    costs = _message_costs(recording, machine)
    of_ranks = machine.lanes[np.minimum(machine.src, machine.dst) < machine.ranks]
    if machine.name == DEFAULT and not machine.shared and int(of_ranks.max()) == 1:
        return say("counters.time_at", costs=costs) if costs else say("counters.time")
    channels = recording.setting.channels
    if channels > 1 and machine.channels > 1:
        label = say("counters.time_in_channels", machine=name, channels=channels)
        return label if len(label) <= LONGEST_LABEL else say("counters.time_on", machine=name)
    label = say("counters.time_on_at", machine=name, costs=costs)
    fits = costs and len(label) <= LONGEST_LABEL
    return label if fits else say("counters.time_on", machine=name)


def _message_costs(recording: Recording, machine: Topology) -> str:
    """Latency and bandwidth between all nodes that exchange messages, or several bandwidths."""
    figures = message_figures(recording, machine)
    if figures is None:
        *faster, slowest = [rate_text(rate) for rate in rates(recording, machine)] or [""]
        return "/".join([*(rate.partition(" ")[0] for rate in faster), slowest])
    return f"{time_text(figures[0], DIGITS)} + {rate_text(figures[1])}"
