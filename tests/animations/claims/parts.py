"""Claims of what part of the vector each step sends, halved, doubled or alike."""

from __future__ import annotations

import re
from collections import Counter
from fractions import Fraction
from itertools import pairwise

from claims.executed import (
    ROW,
    STEPS,
    Played,
    again,
    counts,
    knowing,
    number,
    pairs_of,
    parts_of,
    share,
    there,
)
from collectives import record


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


def around_loops(played, sizes, loops, ranks, lap):
    """Whether steps each way are those of rings along the sides of a grid, and of one ring."""
    shape = [side for side in played.recording.structure.shape if side > 1]
    flat = record("all_reduce", "ring", ranks=played.n)
    return (
        {*map(int, re.findall(r"\d+", sizes))} == {*shape}
        and sorted(map(int, loops.split(" + "))) == sorted(side - 1 for side in shape)
        and 2 * sum(side - 1 for side in shape) == len(played.steps)
        and 2 * int(lap) == len(flat.steps)
        and int(ranks) == played.n
    )


def dealt(played, row):
    """The most chunks that any rank passes on in each step: half of what it has still."""
    left = {(src, chunk) for src, chunk in played.states[0]}
    most = []
    for step in [[], *played.steps]:
        for src, dst, chunk, into, _ in step:
            left -= {(src, chunk)}
            left |= {(dst, into)}
        most.append(max(sum(rank == node for node, _ in left) for rank in range(played.n)))
    sent = [max(Counter(src for src, *_ in step).values()) for step in played.steps]
    return sent == counts(row) and all(b == -(-a // 2) for a, b in pairwise(most))


def runs_of(played, text):
    """So many times each part, in this order."""
    parts = [
        Fraction(part)
        for count, part in re.findall(r"(?:(\d+) times )?(\d+/\d+)", text)
        for _ in range(int(count or 1))
    ]
    return parts == there(played)


def alike_steps(played, part, count):
    """Whether every port sends such a part of the vector in each of so many steps."""
    sent = {
        sum(share(played, chunk) for chunk, _ in step) for port in played.ports() for step in port
    }
    return sent == {part} and number(count) == len(played.steps)


def near_by_near(played, steps):
    """In how many steps what one rank has, or all have, comes to everybody by neighbors."""
    name = played.recording.collective.name
    one = name == "broadcast"
    scans = (name, "chain") if "scan" in name else None
    way = Played(record(*scans or ("broadcast" if one else "all_gather", "ring"), ranks=played.n))
    links = {row[:2] for step in way.steps for row in step}
    near = {(dst - src) % way.n for src, dst in links} == {1}
    count = len(links) if one else len(way.steps)
    return near and number(steps) == count == played.n - 1


def straight(played, steps):
    """In how many steps the root sends each its chunk, if each message takes one."""
    flat, root = again(played, played.n, "flat"), played.recording.root
    sent = [row for step in flat.steps for row in step]
    return {row[0] for row in sent} == {root} and len(sent) == number(steps)


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


CLAIMS = {
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
    r"Each rank sends (\S+), as in a ring, but in (\w+) steps, not (\w+)\.": (
        lambda played, part, steps, ring: (
            [sum(parts_of(p)) for p in (played, again(played, played.n, "ring"))]
            == [Fraction(part)] * 2
            and number(steps) == len(played.steps)
            and number(ring) == len(again(played, played.n, "ring").steps)
        )
    ),
    r"There and back, it takes (\d+) steps, where a ring takes (\d+)\.": and_back,
    r"Each way, loops of (.+) take (.+) steps; one of (\d+), (\d+)\.": around_loops,
    rf"Each step, whoever holds chunks passes on half: {ROW}\.": dealt,
    r"Each rank sends (.+) of the vector\.": runs_of,
    rf"Sent straight, blocks leave one by one: {STEPS}, each a latency\.": (
        lambda played, steps: alike_steps(
            again(played, played.n, "pairwise"), Fraction(1, played.n), steps
        )
    ),
    r"If the root sends each chunk itself, one by one, it takes (\w+) steps\.": straight,
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
}
