"""How long an algorithm takes by alpha, beta and gamma where nothing is in the way: closed forms.

On a crossbar every node has a port out and a port in, all alike. A step then takes alpha and
the bytes of its busiest port: `steps` alpha + `busiest_port` S beta + `added` S gamma in all. The
formula of the busiest port is the catalog row's; where it has none, the steps are counted.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from collectives.cost.clocks.costs import Costs, adding_rows
from collectives.cost.machines.paths import Integers
from collectives.cost.machines.topology import Topology
from collectives.recording.counters import each_slot_once
from collectives.recording.recording import Recording, check_recording
from collectives.schedule.unique import RowGroups, numbered
from collectives.theory import Case, Form
from collectives.theory.written import alpha_beta_text, readable
from collectives.values import not_negative


@dataclass(frozen=True, repr=False)
class ClosedForm:
    """Steps, and vectors through the busiest port of every step, added up, and that it adds.

    formula: the same for any number of ranks, in the letters of `theory`, where it is known.
    """

    steps: int
    busiest_port: Fraction
    added: Fraction | None = None
    formula: tuple[str, str] | None = None

    def __repr__(self) -> str:
        """One line: the formula, for this number of ranks and for any."""
        return f"<ClosedForm: {self.text}>"

    def _repr_html_(self) -> str:
        from collectives.notebook_results import closed_form_html

        return closed_form_html(self)

    @property
    def text(self) -> str:
        """The time as a formula, for this number of ranks and, where it is known, for any.

        >>> ClosedForm(14, Fraction(7, 4), None, ("2*(N-1)", "2*(N-1)/N*S")).text
        '14 α + 1.75 S β = 2 (N-1) α + 2 (N-1)/N S β'
        """
        added = "0" if self.added is None else f"{float(self.added):.4g} S"
        texts = [alpha_beta_text(str(self.steps), f"{float(self.busiest_port):.4g} S", added)]
        if self.formula is not None and not self.added:
            texts.append(alpha_beta_text(*map(readable, self.formula)))
        return " = ".join(dict.fromkeys(texts))

    def seconds(
        self, size: int | float, latency: float, bandwidth: float, gamma: float = 0.0
    ) -> float:
        """The time for a vector of `size` bytes; raises BadInput for what is no size.

        >>> ClosedForm(6, Fraction(3, 2)).seconds(50_000_000, 1e-6, 50e9)
        0.001506
        """
        not_negative("size", size, "bytes")
        moved = float(self.busiest_port * Fraction(size)) / bandwidth
        return self.steps * latency + moved + float(self.added or 0) * size * gamma


def closed_form(recording: Recording, additions: bool = False) -> ClosedForm | None:
    """What a recording costs by its closed form, on a crossbar of ports that are all alike.

    A switch has a port for every other node, servers have one each, as ranks. Chunks that differ
    by an element, since their number does not divide the count, are taken as equal.

    Parameters
    ----------
    recording : Recording
        What is timed.
    additions : bool
        Whether the form also says what is added, for gamma.

    Returns
    -------
    ClosedForm or None
        Steps, and vectors through the busiest ports; None where chunks differ in size by plan,
        where a routing table loads ports unevenly, whose shares then change within a step, and,
        with `additions`, where some of it is added while more is on its way: then the time is not
        a sum.

    References
    ----------
    Hockney, The communication challenge for MPP, Parallel Computing 20(3), 1994.

    Examples
    --------
    >>> from collectives import record
    >>> form = closed_form(record("all_reduce", "ring", ranks=8))
    >>> form.steps, form.busiest_port, form.formula
    (14, Fraction(7, 4), ('2*(N-1)', '2*(N-1)/N*S'))
    >>> form.seconds(50_000_000, latency=1e-6, bandwidth=50e9)
    0.001764
    """
    check_recording(recording)
    if recording.counts is not None and len(set(recording.counts)) > 1:
        return None
    if recording.collective.routed and not (recording.row and recording.row.form.port_formula):
        return None
    chunk_count = max(1, recording.chunk_count)
    ones = np.ones(chunk_count, np.intp)
    case = Case(recording.ranks, ones, recording.root, 1, recording.parameters)
    known = by_formula(recording.row.form, case) if recording.row is not None else None
    if known is not None and not additions:
        return known
    ports = recording.nodes if recording.helpers == "server" else recording.ranks
    added: int | None = 0
    if additions:
        steps, port, added = _walked(recording, ports)
    else:
        steps, port = _sent(recording, ports)
    if not recording.collective.moves_data:
        port = added = 0
    if added is None:
        return None
    more = Fraction(added, chunk_count) if additions else None
    return ClosedForm(steps, Fraction(port, chunk_count), more, known.formula if known else None)


def by_formula(form: Form, case: Case) -> ClosedForm | None:
    """The closed form's own values, for chunks of one byte; None where it has no formula."""
    form = form.of(case)
    port = form.port_bytes(case)
    if port is None or form.port_formula is None:
        return None
    formula = form.steps, form.port_formula
    return ClosedForm(form.step_count(case), Fraction(port, case.S), None, formula)


