"""Likely causes of a slow measurement: what each would make of the times, beside the measured."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import isinf, log, sqrt

from collectives.comparison.verdicts import JudgedSize
from collectives.cost.libraries.nccl import tuner
from collectives.cost.libraries.nccl.graphs import Machine
from collectives.cost.libraries.nccl.tables import KINDS, PCI, PROTOCOLS
from collectives.cost.where import Where
from collectives.errors import BadInput
from collectives.evidence.measured_model import LAUNCH, cards, machine_of
from collectives.evidence.posted_machine import as_posted
from collectives.units import rate_text, size_text
from collectives.words import percent

MOST_CAUSES = 5
LIKELY = 0.25  # root mean square of the log of measured over predicted time
POOR = log(2)  # the same, from which on times are twice as long or short as the cause makes them
ALIKE = 0.02  # of the logs of two causes' times: what no measurement tells apart
FREE = 0.1  # added for a cause whose extent is fitted
SMALLEST = 1 << 16  # bytes
HOST_MEMORY = 3.0  # times slower to a card by way of the processor's memory, about
TCP = (1.25, 2.5, 12.5)  # GB/s of a node by sockets: 10, 25 and 100 GbE
ANY = tuple(2 ** (k / 4) for k in range(2, 25))  # extents that are tried
Times = Callable[[int], float]  # seconds of so many bytes

LOG = "NCCL_DEBUG=INFO, then collectives log"
TABLE = {  # what to run next
    "one network card of the node is used": f"{LOG}: count the NET/IB lines; unset NCCL_IB_HCA",
    "half of the network cards are used": f"{LOG}: count the NET/IB lines; unset NCCL_IB_HCA",
    "the network cards run at half their rate": "ibstat on every node (rate), lspci -vv (LnkSta)",
    "no GPUDirect RDMA: data goes through host memory": f"{LOG}: look for GDRDMA; lsmod nv_peermem",
    "sockets (TCP) instead of InfiniBand or RoCE": f"{LOG}: NET/Socket; unset NCCL_IB_DISABLE",
    "an oversubscribed fabric": "the same on two nodes of one leaf switch, and with fewer nodes",
    "one slow node or link": "the same on each node alone, and on pairs; then diagnose all files",
    "PCIe instead of NVLink inside the nodes": "nvidia-smi topo -m; nvidia-smi nvlink --status",
    "P2P is disabled: GPUs exchange through host memory": f"{LOG}: SHM; unset NCCL_P2P_DISABLE",
    "NVSwitches do not add (NVLS is off)": "nvidia-smi -q (Fabric state); unset NCCL_NVLS_ENABLE",
    "half of the channels": "unset NCCL_MAX_NCHANNELS and NCCL_MAX_CTAS",
    "one slow GPU or link": "nvidia-smi -q -d PERFORMANCE,CLOCK; dcgmi diag -r 3; pairs of GPUs",
    "a late start of kernels": "pin processes to cores; cpupower frequency-set -g performance",
}


@dataclass(frozen=True)
class LikelyCause:
    """What may be wrong, what speaks for it in numbers, and what to run next.

    distance: of the measured times from those that it would make; likely: whether that is small.
    tied: the causes before it that would make the same times.
    """

    name: str
    evidence: str
    next_step: str
    distance: float
    tied: tuple[str, ...] = ()

    @property
    def likely(self) -> bool:
        """Whether the times it would make are about the measured ones."""
        return self.distance < LIKELY

    @property
    def fit(self) -> str:
        """How well its times are the measured ones, in a word or two."""
        return "likely" if self.likely else "possible" if self.distance < POOR else "poor fit"


def likely_causes(
    where: Where, collective: str, ranks: int, sizes: Sequence[JudgedSize], slow: JudgedSize
) -> list[LikelyCause]:
    """Causes that make the slow size too slow, those nearest to the measured times first."""
    if slow.row.size < SMALLEST:
        name = "a late start of kernels"
        text = f"only sizes up to {size_text(slow.row.size)} are slow"
        return [LikelyCause(name, text, TABLE[name], LIKELY)]
    judged = [size for size in sizes if size.row.size >= SMALLEST]
    row = as_posted(where, collective, ranks, slow.row.size)
    machine = None if row is None else machine_of(row)
    if row is None or machine is None or collective not in KINDS:
        plain = {size.row.size: size.expected.seconds for size in judged}
        causes = list(_of_any(plain))
    else:
        count, rate = cards(row.fabric, machine.per_node)
        network = _of_network(machine, count, rate) if machine.nodes > 1 else ()
        causes = [
            (name, _tuned(changed, collective), extra)
            for name, changed, extra in (*network, *_of_nodes(machine, collective))
        ]
    nearest: dict[str, tuple[LikelyCause, Times]] = {}
    for name, times, extra in causes:
        seconds = times(slow.row.size)
        if isinf(seconds) or seconds <= slow.limit * slow.expected.seconds:
            continue  # NCCL has no such algorithm of this collective, or it is as fast as expected
        cause = _beside(name, times, judged, slow, extra)
        if name not in nearest or cause.distance < nearest[name][0].distance:
            nearest[name] = cause, times
    ordered = sorted(nearest.values(), key=lambda pair: pair[0].distance)[:MOST_CAUSES]
    return list(_with_ties(ordered, [size.row.size for size in judged]))


def modeled_causes(
    machine: Machine, collective: str, count: int, rate: float
) -> Iterator[tuple[str, Times]]:
    """What NCCL would take: first where nothing is wrong, then with each cause of known extent.

    Parameters
    ----------
    machine : Machine
        What the tuner is asked about.
    collective : str
        One that the tuner times.
    count : int
        Network cards of a node.
    rate : float
        GB/s of each card.

    Yields
    ------
    tuple of str and callable
        The cause, empty for none, and the seconds of so many bytes by the tuner, with the start of
        the kernel; infinite where NCCL has no algorithm left. Sockets come once for each of TCP.

    Examples
    --------
    >>> from collectives.cost.libraries.nccl.graphs import hgx
    >>> [name for name, times in modeled_causes(hgx("A100"), "all_reduce", 8, 25.0)][:2]
    ['', 'PCIe instead of NVLink inside the nodes']
    """
    yield "", _tuned(machine, collective)
    network = _of_network(machine, count, rate) if machine.nodes > 1 else ()
    for name, changed, fitted in (*network, *_of_nodes(machine, collective)):
        if not fitted:
            yield name, _tuned(changed, collective)


def _with_ties(
    causes: Sequence[tuple[LikelyCause, Times]], sizes: Sequence[int]
) -> Iterator[LikelyCause]:
    """The causes, each with those before it whose times no measurement tells from its own."""
    for at, (cause, times) in enumerate(causes):
        tied = tuple(
            cause.name
            for cause, others in causes[:at]
            if all(abs(log(times(size) / others(size))) < ALIKE for size in sizes)
        )
        yield replace(cause, tied=tied)


def _tuned(machine: Machine, collective: str) -> Times:
    """The times of what NCCL would choose on a changed machine, infinite where it cannot run."""

    def seconds(size: int) -> float:
        try:
            return (tuner.choose(machine, collective, size).candidate.time + LAUNCH) * 1e-6
        except BadInput:
            return float("inf")

    return seconds


def _of_any(plain: dict[int, float]) -> Iterator[tuple[str, Times, float]]:
    """Causes where NCCL's tuner does not know GPUs or collective: all times so much longer."""
    for extent in ANY:
        yield "one slow node or link", lambda size, by=extent: by * plain[size], FREE  # type: ignore[misc]


