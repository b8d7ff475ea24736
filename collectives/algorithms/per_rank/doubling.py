"""What one rank does in the all-reduce by recursive doubling."""

from collectives.algorithms.doubling import fold
from collectives.schedule.columns import Integers
from collectives.schedule.spmd import Program, Recv, RecvReduce, Send, idle, sendrecv


def recursive_doubling_all_reduce(rank: int, n: int) -> Program:
    """Even ranks of the pairs at the front fold into the odd ones, which swap sums with others."""
    even, team = fold(n)
    if rank in even:
        # a rank that folds is given the result
        yield Send(rank + 1)
        yield Recv(rank + 1)
    elif rank - 1 in even:
        yield RecvReduce(rank - 1)
        yield from swaps(rank, team)
        yield Send(rank - 1)
    else:
        yield idle()
        yield from swaps(rank, team)


def swaps(rank: int, team: Integers) -> Program:
    """Partners swap whole sums, at twice the distance in each step."""
    seat, distance = team.tolist().index(rank), 1
    while distance < len(team):
        peer = int(team[seat ^ distance])
        # partners add each other's sum
        yield sendrecv(Send(peer), RecvReduce(peer))
        distance *= 2
