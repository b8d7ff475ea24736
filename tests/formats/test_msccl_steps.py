"""MSCCL programs become steps: which slots they move when, and what is proved of them."""

import itertools
from collections import defaultdict, deque

import numpy as np
import pytest
from msccl_programs import FOLDER, FOUND, RING, program

from collectives.collective import ALL_TO_ALL
from collectives.errors import BadInput, WrongSchedule
from collectives.formats.msccl import recording_of, transfer_times
from collectives.formats.msccl.events import ordered
from collectives.formats.msccl.program import RECEIVES, SENDS, parse_program, read_program
from collectives.proof.prove import prove_values
from collectives.schedule import table

MORE_STEPS = {"generated_msccl-tools/ar_hier_2x4.xml": 2}  # than one link alone needs


def recorded(content, in_place=None, **options):
    parsed = parse_program(content)
    return recording_of(
        parsed, not parsed.out_of_place if in_place is None else in_place, **options
    )


def depth(recording):
    """Messages in the longest chain in which each carries what the one before it brought."""
    held = np.zeros((recording.nodes, recording.slots), int)
    for step in recording.steps:
        rows = step.unrolled()
        row = np.repeat(np.arange(len(step)), step.count)
        longest = np.zeros(len(step), int)
        np.maximum.at(longest, row, held[rows.src, rows.chunk])
        new = longest[row] + (rows.src != rows.dst)
        old = held[rows.dst, rows.into]
        held[rows.dst, rows.into] = np.where(rows.reduces, np.maximum(new, old), new)
    return int(held.max())


def least_steps(parsed):
    """Steps that some link needs: those before its messages, a step for each, those after them."""
    order = list(ordered(parsed))
    at = {(b.gpu, b.number, s.number): i for b, _ in order for i, s in enumerate(b.operations)}
    before, sent = defaultdict(set), defaultdict(deque)
    for block, index in order:
        step, here = block.operations[index], (block.gpu, block.number, index)
        before[here] = {(*here[:2], index - 1)} if index else set()
        if step.after:
            before[here].add((block.gpu, step.after[0], at[block.gpu, *step.after]))
        if step.kind in RECEIVES:
            link = block.receives_from, block.gpu, block.channel
            before[here].add(sent[link].popleft())
        if step.kind in SENDS:
            link, message = (block.gpu, block.sends_to, block.channel), (*here, "message")
            before[message] = {here, *list(sent[link, "last"])}
            sent[link].append(message)
            sent[link, "last"] = [message]
    head, tail, links = defaultdict(int), defaultdict(int), defaultdict(list)
    for here, others in before.items():
        head[here] = max((head[each] for each in others), default=0) + (len(here) == 4)
    for here, others in reversed(before.items()):
        for each in others:
            tail[each] = max(tail[each], tail[here] + (len(here) == 4))
    peers = {(b.gpu, b.number): b.sends_to for b, _ in order}
    for here in before:
        if len(here) == 4:
            links[here[0], peers[here[:2]]].append((head[here], tail[here]))
    return max(
        first - 1 + count + last
        for ends in links.values()
        for first, last in itertools.product(*map(set, zip(*ends, strict=True)))
        if (count := sum(head >= first and tail >= last for head, tail in ends))
    )


def test_a_ring_of_three():
    """Each partial sum is made in a scratch slot, as rrs leaves the buffers alone."""
    recording = recorded(RING)
    assert recording.check() and prove_values(recording)
    assert table(recording.steps).splitlines()[1] == "step 2   0→1 +0:5   1→2 +1:5   2→0 +2:5"
    assert recording.counters.steps == 4
    assert recording.counters.messages == 12


def test_messages_of_a_connection_are_received_in_the_order_they_were_sent():
    recording = recorded(
        program(
            "broadcast",
            ["1 -1 0: s i1; s i0"],
            ["-1 0 0: r - i1; r - i0"],
        )
    )
    assert str(recording.check()) == "mine: every rank ends with the root's data"
    assert [str(step) for step in recording.steps] == ["0→1 =1", "0→1 =0"]
    wrong = program("broadcast", ["1 -1 0: s i1; s i0"], ["-1 0 0: r - i0; r - i1"])
    assert not recorded(wrong).check()


def test_the_root_is_the_rank_that_never_receives_or_that_never_sends():
    blocks = ["-1 1 0: r - i0; r - i1"], ["0 -1 0: s i0; s i1"]
    assert recorded(program("broadcast", *blocks)).root == 1
    blocks = ["-1 1 0: rrc i0 i0; rrc i1 i1"], ["0 -1 0: s i0; s i1"]
    recording = recorded(program("reduce", *blocks))
    assert recording.root == 0
    assert recording.check()


def test_ranks_that_exchange_a_slot_in_place_do_it_in_one_step():
    swap = ["1 1 0: s i0; r - i0"], ["0 0 0: s i0; r - i0"]
    recording = recorded(program("alltoall", *swap))
    assert [str(step) for step in recording.steps] == ["0→1 =0   1→0 =0"]
    wanted = ["1 1 0: s i1; r - i1"], ["0 0 0: s i0; r - i0"]
    assert recorded(program("alltoall", *wanted)).check()


