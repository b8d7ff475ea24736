"""Does what `collectives time` is asked for: times a schedule, ranks algorithms, asks libraries."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from collectives.catalog import ROWS
from collectives.cli.console import say, say_report
from collectives.cli.placed import placed
from collectives.cli.subject import DEFAULT_RANKS, MISSING_SIZE, OWN_ONLY, Subject
from collectives.collective import find_collective
from collectives.cost.choose.chunks import Chunks, best_chunks
from collectives.cost.choose.ranking import rank_algorithms, time_recording
from collectives.cost.choose.setup import Setup
from collectives.cost.fault_texts import Faults
from collectives.cost.ranking_report import RankingReport
from collectives.cost.rankings_by import rankings_by
from collectives.cost.time_report import TimeReport
from collectives.cost.where import Where
from collectives.errors import BadInput
from collectives.formats import chrome
from collectives.proof.prove import refuse_wrong, verdict_on
from collectives.recording.recording import Recording
from collectives.words import quoted

if TYPE_CHECKING:
    from collectives.cost.libraries.advice import Advice

MOST_OTHER = 1 << 12  # messages of a recording that the other clock times, too
MOST_CHUNKED = 1 << 22  # messages, beyond which the best number of chunks is not looked for


@dataclass(frozen=True)
class Asked:
    """What is timed where."""

    subject: Subject
    where: Where
    faults: Faults
    as_json: bool
    output: str | None = None
    without: tuple[int, ...] | None = None
    by: tuple[str, tuple[int, ...]] | None = None


def time_subject(asked: Asked, like: str | None, measured: str | None) -> None:
    """`collectives time`; raises BadInput, and WrongSchedule where the algorithm is wrong."""
    subject = asked.subject
    if asked.without is not None and asked.by is not None:
        why = "ranks all algorithms, and --without times one of them"
        raise BadInput(f"--by {asked.by[0]}: {why}; leave one of them out")
    if asked.without is not None:
        _shrink(asked, {"--like": like, "--measured": measured})
    elif asked.by is not None and (like or measured or not _is_collective(subject)):
        why = "ranks all algorithms of a collective, named alone"
        raise BadInput(f"--by {asked.by[0]}: {why}; try: time dispatch --by topk=1,2,4")
    elif measured is not None:
        from collectives.cli.measured import time_measured

        time_measured(asked, measured, like)
    elif like is not None:
        _time_like(asked, like)
    elif _is_collective(subject):
        _rank(asked)
    else:
        _time_one(asked)


def _time_one(asked: Asked, advised: Advice | None = None) -> None:
    subject, where, faults = asked.subject, asked.where, asked.faults
    if subject.sized(0) != subject:
        raise BadInput(MISSING_SIZE)
    recording, setup = placed(subject, where, change=faults.of)
    if asked.output is not None:
        chrome.check_amount(recording)
    timed = time_recording(recording, setup)
    second = None
    if recording.counters.messages <= _most_other(where):
        second = setup.by_other_clock.time(recording)
    verdict = verdict_on(recording)
    clean = where.setup().time(recording) if faults else None
    report = TimeReport(timed, verdict, advised, clean, second, _best(recording, setup))
    if asked.output is not None:
        chrome.save(timed.timing, asked.output)
    say_report(report, asked.as_json)
    if asked.output is not None and not asked.as_json:
        say(f"written: {asked.output}")
    refuse_wrong(verdict)


def _shrink(asked: Asked, others: dict[str, str | None]) -> None:
    """Time a schedule before and after ranks leave."""
    ranks = ",".join(map(str, asked.without or ()))
    for option, value in {**others, "-o": asked.output, "faults": asked.faults}.items():
        if value:
            name = str(value) if option == "faults" else f"{option} {quoted(str(value))}"
            raise BadInput(f"{name}: not with --without {ranks}; leave one of them out")
    if asked.subject.sized(0) != asked.subject:
        raise BadInput(MISSING_SIZE)
    from collectives.cost.shrunk import shrink  # loads rules of libraries

    recording, _ = placed(asked.subject, asked.where)
    say_report(shrink(recording, asked.without or (), asked.where), asked.as_json)


def _rank(asked: Asked) -> None:
    subject, where = asked.subject, asked.where
    name, ranks, size = _shared(asked)
    kind = find_collective(name)
    if asked.output is not None:
        first = next(row.algorithm for row in ROWS if row.collective == name)
        near = f"{kind.name.replace('_', '-')} {first}"
        raise BadInput(f"-o {quoted(asked.output)}: a trace is of one algorithm; try: {near}")
    if kind.paired:
        raise BadInput(
            "send-recv: its algorithms send different things; name one, as in send-recv ping-pong"
        )
    if subject.chunks is not None:
        raise BadInput(
            f"--chunks {subject.chunks}: every pipeline gets its best; leave it out, "
            "or name an algorithm"
        )
    plain = where.setup()
    root = subject.root or 0
    subject.refuse_root(kind)
    about = name, ranks, size
    if asked.by is not None:
        chosen = subject.parameters
        ranked = rankings_by(name, *asked.by, ranks, size, plain, root, chosen, asked.faults)
        say_report(ranked, asked.as_json)
        return
    setup = asked.faults.of(plain, ranks)
    ranking = rank_algorithms(*about, setup, root, subject.parameters)
    limit, there = _most_other(where), setup.by_other_clock
    try:
        second = rank_algorithms(*about, there, root, subject.parameters, limit)
    except BadInput:
        second = None
    from collectives.cost.like import every_advice  # loads rules of libraries

    advices = () if asked.faults else every_advice(*about, where)
    say_report(RankingReport(ranking, size, second, advices), asked.as_json)


def _time_like(asked: Asked, library: str) -> None:
    subject = asked.subject
    from collectives.cli.like import check_alone, followed  # loads rules of libraries
    from collectives.cost.like import advice

    check_alone(subject, library)
    name, ranks, size = _shared(asked)
    advised = advice(library, name, ranks, size, asked.where)
    subject = replace(followed(subject, name, advised.choice), ranks=ranks)
    _time_one(replace(asked, subject=subject), advised)


def _is_collective(subject: Subject) -> bool:
    """Whether it names a collective, and none of its algorithms."""
    return bool(subject.collective_alone and "." not in subject.collective_alone)


def _shared(asked: Asked) -> tuple[str, int, int]:
    """The collective, ranks and bytes of a question about no algorithm in particular."""
    subject = asked.subject
    kind = find_collective(subject.words[0])
    subject.refuse("name an algorithm for it", ["counts"])
    subject.refuse("only your own schedules take it", OWN_ONLY)
    ranks = asked.where.ranks(subject.ranks) or DEFAULT_RANKS
    return kind.name, ranks, subject.bytes_of(kind)


def _most_other(where: Where) -> int:
    """Messages the other clock is asked about: many more where it need not share links."""
    return MOST_OTHER << 5 if where.kind and where.kind.star else MOST_OTHER


def _best(recording: Recording, setup: Setup) -> Chunks | None:
    """The best number of chunks of a pipeline of the catalog, unless that would take long."""
    row = recording.row
    if row is None or recording.chunks is None or recording.counts is not None:
        return None
    if recording.counters.messages > MOST_CHUNKED or not recording.count:
        return None
    size = recording.count * recording.dtype.itemsize
    return best_chunks(row, recording.ranks, size, setup, recording.root, recording.parameters)
