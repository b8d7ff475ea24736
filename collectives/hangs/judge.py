"""The judge: what is wrong with the calls of all ranks, the worst first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from collectives.hangs.between_two import between_two
from collectives.hangs.calls import Evidence
from collectives.hangs.differences import difference
from collectives.hangs.finding import Finding
from collectives.hangs.group_view import GroupView, views_of
from collectives.hangs.standing import counted, standing
from collectives.words import capital


def judge(evidence: Evidence) -> list[Finding]:
    """What is wrong, the worst first; nothing where nothing is.

    Ranks are singled out only where lines say how they differ from most others, or that others
    wait for them. A finding of ranks that wait themselves, in another group that has a finding,
    follows from that one.
    """
    views = views_of(evidence)
    is_expired = any(view.is_expired for view in views)
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
    if differing:
        yield differing
    for one in (
        *standing(view, is_expired),
        *counted(view, evidence.looks),
        *between_two(view, is_expired),
    ):
        if differing is None:
            yield one
        elif one.kind == "missing" or not set(one.ranks) <= set(differing.ranks):
            yield replace(one, follows=True)


def _traced(findings: list[Finding], views: Sequence[GroupView]) -> Iterator[Finding]:
    """Single out no rank that waits itself in another group; of a circle, say it."""
    by_key = {view.group.key: view for view in views}
    traced = [_without_held(one, findings, by_key) for one in findings]
    blamed = [one for one in traced if one.ranks]
    if blamed and all(one.follows for one in blamed):
        yield _circle([one for one in findings if one.ranks], views)
    yield from traced


def _without_held(
    one: Finding, findings: Sequence[Finding], by_key: dict[str, GroupView]
) -> Finding:
    """The finding without ranks that others hold up, in groups that have findings of their own."""
    if one.kind not in ("behind", "peer"):
        return one
    held: dict[int, Finding] = {}
    for other in findings:
        view = by_key.get(other.group)
        if other.group == one.group or not other.ranks or view is None or view.group.is_local:
            continue
        held |= {r: other for r in one.ranks if r not in other.ranks and _waits(view, r)}
    if not held:
        return one
    rest = tuple(rank for rank in one.ranks if rank not in held)
    causes = list(held.values())
    group = by_key[causes[0].group].group
    verb = "waits" if len(held) == 1 else "wait"
    text = f"{one.text}. {capital(group.ranks_text(sorted(held)))} {verb} itself, in {group.name}"
    if len(held) > 1:
        text = text.replace(" wait itself", " wait themselves")
    explained = not rest or any(set(rest) <= set(cause.ranks) for cause in causes)
    return replace(one, ranks=rest or one.ranks, text=text, follows=explained)


def _waits(view: GroupView, rank: int) -> bool:
    return view.waits_in(rank) >= 0 or any(
        call.rank == rank and call.is_pending for call in view.between
    )


def _circle(findings: Sequence[Finding], views: Sequence[GroupView]) -> Finding:
    """Groups whose ranks wait for each other: they call the groups in another order."""
    names = {view.group.key: view.group.name for view in views}
    sets = sorted({one.ranks for one in findings}, key=len)
    differing = sets[0] if len(sets) == 2 and len(sets[0]) < len(sets[1]) else ()
    parts = "; ".join(one.text for one in findings[:4])
    groups = " and ".join(dict.fromkeys(names.get(one.group, "") for one in findings))
    text = f"ranks wait for each other in a circle, as they call {groups} in another order: {parts}"
    return Finding("order", findings[0].group, text, differing, findings[0].sequence)
