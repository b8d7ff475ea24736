"""Claims of ports of which some send more than others."""

from __future__ import annotations

from fractions import Fraction

from claims.executed import STEPS, figure, in_all, port_counts
from collectives import record
from collectives.cost.clocks.clock import lockstep
from collectives.cost.machines.usual import usual_machine
from collectives.units import time_text


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


def evenly(played, mib, own, equal):
    """How long equal and unequal chunks of that size take on the machine of these ranks."""
    recording, size = played.recording, int(mib) << 20
    rest = {"ranks": played.n, "root": recording.root}
    name, factor = (recording.collective.name, recording.algorithm), size // 8 // recording.count
    ways = (
        record(*name, count=size // 8, **rest),
        record(*name, counts=[factor * k for k in recording.counts], **rest),
    )
    times = [time_text(lockstep(way, usual_machine(way)).total, 2) for way in ways]
    return times == [equal, own] and 32 << 20 < size <= 64 << 20


CLAIMS = {
    r"Cut like this, (\d+) MiB take (.+); cut evenly, (.+)\.": evenly,
    r"Chunk (\d+) is empty: in each step some port sends nothing\.": empty_chunk,
    r"In each step some port sends more than others\.": (
        lambda played: all(max(step) > min(step) for step in elements(played))
    ),
    r"Small chunks land first: their ports wait for the largest\.": (
        lambda played: (
            len({played.recording.counts[row[2]] for row in played.steps[-1]}) > 1
            and len({row[0] for row in played.steps[-1]}) == len(played.steps[-1])  # one a port
        )
    ),
    r"But a step ends only when its largest message has arrived\.": (
        lambda played: all(
            len({row[1] for row in step}) == len({tuple(row[:2]) for row in step})  # one a port
            for step in played.steps
        )
    ),
    rf"So {STEPS} take (\S+) vectors, where equal chunks take (\S+)\.": largest_chunks,
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
    r"No schedule can do with less than (\S+) vectors?\.": (
        lambda played, vectors: least_sent(played, vectors, True)
    ),
    r"The least that the busiest could send is (\S+) vectors?\.": (
        lambda played, vectors: least_sent(played, vectors, False)
    ),
    r"But each step waits for its busiest port: together (\S+) vectors?\.": in_turn,
}
