import csv
from dataclasses import fields
from fractions import Fraction
from pathlib import Path
from random import Random

import numpy as np
import pytest
from each import each, row_title
from interpreter import tally
from settings import SOME_ROWS, THOROUGH, cases, recorded

from collectives import ROWS, record, reduce, send
from collectives.recording.counters import Counter, Counters
from collectives.schedule import merged
from collectives.schedule.validate import checked

MEASURED = Path(__file__).parents[1] / "data" / "open_mpi_counts.csv"


def counted(steps, size=(8, 8, 8), nodes=4, unit=1):
    """The counts of steps on slots of these sizes, in elements of `unit` bytes."""
    uniform = len(set(size)) == 1
    counter = Counter(np.broadcast_to(np.array(size), (nodes, len(size))), unit, uniform)
    for _ in counter.watch(checked(steps, np.ones((nodes, len(size)), int))):
        pass
    return counter.result()


def plain(counts):
    """Counters as plain values, for comparison with a tally."""
    values = counts._asdict() if isinstance(counts, tuple) else vars_of(counts)
    return {name: values[name] for name in values if name in TALLIED}


def vars_of(counts):
    names = {field.name for field in fields(Counters)} | {"link_bytes"}
    values = {name: getattr(counts, name) for name in names}
    values["link_messages"] = link_messages(counts)
    return {n: v.tolist() if isinstance(v, np.ndarray) else v for n, v in values.items()}


def link_messages(counts):
    links = map(tuple, counts.links.tolist())
    return dict(zip(links, counts.messages_by_link.tolist(), strict=True))


TALLIED = set(tally([], {}, 1)._fields)


# What the words mean


def test_rows_of_a_step_between_the_same_two_are_one_message():
    counts = counted([send(0, 1, [0, 1]), send([0, 0, 1], [1, 2, 0], [0, 1, 2])])
    assert (counts.rows, counts.transfers, counts.messages) == (5, 5, 4)
    assert link_messages(counts) == {(0, 1): 2, (0, 2): 1, (1, 0): 1}
    assert counts.link_bytes == {(0, 1): 24, (0, 2): 8, (1, 0): 8}


def test_a_slot_that_goes_twice_over_a_link_is_in_the_message_once():
    twice = merged([reduce(0, 1, 0, 0), reduce(0, 1, 0, 1), reduce(0, 2, 0, 1), reduce(0, 1, 1)])
    counts = counted([twice, twice], (5, 3))
    assert (counts.transfers, counts.messages) == (8, 4)
    assert counts.link_bytes == {(0, 1): 16, (0, 2): 10}
    assert counted([reduce(0, 1, 0, [0, 1], count=2)], (4, 4, 4)).total_bytes == 8


@pytest.mark.parametrize(
    ("size", "total"), [((8, 8, 8), 24 + 16 + 8), ((5, 0, 3), 8 + 3 + 5), ((1, 2, 4), 7 + 6 + 1)]
)
def test_ranges_of_slots_that_overlap_are_in_the_message_once(size, total):
    parts = [
        reduce(0, 1, [1, 0, 0], count=[2, 2, 1]),  # slots 0 to 2
        reduce(2, 1, [1, 2], count=[2, 1]),  # slots 1 and 2
        reduce(1, 1, [0, 0], count=[2, 3]),  # stays where it is
        reduce(2, 3, [0, 0]),  # slot 0
    ]
    assert counted([merged(parts)], size).total_bytes == total


def test_sizes_are_in_units():
    assert counted([send(0, 1)], (5, 3), unit=4).bytes_sent.tolist() == [20, 0, 0, 0]


def test_two_verbs_between_the_same_two_are_one_message():
    assert counted([merged([send(0, 1), reduce(0, 1, 1)])]).messages == 1


def test_the_next_step_is_another_message():
    assert counted([send(0, 1), send(0, 1)]).messages == 2


@pytest.mark.parametrize(("algorithm", "port"), [("sharp", 128), ("parameter-server", 256)])
def test_a_switch_has_a_port_for_every_link_and_a_server_one_for_all(algorithm, port):
    recording = record("all_reduce", algorithm, ranks=8)
    assert max(recording.bytes_sent[8:]) > max(recording.bytes_sent[:8])
    assert recording.bytes_busiest_port == port


def test_local_moves_are_never_counted():
    counts = counted([send(0, 0, 0, 1), merged([send(1, 1, 0, 2), send(2, 3)]), reduce(3, 3, 0, 1)])
    assert (counts.walked, counts.rows, counts.transfers, counts.messages) == (3, 4, 1, 1)
    assert (counts.steps, counts.ports, counts.total_bytes) == (1, 1, 8)
    assert counts.bytes_sent.tolist() == [0, 0, 8, 0]
    assert set(counts.link_bytes) == {(2, 3)}


