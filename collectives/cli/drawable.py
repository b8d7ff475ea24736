"""Refuses, before anything is executed, what no picture shows, and says what helps."""

from __future__ import annotations

from collectives.cli.subject import Subject
from collectives.cli.where import MOST_DRAWN, MOST_SHOWN
from collectives.errors import BadInput
from collectives.recording.recording import Recording
from collectives.words import plural


def check_drawn(subject: Subject, recording: Recording, limit: int) -> None:
    """Raise BadInput for more ranks or chunks than a page or a picture shows."""
    for noun, number in (("rank", recording.ranks), ("chunk", recording.chunk_count)):
        if number > limit:
            kind = "a page" if limit == MOST_SHOWN else "a picture"
            choice = _choice(subject, recording, noun, limit)
            raise BadInput(f"{plural(number, noun)}: {kind} shows 1 to {limit}; {choice}")


def check_asked(subject: Subject, recording: Recording) -> None:
    """Raise BadInput for --ask of a recording of too many transfers to be asked about."""
    from collectives.questions.choose import MOST_ROWS

    if recording.counters.rows > MOST_ROWS:
        near = "leave it out" if subject.is_saved else "nearest: -n 8"
        of = f"{recording.title} on {plural(recording.ranks, 'rank')}"
        raise BadInput(f"--ask: nothing can be asked of {of}: it has too many transfers; {near}")


def _choice(subject: Subject, recording: Recording, noun: str, limit: int) -> str:
    """What the user can do: a file has the ranks and chunks that it has."""
    if subject.is_saved:
        fits = max(recording.ranks, recording.chunk_count) <= MOST_DRAWN
        others = "video, figure, run, check and time" if fits else "run, check and time"
        return f"those of a file are fixed; {others} take it"
    if subject.is_own:
        return f"nearest: --slots {limit}" if noun == "chunk" else f"nearest: -n {limit}"
    if recording.chunks is not None and noun == "chunk":
        return f"nearest: --chunks {limit}"
    row, ranks = subject.row(), recording.ranks
    for fewer in range(ranks - 1, 0, -1):
        if row.accepts(fewer, recording.given):
            setting = row.setting(fewer, 0, subject.chunks, recording.given)
            if max(fewer, row.chunk_count(setting)) <= limit:
                return f"nearest: -n {fewer}"
    return "nearest: fewer ranks"
