"""The judge: what is wrong with the calls of all ranks, the worst first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from collectives.hangs.between_two import between_two
from collectives.hangs.calls import Evidence, ranks_text
from collectives.hangs.differences import difference, is_pending
from collectives.hangs.finding import Finding
from collectives.hangs.group_view import GroupView, views_of
from collectives.hangs.standing import counted, standing
from collectives.words import capital, listed

OF_CALLS = ("operation", "order", "skipped", "size", "dtype")


def judge(evidence: Evidence) -> list[Finding]:
    """What is wrong, the worst first; nothing where nothing is.

    Ranks are singled out only where lines say how they differ from most others, or that others
    wait for them. A finding of ranks that wait themselves, in another group that has a finding,
    follows from that one.
    """
    views = views_of(evidence)
    is_expired = evidence.is_expired or any(view.is_expired for view in views)
    findings = [*_notices(evidence)]
    for view in views:
        others = [other for other in views if other is not view]
        findings += _of_group(view, others, evidence, is_expired)
    return sorted(_traced(findings, views), key=lambda one: one.worst_first)


def _notices(evidence: Evidence) -> Iterator[Finding]:
    for one in evidence.notices:
        yield Finding(one.kind, one.group, one.text, one.ranks, -1, one.origin)


def _of_group(
    view: GroupView, others: Sequence[GroupView], evidence: Evidence, is_expired: bool
) -> Iterator[Finding]:
    differing = difference(view, others)
    if differing and view.group.is_mixed:
        text = f"{differing.text}. These lines name no group, and may be of several"
        differing = replace(differing, text=text, ranks=())
    if differing:
        yield differing
    for one in (
        *(_without_sending(one, view) for one in standing(view, is_expired)),
        *counted(view, evidence.looks),
        *between_two(view, is_expired),
    ):
        if differing is None or not is_pending(view, differing.sequence):
            yield one
        elif one.kind == "missing" or not set(one.ranks) <= set(differing.ranks):
            yield replace(one, follows=True)


def _without_sending(one: Finding, view: GroupView) -> Finding:
    """The finding without ranks that wait in a send or receive of the same group."""
    calls = {call.rank: call for call in view.between if call.is_pending and call.rank in one.ranks}
    if one.kind != "behind" or not calls:
        return one
    waits = [f"rank {rank} waits itself in {call.text}" for rank, call in sorted(calls.items())]
    rest = tuple(rank for rank in one.ranks if rank not in calls)
    return replace(one, ranks=rest, text=f"{one.text}. {capital(listed(waits, limit=4))}")


def _traced(findings: list[Finding], views: Sequence[GroupView]) -> Iterator[Finding]:
    """Single out no rank that waits itself in another group; of a circle, say it."""
    by_key = {view.group.key: view for view in views}
    traced = [_without_held(one, findings, by_key) for one in findings]
    blamed = [one for one in traced if one.ranks]
    if blamed and all(one.follows for one in blamed):
        circle = [one for one in findings if one.ranks]
        if len({one.group for one in circle}) > 1:
            yield _circle(circle, by_key)
            traced = [one for one in traced if not one.ranks]
    elsewhere = {one.ranks for one in traced if one.kind == "group"}
    for one in traced:
        is_same = one.kind in OF_CALLS and one.ranks in elsewhere
        yield replace(one, follows=True) if is_same else one


def _without_held(
    one: Finding, findings: Sequence[Finding], by_key: dict[str, GroupView]
) -> Finding:
    """The finding without ranks that others hold up, in groups that have findings of their own."""
    if one.kind not in ("behind", "peer") or one.group not in by_key:
        return one
    own = by_key[one.group].group
    held: dict[int, Finding] = {}
    for other in findings:
        view = by_key.get(other.group)
        if other.group == one.group or view is None:
            continue
        waiting = _waiting(view) - {view.group.identity(rank) for rank in other.ranks}
        held |= {rank: other for rank in one.ranks if own.identity(rank) in waiting}
    if not held:
        return one
    rest = tuple(rank for rank in one.ranks if rank not in held)
    causes = list(held.values())
    where = by_key[causes[0].group].group.name
    verb = "waits itself" if len(held) == 1 else "wait themselves"
    text = f"{one.text}. {capital(ranks_text(sorted(held)))} {verb}, in {where}"
    left = {own.identity(rank) for rank in rest}
    explained = any(cause.ranks and left <= _blamed(cause, by_key) for cause in causes)
    if not rest and explained:
        rest = one.ranks
    return replace(one, ranks=rest, text=text, follows=explained)


def _blamed(one: Finding, by_key: dict[str, GroupView]) -> set[str]:
    """The ranks of a finding, as they are known in all groups."""
    return {by_key[one.group].group.identity(rank) for rank in one.ranks}


def _waiting(view: GroupView) -> set[str]:
    """The ranks of a group that wait for others in it, as they are known in all groups."""
    ranks = {rank for rank in view.ranks if view.waits_in(rank) >= 0}
    ranks |= {call.rank for call in view.between if call.is_pending}
    totals = {rank: sum(counts.values()) for rank, counts in view.counts.items()}
    ranks |= {rank for rank, total in totals.items() if total > min(totals.values())}
    return {view.group.identity(rank) for rank in ranks} - {""}


def _circle(findings: Sequence[Finding], by_key: dict[str, GroupView]) -> Finding:
    """Groups whose ranks wait for each other: they call the groups in another order.

    Those that call the one group first wait in it; the fewer of both are singled out.
    """
    sides = [_waiting(by_key[one.group]) - _blamed(one, by_key) for one in findings]
    fewest = min(sides, key=len)
    ranks = [one.ranks for one in findings if _blamed(one, by_key) == fewest]
    alone = len(findings) == 2 and len(sides[0]) != len(sides[1]) and ranks
    groups = " and ".join(dict.fromkeys(by_key[one.group].group.name for one in findings))
    parts = "; ".join(one.text for one in findings[:4])
    text = f"ranks wait for each other in a circle, as they call {groups} in another order: {parts}"
    first = findings[0]
    return Finding("order", first.group, text, ranks[0] if alone else (), first.sequence)
