"""Open MPI 5's fixed decisions (coll/tuned): which algorithm for how many ranks and bytes.

They are measurements of its developers' clusters, averaged; operations are commutative. A line
reads: below so many ranks; then, below so many bytes this number, …, and what is left. The bytes
are those of the vector, in all-gather, all-to-all, gather and scatter those of one rank's block.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from collectives.units import size_text

BLOCKS = ("all_gather", "all_to_all", "gather", "scatter")

TABLES: Mapping[str, tuple[str, ...]] = {
    "all_reduce": (
        "N<4: <8:4 <4K:3 <8K:4 <16K:3 <64K:4 <256K:5 6",
        "N<8: <16:4 <8K:3 6",
        "N<16: <8K:3 6",
        "N<32: <64:5 <4K:3 6",
        "N<64: <128:5 6",
        "N<128: <256K:3 6",
        "N<256: <128K:2 <256K:3 6",
        "N<512: <4K:2 6",
        "N<2048: <2K:2 <16K:3 6",
        "N<4096: <2K:2 <4K:5 <16K:3 6",
        "else: <2K:2 <16K:5 <32K:3 6",
    ),
    "broadcast": (
        "N<4: <32:3 <256:5 <512:3 <1K:7 <32K:1 <128K:5 <256K:2 <512K:1 <1M:6 5",
        "N<8: <64:5 <128:6 <2K:5 <8K:6 <1M:1 2",
        "N<16: <8:7 <64:5 <4K:7 <16K:5 <32K:6 1",
        "N<32: <4K:7 <1M:6 8",
        "N<64: <2K:6 7",
        "N<128: 7",
        "N<256: <2:6 <16K:5 <32K:1 <64K:5 7",
        "N<1024: <16K:7 <32K:4 7",
        "N<2048: <512K:7 8",
        "N<4096: <256K:7 8",
        "else: <8K:7 <16K:5 <256K:7 8",
    ),
    "reduce": (
        "N<4: <8:7 <16:4 <32:3 <256K:1 <512K:3 <1M:2 3",
        "N<8: <4K:4 <64K:2 <256K:5 <512K:1 <1M:5 1",
        "N<16: <8K:4 5",
        "N<32: <4K:4 5",
        "N<256: 5",
        "N<512: <8K:5 <16K:6 5",
        "N<2048: 5",
        "N<4096: <512:5 <1K:6 <8K:5 <16K:6 5",
        "else: <16:5 <32:6 <1K:5 <2K:6 <8K:5 <16K:6 5",
    ),
    "reduce_scatter": (
        "N<4: <64K:3 <128K:4 3",
        "N<8: <8:1 <256K:2 3",
        "N<32: <256K:2 3",
        "N<64: <64:1 <2K:2 <512K:4 3",
        "N<128: <256:1 <512:2 <2K:4 <4K:2 4",
        "N<256: <256:1 <512:2 4",
        "N<512: <256:1 <1K:2 4",
        "N<1024: <512:1 <2K:2 <8K:4 <16K:2 4",
        "N<2048: <512:1 <4K:2 <16K:4 <32K:2 4",
        "N<4096: <512:1 <4K:2 4",
        "else: <1K:1 <8K:2 4",
    ),
    "all_gather": (
        "N<3: 6",
        "N<32: 3",
        "N<64: <1K:3 <64K:5 4",
        "N<128: <512:3 <64K:5 4",
        "N<256: <512:3 <128K:5 <512K:4 <1M:5 4",
        "N<512: <32:3 <128:2 <1K:3 <128K:5 <512K:4 <1M:5 4",
        "N<1024: <64:3 <256:2 <2K:3 5",
        "N<2048: <4:3 <8:2 <16:3 <32:2 <256:3 <512:2 <4K:3 5",
        "N<4096: <32:2 <128:3 <512:2 <4K:3 5",
        "else: <2:3 <8:2 <16:3 <512:2 <4K:3 5",
    ),
    "all_to_all": (
        "N<3: <2:2 <4:5 <16:2 <64:5 <256:2 <4K:5 <32K:2 <256K:4 <1M:5 2",
        "N<8: <8K:4 <16K:1 <64K:4 <512K:1 <1M:2 1",
        "N<16: <256K:4 1",
        "N<32: <4:4 <512:3 <8K:4 <32K:1 <256K:4 <512K:1 4",
        "N<64: <512:3 <512K:1 4",
        "N<128: <1K:3 <2K:1 <4K:4 <256K:1 2",
        "N<256: <1K:3 <2K:4 <256K:1 2",
        "N<512: <1K:3 <8K:4 <32K:1 2",
        "N<1024: <512:3 <8K:4 <16K:1 <128K:4 <256K:1 2",
        "N<2048: <512:3 <1K:4 <2K:1 <16K:4 <256K:1 4",
        "N<4096: <1K:3 <4K:4 <8K:1 <128K:4 1",
        "else: <2K:3 <8K:4 <16K:1 <32K:4 <64K:1 4",
    ),
    "gather": (
        "N<4: <2:3 <4:1 <32K:2 <64K:1 <128K:2 3",
        "N<8: <1K:2 <8K:1 <32K:2 <256K:1 3",
        "N<256: 2",
        "N<512: <2K:2 <8K:1 2",
        "else: 2",
    ),
    "scatter": (
        "N<4: <2:3 <128K:1 <256K:3 1",
        "N<8: <2K:2 <4K:1 <8K:2 <32K:1 <1M:3 1",
        "N<16: <16K:2 <1M:3 1",
        "N<32: <16K:2 <32K:1 3",
        "N<64: <512:2 <8K:3 <16K:2 3",
        "else: <512:2 3",
    ),
    "barrier": (
        *("N<4: 3", "N<8: 1", "N<64: 3", "N<256: 4", "N<512: 6"),
        *("N<1024: 4", "N<4096: 6", "else: 4"),
    ),
    "scan": ("else: 1",),
}

# Its number: its name, our row, and what is different from our row.
NAMES: Mapping[str, Mapping[int, tuple[str, str, str]]] = {
    "all_reduce": {
        1: ("basic linear", "linear", ""),
        2: ("nonoverlapping (reduce and broadcast)", "tree", "each half is chosen by its own rule"),
        3: ("recursive doubling", "recursive-doubling", ""),
        4: ("ring", "textbook-ring", ""),
        5: ("segmented ring", "textbook-ring", "chunks are cut into segments"),
        6: ("Rabenseifner", "rabenseifner", "it folds halves"),
    },
    "broadcast": {
        1: ("basic linear", "flat", ""),
        2: ("chain", "ring", "it has four chains"),
        3: ("pipeline", "ring", ""),
        4: ("split binary tree", "split-binary", ""),
        5: ("binary tree", "binary-tree", ""),
        6: ("binomial", "tree", ""),
        7: ("k-nomial, radix 4", "knomial", ""),
        8: ("scatter and all-gather", "scatter-doubling", ""),
        9: ("scatter and ring all-gather", "van-de-geijn", ""),
    },
    "reduce": {
        1: ("linear", "linear", ""),
        2: ("chain", "ring", "it has two chains"),
        3: ("pipeline", "ring", ""),
        4: ("binary", "binary-tree", ""),
        5: ("binomial", "tree", ""),
        6: ("in-order binary", "binary-tree", "its tree keeps the order of ranks"),
        7: ("Rabenseifner", "rabenseifner", ""),
    },
    "reduce_scatter": {
        1: ("non-overlapping (reduce and scatter)", "tree", ""),
        2: ("recursive halving", "recursive-halving", ""),
        3: ("ring", "ring", ""),
        4: ("butterfly", "recursive-halving", "it orders the blocks in another way"),
    },
    "all_gather": {
        1: ("linear (gather and broadcast)", "tree", ""),
        2: ("Bruck", "bruck", ""),
        3: ("recursive doubling", "recursive-doubling", ""),
        4: ("ring", "ring", ""),
        5: ("neighbor exchange", "neighbor-exchange", ""),
        6: ("two processes", "recursive-doubling", ""),
    },
    "all_to_all": {
        1: ("linear", "flat", ""),
        2: ("pairwise", "pairwise", ""),
        3: ("modified Bruck", "bruck", ""),
        4: ("linear with synchronization", "flat", "it limits how many requests are open"),
        5: ("two processes", "pairwise", ""),
    },
    "gather": {
        1: ("basic linear", "flat", ""),
        2: ("binomial", "tree", ""),
        3: ("linear with synchronization", "flat", "it sends a first part ahead"),
    },
    "scatter": {
        1: ("basic linear", "flat", ""),
        2: ("binomial", "tree", ""),
        3: ("linear, not blocking", "flat", ""),
    },
    "barrier": {
        1: ("linear", "tree", "it has no tree: all tell rank 0, which tells all"),
        3: ("recursive doubling", "recursive-doubling", ""),
        4: ("Bruck", "dissemination", ""),
        6: ("tree", "tree", ""),
    },
    "scan": {1: ("linear", "chain", "")},
}
UNITS = {"": 1, "K": 1 << 10, "M": 1 << 20}


def decide(kind: str, ranks: int, size: float) -> tuple[int, str]:
    """The number of the algorithm for a vector of so many bytes, and the rule in words.

    >>> decide("all_reduce", 8, 1 << 20)
    (6, 'from 8 to 15 ranks, from 8 KiB on')
    >>> decide("all_gather", 40, 40 << 12)
    (5, 'from 32 to 63 ranks, blocks from 1 KiB to below 64 KiB')
    """
    least, bytes_of = 1, size / ranks if kind in BLOCKS else size
    for line in TABLES[kind]:
        head, _, cells = line.partition(": ")
        if head == "else" or ranks < int(head[2:]):
            break
        least = int(head[2:])
    where = f"from {least} ranks on" if head == "else" else _ranks(least, int(head[2:]) - 1)
    low = 0
    for cell in cells.split():
        limit = re.fullmatch(r"<(\d+)([KM]?):(\d)", cell)
        if limit is None:
            rule = f", {_span(kind, low, None)}" if low else ""
            return int(cell), where + rule
        most = int(limit[1]) * UNITS[limit[2]]
        if bytes_of < most:
            return int(limit[3]), f"{where}, {_span(kind, low, most)}"
        low = most
    raise AssertionError(line)


def pick(kind: str, ranks: int, size: int, itemsize: int) -> tuple[str, str, str, str]:
    """Our row, Open MPI's name, the rule in words, and what is different from our row."""
    number, rule = decide(kind, ranks, size)
    name, row, note = NAMES[kind][number]
    power = ranks & (ranks - 1) == 0
    if kind == "all_gather" and number == 3 and not power:
        return "bruck", "Bruck", f"{rule}; not a power of two: instead of recursive doubling", ""
    if kind == "all_gather" and number == 5 and ranks % 2:
        return "ring", "ring", f"{rule}; an odd number: instead of neighbor exchange", ""
    if kind == "broadcast" and number == 8 and not power:
        return "van-de-geijn", name, rule, "its all-gather is recursive doubling"
    return row, name, rule, note


def _ranks(least: int, most: int) -> str:
    return f"on {most} ranks" if least == most else f"from {least} to {most} ranks"


def _span(kind: str, low: int, most: int | None) -> str:
    what = "blocks " if kind in BLOCKS else ""
    if most is None:
        return f"{what}from {size_text(low)} on"
    low_text = f"from {size_text(low)} to " if low else ""
    return f"{what}{low_text}below {size_text(most)}"
