"""Chakra traces: messages matched, put into steps and counted; collectives run by a row."""

from collections import Counter
from time import process_time

import chakra_traces as chakra
import numpy as np
import pytest
from chakra_traces import collective, node, put, ring, trace
from each import each
from settings import sampled

from collectives import record
from collectives.catalog import ROWS
from collectives.errors import BadInput
from collectives.formats.chakra import load
from collectives.formats.chakra.nodes import Node
from collectives.formats.chakra.schedule import Trace


def pairs(recording):
    """Bytes and messages from rank to rank."""
    found = Counter()
    for step in chakra.messages(recording):
        for pair, size in step.items():
            found[pair] += size
            found[pair, "messages"] += 1
    return found


def test_the_ring_of_eight_ranks(tmp_path):
    """1 MiB on 8 ranks: each sends 14 messages of 128 KiB."""
    recording = load(put(tmp_path, ring(8, 1 << 20)))
    assert recording.bytes_sent == [1_835_008] * 8
    assert recording.bytes_received == [1_835_008] * 8
    assert len(recording.steps) == 14
    assert all(step.src.tolist() == list(range(8)) for step in recording.steps)
    assert all((step.dst == (step.src + 1) % 8).all() for step in recording.steps)
    assert "nothing is promised" in str(recording.check())


def test_the_files_are_found_by_any_name(tmp_path):
    put(tmp_path, ring(4, 400))
    for name in ("trace.0.et", "trace.3.et", "trace.et"):
        assert load(tmp_path / name).ranks == 4


ALL = [
    row
    for row in ROWS
    if row.promise.moves_data and row.accepts(6) and row.nodes(row.setting(6)) == 6
]


@each("row", sampled(ALL, 8), title=lambda row: row.title)
def test_the_traces_of_every_algorithm_have_its_messages(tmp_path, row):
    """From rank to rank as many messages and bytes as its own, in no more steps."""
    wanted = record(row.collective, row.algorithm, ranks=6, count=720, dtype="uint8")
    folder = tmp_path / f"{row.collective}-{row.algorithm}"
    folder.mkdir()
    recording = load(put(folder, chakra.of_recording(wanted)))
    assert pairs(recording) == pairs(wanted)
    assert len(recording.steps) <= len(wanted.steps)


def test_messages_match_by_tag_in_order(tmp_path):
    """The receiver asks for the second tag first; sizes tell the messages of a tag apart."""
    sends = [(1, 10), (2, 20), (1, 30)]
    one = [node(k, "send", comm_dst=1, comm_tag=t, comm_size=s) for k, (t, s) in enumerate(sends)]
    asked = [(2, 20), (1, 10), (1, 30)]
    other = [
        node(k, "recv", [k - 1] if k else [], comm_src=0, comm_tag=t, comm_size=s)
        for k, (t, s) in enumerate(asked)
    ]
    recording = load(put(tmp_path, [trace(*one), trace(*other)]))
    sizes = [recording.size[step.chunk].tolist() for step in recording.steps]
    assert sizes == [[20], [10], [30]]


def test_a_message_waits_for_what_both_ends_wait_for(tmp_path):
    """0 → 1 → 2, where rank 1 computes before it passes on; 2 → 0 does not wait."""
    files = [
        trace(node(0, "send", comm_dst=1, comm_size=8), node(1, "recv", comm_src=2, comm_size=8)),
        trace(
            node(7, "send", [6], comm_dst=2, comm_size=8),
            node(6, "comp", [5]),
            node(5, "recv", comm_src=0, comm_size=8, packed=False),
        ),
        trace(node(0, "recv", comm_src=1, comm_size=8), node(1, "send", comm_dst=0, comm_size=8)),
    ]
    recording = load(put(tmp_path, files))
    found = [sorted(zip(s.src.tolist(), s.dst.tolist(), strict=True)) for s in recording.steps]
    assert found == [[(0, 1), (2, 0)], [(1, 2)]]


def test_a_send_does_not_wait_for_its_receive(tmp_path):
    """Both ranks send first, and receive when that is done."""
    files = [
        trace(
            node(0, "send", comm_dst=1 - r, comm_size=8),
            node(1, "recv", [0], comm_src=1 - r, comm_size=8),
        )
        for r in (0, 1)
    ]
    recording = load(put(tmp_path, files))
    assert recording.bytes_sent == [8, 8]


def test_several_messages_of_a_step_have_slots_of_their_own(tmp_path):
    files = [trace(node(0, "send", comm_dst=3, comm_size=8)) for _ in range(3)]
    files.append(trace(*(node(r, "recv", comm_src=r, comm_size=8) for r in range(3))))
    recording = load(put(tmp_path, files))
    assert len(recording.steps) == 1
    assert sorted(recording.steps[0].into.tolist()) == [3, 4, 5]
    assert recording.bytes_received == [0, 0, 0, 24]


