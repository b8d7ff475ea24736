"""What is counted by structure: bytes by level, dimension or distance, and ranks that idle."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from collectives.schedule.columns import Integers
from collectives.structure.base import Structure
from collectives.structure.traffic import Links, Traffic


def bytes_by_part(structure: Structure, links: Links, moved: Integers) -> dict[str, int]:
    """Bytes over each part of a structure; `moved` are the bytes over each link."""
    parts = structure.parts()
    number = parts.number(links[:, 0], links[:, 1])
    order = np.argsort(number, kind="stable")
    ends = np.searchsorted(number[order], np.arange(len(parts.names) + 1))
    shares = [moved[order[begin:end]].tolist() for begin, end in pairwise(ends.tolist())]
    return {name: sum(share) for name, share in zip(parts.names, shares, strict=True)}


def idle_ranks(traffic: Traffic) -> tuple[int, ...]:
    """How many ranks neither send nor receive, in each step in which a message travels.

    >>> from collectives.schedule import send
    >>> idle_ranks(Traffic(3, 4, [send(0, 3), send(3, [1, 2])]))
    (2, 1)
    """
    busy = [np.unique(links[links < traffic.ranks]).size for links in traffic.patterns]
    return tuple(traffic.ranks - busy[number] for number in traffic.order)
