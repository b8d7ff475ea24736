"""Claims of how fast data, sums and news spread, and who waits for them."""

from __future__ import annotations

from itertools import pairwise

from claims.executed import ROW, STEPS, TIMES, counts, knowing, number, pairs_of, rival


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


def named_right(played, noun):
    return (noun == "sums") == played.recording.collective.moves_data


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


def told(played, others="one"):
    """Whoever has it sends it to so many others at most, in any step."""
    return all(
        len({dst for src, dst, *_ in step if src == rank}) <= number(others)
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


def meets_below(played):
    """Whether whatever comes in a scan is of the ranks just below those that a rank has."""
    states = knowing(played)
    return all(
        max(states[k][src]) + 1 == min(states[k][dst])
        for k, pairs in enumerate(pairs_of(played))
        for src, dst in pairs
    )


def idlers(played):
    """How many ranks neither send nor receive in each step."""
    return [played.n - len({end for pair in pairs for end in pair}) for pairs in pairs_of(played)]


def swapped(played, steps, taken, many, few):
    """How many steps recursive doubling takes and how many messages it sends, and this one."""
    swap = rival(played, "recursive doubling")
    sent = [sum(map(len, pairs_of(run))) for run in (swap, played)]
    fewer = int(steps) == len(swap.steps) < int(taken) == len(played.steps)
    return fewer and [int(many), int(few)] == sent and sent[0] > sent[1]


def idle_in_the_middle(played, most, ranks):
    """Whether so many stand idle in both steps in the middle, and no more in any other."""
    idle, half = idlers(played), len(played.steps) // 2
    return (
        idle[half - 1 : half + 1] == [max(idle)] * 2 == [int(most)] * 2 and int(ranks) == played.n
    )


def all_new(played):
    """Whether nothing is added of which its receiver has the data already."""
    states = knowing(played)
    return played.recording.collective.reduces and not any(
        states[k][src] & states[k][dst]
        for k, pairs in enumerate(pairs_of(played))
        for src, dst in pairs
    )


def news(played):
    """Whether a message brings nothing that its receiver knows, and one as far again would."""
    states, n = knowing(played), played.n
    far = [{(dst - src) % n for src, dst in pairs} for pairs in pairs_of(played)]
    fresh = all(
        not states[k][src] & states[k][dst]
        for k, pairs in enumerate(pairs_of(played))
        for src, dst in pairs
    )
    again_old = all(
        2 * len(states[k][rank - way] & states[k][rank]) == len(states[k][rank - way])
        for k in range(1, len(far))
        for way in far[k - 1]
        for rank in range(n)
    )
    return fresh and again_old and "barrier" in played.recording.collective.name


def leaves(played, late, comes):
    """When each rank leaves, if one comes late: a step takes 1, and what it waits for."""
    ready = [comes * (rank == late) for rank in range(played.n)]
    for pairs in pairs_of(played):
        start = list(ready)
        for src, dst in pairs:
            start[dst] = max(start[dst], ready[src])
        busy = {rank for pair in pairs for rank in pair}
        ready = [start[rank] + (rank in busy) for rank in range(played.n)]
    return ready


def late_holds_up(played, late):
    return min(leaves(played, int(late), 99)) >= 99 > max(leaves(played, int(late), 0))


def news_spreads(played, steps):
    return max(leaves(played, played.n // 2 + 1, 99)) - 99 == int(steps)


def all_wait(played):
    return all(min(leaves(played, late, 99)) >= 99 for late in range(played.n))


CLAIMS = {
    r"Rank (\d+) comes late: who needs its news waits, step after step\.": late_holds_up,
    rf"Once it is there, its news reaches everybody in {STEPS}\.": news_spreads,
    r"Nobody left before the last one came: that is what a barrier promises\.": all_wait,
    rf"Each step {TIMES} how many ranks have it(, until all do)?: {ROW}\.": (
        lambda played, verb, until, row: grows(played, verb, row, holders, until)
    ),
    rf"Each step {TIMES} what every rank knows(, until that is all)?: {ROW}\.": (
        lambda played, verb, until, row: grows(played, verb, row, every, until)
    ),
    rf"Each step {TIMES} what one rank can know(, up to all)?: {ROW}\.": (
        lambda played, verb, until, row: grows(played, verb, row, most, until)
    ),
    rf"Each step halves the (sums|reports) that are left: {ROW}\.": (
        lambda played, noun, row: named_right(played, noun) and halving(played, row)
    ),
    rf"Each step leaves fewer (sums|reports): {ROW}\.": (
        lambda played, noun, row: named_right(played, noun) and summing(played, row)
    ),
    rf"And back down, more and more ranks have the result: {ROW}\.": back_down,
    r"No step can do more: each rank hears from only (?:one other|(\d+) others)\.": (
        lambda played, others: heard_from(played, others or "one")
    ),
    r"With one message per rank and step, holders can at most double\.": (
        lambda played: told(played, "one")
    ),
    r"No step can do more: each rank tells only (?:one other|(\d+) others)\.": (
        lambda played, others: told(played, others or "one")
    ),
    r"(\w+) doublings reach (\d+) ranks; (\w+) reach a thousand\.": (
        lambda *claim: reaches(*claim, factor=2)
    ),
    r"(\w+) such steps reach (\d+) ranks; (\w+) reach a thousand\.": reaches,
    r"What arrives ends where one's own sum begins: nothing is counted twice\.": meets_below,
    r"What comes in is only of others: nothing is added twice\.": all_new,
    r"But ranks stand idle: in the middle, (\d+) of (\d+)\.": idle_in_the_middle,
    r"Recursive doubling needs (\d+) steps, not (\d+), but (\d+) messages, not (\d+)\.": swapped,
    r"(\w+) steps up, (\w+) down; with a thousand ranks, (\w+) each\.": (
        lambda played, up, down, more: (
            number(up) == number(down) == len(played.steps) // 2
            and reaches(played, up, str(played.n), more)
        )
    ),
    r"As far again would bring half old news; twice as far, all is new\.": news,
}
