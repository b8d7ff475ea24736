"""Reads and executes the steps that exercises print, with dictionaries alone."""

import re
from collections import Counter

TRANSFER = re.compile(r"(\d+)→(\d+) ([+=])([\d,-]+)")


def chunks_of(text):
    """The numbers of `0-2,5`."""
    for part in text.split(","):
        first, _, last = part.partition("-")
        yield from range(int(first), int(last or first) + 1)


def parsed(lines):
    """Printed steps as lists of (source, destination, chunk, adds)."""
    return [
        [
            (int(source), int(target), chunk, sign == "+")
            for source, target, sign, chunks in TRANSFER.findall(line)
            for chunk in chunks_of(chunks)
        ]
        for line in lines
    ]


def executed(steps, start):
    """What each (rank, chunk) has after steps, by dictionaries alone; all reads come first."""
    held = dict(start)
    for step in steps:
        moved = [(target, chunk, adds, held[source, chunk]) for source, target, chunk, adds in step]
        for target, chunk, adds, data in moved:
            here = held.get((target, chunk))
            held[target, chunk] = here + data if adds and here is not None else data
    return held


def everybodys(problem, steps):
    """The start of an all-reduce: every rank has its own part of every chunk."""
    ranks = int(re.search(r"on (\d+) ranks", problem.title)[1])
    chunks = {chunk for step in steps for _, _, chunk, _ in step}
    return {
        (rank, chunk): Counter({(rank, chunk): 1}) for rank in range(ranks) for chunk in chunks
    }, ranks


def the_roots(problem, steps):
    """The start of a broadcast: the root has all chunks."""
    ranks, root = map(int, re.search(r"on (\d+) ranks with root (\d+)", problem.title).groups())
    chunks = {chunk for step in steps for _, _, chunk, _ in step}
    return {(root, chunk): Counter({(root, chunk): 1}) for chunk in chunks}, ranks


def is_wrong(steps, start, ranks):
    """Whether some rank ends without what it is promised, or a step sends what is not there."""
    try:
        held = executed(steps, start)
    except KeyError:
        return True
    roots = {rank for rank, _ in start}
    wanted = {chunk: Counter({(rank, chunk): 1 for rank in roots}) for _, chunk in start}
    places = {(rank, chunk) for rank in range(ranks) for chunk in wanted}
    return any(held.get(place) != wanted[place[1]] for place in places)


def wrong_ranks(held, ranks):
    wanted = {chunk: Counter({(rank, chunk): 1 for rank in range(ranks)}) for _, chunk in held}
    return {rank for (rank, chunk), data in held.items() if data != wanted[chunk]}