def test_a_message_waits_in_scratch_where_its_source_is_overwritten_before_it_is_received():
    """Rank 0 sends slot 0, overwrites it and sends it again; the second arrives first."""
    recording = recorded(
        program(
            "custom",
            ["1 -1 0: s i0; cpy i1 i0", "1 -1 1: s i0 - 1 0/1"],
            ["-1 0 1: r - o0; cpy o0 o2", "-1 0 0: r - o0 1 0/1"],
            chunks=3,
            inplace=0,
        )
    )
    held = recording.execute().values[1]
    first, second = recording.inputs[0].reshape(3, -1)[:2]
    assert (held[3] == first).all()
    assert (held[5] == second).all()
    assert recording.slots == 3 + 3 + 2 + 1
    assert recording.counters.messages == 2


def test_scratch_slots_are_used_again_once_their_message_has_arrived():
    """Rank 1 adds six chunks on their way: two slots are enough, as one waits while one goes."""
    sends, adds, ends = (
        "; ".join(step.format(k) for k in range(6))
        for step in ("s i{0}", "rrs i{0} i{0}", "rrc i{0} i{0}")
    )
    blocks = [f"1 -1 0: {sends}"], [f"2 0 0: {adds}"], [f"-1 1 0: {ends}"]
    recording = recorded(program("reduce", *blocks, chunks=6, sizes={"s": 0}, root=2))
    assert recording.check() and recording.slots == 6 + 2


def test_a_message_does_not_wait_in_a_slot_that_was_in_use_when_it_was_sent():
    """Rank 0 sends slot 0 first of all and overwrites it; rank 1 receives it last of all."""
    recording = recorded(
        program(
            "custom",
            ["1 -1 0: s i0; cpy i1 i0", "1 -1 1: s i2"],
            ["-1 0 0: r - o0 1 2/0", "2 0 1: rrs i2 i2", "-1 2 0: r - o1"],
            ["-1 1 1: rrc i2 o2", "1 -1 0: s i1 - 1 0/0"],
            chunks=3,
            inplace=0,
            sizes={"s": 0},
        )
    )
    held, data = recording.execute().values, recording.inputs.reshape(3, 3, -1)
    assert (held[1, 3] == data[0, 0]).all() and (held[1, 4] == data[2, 1]).all()
    assert (held[2, 5] == data[:, 2].sum(axis=0)).all()


def test_local_moves_have_steps_of_their_own():
    """Rank 0 overwrites what it sends: the copy comes after the message, not with it."""
    blocks = ["1 -1 0: s i0; cpy i1 i0"], ["-1 0 0: r - i0"]
    recording = recorded(program("custom", *blocks, chunks=2))
    assert [str(step) for step in recording.steps] == ["0→1 =0", "0→0 =1:0"]


def test_more_steps_than_are_run_are_refused_before_they_are_made(monkeypatch):
    copies = program("custom", ["-1 -1 0: " + "; ".join(["cpy i0 s0"] * 5)])
    monkeypatch.setattr(transfer_times, "MAX_STEPS", 5)
    assert len(recorded(copies).steps) == 5
    monkeypatch.setattr(transfer_times, "MAX_STEPS", 4)
    monkeypatch.setattr(transfer_times, "Step", None)
    with pytest.raises(BadInput, match=r"^it takes 5 steps; at most 4 are run; try: fewer"):
        recorded(copies)


def test_a_dependency_orders_what_no_data_does():
    """Rank 0's second block sends only after its first has received."""
    blocks = ["-1 1 0: r - i0", "1 -1 0: s i1 - 1 0/0"], ["0 0 0: s i0; r - i1"]
    recording = recorded(program("custom", *blocks, chunks=2))
    assert [str(step) for step in recording.steps] == ["1→0 =0", "0→1 =1"]


def test_a_link_carries_one_message_in_a_step():
    blocks = ["1 -1 0: s i0", "1 -1 1: s i1"], ["-1 0 0: r - i0", "-1 0 1: r - i1"]
    recording = recorded(program("broadcast", *blocks))
    assert [str(step) for step in recording.steps] == ["0→1 =0", "0→1 =1"]


def test_of_messages_for_one_link_those_come_first_that_nothing_has_to_come_before():
    """Rank 1 passes three messages on, and sends two of its own, the second of which goes on."""
    blocks = (
        ["1 -1 0: s i0; s i1; s i2"],
        ["2 0 0: rcs - i0; rcs - i1; rcs - i2", f"2 -1 1: {'nop; ' * 6}s i3; s i4"],
        ["-1 1 0: r - i0; r - i1; r - i2", "3 1 1: rcs - i3; rcs - i4"],
        ["-1 2 1: r - i3; r - i4"],
    )
    parsed = parse_program(program("custom", *blocks, chunks=5))
    assert recording_of(parsed, True).counters.steps == least_steps(parsed) == 5


