"""The links that machines are made of, read from `links.csv`.

Vendors give NVLink as the sum of both directions and networks as one; here every bandwidth is the
line rate of one direction. Latencies are typical values, not specifications.
"""

from __future__ import annotations

import csv
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from collectives.errors import BadInput
from collectives.units import parse_rate, parse_time, rate_text, time_text
from collectives.words import brief, nearest

TABLE = Path(__file__).with_name("links.csv")
MEMORIES = Path(__file__).with_name("memories.csv")
SHOWN = 12  # links that a message about an unknown one lists


@dataclass(frozen=True)
class Link:
    """A kind of link: bytes per second in one direction, seconds until the first byte arrives."""

    name: str
    bandwidth: float
    latency: float
    source: str = ""
    other_names: tuple[str, ...] = ()
    gpus: tuple[str, ...] = ()  # at NVSwitches, as NCCL's tuner calls them, the first asked about
    beside: tuple[str, ...] = ()  # GPUs in whose DGX it is the network

    def __str__(self) -> str:
        """The name and both figures."""
        return f"{self.name}: {rate_text(self.bandwidth)} each way, {time_text(self.latency)}"


def _read() -> dict[str, Link]:
    """The links of the table by name."""
    with TABLE.open(encoding="utf-8", newline="") as lines:
        return {
            row["name"]: Link(
                row["name"],
                parse_rate(row["bandwidth"]),
                parse_time(row["latency"]),
                row["source"],
                tuple(row["other names"].split()),
                tuple(row["GPUs"].split()),
                tuple(row["beside"].split()),
            )
            for row in csv.DictReader(lines)
        }


LINKS = _read()


@dataclass(frozen=True)
class GpuMemory:
    """The memory of a GPU: bytes per second that it reads or writes."""

    gpu: str
    bandwidth: float
    source: str


def memory_beside(link: str) -> GpuMemory | None:
    """The memory of the GPUs that have this link, of several kinds the first; None if unknown.

    >>> memory_beside("nvlink4").gpu, memory_beside("pcie5")
    ('H100', None)
    """
    gpus = LINKS[link].gpus if link in LINKS else ()
    with MEMORIES.open(encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            if row["gpu"] in gpus:
                return GpuMemory(row["gpu"], parse_rate(row["bandwidth"]), row["source"])
    return None


def list_links() -> list[dict[str, Any]]:
    """Every link as a row: name, bandwidth in bytes per second, latency in seconds, source."""
    return [
        {name: value for name, value in asdict(link).items() if name not in ("gpus", "beside")}
        for link in LINKS.values()
    ]


def links_of(gpu: str | None) -> tuple[str, str]:
    """The links within and between nodes of a GPU's DGX; those of an H100 for others.

    >>> links_of("A100"), links_of(None)
    (('nvlink3', 'ib-hdr'), ('nvlink4', 'ib-ndr'))
    """
    inside = [link.name for link in LINKS.values() if gpu in link.gpus]
    outside = [link.name for link in LINKS.values() if gpu in link.beside]
    return (inside[0], outside[0]) if inside and outside else ("nvlink4", "ib-ndr")


def find_link(name: str) -> Link:
    """The link of this name, with hyphens or underscores; raises BadInput with the nearest.

    >>> print(find_link("ib-ndr"))
    ib-ndr: 50 GB/s each way, 2 µs
    >>> find_link("NVLink4").bandwidth
    450000000000.0
    """
    key = str(name).strip().lower().replace("_", "-").replace(" ", "-")
    known = {name: link for link in LINKS.values() for name in link.other_names} | LINKS
    if key not in known:
        close = get_close_matches(key, known, n=1)
        first = ", ".join(list(LINKS)[:SHOWN])
        every = f"choose from {first} and {len(LINKS) - SHOWN} more: see collectives list links"
        raise BadInput(f"unknown link {brief(name)}; {nearest(key, close) if close else every}")
    return known[key]
