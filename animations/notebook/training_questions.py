"""What is asked of a Modeler before it is seen, answered by its own calculation."""

from __future__ import annotations

from dataclasses import replace

from animations.notebook.modeler import Modeler
from animations.notebook.training_step import GPUS, RANKS, modeled
from collectives.questions import Question
from collectives.questions.lectures import training

BUCKETS = (1, 2, 4, 16, 64, 256)


def training_questions(modeler: Modeler) -> list[Question]:
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
    syncs = {name: modeled(other).sync for name, other in others.items()}
    nodes = modeled(replace(setup, machine="cluster", algorithm="ring", ranks=8 * GPUS))
    return [*training.training(steps, syncs), *training.scaling(RANKS, nodes.curves, GPUS)]
