"""What claims are held against: counts of recorded schedules, and figures of links."""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from collectives.cost.bounds.closed import Closed, closed_form
from collectives.cost.libraries import nccl
from collectives.cost.libraries.nccl.graphs import hgx
from collectives.cost.libraries.nccl.tables import STEP_LATENCY
from collectives.cost.machines.links import Link, find_link
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.training import sync_seconds, volume

FIVE = ("broadcast", "reduce", "all_gather", "reduce_scatter", "all_reduce")
NVLINK, NDR, HDR = "nvlink4", "ib-ndr", "ib-hdr"
SEVEN_B = 14e9  # bytes of 7 billion gradients of 2 bytes


def sent(algorithm: str, ranks: int, collective: str = "all_reduce", chunks: int = 0) -> Fraction:
    """What the busiest rank sends, as a part of the vector."""
    return volume(collective, algorithm, ranks, chunks or None).sent


def total(algorithm: str, ranks: int) -> Fraction:
    """What all nodes of an all-reduce send together, as a part of the vector."""
    return volume("all_reduce", algorithm, ranks).total


def steps(algorithm: str, ranks: int, collective: str = "all_reduce") -> int:
    """Steps of an algorithm."""
    return volume(collective, algorithm, ranks).steps


def one_way(link: str) -> float:
    """GB/s of a link in one direction."""
    return find_link(link).bandwidth / 1e9


def both_ways(link: str) -> float:
    """GB/s of a link, both directions added."""
    return 2 * one_way(link)


def milliseconds(size: float, ranks: int, link: str, algorithm: str = "ring") -> float:
    """Milliseconds of an all-reduce at the bandwidth of a link, latency left out."""
    return sync_seconds(size, ranks, Link(link, find_link(link).bandwidth, 0.0), algorithm) * 1e3


def copy_milliseconds(size: float, gigabytes: float) -> float:
    """Milliseconds of one copy of a buffer at so many GB/s."""
    return size / gigabytes / 1e6


def ring_of(ranks: int, algorithm: str = "textbook-ring") -> Recording:
    """A recorded all-reduce of one number in each chunk."""
    return record("all_reduce", algorithm, ranks=ranks, count=ranks)


def partners(algorithm: str, ranks: int) -> int:
    """To how many others the busiest rank sends."""
    links = record("all_reduce", algorithm, ranks=ranks).counters.links
    return int(np.bincount(links[:, 0]).max())


def ports(collective: str, algorithm: str, ranks: int) -> int:
    """To how many others a rank sends in one step."""
    return record(collective, algorithm, ranks=ranks).counters.ports


def steps_over_one_link(ranks: int) -> float:
    """The part of a ring's steps that use the link from rank 0 to rank 1."""
    recorded = list(ring_of(ranks, "ring").steps)
    used = sum(bool(np.any((step.src == 0) & (step.dst == 1))) for step in recorded)
    return used / len(recorded)


def owners(ranks: int) -> int:
    """Ranks i that hold all of chunk i + 1, and of no other, after the first half of a ring."""
    complete = ring_of(ranks).levels(ranks - 1)[0] == ranks
    own = np.eye(ranks, dtype=bool)[(np.arange(ranks) + 1) % ranks]
    return int((complete == own).all(axis=1).sum())


def informed(collective: str, algorithm: str, ranks: int) -> int:
    """Ranks that end with rank 0's number if all others put in zero, the neutral element."""
    data = np.zeros((ranks, ranks), np.int64)
    data[0] = 7
    held = record(collective, algorithm, ranks=ranks, data=data).execute().values
    return int((held[:ranks].reshape(ranks, -1) == 7).all(axis=1).sum())


def summed(algorithm: str, ranks: int) -> int:
    """Ranks that end with the sum over all, executed on numbers and compared with numpy's."""
    recording = record("all_reduce", algorithm, ranks=ranks)
    wanted = recording.inputs.sum(axis=0)
    return sum(bool((held == wanted).all()) for held in recording.result())


def kept_promises(ranks: int) -> int:
    """How many of the five usual collectives, recorded as a ring, do what is promised of them."""
    return sum(bool(record(name, "ring", ranks=ranks).check()) for name in FIVE)


def held_part(collective: str, ranks: int, at_the_end: bool) -> float:
    """The part of the vector that a rank has, at the start or at the end."""
    recording = record(collective, "ring", ranks=ranks)
    cells = recording.postcondition if at_the_end else recording.precondition
    return float(cells[:, : recording.chunk_count].mean())


def leaving(algorithm: str, nodes: int, gpus: int) -> Fraction:
    """What leaves a node of so many GPUs, as a part of the vector."""
    ranks = nodes * gpus
    given = {"gpus": gpus} if algorithm == "hierarchical" else {}
    counted = record("all_reduce", algorithm, ranks=ranks, count=ranks, parameters=given).counters
    node = counted.links // gpus
    crossing = (node[:, 0] == 0) & (node[:, 1] != 0)
    return Fraction(int(counted.bytes_by_link[crossing].sum()), 8 * ranks)


def steps_inside_first(nodes: int, gpus: int) -> int:
    """Steps of a hierarchical all-reduce before the first that leaves a node."""
    recording = record("all_reduce", "hierarchical", ranks=nodes * gpus, parameters={"gpus": gpus})
    inside = [bool(np.all(step.src // gpus == step.dst // gpus)) for step in recording.steps]
    return inside.index(False)


def picks_tree(nodes: int, size: int) -> int:
    """Whether NCCL's tuner takes its tree (1) for so many bytes on nodes of 8 H100."""
    pick = nccl.choose(hgx("H100", nodes=nodes), "all_reduce", size).candidate
    return int(pick.algorithm == "Tree")


def nccl_seconds(size: int) -> float:
    """What NCCL's tuner says so many bytes take on 8 H100."""
    return nccl.choose(hgx("H100"), "all_reduce", size).candidate.seconds


def hop_microseconds() -> float:
    """What NCCL's tuner counts for a hop over NVLink, at least."""
    return min(STEP_LATENCY["NVLINK"]["Ring"])


def passed_in_steps(ranks: int) -> Fraction:
    """What passes the busiest port of each recorded step of a ring, as a part of the vector."""
    found = closed_form(ring_of(ranks), additions=True)
    return found.busiest_port if found is not None else Fraction(0)


def crossover(ranks: int, link: Link) -> float:
    """Bytes from which a ring beats a pipelined double binary tree of very many chunks.

    The tree's steps are its depth twice, and its busiest rank sends what it does if the chunks
    go to either tree alike.
    """
    name = "double-binary-tree"
    depth = volume("all_reduce", name, ranks, chunks=1).steps
    tree = Closed(depth, sent(name, ranks, chunks=2))
    ring = Closed(steps("ring", ranks), sent("ring", ranks))
    return tree.crossover(ring, link.latency, link.bandwidth) or 0.0


def balance(ranks: int, link: str) -> float:
    """Bytes at which half of a ring's time is latency."""
    found = find_link(link)
    return steps("ring", ranks) * found.latency * found.bandwidth / float(sent("ring", ranks))
