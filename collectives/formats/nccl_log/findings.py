"""What is slow or unusual in an NCCL log, in plain words: what it is, why, and what to look at."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from collectives.formats.nccl_log.communicator import Communicator
from collectives.formats.nccl_log.lines import Transport
from collectives.formats.nccl_log.log import Log
from collectives.units import size_text
from collectives.words import listed, plural, ranges

FEW_CHANNELS = 2
LARGE = 8 << 20  # bytes from which LL's flags cost more than they save
RESTRICTS = {
    "NCCL_ALGO": "which algorithms it may choose",
    "NCCL_PROTO": "which protocols it may choose",
    "NCCL_MAX_NCHANNELS": "its channels",
    "NCCL_MAX_CTAS": "its channels",
    "NCCL_NTHREADS": "its threads",
}
FAR_PATHS = {
    "SYS": "across CPU sockets",
    "PHB": "through the CPU's PCIe bridge",
}
Pair = tuple[int, int]


def findings(log: Log) -> list[str]:
    """A sentence for each thing that is slow or unusual, the costliest first."""
    one = log.largest
    return [
        *_sockets(log, one),
        *_not_direct(log, one),
        *_inside(log, one),
        *_cards(log, one),
        *_far_paths(one),
        *_few_channels(log, one),
        *_crossings(one),
        *_protocols(one),
        *_settings(log),
        *_incomplete(log, one),
        *_warnings(log),
    ]


def _pairs(links: dict[Pair, set[Transport]], is_such: Callable[[Transport], bool]) -> list[Pair]:
    """The pairs of ranks that have such a connection."""
    return sorted(pair for pair, found in links.items() if any(map(is_such, found)))


def _within(one: Communicator) -> dict[Pair, set[Transport]]:
    """The connections of ranks that are on one host."""
    hosts = one.hosts
    return {
        (src, dst): found
        for (src, dst), found in one.links.items()
        if src in hosts and hosts[src] == hosts.get(dst)
    }


def _is_on(log: Log, name: str) -> bool:
    return log.settings.get(f"NCCL_{name}", "0") not in ("0", "")


def _sockets(log: Log, one: Communicator) -> Iterator[str]:
    slow = _pairs(one.links, lambda way: way.socket)
    if not slow:
        return
    if _is_on(log, "IB_DISABLE"):
        why = "NCCL_IB_DISABLE is set"
    elif log.without_ib:
        why = "NCCL found no InfiniBand or RoCE card (NET/IB : No device found)"
    else:
        why = "the log does not say why, see its lines NET/IB"
    yield (
        f"TCP sockets between {_named(slow)}: NET/Socket is several times slower than InfiniBand "
        f"or RoCE; {why}"
    )


def _not_direct(log: Log, one: Communicator) -> Iterator[str]:
    staged = _pairs(one.links, lambda way: way.kind == "NET" and not (way.direct or way.socket))
    if not staged:
        return
    why = next((text for text in log.notes if "Direct RDMA" in text), "")
    if "NCCL_NET_GDR_LEVEL" in log.settings:
        why = f"NCCL_NET_GDR_LEVEL is {log.settings['NCCL_NET_GDR_LEVEL']}"
    yield (
        f"No GPU Direct RDMA between {_named(staged)}: data is copied through host memory on its "
        f"way to the network card; {why or 'is nvidia-peermem loaded, and the card near?'}"
    )


def _inside(log: Log, one: Communicator) -> Iterator[str]:
    shared = _pairs(one.links, lambda way: way.kind == "SHM")
    if shared:
        if _is_on(log, "P2P_DISABLE"):
            why = "NCCL_P2P_DISABLE is set"
        elif "NCCL_P2P_LEVEL" in log.settings:
            why = f"NCCL_P2P_LEVEL is {log.settings['NCCL_P2P_LEVEL']}"
        else:
            note = next((text for text in log.notes if "P2P" in text), "")
            why = note or "these GPUs cannot reach each other's memory, or are on two CPU sockets"
        yield (
            f"Host memory between {_named(shared)} on a node: SHM in place of P2P, from GPU to "
            f"GPU; {why}"
        )
    looped = _pairs(_within(one), lambda way: way.kind == "NET")
    if looped:
        off = [f"NCCL_{name}" for name in ("P2P_DISABLE", "SHM_DISABLE") if _is_on(log, name)]
        yield (
            f"Network inside a node between {_named(looped)}: a network card carries what P2P or "
            f"SHM could{f'; {listed(off)} set' if off else ''}"
        )
    indirect = _pairs(one.links, lambda way: "another" in way.kind)
    if indirect:
        yield f"P2P through another GPU between {_named(indirect)}: they have no link of their own"


def _cards(log: Log, one: Communicator) -> Iterator[str]:
    """Network cards that NCCL found, but no connection uses."""
    used = {way for found in one.links.values() for way in found if way.kind == "NET"}
    for network in sorted({way.network for way in used}):
        cards = log.networks.get(network, {})
        numbers = {int(way.card) for way in used if way.network == network and way.card.isdecimal()}
        idle = sorted(cards.keys() - numbers)
        if numbers and idle and not one.silent:
            names = listed([cards[number] for number in idle], limit=4)
            yield (
                f"Idle network cards, {len(idle)} of {len(cards)}: no connection in the log uses "
                f"{names}"
            )


def _far_paths(one: Communicator) -> Iterator[str]:
    for place, at in (("GPUs", 0), ("a GPU and its network card", 1)):
        for path in sorted({each[at] for each in one.paths} & FAR_PATHS.keys()):
            if at == 0 or len(one.nodes) > 1:
                yield f"Far path between {place}, {path}: rings go {FAR_PATHS[path]}"


def _few_channels(log: Log, one: Communicator) -> Iterator[str]:
    if one.ranks < 2 or not 0 < one.channels <= FEW_CHANNELS:
        return
    limit = next(
        (name for name in RESTRICTS if name.startswith("NCCL_MAX_") and name in log.settings), ""
    )
    why = f"{limit} is set" if limit else "usual where GPUs are joined by PCIe or share a card"
    yield (
        f"Few channels, {one.channels}: {why}; machines with NVLink have 8 to 32, each with a "
        "thread block of its own"
    )


def _crossings(one: Communicator) -> Iterator[str]:
    """Rings that leave nodes more often than once each."""
    nodes = len(one.nodes)
    if nodes < 2 or len(one.hosts) < one.ranks:  # of some ranks no line names the host
        return
    worse = {}
    for channel, order in one.rings.items():
        hosts = [one.hosts[rank] for rank in order]
        crossed = sum(
            here != there for here, there in zip(hosts, [*hosts[1:], hosts[0]], strict=True)
        )
        if crossed > nodes:
            worse[channel] = crossed
    if worse:
        yield (
            f"Rings that leave nodes {max(worse.values())} times, where {nodes} is enough: "
            f"channel {ranges(sorted(worse))}"
        )


def _protocols(one: Communicator) -> Iterator[str]:
    slow = [c for c in one.choices if c.protocol == "LL" and c.size >= LARGE]
    if slow:
        largest = max(slow, key=lambda choice: choice.size)
        yield (
            f"LL for {size_text(largest.size)}: half of what LL sends are flags, so that it has "
            "at most half of the bandwidth; Simple and LL128 have more"
        )


def _settings(log: Log) -> Iterator[str]:
    for name, what in RESTRICTS.items():
        if name in log.settings:
            yield f"{name}={log.settings[name]}: it restricts {what}"
    for name in ("NVLS_ENABLE", "CUMEM_ENABLE"):
        if log.settings.get(f"NCCL_{name}") == "0":
            yield f"NCCL_{name}=0: it switches off what newer machines use"


def _incomplete(log: Log, one: Communicator) -> Iterator[str]:
    if len(log.versions) > 1:
        every = listed(sorted(log.versions), limit=4)
        yield f"Several versions: {every}; all ranks should run one"
    if one.silent:
        number = f"{one.ranks}{' or more' * one.at_least}"
        yield (
            f"Missing ranks, {len(one.silent)} of {number}: no line comes from "
            f"{_ranks(one.silent)}; is this the log of one node, or process, only?"
        )
    stuck = sorted(one.started - one.completed)
    if stuck:
        yield f"Not ready, {len(stuck)} of {one.ranks}: {_ranks(stuck)} began, but did not complete"
    lost = {*one.orders, *one.after} - one.rings.keys()
    if lost and one.ranks > 1:
        yield (
            f"Rings in part: channel {ranges(sorted(lost))}; NCCL cuts lines of rings at 20 "
            "ranks, and NCCL_DEBUG_SUBSYS=GRAPH has the neighbors of each rank"
        )
    cut = one.parents.keys() - one.trees.keys()
    if cut and not one.silent:
        yield f"Trees in part: the ranks of channel {ranges(sorted(cut))} do not make one tree"


def _warnings(log: Log) -> Iterator[str]:
    if log.warnings:
        first = next(iter(log.warnings))
        yield f"Warnings of NCCL, {sum(log.warnings.values()):,}: the first is {first}"


def _named(pairs: list[Pair]) -> str:
    """How many pairs of ranks, and the first of them."""
    src, dst = pairs[0]
    return f"{plural(len(pairs), 'pair')} of ranks ({src} → {dst}{', …' * (len(pairs) > 1)})"


def _ranks(numbers: list[int]) -> str:
    return f"rank{'s' * (len(numbers) > 1)} {ranges(numbers)}"
