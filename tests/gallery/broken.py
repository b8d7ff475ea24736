"""The broken gallery: right algorithms with one classic mistake each, marked `# WRONG`.

Each docstring tells the mistake in the words of the student who made it. The comment at the
end of a marked line says what should stand there.
"""

import numpy as np

from collectives import pipelined, reduce, send
from collectives.algorithms.binomial import binomial_broadcast
from collectives.algorithms.ring import ring_all_gather, ring_reduce_scatter


def owner_off_by_one_reduce_scatter(n):
    """I number the chunks as my textbook does: rank 0 starts by sending chunk 0."""
    rank = np.arange(n)
    for step in range(n - 1):
        # every rank sends a chunk to the next, which adds it
        yield reduce(rank, (rank + 1) % n, (rank - step) % n)  # WRONG: rank - step - 1


def whole_tensor_all_reduce(n):
    """Everybody passes its whole sum on to the right, n - 1 times."""
    rank = np.arange(n)
    for _ in range(n - 1):
        # every rank adds its sum into its right neighbor
        yield reduce(rank, (rank + 1) % n)  # WRONG: the sum of the step before is in it


def double_count_all_reduce(n):
    """Doubling distances around the ring: it works for 2, 4 and 8 ranks."""
    rank, distance = np.arange(n), 1
    while distance < n:
        # every rank adds its sum into the one at this distance
        yield reduce(rank, (rank + distance) % n)  # WRONG unless n is a power of two
        distance *= 2


def missed_fold_all_reduce(n):
    """Recursive doubling; ranks beyond the power of two just get the result."""
    power = 1 << n.bit_length() - 1
    seat, distance = np.arange(power), 1
    while distance < power:
        # partners add each other's sum
        yield reduce(seat, seat ^ distance)
        distance *= 2
    rest = np.arange(power, n)
    # the ranks beyond the power of two get the result
    yield send(rest - power, rest)  # WRONG: nobody ever added what they had


def wrong_chunk_all_reduce(n):
    """After the reduce-scatter I own the chunk to my right, I think."""
    rank = np.arange(n)
    yield from ring_reduce_scatter(n)
    for step in range(n - 1):
        # every rank passes a chunk on to the next neighbor
        yield send(rank, (rank + 1) % n, (rank + 1 - step) % n)  # WRONG: rank - step


def two_writers_all_gather(n):
    """Neighbors on both sides tell me what they have; they tell everybody the same."""
    rank = np.arange(n)
    for step in range(1, n):
        # every rank gets a chunk from each side
        src = [(rank - step) % n, (rank + step) % n]
        yield send(src, [rank, rank], [src[0], src[0]])  # WRONG: the chunks are src


def root_mix_up_reduce(n, root=0):
    """A binomial tree; I tested it with root 0."""
    distance = 1
    while distance < n:
        rank = np.arange(distance, n, 2 * distance)
        # every second rank adds its sum into the one before
        yield reduce(rank, rank - distance)  # WRONG: (root + rank) % n, (root + …) % n
        distance *= 2


