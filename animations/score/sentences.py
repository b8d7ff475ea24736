"""The sentences of a film: each is computed from what was executed, and at most 14 words long."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

from animations.score.pacing import MOST_WORDS, clauses, sentence, words
from animations.score.repeats import Run
from animations.story.counters import CounterRow
from animations.story.storyboard import Frame, Storyboard
from animations.story.tally import Tally
from collectives.units import size_text
from collectives.words import plural

NUMBERS = ("", "", "", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")


def opening(board: Storyboard) -> tuple[str, ...]:
    """The name and the promise; of a wrong schedule, that it is wrong."""
    return fitting(board.wrong.band if board.wrong else f"{board.title}: {board.promise}")


def problem(board: Storyboard) -> str:
    """What the ranks hold at the start."""
    ranks, chunks, given = board.ranks, board.labels.chunk_count, board.given
    who = plural(ranks, "rank")
    if ranks == 1:
        return "There is one rank: nothing has to move."
    if not board.labels.moves_data:
        return f"{who} arrive; each knows only of itself."
    size, cut = size_text(board.size), f", in {chunks} chunks" * (chunks > 1)
    holders = [rank for rank, count in enumerate(given) if count]
    if board.labels.in_blocks:
        return f"{who} each have a block for every rank: {size} in all."
    if {*given} == {chunks}:
        return f"{who} each hold a vector of {size}{cut}."
    if len(holders) == 1:
        return f"Only {board.labels.node(holders[0])} holds the vector: {size}{cut}."
    if len({*given}) == 1:
        return f"Each of {who} holds {given[0]} of {chunks} chunks, all together {size}."
    return f"{len(holders)} of {who} hold chunks of a vector of {size}."


def phase_name(board: Storyboard, phase: int) -> str:
    """The name of a phase, and how many steps it takes."""
    part = board.phases[phase]
    steps = plural(part.end - part.first, "step")
    place = f" in each {group}" if (group := _group(board.frames[part.first])) else ""
    name = part.name.replace(" + ", " and ").replace(" × ", " ")
    return f"Phase {phase + 1} of {len(board.phases)}: {name}{place}, {steps}."


def _group(frame: Frame) -> str:
    """The kind of group in which all of a step stays, if there is one."""
    groups = {parcel.remark.group for parcel in frame.parcels}
    return groups.pop() if len(groups) == 1 else ""


def transfer(board: Storyboard, frame: Frame, before: str = "") -> str:
    """What the followed parcel does, and whose data is then in its cells."""
    hero = frame.parcels[frame.hero]
    moves = [frame.moves[i] for i in hero.moves]
    text, first = board.labels.sentence(moves), moves[0]
    cells = [frame.cells.get((move.dst, move.into)) for move in moves]
    numbers = {len(cell.held) if cell else 0 for cell in cells}
    if board.view == "stripes" and first.adds and len(numbers) == 1 and board.labels.moves_data:
        number = numbers.pop()
        of = f"all {board.ranks}" if number == board.ranks else f"{number} of {board.ranks}"
        longer = f"{before}{text}: now {of} ranks' data"
        if number > 1 and words(longer) <= MOST_WORDS:
            return sentence(longer)
    return sentence(f"{before}{text}" if words(before + text) <= MOST_WORDS else text)


def repetition(board: Storyboard, run: Run) -> str:
    """How often the same is done again, and what each of these steps adds."""
    count = run.end - run.lapse
    times = NUMBERS[count] if count < len(NUMBERS) else f"{count:,}"
    if run.scale:
        return f"{times} more times the same, each time {run.scale}."
    same = run.alike or len({*run.distances}) == 1
    text = f"{times} more times the same" if same else f"{times} more steps work alike"
    return f"{text}{_gain(board, run)}."


def _gain(board: Storyboard, run: Run) -> str:
    """What each step of a time-lapse adds to every chunk or to every rank, if that is the same."""
    states = [board.tallies.get(step) for step in range(run.lapse, run.end + 1)]
    pairs = [(a, b) for a, b in pairwise(states) if a and b]
    if len(pairs) < run.end - run.lapse:
        return ""
    gains = {(b.spread[0] - a.spread[0], b.spread[1] - a.spread[1]) for a, b in pairs}
    if board.adds and gains == {(1, 1)} and pairs[0][0].spread[0] == pairs[0][0].spread[1]:
        what = "stripe" if board.view == "stripes" else "rank's data"
        return f": each chunk gains one {what} a step"
    gains = {(b.finished[0] - a.finished[0], b.finished[1] - a.finished[1]) for a, b in pairs}
    low, high = gains.pop()
    who = _those(board, pairs[0][0]).lower()
    if gains or low != high or low < 1 or not who:
        return ""
    noun = "block" if board.labels.in_blocks else "chunk"
    more = f"{low} {noun}s" if low > 1 else f"one {'finished ' * board.adds}{noun}"
    return f": {who} gets {more} a step"


def _those(board: Storyboard, tally: Tally) -> str:
    """The ranks to which something is promised: each rank, or the root."""
    return "Each rank" if tally.goal == board.ranks else "The root" if tally.goal == 1 else ""


def state(board: Storyboard, step: int) -> str:
    """What holds after a step, in numbers counted from the contributions; nothing if unknown."""
    tally = board.tallies.get(step)
    if tally is None:
        return ""
    ranks = board.ranks
    if not board.labels.moves_data:
        low, high = tally.held
        if tally.done and low != high:
            know = "knows" if tally.done == 1 else "know"
            return f"{tally.done} of {plural(ranks, 'rank')} {know} that all have arrived."
        return f"{'Every' if low == high else 'Some'} rank knows of {high} of {ranks} arrivals."
    noun = "block" if board.labels.in_blocks else "chunk"
    low, high = tally.finished
    if 0 < low == high < tally.wanted[0] == tally.wanted[1] and (who := _those(board, tally)):
        nouns = plural(low, f"{'finished ' * board.adds}{noun}")
        return f"{who} now holds {nouns} of {tally.wanted[0]}."
    if 0 < tally.done < tally.goal:
        what = "the whole result" if board.adds else "all the data"
        have = "has" if tally.done == 1 else "have"
        return f"{tally.done} of {tally.goal} ranks now {have} {what}."
    low, high = tally.held
    if board.adds and 1 < low == high < ranks:
        return f"Every sum now holds {low} of {ranks} ranks' data."
    low, high = tally.spread
    if board.adds and 1 < low == high < ranks:
        where = "For every chunk, some" if board.labels.chunk_count > 1 else "Some"
        return f"{where} rank now holds {low} of {ranks} ranks' data."
    if 0 < tally.arrived < tally.promised:
        are = "is" if tally.arrived == 1 else "are"
        return f"{tally.arrived} of {plural(tally.promised, noun)} {are} where they must be."
    return ""


def phase_end(board: Storyboard, phase: int) -> str:
    """What holds after a phase: counted, or else how far the steps have come."""
    part = board.phases[phase]
    if found := state(board, part.end):
        return found
    done = "step is" if part.end == 1 else "steps are"
    return f"{part.end} of {len(board.frames)} {done} done."


def result(board: Storyboard) -> tuple[str, ...]:
    """The promise that is kept, and proved."""
    return fitting(f"{board.promise}: proved")


def price(board: Storyboard) -> tuple[str, ...]:
    """Steps, bytes through the busiest port, and time, each beside what no algorithm can beat."""
    steps, port, time = board.counters
    found = [_price(steps, "{} step is taken", "{} steps are taken")]
    if board.labels.moves_data:
        found.append(_price(port, "", "{} pass the busiest port"))
    place = time.label.removeprefix("time ").partition(",")[0]
    place = f"{place[:1].upper()}{place[1:]} " if place.startswith("on ") else ""
    found.append(_price(time, "", f"{place}that takes {{}}" if place else "That takes {}"))
    return tuple(each for each in found if words(each) <= MOST_WORDS)


def _price(row: CounterRow, one: str, several: str) -> str:
    text = (one if row.texts[-1] == "1" and one else several).format(row.texts[-1])
    if not row.bound_text:
        return sentence(text)
    least = f"{text}; at least {row.bound_text} {'is' if row.bound == 1 else 'are'} needed"
    return sentence(f"{text}, the least possible" if row.bound == row.values[-1] else least)


def wrong_choice(board: Storyboard) -> tuple[str, ...]:
    """At which size another algorithm is faster."""
    note = board.trade.note
    return clauses(f"But {note[:1].lower()}{note[1:]}") if note else ()


def remarks(comment: str, said: Iterable[str]) -> list[str]:
    """What a step's comments say that has not been said yet."""
    known = {*said}
    return [part for part in comment.split("; ") if part and part not in known]


def fitting(text: str) -> tuple[str, ...]:
    """A text as sentences that are short enough."""
    return clauses(text.replace("`", "").replace(" — ", ": "))
