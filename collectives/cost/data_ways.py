"""The ways data travels in a server of GPUs and between two, and what each takes by the model."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from collectives.cost.machines.links import find_link
from collectives.values import not_negative, one_of

BUFFERS = "ll"  # by this name the layouts of the protocols are drawn
NVLINK, PCIE, WIRE = find_link("nvlink4"), find_link("pcie5"), find_link("ib-ndr")
Hop = tuple[str, str]


def kind_of(part: str) -> str:
    """What a part is: NIC of "A.NIC1", GPU of "GPU 0".

    >>> kind_of("A.NIC1"), kind_of("GPU0"), kind_of("rail1")
    ('NIC', 'GPU', 'rail')
    """
    return part.rpartition(".")[2].rstrip("0123456789")


def _link(hop: Hop) -> tuple[float, float] | None:
    """Latency and bandwidth of a link by what it joins; None between processors: not modeled."""
    ends = {kind_of(part) for part in hop}
    if ends == {"CPU"}:
        return None
    if "NVSwitch" in ends:
        return NVLINK.latency / 2, NVLINK.bandwidth
    if "rail" in ends:  # the latency of the wire is from GPU to GPU, slots included
        return (WIRE.latency - PCIE.latency) / 2, WIRE.bandwidth
    return (0.0 if "NIC" in ends else PCIE.latency / 2), PCIE.bandwidth


@dataclass(frozen=True)
class TransportWay:
    """One way from GPUs to GPUs.

    name: what it is called. paths: the parts that data passes; several begin or end together. why:
    what it saves or costs.
    """

    name: str
    paths: tuple[str, ...]
    why: str

    @property
    def hops(self) -> tuple[tuple[Hop, ...], ...]:
        """The links of each path, as pairs of parts."""
        return tuple(tuple(pairwise(path.split())) for path in self.paths)

    @property
    def is_modeled(self) -> bool:
        """Whether the model has a figure for each of its links."""
        return all(_link(hop) for hops in self.hops for hop in hops)

    @property
    def latency(self) -> float:
        """Seconds on the longest path; without links that are not modeled."""
        return max(sum(link[0] for hop in hops if (link := _link(hop))) for hops in self.hops)

    @property
    def bandwidth(self) -> float:
        """Bytes per second of the narrowest link; what paths share, switches copy and add."""
        return min(link[1] for hops in self.hops for hop in hops if (link := _link(hop)))

    @property
    def slots(self) -> int:
        """How many links of PCIe a byte crosses."""
        return sum("PCIe" in map(kind_of, hop) for hop in self.hops[0])

    def seconds(self, size: float) -> float:
        """The time of so many bytes; at least, where a link is not modeled."""
        return self.latency + not_negative("size", size, "bytes") / self.bandwidth


@dataclass(frozen=True)
class TransportPair:
    """What NCCL calls a transport, why it is there, and its ways side by side."""

    title: str
    ways: tuple[TransportWay, TransportWay]


DIRECT = TransportWay("P2P over PCIe", ("GPU0 PCIe0 GPU1",), "the switch joins both slots")
BOUNCE = "A.GPU0 A.PCIe0 A.CPU0 A.PCIe0 A.NIC0 rail0 B.NIC0 B.PCIe0 B.CPU0 B.PCIe0 B.GPU0"
TRANSPORTS = {
    "p2p": TransportPair(
        "P2P: a GPU writes straight into the memory of the other, over the widest link they have",
        (
            TransportWay("P2P over NVLink", ("GPU0 NVSwitch GPU1",), "the widest link of a GPU"),
            DIRECT,
        ),
    ),
    "shm": TransportPair(
        "SHM: where P2P cannot be used, data goes through memory of the host, over twice as many "
        "links",
        (
            TransportWay(
                "SHM", ("GPU0 PCIe0 CPU0 PCIe0 GPU1",), "written to memory, and read again"
            ),
            DIRECT,
        ),
    ),
    "net": TransportPair(
        "GPUDirect RDMA: the NIC reads GPU memory itself, and data need not bounce through memory "
        "of the host",
        (
            TransportWay(
                "GPUDirect RDMA",
                ("A.GPU0 A.PCIe0 A.NIC0 rail0 B.NIC0 B.PCIe0 B.GPU0",),
                "never in host memory",
            ),
            TransportWay("Bounce through host memory", (BOUNCE,), "twice through host memory"),
        ),
    ),
    "pxn": TransportPair(
        "PXN: a GPU on the receiver's rail relays the data, which then never crosses between "
        "processors",
        (
            TransportWay(
                "PXN",
                ("A.GPU0 A.NVSwitch A.GPU1 A.PCIe1 A.NIC1 rail1 B.NIC1 B.PCIe1 B.GPU1",),
                "NVLink to the NIC's GPU",
            ),
            TransportWay(
                "Over the CPU interconnect",
                ("A.GPU0 A.PCIe0 A.CPU0 A.CPU1 A.PCIe1 A.NIC1 rail1 B.NIC1 B.PCIe1 B.GPU1",),
                "all GPUs share one link",
            ),
        ),
    ),
    "nvls": TransportPair(
        "NVLS: one store reaches all GPUs, and one load returns the sum of all",
        (
            TransportWay(
                "Multicast: store once",
                tuple(f"GPU0 NVSwitch GPU{k}" for k in range(4)),
                "each link carries the data once",
            ),
            TransportWay(
                "Reduction: load the sum",
                tuple(f"GPU{k} NVSwitch GPU0" for k in range(4)),
                "NVSwitch adds",
            ),
        ),
    ),
    "collnet": TransportPair(
        "CollNet: a switch of the network adds, so that each NIC sends its data once",
        (
            TransportWay(
                "The data goes up",
                tuple(f"{s}.GPU0 {s}.PCIe0 {s}.NIC0 rail0" for s in "AB"),
                "the switch adds",
            ),
            TransportWay(
                "The sum comes down",
                tuple(f"rail0 {s}.NIC0 {s}.PCIe0 {s}.GPU0" for s in "AB"),
                "the switch multicasts",
            ),
        ),
    ),
}
PICTURES = (*TRANSPORTS, BUFFERS)


def transport(name: str) -> TransportPair:
    """What is drawn of a transport; raises BadInput for an unknown one.

    The server is that of the model: GPUs at NVLink 4, slots of PCIe 5, NICs of NDR InfiniBand. What
    has arrived goes on at once over the next link; times are those of the links alone.

    >>> for way in transport("net").ways:
    ...     print(f"{way.name}: {way.seconds(1 << 20) * 1e6:.1f} us")
    GPUDirect RDMA: 23.0 us
    Bounce through host memory: 25.0 us
    """
    return TRANSPORTS[one_of("transport", name, TRANSPORTS)]


@dataclass(frozen=True)
class BufferLayout:
    """How a protocol lays data out: in units of so many bytes of data and of flag.

    about: what a unit is, and what its receiver waits for. delivery: how messages are timed.
    """

    data: int
    flag: int
    about: str
    delivery: str

    @property
    def share(self) -> float:
        """The part of the bytes that is data."""
        return self.data / (self.data + self.flag)


LAYOUTS = {
    "LL": BufferLayout(4, 4, "words of 8 B, each with a flag of 4 B", "LL"),
    "LL128": BufferLayout(120, 8, "lines of 128 B, each with a flag of 8 B", "LL128"),
    "Simple": BufferLayout(
        512 << 10, 0, "slots of 512 KiB, then a fence, then a counter", "data, fence, flag"
    ),
}
