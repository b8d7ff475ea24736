"""Claims of messages on the cables of a ring."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise

from claims.executed import ROW, again, counts, knowing


def crosses_cables(played, messages, vectors):
    """Of each step of the way there, how many messages are on a ring's busiest cable; in all."""
    return crossed(played) == (messages, float(vectors))


def crossed(played):
    """These messages, and the sum of their vectors to four digits."""
    n, part, busiest, most = played.n, Fraction(1, played.recording.chunk_count), Fraction(0), []
    for step in played.steps[: len(played.steps) // 2]:
        ways = {((b - a) % n - n * (2 * ((b - a) % n) > n), a, b) for a, b, *_ in step}
        cables = [(w > 0, at % n) for w, a, _ in ways for at in range(*sorted((a, a + w)))]
        most.append(max(map(cables.count, cables)))
        busiest += most[-1] * part * Fraction(len(step), len(ways))
    return ", ".join(map(str, most)), float(f"{float(busiest):.4g}")


def distances(played):
    """How far apart the partners of each step of the way there are, the shorter way round."""
    pairs = [step[0][:2] for step in played.steps[: len(played.steps) // 2]]
    return [min((b - a) % played.n, (a - b) % played.n) for a, b in pairs]


def farthest_to_the_right(played, reach, last):
    """How far halving's partners are; only the farthest are as near the other way round."""
    far = distances(again(played, played.n, "rabenseifner"))
    opposite = [2 * way == played.n for way in far]
    return far == counts(reach) and opposite.index(True) == len(far) - 1 and far[-1] == int(last)


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


CLAIMS = {
    rf"Rabenseifner's halving has partners {ROW} away; at (\d+), all go right\.": (
        farthest_to_the_right
    ),
    rf"The busiest cables then carry {ROW} messages: (\S+) vectors?\.": (
        lambda played, *claim: crosses_cables(again(played, played.n, "rabenseifner"), *claim)
    ),
    rf"Swinging right and left, rank 0 adds up {ROW} neighboring ranks\.": neighbors_summed,
    rf"Each partner holds the next ranks, none twice: distances {ROW}\.": (
        lambda played, reach: by_turns(played, reach) and neighbors_summed(played)
    ),
    rf"The busiest cables carry {ROW} messages: (\S+), not (\S+) vectors?\.": (
        lambda played, messages, total, halving: (
            crosses_cables(played, messages, total)
            and crossed(again(played, played.n, "rabenseifner"))[1] == float(halving)
        )
    ),
}
