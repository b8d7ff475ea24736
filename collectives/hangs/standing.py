"""Where the ranks of a group stand: who is behind, who is missing, who only waits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from collectives.hangs.calls import Progress
from collectives.hangs.finding import Finding
from collectives.hangs.group_view import GroupView
from collectives.words import listed, plural

AT_ONE_LOOK = (
    ". One look cannot say whether they move on: counts of running ranks differ, too; look again"
)


def standing(view: GroupView, is_expired: bool) -> Iterator[Finding]:
    """What can be said of a group whose ranks number their calls; is_expired: in any group."""
    waits = {rank: at for rank in view.ranks if (at := view.waits_in(rank)) >= 0}
    if not waits:
        return
    far = max(waits.values())
    waiting = [rank for rank, at in waits.items() if at == far]
    behind = [rank for rank in view.ranks if 0 <= view.enqueued(rank) < far]
    if behind:
        yield _behind(view, behind, waiting, far, is_expired)
    if view.missing and 2 * len(view.missing) < len(view.group.members):
        yield _missing(view, waits, is_expired)
    if not behind and is_expired:
        yield _stuck(view, waits)


def _behind(
    view: GroupView, behind: list[int], waiting: list[int], far: int, is_expired: bool
) -> Finding:
    reached = sorted({view.enqueued(rank) for rank in behind})
    parts = []
    for at in reached:
        ranks = [rank for rank in behind if view.enqueued(rank) == at]
        verb = "has" if len(ranks) == 1 else "have"
        number = f"enqueued {at:,}" if at else "enqueued nothing"
        parts.append(f"{view.group.ranks_text(ranks)} {verb} {number}")
    rest = len(view.ranks) - len(behind) - len(waiting)
    who = (
        f"all {len(waiting)} others wait"
        if not rest and len(waiting) > 1
        else (f"{view.group.ranks_text(waiting)} {'wait' if len(waiting) > 1 else 'waits'}")
    )
    text = f"{listed(parts, limit=6)}; {who} in {view.describe(far, waiting)}, of {view.group.name}"
    if not is_expired:
        text += (
            ". No call ran longer than its timeout in these files: were they written while the job "
            "ran, look again"
        )
    origin = _origin(view, behind[0])
    key = view.group.key
    return Finding("behind", key, text, tuple(behind), far, origin, is_still=is_expired)


def _missing(view: GroupView, waits: dict[int, int], is_expired: bool) -> Finding:
    known, total = len(view.ranks), len(view.group.members)
    at = max(waits.values())
    subject = f"{view.group.ranks_text(view.missing)} of {view.group.name}"
    verb = "is" if len(view.missing) == 1 else "are"
    text = (
        f"{subject} {verb} in none of these files, {known} of {total} ranks are; "
        f"{plural(len(waits), 'rank')} of these {'waits' if len(waits) == 1 else 'wait'} in "
        f"{view.describe(at, list(waits))}"
    )
    ranks = tuple(view.missing)
    return Finding("missing", view.group.key, text, ranks, at, is_still=is_expired)


def _stuck(view: GroupView, waits: dict[int, int]) -> Finding:
    """All wait, and nothing of these files says for whom."""
    numbers = sorted(set(waits.values()))
    name = view.group.name
    total = f"{len(waits)} of {len(view.group.members)}" if view.group.members else f"{len(waits)}"
    if len(numbers) > 1:
        parts = [
            f"{view.group.ranks_text(ranks)} in {view.describe(at, ranks)}"
            for at in numbers
            if (ranks := [rank for rank, number in waits.items() if number == at])
        ]
        text = f"ranks of {name} wait in different calls that all have enqueued: {listed(parts)}"
    elif len(waits) == 1:
        (rank,) = waits
        text = (
            f"{view.group.ranks_text([rank])} waits in {view.describe(numbers[0], waits)}, of "
            f"{name}; these lines have no other rank: cannot say for whom it waits"
        )
    else:
        text = (
            f"{total} ranks of {name} wait in the same call, {view.describe(numbers[0], waits)}; "
            "none of them is behind: cannot say who holds them up"
        )
        if not view.group.members:
            text += ". These lines do not say whether the group has more ranks"
    return Finding("stuck", view.group.key, text, (), numbers[0], _origin(view, next(iter(waits))))


def _origin(view: GroupView, rank: int) -> str:
    call = view.call(rank, view.enqueued(rank))
    if call:
        return call.origin
    return view.counters[rank].origin if rank in view.counters else ""


def counted(view: GroupView, looks: Sequence[Sequence[Progress]]) -> Iterator[Finding]:
    """What counts of operations say, as NCCL's RAS has them: launched, not completed."""
    names = sorted({name for counts in view.counts.values() for name in counts})
    ranks = sorted(view.counts)
    uneven = [name for name in names if len({view.counts[r].get(name, 0) for r in ranks}) > 1]
    if not uneven:
        return
    values = {rank: tuple(view.counts[rank].get(name, 0) for name in uneven) for rank in ranks}
    totals = {rank: sum(values[rank]) for rank in ranks}
    is_still = _still(view, looks)
    if is_still is False:
        return
    parts = []
    for value in sorted(set(values.values()), key=sum):
        same = [rank for rank in ranks if values[rank] == value]
        verb = "has" if len(same) == 1 else "have"
        calls = [f"{count:,} {name}" for count, name in zip(value, uneven, strict=True)]
        parts.append(f"{view.group.ranks_text(same)} {verb} launched {listed(calls, limit=4)}")
    text = f"{listed(parts, limit=6)} (of {view.group.name})"
    text += AT_ONE_LOOK if is_still is None else "; the same as at the look before"
    if len(set(totals.values())) == 1:
        usual = max(set(values.values()), key=list(values.values()).count)
        differing = tuple(rank for rank in ranks if values[rank] != usual)
        sure = 2 * len(differing) < len(ranks)
        yield Finding(
            "operation", view.group.key, text, differing if sure else (), is_still=bool(is_still)
        )
        return
    behind = tuple(rank for rank in ranks if totals[rank] < max(totals.values()))
    yield Finding("behind", view.group.key, text, behind, is_still=bool(is_still))


def _still(view: GroupView, looks: Sequence[Sequence[Progress]]) -> bool | None:
    """Whether counts are those of the look before; None where there is none of this group."""
    before = {
        (one.rank, one.operation): one.enqueued
        for look in looks[-1:]
        for one in look
        if one.group == view.group.key
    }
    if not before:
        return None
    now = {(rank, name): n for rank, counts in view.counts.items() for name, n in counts.items()}
    shared = before.keys() & now.keys()
    return bool(shared) and all(before[key] == now[key] for key in shared)
