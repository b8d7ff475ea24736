"""Claims of ranks that all send to each other, and blocks that hop."""

from __future__ import annotations

from claims.executed import (
    again,
    block_ways,
    everybody,
    figure,
    in_all,
    number,
    pairs_of,
    rival,
    sent_rows,
)
from collectives.cost.choose.setup import resized
from collectives.cost.clocks.clock import lockstep
from collectives.cost.machines.usual import usual_machine


def chunks_leave(played, pieces, part):
    ports = [
        sum(row[0] == rank for step in played.steps for row in step) for rank in range(played.n)
    ]
    return {*ports} == {int(pieces)} and {row[2] for step in played.steps for row in step} == {
        *range(int(part))
    }


def matching(played):
    """In every step each rank sends to one rank, and no two send to the same."""
    return all(
        sorted(src for src, _ in pairs) == sorted(dst for _, dst in pairs) == [*range(played.n)]
        for pairs in pairs_of(played)
    )


def to_all(played, others):
    return pairs_of(played)[0] == everybody(played.n) and number(others or "two") == played.n - 1


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
        sums
        and number(others or "two") == played.n - 1
        and pairs_of(played, half)[0] == everybody(played.n)
    )


def borders(played, size):
    """As executed at once by a clock a little below it, and above, where one-shot and it run."""
    number, unit = size.split()
    border = float(number) * 1024 ** ("B", "KiB", "MiB").index(unit)
    shots = played.recording, again(played, played.n, "flat").recording
    machine = usual_machine(played.recording)
    below, above = (
        [lockstep(resized(shot, int(factor * border)), machine).total for shot in shots]
        for factor in (0.95, 1.05)
    )
    return below[0] > below[1] and above[0] < above[1]


def all_but_own(played, moved, chunks, end=0, name=""):
    """Each rank sends, or gets, so many different chunks or blocks of as many as there are."""
    seen = [
        [row for step in played.steps for row in step if row[end] == rank]
        for rank in range(played.n)
    ]
    counted = {len(rows) * played.n // played.recording.chunk_count for rows in seen}
    right = not name or played.recording.collective.name == name
    return right and counted == {int(moved)} and int(chunks) == played.n == int(moved) + 1


def shots(played, steps, vectors):
    """Whether it takes so many steps, in which every port sends and gets so many vectors."""
    ports = {figure(port) for end in (0, 1) for port in in_all(played, end)}
    return len(played.steps) == steps and ports == {vectors}


def whole_vectors(played, sends):
    rows = {count / played.recording.chunk_count for count in sent_rows(played)}
    return rows == {int(sends)}


def both_neighbors(played):
    """Each rank sends an edge to each neighbor: of n × n cells n and n, twice as many if n is."""
    near = {(a, b) for a, b in everybody(played.n) if (a - b) % played.n in (1, played.n - 1)}
    return (
        len(played.steps) == 1 and pairs_of(played)[0] == near and len(played.steps[0]) == len(near)
    )


def no_more(played, edges):
    """With twice as many ranks each of them sends as much to its two neighbors, in one step."""
    return (
        both_neighbors(played) and int(edges) == 2 and both_neighbors(again(played, 2 * played.n))
    )


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


def dearer(played, number, alone):
    other = rival(played, "pairs, step by step")
    exact = [f"{float(max(in_all(one, 0))):.4g}" for one in (played, other)]
    return exact == [number, alone] and float(number) > float(alone)


CLAIMS = {
    r"To compute a cell, a rank needs the cells around it\.": both_neighbors,
    r"At its border one of them belongs to a neighbor: a copy must come\.": both_neighbors,
    r"Below (\S+ \S+), one-shot is faster nevertheless: one start, not two\.": borders,
    r"In each step, no two send to the same rank: no port has a queue\.": matching,
    r"In one step every rank sends to (?:all (\w+) others|both others)\.": to_all,
    r"(\w+) others, one in each step: after (\w+) steps all pairs have met\.": (
        lambda played, others, steps: others.lower() == steps and met_once(played, steps)
    ),
    r"Then each rank sends its finished sum to (?:all (\w+) others|both others)\.": finished_to_all,
    r"(\d+) of (\d+) blocks leave each port: all but its own\.": all_but_own,
    r"(\d+) of (\d+) chunks come into each port: all but its own\.": (
        lambda played, *counted: all_but_own(played, *counted, 1, "all_gather")
    ),
    r"(\d+) of (\d+) chunks leave each port: all but those summed here\.": (
        lambda played, *counted: all_but_own(played, *counted, 0, "reduce_scatter")
    ),
    r"(\d+) chunks leave each port, each 1/(\d+) of a vector\.": chunks_leave,
    r"One-shot sends whole vectors to all in one step: (\S+) pass a port\.": (
        lambda played, vectors: shots(again(played, played.n, "flat"), 1, vectors)
    ),
    r"Two-shot sums first: in two steps, only (\S+) vectors pass a port\.": (
        lambda played, vectors: shots(played, 2, vectors)
    ),
    r"So each port sends (\d+) whole vectors: the more ranks, the more\.": whole_vectors,
    r"Neighbors are left and right only: two edges go, two copies come\.": both_neighbors,
    r"The larger the block, the less of it is sent: 1/2, 1/4, 1/8\.": both_neighbors,
    r"Twice as many ranks, blocks as large: still one step, and (\d+) edges each\.": no_more,
    r"Double a block's side: four times the cells, but only twice the border\.": both_neighbors,
    r"Every distance is a sum of hops of ([\d, ]+): (\d+) = ([\d +]+)\.": hops,
    r"(\d+) steps: what left each port, and whose data was in it\.": (
        lambda played, steps: int(steps) == len(played.steps)
    ),
    r"Blocks with the same hop share a message: (\d+) messages instead of (\d+)\.": fewer_steps,
    r"(\d+) of (\d+) blocks hop more than once, and each hop sends them again\.": hop_again,
    r"The price: each port sends (\S+) vectors, instead of (\S+)\.": dearer,
}
