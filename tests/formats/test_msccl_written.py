"""Recordings written as MSCCL programs, and read again."""

from collections import Counter

import numpy as np
import pytest
from each import each
from msccl_programs import program
from settings import SOME_ROWS, THOROUGH, recorded

from collectives import record, reduce, send
from collectives.errors import BadInput
from collectives.formats.msccl import load, recording_of, save
from collectives.formats.msccl.program import parse_program, read_program
from collectives.schedule import table
from collectives.schedule.step import rows

ROWS = [row for row in SOME_ROWS if not row.in_network and row.promise.moves_data]
RANKS = range(2, 10) if THOROUGH else (2, 5, 8)


def moved(recording, scratch):
    """What travels: the rows between ranks, slot by slot; of one slot sent twice, where from.
    Scratch slots are counted from `scratch`: what is custom has an output before them.
    """
    found = Counter()
    for step in recording.steps:
        each_slot = step.unrolled()
        slots = (each_slot.chunk, each_slot.into)
        own = recording.promised_slots
        columns = (
            *(each_slot.src, each_slot.dst),
            *(np.where(slot < own, slot, slot - own + scratch) for slot in slots),
        )
        each_row = list(zip(*map(np.ndarray.tolist, columns), strict=True))
        often = Counter(row[:3] for row in each_row)
        found.update({r if often[r[:3]] == 1 else r[:3] for r in each_row if r[0] != r[1]})
    return found


def crowded(recording):
    """(src, dst, chunk) of what goes into a slot together with others in one step."""
    found = set()
    for step in recording.steps:
        each_slot = step.unrolled()
        columns = (each_slot.src, each_slot.dst, each_slot.chunk, each_slot.into)
        each_row = list(zip(*map(np.ndarray.tolist, columns), strict=True))
        writers = Counter((row[1], row[3]) for row in each_row)
        found |= {row[:3] for row in each_row if writers[row[1], row[3]] > 1}
    return found


def again(recording, tmp_path):
    save(recording, tmp_path / "written.xml")
    return load(tmp_path / "written.xml")


@each("row", ROWS, lambda row: row.title, few=16)
def test_an_algorithm_is_read_again_with_the_same_transfers(row, tmp_path_factory):
    for n in filter(row.accepts, RANKS):
        setting = row.setting(n, n // 2 if row.promise.rooted else 0)
        recording = recorded(row, setting)
        imported = again(recording, tmp_path_factory.getbasetemp())
        assert imported.check(), n
        assert imported.root == recording.root, n
        assert imported.counters.link_bytes == recording.counters.link_bytes, n
        scratch = imported.promised_slots
        before, after = (moved(each, scratch) for each in (recording, imported))
        twice = {row[:3] for row in before if len(row) == 3}
        waits = {r[:3] for r in after if len(r) == 4 and r[3] >= scratch and r not in before}
        assert waits <= crowded(recording) | twice, n  # it waits in a scratch slot for its turn
        twice |= waits
        before = Counter({r: k for r, k in before.items() if r[:3] not in waits})
        assert Counter({r: k for r, k in before.items() if len(r) == 4}) == Counter(
            {r: k for r, k in after.items() if r[:3] not in twice}
        ), n


def test_steps_of_single_messages_are_the_same_steps(tmp_path):
    for algorithm in ("ring", "recursive-doubling", "rabenseifner"):
        recording = record("all_reduce", algorithm, ranks=8)
        imported = again(recording, tmp_path)
        for one, other in zip(imported.steps, recording.steps, strict=True):
            assert sorted(rows(one)) == sorted(rows(other))


def test_what_is_sent_twice_in_a_step_is_one_message(tmp_path):
    steps = [send([0, 0], [1, 1], chunk=[0, 0], into=[0, 1])]
    recording = record(steps, "mine", collective="broadcast", ranks=2, slots=2)
    imported = again(recording, tmp_path)
    assert (imported.counters.messages, imported.counters.total_bytes) == (1, 32)
    assert not imported.check()
    held = imported.execute().values[1]
    assert (held[0] == held[1]).all()


def test_local_moves_that_exchange_slots_go_by_copies(tmp_path):
    steps = [send([0, 0], [0, 0], chunk=[0, 1], into=[1, 0]), reduce(0, 1, count=2)]
    options = {"collective": "reduce", "ranks": 2, "slots": 2, "root": 1}
    recording = record(steps, "mine", **options)
    imported = again(recording, tmp_path)
    assert imported.root == 1
    one, two = recording.execute().values, imported.execute().values
    np.testing.assert_array_equal(one[1, :2], two[1, :2])


def test_programs_are_written_again(tmp_path):
    """Out of place too, where input and output have a rank's own part."""
    blocks = [[f"{1 - r} {1 - r} 0: s i0; cpy i0 o{r}; r - o{1 - r}"] for r in (0, 1)]
    gather = program("allgather", *blocks, inplace=0, sizes={"i": 1})
    blocks = [[f"{1 - r} {1 - r} 0: s i{1 - r}; cpy i{r} o0; rrc o0 o0"] for r in (0, 1)]
    scatter = program("reduce_scatter", *blocks, inplace=0, sizes={"o": 1})
    for content in (gather, scatter):
        recording = recording_of(parse_program(content), False)
        imported = again(recording, tmp_path)
        assert imported.check()
        assert table(imported.steps) == table(recording.steps)


def test_the_format_has_thread_blocks_steps_and_dependencies_in_its_limits(tmp_path):
    save(record("all_reduce", "bruck", ranks=9), tmp_path / "bruck.xml")
    parsed = read_program(tmp_path / "bruck.xml")
    for block in parsed.every_block():
        assert [step.number for step in block.operations] == list(range(len(block.operations)))
        assert block.sends_to < 0 or block.receives_from < 0
    assert any(step.kind == "nop" for block in parsed.every_block() for step in block.operations)


@pytest.mark.parametrize(
    ("row", "ranks", "why"),
    [
        ("all_reduce sharp", 4, "GPUs alone"),
        ("barrier tree", 4, "has no barrier"),
        ("all_reduce ring", 130, "takes 258 steps of a thread block; MSCCL has at most 256"),
        ("all_to_all flat", 120, "takes 239 thread blocks; MSCCL has at most 216"),
    ],
)
def test_what_the_format_cannot_say_is_refused(tmp_path, row, ranks, why):
    recording = record(*row.split(), ranks=ranks)
    with pytest.raises(BadInput, match=why):
        save(recording, tmp_path / "refused.xml")
    assert not list(tmp_path.iterdir())


def test_a_receive_waits_for_the_send_of_what_it_overwrites(tmp_path):
    recording = record([send([0, 1], [1, 0])], "mine", collective="scan", ranks=2, slots=1)
    save(recording, tmp_path / "written.xml")
    for block in read_program(tmp_path / "written.xml").every_block():
        if block.receives_from >= 0:
            assert [step.after for step in block.operations] == [(0, 0)]


@each("row", ROWS, lambda row: row.title, few=16)
def test_flags_are_written_for_those_that_others_wait_for_and_for_no_others(row, tmp_path_factory):
    path = tmp_path_factory.getbasetemp() / "flags.xml"
    for n in filter(row.accepts, (3, 4, 6)):
        save(recorded(row, row.setting(n, 0)), path)
        blocks = list(read_program(path).every_block())
        flags = {(b.gpu, b.number, s.number) for b in blocks for s in b.operations if s.flags}
        assert flags == {(b.gpu, *s.after) for b in blocks for s in b.operations if s.after}
