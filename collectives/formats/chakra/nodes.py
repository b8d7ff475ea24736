"""The nodes of a Chakra trace: what each rank sends, receives and does together with others."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from heapq import heapify, heappop, heappush
from pathlib import Path

from collectives.collective import find_collective
from collectives.errors import BadInput, naming
from collectives.files import read_bytes
from collectives.formats.chakra import wire
from collectives.formats.chakra.wire import Budget
from collectives.recording.request import MAX_COUNT
from collectives.values import LIMIT_TEXTS
from collectives.words import brief, listed, quoted, shown_name

MAX_BYTES = 1 << 26  # of all files
MAX_NODES = 1 << 17  # of all ranks
MAX_RANKS = 1 << 12
SEND, RECEIVE, COLLECTIVE = 5, 6, 7  # types of nodes; others compute or move memory
TYPES = 8
COLLECTIVES = (  # by their number
    *("all_reduce", "reduce", "all_gather", "gather", "scatter", "broadcast", "all_to_all"),
    *("reduce_scatter", "reduce_scatter", "barrier"),
)
ID, NAME, TYPE, CONTROL, DATA, ATTRIBUTES = 1, 2, 3, 4, 5, 10  # fields of a node
WHOLE: dict[int, Callable[[int], int]] = {  # fields of attributes that are whole numbers
    **dict.fromkeys((7, 9, 19, 21, 23, 25), wire.signed),
    **dict.fromkeys((11, 13, 27), int),
    **dict.fromkeys((15, 17), wire.unzigzag),
}
TEXT = 29
SIZES = ("comm_size", "tensor_size")
NAMES = ("comm_src", "comm_dst", "comm_tag", *SIZES, "comm_type")
GROUPS = ("comm_group", "pg_name")
FILE = re.compile(r"(?P<stem>.+)\.(?P<rank>\d{1,6})\.et", re.IGNORECASE)


@dataclass(frozen=True)
class Node:
    """A node that communicates, or one that others wait for; `after` are the ids it waits for."""

    rank: int
    id: int
    name: str
    kind: int
    after: tuple[int, ...]
    values: dict[str, int] = field(default_factory=dict)
    group: str = ""

    @property
    def size(self) -> int:
        """Bytes; Chakra's own generator only has the size of a tensor."""
        return next((self.values[name] for name in SIZES if name in self.values), -1)

    @property
    def end(self) -> str:
        """The attribute that names its peer."""
        return "comm_dst" if self.kind == SEND else "comm_src"

    @property
    def peer(self) -> int:
        """The rank it sends to, or receives from."""
        return self.values[self.end]

    @property
    def collective(self) -> str:
        """What a node of a collective does."""
        return COLLECTIVES[self.values["comm_type"]]

    def __str__(self) -> str:
        """As messages name it."""
        return f"rank {self.rank}, node {self.id}{f' ({self.name})' if self.name else ''}"


def stem_of(name: str) -> str:
    """The name of a file of traces without its rank and suffix.

    >>> stem_of("step.3.et"), stem_of("step.ET")
    ('step', 'step')
    """
    matched = FILE.fullmatch(name)
    return matched["stem"] if matched else re.sub(r"\.et$", "", name, flags=re.IGNORECASE)


def files_of(path: str | Path) -> list[Path]:
    """The files of all ranks: `path` is one of them, or their name without the number."""
    stem_path = Path(path)
    matched = FILE.fullmatch(stem_path.name)
    stem = stem_of(stem_path.name)
    folder = stem_path.parent
    files: dict[int, Path] = {}
    for file in sorted(folder.iterdir() if folder.is_dir() else ()):
        if (parts := FILE.fullmatch(file.name)) and parts["stem"] == stem:
            known = files.setdefault(int(parts["rank"]), file)
            if known is not file:
                both = f"{known.name} and {file.name} are both of rank {int(parts['rank'])}"
                raise BadInput(f"{quoted(str(path))}: {both}; each rank has one file")
    if not files or (matched and not stem_path.exists()):
        read_bytes(path, MAX_BYTES)  # says what is wrong with it
        raise BadInput(f"{quoted(str(path))}: has no rank in its name; try: {stem}.0.et")
    missing = next((rank for rank in range(max(files)) if rank not in files), None)
    if missing is not None:
        beside = f"{stem}.{missing}.et is missing beside {stem}.{max(files)}.et"
        raise BadInput(f"{quoted(str(path))}: {beside}; each rank has a file")
    if len(files) > MAX_RANKS:
        raise BadInput(f"{quoted(str(path))}: {len(files)} ranks; the limit is {MAX_RANKS}")
    return [files[rank] for rank in range(len(files))]


def read_nodes(path: str | Path) -> list[list[Node]]:
    """The nodes of each rank in an order in which they can run; raises BadInput."""
    ranks: list[list[Node]] = []
    room, nodes, budget = MAX_BYTES, MAX_NODES, Budget()
    for rank, file in enumerate(files_of(path)):
        content = read_bytes(file, room)
        room -= len(content)
        with naming(quoted(str(file))):
            ranks.append(in_order(_nodes(content, rank, nodes, budget)))
        nodes -= len(ranks[-1])
    return ranks


