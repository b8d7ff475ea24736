"""Where a schedule goes wrong first: the step, the cell and what is in it, by another executor."""

from itertools import chain, combinations

import numpy as np
import pytest
from interpreter import (
    ConflictError,
    EmptyReadError,
    Layout,
    RangeError,
    begin,
    rows,
    ruled,
    states,
)
from interpreter import start as started
from mistakes import FUNCTIONS, recorded
from settings import sampled

from collectives import BadInput, WrongSchedule, record, reduce, save, send
from collectives.proof.first_wrong import Fault, first_wrong

AT_THE_END = 0
STEPS = {  # on the fewest ranks; 1 where not said
    "missed_fold_all_reduce": 2,
    "wrong_chunk_all_reduce": 2,
    "add_for_copy_all_reduce": 2,
    "endless_broadcast": 2,  # the first that repeats
    "owner_off_by_one_reduce_scatter": AT_THE_END,
    "root_mix_up_reduce": AT_THE_END,
    "lost_tail_broadcast": AT_THE_END,
    "one_step_short_all_gather": AT_THE_END,
}
REFUSED = {  # by the interpreter, in the same step; None: what came is no step
    "two_writers_all_gather": ConflictError,
    "empty_read_broadcast": EmptyReadError,
    "too_soon_all_gather": EmptyReadError,
    "wrong_range_all_reduce": RangeError,
    "endless_broadcast": None,
    "forgotten_yield_from_broadcast": None,
    "no_verb_all_reduce": None,
}
KINDS = {
    "doubled": [
        "add_for_copy_all_reduce",
        "whole_tensor_all_reduce",
        "double_count_all_reduce",
    ],
    "foreign": [
        "swapped_blocks_all_to_all",
        "higher_ranks_scan",
        "wrong_neighbor_send_recv",
    ],
    "empty": ["empty_read_broadcast", "too_soon_all_gather"],
    "written twice": ["two_writers_all_gather"],
    "nowhere": ["wrong_range_all_reduce"],
    "": ["endless_broadcast", "forgotten_yield_from_broadcast", "no_verb_all_reduce"],
}
SEEN = {  # steps after which wrong data is in a cell, or nothing more brings what is missing
    "whole_tensor_all_reduce": 2,
    "double_count_all_reduce": 2,
    "far_pairs_first_reduce": 2,
}


@pytest.fixture(scope="module", autouse=True)
def soon_endless():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("collectives.recording.recorder.MAX_KEPT_STEPS", 1000)
        yield


def held(recording):
    """What all slots hold in each state, by the interpreter."""
    cells = [tuple(cell) for cell in np.argwhere(recording.precondition).tolist()]
    return states(started(cells), recording.steps)


def due(recording, cell):
    """The contributions that a promised cell must hold at the end."""
    need = recording.required
    first, end, origin = (int(part[cell]) for part in (need.first, need.end, need.origin))
    there = recording.precondition
    return frozenset((rank, origin) for rank in range(first, end) if there[rank, origin])


def reachable(recording, content):
    """Whether every promise can still be kept: some contents, added, are what it asks for."""
    found = [frozenset(cell) for cell in content.values() if max(cell.values()) == 1]
    some = chain.from_iterable(combinations(found, k) for k in range(1, len(found) + 1))
    sums = {
        frozenset().union(*parts)
        for parts in some
        if sum(map(len, parts)) == len(frozenset().union(*parts))
    }
    wanted = map(tuple, np.argwhere(recording.postcondition).tolist())
    return all(due(recording, cell) in sums for cell in wanted)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_mistake_is_found_at_its_step_and_cell(name):
    recording = recorded(name)
    wrong = first_wrong(recording)
    step = STEPS.get(name, 1)
    assert (wrong.step, wrong.refused) == (step, name in REFUSED)
    assert wrong.sentence and "\n" not in wrong.sentence and len(wrong.sentence) < 150
    if step:
        assert f"step {step}" in str(recording.check()) or name == "endless_broadcast"
        assert len(wrong.recording.steps) == SEEN.get(name, step) - wrong.refused
    before = held(wrong.recording)
    assert kinds(wrong) == {kind for kind, names in KINDS.items() if name in names and kind} or (
        kinds(wrong) == {"lost"}
    )
    for fault in wrong.faults:
        assert is_true(fault, wrong, before)


def kinds(wrong):
    return {fault.kind for fault in wrong.faults}


def is_true(fault, wrong, before):
    """Whether the interpreter finds the same in that cell when the step is over."""
    recording, there = wrong.recording, before[-1].get(fault.cell, {})
    if fault.kind in ("doubled", "stuck"):
        many = 1 if fault.kind == "stuck" else 2
        return all(there[contribution] == many for contribution in fault.contributions)
    if fault.kind == "foreign":
        alien = set(there) - due(recording, fault.cell)
        return set(fault.contributions) == alien
    if fault.kind == "lost":
        return not set(fault.contributions) & set(there)
    if fault.kind == "empty":
        return not there and fault.cell[0] in wrong.attempted.src
    at = list(zip(wrong.attempted.dst.tolist(), wrong.attempted.into.tolist(), strict=True))
    return at.count(fault.cell) > 1 if fault.kind == "written twice" else fault.cell in before[-1]


