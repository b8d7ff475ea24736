"""An all-reduce round a ring whose sum is right, in which whole vectors travel one at a time."""

from collectives import reduce, send


def passing_all_reduce(n):
    """The vector is summed from rank to rank, then the sum is passed on from rank to rank."""
    for rank in range(n - 1):
        # one rank adds its sum into its right neighbor
        yield reduce(rank, rank + 1)
    for rank in range(n - 1):
        # one rank passes the sum to its right neighbor
        yield send((rank - 1) % n, rank)
