"""The numbers of films' sentences, computed anew from states, steps and bounds of recordings."""

import re
from collections import Counter
from fractions import Fraction
from functools import partial
from itertools import pairwise

import numpy as np

from collectives.cost.clocks.clock import lockstep
from collectives.recording.phases import phases
from collectives.units import size_beside, size_text, time_text


def complete(recording, step):
    """Which promised cells hold each required contribution once, and no other: [rank, slot]."""
    state, goal = recording.state(step), recording.postcondition
    if not recording.collective.exactly_once:
        return (state.times[: recording.ranks] > 0).all(axis=2) & goal
    first, end, origin = (
        np.resize(part, (recording.ranks, part.shape[1]))
        for part in (recording.required.first, recording.required.end, recording.required.origin)
    )
    found = np.zeros_like(goal)
    for rank, slot in np.argwhere(goal):
        ranks = np.arange(recording.ranks)
        wanted = (first[rank, slot] <= ranks) & (ranks < end[rank, slot])
        wanted &= recording.precondition[:, origin[rank, slot]]
        same = state.origin[rank, slot][wanted] == origin[rank, slot]
        found[rank, slot] = (state.times[rank, slot] == wanted).all() and same.all()
    return found


def counts(recording, step):
    """How many contributions each cell of a rank holds: [rank, slot]."""
    return recording.state(step).times[: recording.ranks].sum(axis=2)


def finished(recording, step):
    """How many promised cells are complete, of each rank that is promised some."""
    asks = recording.postcondition.any(axis=1)
    return set(complete(recording, step).sum(axis=1)[asks].tolist())


def done(recording, step):
    """How many ranks have all that is promised to them."""
    goal = recording.postcondition
    return int((complete(recording, step) | ~goal)[goal.any(axis=1)].all(axis=1).sum())


def spread(recording, step):
    """The most contributions that a rank holds of each chunk."""
    return set(counts(recording, step)[:, : recording.chunk_count].max(axis=0).tolist())


def _known(recording, step, number):
    held = counts(recording, step) if recording.collective.exactly_once else None
    known = (recording.state(step).times[: recording.ranks] > 0).sum(axis=2)
    return held is None and known.max() == int(number)


def _transfer(recording, step, source, verb, chunk, target, now=None):
    table = recording.steps[step - 1].unrolled()
    rows = zip(table.src, table.dst, table.chunk, table.reduces, strict=True)
    number = int(re.sub(r"\D", "", chunk) or 0)  # a vector that is not cut is chunk 0
    wanted = (int(source), int(target), number, verb == "adds")
    found = [(int(a), int(b), int(c), bool(d)) for a, b, c, d in rows]
    held = int(recording.state(step).times[int(target), number].sum())
    return wanted in found and (now is None or held == int(now))


def _goes_on(recording, step, kind, number, now=None):
    """Whether something that arrived in the step before is sent on, with so many ranks' data."""
    arrived = {
        (int(b), int(i)) for b, i in zip(*_columns(recording, step - 1, "dst", "into"), strict=True)
    }
    columns = _columns(recording, step, "src", "chunk", "dst", "into")
    held = recording.state(step).times.sum(axis=2)
    target = int(number) + (0 if kind.lower() in "rank" else recording.ranks)
    return any(
        (src, chunk) in arrived and dst == target and now in (None, str(held[dst, into]))
        for src, chunk, dst, into in zip(*columns, strict=True)
    )


def _goes_on_to_several(recording, step, kind, listed):
    """Whether what arrived in the step before is sent on to each of some nodes."""
    return all(_goes_on(recording, step, kind, node) for node in _listed(listed))


def _listed(text):
    """The numbers of a list: 0, 4–7 and 9."""
    ends = [(int(a), int(b or a)) for a, b in re.findall(r"(\d+)(?:–(\d+))?", text)]
    return [node for first, last in ends for node in range(first, last + 1)]


def _goes_on_to_others(recording, step, number):
    """Whether something that arrived in the step before goes to all ranks but so few."""
    arrived = set(zip(*_columns(recording, step - 1, "dst", "into"), strict=True))
    targets = {}
    for src, chunk, dst in zip(*_columns(recording, step, "src", "chunk", "dst"), strict=True):
        if (src, chunk) in arrived and dst != src and dst < recording.ranks:
            targets.setdefault((src, chunk), set()).add(dst)
    most = max(map(len, targets.values()), default=0)
    return int(number) == recording.ranks - 1 <= most


def _several_on(recording, step, senders):
    (src,) = _columns(recording, step, "src")
    return len({*src}) == int(senders)


