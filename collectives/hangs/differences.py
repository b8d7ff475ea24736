"""The first call of a group in which ranks differ: operation, order, size, type, or group."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from collectives.hangs.calls import CALLED, Call, ranks_text
from collectives.hangs.finding import Finding
from collectives.hangs.group_view import GroupView
from collectives.hangs.operation_names import collective_of, sizes_to_agree
from collectives.words import capital, listed

WINDOW = 8  # calls, within which an order is compared
Signature = tuple[object, ...]


def _operations(calls: Sequence[Call]) -> Signature:
    return tuple(collective_of(call.operation) for call in calls)


def _sizes(calls: Sequence[Call]) -> Signature:
    return tuple(size for call in calls for size in sizes_to_agree(call))


def _dtypes(calls: Sequence[Call]) -> Signature:
    return tuple(call.dtype for call in calls if sizes_to_agree(call))


KINDS: tuple[tuple[str, Callable[[Sequence[Call]], Signature]], ...] = (
    ("operation", _operations),
    ("dtype", _dtypes),
    ("size", _sizes),
)


def difference(view: GroupView, others: Sequence[GroupView]) -> Finding | None:
    """The first call in which two ranks differ; others: the other groups, for calls in them.

    Of calls that all completed the first is taken only where no call that waits differs.
    """
    numbers = Counter(at for calls in view.calls.values() for at in calls)
    over = None
    for at in sorted(number for number, ranks in numbers.items() if ranks > 1):
        having = [rank for rank in sorted(view.calls) if at in view.calls[rank]]
        for kind, signature in KINDS:
            values = {rank: signature(view.calls[rank][at]) for rank in having}
            if len(set(values.values())) == 1:
                continue
            if is_pending(view, at):
                return _finding(view, others, at, kind, values)
            over = over or (at, kind, values)
            break
    if over is None:
        return None
    done = _finding(view, others, *over)
    states = {call.state for calls in view.calls.values() for call in calls.get(over[0], ())}
    after = "These lines do not say whether it" if CALLED in states else "It"
    end = "completed" if CALLED in states else "completed all the same"
    return replace(done, text=f"{done.text}. {after} {end}", is_still=False)


def is_pending(view: GroupView, at: int) -> bool:
    """Whether a call has not completed on all ranks."""
    return any(call.is_pending for calls in view.calls.values() for call in calls.get(at, ()))


def _finding(
    view: GroupView, others: Sequence[GroupView], at: int, kind: str, values: dict[int, Signature]
) -> Finding:
    usual, count = Counter(values.values()).most_common(1)[0]
    differing = tuple(rank for rank, value in values.items() if value != usual)
    if 2 * count <= len(values):  # no majority: nobody is singled out
        return Finding(kind, view.group.key, _listed(view, at, values), (), at, _origin(view, at))
    like = next(rank for rank, value in values.items() if value == usual)
    reason = ""
    if kind in ("operation", "size"):
        kind, reason = _cause(view, others, at, differing, like, kind)
    text = f"{_listed(view, at, values)}{reason}"
    return Finding(kind, view.group.key, text, differing, at, _origin(view, at, differing[0]))


def _listed(view: GroupView, at: int, values: dict[int, Signature]) -> str:
    """Which ranks have which call, the fewest first."""
    parts = []
    for value, _ in reversed(Counter(values.values()).most_common()):
        ranks = [rank for rank, own in values.items() if own == value]
        call = view.call(ranks[0], at)
        parts.append(f"{ranks_text(ranks)}: {call.text if call else ''}")
    return f"call {at} of {view.group.name} differs; {listed(parts, limit=4)}"


def _origin(view: GroupView, at: int, rank: int | None = None) -> str:
    ranks = [rank] if rank is not None else sorted(view.calls)
    return next((call.origin for r in ranks if (call := view.call(r, at))), "")


def _cause(
    view: GroupView,
    others: Sequence[GroupView],
    at: int,
    differing: Sequence[int],
    like: int,
    kind: str,
) -> tuple[str, str]:
    """What made the calls differ, by those around: an order, a call left out, another group."""
    causes = {_cause_of(view, others, at, rank, like) for rank in differing}
    if len(causes) != 1:
        return kind, ""
    (cause,) = causes
    who = ranks_text(differing)
    verb = "makes" if len(differing) == 1 else "make"
    if cause == "order":
        return "order", f". {capital(who)} {verb} the same calls as the others in another order"
    if cause.startswith("group "):
        return "group", f". {capital(who)} {verb} this call in {cause.removeprefix('group ')}"
    if cause == "skipped":
        return "skipped", f". {capital(who)} left call {at} out: what comes next is the same"
    if cause == "further":
        return "operation", f". {capital(who)} {verb} a call more than the others here"
    return kind, ""


def _cause_of(view: GroupView, others: Sequence[GroupView], at: int, rank: int, like: int) -> str:
    own, usual = _from(view, rank, at), _from(view, like, at)
    if _alike(own[1:], usual[1:]):
        return ""  # it is this call alone
    left_out = _alike(own, usual[1:])
    if left_out and (home := _made_in(others, rank, like, view.calls[like][at][0])):
        return f"group {home}"
    for length in range(2, min(len(own), len(usual), WINDOW) + 1):
        if own[:length] != usual[:length] and Counter(own[:length]) == Counter(usual[:length]):
            return "order"
    if left_out:
        return "skipped"
    return "further" if _alike(own[1:], usual) else ""


def _from(view: GroupView, rank: int, at: int) -> list[Signature]:
    """The calls of a rank from a number on, without gaps."""
    calls, signatures = view.calls[rank], list[Signature]()
    while at in calls and len(signatures) <= 2 * WINDOW:
        signatures.append((_operations(calls[at]), _sizes(calls[at]), _dtypes(calls[at])))
        at += 1
    return signatures


def _alike(first: Sequence[Signature], second: Sequence[Signature]) -> bool:
    """Whether two rows of calls are the same as far as both go, and go on."""
    return bool(first) and bool(second) and all(a == b for a, b in zip(first, second, strict=False))


def _made_in(others: Sequence[GroupView], rank: int, like: int, call: Call) -> str:
    """The other group in which a rank makes such a call more often than another rank does."""
    for view in others:
        if rank in view.calls and _times(view, rank, call) > _times(view, like, call):
            return view.group.name
    return ""


def _times(view: GroupView, rank: int, call: Call) -> int:
    """How often a rank makes such a call; the output of an all-gather depends on the group."""
    return sum(
        (own.operation, own.elements_in, own.dtype)
        == (call.operation, call.elements_in, call.dtype)
        for calls in view.calls.get(rank, {}).values()
        for own in calls
    )
