"""The score of a storyboard by a clock: a film second is always the same modeled time."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from math import floor, log, log10

import numpy as np

from animations.drawing.sheet import in_modeled_time
from animations.phrases import Phrases
from animations.score.pacing import spoken_seconds
from animations.score.score import Passage, Score, Shot, TextCard, with_sentence
from animations.score.sentences import opening
from animations.stages.lanes import delay_waits
from animations.story.machine_words import spoken_machine
from animations.story.storyboard import Storyboard
from animations.story.timed_board import TimedBoard, timed_board_of
from animations.story.untold import untold
from collectives.cost.clocks.timing import Timing
from collectives.units import number_text, time_text
from collectives.words import capital, percent

SHORTEST, LONGEST = 20.0, 60.0  # seconds of the film in which modeled time runs
OF_STEP, USUAL = 1.6, (24.0, 45.0)  # seconds of a step, and of the film, that are aimed at
SCALES = (1.0, 2.0, 2.5, 4.0, 5.0, 8.0)  # modeled time of a film second, times a power of ten
OF_SHOT = 6.0  # seconds of a shot, at most about: shots are rendered side by side
CARD, RESULT = 3.5, 3.0  # seconds, at least
ALIKE = 1e-6  # of its share: links less apart work as long
CHAIN = "node", "second", "third"  # ranks that are named, where a delay goes round
NOTICED = 0.005  # of the time: what trouble costs is said from here on


@dataclass(frozen=True)
class ClockSpan:
    """Modeled seconds that a shot goes through. result: the end, with what is wrong, if it is.

    line: what stands below the stage; by default which steps are under way, and who waits.
    """

    first: float
    last: float
    result: bool = False
    line: str = ""


def clock_score(
    board: Storyboard, timing: Timing, clean: Timing | None = None, note: str = ""
) -> Score:
    """Title card, the start, modeled time, and its end, which alone marks what is wrong.

    clean: the timing without trouble, if there is any; note: what trouble there is.
    """
    timed_board = on_clock_sheet(replace(board, timing=timing), note)
    board, spoken = timed_board.board, sentences(board, timing, clean)
    pace = pace_of(timed_board, sum(map(spoken_seconds, spoken[1:-1])))
    delayed = clean is not None and bool(_lateness(board, timing, clean))
    timed_board = replace(timed_board, pace=pace, clean=clean.total if clean and delayed else 0.0)
    plain = untold(board)
    texts = opening(plain)
    cards = [Shot(None, max(CARD / len(texts), spoken_seconds(text)), text) for text in texts]
    cards[0] = replace(cards[0], section="title", chapter=board.say("chapters.title"))
    shots = _shots(timed_board, spoken)
    *before, end = shots if timed_board.sheet.cues else map(with_sentence, shots)
    passage = [Passage(replace(timed_board, board=plain), (*before, end))]
    if board.wrong:
        passage = [Passage(passage[0].shown, tuple(before)), Passage(timed_board, (end,))]
    passages = Passage(TextCard(plain), tuple(cards)), *passage
    return Score(plain.title, passages, board.say.language)


def on_clock_sheet(board: Storyboard, note: str = "") -> TimedBoard:
    """The transfers of a storyboard by its own timing, on a page with lanes; note: the trouble."""
    timing, board = board.timing, replace(board, sheet=in_modeled_time(board.sheet))
    assert timing
    if waits := delay_waits(timing):
        node, note = board.labels.node(next(iter(waits))), ""
        board = replace(board, title=board.say("clock.title_late", title=board.title, node=node))
    return replace(timed_board_of(board, timing), note=note)


def pace_of(timed_board: TimedBoard, spoken: float) -> float:
    """Modeled seconds in a second of film: a round number that gives a film of usual length."""
    low, high = max(SHORTEST, spoken), max(LONGEST, 1.2 * spoken)
    aim = min(max(OF_STEP * len(timed_board.board.frames), USUAL[0]), USUAL[1])
    power = 10.0 ** floor(log10(timed_board.seconds / high))
    scales = [scale * tens * power for tens in (1.0, 10.0, 100.0) for scale in SCALES]
    fitting = [scale for scale in scales if low <= timed_board.seconds / scale <= high]
    near = timed_board.seconds / max(aim, low)
    return min(fitting, key=lambda scale: abs(log(scale / near)), default=timed_board.seconds / low)


def sentences(board: Storyboard, timing: Timing, clean: Timing | None = None) -> list[str]:
    """What is said: at the start, one after another while time runs, and at the end."""
    say, ends = board.say, np.isfinite(timing.total)
    ranks = say.plural(board.ranks, "rank")
    machine = spoken_machine(timing.topology.name, board.ranks, say)
    fields = {"ranks": ranks, "machine": machine, "time": time_text(timing.total, 3)}
    texts = [say("clock.start" if ends else "clock.start_dead", **fields)]
    delays = _lateness(board, timing, clean) if clean is not None and ends else []
    if delays:
        return list(map(say.decimal, texts + delays))
    texts.append(say(f"clock.rule_{timing.clock}"))
    if ends and timing.total:
        texts += _limits(board, timing)
    if clean is not None and ends and timing.total > (1 + NOTICED) * clean.total:
        texts.append(_trouble(say, timing.total / clean.total, time_text(clean.total, 3)))
    wrong, end = board.wrong, "clock.end" if ends else "clock.end_dead"
    texts.append(f"{wrong.band}." if wrong else say(end, **fields))
    return list(map(say.decimal, texts))


def _lateness(board: Storyboard, timing: Timing, clean: Timing) -> list[str]:
    """How the delay of a rank goes round, and that it is paid once; nothing where it is not so."""
    waits, delay = delay_waits(timing), max(timing.costs.arrivals.values(), default=0.0)
    more, say = timing.total - clean.total, board.say
    if len(waits) < len(CHAIN) or abs(more - delay) > NOTICED * timing.total:
        return []
    named = {key: board.labels.node(at, "some") for key, at in zip(CHAIN, waits, strict=False)}
    named |= {"time": time_text(delay, 3), "clean": time_text(clean.total, 3)}
    named |= {"sum": time_text(len(waits) * delay, 3), "end": time_text(timing.total, 3)}
    keys = "comes_late", "passes_on", "each_waits", "in_all", "as_late", "ends_here", "paid_once"
    return [capital(say(f"clock.{key}", number=len(waits), **named)) for key in keys]


def _trouble(say: Phrases, times: float, clean: str) -> str:
    """What trouble costs: a share, or, of twice the time and more, how many times as long."""
    if times < 2:
        return say("clock.trouble", time=clean, more=percent(times - 1))
    return say("clock.trouble_times", time=clean, more=number_text(times, 2))


def _limits(board: Storyboard, timing: Timing) -> Iterator[str]:
    """How long the busiest link works, and a rank waits."""
    say, topology, use = board.say, timing.topology, timing.link_use
    if use.max(initial=0.0) > 0:
        share, link = percent(float(use.max())), int(use.argmax())
        same = topology.group[use >= use.max() * (1 - ALIKE)]
        if len(np.unique(same)) == 1:
            source, target = (topology.label(int(at[link])) for at in (topology.src, topology.dst))
            yield say("clock.busiest_one", share=share, source=source, target=target)
        else:
            yield say("clock.busiest", share=share)
    idle = float(timing.idle.mean()) / timing.total
    yield say("clock.idle", share=percent(idle)) if idle >= NOTICED else say("clock.never_idle")


def _shots(timed_board: TimedBoard, texts: list[str]) -> Iterator[Shot]:
    """The start, modeled time in shots of a few seconds, and its end."""
    (start, *running, end), say = texts, timed_board.board.say
    yield Shot(ClockSpan(0.0, 0.0), spoken_seconds(start), start, "start", say("chapters.start"))
    if timed_board.board.frames:
        yield from _running(timed_board, running)
    last = timed_board.seconds
    rest, chapter = max(RESULT, spoken_seconds(end)), say("chapters.result")
    yield Shot(ClockSpan(last, last, True), rest, end, "result", chapter)


def _running(timed_board: TimedBoard, texts: list[str]) -> Iterator[Shot]:
    """Each sentence from when what it says is seen on, if that is a delay, else evenly."""
    pace, lasts = timed_board.pace, [*map(spoken_seconds, texts), 0.0]
    seconds, chapter = timed_board.seconds / pace, timed_board.board.say("chapters.run")
    more, waits = (seconds - sum(lasts)) / len(texts), delay_waits(timed_board.timing).values()
    cues = [sum(lasts[:place]) + place * more for place in range(len(lasts))]
    if timed_board.clean:
        (_, starts), (begins, _), *_, (_, last) = (span for (span,) in waits)
        moments = begins, starts, (starts + last) / 2, last, timed_board.clean
        cues = [0.0, *(at / pace for at in moments), seconds]
    begin = 0.0
    for place, text in enumerate(texts):
        latest = seconds - sum(lasts[place + 1 :])
        end = max(begin + lasts[place], min(cues[place + 1], latest))
        number = max(1, round((end - begin) / OF_SHOT))
        for first, last in pairwise(np.linspace(begin, end, number + 1).tolist()):
            span = ClockSpan(first * pace, min(last * pace, timed_board.seconds))
            section = time_text(first * pace, 3)
            yield Shot(span, last - first, text, section, chapter, travels=True)
            chapter = ""
        begin = end
