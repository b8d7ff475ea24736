"""What an algorithm takes, as the last pages of its film: its latencies, bytes, rivals, verdict."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from animations.drawing.closed_form import typst
from animations.score.pacing import words
from animations.story.counters import DIGITS
from animations.story.machine_words import nodes_of
from animations.story.setup_times import SetupTimes
from animations.story.storyboard import Storyboard
from animations.story.trade import Alternative, ComparedElsewhere
from animations.whys.cost_bars import (
    BYTES,
    RIVAL,
    SAME,
    STARTS,
    TURN,
    VERDICT,
    Cost,
    CostsElsewhere,
    PriceBars,
    cost_of,
    factor,
    summed,
)
from animations.whys.teller import Teller
from animations.whys.why import Why
from collectives.units import number_text, size_text, time_text


@dataclass(frozen=True)
class Price:
    """The page of what an algorithm takes, and of each of its sentences the kind."""

    page: Why
    kinds: tuple[int, ...]


def price_of(board: Storyboard) -> Price | None:
    """What it takes; None of what takes no time, never ends or is wrong."""
    times, phrases = board.setup_times, board.say
    if not board.frames or board.wrong or not 0 < times.times[-1] < float("inf"):
        return None
    tell, trade = Teller(phrases, board.sheet), board.trade
    own, best = _cost(board, board.title, times, board.steps, tell, times), trade.best
    cut = trade.how if best else ""

    def called(name: str, how: str) -> str:
        return phrases("cards.cut", name=name, chunks=how) if how else name

    def cost(row: Alternative, name: str) -> Cost:
        return _cost(board, called(name, row.how), row.times.value, row.steps, tell, times)

    # as it is run, not as it is drawn
    own = cost(best, board.title) if best else replace(own, name=called(own.name, trade.how))
    costs = [cost(row, row.name) for row in trade.others]
    two_kinds = bool(nodes_of(times.machine, board.ranks)) and not cut and _is_mixed(own)
    moved = own.moved_by_links if two_kinds else (own.moved,)
    parts = [tell.decimal(time_text(part, DIGITS)) for part in (own.latency, *moved)]
    items = list(_items(board, own, costs, parts, cut, tell))
    there = trade.others[0].there if TURN in dict(items) else None
    elsewhere = None
    if there:
        pair = cost(there.own, board.title), cost(there.rival, trade.others[0].name)
        elsewhere = CostsElsewhere(there.place, *pair)
    keys = ("price_inside", "price_between") if two_kinds else ("price_bytes_label",)
    names = phrases.plural(own.steps, "step"), *(phrases(f"why.{key}") for key in keys)
    labels = tuple(f"{name}: {part}" for name, part in zip(names, parts, strict=True))
    kinds, sentences = zip(*items, strict=True)
    bound = _bound(board, (own, *costs), tell)
    picture = PriceBars((own, *costs), kinds, labels, bound, elsewhere)
    until = kinds.index(TURN) if there else 0
    page = tell.why("price", sentences, picture, _where(board))
    briefly = _slower(board, own, costs[0], tell) if costs else ""
    first = sentences[kinds.index(RIVAL)] if costs else sentences[-1]
    return Price(replace(page, aside_until=until, brief=briefly or first), kinds)


def _where(board: Storyboard) -> str:
    """The machine, and the size of a vector if there is one; in figures where it has no name."""
    if not board.machine:
        return board.counters[-1].label
    key = f"score.on{'_size' * bool(board.size)}"
    return board.say(key, machine=board.machine, size=size_text(board.size))


def _bound(board: Storyboard, costs: Sequence[Cost], tell: Teller) -> tuple[float, str] | None:
    """What nobody can beat who sends from rank to rank with so many ports, and how it is called.

    None where a bar is shorter, as it uses more, and where links differ: there it says little.
    """
    counter, uneven = board.counters[-1], board.machine and _is_mixed(costs[0])
    if counter.bound is None or board.counted is None or uneven:
        return None
    if any(cost.seconds < (1 - SAME) * counter.bound for cost in costs):
        return None
    ports = board.say.plural(counter.ports, "port")
    text = board.say("why.price_least", time=tell.decimal(counter.bound_text), ports=ports)
    return counter.bound, text


def _cost(
    board: Storyboard, name: str, times: SetupTimes, steps: int, tell: Teller, own: SetupTimes
) -> Cost:
    """A cost with its formula, where all messages have one latency and one bandwidth.

    own: those of the algorithm, whose latency is α: another one is a multiple of it.
    """
    text = tell.decimal(time_text(times.times[-1], DIGITS))
    cost = cost_of(name, times.times, times.waits, steps, text)
    if not times.latency or abs(cost.latency - steps * times.latency) > SAME * cost.latency:
        return cost
    if not own.latency or abs(times.bandwidth - own.bandwidth) > SAME * own.bandwidth:
        return cost
    vectors = cost.moved * times.bandwidth / max(board.size, 1)
    links = factor(times.latency / own.latency)
    starts = factor(steps) if links == " " else f"{steps} dot {links}"
    factors = [starts, factor(vectors) if vectors > SAME else ""]
    if name == board.title:
        factors = _closed(board, vectors, factors)
    return Cost(cost.name, cost.starts, cost.bytes, steps, text, summed(*factors))


def _closed(board: Storyboard, vectors: float, factors: list[str]) -> list[str]:
    """The factors as closed forms, where these hold."""
    for place, form in enumerate(board.textbook.formulas):
        short = form.removesuffix("*S") if place else form
        port = board.counters[1].values[-1] / max(board.size, 1)
        holds = not place or (short != form and abs(port - vectors) <= SAME * vectors)
        if form not in ("", "1") and holds:
            factors[place] = typst(short, within=True)
    return factors


def _items(
    board: Storyboard,
    own: Cost,
    rivals: Sequence[Cost],
    parts: list[str],
    cut: str,
    tell: Teller,
) -> Iterator[tuple[int, str]]:
    """The sentences, each with its kind; cut: into how many chunks, where not as it is drawn."""
    starts = _starts(board, own, board.setup_times, tell)[0]
    if cut:
        yield STARTS, tell("price_cut_starts", chunks=cut, steps=own.steps, time=parts[0])
        yield BYTES, tell("price_cut_bytes", moved=parts[1], time=own.time)
    elif len(parts) == len((STARTS, BYTES)) and own.moved > SAME * own.seconds:
        fields = {"times": starts, "moved": parts[1], "machine": board.machine}
        keys = *["price_both_on"] * bool(board.machine), "price_both"
        both = _fitting(board, [tell(key, **fields) for key in keys])
        yield from ((STARTS, both), (BYTES, both))
    else:
        name = _where(board) if board.machine else board.title
        yield STARTS, tell("price_rival_starts", name=name, times=starts)
        if len(parts) > len((STARTS, BYTES)):
            yield BYTES, tell("price_bytes_apart", inside=parts[1], between=parts[2])
    for row, rival in zip(board.trade.others, rivals, strict=True):
        yield RIVAL, _beside(board, own, rival, row, tell)
    for row in board.trade.others[:1]:
        if row.only:
            yield VERDICT, row.only
        if row.there and all(own.seconds < more.seconds for more in rivals[1:]):
            yield TURN, _there(board, row.there, tell)


def _is_mixed(own: Cost) -> bool:
    """Whether some steps start later than others, as those over longer links."""
    return max(own.starts) > min(own.starts) + SAME * own.latency


def _fitting(board: Storyboard, texts: list[str]) -> str:
    """The first of some sentences that is short enough, else the last."""
    return next((text for text in texts if words(text) <= board.say.most_words), texts[-1])


def _there(board: Storyboard, there: ComparedElsewhere, tell: Teller) -> str:
    """Who is faster where both are compared once more, with times where there is room."""
    named_already = there.where == there.place
    place = "" if named_already else f" {there.place[:1].lower()}{there.place[1:]}"
    named = {"where": there.where, "name": there.winner, "loser": there.loser}
    faster, slower = (time_text(seconds, 2) for seconds in there.seconds)
    keys = [*["price_beats"] * bool(there.loser), "price_wins"]
    times = {"place": place, "time": faster, "slower": slower}
    forms = (form for key in keys for form in (f"{key}_by", key))
    return _fitting(board, [tell(form, **named, **times) for form in forms])


def _beside(board: Storyboard, own: Cost, rival: Cost, row: Alternative, tell: Teller) -> str:
    """What a rival has more of; where it is faster here, why; or that it is about as fast."""
    longer = rival.moved - own.moved
    time = tell.decimal(time_text(rival.moved, DIGITS))
    keys = [*["but"] * ((rival.steps > own.steps) != (longer > 0)), "plain"]
    if not rival.moved:
        keys = ["starts"]
    elif row.close:
        keys = ["close"]
    elif rival.seconds < own.seconds:
        fewer = own.latency - rival.latency > own.moved - rival.moved
        keys = [
            *["wins_starts"] * (fewer and rival.steps > 1),
            *["wins_bytes"] * (not fewer),
            *keys,
        ]
    fields = {"total": rival.time, "latency": tell.decimal(time_text(rival.latency, DIGITS))}
    texts = [
        tell(f"price_rival_{key}", name=name, times=times, time=time, steps=rival.steps, **fields)
        for name in (rival.name, row.name)
        for times in _starts(board, rival, row.times.value, tell)
        for key in keys
    ]
    return _fitting(board, texts)


def _slower(board: Storyboard, own: Cost, rival: Cost, tell: Teller) -> str:
    """The time of the first rival, and why it takes longer; nothing where it does not."""
    row, best, size = board.trade.others[0], board.trade.best, max(board.size, 1)
    if row.close or rival.seconds <= own.seconds:
        return ""
    sent = row.bytes, best.bytes if best else board.counters[1].values[-1]
    more, less = (tell.decimal(number_text(part / size, 3)) for part in sent)
    starts = rival.latency - own.latency > rival.moved - own.moved
    keys = [*["_starts"] * (starts and rival.steps > own.steps), ""]
    if not starts and sent[0] > sent[1] and more not in (less, "1"):
        keys = ["_bytes", ""]
    fields = {"name": row.name, "total": rival.time, "time": own.time, "more": more, "less": less}
    steps = {"steps": rival.steps, "fewer": own.steps}
    return _fitting(board, [tell(f"price_slower{key}", **fields, **steps) for key in keys])


def _starts(board: Storyboard, cost: Cost, times: SetupTimes, tell: Teller) -> list[str]:
    """How often it starts, over how many links if these are more, and how long all starts take."""
    over = ["_over"] * (times.links > board.setup_times.links and not _is_mixed(cost))
    fields = {"steps": cost.steps, "links": times.links}
    latency = tell.decimal(time_text(cost.latency, DIGITS))
    keys = *over, "_one" * (cost.steps == 1)
    return [tell.say(f"why.price_times{key}", latency=latency, **fields) for key in keys]