def _two_on(recording, step, senders):
    (src,) = _columns(recording, step, "src")
    return sorted({*src}) == [*_listed(senders)]


def _had(recording, step, plain, number, ranks):
    """Whether so many ranks have what a step copies, complete and where it is promised to all."""
    goal, there = recording.postcondition, complete(recording, step)
    listed = re.search(r" ranks? ([\d, –]+)$", plain)
    targets = set(_listed(listed[1])) if listed else set(range(recording.ranks))
    slots = {
        into
        for dst, into in zip(*_columns(recording, step, "dst", "into"), strict=True)
        if dst in targets and goal[:, into].all() and there[dst, into]
    }
    counted = {int(there[:, into].sum()) for into in slots}
    every = int(ranks) == recording.ranks
    return every and int(number or ranks) in counted and evaluated(recording, step, f"{plain}.")


def _follows(recording, step, chunk, later):
    """Whether another chunk takes the same ways, each so many steps earlier."""
    ways = {}
    for number in range(1, step + 1):
        for src, dst, each in zip(*_columns(recording, number, "src", "dst", "chunk"), strict=True):
            ways.setdefault(each, set()).add((number, src, dst))
    earlier = {(number - int(later), *ends) for number, *ends in ways[int(chunk)]}
    before = ({way for way in ways[each] if way[0] <= step - int(later)} for each in ways)
    return int(later) > 0 and earlier in before


def _adds_to_its_own(recording, step, kind, number, what, now=None):
    """Whether what arrived in the step before is added, and alone unless it is what arrives."""
    senders = {}
    for src, dst, into in zip(*_columns(recording, step, "src", "dst", "into"), strict=True):
        if dst == int(number) != src:
            senders.setdefault(into, set()).add(src)
    several = max(map(len, senders.values()), default=0) > 1
    goes_on = _goes_on(recording, step, kind, number, now)
    return goes_on and several == (what == "what arrives")


def _columns(recording, step, *names):
    table = recording.steps[step - 1].unrolled()
    return [getattr(table, name).tolist() for name in names]


def _sum_now(recording, step, number):
    held = recording.contributors(step).sum(axis=2)
    rows = zip(*_columns(recording, step, "dst", "into", "reduces"), strict=True)
    return any(adds and held[dst, into] == int(number) for dst, into, adds in rows)


def _all_meet(recording, step, number, helper="switch"):
    rows = list(zip(*_columns(recording, step, "src", "dst", "reduces"), strict=True))
    adds = {(src, dst) for src, dst, adds in rows if adds}
    hubs = {dst for _, dst in adds}
    everybody = {src for src, _ in adds} == set(range(recording.ranks))
    hub = len(hubs) == 1 and min(hubs) >= recording.ranks == int(number)
    return everybody and hub and recording.helpers == helper


def _all_queue(recording, step, number):
    return _all_meet(recording, step, number, "server")


def _all_leave(recording, step, number):
    ends = _ends_of_moves(recording, step)
    served = {src for src, _ in ends} == {recording.ranks} and recording.helpers == "server"
    return served and [*range(int(number))] == sorted(dst for _, dst in ends)


def _tells_of(recording, step, source, target, known):
    """Whether a rank sends another just the arrivals that are named."""
    held = recording.contributors(step - 1)[int(source), 0].nonzero()[0].tolist()
    named = [int(source)] if known is None else [*range(recording.ranks)]
    if known not in (None, "all ranks"):
        named = _listed(known)
    return (int(source), int(target)) in _ends_of_moves(recording, step) and held == named


def _hops_of(recording, source, target):
    """The steps in which a block travels, from 1, each with its ends; and blocks of each rank."""
    homes, hops = {(source, target): (source, target)}, []
    for number in range(1, len(recording.steps) + 1):
        for src, dst, slot, into in zip(
            *_columns(recording, number, "src", "dst", "chunk", "into"), strict=True
        ):
            if (src, slot) in homes and src != dst:
                hops.append((number, src, dst))
                homes = {(dst, into): (source, target)}
    return hops


def _blocks_leave(recording, step, blocks):
    moved = Counter(src for src, _ in _ends_of_moves(recording, step))
    alike = {*moved.values()} == {int(blocks)} and len(moved) == recording.ranks
    return alike and len({*_ends_of_moves(recording, step)}) == recording.ranks


def _block_stays(recording, step, source, target, rank, far, *parts):
    hops = _hops_of(recording, int(source), int(target))
    ways = [(dst - src) % recording.ranks for _, src, dst in hops]
    home = next(src for number, src, _ in hops if number > step)
    rests = step not in {number for number, *_ in hops} and home == int(rank)
    return rests and ways == [*map(int, parts)] and sum(ways) == int(far)


