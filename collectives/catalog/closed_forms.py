"""What rows of the catalog share: letters of their formulas, and closed forms."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import numpy as np

from collectives.algorithms.ring_channels import root_first, rooted_rings, rotated_rings
from collectives.algorithms.tree import below_root, depths, two_trees
from collectives.algorithms.trivance import departures
from collectives.catalog.parameters import switches
from collectives.memory_limit import check_memory
from collectives.schedule.columns import Integers
from collectives.theory import SENT, Case, Form, Letter, exact
from collectives.theory.case import ceil_log
from collectives.theory.form import Count

BYTES = 200  # of memory for each rank, to find the links that trees share


def all_but_one(
    steps: str,
    messages: str,
    optimal: str = "BT",
    exact_sent: Count | None = None,
    where: tuple[Letter, ...] = (),
) -> Form:
    """Every rank sends all chunks but one, one and the same rank the most of them in every step."""
    return Form(steps, messages, "(N-1)/N*S", "(N-1)*S", SENT, where, exact_sent, None, optimal)


def all_but_own(
    steps: str, messages: str, optimal: str = "BT", where: tuple[Letter, ...] = ()
) -> Form:
    """As `all_but_one`, and each rank keeps its own chunk: the busiest rank keeps the smallest."""
    return all_but_one(steps, messages, optimal, exact.all_but_the_smallest, where)


def twice_all_but_one(
    steps: str, messages: str, exact_sent: Count | None = None, where: tuple[Letter, ...] = ()
) -> Form:
    """As `all_but_one` with twice the bytes: those that an all-reduce needs."""
    return Form(steps, messages, "2*(N-1)/N*S", "2*(N-1)*S", SENT, where, exact_sent, None, "BT")


CHAIN = Form("N-2+q", "q*(N-1)", "S", "(N-1)*S", "(N-2+q)/q*S", optimal="BT")
MEET_IN_CHAINS = Letter(
    "X", "messages saved where channels share one", lambda c: shared_in_chains(c)
)
CHANNEL_CHAIN = replace(
    CHAIN,
    with_channels=replace(
        CHAIN,
        steps="N-2+q/channels",
        messages="q*(N-1)-X",
        busiest_port=None,
        where=(MEET_IN_CHAINS,),
    ),
)
FOLDED_DOUBLING = Form(
    "L+2*min(R,1)", "P*L+2*R", "(L+min(R,1))*S", "(P*L+2*R)*S", "(L+2*min(R,1))*S"
)
PAT_STEPS = "min(N-1,A+2**C/aggregation-1)"
RING = twice_all_but_one("2*(N-1)", "2*N*(N-1)", exact.twice_round_the_ring)
IN_A_NODE = Letter("G", "ranks in a node", lambda c: gpus_of(c))
TO_NEIGHBORS = "N*min(1+channels/G,N/G)"  # messages of a step: inside nodes, and between several


def gpus_of(case: Case) -> int:
    """Ranks of a node: as many as channels leave it, unless it is said."""
    return case.parameters.get("gpus", case.parameters.get("channels", 1))


def twice_round_the_rings(case: Case) -> int:
    """As `exact.twice_round_the_ring`, in each channel with its share of the vector."""
    channels = case.parameters.get("channels", 1)
    size = case.size.reshape(channels, -1)
    kept = np.zeros(case.N, np.intp)  # bytes that each rank does not send in one of the laps
    ranks = rotated_rings(case.N, channels, gpus_of(case))
    np.add.at(kept, ranks, size + np.roll(size, -1, axis=1))
    return 2 * case.S - int(kept.min()) if case.N > 1 else 0


def once_round_the_rings(case: Case) -> int:
    """All but what the next rank of each channel's ring has: the busiest rank skips the least."""
    channels = case.parameters.get("channels", 1)
    ranks, channel = rotated_rings(case.N, channels, gpus_of(case)), np.arange(channels)[:, None]
    kept = np.zeros(case.N, np.intp)  # bytes that each rank does not send
    np.add.at(kept, ranks, case.size[channels * np.roll(ranks, -1, axis=1) + channel])
    return case.S - int(kept.min()) if case.N > 1 else 0


