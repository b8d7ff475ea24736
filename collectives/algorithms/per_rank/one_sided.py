"""What one rank does where it puts data into the memory of others, and signals that it is there."""

from collectives.schedule.spmd import Add, Copy, Program, Put, Quiet, WaitSignal


def one_shot_all_reduce(rank: int, n: int) -> Program:
    """Every rank puts its vector into all others, and each adds up what has come."""
    others = [(rank + k) % n for k in range(1, n)]
    for peer in others:
        # every rank puts its vector into all others
        yield Put(peer, 0, into=1 + rank, signal=0)
    yield Quiet()
    for peer in others:
        yield WaitSignal(peer)
        # every rank adds the vectors of all others
        yield Add(1 + peer, into=0)


def ring_all_gather(rank: int, n: int) -> Program:
    """This rank starts with its chunk; it puts on what its left neighbor has put."""
    right, left = (rank + 1) % n, (rank - 1) % n
    for step in range(n - 1):
        # every rank puts a finished chunk into its right
        yield Put(right, (rank - step) % n, signal=step)
        yield WaitSignal(left, step)


def direct_all_to_all(rank: int, n: int) -> Program:
    """Every rank puts a block into each other rank, where nothing has to wait for it."""
    others = [(rank + k) % n for k in range(1, n)]
    for peer in others:
        # every rank puts its block for each other rank
        yield Put(peer, peer, into=n + rank, signal=0)
    yield Copy(rank, into=n + rank)
    for peer in others:
        yield WaitSignal(peer)
