"""What one rank does in the algorithms on a ring."""

from collectives.schedule.spmd import Program, Recv, RecvReduce, Send, sendrecv


def ring_reduce_scatter(rank: int, n: int) -> Program:
    """After n - 1 steps this rank holds its chunk summed over all ranks."""
    right, left = (rank + 1) % n, (rank - 1) % n
    for step in range(n - 1):
        mine = (rank - step - 1) % n
        theirs = (mine - 1) % n
        # every rank sends a chunk to the next, which adds it
        yield sendrecv(
            Send(right, mine),
            RecvReduce(left, theirs),
        )


def ring_all_gather(rank: int, n: int) -> Program:
    """This rank starts with its chunk; after n - 1 steps it has every chunk."""
    right, left = (rank + 1) % n, (rank - 1) % n
    for step in range(n - 1):
        mine = (rank - step) % n
        theirs = (mine - 1) % n
        # every rank passes a chunk on to the next
        yield sendrecv(
            Send(right, mine),
            Recv(left, theirs),
        )


def ring_all_reduce(rank: int, n: int) -> Program:
    """Reduce-scatter, then all-gather."""
    yield from ring_reduce_scatter(rank, n)
    yield from ring_all_gather(rank, n)
