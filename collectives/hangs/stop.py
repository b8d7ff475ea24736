"""Plays a collective up to the stop: those who have not called it send nothing, the rest wait."""

from __future__ import annotations

from collections.abc import Callable

from collectives.algorithms.per_rank import ring
from collectives.errors import BadInput, WrongSchedule
from collectives.hangs.finding import Finding
from collectives.hangs.group_view import GroupView, views_of
from collectives.hangs.hang_report import HangReport
from collectives.hangs.operation_names import collective_of
from collectives.proof.own_algorithm import OwnAlgorithm
from collectives.recording.recording import Recording
from collectives.schedule.spmd import Program
from collectives.words import ranges

RINGS: dict[str, Callable[[int, int], Program]] = {
    "all-reduce": ring.ring_all_reduce,
    "all-gather": ring.ring_all_gather,
    "reduce-scatter": ring.ring_reduce_scatter,
}
MOST_RANKS = 64
DTYPES = {  # of as many bytes as PyTorch's have
    "Half": "float16",
    "BFloat16": "uint16",
    "Double": "float64",
    "Long": "int64",
    "Byte": "uint8",
    "Char": "int8",
}


def stopped(report: HangReport) -> Recording:
    """The call that ranks have not made, on a ring, up to where nobody can go on.

    Parameters
    ----------
    report : HangReport
        With a finding of ranks that are behind or missing in a call whose operation is known.

    Returns
    -------
    Recording
        The steps before the stop, and who waits for whom. The ring is an example: the files do not
        say which algorithm NCCL ran.

    Raises
    ------
    BadInput
        Where no finding is of such a call, or the files do not say how many ranks the group has.
    """
    views = {view.group.key: view for view in views_of(report.evidence)}
    for finding in report.findings:
        if finding.kind in ("behind", "missing") and finding.sequence >= 0 and not finding.follows:
            return _played(views[finding.group], finding)
    raise BadInput("no rank is behind or missing in a known call: there is no stop to play")


def _played(view: GroupView, finding: Finding) -> Recording:
    members, at = view.group.members, finding.sequence
    if not 2 <= len(members) <= MOST_RANKS or view.group.is_open:
        size = view.group.size_text if members else "a number of ranks that no line says"
        raise BadInput(f"{view.group.name} has {size}: 2 to {MOST_RANKS} known ranks can be played")
    calls = [call for rank in view.ranks if (call := view.call(rank, at))]
    name = collective_of(calls[0].operation) if calls else "no known operation"
    if name not in RINGS:
        near = ", ".join(RINGS)
        raise BadInput(f"call {at} of {view.group.name} is {name}: what can be played is {near}")
    away = {
        position
        for position, rank in enumerate(members)
        if rank in view.missing or 0 <= view.enqueued(rank) < at
    }
    play = RINGS[name]

    def stopped_ring(rank: int, n: int) -> Program:
        """Ranks that have not called send nothing; the others wait for them."""
        if rank not in away:
            yield from play(rank, n)

    own = OwnAlgorithm(stopped_ring, name.replace("-", "_"))
    own.name = f"{name} {at} of {view.group.name} on a ring, without rank {ranges(sorted(away))}"
    call = calls[0]
    count = max(call.elements_in, call.elements_out)
    dtype = DTYPES.get(call.dtype, "float32")
    try:
        return own.record(len(members), 0, count=count if count > 0 else None, dtype=dtype)
    except WrongSchedule as problem:
        if problem.recording is None:
            raise
        return problem.recording
