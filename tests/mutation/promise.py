"""What each collective promises, from MPI's definitions and in plain loops.

Written apart from the package, which says the same with arrays: neither can repeat the other's
mistake. A cell is (rank, slot); a contribution is the cell it was in at the start.
"""

from __future__ import annotations

from typing import NamedTuple

from collectives.routing import random_routing

Cell = tuple[int, int]


class Promise(NamedTuple):
    """Cells that hold their own data before, and what each promised cell must hold after.

    once: every contribution exactly once, else at least once. Nothing else may be there.
    """

    before: list[Cell]
    after: dict[Cell, list[Cell]]
    exactly_once: bool = True


def promise(name: str, algorithm: str, ranks: int, chunk_count: int, root: int) -> Promise:
    """The promise of a collective; of send-recv, that of the algorithm."""
    everyone = range(ranks)
    every = [(rank, slot) for rank in everyone for slot in range(chunk_count)]
    at_root = [(root, slot) for slot in range(chunk_count)]
    share = chunk_count // ranks  # where each rank owns as many
    own = [(rank, rank * share + k) for rank in everyone for k in range(share)]
    owner = {slot: rank for rank, slot in own}

    def total(slot: int, last: int = ranks - 1) -> list[Cell]:
        return [(rank, slot) for rank in range(last + 1)]

    if name == "broadcast":
        return Promise(at_root, {cell: [(root, cell[1])] for cell in every})
    if name == "scatter":
        return Promise(at_root, {cell: [(root, cell[1])] for cell in own})
    if name == "gather":
        return Promise(own, {cell: [(owner[cell[1]], cell[1])] for cell in at_root})
    if name == "all_gather":
        return Promise(own, {cell: [(owner[cell[1]], cell[1])] for cell in every})
    if name == "reduce":
        return Promise(every, {cell: total(cell[1]) for cell in at_root})
    if name == "reduce_scatter":
        return Promise(every, {cell: total(cell[1]) for cell in own})
    if name == "all_reduce":
        return Promise(every, {cell: total(cell[1]) for cell in every})
    if name == "scan":
        return Promise(every, {(rank, slot): total(slot, rank) for rank, slot in every})
    if name == "exscan":
        return Promise(every, {(rank, slot): total(slot, rank - 1) for rank, slot in every if rank})
    if name == "barrier":
        return Promise(every, {cell: total(cell[1]) for cell in every}, exactly_once=False)
    if name == "all_to_all":
        received = {}
        for rank in everyone:
            for source in everyone:
                received[rank, chunk_count + source] = [(source, rank)]
        return Promise(every, received)
    if name in ("dispatch", "combine"):
        return routed(name, algorithm, ranks, chunk_count)
    assert name == "send_recv"
    sent = PATTERNS[algorithm](ranks, chunk_count)
    return Promise(
        every, {(rank, chunk_count + place): [source] for (rank, place), source in sent.items()}
    )


def routed(name: str, algorithm: str, ranks: int, chunk_count: int) -> Promise:
    """The promise by the usual table: one expert on each rank, two of them for each token."""
    tokens = chunk_count // ranks
    table = random_routing(ranks, tokens, ranks, min(2, ranks)).choice.tolist()
    taken = [(rank, token) for rank in range(ranks) for token in range(chunk_count)]
    zeros = algorithm == "reduce-scatter"  # which every rank hands in
    taken = [(rank, token) for rank, token in taken if zeros or rank in table[token]]
    own = [(token // tokens, token) for token in range(chunk_count)]
    if name == "dispatch":
        return Promise(own, {(rank, token): [own[token]] for rank, token in taken})
    return Promise(taken, {(rank, t): [cell for cell in taken if cell[1] == t] for rank, t in own})


def ping_pong(ranks: int, chunk_count: int) -> dict[Cell, Cell]:
    """Ranks 0 and 1, 2 and 3, … have each other's data: where it is received → what is sent."""
    found = {}
    for low in range(0, ranks - 1, 2):
        found[low, 0] = (low + 1, 0)
        found[low + 1, 0] = (low, 0)
    return found


def halo(ranks: int, chunk_count: int) -> dict[Cell, Cell]:
    """On a ring, place 0 has the right edge of the left neighbor, place 1 the reverse."""
    found = {}
    for rank in range(ranks):
        left, right = (rank or ranks) - 1, rank + 1 if rank + 1 < ranks else 0
        found[rank, 0] = (left, 1)
        found[rank, 1] = (right, 0)
    return found


def activations(ranks: int, chunk_count: int) -> dict[Cell, Cell]:
    """Every stage but the first has all chunks of the stage before it."""
    return {(rank, k): (rank - 1, k) for rank in range(1, ranks) for k in range(chunk_count)}


PATTERNS = {
    "ping-pong": ping_pong,
    "halo-exchange": halo,
    "pipeline-activations": activations,
}
