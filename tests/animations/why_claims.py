"""What whys say, computed anew from steps that the plain interpreter has executed."""

from __future__ import annotations

import re
from itertools import pairwise

from interpreter import rows, start, states

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


TIMES, ROW = r"(doubles|triples|multiplies by \d+)", r"([\d, ]+)"
CLAIMS = {
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
