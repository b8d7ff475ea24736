"""What one message costs by how its receiver learns of it: handshake, put with signal, or flags."""

from __future__ import annotations

from dataclasses import dataclass

from collectives.cost.machines.topology import Topology
from collectives.cost.machines.usual import neighbor_link
from collectives.values import not_negative, one_of


@dataclass(frozen=True)
class Delivery:
    """A way to deliver a message: how often it waits for the wire, and what it sends for a byte.

    before, after: short messages that wait for each other, before the data and after it. sent:
    bytes on the wire for each byte of data.
    """

    before: int
    after: int
    sent: float

    @property
    def latencies(self) -> int:
        """Messages that wait for each other, the data included."""
        return self.before + 1 + self.after

    def seconds(self, size: float, topology: Topology) -> float:
        """The time of `size` bytes between two neighboring ranks of a machine."""
        latency, bandwidth = neighbor_link(topology)
        sent = self.sent * not_negative("size", size, "bytes")
        return self.latencies * latency + sent / bandwidth


DELIVERIES = {
    "handshake": Delivery(2, 0, 1),
    "data, fence, flag": Delivery(0, 2, 1),
    "put with signal": Delivery(0, 0, 1),
    "LL": Delivery(0, 0, 2),
    "LL128": Delivery(0, 0, 128 / 120),
}


def delivery_seconds(size: float, topology: Topology) -> dict[str, float]:
    """The time of a message by each way to deliver it; what handshakes cost, and flags save.

    A handshake asks, is told where the data may go, and sends it: the rendezvous of MPI, or a
    sender that has no credit left. A put needs no answer: its receiver's window is always open, and
    the signal comes right behind the data if the network keeps them in order. Else a fence waits
    until the data is acknowledged, and the flag follows. LL sends 4 bytes of flag with 4 bytes of
    data, LL128 8 with 120, each in one store, so that data and flag arrive together without a
    fence.

    These are times of the wire alone. NCCL's own latencies, which the model of its tuner has,
    contain the work of its kernels; it sets LL128 to 0.92 of the ring's bandwidth, not 0.94.

    Parameters
    ----------
    size : float
        Bytes of data.
    topology : Topology
        Its slowest way between neighboring ranks is taken.

    Returns
    -------
    dict of str to float
        Seconds, by the name of the way.

    Notes
    -----
    LL and LL128 as in Hu et al., Demystifying NCCL, 2025; puts and signals as in
    `collectives.schedule.spmd.Put`.

    Examples
    --------
    >>> from collectives.cost.machines import topology
    >>> for name, seconds in delivery_seconds(1 << 20, topology("hgx-h100", 8)).items():
    ...     print(f"{name:17} {seconds * 1e6:.2f} us")
    handshake         5.33 us
    data, fence, flag 5.33 us
    put with signal   3.33 us
    LL                5.66 us
    LL128             3.49 us
    """
    return {name: way.seconds(size, topology) for name, way in DELIVERIES.items()}


def fence_pays_from(topology: Topology, flags: str = "LL") -> float:
    """Bytes from which data, fence and flag are faster than flags in the data, "LL" or "LL128".

    Then the bytes that the flags add take longer than the latency that they save.

    >>> from collectives.cost.machines import topology
    >>> round(fence_pays_from(topology("hgx-h100", 8)))
    900000
    """
    latency, bandwidth = neighbor_link(topology)
    name = one_of("flags", flags, ("LL", "LL128"))
    fenced, flagged = DELIVERIES["data, fence, flag"], DELIVERIES[name]
    return (fenced.latencies - flagged.latencies) * latency * bandwidth / (flagged.sent - 1)
