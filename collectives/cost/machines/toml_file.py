"""Reads a machine of one's own from a short TOML file.

Messages take the fewest hops, and of paths as short the fastest. Where several links do, such as
those to the spines of a fat tree, a message takes the one with its destination's number modulo how
many they are, in listed order. Links of a lower priority are avoided.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from collectives.cost.machines.links import Link, find_link
from collectives.cost.machines.topology import Topology, check_connected, from_links
from collectives.errors import BadInput, naming
from collectives.files import read_text
from collectives.units import parse_rate, parse_time
from collectives.values import whole
from collectives.words import brief, nearest, quoted

EXAMPLE = """
name = "two nodes of two"
ranks = 4
switches = 2            # further nodes: switch 0, switch 1
in_network = ["switch 0"]   # nodes that stand for an algorithm's switches and servers, in order

[[link]]
between = [[0, "switch 0"], [1, "switch 0"], [2, "switch 1"], [3, "switch 1"]]
kind = "nvlink4"        # of the table of links

[[link]]
between = [["switch 0", "switch 1"]]
bandwidth = "50GB/s"    # instead of a kind, or beside it
latency = "2us"
half_duplex = true      # both directions share the bandwidth
priority = 0            # -9 to 9: links of a lower one are avoided, however long the way of others
"""
KEYS = ("name", "ranks", "switches", "servers", "in_network", "link")
LINK_KEYS = (
    "between", "from_to", "kind", "bandwidth", "latency", "half_duplex", "ports", "priority",
)  # fmt: skip
UNITS = {"bandwidth": parse_rate, "latency": parse_time}
LARGEST = 1 << 12  # number that a file may have of anything: paths are searched link by link
DEEP_KEY = re.compile(r"""(?<!["'\w-])(?:["'\w-]++[ \t]*+\.[ \t]*+){20}""")
LONGEST = 300  # characters of a message about a TOML text
FIRST = 9  # highest priority of a link; the lowest is as far below 0
# src, dst, latency, bandwidth, ports, priority, and whether it shares the row before's capacity
Row = tuple[int, int, float, float, int, int, bool]


def read_topology(path: Path) -> Topology:
    """The topology of a TOML file; raises BadInput, naming the file, for what is wrong in it."""
    text = read_text(path, "a topology is a TOML file")
    try:
        return parse_topology(text, path.stem)
    except BadInput as problem:
        why = str(problem).removeprefix(f"{path.stem}: ")  # the name it has without one
        raise BadInput(f"{quoted(str(path))}: {why}") from None


def parse_topology(text: str, name: str = "own topology") -> Topology:
    """The topology of a TOML text; raises BadInput.

    >>> print(parse_topology(EXAMPLE).describe())
    two nodes of two: 4 ranks, 2 switches, 10 links one way
      4 x rank → switch: 450 GB/s, 1 µs
      4 x switch → rank: 450 GB/s, 1 µs
      2 x switch → switch: 50 GB/s, 2 µs
      1 link shares another's capacity
    """
    deep = DEEP_KEY.search(text)
    if deep:  # the parser would take memory by the square of the parts
        raise BadInput(f"a key of over 20 parts, {brief(deep[0])}; keys here have one")
    try:
        content = tomllib.loads(text)
    except (ValueError, RecursionError) as problem:
        if not isinstance(problem, tomllib.TOMLDecodeError | RecursionError):
            raise BadInput("not TOML: a number has thousands of digits") from None
        raise BadInput(f"not TOML: {_shortened(str(problem))}") from None
    if {"agents", "in_network"} <= content.keys():
        raise BadInput("in_network: given twice, agents is another name of it; leave agents out")
    if "agents" in content:
        content["in_network"] = content.pop("agents")
    _check_keys(content, KEYS, "a topology")
    if "ranks" not in content:
        raise BadInput("ranks is missing: the number of ranks; try: ranks = 4")
    title = _typed("name", content.get("name", name), str, "a text", repr(name))
    kinds = [
        ("rank", _number("ranks", content["ranks"], 1)),
        ("switch", _number("switches", content.get("switches", 0), 0)),
        ("server", _number("servers", content.get("servers", 0), 0)),
    ]
    labels = [f"{kind} {k}" for kind, number in kinds for k in range(number)]
    nodes = {label: place for place, label in enumerate(labels)}
    tables = content.get("link", [])
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise BadInput("link: must be tables; try: [[link]]")
    rows = [row for k, link in enumerate(tables) for row in _rows(link, f"link {k + 1}", nodes)]
    *columns, ports, priority, shares = np.array(rows).reshape(-1, 7).T
    ends = content.get("in_network", labels[kinds[0][1] :])
    ends = _typed("in_network", ends, list, "a list", f"[{brief(ends)}]")
    built = from_links(
        title or name,
        kinds,
        *columns,
        lanes=ports.astype(np.intp),
        priority=priority.astype(np.intp),
        share=np.arange(len(rows)) - shares.astype(np.intp),
        in_network=[_node(end, nodes, "in_network") for end in ends],
    )
    return check_connected(built)


def _node(name: object, nodes: Mapping[str, int], where: str) -> int:
    """The number of a node that a file names 3, "rank 3" or "switch 0"; raises BadInput."""
    label = f"rank {name}" if type(name) is int else name
    if not isinstance(label, str) or label not in nodes:
        kinds = Counter(known.partition(" ")[0] for known in nodes)
        there = ", ".join(f"{kind} 0 to {number - 1}" for kind, number in kinds.items())
        raise BadInput(f"{where}: no node {brief(name)}; there are {there}")
    return nodes[label]


def _rows(link: Mapping[str, Any], where: str, nodes: Mapping[str, int]) -> Iterator[Row]:
    """The directed links of a [[link]] table."""
    _check_keys(link, LINK_KEYS, where)
    kind = link.get("kind")
    base = None
    if kind is not None:
        name = _typed(f"{where}: kind", kind, str, "a text", "'nvlink4'")
        with naming(f"{where}: kind"):
            base = find_link(name)
    bandwidth, latency = (_figure(link, key, base, where) for key in ("bandwidth", "latency"))
    ports = _number(f"{where}: ports", link.get("ports", 1), 1)
    first = _number(f"{where}: priority", link.get("priority", 0), -FIRST, FIRST)
    half = link.get("half_duplex", False)
    half = _typed(f"{where}: half_duplex", half, bool, "true or false", "true")
    for key in ("between", "from_to"):
        for pair in _pairs(link, key, where):
            source, target = (_node(end, nodes, where) for end in pair)
            if source == target:
                raise BadInput(f"{where}: {brief(pair)} are the same node; try: [0, 1]")
            yield source, target, latency, bandwidth, ports, first, False
            if key == "between":
                yield target, source, latency, bandwidth, ports, first, half


def _figure(link: Mapping[str, Any], key: str, base: Link | None, where: str) -> float:
    """The bandwidth or latency of a link, given or that of its kind."""
    if key in link:
        return UNITS[key](link[key], f"{where}: {key}")
    if base is None:
        near = 'kind = "nvlink4"'
        raise BadInput(f"{where}: {key} is missing, and no kind says it; try: {near}")
    return base.bandwidth if key == "bandwidth" else base.latency


def _pairs(link: Mapping[str, Any], key: str, where: str) -> list[list[object]]:
    """The pairs of nodes that a link joins."""
    pairs = link.get(key, [])
    if not isinstance(pairs, list) or not all(isinstance(pair, list) for pair in pairs):
        flat = isinstance(pairs, list) and len(pairs) == 2 and pairs[0] != pairs[1]
        near = brief([pairs]) if flat and not any(isinstance(end, list) for end in pairs) else ""
        rule = f"must be a list of pairs; try: {near or '[[0, 1]]'}"
        raise BadInput(f"{where}: {key} {brief(pairs)}: {rule}")
    for pair in pairs:
        if len(pair) != 2:
            raise BadInput(f"{where}: {brief(pair)} must be two different nodes; try: [0, 1]")
    return pairs


def _check_keys(table: Mapping[str, Any], known: tuple[str, ...], what: str) -> None:
    for key in table:
        if key not in known:
            raise BadInput(f"unknown key {quoted(key)} in {what}; {nearest(key, known)}")


def _typed(name: str, value: Any, kind: type, rule: str, near: str) -> Any:
    """The value, if it is of this kind; raises BadInput."""
    if not isinstance(value, kind):
        raise BadInput(f"{name} {brief(value)}: must be {rule}; try: {near}")
    return value


def _number(name: str, value: object, minimum: int, maximum: int = LARGEST) -> int:
    if isinstance(value, str) and re.fullmatch(r"-?\d{1,5}", value):
        near = min(max(int(value), minimum), maximum)
        raise BadInput(f"{name} {value!r}: must be a number, not a text; try: {near}")
    return whole(name, value, minimum, maximum)


def _shortened(problem: str) -> str:
    """What is wrong with a TOML text; the message ends with the place."""
    line = " ".join(problem.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 60]} … {line[-50:]}"
