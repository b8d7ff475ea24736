"""What is counted by structure is what one counts by hand, transfer by transfer."""

from collections import Counter
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from each import each, row_title
from settings import THOROUGH, recorded, settings

from collectives import ROWS, record, reduce, send
from collectives.structure import Cube, Groups, Line, Torus

RANKS = (1, 2, 3, 5, 8, 9, 12, 16) if THOROUGH else (1, 3, 8, 12)


@cache
def recordings(row):
    """The row in each setting, recorded once for all tests: (setting, recording, transfers)."""
    found = [(setting, recorded(row, setting)) for setting in settings(row, RANKS, all_roots=False)]
    return [(setting, one, list(transfers(one))) for setting, one in found]


def transfers(recording):
    """(step, source, destination, bytes) of every slot that travels, each once for a message."""
    for number, step in enumerate(recording.steps):
        each = step.unrolled()
        slots = set(zip(each.src.tolist(), each.dst.tolist(), each.chunk.tolist(), strict=True))
        sizes = recording.sizes(number)
        for src, dst, chunk in slots:
            if src != dst:
                yield number, src, dst, int(sizes[src, chunk]) * recording.dtype.itemsize


def part_by_hand(recording, src, dst):
    """The name of the part that a link belongs to, from the algorithm's own parameters."""
    given, n = recording.parameters, recording.ranks
    match recording.row.algorithm:
        case "hierarchical" | "leader" | "nvls-tree":
            node = [end // given["gpus"] if end < n else end - n for end in (src, dst)]
            return "within nodes" if node[0] == node[1] else "between nodes"
        case "three-level":
            node = [end // given["gpus"] for end in (src, dst)]
            rack = [end // given["nodes"] for end in node]
            if rack[0] != rack[1]:
                return "between racks"
            return "within nodes" if node[0] == node[1] else "between nodes"
        case "torus-2d" | "two-color-torus":
            columns = n // given["rows"]
            return "along rows" if src // columns == dst // columns else "along columns"
        case "torus-3d":
            rows, columns = given["rows"], given["columns"]
            if src // columns == dst // columns:
                return "along rows"
            same = src // columns // rows == dst // columns // rows
            return "along columns" if same else "across planes"
    return None


@each("row", ROWS, row_title)
def test_bytes_by_part_are_those_of_every_transfer(row):
    tried = 0
    for setting, recording, moves in recordings(row):
        if setting.other_ways and not 1 < setting.gpus < setting.ranks:
            continue  # a single level, whose structure is what runs in it
        found = recording.bytes_by_part
        assert all(found[name] >= 0 for name in found)
        expected = Counter()
        for _, src, dst, moved in moves:
            expected[part_by_hand(recording, src, dst)] += moved
        if None not in expected:
            assert {name: moved for name, moved in found.items() if moved} == {
                name: moved for name, moved in expected.items() if moved
            }, setting
            tried += 1
    assert tried > 2 or row.in_channels or "gpus" not in [p.name for p in row.takes]


@each("row", ROWS, row_title)
def test_parts_hold_all_bytes_but_those_of_folded_ranks(row):
    for setting, recording, _ in recordings(row):
        structure, found = recording.structure, recording.bytes_by_part
        if found and not getattr(structure, "folded", ()):
            assert sum(found.values()) == recording.counters.total_bytes, setting


@each("row", ROWS, row_title)
def test_the_busiest_port_is_that_of_the_busiest_rank_or_server_or_link(row):
    for setting, recording, moves in recordings(row):
        port = Counter({(0, "none"): 0})
        for _, src, dst, moved in moves:
            for way, node, other in (("out", src, dst), ("in", dst, src)):
                switch = node >= setting.ranks and recording.helpers == "switch"
                port[node, way, other if switch else ""] += moved
        assert recording.bytes_busiest_port == max(port.values()), setting


@each("row", ROWS, row_title)
def test_ranks_idle_where_they_neither_send_nor_receive(row):
    for setting, recording, moves in recordings(row):
        busy = {}
        for number, src, dst, _ in moves:
            busy.setdefault(number, set()).update({src, dst} & set(range(setting.ranks)))
        idle = [setting.ranks - len(busy[number]) for number in sorted(busy)]
        assert list(recording.idle_ranks) == idle, setting


# Figures that can be looked up


@pytest.mark.parametrize(("nodes", "gpus"), [(2, 4), (3, 3), (2, 8), (4, 2)])
def test_a_share_of_the_bytes_crosses_nodes(nodes, gpus):
    """A rank sends 2(N-1)/N S, of which 2(n-1)/n S/g to other nodes."""
    n = nodes * gpus
    recording = record("all_reduce", "hierarchical", ranks=n, parameters={"gpus": gpus})
    vector = recording.case.S
    crossing = Fraction(recording.bytes_by_part["between nodes"], n * vector)
    assert crossing == Fraction(2 * (nodes - 1), nodes * gpus)
    assert Fraction(recording.bytes_sent[0], vector) == Fraction(2 * (n - 1), n)


@pytest.mark.parametrize(
    ("name", "received"),
    [
        ("flat", lambda n: n - 1),
        ("ring", lambda n: 1),
        ("tree", lambda n: (n - 1).bit_length()),
        ("rabenseifner", lambda n: Fraction(2 * (n - 1), n)),
    ],
)
def test_what_the_root_of_a_reduce_receives(name, received):
    for n in (2, 4, 8, 16):
        recording = record("reduce", name, ranks=n)
        assert Fraction(recording.bytes_busiest_port, recording.case.S) == received(n)
        assert recording.bytes_busiest_port == recording.bytes_received[0]


def test_a_server_is_the_bottleneck_and_a_switch_is_not():
    server, nvls = (record("all_reduce", name, ranks=8) for name in ("parameter-server", "nvls"))
    assert server.bytes_busiest_port == 8 * server.case.S
    assert nvls.bytes_busiest_port == max(nvls.bytes_sent[:8])
    shards = record("all_reduce", "sharded-parameter-server", ranks=8, parameters={"servers": 4})
    assert shards.bytes_busiest_port == 2 * shards.case.S


def test_a_tree_idles_most_at_its_root():
    recording = record("broadcast", "tree", ranks=8)
    assert recording.idle_ranks == (6, 4, 0)
    assert recording.bytes_by_part == {"level 1": 96, "level 2": 96, "level 3": 32}
    assert record("all_reduce", "ring", ranks=8).idle_ranks == (0,) * 14


def test_parts_of_links_that_are_in_no_part():
    src, dst = np.array([0, 0, 5]), np.array([1, 3, 0])
    assert Line((0, 1)).parts().number(src, dst).tolist() == [-1, -1, -1]
    row = Cube((0, 1, 2, 3), ((1,), ()), ((5, 0),))
    assert row.parts().number(src, dst).tolist() == [0, -1, -1]
    assert Torus((2, 3)).parts().number(src, dst).tolist() == [1, 0, -1]
    assert Groups(((0, 1, 2), (3, 4, 5))).parts().slow and not row.parts().slow
    assert Torus((1, 2, 2, 3)).parts().names[3] == "dimension 4"


def test_ones_own_schedule_is_counted_by_the_structure_that_is_inferred():
    steps = [reduce([1, 2], 0), reduce([3, 4], [1, 2]), send(0, [1, 2]), send([1, 2], [3, 4])]
    recording = record(steps, collective="all_reduce", ranks=5, slots=1)
    assert recording.bytes_by_part == {"level 1": 128, "level 2": 128}
    assert recording.idle_ranks == (2, 1, 2, 1)
