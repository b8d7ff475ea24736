"""The expected time of a measured row: by NCCL's tuner where it knows the machine, else by wires.

Neither counts what it takes to launch a kernel, which nccl-tests measure with it: `LAUNCH`.
Where a row does not say otherwise, processors are Intel's and InfiniBand adds no latency.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from collectives.cost.busbw import factor
from collectives.cost.libraries.nccl import tuner
from collectives.cost.libraries.nccl.graphs import Machine, hgx
from collectives.cost.libraries.nccl.tables import KINDS, NVLINK
from collectives.cost.machines.links import LINKS, Link, find_link
from collectives.values import whole

if TYPE_CHECKING:
    from collectives.evidence.measured import Measured

EFA_LATENCY = 75.0  # µs: what the plugin aws-ofi-nccl tells NCCL of every EFA machine since P4d
LAUNCH = 27.0  # µs: the median of what rows of up to 64 KiB in a node take beyond the tuner's time
CARDS = {"EDR": 12.5, "HDR": 25.0, "NDR": 50.0, "XDR": 100.0}  # GB/s
LARGEST_NODE = 16


@dataclass(frozen=True)
class Model:
    """The time of a row in µs, what of it bytes take, and how it was found.

    unknown_latency: the time without the latency of network cards, where that is a plugin's word.
    """

    time: float
    moving: float
    how: str
    unknown_latency: float = 0.0


def model(row: Measured) -> Model:
    """The model of a row, from the words it describes its machine with."""
    kind = {"alltoall": "all_to_all"}.get(row.op, row.op)
    machine = machine_of(row)
    if machine is None or kind not in KINDS:
        return wires(row)
    choice = tuner.choose(machine, kind, row.size_bytes).candidate
    moving = max(0.0, choice.time - tuner.choose(machine, kind, 0).candidate.time)
    how, time = f"NCCL's tuner: {choice.name}", choice.time + LAUNCH
    if "EFA" not in row.fabric.upper():
        return Model(time, moving, how)
    graphs = {name: replace(graph, latency=0.0) for name, graph in machine.graphs.items()}
    fastest = tuner.choose(replace(machine, graphs=graphs), kind, row.size_bytes).candidate
    return Model(time, moving, how, fastest.time + LAUNCH)


def machine_of(row: Measured) -> Machine | None:
    """The machine the tuner is asked about; None where its graphs are not known."""
    name, per_node = gpu_of(row.gpu), row.ranks // row.nodes
    words = f"{row.fabric} {row.note}".upper()
    nvlink = "NVLINK" in words or "NVSWITCH" in words or "SXM" in row.gpu.upper()
    uneven = row.ranks % row.nodes or per_node > LARGEST_NODE
    if name is None or not nvlink or domain(row.fabric) or uneven:
        return None
    count, bandwidth = cards(row.fabric, per_node)
    latency = EFA_LATENCY if "EFA" in words else 0.0
    machine = hgx(name, row.nodes, per_node, count, bandwidth, latency)
    without: tuple[str, ...] = ()
    if "NVLS OFF" in words:
        without = ("NVLS", "NVLSTree")
    forced = re.search(r"NCCL_ALGO=(\w+)", words)
    if forced or re.search(r"NVSWITCH RING", words):
        wanted = forced[1] if forced else "RING"
        every = ("Tree", "Ring", "NVLS", "NVLSTree")
        without = tuple(word for word in every if word.upper() != wanted)
    return replace(machine, without=without)


def gpu_of(text: str) -> str | None:
    """The GPU of the tuner's table that a text names, the longest name first.

    >>> gpu_of("A100-SXM4-40GB"), gpu_of("GB200"), gpu_of("L40S")
    ('A100', 'GB200', None)
    """
    names = (name for name in sorted(NVLINK, key=len, reverse=True) if name in text.upper())
    return next(names, None)


def domain(fabric: str) -> int:
    """How many GPUs of a rack NVSwitches join, where a fabric says so: NVL72."""
    match = re.search(r"\bNVL(\d+)\b", fabric.upper())
    return int(match[1]) if match else 0


def cards(fabric: str, per_node: int) -> tuple[int, float]:
    """Network cards of a node and GB/s of each; by default 400 Gb/s for each GPU.

    >>> cards("NVLink3 + 4x100G EFA (p4de.24xlarge)", 8), cards("NVLink4 + 3200G EFA", 8)
    ((4, 12.5), (8, 50.0))
    >>> cards("NVLink4 + 8x NDR400 IB", 8), cards("NVLink4 + 8x400G RoCE", 8)
    ((8, 50.0), (8, 50.0))
    >>> cards("PCIe + 100GbE", 8), cards("NVLink4 + HDR", 8), cards("NVLink4", 8)
    ((8, 1.5625), (8, 25.0), (8, 50.0))
    """
    words = fabric.upper()
    names = "|".join(CARDS)
    if match := re.search(rf"(\d+)\s*X\s*({names})", words):
        return whole("network cards", int(match[1]), 1), CARDS[match[2]]
    if match := re.search(r"(\d+)\s*X\s*(\d+)\s*G", words):
        gigabits = whole("Gb/s of a network card", int(match[2]), 1)
        return whole("network cards", int(match[1]), 1), gigabits / 8
    if match := re.search(r"\b(\d{2,4})\s*G(?:B?E|BPS|B/S)?\b", words):
        return per_node, whole("Gb/s of a network card", int(match[1]), 1) / 8 / per_node
    slow = min((CARDS[name] for name in CARDS if name in words), default=50.0)
    return per_node, slow


def wire_of(row: Measured) -> tuple[Link, float]:
    """The link between GPUs of a node, and GB/s of a GPU in one direction."""
    words = f"{row.fabric} {row.gpu}".upper()
    if match := re.search(r"NVLINK\s*(\d)", words):
        link = find_link(f"nvlink{match[1]}")
    elif "XGMI" in words or "MI3" in words or "INFINITY" in words:
        link = find_link("xgmi")
        return link, link.bandwidth * max(1, min(row.ranks, 8) - 1) / 1e9
    elif (match := re.search(r"PCIE\s*(?:GEN)?\s*(\d)", words)) and f"pcie{match[1]}" in LINKS:
        link = find_link(f"pcie{match[1]}")
    else:
        link = find_link("pcie4")
    return link, link.bandwidth / 1e9


def wires(row: Measured) -> Model:
    """A ring inside each domain and one between domains for every GPU, at the rate of the links."""
    size, ranks, per_node = row.size_bytes, row.ranks, row.ranks // row.nodes
    (link, rate), gpu, grouped = wire_of(row), gpu_of(row.gpu), row.op == "alltoall"
    if grouped and gpu and not domain(row.fabric):
        rate = NVLINK[gpu]
    inside = min(domain(row.fabric) or per_node, ranks) or 1
    outside = -(-ranks // inside)
    between = 0.0  # nanoseconds for a byte of a GPU
    if outside > 1:
        count, bandwidth = cards(row.fabric, per_node)
        between = 1 / (bandwidth * count / per_node)
    if grouped:
        moving = size * ((inside - 1) / ranks / rate + (ranks - inside) / ranks * between)
        lost = (ranks - 1) * link.latency
    else:
        moving = size * float(factor(row.op, inside)) / rate
        moving += size / inside * float(factor(row.op, outside)) * between if outside > 1 else 0.0
        rounds = 2 if row.op == "all_reduce" else 1
        lost = rounds * ((inside - 1) * link.latency + (outside - 1) * find_link("ib-ndr").latency)
    how = f"{'grouped sends' if grouped else 'rings'} at {rate:.4g} GB/s ({link.name})"
    if outside > 1:
        how += f", {1 / between:.4g} GB/s between"
    launch = LAUNCH if ranks > 1 else 0.0
    return Model(launch + lost * 1e6 + moving / 1000, moving / 1000, how)
