"""The readings that claims.toml names: counts of recorded schedules, times, figures of links.

Sizes are in bytes; bandwidths in GB/s (10^9 bytes); times in the unit a name ends in, else in
seconds. What an algorithm sends is a part of the vector.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction

import numpy as np

from collectives.catalog import find_row
from collectives.collective import COLLECTIVES
from collectives.cost.bounds.closed import closed_form
from collectives.cost.busbw import factor
from collectives.cost.choose.crossover import closed_crossings, law
from collectives.cost.libraries.nccl import tuner
from collectives.cost.libraries.nccl.graphs import hgx
from collectives.cost.libraries.nccl.tables import ALGORITHMS
from collectives.cost.machines.links import Link, find_link
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.theory.bounds import lower_bound
from collectives.training.compression import quantized, top_k_gain
from collectives.training.gradients import Gradient, bits_of, serial_share, sync_seconds, volume
from collectives.training.gradients import hierarchical_seconds as over_nodes
from collectives.training.overlap import BUCKET, make_buckets, overlap
from collectives.training.parallel import SCHEMES, sharded_bytes, state_bytes
from collectives.training.scaling import (
    amdahl,
    amdahl_limit,
    dollars_per_step,
    efficiency,
    minimum_bandwidth,
    strong_scaling,
    weak_scaling,
)

FIVE = ("broadcast", "reduce", "all_gather", "reduce_scatter", "all_reduce")
CONSTANTS = {"KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "GB": 10**9, "BUCKET": BUCKET}


def sent(algorithm: str, ranks: int, collective: str = "all_reduce", chunks: int = 0) -> Fraction:
    """What the busiest rank sends, as a part of the vector."""
    return volume(collective, algorithm, ranks, chunks or None).sent


def total(algorithm: str, ranks: int) -> Fraction:
    """What all nodes of an all-reduce send together, as a part of the vector."""
    return volume("all_reduce", algorithm, ranks).total


def steps(algorithm: str, ranks: int, collective: str = "all_reduce", chunks: int = 0) -> int:
    """Steps of an algorithm."""
    return volume(collective, algorithm, ranks, chunks or None).steps


def one_way(link: str) -> float:
    """GB/s of a link in one direction."""
    return find_link(link).bandwidth / 1e9


def both_ways(link: str) -> float:
    """GB/s of a link, both directions added."""
    return 2 * one_way(link)


def raw_pcie(generation: int) -> float:
    """GB/s of 16 PCIe lanes in one direction before coding: GT/s x 16 lanes / 8 bits.

    >>> [raw_pcie(generation) for generation in (3, 4, 5, 6)]
    [16.0, 32.0, 64.0, 128.0]
    """
    transfers = 8 << generation - 3  # GT/s: 8 in generation 3, twice that in each further one
    return transfers * 16 / 8


def milliseconds(size: float, ranks: int, link: str, algorithm: str = "ring") -> float:
    """Milliseconds of an all-reduce at the bandwidth of a link, latency left out."""
    return sync_seconds(size, ranks, Link(link, find_link(link).bandwidth, 0.0), algorithm) * 1e3


def copy_milliseconds(size: float, gigabytes: float) -> float:
    """Milliseconds of one copy of a buffer at so many GB/s."""
    return size / gigabytes / 1e6


def latency(link: str) -> float:
    """Seconds a message takes over a link without its bytes."""
    return find_link(link).latency


def gradient_bytes(parameters: float, dtype: str = "bf16") -> int:
    """Bytes of the gradients of so many parameters."""
    return Gradient(int(parameters), dtype).bytes


def ring_of(ranks: int, algorithm: str = "textbook-ring") -> Recording:
    """A recorded all-reduce of one number in each chunk."""
    return record("all_reduce", algorithm, ranks=ranks, count=ranks)


def recorded_steps(ranks: int) -> int:
    """Steps of a recorded ring."""
    return len(ring_of(ranks).steps)


def recorded_chunks(ranks: int) -> int:
    """Chunks into which a recorded ring cuts the vector."""
    return ring_of(ranks).chunk_count


def recorded_sent(ranks: int) -> Fraction:
    """What the busiest rank of a recorded ring sends."""
    return Fraction(max(ring_of(ranks).bytes_sent), ring_of(ranks).case.S)


def least_sent(ranks: int) -> float:
    """The least that the busiest rank of an all-reduce can send."""
    return lower_bound(ring_of(ranks).collective, ring_of(ranks).case).sent / ring_of(ranks).case.S


def least_steps(ranks: int) -> int:
    """The fewest steps an all-reduce can take."""
    return ring_of(ranks).bound.steps


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


def held_at_the_start(collective: str, ranks: int) -> float:
    """The part of the vector that a rank has before a collective."""
    recording = record(collective, "ring", ranks=ranks)
    return float(recording.precondition[:, : recording.chunk_count].mean())


def held_at_the_end(collective: str, ranks: int) -> float:
    """The part of the vector that a rank has after a collective."""
    recording = record(collective, "ring", ranks=ranks)
    return float(recording.postcondition[:, : recording.chunk_count].mean())


def beyond_the_five(*schemes: str) -> int:
    """Collectives beside the usual five that these schemes use; without schemes, all there are."""
    used = {name for scheme in schemes for name in SCHEMES[scheme].collectives}
    return len((used if schemes else set(COLLECTIVES)) - set(FIVE))


def leaving(algorithm: str, nodes: int, gpus: int) -> Fraction:
    """What leaves a node of so many GPUs, as a part of the vector."""
    ranks = nodes * gpus
    parameters = find_row("all_reduce", algorithm).taken({"gpus": gpus})
    counted = record(
        "all_reduce", algorithm, ranks=ranks, count=ranks, parameters=parameters
    ).counters
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
    pick = tuner.choose(hgx("H100", nodes=nodes), "all_reduce", size).candidate
    return int(pick.algorithm == "Tree")


def nccl_seconds(size: int) -> float:
    """What NCCL's tuner says so many bytes take on 8 H100."""
    return tuner.choose(hgx("H100"), "all_reduce", size).candidate.seconds


