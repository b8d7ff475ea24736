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
        posted = next((one for one in unmatched if one.sends), unmatched[0])
        never = "never receives it" if posted.sends else "never sends it"
        began = f"rank {posted.rank} starts {posted.text(tagged)}"
        return WrongSchedule(f"{began}, which {never}")
    waiting = [_waiting(one) for rank in waits for one in ranks[rank].waiting]
    cycle = Deadlock(waiting=waiting).cycle
    if cycle:
        after = dict(zip(cycle, (*cycle[1:], cycle[0]), strict=True))
        first = [
            next(one for one in ranks[rank].waiting if one.peer == after[rank])
            for rank in cycle[:SHOWN]
        ]
        said = [f"rank {one.rank} waits {one.text(tagged)}" for one in first]
        if len(cycle) > SHOWN:
            said.append(f"and so on through {plural(len(cycle), 'rank')}")
        return Deadlock(f"deadlock: {', '.join(said)}{_advice(first, tagged)}", waiting=waiting)
    last = next(one for rank in waits for one in ranks[rank].waiting if one.peer not in waits)
    text = f"deadlock: rank {last.rank} waits {last.text(tagged)}, which has ended"
    return Deadlock(text, waiting=waiting)


def _waiting(posted: Posted | Expected) -> Waiting:
    """Where a rank stands."""
    stamp = posted.stamp
    at = (stamp[-1].source.file, stamp[-1].line) if stamp else ("", 0)
    return Waiting(posted.rank, posted.peer, posted.sends, *at, stamp, isinstance(posted, Expected))


def _advice(waiting: list[Posted | Expected], tagged: bool) -> str:
    """How such a cycle is broken."""
    if all(isinstance(one, Expected) for one in waiting):
        return "; all wait before they signal: try: one of them signals first"
    if all(one.sends for one in waiting):
        return "; all send before they receive: try: sendrecv(Send(…), Recv(…))"
    if not any(one.sends for one in waiting):
        return "; all receive before they send: try: one of them sends first"
    return "; their tags differ" if tagged and len(waiting) == 2 else ""
