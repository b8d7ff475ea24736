"""What whys say, computed anew from steps that the plain interpreter has executed."""

from __future__ import annotations

import re
from itertools import pairwise

from interpreter import rows, start, states

from collectives import record
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


def bound_all(played, each):
    """All chunks but one piece each, and all sums but one each, dealt out to all ports."""
    needed = 2 * (played.n - 1) * played.recording.chunk_count
    return needed == number(each) * played.n and played.recording.collective.name == "all_reduce"


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


def ring_on_each(played, size):
    gpus = gpus_of(played)
    return named(sum(across(flat_ring(played), gpus)[0][:gpus]) // gpus, size)


def own_share(played, part, size):
    gpus = gpus_of(played)
    carried, _ = across(played.recording, gpus)
    return part == f"1/{gpus}" and len({*carried}) == 1 and named(carried[0], size)


def waits(played, own, ring):
    gpus = gpus_of(played)
    counted = across(played.recording, gpus)[1], across(flat_ring(played), gpus)[1]
    return counted == (int(own), int(ring))


def parts_of(played):
    """By step what leaves each port, as a part of the vector; the same for all ports."""
    unit, found = played.n / played.recording.chunk_count, []
    for k in range(len(played.steps)):
        sizes = {
            len({(d, c) for s, d, c, *_ in played.steps[k] if s == r}) for r in range(played.n)
        }
        assert len(sizes) == 1
        found.append(sizes.pop() * unit / played.n)
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
    return sum(there(played)) == 1 - 1 / int(last.partition("/")[2])


def and_back(played, steps, ring):
    parts = parts_of(played)
    flat = record("all_reduce", "ring", ranks=played.n)
    return parts == parts[::-1] and (len(parts), len(flat.steps)) == (int(steps), int(ring))


def met_in_switch(played, ranks, levels=1):
    """Each rank sends each chunk up once with its own data; sums are made in switches."""
    inner = [
        (src, chunk)
        for k, step in enumerate(played.steps)
        for src, _, chunk, *_ in step
        if src < played.n and played.held(k, src, chunk) == {src}
    ]
    adds = {dst for step in played.steps for _, dst, _, _, adds in step if adds}
    depth, node = 0, 0
    while (node := played.recording.structure.parent[node]) >= 0:
        depth += 1
    return (
        len(inner) == len({*inner}) == played.n * played.recording.chunk_count
        and all(dst >= played.n for dst in adds)
        and (int(ranks), int(levels)) == (played.n, depth)
    )


def came_down(played, relay):
    """Whether ranks get finished sums only, and whether they send such."""
    got = {
        len(played.held(k, src, chunk))
        for k, step in enumerate(played.steps)
        for src, dst, chunk, *_ in step
        if dst < played.n
    }
    sent = {
        len(played.held(k, src, chunk))
        for k, step in enumerate(played.steps)
        for src, _, chunk, *_ in step
        if src < played.n
    }
    return got == {played.n} and (played.n in sent) == relay


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


TIMES, ROW = r"(doubles|triples|multiplies by \d+)", r"([\d, ]+)"
CLAIMS = {
    r"The first chunk needs (\w+) steps to reach the end of the chain\.": first_chunk,
    r"(\w+) more follow, each one step behind: together (\d+) steps\.": one_behind,
    r"In one tree, (\d+) of (\d+) ranks do most of the work\.": one_tree,
    r"Rank (\d+) is a leaf up here, and an inner node down there\.": leaf_and_inner,
    r"Hard work here, light work there: (.+) instead of (.+)\.": evened,
    r"One ring squeezes (.+) through one of (\d+) cables\.": one_ring,
    r"With a ring on each GPU, every cable carries (.+)\.": ring_on_each,
    r"First add up inside: then each GPU takes (.+) across, (.+)\.": own_share,
    r"And only (\d+) steps wait for the network, instead of (\d+)\.": waits,
    r"Each step sends half of what the one before sent\.": each_half,
    r"Each step sends twice what the one before sent\.": each_twice,
    r"Together that is all of the vector but (.+)\.": all_but,
    r"And the same on the way back: (\d+) steps, where a ring takes (\d+)\.": and_back,
    r"All (\d+) send a chunk once, and the switch adds what meets there\.": met_in_switch,
    r"All (\d+) send a chunk once; switches on (\d+) levels add what meets\.": met_in_switch,
    r"One finished sum comes down, and is copied to all\.": (
        lambda played: came_down(played, relay=False)
    ),
    r"One rank gets the sum, sends it up again, and the switch copies it\.": (
        lambda played: came_down(played, relay=True)
    ),
    r"So each port carries (.+) vectors, where it would be (.+)\.": vectors,
    r"So each port carries one vector, where it would be (.+)\.": (
        lambda played, alone: vectors(played, "1", alone)
    ),
    r"(\w+) steps: every port sends a sum that grows by one each time\.": sums_grow,
    r"(\w+) steps: every port passes on the chunk that just came in\.": chunks_pass,
    r"(\w+) more steps: every port sends a finished sum\.": finished_sums,
    r"Every port sends in every step, and never the same thing twice\.": never_twice,
    r"Could anybody send less\? Cover the others, and look at one rank\.": true_of_all,
    r"Its pieces must go out once, unless the sum is made here\.": bound_leaves,
    r"And the finished sums must come in once\.": true_of_all,
    rf"Each step {TIMES} how many ranks have it(, until all do)?: {ROW}\.": (
        lambda played, verb, until, row: grows(played, verb, row, holders, until)
    ),
    rf"Each step {TIMES} what every rank has(, until that is all)?: {ROW}\.": (
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
    r"(\w+) doublings reach (\d+) ranks; (\w+) reach a thousand\.": (
        lambda *claim: reaches(*claim, factor=2)
    ),
    r"(\w+) such steps reach (\d+) ranks; (\w+) reach a thousand\.": reaches,
    r"The same is true of everybody: (\w+) sends each, or somebody does more\.": bound_all,
}


def is_true(played, said):
    """Whether a sentence holds; None where nobody knows what it claims."""
    for pattern, claim in CLAIMS.items():
        if found := re.fullmatch(pattern, said):
            return claim(played, *found.groups())
    return None
