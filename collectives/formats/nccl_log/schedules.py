"""The rings and trees of an NCCL log as algorithms, executed and proved like any other."""

from __future__ import annotations

import numpy as np

from collectives.algorithms.ring import ring_all_reduce
from collectives.algorithms.tree import tree_all_reduce
from collectives.errors import BadInput
from collectives.formats.nccl_log.communicator import Communicator
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.schedule import pipelined, together, within

MAX_CELLS = 1 << 21  # contributions that are followed: ranks * ranks * slots
TREE_CHUNKS = 2  # of each tree, so that chunks follow one another


def ring(comm: Communicator) -> Recording:
    """All-reduce on the rings: each different order has its part of the vector."""
    ranks, orders = comm.ranks, list(dict.fromkeys(comm.rings.values()))
    if not orders:
        raise BadInput("the log has no whole ring; try: NCCL_DEBUG_SUBSYS=INIT,GRAPH")
    parts = orders[: max(1, MAX_CELLS // ranks**3)]
    _check_cells(ranks, ranks * len(parts))
    steps = together(
        *(
            within(np.array(order), ring_all_reduce(ranks), first=ranks * part)
            for part, order in enumerate(parts)
        )
    )
    name = "ring of a log" if len(parts) == 1 else f"{len(parts)} rings of a log"
    return record(list(steps), name, collective="all_reduce", ranks=ranks, slots=ranks * len(parts))


def tree(comm: Communicator) -> Recording:
    """All-reduce on the trees: each different tree has its part of the vector."""
    ranks, parents = comm.ranks, list(dict.fromkeys(comm.trees.values()))
    if not parents:
        raise BadInput("the log has no whole tree; try: NCCL_DEBUG_SUBSYS=INIT,GRAPH")
    parts = parents[: max(1, MAX_CELLS // (ranks**2 * TREE_CHUNKS))]
    _check_cells(ranks, TREE_CHUNKS * len(parts))
    steps = together(
        *(
            pipelined(
                tree_all_reduce(np.array(parent)),
                range(TREE_CHUNKS * part, TREE_CHUNKS * (part + 1)),
            )
            for part, parent in enumerate(parts)
        )
    )
    name = "tree of a log" if len(parts) == 1 else f"{len(parts)} trees of a log"
    slots = TREE_CHUNKS * len(parts)
    return record(list(steps), name, collective="all_reduce", ranks=ranks, slots=slots)


def _check_cells(ranks: int, slots: int) -> None:
    """Raise BadInput for more contributions than are followed."""
    if ranks * ranks * slots > 4 * MAX_CELLS:
        max_ranks = int((4 * MAX_CELLS) ** (1 / 3))
        raise BadInput(f"{ranks} ranks: a log's algorithm is executed up to {max_ranks} ranks")
