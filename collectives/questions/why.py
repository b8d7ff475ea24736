"""Questions about why it is done so: a variant is executed and timed, and the answer read off."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from random import Random

import numpy as np
import numpy.typing as npt

from collectives.cost.choose.setup import emptied
from collectives.cost.clocks.clock import dataflow, lockstep
from collectives.cost.clocks.costs import Costs
from collectives.cost.clocks.critical_path import critical_path
from collectives.cost.clocks.timing import Timing
from collectives.cost.machines.faults import slow_rank
from collectives.cost.machines.paths import Floats
from collectives.questions.misconceptions import KNOWN
from collectives.questions.question import Option, Question, asked, choice
from collectives.questions.uncut import one_chunk
from collectives.questions.variants import (
    NEAR,
    SIZES,
    Variants,
    algorithm_name,
    called,
    multiples,
    on_machine,
)
from collectives.units import size_text, time_text
from collectives.words import Quoted, Worded, capital, linked, plural

FASTER_BY = 1.1  # as much as times must differ to be told from each other
FACTORS = (2, 3, 4)  # by which a rank is slower
MOST_TIMES = 3  # of messages, that are written out


def faster(variants: Variants, random: Random) -> Question | None:
    """Which of some algorithms is the fastest for a small or for a large vector."""
    own = variants.facts.recording
    if not own.collective.moves_data or own.nodes > own.ranks or own.collective.pairs is not None:
        return None
    size, mine = random.choice(SIZES), called(own)
    every = variants.contenders(size, random)
    times = {
        name: lockstep(recording, variants.topology).total for name, recording in every.items()
    }
    beaten = {
        name: [slower for slower in times if times[slower] > FASTER_BY * time]
        for name, time in times.items()
    }
    winners = [
        name
        for name, slower in beaten.items()
        if len(slower) > 1 and (name == mine or mine in slower)
    ]
    if not winners:
        return None
    best, slow = _balanced(beaten, winners, mine, random)
    waits = {
        name: lockstep(emptied(every[name]), variants.topology).total for name in (best, *slow)
    }

    def text(name: str) -> str:
        whole, wait = times[name], waits[name]
        parts = [time_text(part, digits=3) for part in (whole, wait, whole - wait)]
        return Worded(
            "{name} takes {time}: {latency} of latency in {steps}, {rest} for bytes",
            **dict(zip(("time", "latency", "rest"), parts, strict=True)),
            name=name,
            steps=plural(every[name].counters.steps, "step"),
        )

    options = choice(
        Option(best, best),
        [
            Option(name, name, "slower here", refutation=Worded("{text}.", text=text(name)))
            for name in slow
        ],
        random,
    )
    rest = [times[name] - wait for name, wait in waits.items()]
    because, believed = _why_faster([*waits.values()], rest)
    return (
        asked(
            kind="faster",
            step=variants.facts.last + 1,
            form="choice",
            prompt=Worded(
                "Which of these is the fastest for {size}, and why?", size=size_text(size)
            ),
            detail=Worded(
                "on {ranks}, {machine}; a step begins when the one before has ended",
                ranks=plural(own.ranks, "rank"),
                machine=Quoted(variants.topology.name),
            ),
            options=options,
            because=because,
            random=random,
            believed=believed,
            hint="A small vector pays for steps, a large one for the bytes of the busiest link.",
            explanation=linked(map(text, (best, *slow)), "; "),
        )
        if options
        else None
    )


def _balanced(
    beaten: dict[str, list[str]], winners: list[str], mine: str, random: Random
) -> tuple[str, list[str]]:
    """A winner with some it beats, this algorithm among them, whose names say nothing."""
    groups = [
        (best, [*combination, *[mine] * (best != mine)])
        for best in winners
        for number in [min(3, len(beaten[best])) - (best != mine)]
        for combination in combinations([name for name in beaten[best] if name != mine], number)
    ]
    aim: float = random.random() ** 0.4  # as short names win more often
    random.shuffle(groups)

    def miss(group: tuple[str, list[str]]) -> float:
        best, slower = group
        return abs(aim - sum(len(name) < len(best) for name in slower) / len(slower))

    return min(groups, key=miss)


def _why_faster(waits: list[float], rest: list[float]) -> tuple[str, list[str]]:
    """Why the first is the fastest, and what is not so: seconds for latency and for bytes."""
    looks = {"least latency": waits, "fastest bytes": rest}
    shortest = {name for name, look in looks.items() if look[0] < min(look[1:])}
    names = ("least latency", "latency decides"), ("fastest bytes", "bytes decide")
    (first, share), (_, second) = names[:: 1 if waits[0] > rest[0] else -1]
    because = KNOWN[first if first in shortest else share].because
    return because, [*(name for name in looks if name not in shortest), second]


def slow(variants: Variants, random: Random) -> Question | None:
    """How much longer it takes if one rank is slower."""
    own, factor = variants.large, random.choice(FACTORS)
    rank, steps = random.randrange(own.ranks), own.counters.steps
    if own.ranks < 2 or not steps:
        return None
    before = dataflow(own, variants.topology).total
    slowed = dataflow(own, *slow_rank(variants.topology, Costs(), rank, factor))
    after = slowed.total
    if after > before and not _of_rank(slowed, rank).any():
        return None  # the messages that take the time wait for it, but none is to or from it
    busy = sum(
        rank in {node for row in variants.facts.rows(step) for node in row[:2]}
        for step in range(1, variants.facts.last + 1)
    )
    name = variants.facts.names.node(rank)
    part = Worded(
        "{rank} takes part in {busy} of {steps}", rank=name, busy=busy, steps=plural(steps, "step")
    )
    wrong = [
        (1.0, "no delay"),
        ((own.ranks - 1 + factor) / own.ranks, "average"),
        ((steps - 1 + factor) / steps, "one step"),
        (factor / 2, "half of it"),
        (float(factor), "full delay"),
        (2.0 * factor, "both ends"),
        (1.5 * factor, "both ends"),
        (float(factor + 1), "both ends"),
    ]
    options = multiples((before, after), wrong, part, random)
    always = busy == steps
    share = (after / before - 1) / (factor - 1)
    because = "it takes part in every step"
    if not always or share < 1 - NEAR:
        because = _on_the_path(share)
    return (
        asked(
            kind="slow",
            step=variants.facts.last + 1,
            form="choice",
            prompt=capital(
                Worded(
                    "{rank} becomes {factor} times slower. How long does it take now?",
                    rank=name,
                    factor=factor,
                )
            ),
            detail=on_machine(variants),
            options=options,
            because=because,
            random=random,
            believed=["idle in some steps" if always else "busy in every step", "average"],
            hint="In how many steps does this rank send or receive, and who waits for it?",
            explanation=Worded(
                "it takes {after} instead of {before}: {part}; {messages}",
                after=time_text(after, digits=3),
                before=time_text(before, digits=3),
                part=part,
                messages=_added_up(slowed, rank, name),
            ),
        )
        if options
        else None
    )


def _added_up(slowed: Timing, rank: int, name: str) -> str:
    """The messages one after another that take all of the time: the slow rank's, and the others."""
    rows, messages = critical_path(slowed), slowed.messages
    starts = messages.start[rows]
    took = np.append(starts[1:], slowed.total) - starts
    own = _of_rank(slowed, rank)
    parts = [
        Worded(pattern, times=_times(took[which]), rank=name)
        for pattern, which in (
            ("{times} to or from {rank}", own),
            ("{times} among the others", ~own),
        )
        if which.any()
    ]
    total = time_text(slowed.total, digits=3)
    pattern = "messages one after another: {sum} = {total}"
    return Worded(pattern, sum=linked(parts, " + "), total=total)


