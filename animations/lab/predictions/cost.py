"""What the lecture on cost lets its readers predict: sizes, factors and winners, all computed."""

from __future__ import annotations

from collections.abc import Mapping

from animations.lab.predictions.predicted import amount, choose, multiple, size
from collectives.cost.busbw import Bandwidths
from collectives.cost.clocks.clock import dataflow, lockstep
from collectives.cost.clocks.costs import Costs
from collectives.cost.clocks.timing import Timing
from collectives.cost.libraries.nccl.graphs import hgx
from collectives.cost.libraries.nccl.tuner import ranges
from collectives.cost.machines.faults import late_rank
from collectives.cost.machines.topology import Topology
from collectives.questions.question import Question
from collectives.recording.recording import Recording
from collectives.units import size_text
from collectives.words import listed, plural

TIMES = "×"
AGREE = 1.001  # times that are the same but for rounding
SIZES = tuple(1 << power for power in range(3, 31))  # for which NCCL's choice is computed
USED = {"Ring": "rings", "Tree": "trees", "NVLSTree": "trees between nodes whose switches add"}


def equal_parts(alpha: float, bandwidth: float) -> list[Question]:
    """The message that spends as much time on latency as on its bytes."""
    right = alpha * bandwidth
    return size(
        "How large is a message whose latency equals its transfer time?",
        right,
        [
            (2 * right, "both times"),
            (right / 2, "half the time"),
            (bandwidth / 1e9, "bandwidth"),
            (1000 * right, "units"),
            (right / 1000, "units"),
        ],
        "the link transfers this many bytes in the time α",
        "How many bytes does a link of this bandwidth transfer in the time α?",
        f"{1e6 * alpha:g} µs × {bandwidth / 1e9:g} GB/s = {size_text(right, binary=False)}",
    )


