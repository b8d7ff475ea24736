"""What the tests of composed and in-network algorithms share."""


def divisors(number):
    """1 to the number itself."""
    return [d for d in range(1, number + 1) if number % d == 0]


def all_whole(run, ranks=None):
    """Whether in the end these ranks (all, unless given) have the sum of every chunk."""
    ranks = range(run.n) if ranks is None else ranks
    cells = [(rank, slot) for rank in ranks for slot in range(run.chunk_count)]
    return all(run.last[rank, slot] == run.whole(slot) for rank, slot in cells)
