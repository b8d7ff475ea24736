"""The verdict on a schedule that a verb times, draws or writes without being asked to prove it."""

from __future__ import annotations

from collectives.errors import WrongSchedule
from collectives.proof.prove import Verdict, prove
from collectives.recording.recording import Recording


def verdict_on(recording: Recording) -> Verdict:
    """The proof of somebody's own schedule; algorithms of the catalog are proved by its tests."""
    return prove(recording) if recording.row is None else Verdict(True, recording.title)


def refuse_wrong(verdict: Verdict) -> None:
    """Raise WrongSchedule, with the diagnosis, where a schedule is wrong."""
    if not verdict:
        raise WrongSchedule(str(verdict))