def _block_hops(recording, step, source, target, dst, blocks):
    sent = [src for src, _ in _ends_of_moves(recording, step)].count(int(source))
    first = _hops_of(recording, int(source), int(target))[0]
    return first == (step, int(source), int(dst)) and sent == int(blocks)


def _block_arrives(recording, step, dst, first, then, far):
    hops = _hops_of(recording, 0, int(dst))
    ways = [(dst - src) % recording.ranks for _, src, dst in hops]
    ends = hops[-1][0] == step and ways == [int(first), int(then)]
    return ends and int(first) + int(then) == int(far) == int(dst)


def _ends_of_moves(recording, step):
    table = recording.steps[step - 1].unrolled()
    return [(int(a), int(b)) for a, b in zip(table.src, table.dst, strict=True) if a != b]


def _distance(recording, step, change, distance):
    def far(number, measure):
        return {measure(a, b) for a, b in _ends_of_moves(recording, number)}

    n = recording.ranks
    measures = (lambda a, b: (b - a) % n, lambda a, b: (a - b) % n, lambda a, b: abs(a - b))
    now, factor = int(distance), {"twice": 2, "half": 0.5}.get(change)
    before = now / factor if factor else now - 1
    return any((far(step - 1, m), far(step, m)) == ({before}, {now}) for m in measures)


FACTORS = {"twice as far": "twice", "half as far": "half", "sends": "twice", "receives": "half"}


def _rest_of(recording, step, change, part):
    """Twice as far as the step before; of all that each rank is promised that part is missing."""
    goal = recording.postcondition
    lacks = (goal & ~complete(recording, step - 1)).sum(axis=1) / goal.sum(axis=1)
    way = next((b - a) % recording.ranks for a, b in _ends_of_moves(recording, step))
    ways = (way, recording.ranks - way)
    far = any(_distance(recording, step, change, distance) for distance in ways)
    return far and Fraction(part) < 1 and set(lacks.tolist()) == {float(Fraction(part))}


def _leveled(recording, step, level, way, idle=None):
    """Binomial trees go twice as far up each level, half as far down; the root is at level 0."""
    pairs = set(_ends_of_moves(recording, step))
    (far,) = {abs(a - b) for a, b in pairs}
    busy = {node for pair in pairs for node in pair}
    there = _distance(recording, step, FACTORS[way], far)
    below_root = (recording.ranks - 1).bit_length() - (far.bit_length() - 1)
    return there and int(level) == below_root and recording.ranks - len(busy) == int(idle or 0)


def _begins(recording, step, distance, change):
    """The first distance, of numbers of ranks or round all ranks; the next as much more or less."""
    n, moves = recording.ranks, list(_ends_of_moves(recording, step))
    ways = {way for a, b in moves for way in (abs(b - a), (b - a) % n, (a - b) % n)}
    then = int(int(distance) * {"twice": 2, "half": 0.5}[change])
    return int(distance) in ways and _distance(recording, step + 1, change, then)


def _shared(recording, step, change, amount, part):
    """Twice or half as far as a step before, and half or twice as many bytes of each sender."""
    far, sent = [], []
    for number in (step - 1, step):
        moves = recording.steps[number - 1].unrolled()
        away = moves.src != moves.dst
        sizes = recording.sizes(number - 1)[moves.src, moves.chunk] * away
        each = np.bincount(moves.src, sizes, recording.nodes)
        sent.append(set(each[each > 0].tolist()))
        far.append(_ends_of_moves(recording, number))
    (before,), (now,) = sent
    factors = {"twice": 2, "half": 0.5}
    named = Fraction(part) * recording.count == now == factors[amount] * before
    return named and any(
        _distance(recording, step, FACTORS[change], abs(b - a) % n)
        for a, b in far[1]
        for n in (recording.ranks, 2 * recording.ranks)
    )


