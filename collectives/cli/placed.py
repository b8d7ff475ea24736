"""The recording of a subject on a machine, and where it is timed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from collectives.cli.drawable import MOST_SHOWN
from collectives.cli.subject import DEFAULT_RANKS, Subject
from collectives.cost.choose.setup import Setup
from collectives.cost.where import Where
from collectives.errors import BadInput, WrongSchedule
from collectives.recording.recording import Recording


def placed(
    subject: Subject,
    where: Where,
    dtype: str = "uint8",
    change: Callable[[Setup, int], Setup] | None = None,
    options: Sequence[str] = (),
    limit: int = MOST_SHOWN,
    partly: bool = False,
) -> tuple[Recording, Setup]:
    """The recording of a subject with the parameters of its machine, and where it is timed.

    Without -n it has as many ranks as the machine, where that is certain. `change` makes another
    setup for so many ranks, as faults do. options: those of which a picture shows at most `limit`.
    partly: a schedule that breaks a rule is recorded up to there. Raises BadInput where the
    recording does not fit.
    """
    if not subject.is_fixed:
        subject = replace(subject, ranks=where.ranks(subject.ranks) or DEFAULT_RANKS)
        _check_shown(subject, options, limit)
    ranks = subject.ranks or DEFAULT_RANKS
    plain = where.setup()
    setup = plain if change is None else change(plain, ranks)
    subject = subject.filled(setup, ranks).with_best_chunks(setup)
    sized = subject.size is not None and not subject.is_fixed
    kind = dtype if sized else None
    try:
        recording = subject.recording(kind, executed=False)
    except WrongSchedule as problem:
        if not partly or problem.recording is None:
            raise
        recording = problem.recording
    if where.is_own or not subject.in_catalog:
        where.check_room(recording, fixed=subject.is_fixed)
    where.check_fits(recording, plain)
    return recording, setup


def _check_shown(subject: Subject, options: Sequence[str], limit: int) -> None:
    """Raise BadInput for more ranks or chunks than are shown, before they are recorded."""
    for option in options:
        number = {"-n": subject.ranks, "--chunks": subject.chunks}[option]
        if number is not None and number > limit:
            near = f"{option} {limit}"
            raise BadInput(f"{option} {number}: a picture shows 1 to {limit}; try: {near}")
