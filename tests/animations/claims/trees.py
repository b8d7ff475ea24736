"""Claims of two trees, and waves that follow each other through trees and switches."""

from __future__ import annotations

from fractions import Fraction
from functools import partial
from itertools import pairwise

from claims.executed import Played, named, number
from collectives import record
from collectives.structure import Switches, TwoTrees


def sent_bytes(played, chunks=None):
    """Bytes that each node sends, of some chunks or all; chunks of one size."""
    recording = played.recording
    unit = int(recording.size[0]) * recording.dtype.itemsize
    found = [0] * recording.nodes
    for step in played.steps:
        for src, dst, chunk in {(src, dst, chunk) for src, dst, chunk, *_ in step}:
            assert src != dst
            found[src] += unit * (chunks is None or chunk in chunks)
    return found


def tree_links(played):
    """By chunk the pairs of ranks between which it travels."""
    links = {}
    for step in played.steps:
        for src, dst, chunk, *_ in step:
            links.setdefault(chunk, set()).add(frozenset((src, dst)))
    return links


def both_trees(played):
    """The chunks of either tree: those that travel over the same links."""
    links = tree_links(played)
    first = {chunk for chunk in links if links[chunk] == links[0]}
    return first, set(links) - first


def degree(played, chunk, rank):
    return sum(rank in pair for pair in tree_links(played)[chunk])


def one_tree(played, number_of, ranks):
    alone = [2 * each for each in sent_bytes(played, both_trees(played)[0])]
    hard = max(alone)
    counted = int(number_of) == alone.count(hard) and played.n == int(ranks)
    return counted and 2 * hard * alone.count(hard) > sum(alone)


def one_tree_sends(played, *, up):
    """Whether the data of a tree is first added on the way up, if so, and then copied down."""
    own = both_trees(played)[0]
    adds = [row[4] for step in played.steps for row in step if row[2] == min(own)]
    turn = adds.count(True)
    return adds == [True] * turn + [False] * turn if up else not turn


def _has_two(played):
    return isinstance(played.recording.structure, TwoTrees)


def moves_of(played):
    """By chunk the steps in which it moves from node to node."""
    moves = {}
    for k, step in enumerate(played.steps):
        for src, dst, chunk, *_ in step:
            if src != dst:
                moves.setdefault(chunk, []).append(k)
    return moves


def wave_spans(played, waves):
    """By wave the first and the last step in which its chunks move, where all are alike."""
    row = played.recording.collective.name, played.recording.algorithm
    given, asked = played.recording.parameters, waves * (2 if _has_two(played) else 1)
    count = asked * played.n * given.get("gpus", 1)
    again = Played(record(*row, ranks=played.n, count=count, chunks=asked, parameters=given))
    moves = moves_of(again)
    assert len(moves) % asked == 0
    spans = sorted({(min(own), max(own)) for own in moves.values()})
    assert len(spans) == waves
    assert all(b[k] - a[k] == 1 for a, b in pairwise(spans) for k in (0, 1))
    return spans


def one_wave(played, steps):
    return wave_spans(played, 1) == [(0, int(steps) - 1)]


def first_waves(played):
    """How many waves are shown first: those that were seen, if they are few."""
    waves = len({min(own) for own in moves_of(played).values()})
    return waves if waves < 6 else 1


def several_waves(played, waves, steps, before, part):
    drawn = first_waves(played)
    ends = [wave_spans(played, count)[-1][1] + 1 for count in (int(waves), drawn)]
    return Fraction(part) == Fraction(drawn, int(waves)) and ends == [int(steps), int(before)]


def run_in_waves(played, waves, steps):
    return first_waves(played) == number(waves) and int(steps) == len(played.steps)


def one_way_at_a_time(played):
    """Whether all messages of a step leave ranks, or all leave switches."""
    ways = [{src < played.n for src, dst, *_ in step if src != dst} for step in played.steps]
    return first_waves(played) == 1 and all(len(way) == 1 for way in ways) and ways[0] != ways[1]


def waves_fill(played, steps):
    return wave_spans(played, 2)[0][1] == int(steps)


def leaf_and_inner(played, rank):
    one, two = (min(chunks) for chunks in both_trees(played))
    return degree(played, one, int(rank)) == 1 < degree(played, two, int(rank))


def evened(played, size, most):
    total = max(sent_bytes(played))
    return (
        named(total, size)
        and one_tree_most(played, most)
        and total < 2 * max(sent_bytes(played, both_trees(played)[0]))
    )


def one_tree_most(played, most):
    return named(2 * max(sent_bytes(played, both_trees(played)[0])), most)


CLAIMS = {
    r"One tree alone: sums go up to its root, the total comes down\.": partial(
        one_tree_sends, up=True
    ),
    r"One tree alone: the data goes down, from parents to children\.": partial(
        one_tree_sends, up=False
    ),
    r"In one tree, (\d+) of (\d+) ranks do most of the work\.": one_tree,
    r"In one wave, half of the vector is one message: (\d+) long steps\.": (
        lambda played, steps: (
            isinstance(played.recording.structure, TwoTrees) and one_wave(played, steps)
        )
    ),
    r"In one wave, the whole vector is one message: (\d+) long steps\.": (
        lambda played, steps: (
            isinstance(played.recording.structure, Switches) and one_wave(played, steps)
        )
    ),
    r"(\d+) waves in turn: (\d+) starts, not (\d+), but messages (\d+/\d+) as long\.": (
        several_waves
    ),
    r"In one wave, it takes (\d+) steps\.": one_wave,
    r"The run just seen was one wave: links up and down took turns\.": one_way_at_a_time,
    r"The run just seen was (\w+) waves?: (\d+) steps\.": run_in_waves,
    r"(\d+) steps fill (?:the \w+|all links); then each step ends a wave\.": waves_fill,
    r"Rank (\d+) is a leaf up here, and an inner node down there\.": leaf_and_inner,
    r"Each takes half, and work evens out: (.+) instead of (.+)\.": evened,
}
