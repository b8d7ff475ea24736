"""Does what `collectives time` is asked for: times a schedule, ranks algorithms, asks libraries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from collectives.catalog import find_row
from collectives.cli import timing_report, timing_show
from collectives.cli.like import Advice, advice
from collectives.cli.report import print_json
from collectives.cli.subject import DEFAULT_RANKS, Subject, asked_size
from collectives.cli.trouble import Trouble
from collectives.cli.where import Where
from collectives.collective import Collective, find_collective
from collectives.cost.choose.chunks import best_chunks
from collectives.cost.choose.ranking import Timed, rank_algorithms, time_recording
from collectives.cost.choose.setup import Setup, resized
from collectives.cost.clocks.clock import dataflow, lockstep
from collectives.cost.clocks.timing import Timing
from collectives.errors import BadInput
from collectives.recording.recording import Recording
from collectives.words import quoted

OTHER = {"lockstep": dataflow, "dataflow": lockstep}
STARS = ("crossbar", "hgx-a100", "hgx-h100", "hgx-b200", "nvl72")  # where ports alone are shared
MOST_OTHER = 1 << 12  # messages of a recording that the other clock times, too
MOST_CHUNKED = 1 << 22  # messages, beyond which the best number of chunks is not looked for


@dataclass(frozen=True)
class Options:
    """The options of `time` beside those of its subject; None where not given."""

    size: str | None
    where: Where
    trouble: Trouble
    like: str | None
    best: bool
    as_json: bool


def asked(options: dict[str, Any], meant: Callable[[dict[str, Any]], tuple[Subject, Any]]) -> None:
    """`collectives time` with its options as they were typed; raises BadInput."""
    best = options["chunks"] == "best"
    if best:
        options["chunks"] = None
    names = ("latency", "bandwidth", "clock")
    where = Where(options.pop("topology"), *(options.pop(name) for name in names))
    lists = {f"{name}s": options.pop(name) for name in ("slow_link", "slow_rank")}
    rest = {name: options.pop(name) for name in ("late", "dead", "jitter", "seed")}
    trouble = Trouble(**lists, **rest)
    size, like, as_json = (options.pop(name) for name in ("size", "like", "as_json"))
    subject, _ = meant(options)
    time_subject(subject, Options(size, where, trouble, like, best, as_json))


def time_subject(subject: Subject, options: Options) -> None:
    """`collectives time`; raises BadInput."""
    one_word = len(subject.words) == 1 and not subject.is_saved and not subject.is_own
    if options.like is not None:
        _time_like(subject, options)
    elif one_word and "." not in subject.words[0]:
        _time_all(subject, options)
    else:
        _time_one(subject, options)


def _time_one(subject: Subject, options: Options, advised: Advice | None = None) -> None:
    where = options.where
    subject = replace(subject, ranks=_ranks(subject, where))
    setup = _place(options, subject.ranks or DEFAULT_RANKS)
    recording = _recording(subject, options, setup)
    if where.is_file or subject.is_saved or subject.is_own:
        where.check_ranks(recording.ranks)
    where.check_fits(recording)
    timed = time_recording(recording, setup)
    views = timing_report.Views(
        timed,
        advised,
        clean=_clean(options, recording),
        other=_other(where, setup, timed),
        chunks=_best(recording, setup, options),
    )
    if options.as_json:
        print_json(timing_report.report(views))
    else:
        timing_show.show(views)


def _time_all(subject: Subject, options: Options) -> None:
    kind, size, ranks = _shared(subject, options)
    if kind.paired:
        raise BadInput(
            "send-recv: its algorithms send different things; name one, as in send-recv ping-pong"
        )
    if subject.chunks is not None:
        raise BadInput(
            f"--chunks {subject.chunks}: every pipeline gets its best; leave it out, "
            "or name an algorithm"
        )
    setup = _place(options, ranks)
    root = subject.root or 0
    subject.refuse_root(kind)
    asked = kind.name, ranks, size
    ranking = rank_algorithms(*asked, setup, root, subject.parameters)
    there = replace(setup, clock=OTHER[options.where.clock])
    try:
        other = rank_algorithms(*asked, there, root, subject.parameters, _most_other(options.where))
    except BadInput:
        other = None
    if options.as_json:
        print_json(timing_report.ranking_report(ranking, size, other))
    else:
        timing_show.show_ranking(ranking, size, other)


def _time_like(subject: Subject, options: Options) -> None:
    if len(subject.words) != 1:
        raise BadInput(
            f"--like {quoted(options.like or '')}: the library chooses the algorithm; "
            f"nearest: {subject.words[0]} --like {options.like}"
        )
    kind, size, ranks = _shared(subject, options)
    advised = advice(options.like or "", kind.name, ranks, size, options.where)
    words = kind.name, advised.choice.row
    row = find_row(*words)
    known = {taken.name for taken in row.takes}
    parameters = dict(advised.choice.parameters) | dict(subject.parameters)
    fitting = {key: value for key, value in parameters.items() if key in known}
    best = options.best or (subject.chunks is None and "chunks" in row.parameters)
    subject = replace(subject, words=words, ranks=ranks, parameters=fitting)
    _time_one(subject, replace(options, best=best), advised)


def _shared(subject: Subject, options: Options) -> tuple[Collective, int, int]:
    """The collective, bytes and ranks of a question about no algorithm in particular."""
    kind = find_collective(subject.words[0])
    subject.refuse("name an algorithm for it", counts=subject.counts)
    why = "only your own schedules take it"
    subject.refuse(why, slots=subject.slots, scratch=subject.scratch, nodes=subject.nodes)
    subject.refuse(why, helpers=subject.helpers, collective=subject.collective)
    size = _size(subject, options, not kind.moves_data)
    ranks = _ranks(subject, options.where)
    return kind, 8 * (subject.count or 0) if size is None else size, ranks or DEFAULT_RANKS


def _ranks(subject: Subject, where: Where) -> int | None:
    """-n, else what the machine has; None for a recording, which knows."""
    if subject.is_saved:
        return subject.ranks
    return where.ranks(subject.ranks) or DEFAULT_RANKS


def _place(options: Options, ranks: int) -> Setup:
    """The place with its trouble; raises BadInput where the machine has no room."""
    setup = options.where.setup()
    return options.trouble.of(setup, ranks)


def _size(subject: Subject, options: Options, moves_nothing: bool) -> int | None:
    """Bytes of the vector; None where elements say it. Raises BadInput where nothing does."""
    if options.size is not None:
        size = asked_size(options.size, subject)
        if moves_nothing and size:
            raise BadInput(f"--size {options.size}: a barrier moves no data; leave it out")
        return size
    if moves_nothing:
        return 0
    if subject.count is None and subject.counts is None and not subject.is_saved:
        raise BadInput("say how many bytes the vector has; nearest: --size 1GiB")
    return None


def _recording(subject: Subject, options: Options, setup: Setup) -> Recording:
    """The recording that is meant, of so many bytes, with the machine's own parameters."""
    row = subject.row() if not subject.is_saved and not subject.is_own else None
    size = _size(subject, options, row is not None and not row.promise.moves_data)
    if row is not None:
        ranks = subject.ranks or DEFAULT_RANKS
        filled = setup.fill(row, ranks, subject.parameters)
        subject = replace(subject, parameters=filled)
        if options.best:
            if "chunks" not in row.parameters:
                raise BadInput(f"--chunks best: {row.title} is not pipelined; leave it out")
            found = best_chunks(row, ranks, size or 0, setup, subject.root or 0, filled)
            subject = replace(subject, chunks=found.best)
    if size is None:
        recording: Recording = subject.recording(executed=False)
    elif subject.is_saved:
        return resized(subject.recording(executed=False), size)
    else:
        sized = replace(subject, count=size)
        recording = sized.recording(dtype="uint8", executed=False)
    return recording


def _clean(options: Options, recording: Recording) -> Timing | None:
    """The timing without the trouble, if there is any."""
    return options.where.setup().time(recording) if options.trouble else None


def _other(where: Where, setup: Setup, timed: Timed) -> tuple[str, float] | None:
    """The other clock's name and time, unless that would take long."""
    recording = timed.timing.recording
    if recording.counters.messages > _most_other(where):
        return None
    other = OTHER[where.clock]
    timing = replace(setup, clock=other).time(recording)
    return timing.clock, timing.total


def _most_other(where: Where) -> int:
    """Messages the other clock is asked about: many more where it need not share links."""
    quick = not where.is_file and where.machine in STARS
    return MOST_OTHER << 6 if quick else MOST_OTHER


def _best(recording: Recording, setup: Setup, options: Options) -> Any:
    """The best number of chunks of a pipeline of the catalog, unless that would take long."""
    row = recording.row
    if row is None or recording.chunks is None or recording.counts is not None:
        return None
    if recording.counters.messages > MOST_CHUNKED or not recording.count:
        return None
    size = recording.count * recording.dtype.itemsize
    return best_chunks(row, recording.ranks, size, setup, recording.root, recording.parameters)
