"""Questions about why it is done so: a variant is executed and timed, and the answer read off."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from random import Random

from collectives.catalog import ROWS, find_row
from collectives.cost.choose.setup import emptied, resized, sized
from collectives.cost.clocks.clock import dataflow, lockstep
from collectives.cost.clocks.costs import Costs
from collectives.cost.machines import topology_for
from collectives.cost.machines.faults import slow_rank
from collectives.cost.machines.topology import Topology
from collectives.errors import BadInput
from collectives.questions.facts import Facts
from collectives.questions.question import Option, Question, asked, choice
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.units import size_text, time_text
from collectives.words import plural

SIZES = (1 << 10, 64 << 20)  # bytes of a small vector and of a large one
FASTER_BY = 1.1  # as much as times must differ to be told from each other
MOST_PORTS = 2  # messages of a rival's port in a step; with more, lockstep is too kind to it
MOST_RIVALS = 6
MOST_ROWS = 1 << 14  # of a rival's recording
FACTORS = (2, 4, 8)  # by which a rank is slower
NEAR = 0.06  # of a factor: not told apart


@dataclass(frozen=True)
class Variants:
    """Variants of a recording on one machine, by default a crossbar for it."""

    facts: Facts
    given: Topology | None = None

    @cached_property
    def topology(self) -> Topology:
        """Where everything is timed."""
        return self.given or topology_for(self.facts.recording, "crossbar")

    @cached_property
    def large(self) -> Recording:
        """The recording for a large vector."""
        recording = self.facts.recording
        return resized(recording, SIZES[-1]) if recording.collective.moves_data else recording

    def contenders(self, size: int, random: Random) -> dict[str, Recording]:
        """This algorithm and some others of its collective for a vector of a size, by name."""
        own = self.facts.recording
        names = [row.algorithm for row in ROWS if row.collective == own.collective.name]
        names = [name for name in names if name != own.algorithm]
        found = {_called(own): resized(own, size)}
        for name in random.sample(names, min(len(names), MOST_RIVALS)):
            rival = _rival(own.collective.name, name, own.ranks, own.root, size)
            if rival is not None:
                found[_called(rival)] = rival
        return found


@lru_cache(maxsize=256)
def _rival(collective: str, algorithm: str, ranks: int, root: int, size: int) -> Recording | None:
    """Another algorithm for a vector of a size; None where it cannot be compared."""
    row = find_row(collective, algorithm)
    if not row.accepts(ranks):
        return None
    rival = sized(row, ranks, size, root=root)
    few = rival.counters.rows <= MOST_ROWS and rival.counters.ports <= MOST_PORTS
    return rival if few and rival.nodes == ranks else None


def faster(variants: Variants, random: Random) -> Question | None:
    """Which of some algorithms is the fastest for a small or for a large vector."""
    own = variants.facts.recording
    if not own.collective.moves_data or own.nodes > own.ranks or own.collective.pairs is not None:
        return None
    size, mine = random.choice(SIZES), _called(own)
    every = variants.contenders(size, random)
    times = {name: lockstep(each, variants.topology).total for name, each in every.items()}
    beaten = {
        name: [other for other in times if times[other] > FASTER_BY * time]
        for name, time in times.items()
    }
    winners = [
        name
        for name, slower in beaten.items()
        if len(slower) > 1 and (name == mine or mine in slower)
    ]
    if not winners:
        return None
    best = random.choice(winners)
    others = [name for name in beaten[best] if name != mine]
    random.shuffle(others)
    shown = [*[mine] * (best != mine), *others][:3]
    share = lockstep(emptied(every[best]), variants.topology).total / times[best]

    def text(name: str) -> str:
        return f"{name} takes {plural(every[name].counters.steps, 'step')} and \
{time_text(times[name], digits=3)}"

    options = choice(
        Option(best, best),
        [Option(name, name, "slower here", refutation=f"{text(name)}.") for name in shown],
        random,
    )
    names = ("bytes decide", "latency decides")
    because = "most of its time goes into " + ("latency" if share > 0.5 else "bytes")
    return (
        asked(
            kind="faster",
            step=variants.facts.last + 1,
            form="choice",
            prompt=f"Which of these is the fastest for {size_text(size)}, and why?",
            detail=f"on {plural(own.ranks, 'rank')}, {variants.topology.name}",
            options=options,
            because=because,
            random=random,
            believed=[names[share <= 0.5]],
            hint="A small vector pays for steps, a large one for the bytes of the busiest link.",
            explanation="; ".join(text(name) for name in (best, *shown)),
        )
        if options
        else None
    )


def slow(variants: Variants, random: Random) -> Question | None:
    """How much longer it takes if one rank is slower."""
    own, factor = variants.large, random.choice(FACTORS)
    rank, steps = random.randrange(own.ranks), variants.facts.last
    if own.ranks < 2 or not steps:
        return None
    before = dataflow(own, variants.topology).total
    after = dataflow(own, *slow_rank(variants.topology, Costs(), rank, factor)).total
    busy = sum(
        rank in {n for row in variants.facts.rows(k) for n in row[:2]} for k in range(1, steps + 1)
    )
    name = variants.facts.names.node(rank)
    took = f"{time_text(after, digits=3)} instead of {time_text(before, digits=3)}"
    part = f"{name} takes part in {busy} of {plural(steps, 'step')}"
    wrong = [
        (1.0, "no delay"),
        ((own.ranks - 1 + factor) / own.ranks, "average"),
        ((steps - 1 + factor) / steps, "one step"),
        (factor / 2, "half of it"),
        (float(factor), "full delay"),
        (2.0 * factor, "both ends"),
        (float(factor**2), "both ends"),
        (float(factor + 1), "both ends"),
        (3.0 * factor, "both ends"),
    ]
    options = _multiples((before, after), wrong, part, random)
    always = busy == steps
    because = f"it takes part in {'every step' if always else 'some of the steps only'}"
    return (
        asked(
            kind="slow",
            step=steps + 1,
            form="choice",
            prompt=f"{name.capitalize()} becomes {factor} times slower. How long does it take?",
            detail=f"{_vector(own)}{variants.topology.name}",
            options=options,
            because=because,
            random=random,
            believed=["idle in some steps" if always else "busy in every step", "average"],
            hint="In how many steps does this rank send or receive, and who waits for it?",
            explanation=f"it takes {took}: {part}",
        )
        if options
        else None
    )


def one_chunk(variants: Variants, random: Random) -> Question | None:
    """How much longer it takes if the vector is not cut into chunks."""
    own = variants.large
    if (
        own.row is None
        or own.ranks < 2
        or own.chunks is None
        or own.chunks < 2
        or "chunks" not in own.row.parameters
    ):
        return None
    try:
        whole = record(
            own.collective.name,
            own.algorithm,
            ranks=own.ranks,
            root=own.root,
            count=own.count,
            dtype=own.dtype,
            chunks=1,
            parameters=own.given,
        )
    except BadInput:
        return None
    before, after = (dataflow(each, variants.topology).total for each in (own, whole))
    took = f"{time_text(after, digits=3)} instead of {time_text(before, digits=3)}"
    counted = f"{whole.counters.steps} steps of one chunk instead of {own.counters.steps} steps"
    wrong = [
        (1.0, "no delay"),
        (float(own.chunks), "chunk by chunk"),
        (whole.counters.steps / own.counters.steps, "fewer steps"),
        (1 / own.chunks, "fewer steps"),
        (2.0 * own.chunks, "chunk by chunk"),
        (own.chunks + 1.0, "chunk by chunk"),
        (own.chunks / 2, "fewer steps"),
    ]
    options = _multiples((before, after), wrong, counted, random)
    options, longer = options if abs(after / before - 1) > NEAR else (), after > before
    return (
        asked(
            kind="chunks",
            step=variants.facts.last + 1,
            form="choice",
            prompt=f"The vector stays in one chunk, not {own.chunks}. How long does it take?",
            detail=f"{_vector(own)}{variants.topology.name}",
            options=options,
            because="most links wait while one works" if longer else "each chunk costs a latency",
            random=random,
            believed=["no delay", "fewer steps" if longer else "chunk by chunk"],
            hint="How many steps are left, and how long is each of them?",
            explanation=f"it takes {took}: {counted}, each with {own.chunks} times the bytes",
        )
        if options
        else None
    )


def fewest(variants: Variants, random: Random) -> Question | None:
    """The lower bound on steps, and whether this algorithm reaches it."""
    own, facts = variants.facts.recording, variants.facts
    bound, steps = own.bound, own.counters.steps
    if not bound.holds or own.collective.pairs is not None or bound.steps < 2:
        return None
    grows = bound.ports + 1
    reached = [min(grows**step, own.ranks) for step in range(bound.steps + 1)]
    options = [Option(plural(bound.steps, "step"), bound.steps)]
    for number, name in (
        (steps, "as many as here"),
        (own.ranks - 1, "one after another"),
        (own.ranks, "one after another"),
        (bound.steps - 1, "one step too few"),
        (bound.steps + 1, "one step too many"),
    ):
        if all(number != option.value for option in options):
            options.append(Option(plural(number, "step"), number, name))
    here = "reaches it" if steps == bound.steps else f"takes {plural(steps, 'step')}"
    ports = "one message" if bound.ports == 1 else f"{bound.ports} messages"
    return asked(
        kind="fewest",
        step=facts.last + 1,
        form="number",
        prompt=f"How many steps must every algorithm take on {own.ranks} ranks?",
        detail=f"each rank sends at most {ports} in a step",
        options=options,
        because="ranks that have the data can reach only so many others in each step",
        random=random,
        believed=["one after another", *["as many as here"] * (steps != bound.steps)],
        hint="How many ranks can have one rank's data after each step?",
        explanation=f"{' → '.join(map(str, reached))} ranks: {plural(bound.steps, 'step')}; "
        f"{own.algorithm} {here}",
        unit="steps",
    )


WHY = {"faster": faster, "slow": slow, "chunks": one_chunk, "fewest": fewest}


def _called(recording: Recording) -> str:
    """An algorithm, with its chunks where it is given some."""
    row = recording.row
    chunks = recording.chunk_count if row and "chunks" in row.parameters else 0
    return f"{recording.algorithm}, {plural(chunks, 'chunk')}" if chunks else recording.algorithm


def _vector(recording: Recording) -> str:
    """The size of the vector, where there is one."""
    return f"{size_text(recording.case.S)}, " if recording.collective.moves_data else ""


def _multiples(
    seconds: tuple[float, float], wrong: list[tuple[float, str]], counted: str, random: Random
) -> tuple[Option, ...]:
    """Options that say how many times as long it takes; seconds before and after."""
    before, after = seconds
    right = after / before

    def option(value: float, name: str = "") -> Option:
        would = f"{value:.1f} times {time_text(before, digits=3)} is"
        instead = f"{would} {time_text(value * before, digits=3)}; {counted}."
        text = f"{value:.1f} times as long"
        return Option(text, round(value, 3), name, (), instead if name else "")

    others = [option(*each) for each in wrong if abs(each[0] - right) > NEAR * right]
    return choice(option(right), others, random)