def hop_microseconds() -> float:
    """What NCCL's tuner counts for a hop over NVLink, at least."""
    return min(ALGORITHMS["Ring"].nvlink)


def passed_in_steps(ranks: int) -> Fraction:
    """What passes the busiest port of each recorded step of a ring, as a part of the vector."""
    form = closed_form(ring_of(ranks), additions=True)
    return form.busiest_port if form is not None else Fraction(0)


def crossover(ranks: int, latency: float, bandwidth: float) -> float:
    """Bytes from which a ring beats two trees with their best chunks, by the closed forms."""
    trees, ring = (
        law(find_row("all_reduce", name), ranks) for name in ("double-binary-tree", "ring")
    )
    return max(closed_crossings(trees, ring, latency, bandwidth), default=0.0)


def balance(ranks: int, link: str) -> float:
    """Bytes at which half of a ring's time is latency."""
    wire = find_link(link)
    return steps("ring", ranks) * wire.latency * wire.bandwidth / float(sent("ring", ranks))


def hierarchical_seconds(
    size: float, nodes: int, gpus: int, inside: str, across: str, cards: int
) -> float:
    """Seconds of an all-reduce over nodes of so many GPUs that share their network cards."""
    return over_nodes(size, nodes, gpus, find_link(inside), find_link(across), cards)


def step_seconds(compute: float, sync: float, ranks: int) -> float:
    """Seconds of a training step in which nothing overlaps."""
    return weak_scaling(compute, lambda ranks: sync, ranks).seconds


def gain_of_twice_the_ranks(ranks: int) -> float:
    """The speed-up of 2 N ranks against N: 1 s of work, 100 MB to synchronize over 400 Gb/s."""
    shares = [
        strong_scaling(1.0, lambda n: sync_seconds(1e8, n, find_link("ib-ndr")), number).speedup
        for number in (ranks, 2 * ranks)
    ]
    return shares[1] / shares[0]


def first_layer_summed(layers: int) -> int:
    """The layer, 0 next to the input, whose gradients are in the first bucket."""
    return make_buckets([BUCKET] * layers)[0].layers[0]


def summed_meanwhile(layers: int) -> float:
    """The part of the last layer's synchronization that passes while the one before computes.

    Layers take as long to compute as to synchronize, and each is a bucket.
    """
    result = overlap([1] * layers, float(layers), lambda size: 1.0, bucket_size=1, first=1)
    return max(0.0, min(result.end[0], result.ready[1]) - result.start[0])


Reading = Callable[..., float | Fraction]
READINGS: Mapping[str, Reading] = {
    reading.__name__: reading
    for reading in (
        *(sent, total, steps, partners, ports, recorded_steps, recorded_chunks, recorded_sent),
        *(least_sent, least_steps, passed_in_steps, steps_over_one_link, serial_share),
        *(owners, informed, summed, kept_promises, held_at_the_start, held_at_the_end),
        *(beyond_the_five, leaving, steps_inside_first, picks_tree, nccl_seconds),
        *(hop_microseconds, one_way, both_ways, raw_pcie, latency),
        *(milliseconds, copy_milliseconds),
        *(crossover, balance, factor, gradient_bytes, bits_of, state_bytes, sharded_bytes),
        *(hierarchical_seconds, minimum_bandwidth, efficiency, step_seconds, dollars_per_step),
        *(amdahl, amdahl_limit, gain_of_twice_the_ranks, quantized, top_k_gain),
        *(first_layer_summed, summed_meanwhile),
    )
}
