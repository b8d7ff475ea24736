"""Reads the calls of ranks in logs of NCCL_DEBUG=INFO with NCCL_DEBUG_SUBSYS=INIT,COLL.

Lines: `ncclEnqueueCheck` of NVIDIA/nccl's src/enqueue.cc ("AllReduce: opCount 1a sendbuff … count
64 datatype 7 op 0 root 0 comm 0x7f [nranks=2] stream …", the number in hexadecimal; RCCL puts more
behind), and "comm 0x7f rank 1 nranks 2 … commId 0x5 - Init COMPLETE" of src/init.cc, which tells
whose call it is. They are written when a call is enqueued; none says that it completed. Numbers of
types: `ncclDataType_t` of src/nccl.h.in.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from collectives.hangs.calls import CALLED, Call, Evidence, ProcessGroup, RankProgress
from collectives.hangs.fields import LARGEST, MOST_RANKS
from collectives.hangs.operation_names import collective_of, is_between_two
from collectives.words import quoted

MAX_LINE = 1024
MOST_CALLS = 1 << 18
KIND = "NCCL INFO"
START = rb"(?P<process>[\w.<>-]{1,253}:\d{1,10}):\d{1,10} \[\d{1,4}\] (?:NCCL|RCCL) INFO "
CALL = re.compile(
    START + rb"(?P<operation>\w{1,40}): opCount (?P<number>[0-9a-f]{1,12}) sendbuff \S{1,40} "
    rb"recvbuff \S{1,40} (?:acc \S{1,40} )?count (?P<count>\d{1,18}) datatype (?P<dtype>\d{1,3}) "
    rb"op \d{1,10} root \d{1,10} comm (?P<comm>0x\w{1,20}) \[nranks=(?P<ranks>\d{1,7})\]"
)
MEMBER = re.compile(
    START + rb".{0,60}?comm (?P<comm>0x\w{1,20}) rank (?P<rank>\d{1,7}) n[rR]anks "
    rb"(?P<ranks>\d{1,7})\b.*? commId (?P<id>0x\w{1,20}).* Init COMPLETE"
)
DTYPES = (
    *("Char", "Byte", "Int", "UInt32", "Long", "UInt64", "Half", "Float", "Double", "BFloat16"),
    *("Float8_e4m3fn", "Float8_e5m2"),
)
Member = tuple[str, int]  # the communicator's name, and the rank


def has_calls(content: bytes) -> bool:
    """Whether a log has such lines."""
    return b": opCount " in content and CALL.search(content) is not None


def read_calls(logs: Sequence[tuple[str, bytes]]) -> Evidence:
    """What logs, each with its path, say of the calls of each rank.

    Communicators with sends or receives are left out: ranks count those, too, each its own.
    """
    members: dict[tuple[bytes, bytes], Member] = {}
    sizes: dict[str, int] = {}
    calls: list[Call] = []
    uneven: set[str] = set()
    for path, content in logs:
        for at, line in enumerate(content.splitlines(), 1):
            text = line[:MAX_LINE]
            if b"commId" in text and (joined := MEMBER.search(text)):
                name, size = f"communicator {joined['id'].decode()[2:]:0>16}", int(joined["ranks"])
                if int(joined["rank"]) < size <= MOST_RANKS:
                    members[joined["process"], joined["comm"]] = name, int(joined["rank"])
                    sizes[name] = size
            elif b": opCount " in text and len(calls) < MOST_CALLS:
                match = CALL.search(text)
                member = match and members.get((match["process"], match["comm"]))
                if match and member:
                    if is_between_two(match["operation"].decode()):
                        uneven.add(member[0])
                    calls.append(_call(match, member, f"{quoted(path)} line {at}"))
    calls = [call for call in calls if call.group not in uneven]
    last = {(call.group, call.rank): call for call in calls}
    return Evidence(
        tuple(
            ProcessGroup(name, name, tuple(range(size)), is_local=True)
            for name, size in sizes.items()
            if any(call.group == name for call in calls)
        ),
        tuple(calls),
        tuple(
            RankProgress(group, rank, call.sequence, origin=call.origin)
            for (group, rank), call in last.items()
        ),
        kinds=(KIND,) if calls else (),
    )


def _call(match: re.Match[bytes], member: Member, origin: str) -> Call:
    """A call; of all-gather and reduce-scatter `count` is the smaller side."""
    operation, count = match["operation"].decode(), int(match["count"])
    whole = min(count * int(match["ranks"]), LARGEST)
    name, number = collective_of(operation), int(match["dtype"])
    into, out = (whole if name == side else count for side in ("reduce-scatter", "all-gather"))
    return Call(
        member[0],
        member[1],
        int(match["number"], 16),
        operation,
        CALLED,
        into,
        out,
        DTYPES[number] if number < len(DTYPES) else f"type {number}",
        origin=origin,
    )
