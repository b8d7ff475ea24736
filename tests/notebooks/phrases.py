"""Every phrase with a number in the text of the lectures, with its number computed here."""

import re

from collectives import record
from collectives.cost.libraries.nccl import model, tuner
from collectives.cost.libraries.nccl.graphs import hgx
from collectives.units import size_text

RING = record("all_reduce", "ring", ranks=4, count=64)
BROADCAST = record("broadcast", "tree", ranks=8, count=1)
BOTH_WAYS = record("all_reduce", "tree", ranks=8, count=1)
BUSY = BOTH_WAYS.bytes_sent.index(max(BOTH_WAYS.bytes_sent), 1)  # beside the root


def times(recording):
    """Bytes sent by the busiest rank, in units of S."""
    return f"{max(recording.bytes_sent) / recording.case.S:g}"


def holders(recording):
    """Ranks that have the data after each step, the start included."""
    steps = range(len(recording.steps) + 1)
    return [int(recording.state(step).full.sum()) for step in steps]


def complete_chunk(rank):
    """The chunk of a rank that is complete after the reduce-scatter of the ring."""
    (chunk,) = (RING.state(3).times[rank].min(axis=1) == 1).nonzero()[0]
    return int(chunk)


H100, A100 = hgx("H100"), hgx("A100", nodes=8)  # one node of 8, and 8 nodes of 8
H100_NODES = hgx("H100", nodes=8)
PLURAL = {"Ring": "rings", "Tree": "trees"}


def chosen(machine):
    """NCCL's algorithms in the order of size, each with the smallest size for which it runs."""
    found = {}
    for first, _, name in tuner.ranges(
        machine, "all-reduce", (1 << power for power in range(3, 31))
    ):
        found.setdefault(name.split()[0], first)
    return found


def verdict(machine):
    """What the lecture says of a machine: which of rings and trees NCCL uses there."""
    first, *others = [name for name in chosen(machine) if name in PLURAL]
    if others:
        return f"{PLURAL[first]} for small vectors and {PLURAL[others[0]]} for large vectors"
    (never,) = PLURAL.keys() - {first}
    return f"{PLURAL[first]} for small vectors and never {PLURAL[never]}"


def from_size(machine, algorithm):
    """From which size on NCCL runs an algorithm."""
    return size_text(chosen(machine)[algorithm])


def latency(machine, algorithm):
    """What NCCL's tuner counts for an all-reduce of no bytes with protocol LL, in µs."""
    case = model.TuningCase(machine, "all_reduce", algorithm, "LL")
    return model.FORMULAS[algorithm].latency(case)


def tree_hops():
    """Hops in a node of NCCL's tree, up and down, by the latency that its tuner counts."""
    case = model.TuningCase(H100, "all_reduce", "Tree", "LL")
    return round((latency(H100, "Tree") - case.facts.base[case.at]) / case.hop)


VERSION = re.search(r"NCCL (\S+)'s", tuner.__doc__)[1]
SAID = {
    "01_collectives": [],
    "02_ring": [
        "N − 1 messages",
        "N − 1 more",
        "2 (N − 1) S bytes",
        "2 (N − 1) / N",
        f"below {2} S for any",  # 2 (N - 1) / N < 2
        "2 (N − 1) steps",
        "log₂ N",
        "for 1 to 16 ranks",
    ],
    "03_trees": [
        "and 6 ranks in the controls",
        "With N ranks",
        "log₂ N",
        "this for 1000 ranks",
        f"Rank {BUSY} sends the same amount: S on the way up",
        f"\n{BOTH_WAYS.bytes_sent[BUSY] // 8 - 1} S on the way down",
        f"(of version {VERSION}) for nodes of {H100.per_node} GPUs",
        f"And in {A100.nodes} nodes?",
        "LL, LL128 and Simple",
        f"**In one node of {H100.per_node} H100, NCCL uses {verdict(H100)}.**",
        f"{tree_hops() // 2} hops up and {tree_hops() // 2} hops down",
        f"also takes {model.TuningCase(H100, 'all_reduce', 'Ring', 'LL').steps} steps",
        f"From {from_size(H100, 'NVLS')}\n  on, the switches of the node add",
        f"**In {H100_NODES.nodes} nodes of H100, NCCL uses {verdict(H100_NODES)}.**",
        f"From {from_size(H100_NODES, 'NVLSTree')} on, the switches of each node add",
        f"**In {A100.nodes} nodes of A100, NCCL uses {verdict(A100)}**",
        f"in one node of {H100.per_node} H100, NCCL never uses trees",
        "step k = 0, 1, …",
        "toward rank 0",
        "2ᵏ",
    ],
    "04_log_step": [
        "one element, in float32",
        "In step k = 0, 1, …",  # the solution runs
        "is 2ᵏ ranks away",
        f"Here x{BROADCAST.root + 1} is the data of rank one",
    ],
    "05_cost": [
        "2 log₂ N steps (for N",
        "2 (N − 1) steps, each with a chunk",
        "the crossover grows almost like N²",
        "grows\n  almost like N²",
        "Predict for 64 ranks: how many steps",
        "takes n − 2 + q steps",  # the solution is judged by the clock
        "at least 1. The check times",
        "Rank 3 has links",
        "a ring of 8 ranks take",
        "nodes of 8 GPUs. Links inside",
        "for 64 ranks and a large vector: by what factor",
        "algbw times 2 (N − 1) / N",
        "for 64 GPUs in 8 nodes",
        "`fp32` instead of `bf16`",
    ],
    "06_machines": [],
    "09_sick_clusters": [
        f"H100, is a busbw of about three GB/s for a vector of {size_text(1 << 16)} a"
    ],
    "11_training": [
        '`"zero-1"` and `"zero-3"`, if',  # names of schemes, compressions and a bucket
        '`"zero-1"`, `"zero-3"`, or',
        'such as `"100MB"`',
        '`"fp8"`',
    ],
    "13_your_own": [],
}
