"""Traces for ui.perfetto.dev: they keep the format's rules, and show what the clock says."""

import json
from collections import Counter

import numpy as np
import pytest
from each import each, row_title
from settings import SOME_ROWS
from trace_format import check

from collectives import record
from collectives.cost.clocks.clock import dataflow, lockstep
from collectives.cost.clocks.costs import Costs, LogGP
from collectives.cost.machines import topology, topology_for
from collectives.cost.machines.faults import dead_link
from collectives.errors import BadInput
from collectives.formats import chrome

CLOCKS = {"lockstep": lockstep, "dataflow": dataflow}
RATES = {"latency": "5us", "bandwidth": "1GB/s"}


def ring(ranks=4):
    return record("all_reduce", "ring", ranks=ranks, count=1000 * ranks, dtype="uint8")


def traced(timing):
    """The trace as a viewer reads it."""
    text = "".join(json.dumps(event, allow_nan=False) + "," for event in chrome.events(timing))
    return check({"traceEvents": json.loads(f"[{text[:-1]}]"), "displayTimeUnit": "ns"})


def agree(timing):
    """The trace of a timing, which must say of each message and link what the timing does."""
    trace, messages, names = traced(timing), timing.messages, []
    for link in range(timing.topology.links):
        names.append(timing.topology.link_label(link))
    of = {kind: [one for one in trace.slices if one.category == kind] for kind in ("send", "link")}
    of["receive"] = [one for one in trace.slices if one.category == "receive"]
    times = (np.round(each * 1e6, 6) for each in (messages.start, messages.sent))
    rows = sorted(zip(*times, messages.size, messages.step, strict=True))
    shown = sorted((s.start, s.end, s.args["bytes"], s.args["step"] - 1) for s in of["send"])
    assert shown == rows
    assert len(rows) == len(trace.starts) == len(of["receive"])
    ends = sorted(one.end for one in of["receive"])
    assert np.allclose(ends, np.sort(messages.end) * 1e6, rtol=0, atol=1e-6)
    carried = Counter()
    for one in of["link"]:
        carried[one.track.partition(" (")[0].partition(", link ")[0]] += one.args["bytes"]
    counted = Counter()
    for name, size in zip(names, timing.link_bytes.tolist(), strict=True):
        counted[name] += size
    assert +carried == +counted
    for series in trace.counters.values():
        values = [value for _, value in series]
        assert min(values) >= 0 and values[-1] == 0
    return trace


@each("row", SOME_ROWS, row_title, few=12)
def test_a_trace_keeps_the_rules_and_shows_the_clock(row):
    n = 4 if row.accepts(4) else next(k for k in range(2, 17) if row.accepts(k))
    count = 0 if row.collective == "barrier" else 1200 * n
    recording = record(row.collective, row.algorithm, ranks=n, count=count, dtype="uint8")
    place = topology_for(recording, "crossbar", **RATES)
    for clock in CLOCKS.values():
        timing = clock(recording, place)
        trace = agree(timing)
        for key, (_, sender) in trace.starts.items():
            receiver = trace.finishes[key][1]
            assert sender.args == receiver.args
            assert sender.track.startswith(f"{sender.args['from']} sends")
            assert receiver.track.startswith(f"{sender.args['to']} receives")


@each("name", ["hgx-h100", "cluster", "torus-2d", "ring", "switch-tree"])
def test_links_of_a_path_carry_its_messages(name):
    recording = record("all_to_all", "pairwise", ranks=16, count=16 * 64, dtype="uint8")
    if name == "hgx-h100":
        recording = ring(8)
    for clock in CLOCKS.values():
        agree(clock(recording, topology_for(recording, name)))


def test_a_ring_by_hand():
    """Rank 0 sends chunk 3 to rank 1 for 6 µs, first of all; the counters follow."""
    trace = traced(dataflow(ring(), topology("crossbar", 4, **RATES)))
    first = next(one for one in trace.slices if one.category == "send")
    assert (first.track, first.process) == ("rank 0 sends", "ranks")
    assert (first.name, first.start, first.end) == ("step 1 to rank 1", 0.0, 6.0)
    assert first.args == {
        "step": 1, "from": "rank 0", "to": "rank 1", "bytes": 1000, "chunks": "3", "adds": True,
        "comment": "every rank sends a chunk to the next, which adds it",
    }  # fmt: skip
    phases = [(one.name, one.start, one.end) for one in trace.slices if one.category == "phase"]
    assert phases == [("reduce-scatter", 0.0, 18.0), ("all-gather", 18.0, 36.0)]
    flight = trace.counters["ring all-reduce", "all messages: in flight"]
    assert flight == [(6.0 * k, 4000) for k in range(6)] + [(36.0, 0)]


