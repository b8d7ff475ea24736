"""Routes in and between the boxes of nodes: beside the lines of cards, and across the network."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from animations.drawing.scenery import StageLine, Way
from animations.drawing.shapes import Box
from animations.drawing.ways import beside, crossings, spaced
from animations.stages.group_plan import GroupPlan
from animations.stages.staged import Staged

NEAR = 2.0  # pixels between a card and the end of a line
MOST_APART = 200  # links between ranks whose parcels are kept from meeting
STAGGER = 2.5  # pixels between lines that run beside the same cards

Link = tuple[int, int]


class GroupRoutes:
    """The ways of parcels and the lines of links.

    Calculated as if all lines of cards ran to the right: data that goes right is above the
    cards, data that goes left below them.
    """

    def __init__(self, staged: Staged, plan: GroupPlan, boxes: dict[int, Box]) -> None:
        self._staged, self._plan = staged, plan
        self._boxes = {node: self._turned(box) for node, box in boxes.items()}
        card = self._boxes[0]
        self._pitch = 1.1 * card.width
        self._lane = 0.2 * card.width
        wide, self._thick = min(46.0, 0.5 * self._pitch), plan.corridor - 12
        if plan.switched:
            few = sum(map(len, plan.racks)) <= 2  # nodes, between which no ways cross
            wide = min(46.0, (0.22 if few else 0.11) * self._pitch)
            self._thick = min(26.0, plan.corridor / 2 + (2 if few else -6))
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
        curves = {link: self._curve(link, self._rest) for link in self._staged.link_steps}
        if self._plan.switched:
            between = {link: way for link, way in curves.items() if max(link) < self._staged.ranks}
            if len(between) < MOST_APART:
                room = 1.15 * self.parcel[0], 1.15 * self.parcel[1]
                curves |= spaced(between, self._staged.link_steps, room)[0]
        return {link: self._back(way) for link, way in curves.items()}

    @cached_property
    def _forked(self) -> dict[Link, set[int]]:
        """The links over which a switch sends what it sends to other nodes too, and the steps."""
        forked: dict[Link, set[int]] = {}
        for number, messages in enumerate(self._staged.steps, 1):
            ends: dict[tuple[int, tuple[int, ...]], list[int]] = {}
            for message in messages:
                if message.src >= self._staged.ranks:
                    ends.setdefault((message.src, message.chunks), []).append(message.dst)
            for (src, _), dsts in ends.items():
                for dst in dsts if len(dsts) > 1 else ():
                    forked.setdefault((src, dst), set()).add(number)
        return forked

    @cached_property
    def forks(self) -> dict[Link, Way]:
        """The ways of what a switch sends to several nodes at once."""
        return {link: self._back(self._fork(link, self._rest)) for link in self._forked}

    @property
    def lines(self) -> tuple[StageLine, ...]:
        """A line for each link, faint from the start."""
        return tuple(self._lines())

    def _lines(self) -> Iterator[StageLine]:
        wide = 4.0 if self._staged.nodes <= 20 else 2.4
        for link, steps in self._staged.link_steps.items():
            forked = self._forked.get(link, set())
            single = tuple(step for step in steps if step not in forked)
            if single:
                yield StageLine(self._back(self._curve(link, NEAR)), single, width=wide, link=link)
            if forked:
                yield StageLine(
                    self._back(self._fork(link, NEAR)), tuple(sorted(forked)), width=wide, link=link
                )

    def _curve(self, link: Link, gap: float) -> Way:
        start, end = (self._boxes[node] for node in link)
        if max(link) >= self._staged.ranks:
            return self._to_switch(link, gap)
        lane = self._lane if link[::-1] in self._staged.link_steps else 0.0
        if self._plan.switched:  # many links at one card: each ends at a place of its own
            ends = (self._link_ends[node, link] for node in link)
            start, end = (
                Box(x, box.y, 1, box.height) for x, box in zip(ends, (start, end), strict=True)
            )
            lane = 0.0
        if abs(start.y - end.y) < 1:
            return self._along(start, end, gap)
        return self._across(link, start, end, gap, lane if end.y > start.y else -lane)

    @cached_property
    def _link_ends(self) -> dict[tuple[int, Link], float]:
        """Where links between ranks of different nodes begin and end, by node and link."""
        at: dict[int, list[tuple[float, Link]]] = {}
        for link in self._staged.link_steps:
            if max(link) < self._staged.ranks:
                for node, partner in (link, link[::-1]):
                    at.setdefault(node, []).append((self._boxes[partner].x, link))
        return {
            (node, link): box.x + ((i + 0.5) / len(links) - 0.5) * 0.8 * box.width
            for node, links in at.items()
            for i, (_, link) in enumerate(sorted(links))
            if (box := self._boxes[node])
        }

    def _along(self, own: Box, partner: Box, gap: float) -> Way:
        """From a card to another one in the same line."""
        right, plan = partner.x > own.x, self._plan
        side, peak = (-1 if right else 1), plan.corridor / 2 - 2
        if plan.switched:  # on the other side of the cards is the switch
            side = 1 if own.y < plan.area.y or plan.rows == 1 else -1
            peak = self._rest + (0 if right else self._thick + 4)
        distance = abs(partner.x - own.x)
        if distance > 1.5 * self._pitch:
            peak -= min(STAGGER, 0.08 * peak) * (round(own.x / self._pitch) % 4)
        own, partner = (Box(b.x, b.y, b.width, b.height + 2 * gap) for b in (own, partner))
        lean = min(0.12, 0.2 * self._pitch / distance)
        return beside(own, partner, "bottom" if side > 0 else "top", peak - gap, lean)

    def _across(self, link: Link, from_box: Box, to_box: Box, gap: float, lane: float) -> Way:
        """From a line of cards to another one: straight, or between cards that are in the way."""
        down = to_box.y > from_box.y
        start = (from_box.x + lane, from_box.bottom + gap if down else from_box.top - gap)
        end = (to_box.x + lane, to_box.top - gap if down else to_box.bottom + gap)
        middle = (start[1] + end[1]) / 2
        ways: list[Way] = [(start, (start[0], middle), (end[0], middle), end)]
        if abs(start[0] - end[0]) < 1:
            ways = [(start, end)]
        gaps = [at + 0.5 * self._pitch * sign for at in (from_box.x, to_box.x) for sign in (1, -1)]
        for gutter in gaps:
            bend = (8 * gutter - start[0] - end[0]) / 6
            ways.append((start, (bend, middle), (bend, middle), end))
            ways.append((start, (bend, start[1]), (bend, end[1]), end))
        others = [box for node, box in self._boxes.items() if node not in link]
        return min(ways, key=lambda way: crossings(way, others))

    def _to_switch(self, link: Link, gap: float) -> Way:
        """Straight up from a rank, or straight down to it, in lanes side by side."""
        up = link[1] >= self._staged.ranks
        rank, switch = (self._boxes[node] for node in (link if up else link[::-1]))
        above = switch.y < rank.y
        low = rank.top - gap if above else rank.bottom + gap
        high = switch.bottom + gap if above else switch.top - gap
        x = rank.x - (1.4 * self._lane if up else 0)
        return ((x, low), (x, high)) if up else ((x, high), (x, low))

    def _fork(self, link: Link, gap: float) -> Way:
        """Straight from a switch to a rank, beside the lane of what it sends to that rank alone."""
        aside = 1.4 * self._lane
        return tuple((x + aside, y) for x, y in self._to_switch(link, gap))