def _nodes_apart(recording, step, gpus=8):
    """Whether all messages of a step go between nodes of the machine on which films run it."""
    ends = list(_ends_of_moves(recording, step))
    return recording.ranks > gpus and all(a // gpus != b // gpus for a, b in ends)


def _first_inside(recording, step, distance):
    """Farther and less in each step, until what is left goes to another node."""
    last = next(k for k in range(step, len(recording.steps) + 1) if _nodes_apart(recording, k))
    halves = (Fraction(1, 2 ** (k + 1 - step)) for k in range(step + 1, last + 1))
    steps = range(step + 1, last + 1)
    return not _nodes_apart(recording, step) and all(
        _shared(recording, k, "twice as far", "half", part)
        for k, part in zip(steps, halves, strict=True)
    )


def _first_between(recording, step, part):
    apart = [_nodes_apart(recording, number) for number in (step - 1, step)]
    return apart == [False, True] and _shared(recording, step, "twice as far", "half", part)


def _grown(recording, step, change):
    """Whether all send twice as much as in the step before, so much farther or nearer."""
    moves = recording.steps[step - 1].unrolled()
    sizes = recording.sizes(step - 1)[moves.src, moves.chunk] * (moves.src != moves.dst)
    most = int(np.bincount(moves.src, sizes).max())
    return _shared(recording, step, change, "twice", Fraction(most, recording.count))


def _level_grows(recording, step, level):
    """Whether a level sends twice as much as the one before, which is half as far below it."""
    (far,) = {abs(a - b) for a, b in _ends_of_moves(recording, step)}
    most = [
        int(np.bincount(moves.src, recording.sizes(number)[moves.src, moves.chunk]).max())
        for number in (step - 2, step - 1)
        for moves in [recording.steps[number].unrolled()]
    ]
    below_root = (recording.ranks - 1).bit_length() - (far.bit_length() - 1)
    grows = most[1] == 2 * most[0] and _distance(recording, step, "twice", far)
    return grows and int(level) == below_root


def _others_have(recording, step, share):
    """Whether one rank has all that is promised to it, and each other one this share."""
    goal = recording.postcondition
    there = sorted((goal & complete(recording, step)).sum(axis=1) / goal.sum(axis=1))
    return there == [float(Fraction(share))] * (recording.ranks - 1) + [1.0]


def _shared_sums(recording, step, change, amount, part, number):
    """Also whether all that is sent is a sum of so many ranks' data."""
    moves = recording.steps[step - 1].unrolled()
    away = moves.src != moves.dst
    held = recording.contributors(step - 1)[moves.src[away], moves.chunk[away]].sum(axis=1)
    adds = set(moves.reduces[away].tolist()) == {True}
    return (
        adds
        and set(held.tolist()) == {int(number)}
        and _shared(recording, step, change, amount, part)
    )


def _swung(recording, step, way, distance):
    """Even ranks send one way round, odd ones the other, each time the other way round."""
    n = recording.ranks
    turns = [
        all((a + (1 - 2 * (a % 2)) * sign * int(distance)) % n == b for a, b in ends)
        for ends in [set(_ends_of_moves(recording, step))]
        for sign in (1, -1)
    ]
    everybody = {a for a, _ in _ends_of_moves(recording, step)} == set(range(n)) and n > 2
    return everybody and any(turns) and (way == "ow" or turns[way != "forward"])


def _swung_back(recording, step, distance, chunks):
    """The partners of a step of the way there, so far apart; and how many chunks each sends."""
    there = len(recording.steps) + 1 - step
    back = {*_ends_of_moves(recording, step)} == {*_ends_of_moves(recording, there)}
    (src,) = _columns(recording, step, "src")
    each = set(Counter(src).values()) == {int(chunks)}
    return back and there < step and each and _swung(recording, step, "ow", distance)


def _along_cables(recording, step, distance, cables, most):
    """As many cables of a ring as partners are apart, and of these the most messages on one."""
    n, load = recording.ranks, Counter()
    for src, dst in set(_ends_of_moves(recording, step)):
        right = (dst - src) % n < n / 2
        steps = range(int(cables))
        load.update((right, (src + k if right else dst + k) % n) for k in steps)
    busiest = max(load.values()) == int(most)
    return distance == cables and busiest and _swung(recording, step, "ow", distance)


def _came_again(recording, step, again, total):
    """Of the chunks that the last steps pass round one ring, those that come where they were."""
    before, ring = [], set(_ends_of_moves(recording, step))
    for number in range(step, 0, -1):
        if set(_ends_of_moves(recording, number)) != ring:
            break
        rows = recording.steps[number - 1].unrolled()
        before += recording.contributors(number - 1)[rows.dst, rows.into].any(axis=1).tolist()
    return len(ring) == recording.ranks and (sum(before), len(before)) == (int(again), int(total))


def _destined(recording, step, rank, chunk, others, number):
    """Of chunks that come to a rank it keeps one; who hears from it later keep the others."""
    tables = [each.unrolled() for each in recording.steps]
    moves = [
        [*zip(*(c.tolist() for c in (t.src, t.dst, t.chunk, t.reduces)), strict=True)]
        for t in tables
    ]
    came = {c for _, dst, c, adds in moves[step - 1] if dst == int(rank) and adds}
    reached = {int(rank)}
    for later in moves[step:]:
        reached |= {dst for src, dst, _, adds in later if src in reached and adds}
    left = {c for later in moves[step:] for src, _, c, adds in later if src == int(rank) and adds}
    told = {*map(int, others.split(", "))} if others else int(number)
    rest = reached - {int(rank)}
    return came == reached and came - left == {int(chunk)} and told in (rest, len(rest))


def _gain(recording, lapse, what, number):
    states = range(lapse[0] - 1, lapse[-1] + 1)
    measure = spread if what.startswith("each sum") else finished
    each = [measure(recording, step) for step in states]
    return all(len(a) == len(b) == 1 and max(b) - max(a) == number for a, b in pairwise(each))


def repetition(recording, lapse, sentence):
    """Whether so many steps follow, and each of them brings what is said.

    lapse: the steps that are shown of them; of very many every second, or fewer.
    """
    passes = "s: each rank passes on what just came in"
    behind = "s: the chunks behind go the same way"
    carried = r"carry (?:it round its|them round their) (?P<noun>[a-z]+)"
    whats = "do the same", "work alike", "bring the rest", carried
    what = "|".join(f"steps {text}" for text in whats)
    pattern = rf"(\S+) more (?:{what}|step(?={behind}|{passes}))(.*)\."
    found = re.fullmatch(pattern, sentence)
    times, noun, gain = found[1], found["noun"], found.groups()[-1]
    numbers = ["Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"]
    said = numbers.index(times) + 2 if times in numbers else int(times.replace(",", ""))
    shown = [*dict.fromkeys(lapse)]
    seen, stride = shown[-1] - shown[0], shown[1] - shown[0]
    if not seen + 1 <= said <= seen + stride:
        return False
    if gain == behind:  # over links that were used before
        links = [{*zip(step.src, step.dst, strict=True)} for step in recording.steps]
        return set().union(*links[shown[0] - 1 :]) <= set().union(*links[: shown[0] - 1])
    if gain == passes:
        ends = [recording.steps[number - 1].unrolled() for number in (shown[0] - 1, *shown)]
        came = [sorted(zip(a.dst.tolist(), a.into.tolist(), strict=True)) for a in ends[:-1]]
        return came == [
            sorted(zip(a.src.tolist(), a.chunk.tolist(), strict=True)) for a in ends[1:]
        ]
    if found := re.fullmatch(r": (each sum gains|.* gets) (one|\d+) .*", gain):
        return _gain(recording, lapse, found[1], 1 if found[2] == "one" else int(found[2]))
    summed = r"(?:now )?the sum of (?:all )?(\d+)(?: ranks)?"
    had = r"(?:now all )?(\d+)(?: of \d+)? ranks have it"
    if found := re.fullmatch(rf": (?:{summed}|{had})", gain):
        alike = noun is None or _round(recording, shown, noun)
        return alike and _carried(recording, shown, *found.groups())
    return not gain or gain == ", each one rank further"


def _round(recording, shown, noun):
    """Whether all ranks that send to each other in the steps are each all of what is named."""
    links = {pair for step in shown for pair in _ends_of_moves(recording, step)}
    groups = {rank: {rank} for rank in range(recording.ranks)}
    for src, dst in links:
        joined = groups[src] | groups[dst]
        groups.update(dict.fromkeys(joined, joined))
    return {kind(recording, group) for group in groups.values()} == {noun}


def _carried(recording, shown, ranks, had):
    """Whether some data goes on in each of the steps, and what it is then.

    ranks: whose sum it is, or `had`, how many have it.
    """
    ends = None
    for step in (recording.steps[number - 1].unrolled() for number in shown):
        ways = np.stack([step.src, step.chunk, step.dst, step.into], axis=1).tolist()
        ends = {(dst, into) for src, slot, dst, into in ways if ends is None or (src, slot) in ends}
    counts, complete = recording.levels(shown[-1])
    if ranks:
        return int(ranks) in {int(counts[end]) for end in ends}
    return int(had) in {int(complete[: recording.ranks, slot].sum()) for _, slot in ends}


def _both_ways(recording, step, down, kind, targets, up):
    """Whether a chunk is copied to just these nodes while another is added somewhere."""
    rows = recording.steps[step - 1].unrolled()
    nodes = {node + recording.ranks * (kind == "switch") for node in _listed(targets)}
    copied = rows.dst[~rows.reduces & (rows.into == int(down))]
    return nodes == set(copied.tolist()) and (rows.reduces & (rows.into == int(up))).any()


def kind(recording, group):
    """What a set of ranks is: all of a node, or one place of all nodes; or a line of a grid."""
    structure = recording.structure
    if hasattr(structure, "shape"):
        shape = [size for size in structure.shape if size > 1]
        at = np.unravel_index(sorted(group), shape)
        axes = [axis for axis, row in enumerate(at) if len({*row.tolist()}) == shape[axis]]
        whole = len(axes) == 1 and len(group) == shape[axes[0]]
        return ("row", "column", "stack")[len(shape) - 1 - axes[0]] if whole else None
    nodes = [set(members) for members in structure.members]
    places = {members.index(rank) for members in structure.members for rank in group & {*members}}
    rail = len(places) == 1 and len(group) == len(nodes)
    return "node" if group in nodes else "rail" if rail else None


def _summed(recording, step, part, noun):
    """Whether each rank has that part of the vector, summed over so many ranks, itself among them.

    Groups of ranks that have such sums are apart, and each is all of what is named.
    """
    held = recording.contributors(step)[: recording.ranks, : recording.chunk_count]
    of = [
        {frozenset(np.flatnonzero(row)) for row in rows if row.sum() == int(part)} for rows in held
    ]
    full = {int((rows.sum(axis=1) == int(part)).sum()) for rows in held}
    alone = all(len(sums) == 1 and rank in next(iter(sums)) for rank, sums in enumerate(of))
    groups = set().union(*of)
    apart = sum(map(len, groups)) == recording.ranks
    named = {kind(recording, group) for group in groups} == {noun}
    return named and alone and apart and full == {recording.chunk_count // int(part)}


def _start(recording, step, ranks, size="", chunks=None):
    table = recording.precondition
    whole = table[:, : recording.chunk_count].all()
    same = size in ("", size_text(recording.count * recording.dtype.itemsize))
    return whole and same and int(ranks) == len(table) and int(chunks or 1) == recording.chunk_count


def _share(recording, step, ranks, number, chunks):
    each = {*recording.precondition.sum(axis=1).tolist()}
    return each == {int(number)} and (recording.ranks, recording.chunk_count) == (
        int(ranks),
        int(chunks),
    )


def _holders(recording, step, number, ranks, size):
    holds = recording.precondition.any(axis=1)
    same = size == size_text(recording.count * recording.dtype.itemsize)
    return same and (int(holds.sum()), len(holds)) == (int(number), int(ranks))


def _all_hold(recording, step, ranks, size):
    return _holders(recording, step, ranks, ranks, size)


def _root(recording, step, rank):
    return np.flatnonzero(recording.precondition.any(axis=1)).tolist() == [int(rank)]


def _steps(recording, step, number, rest):
    least = re.search(r"the lower bound (?:with \d+ ports )?is (\d+)", rest)
    bound, ports = recording.bound.steps, re.search(r"with (\d+) ports?", rest)
    if (int(ports[1]) if ports else 1) != recording.bound.ports and rest:
        return False
    return int(number) == recording.counters.steps and (
        int(least[1]) == bound if least else "least" not in rest or bound == int(number)
    )


def _bytes(recording, step, size, rest):
    least = re.search(r"the lower bound is (.*)", rest)
    beside = partial(size_beside, whole=recording.count * recording.dtype.itemsize)
    bound, sent = beside(recording.bound.busiest_port), beside(recording.bytes_busiest_port)
    return size == sent and (least[1] == bound if least else "least" not in rest or bound == size)


def _phase(recording, step, number, in_place, _, does):
    """Whether a phase that begins with a step takes so many, and brings what is said."""
    phase = next(phase for phase in phases(recording) if phase.first == step)
    moves = [bool(_ends_of_moves(recording, at + 1)) for at in range(step, phase.end)]
    counted = (moves.count(True), moves.count(False)) == (int(number), int(in_place or 0))
    before, after = spread(recording, step), spread(recording, phase.end)
    there = counts(recording, phase.end)[:, : recording.chunk_count] > 0
    sums = max(before) < max(after) and len(after) == 1
    return (
        counted
        and {
            "leaves each chunk's sum on one rank": sums,
            "brings the sum to one rank": sums,
            "finishes the sums": after == {recording.ranks},
            "brings every chunk to all ranks": there.all() and phase.end == len(recording.steps),
            "brings it to all ranks": there.all() and phase.end == len(recording.steps),
            "gives each rank its own chunk": there.diagonal().all(),
        }[does]
    )


def _takes(recording, step, number, in_place):
    phase = next(phase for phase in phases(recording) if phase.first == step)
    return phase.end - step == int(number) + int(in_place or 0)


def _one_finished(recording, step):
    return finished(recording, step) == {1} and recording.collective.reduces


def _one_done(recording, step):
    return done(recording, step) == 1


def _unrolled(recording):
    return lambda index: recording.steps[index].unrolled()


DATA = r"(?:: (?:now )?the sum of (?:all )?(\d+)(?: ranks)?)?"
STEPS = r"(\d+) steps?(?: and (\d+) in place)?"
PATTERNS = {
    rf"In {STEPS}, ([^,]*?) ((?:leaves|brings|finishes|gives) [^,]*)\.": _phase,
    rf"[^,]+ takes {STEPS}\.": _takes,
    r"Each rank now has one finished chunk\.": _one_finished,
    r"Only one rank has (?:its result|the data) so far\.": _one_done,
    r"Now (\d+) of \d+ ranks ha(?:s|ve) (?:its result|their result|the data)\.": (
        lambda recording, step, number: done(recording, step) == int(number)
    ),
    r"Each rank now has 1/(\d+) of the vector, summed over its ([a-z]+)\.": _summed,
    r"Chunk (\d+) goes down to (rank|switch)(?:e?s)? (\d[\d, –]*), while chunk (\d+) still comes up"
    r"\.": _both_ways,
    r"Rank (\d+)'s edge goes to rank (\d+), beside its own edge\.": (
        lambda recording, step, src, dst: (
            (int(src), int(dst)) in set(_ends_of_moves(recording, step))
        )
    ),
    r"(?:For every chunk, some|Some) rank now has the sum of (\d+) ranks\.": (
        lambda recording, step, number: spread(recording, step) == {int(number)}
    ),
    r"(\d+) of \d+ ranks knows? that all have arrived\.": (
        lambda recording, step, number: done(recording, step) == int(number)
    ),
    r"(?:Every|Some) rank knows of (\d+) of \d+ arrivals\.": _known,
    r"(\d+) of (\d+) steps? (?:is|are) done\.": (
        lambda recording, step, number, total: (
            (step, len(recording.steps)) == (int(number), int(total))
        )
    ),
    r"(?:Then r|R)ank (\d+) (sends) (chunk \d+|the vector) to rank (\d+)\.": _transfer,
    r"(?:Then r|R)ank (\d+) adds chunk (\d+) from rank (\d+)" + DATA + r"\.": (
        lambda recording, step, target, chunk, source, now: _transfer(
            recording, step, source, "adds", chunk, target, now
        )
    ),
    r"(?:Th(?:is|ese) (?:chunk|block)s? go(?:es)?|(?:From there i|I)t goes)"
    r" on to (rank|switch|server) (\d+)" + DATA + r"\.": _goes_on,
    r"(?:This (?:chunk|block) goes|(?:From there i|I)t goes) on to (rank|switch)e?s"
    r" (\d[\d, –]*)\.": _goes_on_to_several,
    r"Chunk (\d+) follows, (\d+) steps? behind\.": _follows,
    r"(Chunk .* behind): (?:(\d+) of|now all) (\d+) ranks have it\.": _had,
    r"(\d+) ranks send it on\.": _several_on,
    r"Ranks (\d[\d, –]*) send it on\.": _two_on,
    r"(\d+ ranks send it on|Ranks \d[\d, –]* send it on): (?:(\d+) of|now all) (\d+) ranks"
    r" have it\.": _had,
    r"(.* to (?:ranks? \d[\d, –]*|all \d+ others)): (?:(\d+) of|now all) (\d+) ranks have it\.": (
        _had
    ),
    r"(?:This (?:chunk|block) goes|(?:From there i|I)t goes) on to all (\d+) others\.": (
        _goes_on_to_others
    ),
    r"(R)ank (\d+) adds (what arrives|it|them) to its own" + DATA + r"\.": _adds_to_its_own,
    r"Where it lands, it is the sum of (\d+) ranks\.": _sum_now,
    r"Where it lands, the sum is finished: all (\d+) ranks are in it\.": _sum_now,
    r"All (\d+) send at once, and the switch adds what meets there\.": _all_meet,
    r"All (\d+) send to one port: the server takes one after another\.": _all_queue,
    r"(\d+) blocks leave each rank, in one message\.": _blocks_leave,
    r"Block (\d+)→(\d+) stays on rank (\d+), as (\d+) = (\d+) \+ (\d+)\.": _block_stays,
    r"Block (\d+)→(\d+) hops to rank (\d+), in one message of (\d+) blocks\.": _block_hops,
    r"It hops on to rank (\d+): (\d+) \+ (\d+) = (\d+)\.": _block_arrives,
    r"Rank (\d+) tells rank (\d+) (?:that it has arrived|of (?:ranks? )?(.*))\.": _tells_of,
    r"One port again: (\d+) copies leave it, one after another\.": _all_leave,
    r"Now (twice|half|one) (?:as far|rank further): distance (\d+)\.": _distance,
    r"Now (twice) as far: (?:only )?(\S+) of the vector (?:is still missing|still needs this hop)"
    r"\.": _rest_of,
    r"Now distance (\d+): the rank just behind\.": (
        lambda recording, step, far: (
            _distance(recording, step, "one", far) and int(far) == recording.ranks - 1
        )
    ),
    r"Distance (\d+) first, so the large parts stay inside nodes\.": _first_inside,
    r"Now between nodes, with only (\S+) of the vector\.": _first_between,
    r"(?:Now|Again) (twice as far|half as far),(?: and)? twice as much\.": _grown,
    r"((?:Now|Again) .* twice as much): (?:(\d+) of|now all) (\d+) ranks have it\.": _had,
    r"Now level (\d+) sends, and twice as much\.": _level_grows,
    r"Every other rank now has (\S+) of the vector\.": _others_have,
    r"Distance (\d+) first, then (twice|half) as far each time\.": _begins,
    r"Now level (\d+) (sends|receives), (?:while (\d+) ranks? waits?|and no rank waits)\.": (
        _leveled
    ),
    r"Now (?:level \d+ )?(twice as far|half as far|sends|receives), and (twice|half) as much:"
    r" (\S+) of the vector\.": _shared,
    r"Again (twice as far|half as far), (twice|half) as much: (\S+) of the vector\.": _shared,
    r"Again (twice as far|half as far), (twice|half) as much: (\S+), in sums of (\d+) ranks\.": (
        _shared_sums
    ),
    r"Even ranks send (forward|back), odd ranks .*: distance (\d+)\.": _swung,
    r"Rank (\d+) keeps chunk (\d+); the others go on to (?:ranks ([\d, ]+)|(\d+) ranks)\.": (
        _destined
    ),
    r"(?:And n|N)(ow) (?:everybody swings the other way|back): distance (\d+)\.": _swung,
    r"(?:The same ways back,|Then) distance (\d+): each sends (\d+) chunks?\.": _swung_back,
    r"Back, distance (\d+), along (\d+) cables: up to (\d+) messages share one\.": _along_cables,
    r"(\d+) of (\d+) chunks were there already; that keeps the ring regular\.": _came_again,
    r"(\d+) ranks each hold a vector of ([^,]*)(?:, in (\d+) chunks)?\.": _start,
    r"(\d+) ranks each hold a vector(), in (\d+) chunks\.": _start,
    r"(\d+) ranks each have (\d[^,]*) to send, in (\d+) chunks?\.": _start,
    r"(\d+) ranks each send both edges of a block, (\d.*) together\.": (
        lambda recording, step, ranks, size: _start(recording, step, ranks, size, 2)
    ),
    r"(\d+) ranks each hold a vector\.": _start,
    r"(\d+) ranks each have (.*) to send\.": _start,
    r"Rank (\d+) answers at once, and the clock runs on\.": (
        lambda recording, step, rank: (
            _ends_of_moves(recording, step)
            == [ends[::-1] for ends in _ends_of_moves(recording, step - 1)]
            and int(rank) in {src for src, _ in _ends_of_moves(recording, step)}
        )
    ),
    r"Rank (\d+)'s message goes to rank (\d+), and the clock runs\.": (
        lambda recording, step, src, dst: (int(src), int(dst)) in _ends_of_moves(recording, step)
    ),
    r"The answer is back, and the clock stops at t\.": (
        lambda recording, step: complete(recording, len(recording.steps)).any()
    ),
    r"Each of (\d+) ranks holds (\d+) of (\d+) chunks(?:, all together .*)?\.": _share,
    r"(\d+) of (\d+) ranks hold chunks of a vector of (.*)\.": _holders,
    r"All (\d+) ranks hold chunks of a vector of (.*)\.": _all_hold,
    r"Only rank (\d+) holds the vector(?:: .*|, in \d+ chunks)?\.": _root,
    r"It takes (\d+) steps?(.*)\.": _steps,
    r"The busiest port carries (.*?)(|, the least.*|; the lower.*)\.": _bytes,
}


def evaluated(recording, step, sentence):
    """Whether what a sentence says of a state is so; None where it is of no known kind."""
    for pattern, holds in PATTERNS.items():
        if found := re.fullmatch(pattern, sentence):
            return bool(holds(recording, step, *found.groups()))
    return None


def time_is(recording, machine, sentence):
    """Whether a sentence names the time by the lockstep clock."""
    return f" {time_text(lockstep(recording, machine).total, 3)}" in sentence