def test_messages_of_no_bytes_count():
    counts = counted([send(0, [1, 2])], size=(0,))
    assert (counts.messages, counts.steps, counts.ports) == (2, 1, 2)
    assert counts.total_bytes == 0
    assert counts.link_bytes == {(0, 1): 0, (0, 2): 0}
    recording = record("all_reduce", "ring", ranks=4, count=0)
    assert recording.counters.messages == 24
    assert recording.bytes_sent == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("steps", "ports"),
    [
        ([], 0),
        ([send(0, 0)], 0),
        ([send(0, 1)], 1),
        ([send(0, 1, [0, 1, 2])], 1),
        ([send([0, 1, 2], [1, 2, 3])], 1),
        ([send(0, [1, 2, 3])], 3),
        ([reduce([1, 2, 3], 0)], 3),
        ([send(0, 1), send(0, [2, 3]), send(0, 1)], 2),
        ([reduce([0, 0, 1, 2], [1, 2, 3, 3])], 2),
        ([reduce([0, 1, 2, 3], 3)], 3),
    ],
)
def test_ports_are_the_most_messages_of_a_node_in_a_step(steps, ports):
    assert counted(steps).ports == ports


def test_bytes_are_those_of_the_slot_that_is_read():
    size = (5, 3, 2)
    assert counted([send(0, 1, 0, count=3)], size).bytes_sent.tolist() == [10, 0, 0, 0]
    assert counted([send(0, 1, [0, 2], [0, 2])], size).bytes_received.tolist() == [0, 7, 0, 0]
    many = reduce([0, 1, 2], 3, [0, 1, 0], count=[2, 2, 3])
    assert counted([many], size).bytes_sent.tolist() == [8, 5, 10, 0]


def test_a_pattern_that_comes_again_costs_again():
    src, dst = np.array([0, 1]), np.array([1, 2])
    steps = [send(src, dst), reduce(src, dst, 1), send([2], [3]), send(src, dst, [0, 1])]
    counts = counted([*steps, *steps], (5, 3))
    assert counts.bytes_sent.tolist() == [26, 22, 10, 0]
    assert (counts.steps, counts.messages) == (8, 14)


def test_totals_may_be_larger_than_64_bits():
    recording = record("all_reduce", "flat", ranks=128, count=1 << 48)
    assert recording.counters.total_bytes == 128 * 127 * 8 << 48
    total = recording.counters.total_bytes
    assert recording.row.form.total_range(recording.case) == (total, total)


def test_the_types_are_plain():
    recording = record("broadcast", "tree", ranks=3)
    assert {type(sent) for sent in [*recording.bytes_sent, *recording.bytes_received]} == {int}
    assert type(recording.counters.total_bytes) is int


# Against a tally in plain Python


@each("row", SOME_ROWS, row_title)
def test_counts_of_every_row_are_the_tallys(row):
    for setting in cases(row, (1, 2, 3, 4, 5, 7, 8, 12) if THOROUGH else (1, 2, 5, 8)):
        chunk_count = row.chunk_count(setting)
        for count in (3 * chunk_count, 3 * chunk_count + chunk_count // 2, 1):
            recording = recorded(row, setting, count)
            size = {
                (rank, chunk): 8 * int(recording.size[chunk])
                for rank, chunk in np.argwhere(recording.precondition).tolist()
            }
            expected = tally(recording.steps, size, recording.nodes)
            assert plain(recording.counters) == plain(expected), (setting, count)


def everywhere(size, nodes):
    """Slots of these bytes on every node."""
    return {(node, slot): s for node in range(nodes) for slot, s in enumerate(size)}


def random_schedule(random, nodes, slots):
    """Steps of many shapes; half of them repeat the pattern of the step before."""
    last = None
    for _ in range(12):
        if last is None or random.random() < 0.5:
            number = random.randint(1, 9)
            last = [[random.randrange(nodes) for _ in range(number)] for _ in range(2)]
        chunk = [random.randrange(slots) for _ in last[0]]
        count = [random.randint(1, slots - c) for c in chunk]
        yield reduce(*last, chunk, count=count if random.random() < 0.5 else 1)


@pytest.mark.parametrize("size", [(8, 8, 8), (5, 0, 3), (0, 0, 0), (4, 4, 2), (1, 2, 4, 8, 16, 32)])
def test_counts_of_random_schedules_are_the_tallys(size):
    for seed in range(40):
        nodes = 2 + seed % 4
        steps = list(random_schedule(Random(seed), nodes, len(size)))
        expected = tally(steps, everywhere(size, nodes), nodes)
        assert plain(counted(steps, size, nodes)) == plain(expected), seed


# Against what a real library sent


def measured():
    with open(MEASURED) as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


@pytest.mark.parametrize(
    "case", measured(), ids=lambda c: "-".join((c["collective"], c["open_mpi"], c["ranks"]))
)
def test_counts_are_those_of_open_mpi(case):
    n = int(case["ranks"])
    chunks = 1 if case["open_mpi"] == "pipeline" else None  # it was measured without segments
    recording = record(case["collective"], case["algorithm"], ranks=n, count=3 * n, chunks=chunks)
    counts, vector = recording.counters, 3 * n * 8
    ours = {
        "total": Fraction(counts.total_bytes, vector),
        "sent": Fraction(max(recording.bytes_sent), vector),
        "received": Fraction(max(recording.bytes_received), vector),
        "messages": counts.messages,
    }
    theirs = {name: Fraction(case[name]) for name in ours if case[name]}
    assert {name: ours[name] for name in theirs} == theirs
    assert {"total", "messages"} <= set(theirs)


def test_each_algorithm_of_open_mpi_is_compared_at_two_sizes():
    names = [(case["collective"], case["algorithm"]) for case in measured()]
    assert len(names) == 2 * len(set(names)) == 30
    assert {(row.collective, row.algorithm) for row in ROWS} >= set(names)