def in_channels(form: Form, messages: str, exact_sent: Count | None = None) -> Form:
    """A form of one ring, and of rings side by side in channels, with so many messages."""
    counted = replace(form, exact_sent=exact_sent or form.exact_sent)
    return replace(counted, with_channels=replace(counted, messages=messages, where=(IN_A_NODE,)))


def links(parent: Integers, up: bool, down: bool) -> tuple[Integers, Integers]:
    """The links of a tree up to its root, down from it, or both, each as src * nodes + dst.

    With them the steps, from 0, in which the first chunk passes them.

    >>> links(two_trees(3)[0], up=True, down=True)
    (array([5, 6, 7, 2]), array([0, 1, 3, 2]))
    """
    depth, child = depths(parent), np.flatnonzero(parent >= 0)
    deepest, above, level = depth.max(), parent[child], depth[child]
    ways = [(child * len(parent) + above, deepest - level)] if up else []
    if down:
        ways.append((above * len(parent) + child, level - 1 + deepest * up))
    link, first = zip(*ways, strict=True)
    return np.concatenate(link), np.concatenate(first)


def passed_together(link: Integers, first: Integers, length: Integers) -> int:
    """How many chunks pass a link with another one in a step, and so need no message of their own.

    Each entry is a link that so many chunks pass, one in each step from the first on.

    >>> passed_together(np.array([5, 5, 6]), np.array([0, 1, 1]), np.array([3, 3, 3]))
    2
    """
    start = link * int((first + length).max()) + first
    order = np.argsort(start)
    start, end = start[order], (start + length)[order]
    before = np.append(-1, np.maximum.accumulate(end)[:-1])
    return int(length.sum() - np.maximum(0, end - np.maximum(start, before)).sum())


def shared_messages(case: Case, up: bool, down: bool) -> int:
    """Number of messages that NCCL's two trees need less where chunks of both share a message.

    The trees are those of all ranks, or where chunks go one way only of all ranks but the root.
    Of the chunks half go through the first tree, the larger half through the second; in several
    channels of each channel's share, on its ranks in their order.

    >>> shared_messages(Case(3, np.ones(4)), up=True, down=True)
    2
    """
    channels, n = case.parameters.get("channels", 1), case.N
    check_memory(BYTES * n * channels, f"two trees of {n} ranks")
    pair, ranks = trees_of_channels(case, rooted=not (up and down))
    (first_links, start), (second_links, begin) = (links(parent, up, down) for parent in pair)
    half = chunks_of_channel(case) // 2
    lengths = np.repeat(
        [half, chunks_of_channel(case) - half], [len(first_links), len(second_links)]
    )
    src, dst = np.divmod(np.append(first_links, second_links), n)
    first = np.append(start, begin)
    every = [np.tile(column, channels) for column in (first, lengths)]
    return passed_together((ranks[:, src] * n + ranks[:, dst]).ravel(), *every)


def trees_of_channels(case: Case, rooted: bool) -> tuple[tuple[Integers, Integers], Integers]:
    """NCCL's two trees of all places, or of all but the root's, and each channel's ranks there."""
    channels, n = case.parameters.get("channels", 1), case.N
    if not rooted:
        return two_trees(n), rotated_rings(n, channels, gpus_of(case))
    first, two = map(below_root, two_trees(n - 1))
    return (first, two), root_first(n, channels, gpus_of(case), case.root)


def sent_in_trees(case: Case, up: bool) -> int:
    """Chunks that the busiest rank of NCCL's two trees sends in all channels: down, also up."""
    pair, ranks = trees_of_channels(case, rooted=not up)
    half = chunks_of_channel(case) // 2
    sent = np.zeros(case.N, np.intp)  # by each place of a channel
    for parent, chunks in zip(pair, (half, chunks_of_channel(case) - half), strict=True):
        child = parent >= 0
        sent += chunks * (up * child + np.bincount(parent[child], minlength=case.N))
    return int(np.bincount(ranks.ravel(), np.tile(sent, len(ranks))).max())