def _nodes(content: bytes, rank: int, limit: int, budget: Budget) -> list[Node]:
    """The nodes of a file: its first message is about the file."""
    nodes: list[Node] = []
    if not content:
        raise BadInput("is empty; try: a Chakra trace, which begins with its version")
    for index, message in enumerate(wire.messages(content)):
        if index == 0:
            _check_first(message, budget)
            continue
        if len(nodes) >= limit:
            raise BadInput(f"more than {MAX_NODES} nodes of all ranks, the limit")
        nodes.append(_node(message, rank, budget))
    return nodes


def _check_first(message: bytes, budget: Budget) -> None:
    """Raise BadInput for a first message that is a node, which would be lost."""
    for key, value in wire.fields(message, budget):
        if key in (ID, TYPE) and isinstance(value, int):
            raise BadInput("begins with a node; try: a message about the file, its version")


def _node(message: bytes, rank: int, budget: Budget) -> Node:
    """A node as its fields say it."""
    number = kind = 0
    name = group = ""
    after: list[int] = []
    values: dict[str, int] = {}
    for key, value in wire.fields(message, budget):
        if key in (CONTROL, DATA):
            after += wire.numbers(value, budget)
        elif key == ATTRIBUTES and isinstance(value, bytes):
            word, content = _attribute(value, budget)
            if word in NAMES and isinstance(content, int):
                values[word] = content
            elif word in GROUPS and content is not None:
                group = str(content)
        elif key == NAME and isinstance(value, bytes):
            name = shown_name(value[:400].decode("utf-8", "replace"))
        elif key in (ID, TYPE) and isinstance(value, int):
            number, kind = (value, kind) if key == ID else (number, value)
    node = Node(rank, number, name, kind, tuple(dict.fromkeys(after)), values, group)
    _check(node)
    return node


def _attribute(message: bytes, budget: Budget) -> tuple[str, int | str | None]:
    """The name of an attribute, and its value if it is a whole number or text."""
    name = ""
    content: int | str | None = None
    for key, value in wire.fields(message, budget):
        if key == 1 and isinstance(value, bytes):
            name = value.decode("utf-8", "replace")
        elif key in WHOLE and isinstance(value, int):
            content = WHOLE[key](value)
        elif key == TEXT and isinstance(value, bytes):
            content = value[:200].decode("utf-8", "replace")
    return name, content


def _check(node: Node) -> None:
    """Raise BadInput for a node that lacks what its type needs."""
    if node.kind >= TYPES:
        raise BadInput(f"{node}: type {node.kind} is unknown; types are 0 to {TYPES - 1}")
    if node.kind not in (SEND, RECEIVE, COLLECTIVE):
        return
    kind = node.values.get("comm_type", 0)
    if node.kind == COLLECTIVE and not 0 <= kind < len(COLLECTIVES):
        last = len(COLLECTIVES) - 1
        raise BadInput(f"{node}: comm_type={kind} must be 0 to {last}; try: 0, all-reduce")
    if node.kind == COLLECTIVE:
        node.values.setdefault("comm_type", 0)
    if node.kind == COLLECTIVE and not find_collective(node.collective).moves_data:
        node.values.setdefault("comm_size", 0)
    if not 0 <= node.size <= MAX_COUNT:
        key = next((name for name in SIZES if name in node.values), "")
        rule = f"{key}={node.size} must be 0 to {LIMIT_TEXTS[MAX_COUNT]}"
        near = max(0, min(node.size, MAX_COUNT))
        raise BadInput(f"{node}: {rule if key else 'no comm_size'}; try: comm_size={near}")
    if node.kind != COLLECTIVE and node.end not in node.values:
        raise BadInput(f"{node}: no {node.end}, the rank at its other end")


def in_order(nodes: list[Node]) -> list[Node]:
    """Nodes so that each comes after those it waits for, else as in the file; raises BadInput."""
    place = {node.id: at for at, node in enumerate(nodes)}
    if len(place) < len(nodes):
        again = next(node for at, node in enumerate(nodes) if place[node.id] != at)
        raise BadInput(f"node {again.id} occurs twice; ids are different")
    waits = [0] * len(nodes)
    before: dict[int, list[int]] = {}
    for at, node in enumerate(nodes):
        for needed in node.after:
            if needed not in place:
                raise BadInput(f"{node} waits for node {brief(needed)}, which is not in the file")
            before.setdefault(place[needed], []).append(at)
            waits[at] += 1
    ready = [at for at, count in enumerate(waits) if not count]
    heapify(ready)
    order = []
    while ready:
        at = heappop(ready)
        order.append(nodes[at])
        for later in before.get(at, ()):
            waits[later] -= 1
            if not waits[later]:
                heappush(ready, later)
    if len(order) < len(nodes):
        left = {at: [place[i] for i in nodes[at].after] for at, n in enumerate(waits) if n}
        ids = [str(nodes[at].id) for at in circle(left)]
        if len(ids) == 1:
            raise BadInput(f"node {ids[0]} waits for itself")
        raise BadInput(f"nodes {listed(ids, limit=6)} wait for one another in a cycle")
    return order


def circle(waits: Mapping[int, Collection[int]]) -> list[int]:
    """A circle, of what each waits for one of the others: each is followed by what waits for it.

    >>> circle({1: [0, 2], 2: [1], 3: [2]})
    [1, 2]
    """
    at = next(iter(waits))
    seen: dict[int, int] = {}
    while at not in seen:
        seen[at] = len(seen)
        at = next(later for later in waits[at] if later in waits)
    cycle = list(seen)[seen[at] :]
    return cycle[:1] + cycle[:0:-1]
