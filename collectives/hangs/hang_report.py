"""The report on who hangs: findings first, then where the ranks of each group stand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from collectives.hangs.calls import Evidence, ProcessGroup, ranks_text
from collectives.hangs.finding import Finding
from collectives.hangs.group_view import GroupView, views_of
from collectives.hangs.standing import count_text
from collectives.text_lines import Grid, Heading, Lines, Paragraph
from collectives.words import capital, listed, plural, ranges

HANG, BROKEN, UNEVEN = "hang", "ranks fail", "ranks differ"
FINE, UNKNOWN, PARTIAL = "nothing wrong", "cannot say", "files are missing"
TITLES = {
    HANG: "A hang",
    BROKEN: "Ranks that fail or do not answer",
    UNEVEN: "Ranks differ; whether they hang is open",
    FINE: "Nothing wrong in these files",
    UNKNOWN: "Cannot say: no calls in these files",
    PARTIAL: "Cannot say: calls wait, and files of other ranks are missing",
}
NOBODY = ProcessGroup("", "")
OF_PROGRAM = frozenset(["absent", "error", "unnamed"])  # what the program says of itself
MOST_ROWS = 16  # of ranks, in the table of a group
MOST_GROUPS = 6
MOST_FINDINGS = 12


@dataclass(frozen=True, repr=False)
class HangReport:
    """What files say of the calls of all ranks, and what is wrong with them.

    findings: the worst first; those that follow from others last.
    """

    evidence: Evidence
    findings: Sequence[Finding] = ()

    @property
    def verdict(self) -> str:
        """In two words: a hang, ranks that fail or differ, nothing wrong, or cannot say."""
        if any(finding.is_still and finding.kind not in OF_PROGRAM for finding in self.findings):
            return HANG
        if self.findings:
            kinds = {finding.kind for finding in self.findings}
            return BROKEN if kinds & {"absent", "error"} else UNEVEN
        has_calls = self.evidence.calls or any(p.enqueued >= 0 for p in self.evidence.progress)
        has_standing = any(group.standing for group in self.evidence.groups)
        if any(self._waiting_alone(view) for view in self._views()):
            return PARTIAL
        return FINE if has_calls or has_standing else UNKNOWN

    @staticmethod
    def _waiting_alone(view: GroupView) -> list[int]:
        """Ranks that wait in a call, where files of other members of the group are missing."""
        waiting = [rank for rank in view.ranks if view.waits_in(rank) >= 0]
        return waiting if view.missing else []

    @property
    def status(self) -> int:
        """The exit status: 0 nothing wrong, 1 a hang, a mismatch, or calls that wait for others."""
        return int(bool(self.findings) or self.verdict == PARTIAL)

    def __repr__(self) -> str:
        """One line: the verdict, and the first finding."""
        first = f": {self.findings[0].text}" if self.findings else ""
        return f"<HangReport: {self.verdict}{first}>"

    def lines(self) -> Lines:
        """The verdict, findings with what to do, then the ranks of each group."""
        yield Heading(self._headline())
        groups = {group.key: group for group in self.evidence.groups}
        for at, finding in enumerate(self.findings[:MOST_FINDINGS], 1):
            start = "follows: " if finding.follows else ""
            yield Paragraph(f"{capital(start + finding.text)}.", f"{at}.", 3)
            if not finding.follows:
                yield Paragraph(f"next: {finding.advice}", "   ", 3)
            if where := groups.get(finding.group, NOBODY).where_text(finding.ranks):
                yield Paragraph(f"where: {where}", "   ", 3)
            if finding.origin:
                yield Paragraph(f"from: {finding.origin}", "   ", 3)
        if len(self.findings) > MOST_FINDINGS:
            yield f"   and {len(self.findings) - MOST_FINDINGS} more"
        if self.verdict == PARTIAL:
            yield from self._missing_files()
        for note in self.evidence.notes:
            yield Paragraph(f"{capital(note)}.")
        views = [view for view in views_of(self.evidence) if view.ranks or view.group.standing]
        for view in views[:MOST_GROUPS]:
            yield ""
            yield from _ranks_of(view)
        if len(views) > MOST_GROUPS:
            yield f"and {plural(len(views) - MOST_GROUPS, 'group')} more"

    def _missing_files(self) -> Lines:
        """Who waits in what, and whose files would say why."""
        for view in self._views():
            for rank in self._waiting_alone(view)[:MOST_FINDINGS]:
                call = view.describe(view.waits_in(rank), [rank])
                others = ranks_text(view.missing)
                yield Paragraph(f"Rank {rank} waits in {call}; add the files of {others}.")

    def _headline(self) -> str:
        source = listed(self.evidence.kinds)
        ranks = len({(v.group.is_local and v.group.key, r) for v in self._views() for r in v.ranks})
        of = f"{source}, {plural(ranks, 'rank')}" if ranks else source
        causes = sum(not finding.follows for finding in self.findings)
        count = f"; {plural(causes, 'finding')}" if causes else ""
        return f"{TITLES[self.verdict]} ({of}{count})"

    def _views(self) -> list[GroupView]:
        return views_of(self.evidence)

    def as_json(self) -> dict[str, Any]:
        """The same as values."""
        return {
            "verdict": self.verdict,
            "formats": list(self.evidence.kinds),
            "findings": [finding.as_json() for finding in self.findings],
            "notes": list(self.evidence.notes),
            "groups": [_group_json(view) for view in self._views()],
        }


def _ranks_of(view: GroupView) -> Lines:
    """Where the ranks of a group stand, those alike in one row."""
    if view.group.standing:
        yield f"{capital(view.group.name)}: {view.group.standing}"
        return
    of = f" of {view.group.size_text}" if view.group.members else ""
    yield Heading(f"Ranks of {view.group.name}: {len(view.ranks)}{of} in these files")
    rows: dict[tuple[str, ...], list[int]] = {}
    for rank in view.ranks:
        rows.setdefault(_row(view, rank), []).append(rank)
    text = [(f"rank{'s' * (len(ranks) > 1)} {ranges(ranks)}", *row) for row, ranks in rows.items()]
    yield Grid(text[:MOST_ROWS], indent=2)
    if len(text) > MOST_ROWS:
        yield f"  and {len(text) - MOST_ROWS} more"


def _row(view: GroupView, rank: int) -> tuple[str, ...]:
    counts = view.counts.get(rank)
    if counts:
        usual = sorted(counts.items(), key=lambda item: -item[1])
        return (f"launched {listed([count_text(n, name) for name, n in usual if n], limit=4)}", "")
    enqueued, at = view.enqueued(rank), view.waits_in(rank)
    if view.last_called(rank):
        return f"last called {view.describe(enqueued, [rank])}", ""
    reached = f"enqueued {enqueued}" if enqueued >= 0 else ""
    if at < 0:
        pending = [c for c in view.between if c.rank == rank and c.is_pending]
        has_calls = reached or any(call.rank == rank for call in view.between)
        idle = "waits in no call" if has_calls else "none of its calls is in these files"
        return f"waits in {pending[0].text}" if pending else idle, reached
    return f"waits in {view.describe(at, [rank])}", reached


def _group_json(view: GroupView) -> dict[str, Any]:
    return {
        "name": view.group.name,
        "key": view.group.key,
        "members": list(view.group.members),
        "positions": view.group.is_local,
        "missing": view.missing,
        "standing": view.group.standing or None,
        "ranks": list(_rank_json(view)),
    }


def _rank_json(view: GroupView) -> Iterator[dict[str, Any]]:
    for rank in view.ranks:
        at = view.waits_in(rank)
        call = view.call(rank, at) if at >= 0 else None
        enqueued = view.enqueued(rank)
        yield {
            "rank": rank,
            "enqueued": enqueued if enqueued >= 0 else None,
            "waits_in": at if at >= 0 else None,
            "operation": call.operation if call else None,
            "elements": call.elements_in if call and call.elements_in >= 0 else None,
            "launched": view.counts.get(rank, {}),
        }
