"""What whys say, computed anew from steps that the plain interpreter has executed."""

from __future__ import annotations

import re
from fractions import Fraction
from functools import partial
from itertools import pairwise
from math import ceil, floor

from interpreter import rows, start, states

from collectives import record
from collectives.algorithms.tree import tree_all_reduce, two_trees
from collectives.structure import Switches, TwoTrees
from collectives.units import size_text

NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]


class Played:
    """A recording as the plain interpreter executes it; steps are those in which data travels."""

    def __init__(self, recording):
        self.recording, self.n = recording, recording.ranks
        before = [(int(r), int(s)) for r, s in zip(*recording.precondition.nonzero(), strict=True)]
        steps = list(recording.steps)
        every = states(start(before), steps)
        self.moving = [k for k, step in enumerate(steps) if (step.src != step.dst).any()]
        self.states = [every[k] for k in self.moving] + [every[-1]]
        self.steps = [
            [
                (row.src, row.dst, row.chunk + k, row.into + k, row.adds)
                for row in rows(steps[step])
                for k in range(row.count)
                if row.src != row.dst
            ]
            for step in self.moving
        ]

    def held(self, step, node, slot):
        """Whose data is in a slot before a step, from 0; after the last one at the end."""
        return frozenset(rank for rank, _ in self.states[step].get((node, slot), ()))

    def left(self, node, step):
        """What leaves a node in a step: each chunk with whose data is in it."""
        return {
            (chunk, self.held(step, src, chunk))
            for src, _, chunk, _, _ in self.steps[step]
            if src == node
        }

    def ports(self):
        """What leaves each rank in each step."""
        return [[self.left(rank, k) for k in range(len(self.steps))] for rank in range(self.n)]


def number(text):
    """A number that may be a word."""
    text = text.lower()
    return NUMBERS.index(text) if text in NUMBERS else int(text.replace(",", ""))


def sums_grow(played, steps):
    return all(
        {len(held) for _, held in port[k]} == {k + 1}
        for port in played.ports()
        for k in range(number(steps))
    )


def chunks_pass(played, steps):
    arrived = [
        [{into for _, dst, _, into, _ in step if dst == rank} for step in played.steps]
        for rank in range(played.n)
    ]
    return number(steps) == len(played.steps) and all(
        {chunk for chunk, _ in port[k]} <= arrived[rank][k - 1] and len(port[k]) == len(port[0])
        for rank, port in enumerate(played.ports())
        for k in range(1, len(played.steps))
    )


def chunks_come(played, steps):
    """In each step every rank gets one chunk that it lacks, until it lacks none."""
    lacks = [
        [
            sum(not played.held(k, rank, chunk) for chunk in range(played.n))
            for rank in range(played.n)
        ]
        for k in range(len(played.steps) + 1)
    ]
    every = number(steps) == len(played.steps)
    return every and lacks == [[left] * played.n for left in range(number(steps), -1, -1)]


def finished_sums(played, steps):
    return all(
        {len(held) for _, held in sent} == {played.n}
        for port in played.ports()
        for sent in port[-number(steps) :]
    )


def never_twice(played):
    for port in played.ports():
        every = [chunk for sent in port for chunk in sent]
        if not all(port) or len(every) > len(set(every)):
            return False
    return True


def bound_leaves(played):
    """For some chunk and rank the sum is made where it need not be sent."""
    slots = range(played.recording.chunk_count)
    whole = frozenset(range(played.n))
    return all(
        any(
            sum(held(rank) == whole for rank in range(played.n)) == 1
            for held in [
                lambda rank, k=k, slot=slot: played.held(k, rank, slot)
                for k in range(len(played.states))
            ]
        )
        for slot in slots
    )


def bound_comes(played):
    """A rank's own piece is never all of a sum."""
    slots, whole = range(played.recording.chunk_count), frozenset(range(played.n))
    held = (played.held(0, rank, slot) for rank in range(played.n) for slot in slots)
    return all(pieces < whole for pieces in held)


def bound_all(played, sends, ports, each):
    """All chunks but one piece each, and all sums but one each, dealt out to all ports."""
    needed = 2 * (played.n - 1) * played.recording.chunk_count
    counted = number(sends) == needed == number(each) * number(ports) and number(ports) == played.n
    return counted and played.recording.collective.name == "all_reduce"


def knowing(played):
    """By state and rank whose data a rank has in any slot."""
    return [
        [
            {origin for (node, _), held in state.items() if node == rank for origin, _ in held}
            for rank in range(played.n)
        ]
        for state in played.states
    ]


def counts(text):
    return [int(each) for each in text.split(",")]


def grows(played, verb, row, measure, until=""):
    """Whether a number is that of each state, and as many times that of the one before."""
    factor = {"doubles": 2, "triples": 3}.get(verb) or int(verb.rpartition(" ")[2])
    seen = counts(row)
    capped = seen[-1] < factor * seen[-2]
    exact = all(b == factor * a for a, b in pairwise(seen[:-1] if capped else seen))
    return exact and bool(until) == capped and seen == [measure(state) for state in knowing(played)]


def most(state):
    return max(map(len, state))


def every(state):
    sizes = {len(held) for held in state}
    assert len(sizes) == 1
    return sizes.pop()


def holders(state):
    return sum(map(bool, state))


def summing(played, row):
    """How many ranks have a sum that is still to be added elsewhere, or that is the root's."""
    adders = [{src for src, *_, adds in step if adds} for step in played.steps]
    roots = set(range(played.n)) - set().union(*adders)
    steps = counts(row)
    later = [roots.union(*adders[k:]) for k in range(len(steps))]
    return len(roots) == 1 and [len(ranks) for ranks in later] == steps


def halving(played, row):
    return summing(played, row) and all(a == 2 * b for a, b in pairwise(counts(row)))


def back_down(played, row):
    full = [sum(len(held) == played.n for held in state) for state in knowing(played)]
    return full[-len(counts(row)) :] == counts(row)


def heard_from(played, others="one"):
    return all(
        len({src for src, dst, *_ in step if dst == rank}) <= number(others)
        for step in played.steps
        for rank in range(played.n)
    )


def told(played, others="one"):
    """Whoever has it sends it to so many others at most, in any step."""
    return all(
        len({dst for src, dst, *_ in step if src == rank}) <= number(others)
        for step in played.steps
        for rank in range(played.n)
    )


def reaches(played, steps, ranks, more, factor=None):
    """As many steps as are needed, and as many as a thousand ranks would need."""
    one, other = number(steps), number(more)
    fan = max(
        len({link[1 - end] for link in step if link[end] == rank})
        for step in played.steps
        for rank in range(played.n)
        for end in (0, 1)
    )
    base = factor or 1 + fan
    enough = base ** (one - 1) < played.n <= base**one
    thousand = base ** (other - 1) < 1000 <= base**other
    return enough and thousand and number(ranks) == played.n and len(played.steps) in (one, 2 * one)


def true_of_all(played):
    return played.recording.collective.name == "all_reduce"


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


def wave_spans(played, waves):
    """By wave the first and the last step in which its chunks move, where all are alike."""
    row = played.recording.collective.name, played.recording.algorithm
    chunks = waves * (2 if isinstance(played.recording.structure, TwoTrees) else 1)
    again = Played(record(*row, ranks=played.n, count=chunks, chunks=chunks))
    moves = {}
    for k, step in enumerate(again.steps):
        for _, _, chunk, *_ in step:
            moves.setdefault(chunk, []).append(k)
    assert len(moves) == chunks
    spans = sorted({(min(own), max(own)) for own in moves.values()})
    assert len(spans) == waves
    assert all(b[k] - a[k] == 1 for a, b in pairwise(spans) for k in (0, 1))
    return spans


def one_wave(played, steps):
    return wave_spans(played, 1) == [(0, int(steps) - 1)]


def several_waves(played, waves, steps, part):
    return waves == part and wave_spans(played, int(waves))[-1][1] + 1 == int(steps)


def waves_fill(played, steps):
    return wave_spans(played, 2)[0][1] == int(steps)


def more_waves(played, waves, fill, steps):
    spans = wave_spans(played, int(waves))
    return spans[0][1] == int(fill) and spans[-1][1] + 1 == int(steps)


def chunks_leave(played, pieces, part):
    ports = [
        sum(row[0] == rank for step in played.steps for row in step) for rank in range(played.n)
    ]
    return {*ports} == {int(pieces)} and {row[2] for step in played.steps for row in step} == {
        *range(int(part))
    }


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


def named(count, size):
    return size in (size_text(count, binary=True), size_text(count))