def alpha_beta(topology: Topology, costs: Costs) -> tuple[float, float]:
    """Latency and bandwidth between ranks that are next to each other, of the slowest such pair.

    >>> from collectives.cost.machines import topology
    >>> alpha_beta(topology("hgx-h100", 8), Costs())
    (1e-06, 450000000000.0)
    """
    if topology.ranks < 2:
        return costs.latency, float("inf")
    rank = np.arange(topology.ranks - 1)
    paths = topology.paths(rank, rank + 1)
    latency = float(paths.total(topology.latency).max()) + costs.latency
    bandwidth = float(paths.minimum(topology.bandwidth).min())
    if costs.loggp is None:
        return latency, bandwidth
    model = costs.loggp
    return latency + model.L + 2 * model.o - model.G, min(bandwidth, 1 / max(model.G, 1e-300))


def _sent(recording: Recording, ports: int) -> tuple[int, int]:
    """Steps, and chunks through the busiest of the first `ports` nodes of each."""
    steps = port = 0
    nodes = recording.nodes
    for step in recording.steps:
        away = step.src != step.dst
        if not away.any():
            continue
        steps += 1
        links, link_of_row = numbered((step.src * nodes + step.dst)[away], nodes * nodes)
        if len(links) < len(link_of_row):
            step = each_slot_once(step, RowGroups(link_of_row))
        counts = step.count[away]
        port += max(
            int(np.bincount(end[away], counts, nodes)[:ports].max()) for end in (step.src, step.dst)
        )
    return steps, port


def _walked(recording: Recording, ports: int) -> tuple[int, int, int | None]:
    """Steps, chunks through the busiest of the first `ports` nodes of each, chunks it adds.

    The last is None where additions overlap with what is sent.
    """
    steps = port = added = 0
    separate = True
    full = np.zeros((recording.nodes, recording.slots), np.bool_)
    full[: recording.ranks] = recording.precondition
    for step in recording.steps:
        unrolled = step.unrolled()
        adds = adding_rows(unrolled, full)
        # what a rank adds of its own moves nothing, but takes as long to add
        adding = np.bincount(unrolled.dst, adds, recording.nodes)
        largest = int(adding.max())
        added += largest
        away = unrolled.src != unrolled.dst
        if not away.any():
            continue
        steps += 1
        key = (unrolled.src * recording.nodes + unrolled.dst) * recording.slots + unrolled.chunk
        ends = np.divmod(np.unique(key[away]) // recording.slots, recording.nodes)
        out, into = (np.bincount(end, minlength=recording.nodes) for end in ends)
        busiest = max(int(out[:ports].max()), int(into[:ports].max()))
        port += busiest
        if largest:
            for node in range(ports, recording.nodes):  # a switch has a port for each sender
                alone = ends[0][ends[1] == node]
                into[node] = np.unique(alone, return_counts=True)[1].max(initial=0)
            last = np.flatnonzero((adding == largest) & (into == busiest))
            separate = separate and any(_at_once(node, ports, *ends) for node in last.tolist())
    return steps, port, added if separate else None


def _at_once(node: int, ports: int, src: Integers, dst: Integers) -> bool:
    """Whether all messages of a step into a node end at once; a row for each chunk.

    So they do where they are alike and none of their senders has more messages to share its
    port out to: then each takes an equal part of the receiver's port until all are there. Nodes
    from `ports` on have a port for each, which nothing shares.
    """
    here = dst == node
    sender, chunk_count = np.unique(src[here], return_counts=True)
    if chunk_count.min() < chunk_count.max():
        return False
    beside = np.unique(np.stack([src, dst])[:, np.isin(src, sender)], axis=1)[0]
    shares = len(sender) if node < ports else 1
    return bool(np.unique(beside, return_counts=True)[1].max() <= shares)
