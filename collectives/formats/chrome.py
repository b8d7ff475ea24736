"""A timing as a trace in the Trace Event Format, which ui.perfetto.dev and chrome://tracing open.

A track for each rank's sends and one for its receives, with an arrow for each message, a track for
each link, and counters of the bytes on their way. Slices of a track that overlap are on several.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from heapq import heappop, heappush
from math import isfinite
from pathlib import Path
from typing import Any

from collectives.cost.clocks.timing import Timing
from collectives.errors import TooLarge
from collectives.files import replacing
from collectives.formats.trace_tracks import Slice, Tracks
from collectives.recording.recording import Recording
from collectives.words import printable

MOST_MESSAGES = 1 << 16  # a trace of some 80 MB
ALGORITHM, RANKS, LINKS = 1, 2, 3  # "processes" of the format: what a viewer folds together
FIRST_THREAD = 10  # viewers take a thread with the number of its process for its main thread
Event = dict[str, Any]
encode = json.JSONEncoder(allow_nan=False, separators=(",", ":")).encode


@dataclass(frozen=True)
class ViewerTrack:
    """A line of a viewer: slices that do not overlap; turn: its place among what it is listed with.

    order: of the node or link. number: from 1, where slices of a track overlap.
    """

    process: int
    order: int
    turn: int
    number: int
    name: str
    slices: list[Slice]


def save(timing: Timing, path: str | Path) -> None:
    """Write a timing as a trace.

    Parameters
    ----------
    timing : Timing
        Its messages are written, with the links that they pass.
    path : str or Path
        The file, in JSON.

    Raises
    ------
    BadInput
        Where the file cannot be written, and for more messages than a viewer opens.
    """
    check_amount(timing.recording)
    about = encode(_about(timing))
    with replacing(path) as file:
        file.write(f'{{"displayTimeUnit":"ns","otherData":{about},"traceEvents":[\n'.encode())
        for number, event in enumerate(events(timing)):
            file.write((",\n" * bool(number) + encode(event)).encode())
        file.write(b"\n]}\n")


def check_amount(recording: Recording) -> None:
    """Raise BadInput for more messages than a viewer opens."""
    messages = recording.counters.messages
    if messages > MOST_MESSAGES:
        raise TooLarge(
            f"{messages:,} messages are too many for a trace; at most {MOST_MESSAGES:,}",
            "fewer ranks (-n) or chunks",
            fixed="leave -o out",
        )


def events(timing: Timing) -> Iterator[Event]:
    """All events of a trace: those of a track in the order of their times, starts before finishes.

    Viewers keep the order of events at the same time: what was sent is known when it is received.
    """
    tracks = Tracks.of(timing)
    title = printable(timing.recording.title)
    for process, name in {ALGORITHM: title, RANKS: "ranks", LINKS: "links"}.items():
        yield _label("process_name", process, process, name=name)
        yield _label("process_sort_index", process, process, sort_index=process)
    every = list(_lines(tracks))
    in_order = sorted(every, key=lambda line: (line.process, line.order, line.turn, line.number))
    threads = {id(line): thread for thread, line in enumerate(in_order, FIRST_THREAD)}
    for line in every:
        thread = threads[id(line)]
        yield _label("thread_name", line.process, thread, name=line.name)
        yield _label("thread_sort_index", line.process, thread, sort_index=thread)
        for event in line.slices:
            yield from _slice_events(event, line.process, thread)
    for name, slices in tracks.links.items():
        yield from _counter(LINKS, f"{name}: in flight", slices)
    sent = [event for slices in tracks.sends.values() for event in slices if event.kind == "send"]
    yield from _counter(ALGORITHM, "all messages: in flight", sent)


def _lines(tracks: Tracks) -> Iterator[ViewerTrack]:
    """All lines, those of sends before those of receives."""
    groups = (
        (ALGORITHM, {"phases": tracks.phases}),
        (RANKS, tracks.sends),
        (RANKS, tracks.receives),
        (RANKS, tracks.work),
        (LINKS, tracks.links),
    )
    for turn, (process, group) in enumerate(groups):
        for order, (name, slices) in enumerate(group.items()):
            for number, lane in enumerate(lanes(slices), 1):
                label = name if number == 1 else f"{name} ({number})"
                yield ViewerTrack(process, order, turn, number, label, lane)


def lanes(slices: list[Slice]) -> list[list[Slice]]:
    """The slices in the order of their starts, each on the first line that is free.

    >>> [len(lane) for lane in lanes([Slice("a", 0, 2), Slice("b", 1, 3), Slice("c", 2, 4)])]
    [2, 1]
    """
    lanes: list[list[Slice]] = []
    free: list[int] = []  # lines, and when others become free: heaps
    taken: list[tuple[float, int]] = []
    for event in sorted(slices, key=lambda event: (event.start, event.end)):
        start = microseconds(event.start)
        while taken and taken[0][0] <= start:
            heappush(free, heappop(taken)[1])
        lane = heappop(free) if free else len(lanes)
        if lane == len(lanes):
            lanes.append([])
        lanes[lane].append(event)
        heappush(taken, (microseconds(event.end), lane))
    return lanes


def _slice_events(event: Slice, process: int, thread: int) -> Iterator[Event]:
    """Begin and end of a slice, and between them the start or the finish of its arrow.

    A slice that never ends begins only, which viewers draw to the end of the trace.
    """
    place = {"pid": process, "tid": thread}
    start = {"ts": microseconds(event.start)} | place
    about = {"args": dict(event.about)} if event.about else {}
    yield {"ph": "B", "name": printable(event.name), "cat": event.kind} | start | about
    if event.message is not None:
        arrow = {"name": "message", "cat": "message", "id": event.message} | start
        yield {"ph": "s"} | arrow if event.kind == "send" else {"ph": "f", "bp": "e"} | arrow
    if isfinite(event.end):
        yield {"ph": "E", "ts": microseconds(event.end)} | place


def _counter(process: int, name: str, slices: list[Slice]) -> Iterator[Event]:
    """The bytes of slices that have begun and not ended, at each time at which they change."""
    change: dict[float, int] = {}
    for event in slices:
        moved = int(event.about["bytes"])
        for at, by in ((event.start, moved), (event.end, -moved)):
            if isfinite(at):
                change[microseconds(at)] = change.get(microseconds(at), 0) + by
    level = 0
    for at in sorted(change):
        level += change[at]
        yield {"ph": "C", "name": name, "pid": process, "ts": at, "args": {"bytes": level}}


def microseconds(seconds: float) -> float:
    """The unit of the format, to a picosecond."""
    return round(float(seconds) * 1e6, 6)


def _label(kind: str, process: int, thread: int, **value: Any) -> Event:
    """What a viewer calls a track, or where it puts it."""
    return {"ph": "M", "name": kind, "pid": process, "tid": thread, "args": value}


def _about(timing: Timing) -> dict[str, Any]:
    """What was timed where."""
    recording, total = timing.recording, timing.total
    return {
        "algorithm": printable(recording.title),
        "ranks": recording.ranks,
        "bytes": recording.count * recording.dtype.itemsize,
        "machine": timing.topology.name,
        "clock": timing.clock,
        "seconds": total if isfinite(total) else None,
        "made_by": "collectives time",
    }