def lost_tail_broadcast(n, chunks, root=0):
    """A chain that passes on two chunks at a time."""
    for pair in range(chunks // 2):
        for hop in range(n - 1):
            src = (root + hop) % n
            # one more rank gets two chunks
            yield send(src, (src + 1) % n, 2 * pair, count=2)  # WRONG where chunks is odd


def add_for_copy_all_reduce(n):
    """Reduce-scatter, then the same ring again to spread the sums."""
    rank = np.arange(n)
    yield from ring_reduce_scatter(n)
    for step in range(n - 1):
        # every rank passes a chunk on to the next neighbor
        yield reduce(rank, (rank + 1) % n, (rank - step) % n)  # WRONG: send


def copy_for_add_all_reduce(n):
    """Each chunk travels round the ring to its owner and is then spread."""
    rank = np.arange(n)
    for step in range(n - 1):
        # every rank sends a chunk to the next, which adds it
        yield send(rank, (rank + 1) % n, (rank - step - 1) % n)  # WRONG: reduce
    yield from ring_all_gather(n)


def stale_read_reduce(n):
    """All ranks pass their sum on to the left; these transfers do not disturb each other."""
    rank = np.arange(1, n)
    # every rank adds what it has into its left neighbor
    yield reduce(rank, rank - 1)  # WRONG: one after the other, the last rank first


def wrong_parent_reduce(n):
    """A binary heap, the deepest level first: the parent of rank r is r // 2."""
    first = 1 << n.bit_length() - 1
    while first:
        rank = np.arange(first - 1, min(2 * first - 1, n))
        # a level of the tree adds its sums into the level above
        yield reduce(rank[rank > 0], rank[rank > 0] // 2)  # WRONG: (rank - 1) // 2
        first //= 2


def swapped_blocks_all_to_all(n):
    """Rank r has a block for everybody: block d goes to rank d."""
    src, dst = np.indices((n, n)).reshape(2, -1)
    # every rank sends each rank its block
    yield send(src, dst, chunk=src, into=n + src)  # WRONG: chunk=dst


def one_step_short_all_gather(n):
    """Everybody knows two chunks after the first step, so n - 2 steps are enough."""
    rank = np.arange(n)
    for step in range(n - 2):
        # every rank passes a chunk to its right neighbor
        yield send(rank, (rank + 1) % n, (rank - step) % n)  # WRONG: n - 1 times


def endless_broadcast(n, root=0):
    """Passes the data on until everybody has it."""
    have = 1
    while have < n:
        rank = np.arange(min(have, n - have))
        # every rank that has the data sends it to one that has not
        yield send((root + rank) % n, (root + rank + have) % n)  # WRONG: have never grows


def empty_read_broadcast(n, root=0):
    """The binomial tree from far to near, as for a reduce."""
    distance = 1
    while distance < n:
        rank = np.arange(0, n - distance, 2 * distance)
        # every rank that has the data sends it on
        yield send((root + rank) % n, (root + rank + distance) % n)  # WRONG: far ones first
        distance *= 2


def too_soon_all_gather(n):
    """Every rank passes on the chunk that its left neighbor has for it."""
    rank = np.arange(n)
    for step in range(n - 1):
        # every rank passes on the chunk it gets now
        yield send(rank, (rank + 1) % n, (rank - step - 1) % n)  # WRONG: rank - step


def wrong_range_all_reduce(n):
    """The last rank passes on to rank n."""
    rank = np.arange(n)
    for step in range(n - 1):
        # every rank sends a chunk to the next, which adds it
        yield reduce(rank, rank + 1, (rank - step - 1) % n)  # WRONG: (rank + 1) % n
    yield from ring_all_gather(n)


def higher_ranks_scan(n):
    """Every rank adds its sum into the one at twice the distance, around the ring."""
    rank, distance = np.arange(n), 1
    while distance < n:
        # every rank adds its sum into a higher rank
        yield reduce(rank, (rank + distance) % n)  # WRONG: rank[: n - distance] only
        distance *= 2


def half_heard_barrier(n):
    """Everybody signals at doubling distances; the last one would go more than half around."""
    rank, distance = np.arange(n), 1
    while distance <= n // 2:
        # every rank signals the one at this distance
        yield reduce(rank, (rank + distance) % n)  # WRONG: as long as distance < n
        distance *= 2


def forgotten_yield_from_broadcast(n, root=0):
    """A binomial broadcast of every chunk, made of a schedule that I have."""
    # the binomial tree for all chunks
    yield pipelined(binomial_broadcast(n, root), range(n))  # WRONG: yield from


def wrong_neighbor_send_recv(n):
    """Every rank sends its data to its right neighbor."""
    rank = np.arange(n)
    # every rank sends to its neighbor
    yield send(rank, (rank - 1) % n, 0, 1)  # WRONG: rank + 1


def far_pairs_first_reduce(n, root=0):
    """Binomial tree, but from the top: pairs far apart first, as in the broadcast."""
    distance = 1 << (n - 1).bit_length() >> 1
    while distance:
        rank = np.arange(distance, n, 2 * distance)
        # every second rank adds its sum into the one before
        yield reduce((root + rank) % n, (root + rank - distance) % n)  # WRONG: near ones first
        distance //= 2


def no_verb_all_reduce(n):
    """Every rank just writes down whom it talks to."""
    for rank in range(n):
        # one rank adds into its right neighbor
        yield rank, (rank + 1) % n  # WRONG: reduce(rank, (rank + 1) % n)
