"""Routes in and between the boxes of nodes: beside the lines of cards, and across the network."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from animations.stages.given import Given
from animations.stages.group_plan import Plan
from animations.stages.scenery import Line, Way
from animations.stages.ways import crossings
from animations.story.drawing import Box

NEAR = 2.0  # pixels between a card and the end of a line
STAGGER = 2.5  # pixels between lines that run beside the same cards

Link = tuple[int, int]


class Routes:
    """The ways of parcels and the lines of links.

    Calculated as if all lines of cards ran to the right: data that goes right is above the
    cards, data that goes left below them.
    """

    def __init__(self, given: Given, plan: Plan, boxes: dict[int, Box]) -> None:
        self._given, self._plan = given, plan
        self._boxes = {node: self._turned(box) for node, box in boxes.items()}
        card = self._boxes[0]
        self._pitch = 1.1 * card.width
        self._lane = 0.2 * card.width
        wide, self._thick = min(46.0, 0.5 * self._pitch), plan.corridor - 12
        if plan.switched:
            wide, self._thick = min(46.0, 0.2 * self._pitch), min(26.0, plan.corridor / 2 - 3)
        self.parcel = (wide, self._thick)
        if plan.turned:
            self.parcel = (min(46.0, self._thick / 1.6), 0.8 * card.width)
        self._rest = self._thick / 2 + 3

    def _turned(self, box: Box) -> Box:
        return Box(box.y, box.x, box.height, box.width) if self._plan.turned else box

    def _back(self, way: Way) -> Way:
        return tuple((y, x) for x, y in way) if self._plan.turned else way

    @cached_property
    def ways(self) -> dict[Link, Way]:
        """The way of parcels on each link."""
        return {link: self._back(self._curve(link, self._rest)) for link in self._given.link_steps}

    @cached_property
    def _forks(self) -> dict[Link, dict[int, set[int]]]:
        """What a switch sends to several nodes at once: by link the first chunk, and its steps."""
        found: dict[Link, dict[int, set[int]]] = {}
        for number, hops in enumerate(self._given.steps, 1):
            ends: dict[tuple[int, int], list[int]] = {}
            for hop in hops:
                for chunk in hop.chunks if hop.src >= self._given.ranks else ():
                    ends.setdefault((hop.src, chunk), []).append(hop.dst)
            first = {(src, *dsts): chunk for (src, chunk), dsts in reversed(ends.items())}
            for (src, *dsts), chunk in first.items():
                for dst in dsts if len(dsts) > 1 else ():
                    found.setdefault((src, dst), {}).setdefault(chunk, set()).add(number)
        return found

    @cached_property
    def copies(self) -> dict[tuple[int, int, int], Way]:
        """The ways of what a switch sends to several nodes at once: they begin at one point."""
        return {
            (*link, chunk): self._back(self._fork(link, self._rest))
            for link, chunks in self._forks.items()
            for chunk in chunks
        }

    @property
    def lines(self) -> tuple[Line, ...]:
        """A line for each link, faint from the start."""
        return tuple(self._lines())

    def _lines(self) -> Iterator[Line]:
        wide = 4.0 if self._given.nodes <= 20 else 2.4
        for link, steps in self._given.link_steps.items():
            forked = {step for each in self._forks.get(link, {}).values() for step in each}
            single = tuple(step for step in steps if step not in forked)
            if single:
                yield Line(self._back(self._curve(link, NEAR)), single, width=wide)
            if forked:
                yield Line(self._back(self._fork(link, NEAR)), tuple(sorted(forked)), width=wide)

    def _curve(self, link: Link, gap: float) -> Way:
        one, other = (self._boxes[node] for node in link)
        if max(link) >= self._given.ranks:
            return self._to_switch(link, gap)
        if abs(one.y - other.y) < 1:
            return self._along(one, other, gap)
        both = link[::-1] in self._given.link_steps
        lane = (self._lane if other.y > one.y else -self._lane) if both else 0.0
        return self._across(link, gap, lane)

    def _along(self, one: Box, other: Box, gap: float) -> Way:
        """From a card to another one in the same line."""
        right, plan = other.x > one.x, self._plan
        side, peak = (-1 if right else 1), plan.corridor / 2 - 2
        if plan.switched:  # on the other side of the cards is the switch
            side = 1 if one.y < plan.area.y or plan.rows == 1 else -1
            peak = self._rest + (0 if right else self._thick + 4)
        shift = (0.1 if right else -0.1) * one.width
        edge = one.bottom if side > 0 else one.top
        far = abs(other.x - one.x)
        lean = min(0.12 * far, 0.2 * one.width) * (1 if right else -1)
        start, end = one.x + shift, other.x - shift
        if far > 1.5 * self._pitch:
            peak -= min(STAGGER, 0.08 * peak) * (round(start / self._pitch) % 4)
        low, high = edge + side * gap, edge + side * (gap + 4 / 3 * (peak - gap))
        return ((start, low), (start + lean, high), (end - lean, high), (end, low))

    def _across(self, link: Link, gap: float, lane: float) -> Way:
        """From a line of cards to another one: straight, or between cards that are in the way."""
        one, other = (self._boxes[node] for node in link)
        down = other.y > one.y
        start = (one.x + lane, one.bottom + gap if down else one.top - gap)
        end = (other.x + lane, other.top - gap if down else other.bottom + gap)
        middle = (start[1] + end[1]) / 2
        ways: list[Way] = [(start, (start[0], middle), (end[0], middle), end)]
        if abs(start[0] - end[0]) < 1:
            ways = [(start, end)]
        gaps = [at + 0.5 * self._pitch * sign for at in (one.x, other.x) for sign in (1, -1)]
        for gutter in gaps:
            bend = (8 * gutter - start[0] - end[0]) / 6
            ways.append((start, (bend, middle), (bend, middle), end))
            ways.append((start, (bend, start[1]), (bend, end[1]), end))
        others = [box for node, box in self._boxes.items() if node not in link]
        return min(ways, key=lambda way: crossings(way, others))

    def _to_switch(self, link: Link, gap: float) -> Way:
        """Straight up from a rank, or straight down to it, in lanes side by side."""
        up = link[1] >= self._given.ranks
        rank, switch = (self._boxes[node] for node in (link if up else link[::-1]))
        above = switch.y < rank.y
        low = rank.top - gap if above else rank.bottom + gap
        high = switch.bottom + gap if above else switch.top - gap
        x = rank.x - (1.4 * self._lane if up else 0)
        return ((x, low), (x, high)) if up else ((x, high), (x, low))

    def _fork(self, link: Link, gap: float) -> Way:
        """From the middle of a switch along its border, then down to the rank."""
        start, end = self._to_switch(link, gap)
        x = end[0] + 1.4 * self._lane
        return ((self._boxes[link[0]].x, start[1]), (x, start[1]), (x, start[1]), (x, end[1]))
