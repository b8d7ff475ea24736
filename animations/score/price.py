"""What an algorithm takes, as the last pages of its film: its latencies, bytes, rivals, verdict."""

from __future__ import annotations

from dataclasses import dataclass, replace

from animations.score.pacing import words
from animations.score.price_account import USUAL, Account, full_name, is_shared
from animations.story.counters import DIGITS
from animations.story.lazy_value import LazyValue
from animations.story.setup_times import SetupTimes
from animations.story.storyboard import Storyboard
from animations.story.trade import Alternative, ComparedElsewhere, First, Trade
from animations.whys.cost_bars import RIVAL, SAME, TURN, Cost, CostsElsewhere, PriceBars, cost_of
from animations.whys.loaded_trees import loaded_trees
from animations.whys.teller import Teller
from animations.whys.why import Why
from collectives.units import size_text, time_text
from collectives.words import capital

NEARLY = 0.1  # of its time: less above what is least needs no rival where few words are said


@dataclass(frozen=True)
class Price:
    """The page of what an algorithm takes, and of each of its sentences the kind.

    crosses: whether its last one shows what crosses the busiest link of a tree of switches.
    is_least: whether it is said briefly beside what none can be below, instead of a rival.
    """

    page: Why
    kinds: tuple[int, ...]
    crosses: bool = False
    is_least: bool = False


def price_of(board: Storyboard, length: int = USUAL) -> Price | None:
    """What it takes; None of what takes no time, never ends, is wrong, or has nothing to weigh.

    length: AT_LENGTH latencies and bytes have a sentence each; SHORTER, what else the film says is
    left out; SHORTEST, the reason of a rival too that is compared once more.
    """
    times, phrases, trade = board.setup_times, board.say, board.trade
    if not board.frames or board.wrong or not 0 < times.times[-1] < float("inf"):
        return None
    if board.counted is None or (board.steps == 1 and not trade.others):
        return None
    tell, drawn = Teller(phrases, board.sheet), LazyValue(lambda: times)
    sent, bound = board.counted.asked.bytes_busiest_port, board.counted.asked.bound
    row = Alternative("", board.steps, sent, times.times[-1], drawn, board.size)
    asked = row = replace(trade.best or row, name=board.title, how=trade.how)  # as it is run

    def cost(entry: Alternative, name: str = "") -> Cost:
        return _cost(board, replace(entry, name=name or entry.name), tell, times)

    first, row, others, rivals = _lineup(trade, asked)
    own, *costs = map(cost, (row, *rivals))
    own = replace(own, place="half") if times.halves else own
    there, pair, elsewhere = others[0].there if others else None, tuple[Cost, ...](), None
    if there and first and first.back:
        bars = cost(asked), *map(cost, trade.others)
        pair = bars[0], cost(there.rival, there.winner)
        elsewhere = CostsElsewhere(there.place, bars, (own, *costs))
    elif there and all(row.seconds < rival.seconds for rival in others[1:]):
        pair = cost(there.own, board.title), cost(there.rival, others[0].name)
        elsewhere = _other_place(there, pair, (own, cost(others[0])), tell, first is not None)
    account = Account(board, tell, row, own, length, first)
    items = [*account.items(rivals, costs, others, pair if elsewhere else ())]
    kinds, sentences = zip(*items, strict=True)
    names = [capital(phrases(f"stage.along_{key}")) for key in ("rows", "columns")]
    halves = (names[0], names[1], times.halves) if times.halves else None
    picture = PriceBars(
        (own, *costs),
        kinds,
        account.labels(),
        account.spans,
        elsewhere,
        halves,
        first.place if first else "",
    )
    until = kinds.index(TURN) if elsewhere else 0
    page = tell.why("price", sentences, picture, _where(board, row.size))
    alone = sentences[kinds.index(RIVAL) if costs else -1]
    both = account.both(rivals[0], costs[0]) if costs else alone
    brief = alone if words(both) > phrases.most_words or alone == sentences[0] else both
    is_least = (
        bound.holds and bound.busiest_port == sent and own.source and not (first or times.hop)
    )
    if is_near := bool(is_least and own.moved > (1 - NEARLY) * own.seconds):
        brief = tell("price_least", time=own.time, least=tell.decimal(time_text(own.moved, DIGITS)))
    crosses = bool(elsewhere and elsewhere.trees)
    return Price(replace(page, aside_until=until, brief=brief), kinds, crosses, is_near)


