"""MPICH's rules (tuning/coll/mpir/generic.json), with the cut points of Thakur and others, 2005.

For built-in operations. In all-to-all the bytes that decide are those of one block.
"""

from __future__ import annotations

from collectives.units import size_text

FEW = 8  # ranks
SMALL = 32768
LONG = 524288


def pick(kind: str, ranks: int, size: int, itemsize: int) -> tuple[str, str, str, str]:
    """Our row, MPICH's name, the rule in words, and what is different from our row."""
    rules = {
        "broadcast": _broadcast,
        "reduce": _reduce,
        "all_reduce": _all_reduce,
        "all_gather": _all_gather,
        "reduce_scatter": _reduce_scatter,
        "all_to_all": _all_to_all,
    }
    if kind in rules:
        return *rules[kind](ranks, size, itemsize), ""
    row, name = {
        "gather": ("tree", "binomial"),
        "scatter": ("tree", "binomial"),
        "barrier": ("dissemination", "k_dissemination, k = 2"),
        "scan": ("recursive-doubling", "recursive_doubling"),
    }[kind]
    return row, name, "always", ""


def _power(ranks: int) -> bool:
    return ranks & (ranks - 1) == 0


def _least(ranks: int) -> int:
    """The largest power of two that is not above the number of ranks."""
    return 1 << ranks.bit_length() - 1


def _broadcast(ranks: int, size: int, itemsize: int) -> tuple[str, str, str]:
    if ranks < FEW:
        return "tree", "binomial", f"below {FEW} ranks"
    if size <= 12288:
        return "tree", "binomial", f"up to {size_text(12288)}"
    if _power(ranks) and size <= LONG:
        rule = f"a power of two, from {size_text(12288)} to {size_text(LONG)}"
        return "scatter-doubling", "scatter_recursive_doubling_allgather", rule
    rule = f"above {size_text(LONG if _power(ranks) else 12288)}"
    return "van-de-geijn", "scatter_ring_allgather", rule


def _reduce(ranks: int, size: int, itemsize: int) -> tuple[str, str, str]:
    if size <= 2048:
        return "tree", "binomial", f"up to {size_text(2048)}"
    if size < _least(ranks) * itemsize:
        return "tree", "binomial", f"fewer than {_least(ranks)} elements"
    return "rabenseifner", "reduce_scatter_gather", f"above {size_text(2048)}"


def _all_reduce(ranks: int, size: int, itemsize: int) -> tuple[str, str, str]:
    if size <= 8:
        return "recursive-doubling", "recursive_doubling", "up to 8 bytes"
    if size < _least(ranks) * itemsize:
        rule = f"fewer than {_least(ranks)} elements"
        return "recursive-doubling", "recursive_doubling", rule
    return "rabenseifner", "reduce_scatter_allgather", "above 8 bytes"


def _all_gather(ranks: int, size: int, itemsize: int) -> tuple[str, str, str]:
    limit, (row, name) = (
        (LONG, ("recursive-doubling", "recursive_doubling"))
        if _power(ranks)
        else (81920, ("bruck", "brucks"))
    )
    kind = "a power of two" if _power(ranks) else "not a power of two"
    if size < limit:
        return row, name, f"{kind}, below {size_text(limit)} in all"
    return "ring", "ring", f"{kind}, from {size_text(limit)} in all on"


def _reduce_scatter(ranks: int, size: int, itemsize: int) -> tuple[str, str, str]:
    if size < LONG:
        return "recursive-halving", "recursive_halving", f"below {size_text(LONG)} in all"
    return "pairwise", "pairwise", f"from {size_text(LONG)} in all on"


def _all_to_all(ranks: int, size: int, itemsize: int) -> tuple[str, str, str]:
    block = size / ranks
    if ranks >= FEW and block <= 256:
        return "bruck", "brucks", f"from {FEW} ranks on, blocks up to 256B"
    if block <= SMALL:
        return "flat", "scattered", f"blocks up to {size_text(SMALL)}"
    row = "exchange" if _power(ranks) else "pairwise"
    return row, "pairwise", f"blocks above {size_text(SMALL)}"
