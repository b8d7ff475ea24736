"""The search for the best paths of a topology: fewest hops, then fastest, spread by destination."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import heappop, heappush
from math import inf
from typing import NamedTuple

import numpy as np

from collectives.cost.machines.paths import Floats, Integers, Paths
from collectives.errors import BadInput

Speed = tuple[float, int]  # of a way: its bandwidth, and its latency in negative femtoseconds
Found = tuple[tuple[int, ...], tuple[int, ...]]  # links as fast, and slower ones


class FirstLinks(NamedTuple):
    """The links that start the best ways from a node to a goal.

    slower: links that start ways as short but slower.
    """

    links: tuple[int, ...]
    slower: tuple[int, ...] = ()


NO_WAY = FirstLinks(())


class RouteTree(NamedTuple):
    """The choice at each node on its ways to a root; whether any has several links, or ways."""

    choices: list[FirstLinks]
    spread: bool = False
    uneven: bool = False


class Search:
    """Finds the best paths, spread by destination as the static routes of a fat tree are.

    A path is the better, the fewer links of the lowest priority it has, then of the next one, and
    so on: the fewest hops, where all have the same. From each node on, among paths as short, the
    fastest is the one of the largest bandwidth (of its slowest link), then of the least latency.

    Where several links start equal paths, they are numbered in listed order and the path
    takes the one with the destination's number modulo how many they are; at the next such choice
    the quotient of that division takes the place of the destination's number. So two spines get
    every other destination each, and what a rank with two leaves sends over one of them still
    goes over both spines.
    """

    def __init__(
        self,
        nodes: int,
        links: tuple[Integers, Integers, Floats, Floats],
        priority: Integers,
        name: str,
        label: Callable[[int], str],
    ) -> None:
        """The links by their columns: src, dst, latency, bandwidth."""
        src, dst, latency, bandwidth = links
        self._src, self._dst = src.tolist(), dst.tolist()
        self._bandwidth, self._speeds = bandwidth.tolist(), _Speeds()
        delays = [-round(delay * 1e15) for delay in latency.tolist()]  # sums are exact in any order
        kinds = list(zip(self._bandwidth, delays, strict=True))
        by_kind = {kind: _Onward(kind, self._speeds) for kind in kinds}
        self._onward = [by_kind[kind] for kind in kinds]
        levels = np.unique(-priority, return_inverse=True)[1].tolist()
        self._length = [nodes**level for level in levels]  # more than all links of higher priority
        self._weighted = max(levels, default=0) > 0
        self._name, self._label = name, label
        self._into: list[list[int]] = [[] for _ in range(nodes)]
        for link, end in enumerate(self._dst):
            self._into[end].append(link)
        self._alone = [FirstLinks((link,)) for link in range(len(self._src))]
        self._choices: dict[Found, FirstLinks] = {}  # each is kept once, by it as it was found
        self._trees: dict[tuple[int, float], RouteTree] = {}

    def __call__(self, src: Integers, dst: Integers) -> Paths:
        """The path of each pair; raises BadInput, naming the two, where there is none."""
        start, links = [0], []
        for node, goal in zip(src.tolist(), dst.tolist(), strict=True):
            (root, last), spread = self._end(goal), goal
            choices = self._tree(root, last).choices
            while node != goal:
                choice = last if node == root else choices[node].links
                if not choice:
                    ends = f"from {self._label(node)} to {self._label(goal)}"
                    raise BadInput(f"{self._name}: no way {ends}; connect them by a link")
                spread, which = divmod(spread, len(choice))
                links.append(choice[which])
                node = self._dst[choice[which]]
            start.append(len(links))
        return Paths(np.array(start, np.intp), np.array(links, np.intp))

    def choices(self, ranks: int) -> tuple[bool, tuple[int, int, int] | None]:
        """Whether paths between ranks are spread, and where some as short are slower.

        Of these the first: the goal, and the links that start the way that is taken and the other.
        """
        spread, slower = False, None
        for goal in range(ranks):
            tree = self._tree(*self._end(goal))
            seek = tree.uneven and slower is None
            if not seek and (spread or not tree.spread):
                continue
            sources = range(ranks) if seek or not goal else range(1)
            for choice in self._passed(tree, [rank for rank in sources if rank != goal]):
                spread = spread or len(choice.links) > 1
                if choice.slower and slower is None:
                    slower = goal, choice.links[0], choice.slower[0]
        return spread, slower

    def _passed(self, tree: RouteTree, nodes: list[int]) -> Iterator[FirstLinks]:
        """The choices at the nodes that paths from these nodes come through."""
        seen = set(nodes)
        for node in nodes:  # which grow meanwhile
            yield tree.choices[node]
            for link in tree.choices[node].links:
                if self._dst[link] not in seen:
                    seen.add(self._dst[link])
                    nodes.append(self._dst[link])

    def _end(self, goal: int) -> tuple[int, tuple[int, ...]]:
        """The node from which all paths to the goal go on alike, and the link by which they do."""
        last = self._into[goal]
        return (self._src[last[0]], tuple(last)) if len(last) == 1 else (goal, ())

    def _tree(self, root: int, last: tuple[int, ...]) -> RouteTree:
        """The ways to a root, from where all go on over a link."""
        cap = self._bandwidth[last[0]] if last else inf
        if (root, cap) not in self._trees:
            self._trees[root, cap] = self._towards(root, cap)
        return self._trees[root, cap]

    def _towards(self, root: int, cap: float) -> RouteTree:
        """The ways, found from the root backwards: nodes in the order of their distance."""
        nodes, src, length = len(self._into), self._src, self._length
        tree, seen = RouteTree([NO_WAY] * nodes), [False] * nodes
        speed = [self._speeds[cap, 0]] * nodes
        waves: dict[int, dict[int, list[int]]] = {0: {root: []}}  # links by node by distance
        distances, ahead, reached, left = [0], 0, waves[0], nodes
        while distances:
            distance = heappop(distances)
            wave = waves.pop(distance)
            if self._weighted:  # some have been reached by a shorter way
                wave = {node: links for node, links in wave.items() if not seen[node]}
            for node in wave:
                seen[node] = True
            if distance:
                tree = self._choose(tree, wave, speed)
            left -= len(wave)
            if not left:  # in a mesh no other link needs to be looked at
                break
            for node in wave:
                for link in self._into[node]:
                    start = src[link]
                    if seen[start]:
                        continue
                    further = distance + length[link]
                    if further != ahead:
                        ahead = further
                        if ahead not in waves:
                            waves[ahead] = {}
                            heappush(distances, ahead)
                        reached = waves[ahead]
                    if start in reached:
                        reached[start].append(link)
                    else:
                        reached[start] = [link]
        return tree

    def _choose(self, tree: RouteTree, wave: dict[int, list[int]], speed: list[int]) -> RouteTree:
        """The tree with the fastest ways from these nodes; `speed` of each node gets theirs."""
        dst, onward, choices = self._dst, self._onward, tree.choices
        spread, uneven = tree.spread, tree.uneven
        for node, links in wave.items():
            if len(links) == 1:
                link = links[0]
                choices[node], speed[node] = self._alone[link], onward[link][speed[dst[link]]]
                continue
            choice: Found = tuple(links), ()
            ways = [onward[link][speed[dst[link]]] for link in links]
            best = ways[0]
            if ways.count(best) == len(ways):
                spread = True
            else:
                best = max(ways, key=self._speeds.known.__getitem__)
                equal = tuple(link for link, way in zip(links, ways, strict=True) if way == best)
                slower = tuple(link for link, way in zip(links, ways, strict=True) if way != best)
                spread, uneven, choice = spread or len(equal) > 1, True, (equal, slower)
            if choice not in self._choices:
                self._choices[choice] = FirstLinks(
                    tuple(sorted(choice[0])), tuple(sorted(choice[1]))
                )
            choices[node], speed[node] = self._choices[choice], best
        return RouteTree(choices, spread, uneven)


class _Speeds(dict[Speed, int]):
    """Numbers speeds as they are first asked for."""

    def __init__(self) -> None:
        super().__init__()
        self.known: list[Speed] = []

    def __missing__(self, speed: Speed) -> int:
        self[speed] = len(self.known)
        self.known.append(speed)
        return self[speed]


class _Onward(dict[int, int]):
    """The speed of a way that starts with a link, by that of what follows."""

    def __init__(self, link: Speed, speeds: _Speeds) -> None:
        super().__init__()
        self._link, self._speeds = link, speeds

    def __missing__(self, after: int) -> int:
        (wide, soon), (width, early) = self._link, self._speeds.known[after]
        self[after] = self._speeds[min(wide, width), soon + early]
        return self[after]
