"""The largest flow from one node of a network to another, in whole numbers (Dinic's algorithm)."""

from __future__ import annotations


class FlowNetwork:
    """Nodes and arcs with room for a flow; pushing a flow takes the room that it uses.

    Arc 2 k leads there and 2 k + 1 back: what is pushed over one can be pushed back over the other.

    References
    ----------
    E. A. Dinic, Algorithm for solution of a problem of maximum flow in networks with power
    estimation, Soviet Mathematics Doklady 11, 1970.
    """

    def __init__(self, nodes: int) -> None:
        self.room: list[int] = []
        self._end: list[int] = []
        self._arcs: list[list[int]] = [[] for _ in range(nodes)]

    def add(self, src: int, dst: int, room: int = 0) -> int:
        """Add an arc with so much room, and return its number."""
        number = len(self._end)
        for start, end in ((src, dst), (dst, src)):
            self._arcs[start].append(len(self._end))
            self._end.append(end)
        self.room += [room, 0]
        return number

    def push(self, source: int, sink: int, enough: int) -> int:
        """Push as much as there is room for, at most `enough`, and return how much that is.

        >>> network = FlowNetwork(3)
        >>> _ = [network.add(*arc) for arc in ((0, 1, 4), (1, 2, 3), (0, 2, 2))]
        >>> network.push(0, 2, 100), network.reaching(2)
        (5, {2})
        """
        pushed = 0
        while pushed < enough and (hops := self._hops(source, sink)):
            pushed += self._push_along(source, sink, hops, enough - pushed)
        return pushed

    def reaching(self, sink: int) -> set[int]:
        """The nodes from which there is still room on a path to the sink, with the sink."""
        return {node for node, hops in enumerate(self._hops(-1, sink)) if hops >= 0}

    def _hops(self, source: int, sink: int) -> list[int]:
        """How many arcs with room each node is from the sink, -1 where unknown.

        The search ends at the source; empty if it does not get there. -1 as the source: no end.
        """
        hops = [-1] * len(self._arcs)
        hops[sink], wave = 0, [sink]
        for node in wave:  # which grows
            away = hops[node] + 1
            for arc in self._arcs[node]:
                before = self._end[arc]
                if hops[before] < 0 and self.room[arc ^ 1]:
                    hops[before] = away
                    if before == source:
                        return hops
                    wave.append(before)
        return [] if source >= 0 else hops

    def _push_along(self, source: int, sink: int, hops: list[int], enough: int) -> int:
        """Push over shortest paths until each has an arc without room."""
        room, end, pushed = self.room, self._end, 0
        rest: dict[int, list[int]] = {}  # arcs of each node that may still lead on
        path: list[int] = []
        while pushed < enough:
            node = end[path[-1]] if path else source
            if node == sink:
                amount = min(enough - pushed, *(room[arc] for arc in path))
                for arc in path:
                    room[arc] -= amount
                    room[arc ^ 1] += amount
                pushed += amount
                full = next((k for k, arc in enumerate(path) if not room[arc]), len(path))
                del path[full:]
                continue
            if node not in rest:
                rest[node] = list(self._arcs[node])
            arcs = rest[node]
            while arcs and not (room[arcs[-1]] and hops[end[arcs[-1]]] == hops[node] - 1):
                arcs.pop()
            if arcs:
                path.append(arcs[-1])
            elif path:
                path.pop()
                before = end[path[-1]] if path else source
                rest[before].pop()
            else:
                break
        return pushed
