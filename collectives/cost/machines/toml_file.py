"""A machine of one's own, told in a short TOML file.

Messages take the fewest hops. Where several links lead on as shortly, such as those to the spines
of a fat tree, the destination's number modulo how many they are says which, in listed order.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from collectives.cost.machines.links import find_link
from collectives.cost.machines.topology import Topology, check_joined, joined
from collectives.errors import BadInput
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
"""
KEYS = ("name", "ranks", "switches", "servers", "in_network", "link")
OTHER_KEYS = {"agents": "in_network"}  # names of keys that are read as well
LINK_KEYS = ("between", "from_to", "kind", "bandwidth", "latency", "half_duplex", "ports")
MOST_NODES = 1 << 16
MOST_TOLD = 300  # characters of what is wrong with a TOML text


def read_topology(path: Path) -> Topology:
    """The topology a TOML file tells; raises BadInput, naming the file, for what is wrong in it."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as problem:
        raise BadInput(f"{quoted(str(path))}: {problem.strerror or problem}") from None
    except UnicodeDecodeError:
        raise BadInput(f"{quoted(str(path))} is not text; a topology is a TOML file") from None
    try:
        return parse_topology(text, path.stem)
    except BadInput as problem:
        told = str(problem).removeprefix(f"{path.stem}: ")  # the name it has without one
        raise BadInput(f"{quoted(str(path))}: {told}") from None


def parse_topology(text: str, name: str = "own topology") -> Topology:
    """The topology that a TOML text tells; raises BadInput.

    >>> print(parse_topology(EXAMPLE).describe())
    two nodes of two: 4 ranks, 2 switches, 10 links one way
      4 x rank → switch: 450 GB/s, 1 µs
      4 x switch → rank: 450 GB/s, 1 µs
      2 x switch → switch: 50 GB/s, 2 µs
      1 link shares another's capacity
    """
    try:
        told = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as problem:
        raise BadInput(f"not TOML: {_where(str(problem))}") from None
    if {"agents", "in_network"} <= told.keys():
        raise BadInput("in_network: given twice, agents is another name of it; leave agents out")
    told = {OTHER_KEYS.get(key, key): value for key, value in told.items()}
    _check_keys(told, KEYS, "a topology")
    if "ranks" not in told:
        raise BadInput("ranks is missing: it says how many there are; nearest: ranks = 4")
    kinds = [("rank", _number(told["ranks"], "ranks", 1))]
    kinds += [
        (kind, _number(told.get(f"{kind}{end}", 0), f"{kind}{end}", 0)) for kind, end in _MORE
    ]
    names = {f"{kind} {k}": None for kind, number in kinds for k in range(number)}
    node = {label: place for place, label in enumerate(names)}
    src, dst, late, fast, lanes, share = [], [], [], [], [], []
    groups = 0
    for number, link in enumerate(_tables(told.get("link", []))):
        where = f"link {number + 1}"
        _check_keys(link, LINK_KEYS, where)
        figures = _figures(link, where)
        half = _truth(link.get("half_duplex", False), f"{where}: half_duplex")
        for both in (True, False):
            for pair in _pairs(link, "between" if both else "from_to", where):
                one, other = (_node(end, node, kinds, where) for end in pair)
                if one == other:
                    raise BadInput(f"{where}: {brief(pair)} are the same node; nearest: [0, 1]")
                for way, (a, b) in enumerate(
                    [(one, other), (other, one)] if both else [(one, other)]
                ):
                    src.append(a)
                    dst.append(b)
                    fast.append(figures[0])
                    late.append(figures[1])
                    lanes.append(figures[2])
                    groups += 0 if half and way else 1
                    share.append(groups)
    title = told.get("name", name)
    if not isinstance(title, str):
        raise BadInput(f"name {brief(title)}: must be a text; nearest: {name!r}")
    ends = _list(told.get("in_network", []), "in_network")
    in_network = [_node(end, node, kinds, "in_network") for end in ends]
    if "in_network" not in told:
        in_network = list(range(kinds[0][1], len(node)))
    columns = np.array(late, np.float64), np.array(fast, np.float64)
    made = joined(
        title or name,
        kinds,
        src,
        dst,
        *columns,
        lanes=np.array(lanes, np.intp),
        share=np.array(share, np.intp),
        in_network=in_network,
    )
    return check_joined(made)


_MORE = (("switch", "es"), ("server", "s"))


def _check_keys(table: Mapping[str, Any], known: tuple[str, ...], what: str) -> None:
    for key in table:
        if key not in known:
            raise BadInput(f"unknown key {quoted(key)} in {what}; {nearest(key, known)}")


def _figures(link: Mapping[str, Any], where: str) -> tuple[float, float, int]:
    """Bandwidth, latency and ports of a link."""
    kind = link.get("kind")
    try:
        base = find_link(kind) if isinstance(kind, str) else None
    except BadInput as problem:
        raise BadInput(f"{where}: kind: {problem}") from None
    if kind is not None and base is None:
        raise BadInput(f"{where}: kind {brief(kind)}: must be a text; nearest: 'nvlink4'")
    if base is None and not {"bandwidth", "latency"} <= set(link):
        missing = "bandwidth" if "bandwidth" not in link else "latency"
        near = 'kind = "nvlink4"'
        raise BadInput(f"{where}: {missing} is missing, and no kind says it; nearest: {near}")
    fast = parse_rate(link["bandwidth"], f"{where}: bandwidth") if "bandwidth" in link else None
    late = parse_time(link["latency"], f"{where}: latency") if "latency" in link else None
    ports = _number(link.get("ports", 1), f"{where}: ports", 1)
    return (
        base.bandwidth if fast is None and base else fast or 0.0,
        base.latency if late is None and base else late or 0.0,
        ports,
    )


def _node(told: object, node: Mapping[str, int], kinds: list[tuple[str, int]], where: str) -> int:
    """The number of a node told as 3, "rank 3" or "switch 0"."""
    label = f"rank {told}" if isinstance(told, int) and not isinstance(told, bool) else told
    if not isinstance(label, str) or label not in node:
        counted = ", ".join(f"{kind} 0 to {number - 1}" for kind, number in kinds if number)
        raise BadInput(f"{where}: no node {brief(told)}; there are {counted}")
    return node[label]


def _pairs(link: Mapping[str, Any], key: str, where: str) -> list[list[object]]:
    """The pairs of nodes that a link joins."""
    pairs = link.get(key, [])
    if not isinstance(pairs, list) or not all(isinstance(pair, list) for pair in pairs):
        flat = isinstance(pairs, list) and len(pairs) == 2 and pairs[0] != pairs[1]
        near = brief([pairs]) if flat and not any(isinstance(end, list) for end in pairs) else ""
        told = f"{where}: {key} {brief(pairs)}"
        raise BadInput(f"{told}: must be a list of pairs; nearest: {near or '[[0, 1]]'}")
    for pair in pairs:
        if len(pair) != 2:
            raise BadInput(f"{where}: {brief(pair)} must be two different nodes; nearest: [0, 1]")
    return pairs


def _tables(told: object) -> list[Mapping[str, Any]]:
    if not isinstance(told, list) or not all(isinstance(table, dict) for table in told):
        raise BadInput("link: must be tables; nearest: [[link]]")
    return told


def _list(told: object, what: str) -> list[Any]:
    if not isinstance(told, list):
        raise BadInput(f"{what} {brief(told)}: must be a list; nearest: [{brief(told)}]")
    return told


def _number(told: object, what: str, least: int) -> int:
    if isinstance(told, str) and re.fullmatch(r"\d{1,5}", told):
        near = min(max(int(told), least), MOST_NODES)
        raise BadInput(f"{what} {told!r}: must be a number, not a text; nearest: {near}")
    return whole(what, told, least, MOST_NODES)


def _where(problem: str) -> str:
    """What is wrong with a TOML text, with the place, which is told last."""
    line = " ".join(problem.split())
    return line if len(line) <= MOST_TOLD else f"{line[: MOST_TOLD - 60]} … {line[-50:]}"


def _truth(told: object, what: str) -> bool:
    if not isinstance(told, bool):
        raise BadInput(f"{what} {brief(told)}: must be true or false; nearest: true")
    return told