def _other_place(
    there: ComparedElsewhere,
    pair: tuple[Cost, Cost],
    here: tuple[Cost, Cost],
    tell: Teller,
    sized: bool,
) -> CostsElsewhere | None:
    """Both at another place, unless a shared link sets the time there and cannot be drawn.

    here: both as they were before. sized: whether the place is named with the size.
    """
    links = [side.uplink.value for side in (there.own, there.rival)]
    trees = loaded_trees(links, pair, tell)
    if not trees and links[0] and is_shared(pair):
        return None
    place = tell("price_there", place=there.place, size=size_text(there.own.size))
    return CostsElsewhere(place if sized else there.place, pair, here, trees)


def _lineup(
    trade: Trade, asked: Alternative
) -> tuple[First | None, Alternative, tuple[Alternative, ...], list[Alternative]]:
    """Where an algorithm is compared first, it and its rivals there, and who has a bar beside it.

    asked: the algorithm as it runs at the size that was asked for.
    """
    others = trade.others
    if trade.news:
        further = any(way.seconds < asked.seconds for way in trade.news)
        faster = (way for way in others if way.seconds < asked.seconds and not way.close)
        return None, asked, others, [*trade.news, *(() if further else faster)]
    first = trade.begins
    if first is None:
        return None, asked, others, [*others]
    rival, *more = first.bars[1:]
    others = (replace(rival, there=first.back or trade.others[0].there), *more)
    return first, replace(first.bars[0], name=asked.name), others, [*others]


def _where(board: Storyboard, size: int) -> str:
    """The machine, and the size of a vector if there is one; in figures where it has no name."""
    if not board.machine:
        return board.counters[-1].label
    key = f"score.on{'_size' * bool(size)}"
    return board.say(key, machine=board.machine, size=size_text(size))


def _cost(board: Storyboard, row: Alternative, tell: Teller, own: SetupTimes) -> Cost:
    """A cost with its formula, where all messages have one latency and one bandwidth.

    own: those of the algorithm, whose latency is α: another one is a multiple of it.
    """
    times, whole = row.times.value, max(row.size, 1)
    name = full_name(board, row)
    text = tell.decimal(time_text(times.times[-1], DIGITS))
    cost = cost_of(name, times.times, times.waits, row.steps, text)
    moved, sent = cost.moved * times.speed / whole, row.bytes / whole
    filled = not moved or (row.chunks and moved > sent)
    at_port = filled or abs(moved - sent) <= SAME * moved
    place = "port" if at_port else "turn" if times.latency and moved > sent else "link"
    hops = round(cost.latency / times.hop) if times.hop else row.steps
    passed = times.carried * times.speed / whole if place == "link" else moved
    cost = replace(cost, vectors=sent if filled else passed, place=place, hops=hops)
    cost = replace(cost, returns=row.returns.value, taken=passed if moved else sent)
    spread = max(cost.starts) - min(cost.starts)
    alike = spread <= SAME * cost.latency and abs(times.speed - own.speed) <= SAME * own.speed
    alike = alike and times.machine == own.machine and abs(passed - moved) <= SAME * passed
    if not own.start or not alike:
        return cost
    links = cost.links(own.start)
    if links.isdigit() and board.nodes > board.ranks:  # whose messages go to switches and end there
        cost = replace(cost, name=board.say("why.price_links", name=name, number=links))
    return cost.summed(links, passed if moved > SAME else 0.0)