@pytest.mark.parametrize("copies", [True, False])
def test_an_all_gather_out_of_place_needs_each_ranks_own_chunk_copied(copies):
    """In place each rank's own chunk is where it must be."""
    blocks = [
        [f"{1 - rank} {1 - rank} 0: s i0; r - o{1 - rank}", f"-1 -1 0: {copy}"]
        for rank, copy in enumerate(("cpy i0 o0", "cpy i0 o1") if copies else ("nop", "nop"))
    ]
    content = program("allgather", *blocks, inplace=0, sizes={"i": 1})
    assert bool(recorded(content).check()) is copies
    assert recorded(content, in_place=True).check()


@pytest.mark.parametrize("in_place", [True, False])
@pytest.mark.parametrize("op", ["sum", "avg"])
def test_an_all_reduce_that_serves_both_calls_is_right_in_both(in_place, op):
    blocks = [[f"{1 - r} {1 - r} 0: s i0; cpy i0 o0; rrc o0 o0"] for r in (0, 1)]
    content = program("allreduce", *blocks, chunks=1, sizes={"o": 1}, outofplace=1)
    data = np.array([[1.0, 5.0], [2.0, 8.0]])
    recording = recorded(content, in_place, op=op, data=data)
    assert recording.check()
    assert recording.slots == (3 if in_place else 4)
    for result in recording.result():
        np.testing.assert_array_equal(result, [3.0, 13.0] if op == "sum" else [1.5, 6.5])


def test_a_reduce_scatter_leaves_each_rank_its_own_part():
    blocks = [[f"{1 - r} {1 - r} 0: s i{1 - r}; rrc i{r} o0"] for r in (0, 1)]
    for inplace in (0, 1):
        content = program("reduce_scatter", *blocks, inplace=inplace, sizes={"o": 1})
        recording = recorded(content)
        assert recording.check() and prove_values(recording)
        assert recording.bound.sent == recording.bytes_sent[0]


def test_blocks_of_several_chunks_of_an_all_to_all():
    swap = ["1 1 0: s i2 - 2; r - o2 2; cpy i0 o0 2"], ["0 0 0: s i0 - 2; r - o0 2; cpy i2 o2 2"]
    recording = recorded(program("alltoall", *swap, chunks=4, inplace=0))
    assert recording.collective == ALL_TO_ALL
    assert recording.check() and prove_values(recording)
    assert recording.bytes_sent == [recording.bound.sent] * 2


def test_a_custom_collective_is_counted_and_nothing_is_proved():
    recording = recorded(program("custom", ["1 -1 0: s i0"], ["-1 0 0: r - o0"], sizes={"o": 1}))
    assert recording.counters.messages == 1
    assert recording.collective.promises_nothing
    assert str(recording.check()) == "mine: nothing is promised, so nothing is proved"


def test_reading_a_chunk_before_it_is_written_is_wrong():
    content = program("allreduce", ["1 -1 0: s s1"], ["-1 0 0: r - i0"])
    with pytest.raises(WrongSchedule, match=r"gpu 0, tb 0, step 0 \(s\): reads s\[1\], but noth"):
        recorded(content)


def test_blocks_that_wait_for_each_other_are_named():
    circle = ["-1 -1 0: cpy i0 s0 1 1/0", "-1 -1 0: cpy i0 s1 1 0/0"], ["-1 -1 0: nop"]
    with pytest.raises(BadInput, match=r"never ends: gpu 0, tb 0, step 0 \(cpy\), which waits for"):
        recorded(program("allreduce", *circle))
    both = ["1 1 0: r - i0; s i0"], ["0 0 0: r - i0; s i0"]
    with pytest.raises(BadInput, match=r"tb 0, step 0 .r., which waits for gpu 1, tb 0, step 0"):
        recorded(program("allreduce", *both))


def test_other_peoples_programs_have_the_figures_of_a_separate_interpreter():
    for name, known in FOUND.items():
        parsed = read_program(FOLDER / name)
        for in_place in {bool(parsed.in_place), not parsed.out_of_place}:
            recording = recording_of(parsed, in_place)
            counted, unit = recording.counters, recording.size[0] * 8
            adds = [(step.dst[step.reduces], step.count[step.reduces]) for step in recording.steps]
            each = sum(np.bincount(dst, count, recording.nodes) for dst, count in adds)
            assert recording.check() and prove_values(recording), name
            assert counted.messages == known["messages"], name
            assert len(counted.links) == known["directed_pairs"], name
            assert counted.total_bytes == unit * known["chunks_sent_total"], name
            for key in ("sent", "received"):
                moved = getattr(counted, f"bytes_{key}") // unit
                assert sorted({*moved.tolist()}) == known[f"chunks_{key}_per_rank"], name
            assert each.sum() == known["chunk_additions_total"], name
            assert each.max() == known["chunk_additions_max_rank"], name
            assert depth(recording) == known["hop_depth"], name
            assert counted.steps == least_steps(parsed) + MORE_STEPS.get(name, 0), name