def _of_rank(slowed: Timing, rank: int) -> npt.NDArray[np.bool_]:
    """Which of the messages one after another a rank sends or receives."""
    rows, messages = critical_path(slowed), slowed.messages
    ends = zip(messages.src[rows].tolist(), messages.dst[rows].tolist(), strict=True)
    return np.array([rank in pair for pair in ends])


def _times(seconds: Floats) -> str:
    """Times of messages: 3 × 2.69 ms + 1 × 5 µs, or if many differ 10.2 ms for 10."""
    alike = Counter(time_text(value, digits=3) for value in seconds.tolist())
    if len(alike) <= MOST_TIMES:
        return " + ".join(f"{number} × {value}" for value, number in alike.items())
    took = time_text(float(seconds.sum()), digits=3)
    return Worded("{time} for {number}", time=took, number=len(seconds))


def _on_the_path(share: float) -> str:
    """Why a rank that does not take part in every step slows down this share of the time."""
    if share > 1 - NEAR:
        return "from beginning to end others wait for its messages"
    if share < NEAR:
        return "nobody waits longer for it than for others"
    return "others wait for it for part of the time"


def fewest(variants: Variants, random: Random) -> Question | None:
    """The lower bound on steps, and whether this algorithm reaches it."""
    own, facts = variants.facts.recording, variants.facts
    bound, steps = own.bound, own.counters.steps
    if not bound.holds or own.collective.pairs is not None or bound.steps < 2:
        return None
    grows = bound.ports + 1
    reached = [min(grows**step, own.ranks) for step in range(bound.steps + 1)]
    chain = " → ".join(map(str, reached))

    def instead(number: int) -> str:
        if number < bound.steps:
            return Worded(
                "After {steps} at most {reached} ranks can have one rank's data, not all {ranks}.",
                steps=plural(number, "step"),
                reached=reached[number],
                ranks=own.ranks,
            )
        pattern = "One rank's data can reach {chain} ranks, all of them in {steps}."
        return Worded(pattern, chain=chain, steps=plural(bound.steps, "step"))

    options = [Option(plural(bound.steps, "step"), bound.steps)]
    for number, name in (
        (steps, "as many as here"),
        (own.ranks - 1, "one after another"),
        (own.ranks, "one after another"),
        (bound.steps - 1, "one step too few"),
        (bound.steps + 1, "one step too many"),
    ):
        if all(number != option.value for option in options):
            options.append(Option(plural(number, "step"), number, name, (), instead(number)))
    here = "reaches it" if steps == bound.steps else "takes {own}"
    ports = "one message" if bound.ports == 1 else "{ports} messages"
    return asked(
        kind="fewest",
        step=facts.last + 1,
        form="number",
        prompt=Worded(
            "How many steps must every algorithm take on {ranks} ranks?", ranks=own.ranks
        ),
        detail=Worded(f"each rank sends at most {ports} in a step", ports=bound.ports),
        options=options,
        because="ranks that have the data can reach only so many others in each step",
        random=random,
        believed=["one after another", *["as many as here"] * (steps != bound.steps)],
        hint="How many ranks can have one rank's data after each step?",
        explanation=Worded(
            f"{{chain}} ranks: {{steps}}; {{name}} {here}",
            chain=chain,
            steps=plural(bound.steps, "step"),
            name=algorithm_name(own),
            own=plural(steps, "step"),
        ),
        unit="steps",
    )


WHY = {"faster": faster, "slow": slow, "chunks": one_chunk, "fewest": fewest}
