"""A recording as the plain interpreter executes it, and what several claims count in it."""

from __future__ import annotations

from fractions import Fraction

from interpreter import rows, start, states

from collectives import record
from collectives.units import size_text

NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
MUCH, STEPS = r"(\S+ (?:vectors?|messages?))", r"(\d+) steps?"
TIMES, ROW = r"(doubles|triples|multiplies by \d+)", r"([\d, ]+)"
RIVALS = {
    "a ring": "ring",
    "a tree": "tree",
    "all sending to all": "flat",
    "pairs, step by step": "pairwise",
    "dissemination": "dissemination",
    "recursive doubling": "recursive_doubling",
    "direct sends": "direct",
    "two hops": "two-hop",
}


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


def named(count, size):
    return size in (size_text(count, binary=True), size_text(count))


def flat_ring(played):
    count = played.recording.count
    return record("all_reduce", "ring", ranks=played.n, count=count)


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


def pairs_of(played, first=0, last=None):
    """Which rank sends to which, step by step, once each."""
    return [{(src, dst) for src, dst, *_ in step} for step in played.steps[first:last]]


def everybody(n):
    return {(a, b) for a in range(n) for b in range(n) if a != b}


def sent_rows(played):
    return [
        sum(row[0] == rank for step in played.steps for row in step) for rank in range(played.n)
    ]


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


def moves(played, name, number, steps, end):
    other = rival(played, name) if name else played
    return costs(in_all(other, end), number, other, steps)


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


def figure(value):
    return f"{float(value):.4g}"