@pytest.mark.parametrize("name", [name for name, why in REFUSED.items() if why])
def test_the_interpreter_refuses_the_same_step(name):
    wrong, recording = first_wrong(recorded(name)), recorded(name)
    attempted = recording.refused.step if recording.refused else recording.steps[wrong.step - 1]
    layout = Layout(recording.nodes, recording.slots, tuple(recording.size.tolist()))
    content = begin(map(tuple, np.argwhere(recording.precondition).tolist()), layout)
    for step in wrong.recording.steps:
        content = ruled(content, rows(step), layout)
    with pytest.raises(REFUSED[name]):
        ruled(content, rows(attempted), layout)


ONE_SLOT = ("whole_tensor", "double_count", "missed_fold", "higher_ranks")


@pytest.mark.parametrize("name", [n for n in FUNCTIONS if n.startswith(ONE_SLOT)])
@pytest.mark.parametrize("ranks", sampled([2, 3, 5, 6, 7], 2))
def test_after_that_step_nothing_can_put_it_right(name, ranks):
    recording = recorded(name, ranks)
    wrong = first_wrong(recording)
    content = held(recording)
    if wrong is None:
        assert recording.check()
        return
    assert reachable(recording, content[wrong.step - 1])
    spoiled = kinds(wrong) & {"doubled", "foreign"}
    assert not reachable(recording, content[wrong.step]) or spoiled


def test_it_is_drawn_until_the_mistake_is_seen_but_not_for_ever():
    """What is missing since step 1 is seen at the end, unless that is very much later."""
    for later, drawn in ((10, 12), (100, 1)):
        steps = [reduce([1, 2], [0, 1]), *[send(0, 2)] * later, reduce(3, 0)]
        wrong = first_wrong(record(steps, collective="reduce", ranks=4, slots=1))
        assert (wrong.step, wrong.total) == (1, later + 2)
        assert len(wrong.recording.steps) == drawn
        assert wrong.faults == (Fault("lost", (0, 0), ((2, 0),)),)


def broken_off():
    yield send(0, 1)
    yield send(1, 2)
    raise ValueError("so it goes")


def test_the_steps_before_a_failure_are_kept():
    with pytest.raises(WrongSchedule, match=r"step 3 .* raised ValueError: so it goes") as raised:
        record(broken_off(), collective="broadcast", ranks=4, slots=1)
    found = raised.value.recording
    assert [str(step) for step in found.steps] == ["0→1 =0", "1→2 =0"]
    assert found.counters.messages == 2
    assert str(found.check()).startswith("broken_off on 4 ranks, root 0: step 3 (")
    wrong = first_wrong(found)
    assert (wrong.step, wrong.refused, wrong.attempted) == (3, True, None)
    assert wrong.sentence.endswith("raised ValueError: so it goes")


def test_a_schedule_that_breaks_off_is_wrong_also_where_all_was_done():
    def late():
        yield send(0, 1)
        yield send(0, 9)

    with pytest.raises(WrongSchedule) as raised:
        record(late(), collective="broadcast", ranks=2, slots=1)
    found = raised.value.recording
    assert not found.check()
    with pytest.raises(BadInput, match="breaks off"):
        save(found, "never.json")


def test_an_empty_read_comes_before_a_refused_step():
    steps = [send(1, 2), send(0, 9)]
    with pytest.raises(WrongSchedule) as raised:
        record(steps, collective="broadcast", ranks=3, slots=1)
    wrong = first_wrong(raised.value.recording)
    assert (wrong.step, wrong.faults) == (1, (Fault("empty", (1, 0)),))
    assert len(wrong.recording.steps) == 0


def test_a_right_recording_has_none():
    assert first_wrong(record("all_reduce", "ring", ranks=3)) is None


def test_chunks_of_unequal_size_and_data_are_kept():
    data = np.arange(14).reshape(2, 7)
    steps = [reduce(0, 1, [0, 1]), reduce(0, 1, 0)]
    recording = record(steps, collective="reduce", ranks=2, root=1, counts=[3, 4], data=data)
    wrong = first_wrong(recording)
    assert (wrong.step, wrong.faults) == (2, (Fault("doubled", (1, 0), ((0, 0),)),))
    assert wrong.recording.counts == (3, 4)
    assert (wrong.recording.state(2).value(1, 1) == data[:, 3:].sum(axis=0)).all()


def test_chunks_of_another_size_are_named():
    with pytest.raises(WrongSchedule) as raised:
        record(
            [send(0, 1, [0, 2], [0, 1])], collective="broadcast", ranks=2, slots=3, counts=[3, 4, 5]
        )
    wrong = first_wrong(raised.value.recording)
    assert wrong.faults == (Fault("of another size", (1, 1)),)


@pytest.mark.parametrize("column", [[1], np.array([0]), np.array([0.5, 1.5]), None])
def test_a_step_that_is_no_table_is_not_attempted(column):
    step = send([0, 1], [1, 0])
    object.__setattr__(step, "dst", column)
    with pytest.raises(WrongSchedule, match="its columns are not integers") as raised:
        record([send(0, 1), step], collective="broadcast", ranks=2, slots=1)
    wrong = first_wrong(raised.value.recording)
    assert (wrong.step, wrong.attempted, wrong.faults) == (2, None, ())
