"""Chakra traces on the command line: a SUBJECT of every verb, and what is refused."""

import pytest
from chakra_traces import collective, node, put, ring, trace
from each import each


@pytest.fixture
def traces(folder):
    """The traces of a ring in the folder, and of nothing but all-gathers."""
    put(folder, ring(4, 4096), "ring")
    put(folder, collective(4, 2, 1024, 3), "gathers")


def test_messages_are_run_and_counted_but_not_proved(right, traces):
    found = right("run ring.et --json").json
    assert found["bytes_sent"] == [6144] * 4
    assert (found["steps"], found["messages"], found["correct"]) == (6, 24, None)
    assert "nothing is promised, so nothing is proved" in right("check ring.0.et").out


def test_messages_are_timed(right, traces):
    found = right("time ring.et --topology hgx-h100 --json").json
    assert found["steps"] == 6
    assert found["ranks"] == 4


def test_messages_are_drawn_and_converted(right, traces, folder):
    right("figure traffic ring.et -o ring.svg")
    right("page ring.et -o ring.html")
    right("convert ring.et ring.xml")
    assert right("run ring.xml --json").json["messages"] == 24  # a program has no sizes
    right("convert ring.et ring.json")
    assert right("run ring.json --json").json["bytes_sent"] == [6144] * 4
    assert (folder / "ring.svg").stat().st_size > 1000


def test_a_collective_is_run_with_an_algorithm(right, traces):
    found = right("run gathers.et ring --json").json
    assert (found["collective"], found["algorithm"]) == ("all_gather", "ring")
    assert (found["count"], found["correct"]) == (4096, True)
    assert "right" in right("check gathers.et bruck").out


def test_collectives_are_counted_where_no_algorithm_is_named(collectives, traces):
    ended = collectives("run gathers.et")
    assert ended.status == 2
    assert ended.err == (
        "collectives: gathers.et: it has no messages, but all-gather of 1 KiB on 4 ranks, 3 times; "
        "name an algorithm too, as in gathers.et ring\n"
    )


REFUSED = [
    ("run ring.et -n 4", "-n 4: a trace has its own; leave it out"),
    ("run ring.et --count 8", "--count 8: a trace has its own; leave it out"),
    ("run ring.et --dtype float32", "--dtype float32: a trace has its own sizes; leave it out"),
    ("time ring.et --size 1MiB", "--size 1048576: a trace has its own sizes; leave it out"),
    ("run ring.et -p radix=2", "-p radix: a trace has its own; leave it out"),
    ("run ring.et --collective reduce", "--collective reduce: a trace has its own; leave it out"),
    ("run ring.et ring", "ring.et: it has no collectives, only messages; leave the algorithm out"),
    ("run gathers.et rnig", "unknown all-gather algorithm 'rnig'; did you mean ring?"),
    ("run gathers.et ring --collective reduce", "--collective reduce: it has none"),
    ("run rings.et", "rings.et: no such file"),
    ("run ring.7.et", "ring.7.et: no such file; did you mean ring."),
    ("run ring.et ring tree", "two words are enough"),
    ("run odd.et", "odd.1.et: node 3 occurs twice; ids are different"),
]


@each(("line", "needle"), REFUSED)
def test_what_is_refused(collectives, traces, folder, line, needle):
    put(folder, [trace(), trace(node(3, "comp"), node(3, "comp"))], "odd")
    ended = collectives(line)
    assert (ended.status, ended.err.count("\n")) == (2, 1)
    assert needle in ended.err