def test_what_overlaps_is_on_several_lines():
    every = record("all_gather", "direct", ranks=4, count=4000, dtype="uint8")
    timing = lockstep(every, topology("crossbar", 4, **RATES))
    trace = agree(timing)
    tracks = {one.track for one in trace.slices if one.category == "send"}
    assert {"rank 0 sends", "rank 0 sends (2)", "rank 0 sends (3)"} <= tracks


def test_a_late_rank_is_not_there_yet():
    place = topology("crossbar", 4, **RATES)
    trace = agree(dataflow(ring(), place, Costs(arrivals={2: 40e-6, 3: 0.0})))
    late = [one for one in trace.slices if one.category == "late"]
    assert [(one.track, one.name, one.start, one.end) for one in late] == [
        ("rank 2 sends", "not there yet", 0.0, 40.0)
    ]


def test_tracks_are_numbered_as_they_are_shown():
    """Viewers order lines by their number, or by what the file says: a rank's are together."""
    found = {}
    for event in chrome.events(dataflow(ring(), topology("crossbar", 4, **RATES))):
        if event.get("name") == "thread_name":
            found[event["tid"]] = event["args"]["name"]
    names = [found[thread] for thread in sorted(found)]
    assert names[:4] == ["phases", "rank 0 sends", "rank 0 receives", "rank 1 sends"]
    assert names[-1] == "switch 0 → rank 3"


def test_additions_flights_and_late_ranks():
    place = topology("crossbar", 4, **RATES)
    for costs in (
        Costs(gamma=1e-9, arrivals={2: 40e-6}),
        Costs(loggp=LogGP(2e-6, 1e-6, 3e-6, 1e-9)),
        Costs(jitter=2e-6, seed=3),
    ):
        for clock in CLOCKS.values():
            agree(clock(ring(), place, costs))


def test_what_a_rank_adds_of_its_own_has_a_track():
    row = record("all_reduce", "recursive_doubling", ranks=4, count=4000, dtype="uint8")
    timing = dataflow(row, topology("crossbar", 4, **RATES), Costs(gamma=1e-9))
    work = [run.work for run in timing.walk() if run.work is not None]
    shown = [one for one in agree(timing).slices if one.category == "work"]
    assert len(shown) == sum(len(nodes) for nodes, _, _ in work)


@each("clock", sorted(CLOCKS))
def test_what_never_ends_begins_only(clock):
    place = dead_link(topology("crossbar", 4, **RATES), 0, 4)
    timing = CLOCKS[clock](ring(), place)
    trace = traced(timing)
    stuck = [one for one in trace.slices if one.end is None and one.category == "send"]
    assert {one.name for one in stuck} >= {"step 1 to rank 1, never ends"}
    finite = int(np.isfinite(timing.messages.end).sum())
    assert len(trace.starts) == len(trace.finishes) == finite < len(timing.messages)
    assert trace.counters["ring all-reduce", "all messages: in flight"][-1][1] > 0


def test_a_file_is_written_whole(tmp_path):
    path = tmp_path / "ring.trace.json"
    timing = lockstep(ring(), topology("crossbar", 4, **RATES))
    chrome.save(timing, path)
    found = json.loads(path.read_text())
    assert len(check(found).starts) == 24
    assert found["otherData"]["seconds"] == timing.total
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_no_more_than_a_viewer_opens(tmp_path):
    many = record("all_reduce", "ring", ranks=512, count=512, dtype="uint8")
    with pytest.raises(BadInput, match="523,264 messages are too many for a trace"):
        chrome.save(lockstep(many, topology("crossbar", 512)), tmp_path / "x.trace.json")
    far = record("all_to_all", "pairwise", ranks=200, count=40000, dtype="uint8")
    with pytest.raises(BadInput, match="links are passed by all messages together"):
        chrome.save(lockstep(far, topology("ring", 200)), tmp_path / "x.trace.json")
    assert list(tmp_path.iterdir()) == []
