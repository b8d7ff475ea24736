"""Claims of chains, and the time of one link."""

from __future__ import annotations

from claims.executed import number, pairs_of
from collectives.cost.choose.setup import resized
from collectives.cost.clocks.clock import lockstep
from collectives.cost.machines.usual import usual_machine
from collectives.units import time_text


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


def in_one_piece(played, vectors):
    """Each rank of a chain has one before it: the vector crosses a link at a time."""
    links = {(src, dst) for step in played.steps for src, dst, *_ in step}
    ways = {(dst - src) % played.n for src, dst in links}
    return ways in ({1}, {played.n - 1}) and len(links) == int(vectors) == played.n - 1


def cut_saves(played, steps, chunks, cut, whole):
    alike = (len(played.steps), played.recording.chunk_count) == (int(steps), int(chunks))
    return in_one_piece(played, whole) and alike and cut == f"{int(steps) / int(chunks):.4g}"


def there_and_back(played):
    there, back = pairs_of(played)
    return (0, 1) in there and back == {(dst, src) for src, dst in there} != there


def half_takes(played, size, half):
    """A message of so many bytes, of two ranks that have no other one."""
    shot = resized(played.recording, int(size)) if size else played.recording
    total = lockstep(shot, usual_machine(shot)).total
    return there_and_back(played) and played.n == 2 and time_text(total / 2, 3) == half


CLAIMS = {
    r"The first chunk needs (\w+) steps to reach the end of the chain\.": first_chunk,
    r"The first micro-batch passes all stages in (\w+) steps\.": first_chunk,
    r"In one piece, it crosses one link at a time: (\d+) vectors' time\.": in_one_piece,
    r"A whole batch crosses one link at a time: (\d+) batches' time\.": in_one_piece,
    r"(\d+) steps of 1/(\d+) each take (\S+) vectors' time, instead of (\d+)\.": cut_saves,
    r"Both ways are alike: half of t, (.+), is one message\.": (
        lambda played, half: half_takes(played, "", half)
    ),
    r"With only (\d+) bytes, half of t is the latency alone: (.+)\.": half_takes,
    r"Two clocks never agree: rank 0 times both ways with its own\.": there_and_back,
    r"Both ways are alike: half of t is one message, latency and bytes\.": there_and_back,
    r"With fewer and fewer bytes, only the latency is left\.": there_and_back,
    r"After the first chunk, (\w+) more follow, each a step behind: (\d+) steps\.": one_behind,
    r"Suppose each rank asks all before it: rank (\d+) alone takes in (\w+) messages\.": (
        lambda played, rank, count: (
            before(played)[int(rank)] == max(before(played)) == number(count)
        )
    ),
    r"Together (\d+) messages, and the same data is added again and again\.": (
        lambda played, every: sum(before(played)) == int(every)
    ),
    r"The rank before has that sum already: one message, and one addition\.": one_by_one,
    r"So (\d+) messages are enough, not (\d+); but each waits for the one before\.": one_by_one,
}
