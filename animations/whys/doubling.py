"""Why few steps are enough: what is known doubles in each, or what is left halves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from animations.whys.chain import chain_whys
from animations.whys.heard import Heard
from animations.whys.port_queue import queue_whys
from animations.whys.sends import WhyFacts, again
from animations.whys.spread import MOST_DRAWN, Spread, StepsReached, factor_of
from animations.whys.teller import Teller
from animations.whys.why import Why
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.schedule import send
from collectives.structure import Cube
from collectives.theory.case import ceil_log

THOUSAND = 1000  # ranks that are named beside those that are there
KNOWN = ("all_reduce", "all_gather", "reduce_scatter", "scan", "exscan", "barrier")
PIECES = 6  # chunks of a chain, with which a tree is compared
SWAPS = "recursive_doubling"  # with which a tree is compared
FEWEST = 4  # ranks: below, nothing doubles twice
Marked = tuple[tuple[int, int, int, str], ...]  # step, from, to, and tone


def doubling_whys(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of what doubles what is known in every step; up a tree and down again; or only up."""
    n, recording = facts.ranks, facts.recording
    name = recording.collective.name
    if not FEWEST <= n <= MOST_DRAWN or recording.nodes > n or recording.chunk_count not in (1, n):
        return
    if name in ("reduce", "gather"):
        whys = tuple(_upward(facts, tell) if name == "reduce" else _known(facts, tell))
        yield from queue_whys(facts, tell) if whys else ()
        yield from whys
    elif name == "broadcast":
        holders = [sum(map(bool, state)) for state in facts.known]
        grown = [*_grown(facts, tell, holders, "spread", one_source=True)]
        yield from grown
        chain = WhyFacts(record(name, "ring", ranks=n, root=recording.root, chunks=PIECES))
        drawn = (why for why in chain_whys(chain, tell) if grown and why.need)  # beside the whole
        yield from (replace(why, heading=tell("doubling_chain"), need=0) for why in drawn)
    elif name == "scatter":
        yield from _dealt(facts, tell)
    elif name in ("all_reduce", "barrier") and (both := tuple(_there_and_back(facts, tell))):
        yield from queue_whys(facts, tell)
        yield from both
    elif name in KNOWN:
        yield from _known(facts, tell)


