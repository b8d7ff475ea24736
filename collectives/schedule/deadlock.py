"""Says why no rank can go on: who waits for whom, in a cycle or for a rank that has ended."""

from __future__ import annotations

from typing import TYPE_CHECKING

from collectives.errors import Deadlock, Waiting, WrongSchedule
from collectives.schedule.windows import Expected
from collectives.words import plural

if TYPE_CHECKING:
    from collectives.schedule.rank import Posted, Rank

SHOWN = 4  # ranks of a cycle in a message


def stuck(ranks: list[Rank], unmatched: list[Posted]) -> WrongSchedule:
    """What is wrong where ranks wait for others, or messages were never received."""
    tagged = any(posted.operation.tag for posted in unmatched)
    waits = {rank.number: rank.waiting[0] for rank in ranks if rank.waiting}
    if not waits:
        posted = next((call for call in unmatched if call.sends), unmatched[0])
        never = "never receives it" if posted.sends else "never sends it"
        began = f"rank {posted.rank} starts {posted.text(tagged)}"
        return WrongSchedule(f"{began}, which {never}")
    waiting = [_waiting(call) for rank in waits for call in ranks[rank].waiting]
    cycle = Deadlock(waiting=waiting).cycle
    if cycle:
        after = dict(zip(cycle, (*cycle[1:], cycle[0]), strict=True))
        first = [
            next(call for call in ranks[rank].waiting if call.peer == after[rank])
            for rank in cycle[:SHOWN]
        ]
        waits_said = [f"rank {expected.rank} waits {expected.text(tagged)}" for expected in first]
        if len(cycle) > SHOWN:
            waits_said.append(f"and so on through {plural(len(cycle), 'rank')}")
        return Deadlock(
            f"deadlock: {', '.join(waits_said)}{_advice(first, tagged)}", waiting=waiting
        )
    last = next(call for rank in waits for call in ranks[rank].waiting if call.peer not in waits)
    text = f"deadlock: rank {last.rank} waits {last.text(tagged)}, which does no more"
    return Deadlock(text, waiting=waiting)


def _waiting(posted: Posted | Expected) -> Waiting:
    """Where a rank stands."""
    stamp = posted.stamp
    at = (stamp[-1].source.file, stamp[-1].line) if stamp else ("", 0)
    return Waiting(posted.rank, posted.peer, posted.sends, *at, stamp, isinstance(posted, Expected))


def _advice(waiting: list[Posted | Expected], tagged: bool) -> str:
    """How such a cycle is broken."""
    if all(isinstance(call, Expected) for call in waiting):
        return "; all wait before they signal: try: one of them signals first"
    if all(call.sends for call in waiting):
        return "; all send before they receive: try: sendrecv(Send(…), Recv(…))"
    if not any(call.sends for call in waiting):
        return "; all receive before they send: try: one of them sends first"
    return "; their tags differ" if tagged and len(waiting) == 2 else ""
