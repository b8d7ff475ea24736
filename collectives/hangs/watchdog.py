"""Reads lines of the NCCL watchdog of PyTorch: who timed out in which call, and how far it is.

Lines: torch/csrc/distributed/c10d/ProcessGroupNCCL.cpp of pytorch/pytorch, `checkTimeout` ("[Rank
3] Watchdog caught collective operation timeout: WorkNCCL(…) ran for …"), the printer of WorkNCCL
(SeqNum, OpType, then nothing, TensorShape, or NumelIn and NumelOut), and the watchdog's counters,
the older first: "[PG 1 Rank 3] Exception (either an error or timeout) detected by watchdog at work:
5, last enqueued NCCL work: 7, last completed NCCL work: 4", the same after "[PG ID 0 PG GUID
0(default_pg) Rank 3]", then "failure detected by watchdog at work sequence id: 5 PG status: last
enqueued work: 7, last completed work: 4", with "last started work" since pull request 183656. What
tests/data/hangs has of public threads shows each of them. `Rank` is the position in the group,
"[rank3]:" before the line the rank of the job; PG GUID, or PG, is the group's name on all ranks, PG
ID a number of each process.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace

from collectives.hangs.calls import STARTED, Call, Evidence, ProcessGroup, RankProgress
from collectives.hangs.fields import LARGEST, MOST_RANKS
from collectives.hangs.operation_names import bare, is_between_two, members_by_size
from collectives.hangs.restarts import of_last_start
from collectives.words import quoted, shown_name

MAX_LINE = 4096
MOST_LINES = 1 << 17
DEFAULT = ("0", "default_pg")
JOB_RANK = re.compile(r"\[rank(\d{1,9})\]:")
GROUP = re.compile(
    r"\[PG (?:ID \d{1,9} PG GUID )?(?P<name>[^\s(\]]{1,200}) ?(?:\((?P<title>[^)]{0,200})\))? "
    r"Rank (?P<rank>\d{1,9})\]"
)
TIMEOUT = re.compile(
    r"Watchdog caught collective operation timeout: WorkNCCL\(SeqNum=(?P<number>\d{1,19}), "
    r"OpType=(?P<operation>\w{1,60})(?:, TensorShape=\[(?P<shape>[\d, ]{0,200})\])?"
    r"(?:, NumelIn=(?P<into>\d{1,20}), NumelOut=(?P<out>\d{1,20}))?, "
    r"Timeout\(ms\)=(?P<limit>\d{1,19})\)"
)
POSITION = re.compile(r"\[Rank (\d{1,9})\] Watchdog caught")
WORK = re.compile(r"at (?:NCCL )?work(?: sequence id)?: (\d{1,19})")
COUNTERS = re.compile(
    r"ast enqueued (?:NCCL )?work: (?P<enqueued>-?\d{1,19}), "
    r"(?:last started (?:NCCL )?work: -?\d{1,19}, )?"
    r"last completed (?:NCCL )?work: (?P<completed>-?\d{1,19})"
)


@dataclass(frozen=True)
class WatchdogLine:
    """A line: of which rank and group, and its call or counters.

    work: the call they are about. note: what is to be said of the file that it begins.
    """

    job_rank: int
    position: int
    group: tuple[str, str] | None
    call: Call | None
    counters: RankProgress | None
    work: int = -1
    note: str = ""

    @property
    def origin(self) -> str:
        """Its file and line."""
        source = self.call or self.counters
        return source.origin if source else ""


def is_watchdog(content: bytes) -> bool:
    """Whether a file has such lines."""
    return b"Watchdog caught collective operation timeout" in content or bool(
        re.search(rb"ast enqueued (?:NCCL )?work: ", content)
    )


def lines_of(content: bytes, path: str) -> list[WatchdogLine]:
    """The lines of the watchdog in a file, of the last start of the job."""
    parsed = []
    for at, line in enumerate(content.splitlines(), 1):
        if b"Watchdog caught" in line or b"ast enqueued" in line:
            read_line = _line(
                line[:MAX_LINE].decode("utf-8", "replace"), f"{quoted(path)} line {at}"
            )
            if read_line is not None:
                parsed.append(read_line)
        if len(parsed) >= MOST_LINES:
            break
    kept, note = of_last_start(parsed)
    return [replace(kept[0], note=note), *kept[1:]] if note else kept


def _line(text: str, origin: str) -> WatchdogLine | None:
    """What a line says; None where it names no rank."""
    group, timeout, counters = GROUP.search(text), TIMEOUT.search(text), COUNTERS.search(text)
    named = POSITION.search(text)
    position = int(named[1]) if named else int(group["rank"]) if group else -1
    if not 0 <= position < MOST_RANKS or not (timeout or (counters and group)):
        return None
    job = JOB_RANK.search(text)
    call = progress = None
    if timeout:
        sizes = [int(timeout[name] or LARGEST) for name in ("into", "out")]
        if timeout["shape"]:
            sizes = [_product(timeout["shape"])] * 2
        operation = timeout["operation"]
        alone = is_between_two(operation) or bare(operation) == "coalesced"
        into, out = (size if size < LARGEST else -1 for size in sizes)  # -1 is printed as 2^64 - 1
        number = int(timeout["number"])
        call = Call(
            "",
            position,
            number,
            operation,
            STARTED,
            into,
            out,
            peer=-2 if alone else -1,
            is_expired=True,
            origin=origin,
        )
    elif counters:
        enqueued, completed = int(counters["enqueued"]), int(counters["completed"])
        if enqueued >= completed:  # where sends are counted, too, it may be less
            progress = RankProgress("", position, enqueued, max(completed, 0), origin=origin)
    name = (group["name"], group["title"] or "") if group else None
    work = WORK.search(text)
    number = int(work[1]) if work else -1
    return WatchdogLine(int(job[1]) if job else -1, position, name, call, progress, number)


def _product(shape: str) -> int:
    product = 1
    for size in re.findall(r"\d+", shape):
        product *= min(int(size), LARGEST)
    return min(product, LARGEST)


def together(lines: Iterable[WatchdogLine]) -> Evidence:
    """What the lines say of each group; a line that names none is of the one that fits it."""
    known = list(lines)
    homes = _homes(known)
    by_group: dict[tuple[str, str], list[WatchdogLine]] = defaultdict(list)
    for at, line in enumerate(known):
        by_group[line.group or homes.get(at, ("", ""))].append(line)
    groups, calls, progress = [], list[Call](), list[RankProgress]()
    notes = [line.note for line in known if line.note]
    for name, members in by_group.items():
        if not _is_one(members):
            notes.append(
                f"several groups have the name {_title(name)} in these lines, which cannot be told "
                "apart; try: Flight Recorder's dumps"
            )
            continue
        group = _group(name, members)
        groups.append(group)
        calls += [replace(call, group=group.key) for call in _first_calls(members)]
        last = {line.position: line.counters for line in members if line.counters}
        progress += [replace(call, group=group.key) for call in last.values()]
    return Evidence(
        tuple(groups),
        tuple(calls),
        tuple(progress),
        kinds=("watchdog",) if known else (),
        notes=tuple(notes),
        is_expired=bool(known),  # the watchdog prints nothing before
    )


def _homes(lines: list[WatchdogLine]) -> dict[int, tuple[str, str]]:
    """The group of each line that names none: that of the counters which the same rank prints next.

    This holds of a rank that has as many counters of such a call as calls. A call of a rank without
    counters is of the only group in which others have the same.
    """
    calls: dict[tuple[int, int, int], dict[tuple[str, int, int, int], list[int]]]
    calls = defaultdict(lambda: defaultdict(list))
    counted: dict[tuple[int, int, int], list[tuple[str, str]]] = defaultdict(list)
    for at, line in enumerate(lines):
        if line.call and not line.group:
            calls[line.job_rank, line.position, line.call.sequence][_what(line.call)].append(at)
        elif line.group and line.group not in counted[line.job_rank, line.position, line.work]:
            counted[line.job_rank, line.position, line.work].append(line.group)
    homes: dict[int, tuple[str, str]] = {}
    alike: dict[tuple[str, int, int, int], set[tuple[str, str]]] = defaultdict(set)
    for key, own in calls.items():
        if len(counted[key]) == len(own):
            for (what, at_lines), home in zip(own.items(), counted[key], strict=True):
                homes |= dict.fromkeys(at_lines, home)
                alike[what].add(home)
    for key, own in calls.items():
        for what, at_lines in own.items():
            if len(own) == len(alike[what]) == 1 and not counted[key]:
                homes |= dict.fromkeys(at_lines, next(iter(alike[what])))
    return homes


def _what(call: Call) -> tuple[str, int, int, int]:
    return call.operation, call.sequence, call.elements_in, call.elements_out


def _is_one(lines: list[WatchdogLine]) -> bool:
    """Whether no position in the group is that of two ranks of the job."""
    pairs = {(line.position, line.job_rank) for line in lines if line.job_rank >= 0}
    return len({position for position, _ in pairs}) == len(pairs)


def _title(name: tuple[str, str]) -> str:
    if name in (("", ""), DEFAULT, ("0", "")) or name[1] == "default_pg":
        return "default_pg" if name[0] else "a group that no line names"
    return shown_name(f"{name[1] or 'PG'} {name[0]}")


def _group(name: tuple[str, str], lines: list[WatchdogLine]) -> ProcessGroup:
    """The group of lines; its size is what sizes of calls say, and what most of them say."""
    sizes = Counter(members_by_size(line.call) for line in lines if line.call)
    del sizes[0]
    positions: dict[int, int] = {}
    for line in lines:
        positions[line.position] = max(line.job_rank, positions.get(line.position, -1))
    size = max(positions) + 1
    is_open = len(sizes) != 1 or max(sizes) < size
    if not is_open:
        size = min(max(sizes), MOST_RANKS)
    elif size == len(positions):
        size = 0  # nothing says whether there are more
    is_local = any(job not in (-1, position) for position, job in positions.items()) or (
        name[0] != "0" and -1 in positions.values()
    )
    where = {at: f"rank {job} of the job" for at, job in positions.items() if job >= 0}
    key = f"watchdog {name[0]}"
    named = where if is_local else {}
    return ProcessGroup(
        key,
        _title(name),
        tuple(range(size)),
        is_local,
        named,
        is_open=is_open,
        is_mixed=not name[0],
    )


def _first_calls(lines: list[WatchdogLine]) -> Iterable[Call]:
    """The first call that timed out on each rank; those after it wait for it."""
    first: dict[tuple[int, bool], Call] = {}
    for call in (line.call for line in lines if line.call):
        key = call.rank, call.is_collective
        if key not in first or call.sequence < first[key].sequence:
            first[key] = call
    return first.values()
