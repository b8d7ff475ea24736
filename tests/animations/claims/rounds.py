"""Claims of steps of a ring and the least that anybody sends."""

from __future__ import annotations

from claims.executed import Played, flat_ring, number, passed, sent_rows


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


def true_of_all(played):
    return played.recording.collective.name == "all_reduce"


def as_the_ring(played, sends, steps, ring):
    """As many rows as in the ring, so many from each rank in each step: none waits for another."""
    flat = Played(flat_ring(played))
    ranks = range(played.n)
    at_once = {sum(row[0] == rank for row in step) for step in played.steps for rank in ranks}
    same = sent_rows(played) == sent_rows(flat) and at_once == {int(sends)}
    return same and (number(steps), int(ring)) == (len(played.steps), len(flat.steps))


CLAIMS = {
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
    r"For all: (\w+) sends on (\w+) ports: (\w+) each, or somebody does more\.": (bound_all),
    r"The ring's bytes, but (\d+) messages start at once: (\w+) steps, not (\d+)\.": as_the_ring,
    r"(\d+) sends in (\d+) steps, and never the same thing twice\.": (
        lambda played, sends, steps: (
            never_twice(played) and int(sends) == int(steps) == len(played.steps)
        )
    ),
    r"Each port sends 1/(\d+) in every step: (\d+) steps, (\S+) vectors\.": (
        lambda played, part, steps, vectors: (
            never_twice(played)
            and all({row[0] for row in step} == set(range(played.n)) for step in played.steps)
            and int(part) == played.n
            and int(steps) == len(played.steps)
            and f"{float(max(passed(played))):.3g}" == f"{int(steps) / int(part):.3g}" == vectors
        )
    ),
}
