"""The two bandwidths of nccl-tests: the caller's (algbw) and the one to compare with links (busbw).

algbw is the size column over the time; busbw is algbw times a factor, so that it equals what a
link carries when a collective runs on its best ring, whatever the number of ranks.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from collectives.errors import BadInput
from collectives.units import rate_text
from collectives.values import positive, whole
from collectives.words import brief, nearest

# What the size column of nccl-tests counts. Operations that are not listed with a factor have 1.
SIZES: Mapping[str, str] = {
    "all_reduce": "bytes of the vector",
    "all_gather": "bytes of the gathered vector, of all ranks",
    "reduce_scatter": "bytes of a rank's input, for all ranks",
    "alltoall": "bytes a rank has for all ranks",
    "alltoallv": "bytes a rank has for all ranks",
    "gather": "bytes at the root, of all ranks",
    "scatter": "bytes at the root, for all ranks",
    "broadcast": "bytes of the vector",
    "reduce": "bytes of the vector",
    "sendrecv": "bytes of the message",
    "hypercube": "bytes a rank has sent to all others, own part left out",
}
PLAIN = {known.replace("_", ""): known for known in SIZES}
OTHERS_SHARE = ("all_gather", "reduce_scatter", "alltoall", "alltoallv", "gather", "scatter")
OTHER_NAMES = {"all_to_all": "alltoall", "all_to_allv": "alltoallv", "send_recv": "sendrecv"}
IN_NETWORK, NVLS, TREE = "in-network", "nvls", "tree"  # with less on the busiest wire
WAYS = {  # what a rank sends once
    IN_NETWORK: "switches add, so that a rank sends its vector once",
    NVLS: "NVSwitches add, so that a rank sends its vector once, and its part of the sum",
    TREE: "a tree on two nodes sends the vector across once",
}


@dataclass(frozen=True)
class Bandwidths:
    """Bytes per second: algbw and busbw."""

    algbw: float
    busbw: float


def operation(name: str) -> str:
    """The name nccl-tests has for an operation, hyphens or underscores; raises BadInput.

    >>> operation("All-to-All"), operation("allreduce")
    ('alltoall', 'all_reduce')
    """
    known = known_operation(name)
    if not known:
        near = nearest(_key(name), [*SIZES, *OTHER_NAMES])
        raise BadInput(f"unknown operation {name!r}; {near}")
    return known


def known_operation(name: str) -> str:
    """The same; empty for another name.

    >>> known_operation("alltoall"), known_operation("latency")
    ('alltoall', '')
    """
    key = _key(name)
    return key if key in SIZES else PLAIN.get(key, "")


def _key(name: str) -> str:
    key = str(name).lower().replace("-", "_").replace(" ", "_")
    return OTHER_NAMES.get(key, key)


def factor(name: str, ranks: int) -> Fraction:
    """busbw over algbw.

    >>> factor("all-reduce", 8), factor("all-gather", 8), factor("broadcast", 8)
    (Fraction(7, 4), Fraction(7, 8), Fraction(1, 1))
    """
    kind, ranks = operation(name), whole("ranks", ranks, minimum=1)
    if kind == "all_reduce":
        return Fraction(2 * (ranks - 1), ranks)
    return Fraction(ranks - 1, ranks) if kind in OTHERS_SHARE else Fraction(1)


def bandwidths(name: str, ranks: int, size: int, seconds: float) -> Bandwidths:
    """Both bandwidths of one measurement.

    >>> bandwidths("all_reduce", 8, 1 << 30, 8159.5e-6)
    Bandwidths(algbw=131594071205.3..., busbw=230289624609.3...)
    """
    share = factor(name, ranks)
    algbw = whole("size", size) / positive("time", seconds, "s")
    return Bandwidths(algbw, algbw * float(share))


def highest(name: str, ranks: int, how: str = "") -> Fraction:
    """The highest busbw there can be, in bandwidths of the wire, one direction.

    Switches that add let a rank of an all-reduce send and receive its vector once: the wire
    carries 1 where busbw counts 2(N-1)/N. Trees on two nodes do the same for network cards.
    With NVLS a rank also stores its N-th part of the sum for all: the wire carries (N+1)/N.

    >>> [highest("all_reduce", 8, how) for how in ("", "in-network", "nvls")]
    [Fraction(1, 1), Fraction(7, 4), Fraction(14, 9)]
    """
    if how and how not in WAYS:
        raise BadInput(f"unknown way {brief(how)}; {nearest(str(how), WAYS)}")
    share = factor(name, ranks)
    if operation(name) != "all_reduce" or not how:
        return Fraction(1)
    return max(Fraction(1), share / (Fraction(ranks + 1, ranks) if how == NVLS else 1))


def meaning(name: str, ranks: int, busbw: float, wire: float, how: str = "") -> str:
    """What a busbw means for a wire of so many bytes per second in one direction, in a sentence.

    how: "in-network" where switches add (SHARP), "nvls" where NVSwitches do, "tree" for trees
    on two nodes.

    >>> print(meaning("all_reduce", 8, 482e9, 450e9, "nvls"))
    482 GB/s is above the wire's 450 GB/s, but it is not a rate of the wire: NVSwitches add, so
    that a rank sends its vector once, and its part of the sum, and the wire carries 309.9 GB/s;
    busbw can reach 700 GB/s here.
    >>> print(meaning("all_reduce", 8, 230e9, 300e9))
    230 GB/s is what the busiest wire carries in a ring: 77 % of its 300 GB/s.
    """
    busbw, wire = positive("busbw", busbw, "B/s"), positive("wire", wire, "B/s")
    limit = float(highest(name, ranks, how))
    rate, wire_rate = rate_text(busbw), rate_text(wire)
    if busbw > wire * limit * 1.0005:
        return (
            f"{rate} cannot be on a wire of {wire_rate}: the highest is {rate_text(wire * limit)}; "
            "check the time, the number of ranks and the direction of the wire"
        )
    if limit > 1:
        above = "is above" if busbw > wire else "is not above"
        joint = "but" if busbw > wire else "and"
        why = WAYS[how] + ("," if how == NVLS else "")
        return (
            f"{rate} {above} the wire's {wire_rate}, {joint} it is not a rate of the wire: "
            f"{why} and the wire carries {rate_text(busbw / limit)}; busbw can reach "
            f"{rate_text(wire * limit)} here."
        )
    share = f"{100 * busbw / wire:.0f} % of its {wire_rate}"
    return f"{rate} is what the busiest wire carries in a ring: {share}."
