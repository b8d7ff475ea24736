"""Reads what `ncclras` prints as text: communicators, counts of operations, ranks that are absent.

Lines: src/ras/client_support.cc of NVIDIA/nccl (at 12df1a1), `rasClientRunComms`: the table of
communicators, "#0-1 (hash) MISMATCH", "Communicator ranks have different AllReduce operation
counts" (2.26 and later; 2.24 and 2.25 count all operations together: "different collective
operation counts"), "7 ranks have launched up to operation 5", "Rank 3 has launched …" and, below
the line of several, "Rank 3 -- GPU 4 managed by process 5 on node a". Ranks are named where they
are one, or few: at most 10 and a quarter of all (`rasCountIsOutlier`); `ncclras -v` names up to a
half. A mismatch while communication is going on is no fault
(docs/userguide/source/troubleshooting/ras.rst).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from collectives.hangs.calls import Evidence, Notice, ProcessGroup, RankProgress, ranks_text
from collectives.hangs.fields import MOST_RANKS
from collectives.words import quoted, shown_name

MAX_LINE = 2048
MOST_LINES = 1 << 20
ROW = re.compile(
    r"\s*(?P<at>\d{1,9})\s+\d{1,9}\s+\d{1,9}\s+[\d-]{1,20}\s+(?P<size>\d{1,9})\s+\d{1,9}\s+"
    r"(?P<status>[A-Z]{1,20})\s+(?P<errors>[A-Z,]{2,40})\s*$"
)
SECTION = re.compile(r"#(?P<at>\d{1,9})-\d{1,9} \((?P<hash>[0-9a-f]{1,16})\) (?P<kind>[A-Z]{1,20})")
JOB = re.compile(r"(DEAD|INCOMPLETE|TIMEOUT)\s*$")
COUNTS = re.compile(r"\s+Communicator ranks have different (\w{1,40}) operation counts")
STATUSES = re.compile(r"\s+Communicator ranks have different status")
MISSING = re.compile(r"\s+Missing communicator data from (\d{1,9}) rank")
SEVERAL = re.compile(
    r"\s+(?P<count>\d{1,9}) ranks have (?:launched up to operation (?P<number>\d{1,19})|"
    r"(?P<none>not launched any operations)|status (?P<status>[A-Z]{1,20}))"
)
SINGLE = re.compile(
    r"\s+Rank (?P<rank>\d{1,10}) (?:has (?:launched up to operation (?P<number>\d{1,19})|"
    r"(?P<none>not launched any operations)|status (?P<status>[A-Z]{1,20}))|"
    r"reported (?P<error>[\w ]{1,60}?))? ?--(?P<where>.{0,300})"
)
REPORTED = re.compile(r"\s+(\d{1,9}) ranks reported ([\w ]{1,60})")
WHERE = re.compile(r" GPU (.{1,40}) managed by process (\d{1,10}) on node (\S{1,100})")
HEADS = (b"Job summary\n===", b"    #  in group  per comm", b"  Communicator ranks have different ")


def is_ras(content: bytes) -> bool:
    """Whether a file is such output."""
    plain = content.replace(b"\r\n", b"\n")
    return any(head in plain for head in HEADS) or bool(
        re.search(rb"^#\d+-\d+ \([0-9a-f]{16}\) [A-Z]", plain, re.MULTILINE)
    )


@dataclass
class Share:
    """Ranks that a line counts together: how many, what they have, and those that are named."""

    count: int
    value: int | str
    named: list[int] = field(default_factory=list)


@dataclass
class Section:
    """The lines below "#0-1 (hash) KIND"."""

    hash: str
    kind: str
    size: int
    origin: str
    counts: dict[str, list[Share]] = field(default_factory=dict)
    statuses: list[Share] = field(default_factory=list)
    errors: list[Share] = field(default_factory=list)
    absent: list[int] = field(default_factory=list)
    absent_count: int = 0
    where: dict[int, str] = field(default_factory=dict)


def read_ras(content: bytes, path: str) -> Evidence:
    """What the output says."""
    lines = [line[:MAX_LINE].decode("utf-8", "replace") for line in content.splitlines()]
    sizes, standing, notices, sections = dict[str, int](), [], list[Notice](), list[Section]()
    part: list[Share] | None = None
    mismatched = dict[str, str]()  # groups of communicators, with the line that says it of them
    job, is_open = "", False
    for at, line in enumerate(lines[:MOST_LINES], 1):
        origin = f"{quoted(path)} line {at}"
        if row := ROW.match(line):
            sizes[row["at"]] = int(row["size"])
            standing.append((int(row["size"]), row["status"], row["errors"]))
            if "MISMATCH" in row["errors"]:
                mismatched[row["at"]] = origin
        elif head := SECTION.match(line):
            job = ""
            size = sizes.get(head["at"], 0)
            sections.append(Section(f"{int(head['hash'], 16):016x}", head["kind"], size, origin))
            if head["kind"] == "MISMATCH":
                mismatched.pop(head["at"], None)
            part, is_open = None, True
        elif named := JOB.match(line):
            job, part = named[1], None
        elif job and line.startswith("  "):
            if re.match(r"  (\d+ job process|Missing communicator data)", line):
                notices.append(Notice("absent", line.strip(), origin=origin))
            elif re.match(r"  Process \d", line) and notices:
                text = f"{notices[-1].text}; {line.strip()}"[:MAX_LINE]
                notices[-1] = replace(notices[-1], text=text)
        elif not line.strip():
            part, is_open = None, is_open and sections[-1].kind == "MISMATCH"
        elif is_open:
            part = _take(sections[-1], line, part)
    for number, origin in mismatched.items():
        text = f"communicators of group {number}: MISMATCH, and no line names the ranks that differ"
        notices.append(Notice("unnamed", text, origin=origin))
    groups, progress = [], list[RankProgress]()
    for name in dict.fromkeys(section.hash for section in sections):
        same = [section for section in sections if section.hash == name]
        group, further, said_wrong = _read(name, same)
        groups.append(group)
        progress += further
        notices += said_wrong
    for at, (size, status, errors) in enumerate(standing):
        if errors == "OK":
            key, name = f"table {at}", f"communicators of {size} ranks"
            groups.append(ProcessGroup(key, name, standing=f"{status}, {errors}"))
    return Evidence(tuple(groups), (), tuple(progress), tuple(notices), ("NCCL RAS",))


def _take(section: Section, line: str, part: list[Share] | None) -> list[Share] | None:
    """Note a line of a section; returns the counts that further lines belong to."""
    if counts := COUNTS.match(line):
        if counts[1] in section.counts:  # of another communicator, whose line is not there
            return None
        return section.counts.setdefault(counts[1], [])
    if STATUSES.match(line):
        return section.statuses
    if missing := MISSING.match(line):
        if section.absent_count:  # of another communicator
            section.kind = ""
        section.absent_count = section.absent_count or int(missing[1])
    elif several := SEVERAL.match(line):
        if part is not None:
            part.append(Share(int(several["count"]), _value(several)))
    elif reported := REPORTED.match(line):
        section.errors.append(Share(int(reported[1]), reported[2]))
        return section.errors
    elif single := SINGLE.match(line):
        return _take_rank(section, single, part)
    return part


def _take_rank(
    section: Section, single: re.Match[str], part: list[Share] | None
) -> list[Share] | None:
    """Note a line that names a rank: with a value of its own, or below a count."""
    rank = int(single["rank"])
    if place := WHERE.match(single["where"]):
        section.where[rank] = shown_name(f"GPU {place[1]}, process {place[2]} on {place[3]}")
    if single["error"]:
        section.errors.append(Share(1, single["error"], [rank]))
        return section.errors
    if single["number"] or single["none"] or single["status"]:
        if part is not None:
            part.append(Share(1, _value(single), [rank]))
    elif part:
        part[-1].named.append(rank)
    elif section.kind == "INCOMPLETE":
        section.absent.append(rank)
    return part


def _value(line: re.Match[str]) -> int | str:
    return line["status"] or int(line["number"] or 0)


def _read(
    name: str, sections: Sequence[Section]
) -> tuple[ProcessGroup, list[RankProgress], list[Notice]]:
    """What the sections of a communicator say."""
    size = max(section.size for section in sections)
    where = {rank: text for section in sections for rank, text in section.where.items()}
    title = f"communicator {name}"
    shares = [s for x in sections for part in x.counts.values() for s in part]
    numbers = {rank for x in sections for rank in x.absent} | {r for s in shares for r in s.named}
    if size > MOST_RANKS or any(rank >= (size or MOST_RANKS) for rank in numbers):
        why = "it names ranks beyond its size, as NCCL 2.27.3 can (NVIDIA/nccl issue 1762)"
        notice = Notice("unnamed", f"{title}: {why}", name, origin=sections[0].origin)
        return ProcessGroup(name, title, is_local=True), [], [notice]
    group = ProcessGroup(name, title, tuple(range(size)), True, where)
    progress, notices = list[RankProgress](), list[Notice]()
    for section in sections:
        for operation, part in section.counts.items():
            progress += _counted(group, operation, part, section.origin)
            if any(not share.named for share in part) and not _complete(group, part):
                text = _split_text(operation, part)
                notices.append(Notice("unnamed", text, name, origin=section.origin))
        notices += _notices(section, group)
    return group, progress, notices


def _complete(group: ProcessGroup, part: list[Share]) -> bool:
    """Whether all shares but at most one name their ranks, and the other has all that are left."""
    unnamed = [share for share in part if len(share.named) != share.count]
    total = sum(share.count for share in part)
    return not unnamed or (
        len(unnamed) == 1 and not unnamed[0].named and total == len(group.members)
    )


def _counted(
    group: ProcessGroup, operation: str, part: list[Share], origin: str
) -> Iterator[RankProgress]:
    """The counter of each rank, where the lines name it or leave no other."""
    if not _complete(group, part):
        return
    named = {rank for share in part for rank in share.named}
    rest = [rank for rank in group.members if rank not in named]
    label = "" if operation == "collective" else operation
    for share in part:
        for rank in share.named or rest:
            yield RankProgress(group.key, rank, int(share.value), -1, label or "collective", origin)


def _split_text(operation: str, part: list[Share]) -> str:
    counts = [f"{share.count} ranks have launched {share.value}" for share in part]
    return f"{operation} operations: {', '.join(counts)}; not all of these ranks are named"


def _notices(section: Section, group: ProcessGroup) -> Iterator[Notice]:
    """What NCCL says of ranks that are absent, failed, or in another status."""
    if section.absent_count:
        ranks = tuple(sorted(section.absent))
        who = ranks_text(ranks) if ranks else f"{section.absent_count} ranks"
        text = f"{who} did not answer NCCL's query"
        yield Notice("absent", text, group.key, ranks, section.origin)
    for share in section.errors:
        ranks = tuple(share.named)
        who = ranks_text(ranks) if ranks else f"{share.count} ranks"
        yield Notice("error", f"{who}: {share.value}", group.key, ranks, section.origin)
    usual = max((s.count for s in section.statuses), default=0)
    for share in section.statuses:
        if share.count < usual and share.named:
            kind = "absent" if share.value == "NOCOMM" else "error"
            text = f"{ranks_text(share.named)}: status {share.value}"
            yield Notice(kind, text, group.key, tuple(share.named), section.origin)
