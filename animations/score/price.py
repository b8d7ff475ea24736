"""What an algorithm takes, as the last pages of its film: its latencies, bytes, rivals, verdict."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from animations.drawing.closed_form import typst
from animations.score import sentences as say
from animations.score.pacing import words
from animations.story.counters import DIGITS
from animations.story.setup_times import SetupTimes
from animations.story.storyboard import Storyboard
from animations.whys.cost_bars import (
    BYTES,
    RIVAL,
    SAME,
    STARTS,
    TURN,
    VERDICT,
    Cost,
    PriceBars,
    cost_of,
    factor,
    summed,
)
from animations.whys.teller import Teller
from animations.whys.why import Why
from collectives.units import time_text

MOST_TOLD = 3  # sentences about other algorithms
ROUGHLY = 0.03  # of a time: as a size with two digits leads to


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
    own = _cost(board, board.title, times, board.steps, tell, times)
    beside = [*trade.others[:1], *[trade.best] * bool(trade.best), *trade.others[1:]]
    costs = [
        _cost(board, row.name, row.times.value, row.steps, tell, times) for row in beside if row
    ]
    comes = STARTS, *[RIVAL] * bool(trade.others), *[VERDICT] * (len(costs) - bool(trade.others))
    parts = [tell.decimal(time_text(seconds, DIGITS)) for seconds in (own.latency, own.moved)]
    size, said = trade.others[0].turn if trade.others else (0, "")
    turn = size / max(board.size, 1), said
    items = list(_items(board, own, costs[0] if trade.others else None, turn, parts, tell))
    counter = board.counters[-1]
    ports = board.counted.asked.bound.ports if board.counted else 0
    beaten = any(cost.seconds < (counter.bound or 0.0) for cost in costs)
    text = tell.say("why.price_least", time=tell.decimal(counter.bound_text))
    if ports > 1 or (ports and beaten):  # who beats it uses more
        text = f"{text} ({phrases.plural(ports, 'port')})"
    uneven = board.machine and _is_mixed(own)  # links differ: such a bound says little
    bound = None if counter.bound is None or uneven else (counter.bound, text)
    label = phrases("why.price_bytes_label")
    labels = f"{phrases.plural(own.steps, 'step')}: {parts[0]}", f"{label}: {parts[1]}"
    kinds, sentences = zip(*items, strict=True)
    best = 2 if trade.best and trade.others else 0
    picture = PriceBars((own, *costs), comes, kinds, labels, bound, turn, best)
    return Price(tell.why("price", sentences, picture, counter.label), kinds)


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
    rival: Cost | None,
    turn: tuple[float, str],
    parts: list[str],
    tell: Teller,
) -> Iterator[tuple[int, str]]:
    """The sentences, each with its kind; turn: the part of its bytes, and what is said of it."""
    kind = "_one" if own.steps == 1 else "_mixed" if _is_mixed(own) else ""
    if own.moved > SAME * own.seconds:
        fields = {"times": _starts(own, tell), "moved": parts[1], "machine": board.machine}
        keys = [*["price_both_on", "price_both_at"] * bool(board.machine), "price_both"]
        texts = [tell(key, **fields) for key in keys]
        both = next(text for text in texts if words(text) <= board.say.most_words)
        yield from ((STARTS, both), (BYTES, both))
    else:
        yield STARTS, tell(f"price_starts{kind}", steps=own.steps, time=parts[0])
    if rival:
        yield RIVAL, _beside(own, rival, tell)
    part, text = turn
    for verdict in say.verdict(board)[:MOST_TOLD]:
        if not (rival and text and text in verdict):
            yield VERDICT, verdict
        elif _turns(own, rival, part):  # else the bars would deny it
            yield TURN, verdict


def _is_mixed(own: Cost) -> bool:
    """Whether some steps start later than others, as those over longer links."""
    return max(own.starts) > min(own.starts) + SAME * own.latency


def _turns(own: Cost, rival: Cost, part: float) -> bool:
    """Whether an algorithm takes about as long as a rival with this part of its bytes."""
    times = [cost.latency + part * cost.moved for cost in (own, rival)]
    return part > 0 and abs(times[0] - times[1]) <= ROUGHLY * max(times)


def _beside(own: Cost, rival: Cost, tell: Teller) -> str:
    """What a rival has more of, and what less."""
    longer = rival.moved - own.moved
    time = tell.decimal(time_text(rival.moved, DIGITS))
    key = "but" if (rival.steps > own.steps) != (longer > 0) else "and"
    if not rival.moved:
        key = "starts"
    elif abs(longer) <= SAME * own.seconds:
        key = "same"
    times = _starts(rival, tell)
    return tell(f"price_rival_{key}", name=rival.name, times=times, time=time)


def _starts(cost: Cost, tell: Teller) -> str:
    """How often it starts, and how long all latencies take."""
    key = f"why.price_times{'_one' * (cost.steps == 1)}"
    latency = time_text(cost.latency, DIGITS)
    return tell.decimal(tell.say(key, steps=cost.steps, latency=latency))
