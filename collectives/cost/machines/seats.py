"""Machines whose ranks stand on other GPUs: rank 3 on GPU 8, and the rank there on GPU 3."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from collectives.cost.machines.paths import Integers, Paths
from collectives.cost.machines.topology import Topology
from collectives.errors import BadInput
from collectives.words import brief, plural, quoted

PLACE = re.compile(r"\s*(\d{1,7})\s*=\s*(\d{1,7})\s*")
MOST_NAMED = 3  # places that the name of a machine lists


def place_texts(value: object) -> tuple[str, ...]:
    """The places of ranks, each as rank=GPU; raises BadInput for anything else.

    >>> place_texts("3=8, 1=9")
    ('3=8', '1=9')
    """
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, Sequence) or not all(isinstance(text, str) for text in texts):
        raise BadInput(f"place {brief(value)}: must be texts of a rank and a GPU; try: 3=8")
    parts = [part for text in texts for part in text.split(",")]
    for part in parts:
        if not PLACE.fullmatch(part):
            raise BadInput(f"place {quoted(part)}: must be RANK=GPU; try: 3=8")
    return tuple("".join(part.split()) for part in parts)


def split_places(parameters: Mapping[str, object]) -> tuple[tuple[str, ...], dict[str, object]]:
    """The places of ranks among the parameters of a machine, and the other parameters."""
    others = {name: value for name, value in parameters.items() if name != "place"}
    return place_texts(parameters.get("place", ())), others


def seats_of(moves: Iterable[str], ranks: int) -> Integers:
    """The GPU of each rank after these moves, one after another: two ranks change places.

    >>> seats_of(["3=0", "1=3"], 4)
    array([1, 3, 2, 0])
    """
    seats = np.arange(ranks)
    for text in place_texts(tuple(moves)):
        rank, seat = map(int, text.split("="))
        for name, number in (("rank", rank), ("GPU", seat)):
            if number >= ranks:
                raise BadInput(f"place {text}: no {name} {number} among {ranks}; try: {ranks - 1}")
        there = int(np.flatnonzero(seats == seat)[0])
        seats[[rank, there]] = seats[[there, rank]]
    return seats


def places_of(seats: Sequence[int] | Integers) -> tuple[str, ...]:
    """The fewest moves that bring each rank to its GPU.

    >>> places_of([1, 3, 2, 0])
    ('0=1', '1=3')
    """
    wanted, now = list(map(int, seats)), list(range(len(seats)))
    moves = []
    for rank, seat in enumerate(wanted):
        if now[rank] != seat:
            there = now.index(seat)
            now[rank], now[there] = now[there], now[rank]
            moves.append(f"{rank}={seat}")
    return tuple(moves)


def seated(topology: Topology, moves: Iterable[str]) -> Topology:
    """The same machine with ranks on other GPUs; its name says which. Raises BadInput.

    A node that is a rank is called by the rank there, also where faults name links.

    >>> from collectives.cost.machines import topology
    >>> moved = seated(topology("ring", 4), ["0=2"])
    >>> moved.name, moved.link_label(0), moved.paths([0], [1]).link
    ('ring, place 0=2', 'rank 2 → rank 1', array([6]))
    """
    seats = seats_of(moves, topology.ranks)
    fewest = places_of(seats)
    if not fewest:
        return topology
    names = f"place {' '.join(fewest)}"
    if len(fewest) > MOST_NAMED:
        names = f"{plural(int((seats != np.arange(len(seats))).sum()), 'rank')} moved"
    return replace(_renumbered(topology, seats), name=f"{topology.name}, {names}")


def unseated(topology: Topology) -> Topology:
    """The machine with each rank on the GPU of its number, whatever it was before."""
    return _renumbered(topology, np.argsort(topology.seats)) if topology.seats else topology


def to_and_fro(topology: Topology) -> Topology:
    """The machine whose rank after each is beside it, to and fro through a grid as in a snake.

    In the order of GPUs where the last rank would not be beside the first.

    >>> from collectives.cost.machines import topology
    >>> to_and_fro(topology("torus-2d", 4)).seats, to_and_fro(topology("ring", 4)).seats
    ((0, 1, 3, 2), ())
    """
    sides = sorted(range(len(topology.shape)), key=lambda side: topology.shape[side] % 2)
    if len(sides) < 2:
        return topology
    plain = unseated(topology)
    order = _snake(np.arange(plain.ranks).reshape(plain.shape).transpose(sides))
    closes = len(plain.paths(order, np.roll(order, -1)).link) == len(order)
    return _renumbered(plain, order) if closes else plain


def _snake(grid: Integers) -> Integers:
    """All of a grid, each beside the one before."""
    if grid.ndim == 1:
        return grid
    return np.concatenate([_snake(row)[:: 1 - 2 * (at % 2)] for at, row in enumerate(grid)])


def _renumbered(topology: Topology, seats: Integers) -> Topology:
    """The machine whose rank r is what was rank seats[r]."""
    old = np.concatenate([seats, np.arange(topology.ranks, topology.nodes)])
    new = np.argsort(old)
    before = np.array(topology.seats or range(topology.ranks))

    def route(src: Integers, dst: Integers) -> Paths:
        return topology.route(old[src], old[dst])

    stands = before[seats].tolist()
    return replace(
        topology,
        src=new[topology.src],
        dst=new[topology.dst],
        in_network=new[topology.in_network],
        route=route,
        seats=() if stands == sorted(stands) else tuple(stands),
    )
