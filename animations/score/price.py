"""What an algorithm takes, as the last pages of its film: its latencies, bytes, rivals, verdict."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from animations.score.pacing import words
from animations.score.price_account import OBVIOUS, SHORTEST, USUAL, Account, full_name, is_shared
from animations.story.counters import DIGITS
from animations.story.lazy_value import LazyValue
from animations.story.storyboard import Storyboard
from animations.story.trade import Alternative, ComparedElsewhere, First, Trade, bar_of
from animations.whys.cost_bars import RIVAL, SAME, TURN, Cost, CostsElsewhere, PriceBars, cost_of
from animations.whys.loaded_trees import loaded_trees
from animations.whys.teller import Teller
from animations.whys.why import Why
from collectives.catalog import find_row
from collectives.cost.choose.rivals import at_size
from collectives.units import size_text, time_text
from collectives.words import capital

Pair = tuple[Cost, Cost]
# where it is compared first, it and its rivals there, and who has a bar beside it
Lineup = tuple[First | None, Alternative, tuple[Alternative, ...], list[Alternative]]


@dataclass(frozen=True)
class Price:
    """The page of what an algorithm takes, and of each of its sentences the kind.

    crosses: whether its last one shows what crosses the busiest link of a tree of switches.
    """

    page: Why
    kinds: tuple[int, ...]
    crosses: bool = False


def price_of(board: Storyboard, length: int = USUAL) -> Price | None:
    """What it takes; None of what takes no time, never ends, is wrong, or has nothing to weigh.

    length: AT_LENGTH latencies and bytes have a sentence each; SHORTER, what else the film says is
    left out; SHORTEST, the reason of a rival too that is compared once more; BRIEF, all but
    one sentence; OBVIOUS, the rivals too, for the obvious way with which its film opens.
    """
    if length < SHORTEST:
        board, length = _beside_obvious(board) if length == OBVIOUS else board, USUAL
    asked = _as_run(board)
    if asked is None:
        return None
    times, tell = board.setup_times, Teller(board.say, board.sheet)
    lineup = first, row, others, rivals = _lineup(board.trade, asked)
    own, *costs = (_cost(board, entry, tell) for entry in (row, *rivals))
    own = replace(own, place="half") if times.halves else own
    pair, elsewhere = _elsewhere(board, tell, asked, lineup, (own, *costs))
    account = Account(board, tell, row, own, length, first)
    items = [*account.items(rivals, costs, others, pair if elsewhere else ())]
    kinds, sentences = zip(*items, strict=True)
    rows, columns = (capital(board.say(f"stage.along_{key}")) for key in ("rows", "columns"))
    halves = (rows, columns, times.halves) if times.halves else None
    place, bars = first.place if first else "", (own, *costs)
    labels = account.labels(), *map(account.labels_beside, costs)
    if elsewhere:
        there = tuple(map(account.labels_beside, elsewhere.costs))
        sizes = row.size, others[0].there.own.size if others[0].there else 0
        elsewhere = replace(elsewhere, labels=there, sizes=sizes, named=tell.at_size)
    parts = labels, account.spans, account.ends
    picture = PriceBars(bars, kinds, *parts, elsewhere, halves, place, account.crossings)
    page = tell.why("price", sentences, picture, _where(board, row.size))
    brief = alone = sentences[kinds.index(RIVAL) if costs else -1]
    if costs and alone != sentences[0]:
        both = account.both(rivals[0], costs[0])
        brief = alone if words(both) > board.say.most_words else both
    page = replace(page, aside_until=kinds.index(TURN) if elsewhere else 0, brief=brief)
    return Price(page, kinds, bool(elsewhere and elsewhere.trees))


def _beside_obvious(board: Storyboard) -> Storyboard:
    """With no rival but the obvious way with which its film opens, if an algorithm is that."""
    counted, trade, name = board.counted, board.trade, board.whys[0].obvious
    if counted is None or not name:
        return board
    row = find_row(counted.asked.collective.name, name)
    (run,) = at_size(counted.asked, counted.topology, [row], board.size)
    way = bar_of(run, board.say("why.price_one_port"), board.say)
    beside = LazyValue(lambda: Trade(others=(way,), best=trade.best, how=trade.how))
    return replace(board, trade_when_asked=beside)


def _as_run(board: Storyboard) -> Alternative | None:
    """The algorithm at the size that was asked for, where there is something to weigh."""
    times, counted, trade = board.setup_times, board.counted, board.trade
    timed = any(why.timed for why in board.whys)  # by one that says it all
    if not board.frames or board.wrong or not 0 < times.times[-1] < float("inf"):
        return None
    if counted is None or timed or (board.steps == 1 and not trade.others):
        return None
    sent, drawn = counted.asked.bytes_busiest_port, LazyValue(lambda: times)
    row = Alternative("", board.steps, sent, times.times[-1], drawn, board.size)
    return replace(trade.best or row, name=board.title, how=trade.how)


def _elsewhere(
    board: Storyboard, tell: Teller, asked: Alternative, lineup: Lineup, bars: tuple[Cost, ...]
) -> tuple[tuple[Cost, ...], CostsElsewhere | None]:
    """Both where they are compared once more, and what is drawn of it, if it is told.

    asked: the algorithm at the size that was asked for. bars: what was drawn before.
    """
    first, row, others, _ = lineup
    there, cost = others[0].there if others else None, partial(_cost, board, tell=tell)
    if there and first and first.back:
        costs = tuple(map(cost, (asked, *board.trade.others, *first.sooner)))
        pair = costs[0], cost(there.rival, name=there.winner)
        return pair, CostsElsewhere(there.place, costs, bars)
    if not there or any(row.seconds >= rival.seconds for rival in others[1:]):
        return (), None
    pair = cost(there.own, name=board.title), cost(there.rival, name=others[0].name)
    return pair, _other_place(there, pair, (bars[0], cost(others[0])), tell, first is not None)


def _other_place(
    there: ComparedElsewhere, pair: Pair, here: Pair, tell: Teller, sized: bool
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


def _lineup(trade: Trade, asked: Alternative) -> Lineup:
    """Where an algorithm is compared first, it and its rivals there, and who has a bar beside it.

    asked: the algorithm as it runs at the size that was asked for.
    """
    others = trade.others
    if trade.news:
        further = any(way.seconds < asked.seconds for way in trade.news)
        faster = (way for way in others if way.seconds < asked.seconds and not way.close)
        slower = (way for way in others if way.seconds > asked.seconds and trade.news[0].how)
        rivals = [*slower, *trade.news] if further else [*trade.news, *faster]
        return None, asked, others, rivals
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


def _cost(board: Storyboard, row: Alternative, tell: Teller, name: str = "") -> Cost:
    """A cost with its formula, where all messages have one latency and one bandwidth.

    The latency of the algorithm itself is α: another one is a multiple of it.
    """
    times, own, whole = row.times.value, board.setup_times, max(row.size, 1)
    name = full_name(board, replace(row, name=name or row.name))
    text = tell.decimal(time_text(times.times[-1], DIGITS))
    cost = cost_of(name, times.times, times.waits, row.steps, text)
    moved, sent = cost.moved * times.speed / whole, row.bytes / whole
    filled = not moved or (row.chunks and moved > sent)
    at_port = filled or abs(moved - sent) <= SAME * moved
    place = "port" if at_port else "turn" if times.latency and moved > sent else "link"
    hops = round(cost.latency / times.hop) if times.hop else row.steps
    passed = times.carried * times.speed / whole if place == "link" else moved
    cost = replace(cost, place=place, hops=hops, returns=row.returns.value, kinds=times.kinds)
    cost = replace(cost, vectors=sent if filled else passed, idle=(moved - sent) * filled)
    spread = max(cost.starts) - min(cost.starts)
    alike = spread <= SAME * cost.latency and abs(times.speed - own.speed) <= SAME * own.speed
    alike = alike and times.machine == own.machine and abs(passed - moved) <= SAME * passed
    if not own.start or not alike:
        return cost
    links = cost.links(own.start)
    if links.isdigit() and board.nodes > board.ranks:  # whose messages go to switches and end there
        cost = replace(cost, name=board.say("why.price_links", name=name, number=links))
    return cost.summed(links, passed if moved > SAME else 0.0)
