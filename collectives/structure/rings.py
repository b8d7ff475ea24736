"""Rings, lines and stars: what data runs round, along, or in and out of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from collectives.structure.base import MOST_NAMED, Name, Nodes, Structure, links_of, named
from collectives.structure.traffic import Links, Traffic
from collectives.structure.trees import edges_of
from collectives.words import Worded


@dataclass(frozen=True)
class Ring(Structure):
    """Every node sends to the next in a cyclic order, in one order or in several at once.

    orders: each lists the nodes as the data travels; the last sends to the first. A ring in both
    directions has an order and its reverse. parent: of each node, -1 at the root, where data is
    also handed out or collected over a tree (the scatter before a ring of chunks, the gather after
    it); empty where it is not.
    """

    orders: tuple[Nodes, ...]
    parent: Nodes = ()

    def agrees(self, traffic: Traffic) -> bool:
        """Whether links are those of the ring and of its tree, which has one root."""
        return self.parent.count(-1) < 2 and super().agrees(traffic)

    def ways(self, ranks: int) -> tuple[Links, Links]:
        """From each node to the next, and the tree."""
        every = (zip(order, order[1:] + order[:1], strict=True) for order in self.orders)
        return links_of(link for links in every for link in links if ranks > 1), edges_of(
            self.parent
        )

    def role(self, node: int, name: Name) -> str:
        """Neighbors in the order in which data travels; of many rings only those in the first."""
        first = self.orders[0]
        if node not in first:
            return ""
        at = first.index(node)
        before, after = (first[(at + by) % len(first)] for by in (-1, 1))
        if before == after:
            return Worded("neighbor of {node}", node=name(after))
        if {_turned(order) for order in self.orders} == {_turned(first), _turned(first[::-1])}:
            pattern = "between {before} and {after} on the ring"
            return Worded(pattern, before=name(before), after=name(after))
        count = len(self.orders)
        ring = "the ring" if count == 1 else "the first of {count} rings"
        pattern = f"after {{before}} and before {{after}} on {ring}"
        return Worded(pattern, before=name(before), after=name(after), count=count)

    def alike(self, structure: Structure | None) -> bool:
        """Whether both have as many orders, and both or none a tree."""
        return isinstance(structure, Ring) and (len(self.orders), not self.parent) == (
            len(structure.orders),
            not structure.parent,
        )


@dataclass(frozen=True)
class Line(Structure):
    """A chain or a pipeline: nodes in the order in which the data passes them."""

    order: Nodes

    def ways(self, ranks: int) -> tuple[Links, Links]:
        """From each node but the last to the next."""
        return links_of(zip(self.order, self.order[1:], strict=False)), links_of()

    def role(self, node: int, name: Name) -> str:
        """After which node it is, and before which."""
        order, at = self.order, self.order.index(node)
        before = "after {before}" if at else "first of the line"
        after = "before {after}" if at + 1 < len(order) else "last of the line"
        ends = {"before": name(order[at - 1]) if at else "", "after": ""}
        if at + 1 < len(order):
            ends["after"] = name(order[at + 1])
        return Worded(f"{before}, {after}", **ends)


@dataclass(frozen=True)
class Star(Structure):
    """Hubs that are linked with all others: a root, servers, or every rank with every other."""

    hubs: Nodes

    def ways(self, ranks: int) -> tuple[Links, Links]:
        """Between each hub and each other rank."""
        hub, rank = np.repeat(self.hubs, ranks), np.tile(np.arange(ranks), len(self.hubs))
        return links_of(), np.stack([hub, rank], axis=1)[hub != rank]

    def role(self, node: int, name: Name) -> str:
        """A hub, or with which hubs it is linked."""
        hubs = self.hubs
        if len(hubs) > MOST_NAMED or (node in hubs and len(hubs) > 1):
            return "linked with all others"
        if node in hubs:
            return "the hub, linked with all others"
        return Worded("linked with {hubs}", hubs=named(hubs, name))

    def alike(self, structure: Structure | None) -> bool:
        """Whether both have one hub, or both more."""
        return isinstance(structure, Star) and (len(self.hubs) > 1) == (len(structure.hubs) > 1)


def side_by_side(traffic: Traffic) -> Iterator[Ring]:
    """Rings of all nodes, where the schedule ran within several such orders at once."""
    every = list(range(traffic.nodes))
    for matrix in dict.fromkeys(matrix for of in traffic.groups for matrix in of):
        orders = tuple(dict.fromkeys(map(_turned, matrix)))
        if len(orders) > 1 and all(sorted(order) == every for order in orders):
            yield Ring(orders)


def _turned(order: Nodes) -> Nodes:
    """A ring's order from its smallest node on."""
    at = order.index(min(order))
    return order[at:] + order[:at]