def across(recording, gpus):
    """By rank the bytes it sends to other nodes, and in how many steps any does."""
    played = Played(recording)
    carried, steps = [0] * recording.ranks, 0
    unit = int(recording.size[0]) * recording.dtype.itemsize
    for step in played.steps:
        far = [(src, dst, c) for src, dst, c, *_ in step if src // gpus != dst // gpus]
        steps += bool(far)
        for src, _, _ in far:
            carried[src] += unit
    return carried, steps


def flat_ring(played):
    count = played.recording.count
    return record("all_reduce", "ring", ranks=played.n, count=count)


def gpus_of(played):
    """How many consecutive ranks are a node: those that are linked inside."""
    groups = played.recording.structure.members
    assert [rank for group in groups for rank in group] == list(range(played.n))
    return len(groups[0])


def one_ring(played, size, gpus):
    carried, _ = across(flat_ring(played), int(gpus))
    first = carried[: int(gpus)]
    return gpus_of(played) == int(gpus) and sum(map(bool, first)) == 1 and named(max(first), size)


def ring_on_each(played, gpus, size):
    carried, _ = across(flat_ring(played), gpus_of(played))
    share = sum(carried[: int(gpus)]) // int(gpus)
    return gpus_of(played) == int(gpus) and named(share, size)


def most_cross_twice(played):
    """Whether over half of a ring's chunks leave a node twice: first added, then copied."""
    rows = [row for step in Played(flat_ring(played)).steps for row in step]
    over = [(chunk, adds) for src, _, chunk, _, adds in rows if src == gpus_of(played) - 1]
    ways = [[adds for other, adds in over if other == chunk] for chunk in range(played.n)]
    return 2 * ways.count([True, False]) > played.n


def takes_turns(played, rings):
    """Whether no step sends inside nodes and between them; each step of a ring does."""
    gpus = gpus_of(played)
    own, ring = (
        {len({src // gpus == dst // gpus for src, dst, *_ in step}) for step in way.steps}
        for way in (played, Played(flat_ring(played)))
    )
    return int(rings) == gpus and (own, ring) == ({1}, {2})


def own_share(played, part, size):
    gpus = gpus_of(played)
    carried, _ = across(played.recording, gpus)
    return part == f"1/{gpus}" and len({*carried}) == 1 and named(carried[0], size)


def own_share_once(played, part, size):
    """Of two nodes each sends the other as much as the share has bytes."""
    gpus = gpus_of(played)
    (carried, *_), _ = across(played.recording, gpus)
    once = carried * gpus == played.recording.count * played.recording.dtype.itemsize
    return once and own_share(played, part, size)


def parts_of(played):
    """By step what leaves each port, as a part of the vector; the same for all ports."""
    found = []
    for step in played.steps:
        sizes = {len({(d, c) for s, d, c, *_ in step if s == r}) for r in range(played.n)}
        assert len(sizes) == 1
        found.append(Fraction(sizes.pop(), played.recording.chunk_count))
    return found


def there(played):
    """The parts of the way there."""
    parts = parts_of(played)
    return parts[: len(parts) // 2] if played.recording.collective.name == "all_reduce" else parts


def each_half(played):
    return len(there(played)) > 1 and all(a == 2 * b for a, b in pairwise(there(played)))


def each_twice(played):
    return len(there(played)) > 1 and all(2 * a == b for a, b in pairwise(there(played)))


def all_but(played, last):
    return sum(there(played)) == 1 - Fraction(last)


def and_back(played, steps, ring):
    parts = parts_of(played)
    flat = record("all_reduce", "ring", ranks=played.n)
    return parts == parts[::-1] and (len(parts), len(flat.steps)) == (int(steps), int(ring))


def met_in_switch(played):
    """Each rank sends each chunk up once with its own data; sums are made in switches."""
    inner = [
        (src, chunk)
        for k, step in enumerate(played.steps)
        for src, _, chunk, *_ in step
        if src < played.n and played.held(k, src, chunk) == {src}
    ]
    adds = {dst for step in played.steps for _, dst, _, _, adds in step if adds}
    return len(inner) == len({*inner}) == played.n * played.recording.chunk_count and all(
        dst >= played.n for dst in adds
    )


def finished_again(played, part):
    """Each rank sends so much up that is finished, of a part that no other rank sends."""
    every, sent = frozenset(range(played.n)), {}
    for rank in range(played.n):
        for step, out in enumerate(played.ports()[rank]):
            for chunk, _ in (row for row in out if row[1] == every):
                assert played.held(step, rank, chunk) == every
                sent.setdefault(rank, []).append(chunk)
    chunks = [chunk for mine in sent.values() for chunk in mine]
    parts = {sum(share(played, chunk) for chunk in mine) for mine in sent.values()}
    return len(chunks) == len({*chunks}) and parts == {Fraction(part)} and len(sent) == played.n


def came_down(played):
    """Whether ranks get finished sums only."""
    got = {
        len(played.held(k, src, chunk))
        for k, step in enumerate(played.steps)
        for src, dst, chunk, *_ in step
        if dst < played.n
    }
    return got == {played.n}


def two_shot_pieces(played, pieces, alone=None):
    """Without sums in switches each rank gets so many pieces of its chunk, then sends its sum."""
    direct = again(played, played.n, "two-shot")
    got = [sum(row[1] == 0 for row in step) for step in direct.steps]
    moved = in_all(direct, 0)
    told = alone is None or {f"{float(m):.4g}" for m in moved} == {alone}
    return got == [number(pieces)] * 2 and told


def first_chunk(played, steps):
    """The first chunk crosses a link in each of the first steps, and then has reached all."""
    crossed = [k for k, step in enumerate(played.steps) for _, _, chunk, *_ in step if not chunk]
    return crossed == list(range(number(steps))) and number(steps) == played.n - 1


def one_behind(played, chunks, steps):
    crossed = {}
    for k, step in enumerate(played.steps):
        for _, _, chunk, *_ in step:
            crossed.setdefault(chunk, []).append(k)
    later = all(crossed[chunk] == [k + chunk for k in crossed[0]] for chunk in crossed)
    return later and len(crossed) - 1 == number(chunks) and len(played.steps) == number(steps)


def vectors(played, port, alone):
    busiest = played.recording.bytes_busiest_port / (
        played.recording.count * played.recording.dtype.itemsize
    )
    bound = 2 * (played.n - 1) / played.n
    return (float(port), float(alone)) == (float(f"{busiest:.4g}"), float(f"{bound:.4g}"))


def pairs_of(played, first=0, last=None):
    """Which rank sends to which, step by step, once each."""
    return [{(src, dst) for src, dst, *_ in step} for step in played.steps[first:last]]


def everybody(n):
    return {(a, b) for a in range(n) for b in range(n) if a != b}


def matching(played):
    """In every step each rank sends to one rank, and no two send to the same."""
    return all(
        sorted(src for src, _ in pairs) == sorted(dst for _, dst in pairs) == [*range(played.n)]
        for pairs in pairs_of(played)
    )


def to_all(played, others):
    return pairs_of(played)[0] == everybody(played.n) and number(others) == played.n - 1


def met_once(played, steps):
    every = [pair for pairs in pairs_of(played) for pair in pairs]
    return sorted(every) == sorted(everybody(played.n)) and number(steps) == len(played.steps)


def finished_to_all(played, others):
    half = len(played.steps) // 2
    sums = all(
        len(played.held(k, src, chunk)) == played.n
        for k in range(half, 2 * half)
        for src, _, chunk, *_ in played.steps[k]
    )
    return (
        sums and number(others) == played.n - 1 and pairs_of(played, half)[0] == everybody(played.n)
    )


def all_but_own(played, moved, chunks, end=0, name=""):
    """Each rank sends, or gets, so many different chunks or blocks of as many as there are."""
    seen = [
        [row for step in played.steps for row in step if row[end] == rank]
        for rank in range(played.n)
    ]
    counted = {len(rows) * played.n // played.recording.chunk_count for rows in seen}
    right = not name or played.recording.collective.name == name
    return right and counted == {int(moved)} and int(chunks) == played.n == int(moved) + 1


def as_the_ring(played, steps, ring):
    flat = Played(flat_ring(played))
    same = sent_rows(played) == sent_rows(flat)
    return same and (number(steps), int(ring)) == (len(played.steps), len(flat.steps))


def shots(played, steps, vectors):
    """Whether it takes so many steps, in which every port sends and gets so many vectors."""
    ports = {figure(port) for end in (0, 1) for port in in_all(played, end)}
    return len(played.steps) == steps and ports == {vectors}


def sent_rows(played):
    return [
        sum(row[0] == rank for step in played.steps for row in step) for rank in range(played.n)
    ]


def whole_vectors(played, sends):
    rows = {count / played.recording.chunk_count for count in sent_rows(played)}
    return rows == {int(sends)}


def passed(played):
    """By node the vectors that pass its port: in each step those out or in, if that is more."""
    chunks, nodes = played.recording.chunk_count, played.recording.nodes
    through = [0.0] * nodes
    for step in played.steps:
        for node in range(nodes):
            ends = [sum(row[end] == node for row in step) for end in (0, 1)]
            through[node] += max(ends) / chunks
    return through


def again(played, ranks, algorithm=None):
    row = played.recording
    return Played(record(row.collective.name, algorithm or row.algorithm, ranks=ranks))


def dealt_and_on(played, root, first, then):
    came = [any(row[1] == int(root) for row in step) for step in played.steps].index(True)
    sent = [sum(row[0] == int(root) for row in step) for step in played.steps]
    parts = [Fraction(sum(part), played.recording.slots) for part in (sent[:came], sent[came:])]
    return [*map(Fraction, (first, then))] == parts


def of_many(played, ranks, own, down_tree):
    many = [again(played, int(ranks), name) for name in (None, "tree")]
    return [f"{max(passed(way)[: way.n]):.4g}" for way in many] == [own, down_tree]


def queue(played, most, others, busiest=1, node=None):
    through = passed(played)
    least = [load for load in through if load < max(through)]
    where = (
        played.n + int(node.split()[1])
        if node and "server" in node
        else node and int(node.split()[1])
    )
    return (
        max(through) == float(most)
        and {*least} == {float(others)}
        and len(through) - len(least) == busiest
        and (where is None or through[where] == max(through))
    )


def in_then_out(played, came, went, both):
    """Whether whole vectors come to the busiest node, and then others leave it."""
    hub = max(range(len(passed(played))), key=passed(played).__getitem__)
    ways = [(row[0] == hub) for step in played.steps for row in step if hub in row[:2]]
    counted = [ways.count(False), ways.count(True)] == [number(came), number(went)]
    alone = played.recording.chunk_count == 1 and max(passed(played)) == int(both) == len(ways)
    return counted and alone and ways == sorted(ways)


def queues(played, nodes, most, others):
    return queue(played, most, others, int(nodes.split()[0]))


def longer_queue(played, ranks, most):
    twice = again(played, int(ranks))
    return int(ranks) == 2 * played.n and max(passed(twice)) == float(most) > max(passed(played))


def shared_out(played, servers, parts, most):
    name, given = "sharded_parameter_server", {"servers": int(servers)}
    shards = Played(record("all_reduce", name, ranks=played.n, parameters=given))
    extra, chunks = shards.recording.nodes - played.n, shards.recording.chunk_count
    least = max(passed(shards)) < max(passed(played))
    exact = max(passed(shards)) == float(most) and least
    return exact and (extra, chunks) == (int(servers), int(parts))


def tree_port(played, most, name):
    tree = again(played, played.n, "tree")
    return played.recording.collective.name == name and max(passed(tree)) == float(most)


def cut_port(played, chunks, most):
    ranks = passed(played)[: played.n]  # a switch has as many ports as ranks
    exact = f"{max(ranks):.4g}" == f"{float(most):.4g}"
    return (
        exact
        and max(ranks) < max(passed(again(played, played.n, "tree")))
        and (int(chunks) == played.recording.chunk_count)
    )


def dealt(played, row):
    """The most chunks that any rank has still to give away or to keep, after each step."""
    left = {(src, chunk) for src, chunk in played.states[0]}
    most = []
    for step in [[], *played.steps]:
        for src, dst, chunk, into, _ in step:
            left -= {(src, chunk)}
            left |= {(dst, into)}
        most.append(max(sum(rank == node for node, _ in left) for rank in range(played.n)))
    return most == counts(row) and all(b == -(-a // 2) for a, b in pairwise(most))


def runs_of(played, text):
    """So many times each part, in this order."""
    parts = [
        Fraction(part)
        for count, part in re.findall(r"(?:(\d+) times )?(\d+/\d+)", text)
        for _ in range(int(count or 1))
    ]
    return parts == there(played)


def levels_passed(played, steps):
    """As many steps from the start of the first chunk until it is wherever it must be."""
    first = [k for k, step in enumerate(played.steps) if any(row[2] == 0 for row in step)]
    return first == [*range(number(steps))]


def far_messages_of(played):
    """By step how far each message goes round, how many chunks it has, and what leaves a half."""
    n, steps = played.n, []
    for step in played.steps:
        far = {min((a - b) % n, (b - a) % n) for a, b, *_ in step}
        chunks = {sum(row[0] == rank for row in step) for rank in range(n)}
        out = sum(share(played, row[2]) for row in step if row[0] < n // 2 <= row[1])
        assert len(far) == len(chunks) == 1
        steps.append((*far, *chunks, out))
    return steps


def begins(played, algorithm, far, total=None):
    """Whether the first messages have one chunk and go near or far, and the largest the reverse."""
    steps = far_messages_of(again(played, played.n, algorithm))
    ways, chunks, out = zip(*steps, strict=True)
    grows = list(chunks[:2]) == [1, 2] and sorted(chunks) == list(chunks)
    order = sorted(ways, reverse=far) == list(ways) and ways[0] != ways[-1]
    return grows and order and (total is None or float(f"{float(sum(out)):.4g}") == float(total))


def own_tree(played, chunk=None, row=""):
    """How many ranks have a chunk after each step, each from one rank, the far ones first."""
    steps = range(len(played.steps) + 1)
    for one in range(played.n) if chunk is None else [int(chunk)]:
        have = [sum(bool(played.held(k, rank, one)) for rank in range(played.n)) for k in steps]
        links = [[row[:2] for row in step if row[2] == one] for step in played.steps]
        far = [min((a - b) % played.n, (b - a) % played.n) for step in links for a, b in step]
        heard = sorted(dst for step in links for _, dst in step)
        if heard != sorted({*range(played.n)} - {one}) or far != sorted(far)[::-1]:
            return False
        if row and have != counts(row):
            return False
    return True


def both_neighbors(played):
    """Each rank sends an edge to each neighbor: of n × n cells n and n, twice as many if n is."""
    near = {(a, b) for a, b in everybody(played.n) if (a - b) % played.n in (1, played.n - 1)}
    return (
        len(played.steps) == 1 and pairs_of(played)[0] == near and len(played.steps[0]) == len(near)
    )


def share(played, chunk):
    """A chunk as a part of the vector, where sizes were given."""
    recording = played.recording
    if recording.counts:
        return Fraction(recording.counts[chunk], sum(recording.counts))
    return Fraction(1, recording.chunk_count)


def port_counts(played, end, messages=False):
    """By step and rank the vectors, or the messages, that leave (end 0) or reach (end 1) it."""
    counted = []
    for step in played.steps:
        rows = {row[: 2 if messages else 3] for row in step}  # into two slots it is sent once
        ends = [
            sum(1 if messages else share(played, row[2]) for row in rows if row[end] == rank)
            for rank in range(played.n)
        ]
        counted.append(ends)
    return counted


def through(played, messages=False):
    """By rank what passes its port: what leaves it in all steps, or reaches it if that is more."""
    sides = [zip(*port_counts(played, end, messages), strict=True) for end in (0, 1)]
    return [max(sum(out), sum(back)) for out, back in zip(*sides, strict=True)]


def in_all(played, end):
    return [sum(column) for column in zip(*port_counts(played, end), strict=True)]


def far_messages(played, nodes):
    """By rank its messages to other nodes."""
    home = {rank: number for number, group in enumerate(nodes) for rank in group}
    links = [link for step in played.steps for link in {row[:2] for row in step}]
    return [
        sum(src == rank and home[src] != home[dst] for src, dst in links)
        for rank in range(played.n)
    ]


RIVALS = {
    "a ring": "ring",
    "a tree": "tree",
    "all sending to all": "flat",
    "pairs, step by step": "pairwise",
    "dissemination": "dissemination",
    "direct sends": "direct",
    "two hops": "two-hop",
}


def costs(counts, text, played, steps):
    """Whether the largest of these counts is the number of a text, in so many steps."""
    number, noun = text.split()
    exact = f"{float(max(counts)):.4g}" == f"{float(number):.4g}"
    return exact and noun.rstrip("s") in ("vector", "message") and int(steps) == len(played.steps)


def rival(played, name):
    row = played.recording
    return Played(
        record(
            row.collective.name, RIVALS.get(name, row.algorithm), ranks=played.n, count=row.count
        )
    )


def passes(played, name, number, steps):
    other = rival(played, name) if name else played
    return costs(through(other, "message" in number), number, other, steps)


def moves(played, name, number, steps, end):
    other = rival(played, name) if name else played
    return costs(in_all(other, end), number, other, steps)


def crosses(played, name, number, steps):
    other = rival(played, name) if name else played
    both = played, rival(played, "two hops"), other
    nodes = next(
        p.recording.structure.members for p in both if hasattr(p.recording.structure, "members")
    )
    return costs(far_messages(other, nodes), number, other, steps)


def switch_adds(played):
    """Whether sums are made nowhere but in switches, and ranks get finished ones."""
    adds = {dst for step in played.steps for _, dst, _, _, adds in step if adds}
    return min(adds) >= played.n and came_down(played)


def node_adds(played, part):
    """Whether ranks of a node send only to its switch, and get a share of the node's sum."""
    gpus, n = played.recording.parameters["gpus"], played.n
    moved = [row for step in played.steps for row in step]
    inside = [row for row in moved if max(row[:2]) < n and row[0] // gpus == row[1] // gpus]
    got = {
        (dst, chunk)
        for k, step in enumerate(played.steps)
        for src, dst, chunk, *_ in step
        if dst < n <= src and len(played.held(k, src, chunk)) == gpus
    }
    return not inside and Fraction(part) == Fraction(1, gpus) == Fraction(
        len(got), n * played.recording.chunk_count
    )


def crosses_in_tree(played, size, steps=None):
    """Whether only ranks of one rail meet across the network, in pairs or in so many steps."""
    gpus, n = played.recording.parameters["gpus"], played.n
    far = [[row for row in step if max(row[:2]) < n] for step in played.steps]
    rails = {(row[0] - row[1]) % gpus for step in far for row in step}
    told = steps is None or int(steps) == sum(map(bool, far))
    most = max(port_parts(played, inside=False))
    return (
        told
        and (steps is None) == (n == 2 * gpus)
        and rails == {0}
        and bytes_of(played, most, size)
    )


def bytes_of(played, part, size):
    """Whether a size is that of such a part of the vector."""
    recording = played.recording
    return named(round(part * recording.count * recording.dtype.itemsize), size)


def at_border(played, size, steps):
    """What each GPU sends to another node in rings through all ranks, as many as a node has."""
    gpus = played.recording.parameters["gpus"]
    chosen = {"channels": gpus, "gpus": gpus}
    ring = record("all_reduce", "ring", ranks=played.n, parameters=chosen)
    carried, _ = across(ring, gpus)
    (sent,) = {Fraction(number, ring.count * ring.dtype.itemsize) for number in carried}
    exact = sent * played.recording.count * played.recording.dtype.itemsize
    named_there = named(floor(exact), size) or named(ceil(exact), size)  # of unequal chunks
    return named_there and int(steps) == len(Played(ring).steps)


def all_share(played, size, alone):
    """Whether every rank sends so much to the rank beside it on the other of two nodes."""
    beside = at_border(played, alone, 2 * (played.n - 1))
    return (
        beside and len({*port_parts(played, inside=False)}) == 1 and crosses_in_tree(played, size)
    )


def trees_of_nodes(played, nodes, ring, steps):
    """Whether trees of so many nodes, and a ring of as many ranks, take these steps."""
    first, second = two_trees(int(nodes))
    taken = max(len(list(tree_all_reduce(tree))) for tree in (first, second))
    beside = record("all_reduce", "ring", ranks=int(nodes)).counters.steps
    return (taken, beside) == (int(steps), int(ring))


def less_inside(played, inside, rings):
    """What the busiest port passes through switches; more leaves it where nodes have rings."""
    gpus = {"gpus": played.recording.parameters["gpus"]}
    nodes = Played(record("all_reduce", "hierarchical", ranks=played.n, parameters=gpus))
    near = [r for step in nodes.steps for r in step if r[0] == 0 and r[1] < gpus["gpus"]]
    ring, own = sum(share(nodes, row[2]) for row in near), max(port_parts(played, inside=True))
    return own < ring and bytes_of(played, own, inside) and bytes_of(played, ring, rings)


def port_parts(played, inside):
    """What passes each port each way through switches, or between nodes."""
    counts = {}
    for step in played.steps:
        for src, dst, chunk, *_ in step:
            for end, rank in enumerate((src, dst)):
                key = max(src, dst) >= played.n, end, rank
                if rank < played.n:
                    counts[key] = counts.get(key, 0) + share(played, chunk)
    return [part for key, part in counts.items() if key[0] == inside]


def copies(played, number, steps):
    """Whether all data comes out of switches, and each rank sends what it has once."""
    sources = {src for step in played.steps for src, dst, *_ in step if dst < played.n}
    alike = len({*in_all(played, 0)}) == 1
    return min(sources) >= played.n and alike and moves(played, "", number, steps, 0)


def no_less(played, number, end, name):
    other = rival(played, name)
    most = max(in_all(played, end))
    return most >= max(in_all(other, end)) and costs([most], number, played, len(played.steps))


def short_of_rank_0(played, number, steps):
    chunks = [row[2] for step in played.steps for row in step if row[0] == 0]
    sent = in_all(played, 0)[0]
    return len(chunks) == len({*chunks}) and costs([sent], number, played, steps)


def swapped_first(played, number, steps):
    groups = played.recording.structure.groups
    home = {rank: number for number, group in enumerate(groups) for rank in group}
    inside = [{home[src] == home[dst] for src, dst, *_ in step} for step in played.steps]
    return inside == [{True}, {False}] and passes(played, "", number, steps)


def root_passes(played, number, steps):
    root = played.recording.root
    own = through(played, messages=True)[root]
    ends = all(root in row[:2] for step in played.steps for row in step)
    return ends and costs([own], number, played, steps)


def straight(played, number, steps):
    return len(played.steps) == 1 and crosses(played, "", number, steps)


def two_hops(played, number, steps, across):
    """Whether one step of two crosses nodes and the other stays inside."""
    nodes = played.recording.structure.members
    home = {rank: number for number, group in enumerate(nodes) for rank in group}
    far = [{home[row[0]] != home[row[1]] for row in step} for step in played.steps]
    own = crosses(played, "", number, steps)
    return own and len(far) == 2 and far[1 - across] == {False} and True in far[across]


def elements(played):
    """By step how many elements leave each port."""
    counts = played.recording.counts
    return [
        [sum(counts[row[2]] for row in step if row[0] == rank) for rank in range(played.n)]
        for step in played.steps
    ]


def empty_chunk(played, chunk):
    return not played.recording.counts[int(chunk)] and all(0 in step for step in elements(played))


def largest_chunks(played, steps, number, equal):
    total, chunks = sum(played.recording.counts), len(played.recording.counts)
    numbers = [
        sum(map(max, elements(played))) / total,
        sum(
            max(sum(row[0] == rank for row in step) for rank in range(played.n))
            for step in played.steps
        )
        / chunks,
    ]
    exact = [f"{figure:.4g}" for figure in numbers]
    return int(steps) == len(played.steps) and exact == [number, equal]


def before(played):
    """By rank the others whose data is in its result: as many messages, from each its own."""
    return [len({*played.held(len(played.steps), rank, 0)} - {rank}) for rank in range(played.n)]


def one_by_one(played, messages="", every=""):
    """Whether each sends on all that is wanted of the next but its own, after it came."""
    links = [{row[:2] for row in step} for step in played.steps]
    sums = [len(played.held(k, *step[0][:3:2])) for k, step in enumerate(played.steps)]
    told = not every or (int(messages), int(every)) == (len(links), sum(before(played)))
    return (
        told and sums == before(played)[1:] and links == [{(k, k + 1)} for k in range(len(links))]
    )


def block_ways(played):
    """By block, which is a rank's chunk, the hops that it makes; it must end where it is for."""
    n = played.n
    at = {(rank, slot): (rank, slot) for rank in range(n) for slot in range(n)}
    ways = {block: [] for block in at}
    for step in played.recording.steps:
        arrived = {}
        for row in rows(step):
            for k in range(row.count):
                block = at[row.src, row.chunk + k]
                arrived[row.dst, row.into + k] = block
                if row.src != row.dst:
                    ways[block].append((row.dst - row.src) % n)
        at.update(arrived)
    assert all(at[dst, n + src] == (src, dst) for src in range(n) for dst in range(n))
    return ways


def hops(played, every, distance, total):
    hops, ways = [int(hop) for hop in total.split(" + ")], block_ways(played)
    alike = all(
        way == hops for (src, to), way in ways.items() if (to - src) % played.n == int(distance)
    )
    made = {hop for way in ways.values() for hop in way}
    return sum(hops) == int(distance) and alike and {*map(int, every.split(", "))} == made


def fewer_steps(played, steps, alone):
    return (int(steps), int(alone)) == (
        len(played.steps),
        len(rival(played, "pairs, step by step").steps),
    )


def hop_again(played, number, blocks):
    ways = [way for (src, to), way in block_ways(played).items() if src == 0 != to]
    return (sum(len(way) > 1 for way in ways), len(ways)) == (int(number), int(blocks))


def just_outside(played, row=""):
    """In each step rank 0 gets its first missing chunks, from the rank whose own comes first."""
    news, n = [], played.n
    for k, step in enumerate(played.steps):
        came = [(src, chunk) for src, dst, chunk, *_ in step if dst == 0]
        lacks = [chunk for chunk in range(n) if not played.held(k, 0, chunk)]
        outside = next(rank for rank in range(n) if not played.held(k, 0, rank))
        if {src for src, _ in came} != {outside} or sorted(c for _, c in came) != lacks[
            : len(came)
        ]:
            return False
        news.append(len(came))
    return not row or news == counts(row)


def queued(played, root):
    """Whether all send to a rank where the data is gathered, or added up, there directly."""
    taken = "reduce" in played.recording.collective.name
    flat = Played(record("reduce" if taken else "gather", "flat", ranks=played.n, root=int(root)))
    links = {row[:2] for step in flat.steps for row in step}
    return links == {(rank, int(root)) for rank in range(played.n)} - {(int(root), int(root))}


def out_again(played, out, every):
    """What a rank takes in of a gather, then sends as copies of all of it: counted in chunks."""
    come, go = (
        Played(record(name, "flat", ranks=played.n, count=played.n))
        for name in ("gather", "broadcast")
    )
    taken = sum(come.recording.bytes_received) // come.recording.dtype.itemsize
    left = go.recording.bytes_sent[0] // go.recording.dtype.itemsize
    return number(out) * (played.n - 1) == left and int(every) == taken + left


def queued_turns(played, turns, steps):
    """Each rank sends its blocks by number as soon as a port takes them, in the order they come."""
    rest = [sorted({*range(played.n)} - {src}) for src in range(played.n)]
    queues = {
        dst: [src for src in range(played.n) if rest[src][0] == dst] for dst in range(played.n)
    }
    took = 0
    while any(rest):
        gone = [queue.pop(0) for _, queue in sorted(queues.items()) if queue]
        for src in sorted(gone):
            rest[src].pop(0)
            if rest[src]:
                queues[rest[src][0]].append(src)
        took += 1
    blocks = sum(src != to for src, to in block_ways(played)) == played.n * (played.n - 1)
    return blocks and took == int(turns) and number(steps) == len(played.steps)


def idle(played, waiting, ranks):
    """Of all ranks one sends and one takes in."""
    left = number(ranks) - len(["sender", "receiver"])
    return (number(waiting), number(ranks)) == (left, played.n)


def whole_queue(played, waiting, root):
    """Whether each message to the root is a whole vector where the data is added up there."""
    flat = Played(record("reduce", "flat", ranks=played.n, root=int(root)))
    sent = {sum(share(flat, chunk) for chunk, _ in step) for port in flat.ports() for step in port}
    return sent - {0} == {1} and only_the_root(played, waiting, root)


def only_the_root(played, waiting, root):
    """Of all ranks but one, which takes them in, a message waits; it alone has the result."""
    taken = "reduce" in played.recording.collective.name
    flat = Played(record("reduce" if taken else "gather", "flat", ranks=played.n, root=int(root)))
    return number(waiting) == played.n - 1 == sum(len(step) for step in flat.steps)


def alike_steps(played, part, count):
    """Whether every port sends such a part of the vector in each of so many steps."""
    sent = {
        sum(share(played, chunk) for chunk, _ in step) for port in played.ports() for step in port
    }
    return sent == {part} and number(count) == len(played.steps)


def near_by_near(played, steps):
    """In how many steps what one rank has, or all have, comes to everybody by neighbors."""
    name = played.recording.collective.name
    one = name in ("broadcast", "scatter")
    scans = (name, "chain") if "scan" in name else None
    way = Played(record(*scans or ("broadcast" if one else "all_gather", "ring"), ranks=played.n))
    links = {row[:2] for step in way.steps for row in step}
    near = {(dst - src) % way.n for src, dst in links} == {1}
    count = len(links) if one else len(way.steps)
    return near and number(steps) == count == played.n - 1


def whole_twice(doubling, count):
    """Whether partners send whole vectors, and know the same after each step."""
    states = knowing(doubling)
    same = all(
        states[k + 1][src] == states[k + 1][dst]
        for k, pairs in enumerate(pairs_of(doubling))
        for src, dst in pairs
    )
    return same and alike_steps(doubling, 1, count)


def halves_shared(played):
    """Whether partners send each other different chunks in each step of the way there."""
    for step in played.steps[: len(there(played))]:
        sent = {}
        for src, dst, chunk, *_ in step:
            sent.setdefault((src, dst), set()).add(chunk)
        if any(chunks & sent.get((dst, src), chunks) for (src, dst), chunks in sent.items()):
            return False
    return True


def meets_below(played):
    """Whether whatever comes in a scan is of the ranks just below those that a rank has."""
    states = knowing(played)
    return all(
        max(states[k][src]) + 1 == min(states[k][dst])
        for k, pairs in enumerate(pairs_of(played))
        for src, dst in pairs
    )


def senders(played, ports, row):
    """How many ranks send in each step."""
    active = [len({src for src, _ in pairs}) for pairs in pairs_of(played)]
    return counts(row) == active and int(ports) == played.n


def news(played):
    """Whether a message brings nothing that its receiver knows, and one as far again would."""
    states, n = knowing(played), played.n
    far = [{(dst - src) % n for src, dst in pairs} for pairs in pairs_of(played)]
    fresh = all(
        not states[k][src] & states[k][dst]
        for k, pairs in enumerate(pairs_of(played))
        for src, dst in pairs
    )
    again_old = all(
        2 * len(states[k][rank - way] & states[k][rank]) == len(states[k][rank - way])
        for k in range(1, len(far))
        for way in far[k - 1]
        for rank in range(n)
    )
    return fresh and again_old and "barrier" in played.recording.collective.name


def dearer(played, number, alone):
    other = rival(played, "pairs, step by step")
    exact = [f"{float(max(in_all(one, 0))):.4g}" for one in (played, other)]
    return exact == [number, alone] and float(number) > float(alone)


def in_one_piece(played, vectors):
    """Each rank of a chain has one before it: the vector crosses a link at a time."""
    links = {(src, dst) for step in played.steps for src, dst, *_ in step}
    ways = {(dst - src) % played.n for src, dst in links}
    return ways in ({1}, {played.n - 1}) and len(links) == int(vectors) == played.n - 1


def cut_saves(played, steps, chunks, cut, whole):
    alike = (len(played.steps), played.recording.chunk_count) == (int(steps), int(chunks))
    return in_one_piece(played, whole) and alike and float(cut) == int(steps) / int(chunks)


def leaves(played, late, comes):
    """When each rank leaves, if one comes late: a step takes 1, and what it waits for."""
    ready = [comes * (rank == late) for rank in range(played.n)]
    for pairs in pairs_of(played):
        start = list(ready)
        for src, dst in pairs:
            start[dst] = max(start[dst], ready[src])
        busy = {rank for pair in pairs for rank in pair}
        ready = [start[rank] + (rank in busy) for rank in range(played.n)]
    return ready


def late_holds_up(played, late):
    return min(leaves(played, int(late), 99)) >= 99 > max(leaves(played, int(late), 0))


def news_spreads(played, steps):
    return max(leaves(played, played.n // 2 + 1, 99)) - 99 == int(steps)


def all_wait(played):
    return all(min(leaves(played, late, 99)) >= 99 for late in range(played.n))


def there_and_back(played):
    return pairs_of(played) == [{(0, 1)}, {(1, 0)}] and played.n == 2


def crosses_cables(played, messages, vectors):
    """Of each step of the way there, how many messages are on a ring's busiest cable; in all."""
    n, part, busiest, most = played.n, Fraction(1, played.recording.chunk_count), Fraction(0), []
    for step in played.steps[: len(played.steps) // 2]:
        ways = {((b - a) % n - n * (2 * ((b - a) % n) > n), a, b) for a, b, *_ in step}
        cables = [(w > 0, at % n) for w, a, _ in ways for at in range(*sorted((a, a + w)))]
        most.append(max(map(cables.count, cables)))
        busiest += most[-1] * part * Fraction(len(step), len(ways))
    return ", ".join(map(str, most)) == messages and float(f"{float(busiest):.4g}") == float(
        vectors
    )


def halves_cables(played, vectors):
    """Whether halving, each step twice as far, has so many vectors on a ring's busiest cable."""
    halving = again(played, played.n, "rabenseifner")
    most = [1 << step for step in range(len(halving.steps) // 2)]
    return crosses_cables(halving, ", ".join(map(str, most)), vectors)


def distances(played):
    """How far apart the partners of each step of the way there are, the shorter way round."""
    pairs = [step[0][:2] for step in played.steps[: len(played.steps) // 2]]
    return [min((b - a) % played.n, (a - b) % played.n) for a, b in pairs]


def split_cables(played, vectors):
    """Whether halving puts so much on a cable where every second opposite message goes back."""
    n, total = played.n, Fraction(0)
    halving = again(played, n, "rabenseifner")
    for step in halving.steps[: len(halving.steps) // 2]:
        links = {(a, b) for a, b, *_ in step}
        ahead = [(a, (b - a) % n) for a, b in links]
        right = [(a, w) for a, w in ahead if 2 * w < n or (2 * w == n and a % 2 == 0)]
        left = [(b, (a - b) % n) for a, b in links if 2 * ((b - a) % n) > n]
        left += [(b, w) for a, b in links for w in [(a - b) % n] if 2 * w == n and a % 2]
        loads = [
            sum((cable - start) % n < way for start, way in side)
            for side in (right, left)
            for cable in range(n)
        ]
        total += max(loads) * Fraction(len(step), len(links) * halving.recording.chunk_count)
    return float(total) == float(vectors)


def ring_cables(played, vectors):
    """Whether a ring has so many vectors on each cable, never two messages, and this has more."""
    ring, own = again(played, played.n, "ring"), [[], []]
    for most, run in zip(own, (ring, played), strict=True):
        for step in run.steps[: len(run.steps) // 2]:
            ways = {
                ((b - a) % run.n - run.n * (2 * ((b - a) % run.n) > run.n), a) for a, b, *_ in step
            }
            cables = [(w > 0, at % run.n) for w, a in ways for at in range(*sorted((a, a + w)))]
            most.append(max(map(cables.count, cables)))
    total = Fraction(len(own[0]), ring.recording.chunk_count)
    return {*own[0]} == {1} and max(own[1]) > 1 and float(total) == float(vectors)


def by_turns(played, reach):
    """Whether all ranks of a step go so far round a ring, rank 0 to the right and left by turns."""
    n, ways = played.n, []
    for step in played.steps[: len(played.steps) // 2]:
        shifts = {(a, (b - a + n // 2) % n - n // 2) for a, b, *_ in step}
        ways.append(dict(shifts)[0])
        if {abs(way) for _, way in shifts} != {abs(ways[-1])}:
            return False
    turns = all(a * b < 0 for a, b in pairwise(ways))
    return turns and ", ".join(str(abs(way)) for way in ways) == reach


def neighbors_summed(played, numbers=None):
    """Whether what rank 0 knows is a row of ranks round the ring, to which a partner adds another.

    Each partner has as many ranks as rank 0, and none of these.
    """
    n, sizes, half = played.n, [], len(played.steps) // 2
    for step, (before, after) in enumerate(pairwise(knowing(played)[: half + 1])):
        (partner,) = {b for a, b, *_ in played.steps[step] if a == 0}
        ends = [rank for rank in after[0] if (rank + 1) % n not in after[0]]
        if before[0] & before[partner] or before[0] | before[partner] != after[0]:
            return False
        if len(before[0]) != len(before[partner]) or len(ends) != (len(after[0]) < n):
            return False
        sizes.append(len(after[0]))
    return numbers is None or counts(numbers) == sizes


def active(played):
    """In how many steps each rank sends."""
    return [sum(map(bool, port)) for port in played.ports()]


def sends(played, rank, vectors):
    """Whether a rank, or every rank, sends so many vectors, and none more."""
    sent = in_all(played, 0)
    ranks = range(played.n) if rank is None else [int(rank)]
    return all(sent[rank] == max(sent) and figure(sent[rank]) == vectors for rank in ranks)


def least_sent(played, vectors, reached):
    recording = played.recording
    least = Fraction(recording.bound.sent, recording.count * recording.dtype.itemsize)
    return figure(least) == vectors and (least == max(in_all(played, 0))) == reached


def in_turn(played, vectors):
    sides = zip(port_counts(played, 0), port_counts(played, 1), strict=True)
    return figure(sum(max(*out, *back) for out, back in sides)) == vectors


def figure(value):
    return f"{float(value):.4g}"


MUCH, STEPS = r"(\S+ (?:vectors?|messages?))", r"(\d+) steps?"
TIMES, ROW = r"(doubles|triples|multiplies by \d+)", r"([\d, ]+)"
CLAIMS = {
    r"The first chunk needs (\w+) steps to reach the end of the chain\.": first_chunk,
    r"The first micro-batch passes all stages in (\w+) steps\.": first_chunk,
    r"In one piece, it crosses one link at a time: (\d+) vectors' time\.": in_one_piece,
    r"A whole batch crosses one link at a time: (\d+) batches' time\.": in_one_piece,
    r"(\d+) steps of 1/(\d+) each take (\S+) vectors' time, instead of (\d+)\.": cut_saves,
    r"Rank (\d+) comes late: who needs its news waits, step after step\.": late_holds_up,
    rf"Once it is there, its news reaches everybody in {STEPS}\.": news_spreads,
    r"Nobody left before the last one came: that is what a barrier promises\.": all_wait,
    r"To compute a cell, a rank needs the cells around it\.": both_neighbors,
    r"At its border one of them belongs to a neighbor: a copy must come\.": both_neighbors,
    r"Two clocks never agree: rank 0 times both ways with its own\.": there_and_back,
    r"Half of that is one message: its latency, and then its bytes\.": there_and_back,
    r"With fewer and fewer bytes, only the latency is left\.": there_and_back,
    rf"On a ring of cables, halving has partners at distances {ROW}\.": (
        lambda played, reach: distances(again(played, played.n, "rabenseifner")) == counts(reach)
    ),
    r"Even with half of the last ones to the left, it is (\S+)\.": split_cables,
    r"Yet some messages still share a cable; in a ring, none: (\S+) vectors\.": ring_cables,
    rf"Halving puts {ROW} messages on one cable: (\S+) vectors\.": (
        lambda played, *claim: crosses_cables(again(played, played.n, "rabenseifner"), *claim)
    ),
    rf"Swinging right and left, rank 0 adds up {ROW} neighboring ranks\.": neighbors_summed,
    rf"Each partner holds the next ranks, none twice: distances {ROW}\.": (
        lambda played, reach: by_turns(played, reach) and neighbors_summed(played)
    ),
    rf"So a cable carries only {ROW} messages: (\S+), not (\S+) vectors\.": (
        lambda played, messages, total, halving: (
            crosses_cables(played, messages, total) and halves_cables(played, halving)
        )
    ),
    r"(\w+) more follow, each one step behind: together (\d+) steps\.": one_behind,
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
    r"(\d+) waves follow each other: (\d+) steps, with messages 1/(\d+) as long\.": several_waves,
    r"(\d+) steps fill the (?:trees|switches); then each step ends a wave\.": waves_fill,
    r"More waves, less filling: with (\d+), it is (\d+) of (\d+) steps\.": more_waves,
    r"Rank (\d+) is a leaf up here, and an inner node down there\.": leaf_and_inner,
    r"Hard work here, light work there: (.+) instead of (.+)\.": evened,
    r"One ring squeezes (.+) through one of (\d+) cables\.": one_ring,
    r"In (\d+) rings, or channels, each crosses at another GPU: (.+) a cable\.": ring_on_each,
    r"Most chunks cross it twice: as a partial sum, then finished\.": most_cross_twice,
    r"But inside and network take turns here; the (\d+) rings use both at once\.": takes_turns,
    r"First add inside, and share (.+) per GPU: a cable carries (.+)\.": own_share,
    r"Add inside first: between two nodes each (.+) crosses once: (.+)\.": own_share_once,
    r"Each step sends half of what the one before sent\.": each_half,
    r"Partners share what is left, so each step sends half as much\.": (
        lambda played: each_half(played) and halves_shared(played)
    ),
    r"Each step sends twice what the one before sent\.": each_twice,
    r"Doubling sends whole vectors, and both partners add the same: (\w+) vectors\.": (
        lambda played, count: whole_twice(again(played, played.n, "recursive_doubling"), count)
    ),
    r"A ring that snakes through the torus takes (\w+) steps, each a latency\.": (
        lambda played, count: (
            number(count) == len(again(played, played.n, "ring").steps)
            and any(side % 2 == 0 for side in played.recording.structure.shape)
        )
    ),
    r"A ring sends (\S+) in each step: (\w+) steps, each a latency\.": (
        lambda played, part, count: alike_steps(
            again(played, played.n, "ring"), Fraction(part), count
        )
    ),
    r"Together that is all of the vector but (.+)\.": all_but,
    r"(.+); then only (\S+) are still missing\.": (
        lambda played, runs, last: (
            runs_of(played, f"{runs}, {last}")
            and sum(there(played)) == 1 - Fraction(1, played.n)
            and there(played)[-1] < 2 * there(played)[-2]
        )
    ),
    r"Together (\S+), as a ring sends, but in (\w+) steps instead of (\w+)\.": (
        lambda played, part, steps, ring: (
            [sum(parts_of(p)) for p in (played, again(played, played.n, "ring"))]
            == [Fraction(part)] * 2
            and number(steps) == len(played.steps)
            and number(ring) == len(again(played, played.n, "ring").steps)
        )
    ),
    r"And the same on the way back: (\d+) steps, where a ring takes (\d+)\.": and_back,
    r"If the switch only forwards, every rank collects (\w+) pieces to add\.": two_shot_pieces,
    r"Then its sum goes to (\w+) others: (\S+) vectors each way\.": two_shot_pieces,
    r"Now each sends its vector once, and pieces are added where they meet\.": met_in_switch,
    r"Add up inside nodes first, and each GPU keeps only (\S+)\.": node_adds,
    r"Say sums run round (\d+) rings over all GPUs; here is one\.": (
        lambda played, rings: int(rings) == played.recording.parameters["gpus"]
    ),
    r"Each GPU then sends (.+) over the network, in (\d+) steps\.": at_border,
    r"Between two nodes, only this crosses: (.+) a GPU, not (.+)\.": all_share,
    r"This crosses in (\d+) steps, up a tree of nodes and down: (.+)\.": (
        lambda played, steps, size: crosses_in_tree(played, size, steps)
    ),
    r"Between (\d+) nodes a ring takes (\d+) steps, a tree only (\d+)\.": trees_of_nodes,
    r"The switch adds: (.+) on NVLink; a ring inside a node, (.+)\.": less_inside,
    r"Each sends a vector up, and (\S+) more: its finished part, for all\.": (
        lambda played, part: (
            finished_again(played, part)
            and {*in_all(played, 0)[: played.n]} == {1 + Fraction(part)}
        )
    ),
    r"Cut fine, sums come down meanwhile: each way (\S+) instead of (\S+)\.": (
        lambda played, *parts: came_down(played) and vectors(played, *parts)
    ),
    r"(\w+) steps: every port sends a sum that grows\.": sums_grow,
    r"(\w+) steps: first its own chunk, then the one that just came in\.": chunks_pass,
    r"(\w+) steps: in each, every rank takes in one more chunk\.": chunks_come,
    r"Each rank lacks (\w+) chunks, and just (\w+) come in\.": (
        lambda played, lacks, come: number(lacks) == number(come) and chunks_come(played, come)
    ),
    r"(\w+) sums are made elsewhere, and just (\w+) chunks leave each rank\.": (
        lambda played, sums, leave: (
            number(sums) == number(leave) == played.n - 1
            and {sum(map(len, port)) for port in played.ports()} == {number(leave)}
        )
    ),
    r"(\w+) more steps: every port sends a finished sum\.": finished_sums,
    r"Every port sends in every step, and never the same thing twice\.": never_twice,
    r"Could anybody send less\? Cover the others, and look at one rank\.": true_of_all,
    r"Its pieces must go out once, unless the sum is made here\.": bound_leaves,
    r"No piece is a finished sum: those must come in as well\.": bound_comes,
    rf"Each step {TIMES} how many ranks have it(, until all do)?: {ROW}\.": (
        lambda played, verb, until, row: grows(played, verb, row, holders, until)
    ),
    rf"Each step {TIMES} what every rank knows(, until that is all)?: {ROW}\.": (
        lambda played, verb, until, row: grows(played, verb, row, every, until)
    ),
    rf"Each step {TIMES} what one rank can know(, up to all)?: {ROW}\.": (
        lambda played, verb, until, row: grows(played, verb, row, most, until)
    ),
    rf"Each step halves the sums that are left: {ROW}\.": halving,
    rf"Each step leaves fewer sums: {ROW}\.": summing,
    rf"And back down, more and more ranks have the result: {ROW}\.": back_down,
    r"No step can do more: each rank hears from only (?:one other|(\d+) others)\.": (
        lambda played, others: heard_from(played, others or "one")
    ),
    r"If a rank sends to only one other, no step reaches more ranks\.": (
        lambda played: told(played, "one")
    ),
    r"No step can do more: each rank tells only (?:one other|(\d+) others)\.": (
        lambda played, others: told(played, others or "one")
    ),
    r"(\w+) doublings reach (\d+) ranks; (\w+) reach a thousand\.": (
        lambda *claim: reaches(*claim, factor=2)
    ),
    r"(\w+) such steps reach (\d+) ranks; (\w+) reach a thousand\.": reaches,
    r"For all: (\w+) sends on (\w+) ports: (\w+) each, or somebody does more\.": (bound_all),
    r"In each step, no two send to the same rank: no port has a queue\.": matching,
    r"In one step every rank sends to all (\w+) others\.": to_all,
    r"(\w+) others, one in each step: after (\w+) steps all pairs have met\.": (
        lambda played, others, steps: others.lower() == steps and met_once(played, steps)
    ),
    r"Then each rank sends its finished sum to all (\w+) others\.": finished_to_all,
    r"(\d+) of (\d+) blocks leave each port: all but its own\.": all_but_own,
    r"(\d+) of (\d+) chunks come into each port: all but its own\.": (
        lambda played, *counted: all_but_own(played, *counted, 1, "all_gather")
    ),
    r"(\d+) of (\d+) chunks leave each port: all but those summed here\.": (
        lambda played, *counted: all_but_own(played, *counted, 0, "reduce_scatter")
    ),
    r"(\d+) chunks leave each port, each 1/(\d+) of a vector\.": chunks_leave,
    r"As many bytes as the ring, in (\w+) steps instead of (\d+)\.": as_the_ring,
    r"One-shot sends whole vectors to all in one step: (\S+) pass a port\.": (
        lambda played, vectors: shots(again(played, played.n, "flat"), 1, vectors)
    ),
    r"Two-shot sums first: in two steps, only (\S+) vectors pass a port\.": (
        lambda played, vectors: shots(played, 2, vectors)
    ),
    r"So each port sends (\d+) whole vectors: the more ranks, the more\.": whole_vectors,
    r"(\w+) vectors come in, then (\w+) go out: (\d+) in turn through one port\.": in_then_out,
    r"The port of (\w+ \d+) passes (\S+) vectors in turn; others (\S+)\.": (
        lambda played, node, most, others: queue(played, most, others, node=node)
    ),
    r"Each of (\d+ \w+) passes (\S+) vectors in turn; other ports (\S+)\.": queues,
    r"Twice the ranks, a longer queue: (\d+) ranks make it (\S+)\.": longer_queue,
    r"(\S+) vectors pass one port in turn; with (\d+) servers, only (\S+)\.": (
        lambda played, most, servers, less: (
            max(passed(played)) == float(most) and shared_out(played, servers, played.n, less)
        )
    ),
    r"The way out: (\d+) servers each add up 1/(\d+) and send it back\.": (
        lambda played, servers, parts: shared_out(played, servers, parts, 2)
    ),
    r"So no port passes more than (\S+) vectors\.": (
        lambda played, most: max(passed(played)) == float(most)
    ),
    r"Down a tree, a port passes the whole vector up to (\S+) times\.": (
        lambda played, most: tree_port(played, most, "broadcast")
    ),
    r"Up a tree, one port takes in the whole vector (\S+) times\.": (
        lambda played, most: tree_port(played, most, "reduce")
    ),
    r"Cut into (\d+) chunks, no port passes more than (\S+) vectors\.": cut_port,
    r"Rank (\d+) deals (\S+), then sends (\S+); in and out count once\.": dealt_and_on,
    r"With (\d+) ranks it is (\S+) vectors; down a tree, (\S+)\.": of_many,
    rf"Each step, whoever holds chunks passes on half: {ROW}\.": dealt,
    r"Each rank sends (.+) of the vector\.": runs_of,
    r"The first chunk passes all levels in (\w+) steps\.": levels_passed,
    r"Bruck begins near, with one chunk, and then two\.": (
        lambda played: begins(played, "bruck", far=False)
    ),
    r"With two switches, its largest messages go farthest: (\S+) vectors pass\.": (
        lambda played, total: begins(played, "bruck", far=False, total=total)
    ),
    r"PAT begins far, while everybody has only one chunk\.": (
        lambda played: begins(played, "pat", far=True)
    ),
    r"Its largest messages mostly stay near: only (\S+) vectors pass\.": (
        lambda played, total: begins(played, "pat", far=True, total=total)
    ),
    rf"In PAT, chunk (\d+) goes far, then near: {ROW} ranks\.": own_tree,
    r"Each of the others comes down its own tree at the same time\.": own_tree,
    r"Its two edges are its chunks; beside them is room for two copies\.": both_neighbors,
    r"The larger the block, the less of it is sent: 1/2, 1/4, 1/8\.": both_neighbors,
    r"Double a block's side: four times the cells, but only twice the border\.": both_neighbors,
    rf"With (.+), a port sends {MUCH} in {STEPS}\.": (lambda *claim: moves(*claim, 0)),
    rf"With (.+), a port takes in {MUCH} in {STEPS}\.": (lambda *claim: moves(*claim, 1)),
    rf"With (.+), the busiest port passes {MUCH} in {STEPS}\.": passes,
    rf"With (.+), a rank sends up to {MUCH} to other nodes in {STEPS}\.": crosses,
    rf"Here the switch copies: each port sends {MUCH}, in {STEPS}\.": copies,
    rf"Here the switch adds: each port takes in {MUCH}, in {STEPS}\.": (
        lambda played, *much: switch_adds(played) and moves(played, "", *much, 1)
    ),
    rf"But no less must come in: {MUCH}\.": (
        lambda played, much: no_less(
            played, much, 1, "a ring" if played.recording.chunk_count > 1 else "all sending to all"
        )
    ),
    rf"But no less must go out: {MUCH}\.": (
        lambda played, much: no_less(played, much, 0, "a ring")
    ),
    rf"Here only {STEPS}, but the busiest port passes {MUCH}\.": (
        lambda played, steps, much: (
            passes(played, "", much, steps)
            and len(rival(played, "a ring").steps) > int(steps)
            and max(through(rival(played, "a ring"))) < max(through(played))
        )
    ),
    r"Chunk (\d+) is empty: in each step some port sends nothing\.": empty_chunk,
    r"In each step some port sends more than others\.": (
        lambda played: all(max(step) > min(step) for step in elements(played))
    ),
    r"But a step ends only when its largest chunk has arrived\.": (
        lambda played: len({*played.recording.counts}) > 1
    ),
    rf"So {STEPS} take (\S+) vectors, where equal chunks take (\S+)\.": largest_chunks,
    rf"Here rank 0 sends each chunk once: {MUCH}, in {STEPS}\.": short_of_rank_0,
    rf"Here ranks of a node swap first: {MUCH} a port, in {STEPS}\.": swapped_first,
    rf"Here the root passes all of them: {MUCH}, in {STEPS}\.": root_passes,
    rf"Here everything goes straight: up to {MUCH} to other nodes, in {STEPS}\.": straight,
    rf"Here tokens cross once, then are copied: up to {MUCH}, in {STEPS}\.": (
        lambda *claim: two_hops(*claim, 0)
    ),
    rf"Here results are added first, then cross: up to {MUCH}, in {STEPS}\.": (
        lambda *claim: two_hops(*claim, 1)
    ),
    r"Suppose each rank asks all before it: rank (\d+) alone takes in (\w+) messages\.": (
        lambda played, rank, count: (
            before(played)[int(rank)] == max(before(played)) == number(count)
        )
    ),
    r"Together (\d+) messages, and the same data is added again and again\.": (
        lambda played, every: sum(before(played)) == int(every)
    ),
    r"The rank before has that sum already: one message, and one addition\.": one_by_one,
    r"So (\d+) messages instead of (\d+); but each waits for the one before\.": one_by_one,
    rf"Sent straight, blocks leave one by one: {STEPS}, each a latency\.": (
        lambda played, steps: alike_steps(
            again(played, played.n, "pairwise"), Fraction(1, played.n), steps
        )
    ),
    r"Every distance is a sum of hops of ([\d, ]+): (\d+) = ([\d +]+)\.": hops,
    r"(\d+) steps: what left each port, and whose data was in it\.": (
        lambda played, steps: int(steps) == len(played.steps)
    ),
    r"Every port sends in (\d+) of (\d+) steps\.": (
        lambda played, count, steps: (
            {*active(played)} == {int(count)} and int(steps) == len(played.steps)
        )
    ),
    r"Rank (\d+) sends in only (\d+) of (\d+) steps\.": (
        lambda played, rank, count, steps: (
            min(active(played)) == active(played)[int(rank)] == int(count) > 0
            and int(steps) == len(played.steps)
        )
    ),
    r"Rank (\d+) never sends\.": (lambda played, rank: not active(played)[int(rank)]),
    r"Each port sends the same: (\S+) vectors?\.": (
        lambda played, vectors: sends(played, None, vectors)
    ),
    r"Rank (\d+) sends most: (\S+) vectors?\.": sends,
    r"No schedule can do with less than (\S+)\.": (
        lambda played, vectors: least_sent(played, vectors, True)
    ),
    r"The least that the busiest could send is (\S+)\.": (
        lambda played, vectors: least_sent(played, vectors, False)
    ),
    r"But each step waits for its busiest port: together (\S+) vectors?\.": in_turn,
    r"Blocks with the same hop share a message: (\d+) messages instead of (\d+)\.": fewer_steps,
    r"(\d+) of (\d+) blocks hop more than once, and each hop sends them again\.": hop_again,
    r"The price: each port sends (\S+) vectors, instead of (\S+)\.": dearer,
    r"From neighbor to neighbor, it takes (\w+) steps, each with a latency\.": near_by_near,
    r"From neighbor to neighbor, it takes (\w+) steps, and a whole vector in each\.": (
        lambda played, steps: near_by_near(played, steps) and played.recording.chunk_count == 1
    ),
    r"From neighbor to neighbor, whole vectors are passed on and added: (\w+) steps\.": (
        lambda played, steps: (
            near_by_near(played, steps)
            and played.recording.chunk_count == 1
            and played.recording.collective.reduces
        )
    ),
    r"What arrives ends where one's own sum begins: nothing is counted twice\.": meets_below,
    rf"But of (\d+) ports, only {ROW} send\.": senders,
    r"As far again would bring half old news; twice as far, all is new\.": news,
    r"The obvious way: everybody sends to rank (\d+)\.": queued,
    r"Suppose that everybody sends to rank (\d+) first\.": queued,
    r"But (\w+) messages queue at its port, and only rank (\d+) has it all\.": only_the_root,
    r"The owner of the first missing chunk already has the next ones\.": just_outside,
    rf"So each step goes twice as far, and brings {ROW}\.": lambda played, row: (
        just_outside(played, row)
        and all(
            (src - dst) % played.n == 2**k
            for k, step in enumerate(played.steps)
            for src, dst, *_ in step
        )
    ),
    r"Then it sends all (\w+) to each: (\d+) chunks pass one port\.": out_again,
    r"Whoever has sent goes on; still it takes (\d+) turns, not (\w+)\.": queued_turns,
    r"But its port takes one at a time: (\w+) of (\w+) ranks must wait\.": idle,
    r"But (\w+) whole vectors queue at its port: only rank (\d+) has the sum\.": whole_queue,
    r"But its port takes one at a time: (\w+) of (\w+) ranks stand idle\.": idle,
    r"(\d+) sends in (\d+) steps, and never the same thing twice\.": (
        lambda played, sends, steps: (
            never_twice(played) and int(sends) == int(steps) == len(played.steps)
        )
    ),
    r"Not one port but all (\w+) send in every step, to neighbors: (\S+) vectors\.": (
        lambda played, count, vectors: (
            never_twice(played)
            and number(count) == played.n
            and f"{float(max(passed(played))):.3g}" == vectors
        )
    ),
}


PAIRS = {  # of another recording, which the sentence before names
    r"The way out: (\d+) servers .* send it back\. So no port passes more than (\S+) vectors\.": (
        lambda played, servers, most: shared_out(played, servers, servers, most)
    ),
}


def is_true(played, said, before=""):
    """Whether a sentence holds after another one; None where nobody knows what it claims."""
    for claims, text in ((PAIRS, f"{before} {said}"), (CLAIMS, said)):
        for pattern, claim in claims.items():
            if found := re.fullmatch(pattern, text):
                return claim(played, *found.groups())
    return None
