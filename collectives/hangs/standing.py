"""Where the ranks of a group stand: who is behind, who is missing, who only waits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from collectives.hangs.calls import ENQUEUED, STARTED, RankProgress, ranks_text
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
    last = max(waits.values())
    behind = [rank for rank in view.ranks if 0 <= view.enqueued(rank) < last]
    if behind:
        yield _behind(view, behind, waits, is_expired)
    few = len(view.group.members) // (4 if view.group.is_open else 2)
    if view.missing and len(view.missing) <= few and len(view.missing) < len(view.ranks):
        yield _missing(view, waits, is_expired)
    elif not behind and is_expired:
        yield _unstarted(view, waits) or _stuck(view, waits)


def _behind(view: GroupView, behind: list[int], waits: dict[int, int], is_expired: bool) -> Finding:
    last = max(waits.values())
    waiting = [rank for rank, at in waits.items() if at == last]
    parts = []
    for at in sorted({view.enqueued(rank) for rank in behind}):
        ranks = [rank for rank in behind if view.enqueued(rank) == at]
        verb = "has" if len(ranks) == 1 else "have"
        parts.append(f"{ranks_text(ranks)} {verb} enqueued {at or 'nothing'}")
    is_rest = len(view.ranks) == len(behind) + len(waiting) and len(waiting) > 1
    who = f"all {len(waiting)} others" if is_rest else ranks_text(waiting)
    verb = "wait" if len(waiting) > 1 else "waits"
    call = view.describe(last, waiting)
    text = f"{listed(parts, limit=6)}; {who} {verb} in {call}, of {view.group.name}"
    if not is_expired:
        text += (
            ". No call ran longer than its timeout in these files: if the job ran on when they "
            "were written, look again"
        )
    lowest = min(view.enqueued(rank) for rank in behind)
    first = tuple(rank for rank in behind if view.enqueued(rank) == lowest)  # the rest may wait
    origin = _origin(view, first[0])
    key = view.group.key
    return Finding("behind", key, text, first, last, origin, is_still=is_expired)


def _missing(view: GroupView, waits: dict[int, int], is_expired: bool) -> Finding:
    ranks = tuple(view.missing)
    text = (
        f"{ranks_text(ranks)} of {view.group.name} {'is' if len(ranks) == 1 else 'are'} missing "
        f"from these files, which have {len(view.ranks)} of {view.group.size_text}; "
        f"{_who_waits(view, waits)}"
    )
    last = max(waits.values())
    return Finding("missing", view.group.key, text, ranks, last, is_still=is_expired)


def _unstarted(view: GroupView, waits: dict[int, int]) -> Finding | None:
    """Ranks whose GPU has not started the call in which those of others wait; None without any."""
    last = max(waits.values())
    calls = {rank: view.call(rank, last) for rank, at in waits.items() if at == last}
    started = [rank for rank, call in calls.items() if call and call.state == STARTED]
    idle = tuple(rank for rank, call in calls.items() if call and call.state == ENQUEUED)
    if not started or not idle or len(calls) < len(waits):
        return None
    verb, has = ("waits", "has") if len(started) == 1 else ("wait", "have")
    text = (
        f"{ranks_text(idle)} {'has' if len(idle) == 1 else 'have'} enqueued call {last} of "
        f"{view.group.name}, and {'its GPU has' if len(idle) == 1 else 'their GPUs have'} not "
        f"started it; {ranks_text(started)} {has} started it and {verb} in "
        f"{view.describe(last, started)}"
    )
    return Finding("unstarted", view.group.key, text, idle, last, _origin(view, idle[0]))


def _stuck(view: GroupView, waits: dict[int, int]) -> Finding:
    """All wait, and nothing in these files says for whom."""
    text = f"{_who_waits(view, waits)}, of {view.group.name}"
    if view.missing:
        text += (
            f"; the group has {view.group.size_text}, and these files have nothing of "
            f"{ranks_text(view.missing)}: cannot say who is behind"
        )
    elif len(waits) == 1:
        text += "; these files have no other rank: cannot say for whom it waits"
    else:
        text += "; none of them is behind: cannot say who holds them up"
        if not view.group.members:
            text += ". These files do not say whether the group has more ranks"
    last = max(waits.values())
    return Finding("stuck", view.group.key, text, (), last, _origin(view, next(iter(waits))))


def _who_waits(view: GroupView, waits: dict[int, int]) -> str:
    """Which ranks wait in which call: rank 0 waits in 5, ALLREDUCE of 8 elements."""
    parts = []
    for number in sorted(set(waits.values())):
        ranks = [rank for rank, at in waits.items() if at == number]
        verb = "wait in the same call," if len(ranks) > 1 else "waits in"
        parts.append(f"{ranks_text(ranks)} {verb} {view.describe(number, ranks)}")
    return listed(parts, limit=6)


def _origin(view: GroupView, rank: int) -> str:
    if call := view.call(rank, view.waits_in(rank)) or view.call(rank, view.enqueued(rank)):
        return call.origin
    return view.counters[rank].origin if rank in view.counters else ""


def counted(view: GroupView, looks: Sequence[Sequence[RankProgress]]) -> Iterator[Finding]:
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
        calls = [count_text(count, name) for count, name in zip(value, uneven, strict=True)]
        parts.append(f"{ranks_text(same)} {verb} launched {listed(calls, limit=4)}")
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
    behind = tuple(rank for rank in ranks if totals[rank] == min(totals.values()))
    sure = 2 * len(behind) < len(ranks)  # most ranks may well wait for the others
    yield Finding("behind", view.group.key, text, behind if sure else (), is_still=bool(is_still))


def last_called(view: GroupView) -> Iterator[Finding]:
    """What the last calls of ranks say, where no line says which of them completed."""
    last = {rank: view.enqueued(rank) for rank in view.ranks if view.last_called(rank)}
    if len(set(last.values())) < 2:
        return
    parts = []
    for number in sorted(set(last.values())):
        ranks = [rank for rank, at in last.items() if at == number]
        verb = "has" if len(ranks) == 1 else "have"
        parts.append(f"{ranks_text(ranks)} {verb} called up to {view.describe(number, ranks)}")
    behind = tuple(rank for rank, at in last.items() if at == min(last.values()))
    text = f"{listed(parts, limit=6)} (of {view.group.name}){AT_ONE_LOOK}"
    named = behind if 2 * len(behind) < len(last) else ()
    yield Finding("behind", view.group.key, text, named, min(last.values()) + 1, is_still=False)


def _still(view: GroupView, looks: Sequence[Sequence[RankProgress]]) -> bool | None:
    """Whether counts are those of the look before; None where there is none of this group."""
    before = {
        (reached.rank, reached.operation): reached.enqueued
        for look in looks[-1:]
        for reached in look
        if reached.group == view.group.key
    }
    if not before:
        return None
    now = {(rank, name): n for rank, counts in view.counts.items() for name, n in counts.items()}
    shared = before.keys() & now.keys()
    return bool(shared) and all(before[key] == now[key] for key in shared)


def count_text(count: int, name: str) -> str:
    """How many operations of a name were launched; NCCL before 2.26 counts all together.

    >>> count_text(6650, "collective"), count_text(640, "AllGather")
    ('6,650 operations', '640 AllGather')
    """
    return plural(count, "operation") if name == "collective" else f"{count:,} {name}"
