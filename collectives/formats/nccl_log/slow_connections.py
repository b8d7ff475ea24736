"""Why NCCL's connections are slow, or cannot be made, where the log names the cause."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable

from collectives.formats.nccl_log import lines
from collectives.formats.nccl_log.log import Log
from collectives.words import listed

EVERYWHERE = ("SYS", "4", "5")  # levels that restrict nothing


def why_sockets(log: Log) -> str:
    """Why a network of TCP sockets was chosen."""
    if log.settings.get("NCCL_NET", "") == "Socket":
        return "NCCL_NET is Socket"
    if is_on(log, "IB_DISABLE"):
        return "NCCL_IB_DISABLE is set"
    if provider := _first(log.warnings, lambda text: bool(lines.NO_PROVIDER.match(text))):
        return f"the plugin of another network failed ({provider})"
    if hosts := log.facts["no verbs"]:
        return f"NCCL could not open libibverbs, which InfiniBand and RoCE need{_on(log, hosts)}"
    if hosts := log.facts["no card"]:
        cards = log.settings.get("NCCL_IB_HCA", "")
        among = f" among those of NCCL_IB_HCA={cards}" if cards else ""
        plugin = next(iter(log.plugins), "")
        plugin_note = f", and no plugin of another network ({plugin})" if plugin else ""
        return (
            f"NCCL found no InfiniBand or RoCE card{among} (NET/IB : No device found){plugin_note}"
            f"{_on(log, hosts)}"
        )
    return "the log does not say why; see lines of NET/IB and NET/Plugin"


def why_not_direct(log: Log) -> str:
    """Why data is copied through host memory on its way to a network card."""
    level = log.settings.get("NCCL_NET_GDR_LEVEL", "SYS")
    if level not in EVERYWHERE:
        return f"NCCL_NET_GDR_LEVEL is {level}"
    note = _first(log.notes, lambda text: "Direct RDMA" in text)
    return note or "is nvidia-peermem loaded, and the card near?"


def why_shared(log: Log) -> str:
    """Why GPUs of a node exchange data through host memory."""
    if is_on(log, "P2P_DISABLE"):
        return "NCCL_P2P_DISABLE is set"
    level = log.settings.get("NCCL_P2P_LEVEL", "SYS")
    if level not in EVERYWHERE:
        return f"NCCL_P2P_LEVEL is {level}"
    note = _first(log.notes, lambda text: "P2P" in text)
    return note or "these GPUs cannot reach each other's memory, or are on two CPU sockets"


def why_not_ready(log: Log, is_spread: bool) -> str:
    """Why ranks do not complete; empty where no line says it."""
    if log.unreached:
        return next(iter(log.unreached))
    if is_spread and (hosts := log.facts["loopback"]):
        return (
            f"Bootstrap uses an address of the host itself (127.…){_on(log, hosts)}, which other "
            "nodes cannot reach; try: NCCL_SOCKET_IFNAME"
        )
    return ""


def is_on(log: Log, name: str) -> bool:
    """Whether a setting that switches something is set, and not to 0."""
    return log.settings.get(f"NCCL_{name}", "0") not in ("0", "")


def _first(texts: Counter[str], is_such: Callable[[str], bool]) -> str:
    return next(filter(is_such, texts), "")


def _on(log: Log, hosts: Iterable[str]) -> str:
    """On which hosts, where it is not all that the log names."""
    named = sorted(filter(None, hosts))
    return f" on {listed(named, limit=4)}" if named and len(named) < len(log.hosts) else ""
