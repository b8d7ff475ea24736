"""The judge: what is wrong with the calls of all ranks, the worst first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from collectives.hangs.between_two import between_two
from collectives.hangs.calls import Evidence, ranks_text
from collectives.hangs.differences import difference, is_pending
from collectives.hangs.finding import Finding
from collectives.hangs.group_view import GroupView, views_of
from collectives.hangs.standing import counted, last_called, standing
from collectives.words import capital, listed

DUMPS = "Flight Recorder"  # that have all calls of a rank
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
        others = [another for another in views if another is not view]
        findings += _of_group(view, others, evidence, is_expired)
    if DUMPS in evidence.kinds:
        findings = [replace(finding, has_dumps=True) for finding in findings]
    return sorted(_traced(findings, views), key=lambda finding: finding.worst_first)


def _notices(evidence: Evidence) -> Iterator[Finding]:
    for notice in evidence.notices:
        yield Finding(notice.kind, notice.group, notice.text, notice.ranks, -1, notice.origin)


def _of_group(
    view: GroupView, others: Sequence[GroupView], evidence: Evidence, is_expired: bool
) -> Iterator[Finding]:
    differing = difference(view, others)
    if differing and view.group.is_mixed:
        text = f"{differing.text}. These lines name no group, and may be of several"
        differing = replace(differing, text=text, ranks=())
    if differing:
        yield differing
    for finding in (
        *(_without_sending(finding, view) for finding in standing(view, is_expired)),
        *counted(view, evidence.looks),
        *last_called(view),
        *between_two(view, is_expired),
    ):
        if differing is None or not is_pending(view, differing.sequence):
            yield finding
        elif finding.kind == "missing" or not set(finding.ranks) <= set(differing.ranks):
            yield replace(finding, follows=True)


def _without_sending(finding: Finding, view: GroupView) -> Finding:
    """The finding without ranks that wait in a send or receive of the same group."""
    calls = {
        call.rank: call for call in view.between if call.is_pending and call.rank in finding.ranks
    }
    if finding.kind != "behind" or not calls:
        return finding
    waits = [f"rank {rank} waits itself in {call.text}" for rank, call in sorted(calls.items())]
    rest = tuple(rank for rank in finding.ranks if rank not in calls)
    return replace(finding, ranks=rest, text=f"{finding.text}. {capital(listed(waits, limit=4))}")


def _traced(findings: list[Finding], views: Sequence[GroupView]) -> Iterator[Finding]:
    """Single out no rank that waits itself in another group; of a circle, say it."""
    by_key = {view.group.key: view for view in views}
    traced = [_without_held(finding, findings, by_key) for finding in findings]
    blamed = [finding for finding in traced if finding.ranks]
    if blamed and all(finding.follows for finding in blamed):
        circle = [finding for finding in findings if finding.ranks]
        if len({finding.group for finding in circle}) > 1:
            yield _circle(circle, by_key)
            traced = [finding for finding in traced if not finding.ranks]
    elsewhere = {finding.ranks for finding in traced if finding.kind == "group"}
    for finding in traced:
        is_same = finding.kind in OF_CALLS and finding.ranks in elsewhere
        yield replace(finding, follows=True) if is_same else finding


def _without_held(
    finding: Finding, findings: Sequence[Finding], by_key: dict[str, GroupView]
) -> Finding:
    """The finding without ranks that others hold up, in groups that have findings of their own."""
    if finding.kind not in ("behind", "peer", "unstarted") or finding.group not in by_key:
        return finding
    own = by_key[finding.group].group
    held: dict[int, Finding] = {}
    for behind in findings:
        view = by_key.get(behind.group)
        if behind.group == finding.group or view is None:
            continue
        waiting = _waiting(view) - {view.group.identity(rank) for rank in behind.ranks}
        held |= {rank: behind for rank in finding.ranks if own.identity(rank) in waiting}
    if not held:
        return finding
    rest = tuple(rank for rank in finding.ranks if rank not in held)
    causes = list(held.values())
    where = by_key[causes[0].group].group.name
    verb = "waits itself" if len(held) == 1 else "wait themselves"
    text = f"{finding.text}. {capital(ranks_text(sorted(held)))} {verb}, in {where}"
    left = {own.identity(rank) for rank in rest}
    explained = any(cause.ranks and left <= _blamed(cause, by_key) for cause in causes)
    if not rest and explained:
        rest = finding.ranks
    return replace(finding, ranks=rest, text=text, follows=explained)


def _blamed(finding: Finding, by_key: dict[str, GroupView]) -> set[str]:
    """The ranks of a finding, as they are known in all groups."""
    return {by_key[finding.group].group.identity(rank) for rank in finding.ranks}


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
    sides = [_waiting(by_key[finding.group]) - _blamed(finding, by_key) for finding in findings]
    fewest = min(sides, key=len)
    ranks = [finding.ranks for finding in findings if _blamed(finding, by_key) == fewest]
    alone = len(findings) == 2 and len(sides[0]) != len(sides[1]) and ranks
    groups = " and ".join(dict.fromkeys(by_key[finding.group].group.name for finding in findings))
    parts = "; ".join(finding.text for finding in findings[:4])
    text = f"ranks wait for each other in a circle, as they call {groups} in another order: {parts}"
    first = findings[0]
    return Finding("order", first.group, text, ranks[0] if alone else (), first.sequence)
