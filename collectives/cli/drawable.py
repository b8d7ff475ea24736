"""Refuses, before anything is executed, what no picture shows, and says what helps."""

from __future__ import annotations

from collectives.cli.subject import Subject
from collectives.errors import BadInput, TooLarge
from collectives.recording.recording import Recording
from collectives.words import plural

MOST_SHOWN, MOST_DRAWN = 256, 1024  # ranks, or chunks, in a figure or page; in a film or picture


def check_drawn(subject: Subject, recording: Recording, limit: int) -> None:
    """Raise BadInput for more ranks or chunks than a page or a picture shows."""
    for noun, number in (("rank", recording.ranks), ("chunk", recording.chunk_count)):
        if number > limit:
            kind = "a page" if limit == MOST_SHOWN else "a picture"
            what = f"{plural(number, noun)}: {kind} shows 1 to {limit}"
            if subject.is_fixed:
                fits = max(recording.ranks, recording.chunk_count) <= MOST_DRAWN
                others = "video, figure, run, check and time" if fits else "run, check and time"
                raise TooLarge(what, "", f"{others} take it").of_file()
            raise TooLarge(what, subject.fitting(recording, noun, limit))


def check_asked(subject: Subject, recording: Recording) -> None:
    """Raise BadInput for --ask of a recording of too many transfers to be asked about."""
    from collectives.questions.choose import MOST_ROWS

    if recording.counters.rows > MOST_ROWS:
        near = "leave it out" if subject.is_fixed else "try: -n 8"
        of = f"{recording.title} on {plural(recording.ranks, 'rank')}"
        raise BadInput(
            f"--ask: there is nothing to ask about {of}: it has too many transfers; {near}"
        )