def ring_and_tree(ring: Timing, tree: Timing) -> list[Question]:
    """Steps of both on the same ranks, and which of them loads a link more."""
    ranks = ring.recording.ranks
    long, short = len(ring.recording.steps), len(tree.recording.steps)
    detail = f"an all-reduce on {plural(ranks, 'rank')}"
    if tree.link_bytes.max() <= ring.link_bytes.max():
        return []  # on two ranks both send the same
    return [
        *amount(
            "How many steps does the ring take?",
            detail,
            long,
            "step",
            [(ranks - 1, "one lap"), (2 * ranks, "N for N - 1"), (short, "doubling")],
            "each of the two laps has one hop fewer than there are ranks",
            "How many hops has one lap round the ring?",
        ),
        *amount(
            "And how many does the tree take?",
            detail,
            short,
            "step",
            [(short // 2, "one way"), (long, "like a ring"), (ranks - 1, "only the root sends")],
            "the number of ranks in a tree doubles with each level, up and down",
            "How many levels does the tree have, and how often does data cross them?",
        ),
        *choose(
            "Which of the two sends more bytes through one link?",
            detail,
            ("the tree", 1),
            [("the ring", -1, "more steps, more bytes"), ("both the same", 0, "the same sum")],
            "the root of the tree sends the whole vector again and again; a ring sends chunks",
            "How large is a message in the ring, and how large is a message in the tree?",
        ),
    ]


def chunk_count(times: Mapping[int, float], ranks: int) -> list[Question]:
    """Of some numbers of chunks the one with which a chain is fastest."""
    guessed = {max(times): "more is better", min(times): "fewest messages"}
    guessed |= {ranks: "one for each rank", sorted(times)[len(times) // 2]: "in the middle"}
    return fastest(
        "How many chunks make the chain fastest?",
        times,
        "chunk",
        guessed,
        "with fewer chunks links are idle; with more chunks the latency counts too often",
        "One part of the time grows with the number of chunks, another shrinks.",
    )


def fastest(
    prompt: str,
    times: Mapping[int, float],
    noun: str,
    guessed: Mapping[int, str],
    because: str,
    hint: str,
) -> list[Question]:
    """Which of some numbers takes the shortest time; nothing where two are the best."""
    best = min(times, key=lambda count: times[count])
    slower = {name for name in times if times[name] > AGREE * times[best]}
    if len(slower) < len(times) - 1:
        return []
    return choose(
        prompt,
        f"of {listed([str(name) for name in times], last='or')}",
        (plural(best, noun), best),
        [
            (plural(number, noun), number, name)
            for number, name in guessed.items()
            if number in slower
        ],
        because,
        hint,
    )


def who_waits(chain: Recording, machine: Topology, lateness: float) -> list[Question]:
    """Which clock lets the other ranks wait for the last rank of a chain."""
    costs = late_rank(Costs(), chain.ranks - 1, lateness)
    longer = [
        clock(chain, machine, costs).total > AGREE * clock(chain, machine).total
        for clock in (lockstep, dataflow)
    ]
    texts = {
        (True, False): "only lockstep",
        (False, True): "only dataflow",
        (True, True): "both clocks",
        (False, False): "neither clock",
    }
    wrong = {
        (True, True): "all wait",
        (False, True): "data is a barrier",
        (True, False): "only a barrier waits",
        (False, False): "late is harmless",
    }
    right = (longer[0], longer[1])
    return choose(
        "A chain broadcasts, and its last rank is late. With which clock does it take longer?",
        f"by {1e6 * lateness:.3g} µs, of {plural(chain.ranks, 'rank')}",
        (texts[right], right),
        [(texts[key], key, wrong[key]) for key in texts if key != right],
        "at a barrier all ranks wait for it; without a barrier it is ready before its data comes"
        if right == (True, False)
        else "both clocks show it",
        "When does the last rank need its first chunk?",
    )


def slow_rank(healthy: Timing, slow: Timing, factor: float) -> list[Question]:
    """How much longer a collective takes with a slow rank, and who is never idle."""
    ranks, right = healthy.recording.ranks, slow.total / healthy.total
    average = (ranks - 1 + factor) / ranks
    busy = tuple(int(rank) for rank in range(ranks) if slow.idle[rank] < 1e-6 * slow.total)
    everybody = tuple(range(ranks))
    slowest = busy[len(busy) // 2 :][:1] or (0,)

    def text(which: tuple[int, ...]) -> str:
        names = listed([str(rank) for rank in which])
        return "all of them" if which == everybody else f"only {names}" if which else "none"

    others: list[tuple[tuple[int, ...], str]] = [
        (everybody, "all wait"),
        (slowest, "only the slow one"),
        ((), "late is harmless"),
    ]
    return [
        *multiple(
            f"By what factor does it take longer if one rank is {factor:g} times slower?",
            f"a ring of {plural(ranks, 'rank')}",
            right,
            [
                (average, "average"),
                (1.0, "late is harmless"),
                (2 * factor, "both links"),
                (factor / ranks + 1, "average"),
            ],
            "in every step data must pass the slow links, and the next step needs that data",
            "How long does the slowest message of each step take?",
            TIMES,
        ),
        *choose(
            "Which ranks are never idle?",
            f"of ranks 0 to {ranks - 1}",
            (text(busy), busy),
            [(text(ranks), ranks, name) for ranks, name in others],
            "a neighbor is busy for as long as a slow message takes",
            "Which ranks are at the other end of the slow links?",
        ),
    ]


def across_nodes(ring: Timing, hierarchical: Timing, gpus: int) -> list[Question]:
    """How many times faster it is to add inside nodes first."""
    links = ring.topology.bandwidth
    return multiple(
        f"By what factor is hierarchical on {ring.recording.ranks} ranks faster than one ring?",
        f"nodes of {gpus} GPUs, a large vector",
        ring.total / hierarchical.total,
        [
            (1.0, "no gain"),
            (float(gpus), "one share each"),
            (float(links.max() / links.min()), "link ratio"),
            (2.0, "two levels"),
            (float(gpus**2), "product"),
        ],
        "its cards carry fewer bytes than in the ring, but now the links inside have work, too",
        "How many bytes leave a node through one card, and what happens inside the node?",
        TIMES,
    )


def above_the_wire(measured: Mapping[str, tuple[Bandwidths, float]]) -> list[Question]:
    """For which cases, each with the bandwidth of its wire, busbw is higher than that."""
    right = tuple(name for name, (both, wire) in measured.items() if both.busbw > AGREE * wire)

    def text(names: tuple[str, ...]) -> str:
        return listed(names) if names else "none of them"

    first, everything = tuple(measured)[:1], tuple(measured)
    guessed: list[tuple[tuple[str, ...], str]] = [
        ((), "no faster than the wire"),
        (everything, "always more"),
        (first, "rings gain"),
    ]
    return choose(
        "For which of these can busbw be higher than the bandwidth of the wire?",
        "an all-reduce; " + ", ".join(measured),
        (text(right), right),
        [(text(names), names, name) for names, name in guessed],
        "busbw counts the bytes that a ring would send; fewer bytes pass through the wire here",
        "Which of them sends fewer bytes through the wire than a ring?",
    )


def nccl_sizes(gpu: str = "H100", nodes: int = 8) -> list[Question]:
    """What NCCL uses on several nodes for the smallest and for the largest vectors."""
    every = ranges(hgx(gpu, nodes=nodes), "all-reduce", SIZES)
    first, last = (entry[2].split()[0] for entry in (every[0], every[-1]))

    def text(small: str, large: str) -> str:
        names = (USED.get(small, small), USED.get(large, large))
        return f"{names[0]} for small vectors, {names[1]} for large"

    guessed = [
        (("Tree", "Ring"), "as in the model"),
        (("Ring", "Tree"), "turned round"),
        (("Ring", "Ring"), "rings everywhere"),
        (("Tree", "NVLSTree"), "switches add"),
    ]
    return choose(
        f"What does NCCL use for an all-reduce on {plural(8 * nodes, 'GPU')} in {nodes} nodes?",
        f"{gpu}; by its own calculation",
        (text(first, last), (first, last)),
        [(text(*names), names, name) for names, name in guessed if names != (first, last)],
        "trees take the fewest hops between nodes, and switches that add halve the bytes"
        if (first, last) == ("Tree", "NVLSTree")
        else "these times are the shortest that its tuner computes",
        "What can the switches of these nodes do that a ring does not use?",
    )
