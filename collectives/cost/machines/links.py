"""The links machines are made of: bandwidth in one direction, typical latency, where it is from."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches

from collectives.errors import BadInput
from collectives.units import rate_text, time_text
from collectives.words import brief, nearest

LINE = "line rate of one direction; the latency is typical, not a specification"


@dataclass(frozen=True)
class Link:
    """A kind of link: bytes per second in one direction, seconds until the first byte arrives.

    Vendors give NVLink as the sum of both directions, networks as one: here all are one.
    """

    name: str
    bandwidth: float
    latency: float
    note: str = LINE
    also: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The name and both figures."""
        return f"{self.name}: {rate_text(self.bandwidth)} each way, {time_text(self.latency)}"


def _pcie(generation: int, rate: float, note: str) -> Link:
    return Link(
        f"pcie{generation}", rate * 1e9, 1e-6, f"x16, {note}; {LINE}", (f"pcie{generation}-x16",)
    )


def _nvlink(generation: int, rate: float, lanes: str, note: str = "") -> Link:
    return Link(f"nvlink{generation}", rate * 1e9, 1e-6, f"{lanes}{note}; {LINE}")


def _ethernet(gigabits: int) -> Link:
    told = f"{gigabits} Gb/s; about 94 % of it with TCP; {LINE}"
    return Link(f"ethernet-{gigabits}", gigabits / 8 * 1e9, 20e-6, told, (f"{gigabits}gbe",))


def _roce(gigabits: int) -> Link:
    told = f"{gigabits} Gb/s less 3 to 8 % of headers; {LINE}"
    return Link(f"roce-{gigabits}", gigabits / 8 * 1e9, 2e-6, told)


def _infiniband(name: str, gigabytes: float) -> Link:
    note = f"4x; ib_write_lat measures 2.7 to 2.8 us through ConnectX-7; {LINE}"
    return Link(f"ib-{name}", gigabytes * 1e9, 2e-6, note, (name, f"infiniband-{name}"))


def _efa(machine: str, gigabytes: float, note: str) -> Link:
    return Link(
        f"efa-{machine}",
        gigabytes / 8 * 1e9,
        15e-6,
        f"{note}; an eighth of it for each GPU; {LINE}",
    )


LINKS = {
    link.name: link
    for link in (
        _pcie(3, 15.75, "8 GT/s with 128b/130b"),
        _pcie(4, 31.5, "16 GT/s with 128b/130b"),
        _pcie(5, 63.0, "32 GT/s with 128b/130b; 54 to 56.6 GB/s measured between GPUs"),
        _pcie(6, 121.0, "64 GT/s PAM4 in flits of 242 of 256 bytes"),
        _nvlink(1, 80, "P100, 4 x 20 GB/s"),
        _nvlink(2, 150, "V100, 6 x 25 GB/s"),
        _nvlink(3, 300, "A100, 12 x 25 GB/s", "; 273 to 276 measured"),
        _nvlink(4, 450, "H100 and H200, 18 x 25 GB/s", "; 396 measured"),
        _nvlink(5, 900, "B200 and GB200, 18 x 50 GB/s"),
        _nvlink(6, 1800, "Rubin, 36 x 50 GB/s, announced"),
        Link("c2c", 450e9, 1e-6, f"NVLink-C2C of GH200 and GB200; {LINE}", ("nvlink-c2c",)),
        _infiniband("edr", 12.5),
        _infiniband("hdr", 25),
        _infiniband("ndr", 50),
        _infiniband("xdr", 100),
        *(_roce(gigabits) for gigabits in (100, 200, 400, 800)),
        *(_ethernet(gigabits) for gigabits in (10, 25, 40, 50, 100, 200, 400, 800)),
        _efa("p4d", 50, "4 x 100 Gb/s a machine"),
        _efa("p5", 400, "32 x 100 Gb/s a machine"),
        _efa("p5en", 400, "16 x 200 Gb/s a machine"),
        _efa("p6-b200", 400, "8 x 400 Gb/s a machine"),
        _efa("p6-b300", 800, "16 x 400 Gb/s a machine"),
        Link("xgmi", 64e9, 1e-6, f"MI300X, to each of 7 peers; {LINE}", ("xgmi-mi300x",)),
    )
}


USUAL = (
    "pcie4",
    "pcie5",
    "nvlink3",
    "nvlink4",
    "nvlink5",
    "c2c",
    "ib-hdr",
    "ib-ndr",
    "roce-400",
    "ethernet-100",
    "efa-p5",
    "xgmi",
)  # which a message about an unknown one lists
SEE = "collectives.cost.machines.links.LINKS"


def find_link(name: str) -> Link:
    """The link of this name, hyphens or underscores; raises BadInput with the nearest.

    >>> print(find_link("ib-ndr"))
    ib-ndr: 50 GB/s each way, 2 µs
    >>> find_link("NVLink4").bandwidth
    450000000000.0
    """
    key = str(name).strip().lower().replace("_", "-").replace(" ", "-")
    others = {other: link for link in LINKS.values() for other in link.also}
    known = others | LINKS
    if key not in known:
        close = get_close_matches(key, known, n=1)
        most = f"choose from {', '.join(USUAL)} and {len(LINKS) - len(USUAL)} more: see {SEE}"
        raise BadInput(f"unknown link {brief(name)}; {nearest(key, close) if close else most}")
    return known[key]
