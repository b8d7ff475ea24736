"""Checks of a trace against the rules of the Trace Event Format, and what can be read from one.

Rules, as the document states them (N. Duca and D. Sinclair, "Trace Event Format", 2016,
https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU), by section:
JSON Object Format: `traceEvents` is a list, `displayTimeUnit` is "ms" or "ns". Event
Descriptions: `ph` is one letter, `ts` is in microseconds, `pid` and `tid` are whole numbers.
Duration Events: B and E of a thread nest, and their times do not decrease. Flow Events: s and f of
one arrow share name, category and id; s is not after f; with `"bp": "e"` f is bound to the slice
that encloses it, s always is. Counter Events: `args` holds numbers. Metadata Events: names of
processes and threads are strings, sort_index is a whole number.
"""

from collections import defaultdict
from dataclasses import dataclass, field
from numbers import Real

METADATA = {
    "process_name": ("name", str),
    "thread_name": ("name", str),
    "process_sort_index": ("sort_index", int),
    "thread_sort_index": ("sort_index", int),
}


@dataclass
class Drawn:
    """A slice as a viewer finds it; end: None where it never ends."""

    track: str
    process: str
    name: str
    category: str
    start: float
    args: dict
    end: float | None = None


@dataclass
class Trace:
    """The slices of a trace, the ends of each arrow by its id, and the counters' values."""

    slices: list[Drawn] = field(default_factory=list)
    starts: dict = field(default_factory=dict)
    finishes: dict = field(default_factory=dict)
    counters: dict = field(default_factory=lambda: defaultdict(list))


def check(trace):
    """What a trace shows; AssertionError where it breaks a rule."""
    assert isinstance(trace["traceEvents"], list)
    assert trace["displayTimeUnit"] in ("ms", "ns")
    names = {}
    for event in trace["traceEvents"]:
        if event["ph"] == "M":
            key, kind = METADATA[event["name"]]
            assert type(event["args"][key]) is kind
            names[event["name"], event["pid"], event["tid"]] = event["args"][key]
    labels = [name for (kind, _, _), name in names.items() if kind == "thread_name"]
    assert len(set(labels)) == len(labels), "two tracks of one name"
    found, open_slices, latest = Trace(), defaultdict(list), {}
    for event in trace["traceEvents"]:
        if event["ph"] == "M":
            continue
        assert event["ph"] in ("B", "E", "s", "f", "C"), event
        assert isinstance(event["ts"], Real) and event["ts"] >= 0, event
        assert type(event["pid"]) is int, event
        process = names["process_name", event["pid"], event["pid"]]
        if event["ph"] == "C":
            series = found.counters[process, event["name"]]
            assert event["args"] and all(type(value) is int for value in event["args"].values())
            assert not series or series[-1][0] < event["ts"], event
            series.append((event["ts"], sum(event["args"].values())))
            continue
        thread = event["pid"], event["tid"]
        track = names["thread_name", *thread]
        assert type(event["tid"]) is int and event["ts"] >= latest.get(thread, 0), event
        latest[thread] = event["ts"]
        _place(event, track, process, open_slices[thread], found)
    assert found.starts.keys() == found.finishes.keys()
    for key, (start, _) in found.starts.items():
        assert start <= found.finishes[key][0]
    return found


def _place(event, track, process, stack, found):
    """Add an event of a thread to what is found; stack: its slices that are open."""
    if event["ph"] == "B":
        assert event["name"] and isinstance(event["cat"], str)
        args = event.get("args", {})
        one = Drawn(track, process, event["name"], event["cat"], event["ts"], args)
        stack.append(one)
        found.slices.append(one)
    elif event["ph"] == "E":
        stack.pop().end = event["ts"]
    else:
        key = event["name"], event["cat"], event["id"]
        ends = found.starts if event["ph"] == "s" else found.finishes
        assert key not in ends, "an arrow with two starts or finishes"
        if event["ph"] == "f":
            assert event["bp"] == "e"
            assert key in found.starts, "viewers drop a finish that comes before its start"
        assert stack, "an arrow at no slice"
        ends[key] = event["ts"], stack[-1]