def shared_in_chains(case: Case) -> int:
    """Number of messages that chains of channels need less where chunks of several share one.

    >>> shared_in_chains(Case(3, np.ones(3), parameters={"channels": 3}))
    4
    """
    channels, n = case.parameters.get("channels", 1), case.N
    ranks = rooted_rings(n, channels, gpus_of(case), case.root)
    link = (ranks[:, :-1] * n + ranks[:, 1:]).ravel()
    first = np.tile(np.arange(n - 1), channels)
    return passed_together(link, first, np.full_like(first, chunks_of_channel(case)))


def chunks_of_channel(case: Case) -> int:
    """Chunks of a pipeline that follow one another in a channel."""
    return case.q // case.parameters.get("channels", 1)


def children_of_root(case: Case) -> int:
    """Children of the root of a k-nomial tree: radix - 1 on each level but the last, longest hop.

    >>> [children_of_root(Case(n, np.ones(1), 0, 1, {"radix": 4})) for n in (2, 4, 5, 16, 17)]
    [1, 3, 4, 6, 7]
    """
    radix = case["radix"]
    hops = ceil_log(case.N, radix) - 1
    return hops * (radix - 1) + (case.N - 1) // radix**hops if case.N > 1 else 0


def nonzero_digits(number: int, radix: int) -> int:
    """How many digits of a number are not 0.

    >>> nonzero_digits(0b10110, radix=2)
    3
    """
    return (number % radix > 0) + nonzero_digits(number // radix, radix) if number else 0


def root_folds(case: Case) -> int:
    """Whether the root is one of the odd ranks that fold into the rank before them."""
    return int(case.root % 2 > 0 and case.root < 2 * (case.N - (1 << case.L)))


def beside_halving(case: Case) -> Fraction:
    """The most of the vector that a rank sends in half-fold reduce before and after the halving.

    >>> [str(beside_halving(Case(n, np.ones(4)))) for n in (4, 5, 6, 7)]
    ['1/2', '1/2', '1', '1']
    """
    power, root = 1 << case.L, case.root
    folded, moves = case.N - power, root_folds(case)
    seat = 0 if moves else root // 2 if root < 2 * folded else root - folded
    gather = [Fraction(1, 1 << (place ^ seat).bit_length()) for place in range(power)]
    gather[seat] = Fraction(moves, power)
    return max(Fraction(place < folded, 2) + sent for place, sent in enumerate(gather))


# of trees
HEIGHT = Letter("H", "ceil(log N to base radix)", lambda c: ceil_log(c.N, c["radix"]))
CHILDREN = Letter("K", "children of the root", children_of_root)
HALF = Letter("h", "the larger half of the chunks", lambda c: (chunks_of_channel(c) + 1) // 2)
LONGEST = Letter("D", "ranks in the longest chain", lambda c: -(-(c.N - 1) // c["chains"]))
TO_ROOT = Letter("O", "0 where the last rank is the root, else 1", lambda c: int(c.root < c.N - 1))
BELOW = Letter(
    "D", "ceil(log2 (N-1)), the depth of a tree without the root", lambda c: ceil_log(c.N - 1, 2)
)
LEFT = Letter("l", "ranks on the left side of the root", lambda c: c.N // 2)
RIGHT = Letter("r", "ranks on its right side", lambda c: (c.N - 1) // 2)
MEET = "messages with a chunk of each tree"
MEET_DOWN = Letter("X", MEET, lambda c: shared_messages(c, up=False, down=True))
MEET_UP = Letter("X", MEET, lambda c: shared_messages(c, up=True, down=False))
MEET_BOTH = Letter("X", MEET, lambda c: shared_messages(c, up=True, down=True))


BUSIEST = "chunks that the busiest rank sends, in all channels"
SENT_DOWN = Letter("Y", BUSIEST, lambda c: sent_in_trees(c, up=False))
SENT_BOTH = Letter("Y", BUSIEST, lambda c: sent_in_trees(c, up=True))
TWO_TREES = Form(
    "2*C+h-1",
    "2*q*(N-1)-X",
    "(1+min(2,N-2)*h/q)*S",
    "2*(N-1)*S",
    where=(HALF, MEET_BOTH),
    optimal="T",
)
CHANNEL_TREES = replace(
    TWO_TREES, with_channels=replace(TWO_TREES, sent="Y/q*S", where=(HALF, MEET_BOTH, SENT_BOTH))
)


def split_tree(sent: str) -> Form:
    """The larger half of the chunks on the left side of a tree, the other on its right side."""
    messages, where = "h*l+(q-h)*r+min(1,q-h)*l+r", (HALF, LEFT, RIGHT)
    return Form("min(L+h,q*(N-1))", messages, sent, "(N-1)*S", where=where, optimal="T")


def double_tree(sent: str, meet: Letter, several: str, *more: Letter) -> Form:
    """The root above two trees of the other ranks, each with half of the chunks.

    several: what the busiest rank sends in several channels, with so many more letters.
    """
    where = BELOW, HALF, meet
    form = Form("D+h", "q*(N-1)-X", sent, "(N-1)*S", where=where, optimal="BT")
    in_channels = replace(form, sent=several, where=(*where, *more), optimal="T")
    return replace(form, with_channels=in_channels)


DOUBLE_TREE_DOWN = double_tree("max(q,min(2,N-3)*h)/q*S", MEET_DOWN, "Y/q*S", SENT_DOWN)
DOUBLE_TREE_UP = double_tree("S", MEET_UP, "S")


# of exchanges
ROOT_FOLDS = Letter("O", "1 where the root has folded (odd, below 2 R), else 0", root_folds)
BESIDE_HALVING = Letter("F", "most of S that a rank sends to fold and gather", beside_halving)
LOG_AGGREGATION = Letter("A", "log2 of aggregation", lambda c: ceil_log(c["aggregation"], 2))
MIRRORED = Letter(
    "M", "ranks of P that change if read backwards", lambda c: (1 << c.L) - (1 << (c.L + 1) // 2)
)
DIGITS = Letter("M", "log of N to the base", lambda c: ceil_log(c.N, c["base"]))
RADIX_DIGITS = Letter("K", "digits of N-1 in base radix", lambda c: ceil_log(c.N, c["radix"]))
HOPS_BELOW = Letter(
    "Q",
    "numbers below N with one digit in base radix that is not 0",
    lambda c: sum(nonzero_digits(hop, c["radix"]) == 1 for hop in range(c.N)),
)
LOG_THREE = Letter("M", "ceil(log3 N)", lambda c: ceil_log(c.N, 3))
WAYS = Letter(
    "W",
    "directions that ranks send in, summed over the steps",
    lambda c: sum(len(set(way.tolist())) for _, way in departures(c.N)),
)
LOG_POWER = Letter("M", "floor(log3 N)", lambda c: ceil_log(c.N + 1, 3) - 1)
STANDS_IN = Letter(
    "K", "most ranks that fold into one", lambda c: -(-c.N // 3 ** (ceil_log(c.N + 1, 3) - 1)) - 1
)
MEETINGS = Letter("M", "N-1 for an even N, N for an odd one", lambda c: c.N - 1 + c.N % 2)
HOPS = Letter(
    "D",
    "nonzero digits of 1 to N-1 in base radix",
    lambda c: sum(nonzero_digits(distance, c["radix"]) for distance in range(c.N)),
)

# of machines
LOG_GPUS = Letter("G", "ceil(log2 gpus)", lambda c: ceil_log(c["gpus"], 2))
LOG_NODES = Letter("H", "ceil(log2 N/gpus)", lambda c: ceil_log(c.N // c["gpus"], 2))
SWITCH_LEVELS = Letter("h", "levels of switches", lambda c: ceil_log(c.N, c["radix"]))
SWITCHES = Letter("W", "switches", lambda c: switches(c.N, c["radix"]))
SHARDED = Letter("c", "chunks, each cut into shards", lambda c: c.q // c.N)
SHARDED_IN_NODES = Letter("c", "chunks, each cut into shards", lambda c: c.q // c["gpus"])
