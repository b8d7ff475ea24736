"""What is slow or unusual in an NCCL log, in plain words: what it is, why, and what to look at."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from collectives.formats.nccl_log import lines
from collectives.formats.nccl_log.communicator import Communicator
from collectives.formats.nccl_log.lines import Transport
from collectives.formats.nccl_log.log import Log
from collectives.formats.nccl_log.slow_connections import (
    is_on,
    why_not_direct,
    why_not_ready,
    why_shared,
    why_sockets,
)
from collectives.units import size_text
from collectives.words import listed, plural, ranges

FEW_CHANNELS = 2
SHOWN_ON_A_LINE = 20  # ranks of a ring, after which NCCL cuts its line
LARGE = 8 << 20  # bytes from which LL's flags cost more than they save
RESTRICTS = {
    "NCCL_ALGO": "which algorithms it may choose",
    "NCCL_PROTO": "which protocols it may choose",
    "NCCL_MAX_NCHANNELS": "its channels",
    "NCCL_MAX_CTAS": "its channels",
    "NCCL_NTHREADS": "its threads",
}
FAR_PATHS = {"SYS": "across CPU sockets", "PHB": "through the CPU's PCIe bridge"}
Pair = tuple[int, int]


def findings(log: Log) -> list[str]:
    """A sentence for each thing that is slow or unusual, the costliest first."""
    comm = log.largest
    return [
        *_same_gpu(log),
        *_sockets(log, comm),
        *_not_direct(log, comm),
        *_inside(log, comm),
        *_cards(log, comm),
        *_far_paths(comm),
        *_few_channels(log, comm),
        *_crossings(comm),
        *_protocols(comm),
        *_settings(log),
        *_incomplete(log, comm),
        *_warnings(log),
    ]


def _pairs(links: dict[Pair, set[Transport]], is_such: Callable[[Transport], bool]) -> list[Pair]:
    """The pairs of ranks that have such a connection."""
    return sorted(pair for pair, ways in links.items() if any(map(is_such, ways)))


def _within(comm: Communicator) -> dict[Pair, set[Transport]]:
    """The connections of ranks that are on one host."""
    hosts = comm.hosts if comm.hosts_are_nodes else {}
    return {
        (src, dst): ways
        for (src, dst), ways in comm.links.items()
        if src in hosts and hosts[src] == hosts.get(dst)
    }


def _same_gpu(log: Log) -> Iterator[str]:
    """Ranks that use one GPU, which NCCL refuses."""
    matches = list(filter(None, map(lines.DUPLICATE.match, log.warnings)))
    if matches:
        pairs = {tuple(sorted((int(match["one"]), int(match["other"])))) for match in matches}
        same = [f"ranks {low} and {high}" for low, high in sorted(pairs)]
        yield (
            f"The same GPU: {listed(same, limit=4)} use it, and NCCL stops there; try: one GPU per "
            "rank (CUDA_VISIBLE_DEVICES, local rank)"
        )


def _sockets(log: Log, comm: Communicator) -> Iterator[str]:
    slow = _pairs(comm.links, lambda way: way.socket)
    if slow:
        where = f"between {_named(slow)}: NET/Socket"
    elif not log.facts["sockets"] or comm.known_nodes == 1:
        return
    elif comm.is_spread:
        where = "between nodes: NCCL chose the network Socket, which"
    else:
        where = "between nodes, if there are several: NCCL chose the network Socket, which"
    yield (
        f"TCP sockets {where} is several times slower than InfiniBand or RoCE; {why_sockets(log)}"
    )


def _not_direct(log: Log, comm: Communicator) -> Iterator[str]:
    staged = _pairs(comm.links, lambda way: way.kind == "NET" and not (way.direct or way.socket))
    if not staged:
        return
    yield (
        f"No GPU Direct RDMA between {_named(staged)}: data is copied through host memory on its "
        f"way to the network card; {why_not_direct(log)}"
    )


def _inside(log: Log, comm: Communicator) -> Iterator[str]:
    shared = _pairs(comm.links, lambda way: way.kind == "SHM")
    if shared:
        yield (
            f"Host memory between {_named(shared)} on a node: SHM in place of P2P, from GPU to "
            f"GPU; {why_shared(log)}"
        )
    looped = _pairs(_within(comm), lambda way: way.kind == "NET")
    if looped:
        off = [f"NCCL_{name}" for name in ("P2P_DISABLE", "SHM_DISABLE") if is_on(log, name)]
        yield (
            f"Network inside a node between {_named(looped)}: a network card carries what P2P or "
            f"SHM could{f'; {listed(off)} set' if off else ''}"
        )
    indirect = _pairs(comm.links, lambda way: "another" in way.kind)
    if indirect:
        yield f"P2P through another GPU between {_named(indirect)}: they have no link of their own"


def _cards(log: Log, comm: Communicator) -> Iterator[str]:
    """Network cards that NCCL found, but no connection uses, where all ranks are ready."""
    if len(comm.completed) < comm.ranks:  # connections may be missing from the log
        return
    used = {way for ways in comm.links.values() for way in ways if way.kind == "NET"}
    for network in sorted({way.network for way in used}):
        cards = log.networks.get(network, {})
        numbers = {int(way.card) for way in used if way.network == network and way.card.isdecimal()}
        idle = sorted(cards.keys() - numbers)
        if numbers and idle:
            names = listed([cards[number] for number in idle], limit=4)
            yield (
                f"Idle network cards, {len(idle)} of {len(cards)}: no connection in the log uses "
                f"{names}"
            )


def _far_paths(comm: Communicator) -> Iterator[str]:
    for place, at in (("GPUs", 0), ("a GPU and its network card", 1)):
        for path in sorted({path[at] for path in comm.paths} & FAR_PATHS.keys()):
            if at == 0 or comm.is_spread:
                yield f"Far path between {place}, {path}: rings go {FAR_PATHS[path]}"


def _few_channels(log: Log, comm: Communicator) -> Iterator[str]:
    """Where lines name all channels: a part of a log may name the first ones only."""
    if comm.ranks < 2 or not 0 < comm.channel_count <= FEW_CHANNELS:
        return
    limit = next(
        (name for name in RESTRICTS if name.startswith("NCCL_MAX_") and name in log.settings), ""
    )
    why = f"{limit} is set" if limit else "usual where GPUs are joined by PCIe or share a card"
    yield (
        f"Few channels, {comm.channel_count}: {why}; machines with NVLink have 8 to 32, each "
        "with a thread block of its own"
    )


def _crossings(comm: Communicator) -> Iterator[str]:
    """Rings that leave nodes more often than once each."""
    nodes = len(comm.nodes)
    if nodes < 2 or len(comm.hosts) < comm.ranks or not comm.hosts_are_nodes:
        return
    worse = {}
    for channel, order in comm.rings.items():
        hosts = [comm.hosts[rank] for rank in order]
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


def _protocols(comm: Communicator) -> Iterator[str]:
    slow = [c for c in comm.choices if c.protocol == "LL" and c.size >= LARGE]
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


def _incomplete(log: Log, comm: Communicator) -> Iterator[str]:
    """What differs between ranks, and what this log does not have."""
    plain = {version.partition("+")[0] for version in log.versions}
    if len(plain) > 1:
        yield f"Several versions: {listed(sorted(plain), limit=4)}; all ranks should run one"
    if comm.is_mixed:
        yield (
            "Communicators that cannot be told apart: their lines name none (commId), and several "
            f"processes have the same rank of {comm.ranks}; try: the log of one run and node"
        )
    elif not comm.hosts_are_nodes:
        yield (
            f"Several nodes of one name: {listed(_shared_names(comm), limit=4)} has ranks whose "
            "GPUs are at the same place (busId); names of hosts do not tell nodes apart"
        )
    yield from _missing(log, comm)
    stuck = sorted(comm.started - comm.completed)
    if stuck:
        why = why_not_ready(log, comm.is_spread)
        yield (
            f"Not ready, {len(stuck)} of {comm.ranks}: {_ranks(stuck)} began, and no line of this "
            f"log says that they completed{f'; {why}' if why else ''}"
        )
    yield from _partly(comm)


def _missing(log: Log, comm: Communicator) -> Iterator[str]:
    """Ranks that no line names as its own: they are elsewhere, or do not say their number."""
    if not comm.silent:
        return
    number = f"{comm.ranks}{' or more' * comm.at_least}"
    why = "is this the log of one node, or process, only?"
    if count := len(log.rankless):
        name = "does not name its rank" if count == 1 else "do not name their ranks"
        why = f"{plural(count, 'process')} of it {name}"
    yield (
        f"Missing ranks, {len(comm.silent)} of {number}: no line of this log names "
        f"{_ranks(comm.silent)} as its own; {why}"
    )


def _partly(comm: Communicator) -> Iterator[str]:
    """Rings and trees of which lines are missing, or do not agree."""
    lost = {*comm.orders, *comm.after} - comm.rings.keys()
    if lost and comm.ranks > 1:
        long = any(len(order) == SHOWN_ON_A_LINE < comm.ranks for order in comm.orders.values())
        why = (
            f"NCCL cuts lines of rings at {SHOWN_ON_A_LINE} ranks, and NCCL_DEBUG_SUBSYS=GRAPH has "
            "the neighbors of each rank"
            if long
            else "this log has not all of their lines, or they do not agree"
        )
        yield f"Rings in part: channel {ranges(sorted(lost))}; {why}"
    for is_whole, why in (
        (False, "lines of some ranks are not in this log, of"),
        (True, "the ranks do not make one tree on"),
    ):
        cut = {
            channel
            for channel in comm.parents.keys() - comm.trees.keys()
            if (len(comm.parents[channel]) == comm.ranks) == is_whole
        }
        if cut and not comm.silent:
            yield f"Trees in part: {why} channel {ranges(sorted(cut))}"


def _shared_names(comm: Communicator) -> list[str]:
    """Hosts of which two ranks have GPUs at the same place."""
    gpus = Counter((host, comm.buses.get(rank, rank)) for rank, host in comm.hosts.items())
    return sorted({host for (host, _), count in gpus.items() if count > 1})


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