def _of_network(machine: Machine, count: int, rate: float) -> Iterator[tuple[str, Machine, float]]:
    """What makes the network between nodes slower."""
    if count > 1:
        yield "one network card of the node is used", _slower(machine, count), 0.0
    if count > 2:
        yield "half of the network cards are used", _slower(machine, 2), 0.0
    yield "no GPUDirect RDMA: data goes through host memory", _slower(machine, HOST_MEMORY), 0.0
    for tcp in TCP:
        if tcp < count * rate:
            slower = _slower(machine, count * rate / tcp, latency=30.0)
            yield "sockets (TCP) instead of InfiniBand or RoCE", slower, 0.0
    yield "the network cards run at half their rate", _slower(machine, 2), 0.0
    for extent in ANY:
        yield "an oversubscribed fabric", _slower(machine, extent), FREE
        yield "one slow node or link", _slower(machine, extent), FREE


def _of_nodes(machine: Machine, collective: str) -> Iterator[tuple[str, Machine, float]]:
    """What makes the nodes slower, or NCCL's choice another one."""
    slot = PCI[machine.generation]
    for name, rate in (
        ("PCIe instead of NVLink inside the nodes", slot),
        ("P2P is disabled: GPUs exchange through host memory", slot / 2),
    ):
        ring = machine.graphs["ring"]
        extent = ring.channels * ring.intra / rate
        graphs = {kind: graph for kind, graph in machine.graphs.items() if kind != "nvls"}
        slots = {kind: replace(graph, inside="PHB") for kind, graph in graphs.items()}
        yield name, _slower(replace(machine, graphs=slots), extent), 0.0
    if "nvls" in machine.graphs:
        off = replace(machine, without=(*machine.without, "NVLS", "NVLSTree"))
        yield "NVSwitches do not add (NVLS is off)", off, 0.0
    halved = {
        kind: replace(graph, channels=max(1, graph.channels // 2))
        for kind, graph in machine.graphs.items()
    }
    yield "half of the channels", replace(machine, graphs=halved), 0.0
    for wanted, others in _forced():
        if not set(machine.without) & {wanted}:
            forced = replace(machine, without=tuple({*machine.without, *others}))
            setting = "NCCL_PROTO" if wanted in PROTOCOLS else "NCCL_ALGO"
            yield f"{wanted} is forced ({setting}={wanted})", forced, 0.0
    if machine.nodes == 1:
        for extent in ANY:
            yield "one slow GPU or link", _slower(machine, extent), FREE


def _forced() -> Iterator[tuple[str, tuple[str, ...]]]:
    """An algorithm or a protocol, and the others of its kind, which are then off."""
    for every in (("Ring", "Tree"), PROTOCOLS):
        for wanted in every:
            others = tuple(name for name in every if name != wanted)
            yield wanted, others if every is PROTOCOLS else (*others, "NVLS", "NVLSTree")


def _slower(machine: Machine, extent: float, latency: float = 0.0) -> Machine:
    """The machine with all channels so many times slower, and cards that are later."""
    graphs = {
        kind: replace(
            graph,
            intra=graph.intra / extent,
            inter=graph.inter / extent,
            latency=graph.latency + latency,
        )
        for kind, graph in machine.graphs.items()
    }
    return replace(machine, graphs=graphs)


def _beside(
    name: str, times: Times, sizes: Sequence[JudgedSize], slow: JudgedSize, extra: float
) -> LikelyCause:
    """A cause with its distance from what was measured, and the rates of a slow size."""
    logs = [log(size.row.seconds / times(size.row.size)) for size in sizes if times(size.row.size)]
    distance = sqrt(sum(log * log for log in logs) / len(logs)) + extra
    seconds = times(slow.row.size)
    rate, measured = slow.expected.busbw_of(seconds), slow.busbw
    off = percent(abs(rate / measured - 1))
    text = (
        f"it would give {rate_text(rate, 3)} at {size_text(slow.row.size)}; "
        f"measured {rate_text(measured, 3)}, {off} off"
    )
    step = TABLE.get(
        name, "env | grep NCCL_; unset what is forced; cat /etc/nccl.conf ~/.nccl.conf"
    )
    return LikelyCause(name, text, step, distance)
