"""What one rank does in the broadcast on a binomial tree."""

from collectives.schedule.spmd import Program, Recv, Send, idle


def binomial_broadcast(rank: int, n: int, root: int = 0) -> Program:
    """Wait for the data, then send it on, half as far in each step."""
    place = (rank - root) % n
    hop = 1 << (n - 1).bit_length() >> 1
    while hop:
        peer = ((place ^ hop) + root) % n
        if place % hop or place | hop >= n:
            yield idle()
        elif place & hop:
            yield Recv(peer)
        else:
            # ranks with the data send it on
            yield Send(peer)
        hop //= 2