def test_two_messages_of_a_link_are_in_two_steps(tmp_path):
    one = trace(*(node(k, "send", comm_dst=1, comm_size=8, comm_tag=k) for k in (0, 1)))
    other = trace(*(node(k, "recv", comm_src=0, comm_size=8, comm_tag=k) for k in (0, 1)))
    recording = load(put(tmp_path, [one, other]))
    assert [len(step) for step in recording.steps] == [1, 1]


def test_messages_that_all_wait_for_one_link_are_put_into_steps_quickly():
    number, ends = 1 << 13, {"comm_src": 0, "comm_dst": 1, "comm_size": 8}
    begun = process_time()
    nodes = [[Node(rank, k, "", 5 + rank, (), ends) for k in range(number)] for rank in (0, 1)]
    assert [one.step for one in Trace(nodes).messages] == list(range(1, number + 1))
    assert process_time() - begun < 2  # not a look at each of the steps before


@each(
    ("kind", "name", "share"),
    [
        (0, "all_reduce", 1),
        (2, "all_gather", 4),
        (6, "all_to_all", 1),
        (7, "reduce_scatter", 1),
        (8, "reduce_scatter", 1),
    ],
)
def test_a_collective_runs_as_the_row_of_its_name(tmp_path, kind, name, share):
    """Nodes of an all-gather have the bytes of a rank, the others those of the whole vector."""
    algorithm = "pairwise" if name == "all_to_all" else "ring"
    recording = load(put(tmp_path, collective(4, kind, 4096)), algorithm)
    wanted = record(name, algorithm, ranks=4, count=4096 * share, dtype="uint8")
    assert recording.bytes_sent == wanted.bytes_sent
    assert recording.check()


def test_collectives_of_several_kinds_are_chosen_by_name(tmp_path):
    nodes = [node(0, "coll", comm_size=8), node(1, "coll", comm_type=2, comm_size=8)]
    nodes += [node(2, "coll", comm_type=2, comm_size=64)]
    name = put(tmp_path, [trace(*nodes)] * 2)
    with pytest.raises(BadInput, match="try: --collective all-reduce"):
        load(name, "ring")
    recording = load(name, "ring", "all-gather")
    assert (recording.collective.name, recording.count) == ("all_gather", 128)


def test_collectives_beside_messages_are_counted(tmp_path):
    """What comes after a collective waits for all its ranks."""
    first = {"comm_size": 8}
    files = [
        trace(
            node(0, "recv", comm_src=1, **first),
            node(1, "coll", [0], **first),
            node(2, "send", [1], comm_dst=1, **first),
        ),
        trace(
            node(0, "send", comm_dst=0, **first),
            node(1, "coll", **first),
            node(2, "recv", [1], comm_src=0, **first),
        ),
    ]
    recording = load(put(tmp_path, files))
    assert recording.title == "trace, 1 collective left out"
    assert [step.src.tolist() for step in recording.steps] == [[1], [0]]


def test_groups_have_collectives_of_their_own(tmp_path):
    """Ranks 0 and 1 do another one than ranks 2 to 4."""
    pair = trace(node(0, "coll", comm_size=8, pg_name="pair"))
    three = trace(node(0, "coll", comm_size=24, comm_group="three"))
    recording = load(put(tmp_path, [pair, pair, three, three, three]), "ring")
    assert (recording.ranks, recording.count) == (3, 24)


def test_other_kinds_of_numbers_and_fields(tmp_path):
    """Chakra's own generator has the size of a tensor only; unknown fields are passed over."""
    files = [
        trace(
            node(0, "send", comm_dst=1, tensor_size=16) + b"\x59" + bytes(8) + b"\x65" + bytes(4)
        ),
        trace(node(0, "recv", comm_src=0, tensor_size=16, comm_tag=0)),
    ]
    recording = load(put(tmp_path, files))
    assert np.array_equal(recording.bytes_sent, [16, 0])


def test_the_algorithm_that_is_named_is_one_of_the_collective(tmp_path):
    for kind, near in ((9, "dissemination"), (0, "ring")):
        path = put(tmp_path, [trace(node(0, "coll", comm_type=kind, comm_size=8))] * 2)
        with pytest.raises(BadInput, match=rf"as in trace\.0\.et {near}"):
            load(path)
        assert load(path, near).ranks == 2


def test_two_files_of_a_rank_are_refused(tmp_path):
    path = put(tmp_path, ring(2, 8))
    (tmp_path / "trace.01.et").write_bytes(path.read_bytes())
    with pytest.raises(BadInput, match=r"trace\.01\.et and trace\.1\.et are both of rank 1"):
        load(path)
