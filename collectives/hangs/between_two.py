"""Sends and receives that wait: whose other end is not there, and who waits in a circle."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace

from collectives.errors import cycle_in
from collectives.hangs.calls import Call, ranks_text
from collectives.hangs.finding import Finding
from collectives.hangs.group_view import GroupView
from collectives.hangs.operation_names import bare

OTHER_END = {"send": "receive", "recv": "send"}


def between_two(view: GroupView, is_expired: bool) -> Iterator[Finding]:
    """What the sends and receives of a group say that wait."""
    pending: dict[tuple[int, int, bool], list[Call]] = defaultdict(list)  # from, to, sends
    for call in view.between:
        if call.is_pending and call.peer >= 0:
            ends = (
                (call.rank, call.peer) if bare(call.operation) == "send" else (call.peer, call.rank)
            )
            pending[(*ends, bare(call.operation) == "send")].append(call)
    files = set(view.ranks)
    waiting = {rank for rank in files if view.waits_in(rank) >= 0}
    waiting |= {call.rank for call in view.between if call.is_pending}
    alone = [
        calls[0]
        for (source, target, sends), calls in sorted(pending.items())
        if (source, target, not sends) not in pending
    ]
    cycle = cycle_in([(call.rank, call.peer) for call in alone])
    if cycle:
        yield _cycle(view, [call for call in alone if {call.rank, call.peer} <= {*cycle}], cycle)
    for call in alone:
        if call.rank not in cycle and call.peer in files:
            finding = _alone(view, call, is_expired)
            yield replace(finding, follows=True) if call.peer in waiting else finding
        elif call.rank not in cycle:
            yield _no_file(view, call, is_expired)
    yield from _sizes(view, pending)
    if not alone and is_expired:
        yield from _unknown(view)


def _alone(view: GroupView, call: Call, is_expired: bool) -> Finding:
    waiter, peer = ranks_text([call.rank]), ranks_text([call.peer])
    end = "to" if bare(call.operation) == "send" else "from"
    text = (
        f"{waiter} waits in {call.text} {end} {peer}, of {view.group.name}; {peer} has no "
        f"{OTHER_END.get(bare(call.operation), 'call')} that waits"
    )
    return Finding(
        "peer", view.group.key, text, (call.peer,), origin=call.origin, is_still=is_expired
    )


def _no_file(view: GroupView, call: Call, is_expired: bool) -> Finding:
    waiter, peer = ranks_text([call.rank]), ranks_text([call.peer])
    text = f"{waiter} waits for {peer} in {call.text}; no file is of {peer}"
    return Finding(
        "missing", view.group.key, text, (call.peer,), origin=call.origin, is_still=is_expired
    )


def _cycle(view: GroupView, calls: list[Call], cycle: tuple[int, ...]) -> Finding:
    waits = [
        f"rank {call.rank} {'sends to' if bare(call.operation) == 'send' else 'receives from'} "
        f"rank {call.peer}"
        for call in calls
    ]
    text = (
        f"ranks wait in a circle, of {view.group.name}: {', '.join(waits)}; none has the other end"
    )
    return Finding("peer", view.group.key, text, tuple(sorted(cycle)), -1, calls[0].origin)


def _sizes(view: GroupView, pending: dict[tuple[int, int, bool], list[Call]]) -> Iterator[Finding]:
    """A send and a receive that wait for each other, of different sizes."""
    for (source, target, sends), calls in sorted(pending.items()):
        counterpart = pending.get((source, target, False))
        if not sends or not counterpart:
            continue
        sent, received = calls[0], counterpart[0]
        into = received.elements_out if received.elements_out >= 0 else received.elements_in
        if -1 not in (sent.elements_in, into) and sent.elements_in != into:
            text = (
                f"rank {source} sends {sent.text} to rank {target}, which receives {into:,} "
                f"elements (of {view.group.name})"
            )
            yield Finding("size", view.group.key, text, (source, target), -1, sent.origin)


def _unknown(view: GroupView) -> Iterator[Finding]:
    """Calls whose other rank no line names."""
    calls = [call for call in view.between if call.is_expired and call.peer < 0]
    if calls:
        ranks = sorted({call.rank for call in calls})
        verb = "waits" if len(ranks) == 1 else "wait"
        text = (
            f"{ranks_text(ranks)} {verb} in {calls[0].text}, of {view.group.name}; cannot say for "
            "whom: no line names the other rank"
        )
        yield Finding("stuck", view.group.key, text, origin=calls[0].origin)
