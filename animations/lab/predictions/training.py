"""What the lecture on cost lets its readers predict of training: buckets, all-reduces, nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from animations.lab.predictions.cost import TIMES, fastest
from animations.lab.predictions.predicted import choose, multiple
from animations.notebook.modeler import Modeler
from animations.notebook.training_step import GPUS, RANKS, modeled
from collectives.questions.question import Question
from collectives.words import percent

EFFICIENT = 0.95  # of a step is compute
BUCKETS = (1, 2, 4, 16, 64, 256)


def of_modeler(modeler: Modeler) -> list[Question]:
    """The best number of buckets, the all-reduce with fp32 and on a tree, ranks in nodes."""
    if modeler.result is None:
        return []  # the widget says why
    setup = modeler.result.setup
    steps = {count: modeled(replace(setup, buckets=count)).step for count in BUCKETS}
    others = {
        f"a {setup.algorithm}, {setup.dtype}": setup,
        "fp32 gradients": replace(setup, dtype="fp32"),
        "a tree": replace(setup, algorithm="tree", machine="crossbar"),
    }
    syncs = {name: modeled(setup).sync for name, setup in others.items()}
    nodes = modeled(replace(setup, machine="cluster", algorithm="ring", ranks=8 * GPUS))
    return [*training(steps, syncs), *scaling(RANKS, nodes.curves, GPUS)]


def training(steps: Mapping[int, float], syncs: Mapping[str, float]) -> list[Question]:
    """How many buckets make a training step shortest; other choices make its all-reduce longer.

    syncs: the time of the all-reduce as it is now, then with other choices, each by its name.
    """
    counts = sorted(steps)
    guessed = {counts[0]: "fewest messages", counts[-1]: "more is better"}
    guessed |= {counts[1]: "two are enough", counts[len(counts) // 2]: "in the middle"}
    scheme = fastest(
        "How many buckets make this training step shortest?",
        steps,
        "bucket",
        guessed,
        "with more buckets the first starts sooner, but each bucket costs its own latency",
        "What must the last bucket wait for, and what does each bucket cost?",
    )
    now, *others = syncs
    for name in others:
        scheme += multiple(
            f"With {name}, by what factor does the time of the all-reduce change?",
            f"all gradients; now: {now}",
            syncs[name] / syncs[now],
            [(1.0, "same factor"), (2.0, "twice"), (4.0, "four times"), (0.5, "faster")],
            "for large vectors the bytes through the busiest link decide the time",
            "What happens to the bytes that the busiest link carries?",
            TIMES,
        )
    return scheme


def scaling(
    ranks: Sequence[int], efficiency: Mapping[str, Sequence[float]], gpus: int
) -> list[Question]:
    """Up to how many ranks in nodes two algorithms spend nearly all of a step on compute.

    efficiency: the part that is compute, of each algorithm on each number of ranks.
    """
    names, largest = tuple(efficiency), ranks[-1]
    limits = tuple(
        max((n for n, part in zip(ranks, parts, strict=True) if part >= EFFICIENT), default=0)
        for parts in efficiency.values()
    )

    def text(limits: tuple[int, ...]) -> str:
        texts = ("all" if limit == largest else f"up to {limit:,}" for limit in limits)
        return ", ".join(f"{name} {limit}" for name, limit in zip(names, texts, strict=True))

    guessed = [
        (limits[::-1], "ring ahead"),
        ((min(limits),) * len(limits), "ring like hierarchical"),
        ((max(limits),) * len(limits), "no gain"),
    ]
    return choose(
        f"Up to how many ranks, in nodes of {gpus}, is {percent(EFFICIENT)} of a step compute?",
        f"from {ranks[0]} to {largest:,} ranks",
        (text(limits), limits),
        [(text(guess), guess, name) for guess, name in guessed if guess != limits],
        "hierarchical takes fewer steps, and on many ranks the latency of each step counts"
        if limits[-1] > limits[0]
        else "the closed forms show it",
        "How many steps does each algorithm take on so many ranks?",
    )
