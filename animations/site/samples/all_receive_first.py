"""Every rank receives before it sends: nobody ever sends."""

from collectives.schedule.spmd import Recv, Send


def waiting_all_gather(rank, n):
    """Each rank waits for its left neighbor, then sends to its right one."""
    yield Recv((rank - 1) % n, (rank - 1) % n)
    yield Send((rank + 1) % n, rank)