def _known(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of what grows by a factor in every step on all ranks, or on the one that knows most."""
    known = [[len(ranks) for ranks in state] for state in facts.known]
    alike = all(len({*state}) == 1 for state in known)
    yield from _grown(facts, tell, list(map(max, known)), "known" if alike else "most_known")


def remaining(facts: WhyFacts, step: int) -> tuple[int, ...]:
    """The ranks with a sum that has still to be sent on to be added, or is that of the root."""

    def adds(rank: int, first: int) -> bool:
        return any(sent is not None and sent.adds for sent in facts.sends[rank][first:])

    return tuple(rank for rank in range(facts.ranks) if adds(rank, step) or not adds(rank, 0))


def _upward(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of a tree to the root: in every step the ranks that still have a sum become fewer."""
    left = [remaining(facts, step) for step in range(facts.steps + 1)]
    factor = factor_of([len(ranks) for ranks in left[::-1]], facts.ranks)
    if factor == 1 + fan(facts) and facts.steps == ceil_log(facts.ranks, factor):
        held = [_of(state, ranks) for state, ranks in zip(facts.known, left, strict=True)]
        counts = [len(ranks) for ranks in left]
        yield _why(facts, tell, [_leaves(facts, tell, counts)], counts, held, factor)


def _there_and_back(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of a tree that adds up to its root and then brings the sum back down."""
    half, rest = divmod(facts.steps, 2)
    left = [remaining(facts, step) for step in range(half + 1)]
    full = [
        tuple(rank for rank, ranks in enumerate(state) if len(ranks) == facts.ranks)
        for state in facts.known[half:]
    ]
    up, down = ([len(ranks) for ranks in part] for part in (left[::-1], full))
    factor = factor_of(up, facts.ranks)
    alike = {factor_of(down, facts.ranks), 1 + fan(facts)} == {factor}
    if rest or not factor or not alike or half != ceil_log(facts.ranks, factor):
        return
    sentences = [_leaves(facts, tell, up[::-1]), tell("doubling_back", numbers=numbers(down))]
    held = [_of(state, ranks) for state, ranks in zip(facts.known, [*left, *full[1:]], strict=True)]
    yield _why(facts, tell, sentences, [*up[::-1], *down[1:]], held, factor, half)


def _grown(
    facts: WhyFacts, tell: Teller, counts: Sequence[int], kind: str, one_source: bool = False
) -> Iterator[Why]:
    """The why of numbers that grow by a factor in every step, until all is reached."""
    factor = factor_of(counts, facts.ranks)
    if factor == 1 + fan(facts) and facts.steps == ceil_log(facts.ranks, factor):
        held = [tuple(tuple(sorted(ranks)) for ranks in state) for state in facts.known]
        capped = "_until" * (counts[-1] < factor * counts[-2])
        sentences = [tell(f"doubling_{kind}{capped}", by=tell.by(factor), numbers=numbers(counts))]
        yield _why(facts, tell, sentences, counts, held, factor, one_source=one_source)


def _dealt(facts: WhyFacts, tell: Teller) -> Iterator[Why]:
    """Of a tree from the root: in every step who holds chunks passes half of them on."""
    rows = _shares(facts)
    largest, holders = [max(map(len, row)) for row in rows], [sum(map(bool, row)) for row in rows]
    halved = all(b == (a + 1) // 2 for a, b in pairwise(largest))
    if factor_of(holders, facts.ranks) != 2 or largest[-1] > 1 or not halved:
        return
    every = [[len(hop[3].numbers) for hop in facts.hops if hop[2] == k] for k in range(facts.steps)]
    passed = tell("doubling_dealt", numbers=numbers([*map(max, every)]))
    yield _why(facts, tell, [passed], holders, rows, 2)


def _shares(facts: WhyFacts) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """By state and rank the chunks of the root that it still holds, as each is passed on once."""
    held = [{rank: set[int]() for rank in range(facts.ranks)}]
    held[0][facts.recording.root] = {*range(facts.recording.chunk_count)}
    for step in range(facts.steps):
        after = {rank: {*chunks} for rank, chunks in held[-1].items()}
        for rank, port in enumerate(facts.sends):
            if (sent := port[step]) and len(sent.to) == 1:
                after[rank] -= {*sent.numbers}
                after[sent.to[0]] |= {*sent.numbers}
        held.append(after)
    return tuple(tuple(tuple(sorted(chunks)) for chunks in state.values()) for state in held)


def fan(facts: WhyFacts) -> int:
    """To how many ranks one sends in a step, or from how many it hears, at most."""
    return max(heard(facts), informed(facts))


def heard(facts: WhyFacts) -> int:
    """From how many ranks one rank gets something in one step, at most."""
    return max(Counter((dst, step) for _, dst, step, _ in facts.hops).values())


def informed(facts: WhyFacts) -> int:
    """To how many ranks one rank sends something in one step, at most."""
    return max(len(sent.to) for port in facts.sends for sent in port if sent)


def _leaves(facts: WhyFacts, tell: Teller, counts: Sequence[int]) -> str:
    """How many sums, or reports, are left after each step, and whether each step halves them."""
    halves = all(a == 2 * b for a, b in pairwise(counts))
    kind = "_reports" * (not facts.recording.collective.moves_data)
    return tell(f"doubling_{'halves' if halves else 'left'}{kind}", numbers=numbers(counts))


def _of(state: Sequence[frozenset[int]], ranks: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Whose data ranks have, of some of them."""
    return tuple(tuple(sorted(held)) if rank in ranks else () for rank, held in enumerate(state))


def _why(
    facts: WhyFacts,
    tell: Teller,
    sentences: list[str],
    counts: Sequence[int],
    held: Sequence[tuple[tuple[int, ...], ...]],
    factor: int,
    half: int = 0,
    one_source: bool = False,
) -> Why:
    """Rows of states, and the formula of their number. half: the steps up, where they go back."""
    n, steps = facts.ranks, facts.steps
    half_steps, more = half or steps, ceil_log(THOUSAND, factor)
    key = "both" if half else "reach" if factor == 2 else "reach_so"
    fields = {"steps": tell.count(half_steps), "ranks": tell.ranks(n), "more": tell.count(more)}
    reaches = [*map(StepsReached, [half, steps] if half else [steps]), StepsReached(steps, 1)]
    last, kind = tell(f"doubling_{key}", **fields), facts.recording.collective
    ways, marked = ([], ()) if half else _no_faster(facts, counts, factor, one_source)
    sentences += [tell(f"doubling_{way}", n=factor - 1) for way in ways]
    reaches = [reaches[0]] * len(ways) + reaches
    marks = tuple(range(2, 2 + len(ways)))
    waiting: tuple[str, ...] = ()
    if half:
        busy = [{end for pair in pairs for end in pair} for pairs in moves(facts)]
        idle = [(k, at) for k, step in enumerate(busy) for at in range(n) if at not in step]
        marked = tuple((k, at, at, "wrong") for k, at in idle)
        idlers = [str(n - len(step)) for step in busy]
        waiting = tuple(tell.say("stage.idle_number", number=number) for number in idlers)
        sentences.append(tell("doubling_idle", most=max(map(int, idlers)), ranks=n))
        swaps = again(facts.recording, SWAPS, n)
        if swaps and len(swaps.steps) < steps:
            messages = {"many": len(WhyFacts(swaps).hops), "few": len(facts.hops)}
            sentences.append(tell("doubling_swap", steps=len(swaps.steps), all=steps, **messages))
        reaches, marks = [reaches[0], *reaches[1:2] * (len(sentences) - 1), reaches[2]], (3,)
    cube = facts.recording.structure
    order = cube.row if isinstance(cube, Cube) and len(cube.row) == n else tuple(range(n))
    source = f"{'«1|2» ' * (half > 0)}«1|ceil(log_{factor} N)»"
    rows = order, tuple(held), moves(facts), tuple(map(str, counts)), one_source, source
    further = range(half_steps + 1, more + 1)
    onward = tuple((str(factor**step), step * steps // half_steps) for step in further)
    drawn = Spread(*rows, tuple(reaches), onward=onward, marked=marked, marks=marks, idle=waiting)
    picture = _of_last_rank(drawn, tell)
    sentences, aside = [*sentences, last], tell("doubling_aside", ranks=tell.ranks(n))
    if half or kind.name in ("reduce", "gather"):
        return tell.why("doubling", sentences, picture, aside)
    near = _of_last_rank(_obvious(facts.recording), tell)
    whole = ("_added" if kind.reduces else "_whole") * (facts.recording.chunk_count == 1)
    key = "straight" if kind.name == "scatter" else f"near{whole * kind.moves_data}"
    need = tell(f"doubling_{key}", steps=tell.count(len(near.moves)))
    why = tell.why("doubling", [need, *sentences], replace(picture, obvious=near), aside, 1)
    return replace(why, asks=tell("doubling_need_straight")) if key == "straight" else why


def _no_faster(
    facts: WhyFacts, counts: Sequence[int], factor: int, one_source: bool
) -> tuple[list[str], Marked]:
    """Why no step can do more, if none can, and whether data may be added; what shows it."""
    name, marked = facts.recording.collective.name, _incoming(facts, one_source)
    deals = name == "scatter"  # whose root could send to all at once
    sends = informed(facts), "deals" if deals else "told"
    partners, way = sends if one_source or deals else (heard(facts), "bound")
    if partners != factor - 1:
        return [], marked
    one_way = len({(dst - src) % facts.ranks for src, dst, step, _ in facts.hops if not step}) == 1
    full = counts[-1] == factor * counts[-2]  # of pairs, one would hear another's news
    if name == "barrier" and full and one_way:
        return ["news"], _again_as_far(facts)
    if reasons := _unmixed(facts):  # what it adds to each, the sum that it has
        marked = tuple(m for way in marked for m in (way, (way[0], way[2], way[2], "local")))
    return [*reasons, way + "s" * (factor > 2)], marked


def _of_last_rank(spread: Spread, tell: Teller) -> Spread:
    """The rows of the last rank alone, where it always knows as much as any."""
    rank = len(spread.order) - 1
    if spread.one_source or spread.counts != tuple(str(len(row[rank])) for row in spread.held):
        return spread
    heard = [[src for src, dst in pairs if dst == rank] for pairs in spread.moves]
    nouns = tell.say.noun("rank"), tell.say.several("rank")
    whose = [f"{nouns[len(ranks) > 1]} {numbers(ranks)}" for ranks in heard]
    sources = tuple(tell.say("why.doubling_from", ranks=ranks) for ranks in whose)
    held = tuple(tuple((r,) * (r in row[rank]) for r in spread.order) for row in spread.held)
    comes = [(k, r, tone) for k, src, _, tone in spread.marked for r in spread.held[k][src]]
    marked = [(k, r, r, tone if r in spread.held[k][rank] else "now") for k, r, tone in comes]
    rows = replace(spread, held=held, moves=((),) * len(heard), one_source=True)
    fields = {**vars(rows), "marked": tuple(marked)}
    return Heard(**fields, name=tell("doubling_knows", rank=rank), sources=sources)


def _incoming(facts: WhyFacts, one_source: bool) -> Marked:
    """What comes to the last rank step by step; of one source what leaves it; of a deal all."""
    end, at = (0, facts.recording.root) if one_source else (1, facts.ranks - 1)
    deals = facts.recording.collective.name == "scatter"
    ways = [(step, *pair, "now") for step, pairs in enumerate(moves(facts)) for pair in pairs]
    return tuple(way for way in ways if deals or way[1 + end] == at)


def _again_as_far(facts: WhyFacts) -> Marked:
    """What would come to the last rank in the last step from as far as before; what comes."""
    *_, (_, before, rank, _), (step, src, _, _) = _incoming(facts, False)
    return (step, before, rank, "wrong"), (step, src, rank, "now")


def _unmixed(facts: WhyFacts) -> list[str]:
    """Why nothing is added twice, if all that comes to a rank is of others than it has.

    All that comes to one of a scan ends just below where its own sum begins.
    """
    kind = facts.recording.collective
    ends = [(facts.known[step][src], facts.known[step][dst]) for src, dst, step, _ in facts.hops]
    if not kind.reduces or any(comes & has for comes, has in ends):
        return []
    meet = all(comes and has and max(comes) + 1 == min(has) for comes, has in ends)
    return ["meets" if meet and kind.name in ("scan", "exscan") else "apart"]


def _obvious(recording: Recording) -> Spread:
    """The obvious way: the root sends each its chunk; else all goes from neighbor to neighbor."""
    n, root, name = recording.ranks, recording.root, recording.collective.name
    scans, rooted, deals = name in ("scan", "exscan"), name == "broadcast", name == "scatter"
    way = (name, "chain") if scans else ("broadcast" if rooted else "all_gather", "ring")
    straight = [send(root, rank, rank) for rank in range(n) if rank != root]
    dealing = record(straight, ranks=n, root=root, collective=name) if deals else None
    facts = WhyFacts(dealing or record(*way, ranks=n, root=root, chunks=1 if rooted else None))
    sources = {root} if rooted else {*range(n)}
    known = tuple(tuple(tuple(sorted(ranks & sources)) for ranks in row) for row in facts.known)
    held = _shares(facts) if deals else known
    grown = (sum(map(bool, row)) if rooted or deals else max(map(len, row)) for row in held)
    rows = tuple(range(n)), held, moves(facts), tuple(map(str, grown)), rooted
    return Spread(*rows, "«1|N - 1»", (StepsReached(facts.steps, 1),))


def moves(facts: WhyFacts) -> tuple[tuple[tuple[int, int], ...], ...]:
    """By step from which rank to which."""
    hops = [[hop[:2] for hop in facts.hops if hop[2] == step] for step in range(facts.steps)]
    return tuple(map(tuple, hops))


def numbers(counts: Sequence[int]) -> str:
    """Numbers in a row.

    >>> numbers([1, 2, 4])
    '1, 2, 4'
    """
    return ", ".join(map(str, counts))
