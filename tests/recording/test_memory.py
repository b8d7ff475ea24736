"""The executor against a plain interpreter, and against slow numpy loops."""

from random import Random

import numpy as np
import pytest
from each import each, row_title
from interpreter import EmptyReadError, rows, start, states
from settings import SOME_ROWS, cases, recorded

from collectives import WrongSchedule, record, reduce, send
from collectives.recording import memory
from collectives.recording.memory import FEW_ROWS, WIDE_ROW, EmptySlot, Memory, execute
from collectives.schedule import merged
from collectives.schedule.validate import checked


def memory_of(values, full=None):
    """A memory of [node, slot, …] values, all slots full unless said otherwise."""
    values = np.array(values)
    return Memory(values, np.ones(values.shape[:2], bool) if full is None else np.array(full))


def run(memory, *steps, add=np.add):
    execute(checked(steps, np.ones((memory.nodes, memory.slots), int)), memory, add)
    return memory.values.tolist()


# The rules


def test_send_overwrites_and_reduce_adds():
    assert run(memory_of([[1, 2], [10, 20]]), send(0, 1)) == [[1, 2], [1, 20]]
    assert run(memory_of([[1, 2], [10, 20]]), reduce(0, 1)) == [[1, 2], [11, 20]]
    assert run(memory_of([[1, 2], [10, 20]]), reduce(0, 1, 1, 0)) == [[1, 2], [12, 20]]
    assert run(memory_of([[1, 2], [10, 20]]), send(0, 1, count=2)) == [[1, 2], [1, 2]]


def test_all_rows_read_before_any_row_writes():
    assert run(memory_of([[1], [2], [3]]), send([0, 1, 2], [1, 2, 0])) == [[3], [1], [2]]
    assert run(memory_of([[1], [2]]), reduce([0, 1], [1, 0])) == [[3], [3]]
    swap = merged([send(0, 0, 0, 1), send(0, 0, 1, 0)])
    assert run(memory_of([[1, 2]]), swap) == [[2, 1]]


def test_a_local_move_is_executed():
    assert run(memory_of([[1, 2]]), send(0, 0, 0, 1), reduce(0, 0)) == [[2, 1]]


def test_reduce_into_an_empty_slot_copies():
    memory = memory_of([[5], [99]], [[True], [False]])
    assert run(memory, reduce(0, 1)) == [[5], [5]]
    assert memory.full.tolist() == [[True], [True]]
    assert run(memory_of([[5], [99]], [[True], [False]]), reduce([0, 0], 1)) == [[5], [10]]
    assert run(memory_of([[5], [0]], [[True], [False]]), reduce(0, 1), add=np.minimum) == [[5], [5]]


@pytest.mark.parametrize("extra", [0, FEW_ROWS])
def test_several_reduces_into_a_slot_are_applied_in_row_order(extra):
    """In floats the order of additions shows; more rows take the way of large steps."""
    values = np.array([[1.0], [1e16], [-1e16], [3.0], *([[0.0]] * (extra + 1))])
    filler = reduce(np.full(extra, 4), np.arange(extra) + 5)
    for order in ([1, 2, 3], [3, 1, 2], [1, 3, 2]):
        expected = 1.0
        for src in order:
            expected += float(values[src, 0])
        held = run(memory_of(values), merged([reduce(order, 0), filler]))
        assert held[0] == [expected], order


@pytest.mark.parametrize("wide", [1, WIDE_ROW // 8])
@pytest.mark.parametrize("many", [1, 2 * FEW_ROWS])
def test_reading_an_empty_slot_writes_nothing(many, wide):
    full = np.ones((3, many), bool)
    full[1, -1] = False
    memory = memory_of(np.arange(3 * many * wide).reshape(3, many, wide), full)
    before = memory.values.copy()
    slot = np.arange(many)
    with pytest.raises(EmptySlot, match=f"slot {many - 1} of rank 1 is read, but nothing was"):
        memory.combine(merged([send(0, 2, slot), reduce(1, 2, slot)]), np.add)
    assert np.array_equal(memory.values, before)


def test_reading_an_empty_slot_names_rank_slot_step_and_line():
    def wrong():
        yield send(0, [])
        yield send(0, 1)
        yield send([0, 2], 3, [0, 1])  # rank 2 has nothing in slot 1

    recording = record(wrong(), collective="broadcast", ranks=4, slots=2)
    line = wrong.__code__.co_firstlineno + 3
    text = (
        f"step 2 (test_memory.py line {line}): "
        "slot 1 of rank 2 is read, but nothing was written there"
    )
    for broken in (recording.execute, recording.result, lambda: recording.state(2)):
        with pytest.raises(WrongSchedule) as problem:
            broken()
        assert str(problem.value) == text
    assert str(recording.check()) == (
        f"wrong on 4 ranks, root 0: step 2 (test_memory.py line {line}): rank 2 sends its slot 1 "
        "into slot 1 of rank 3, but nothing was written into slot 1 of rank 2 before, and no step "
        "ever writes there; by then only rank 0 has something in slot 1"
    )


# Against the interpreter


def arrays(content, nodes, slots, ranks):
    """What the interpreter found, as `full`, `times` and `origin` of a State."""
    full = np.zeros((nodes, slots), bool)
    times, origin = np.zeros((2, nodes, slots, ranks), np.int64)
    for (node, slot), held in content.items():
        full[node, slot] = True
        for (rank, came_from), often in held.items():
            times[node, slot, rank] += often
            origin[node, slot, rank] += often * came_from
    return full, times, origin


@each("row", SOME_ROWS, row_title)
def test_every_state_of_every_row_is_the_interpreters(row):
    for setting in cases(row, (1, 2, 3, 4, 5, 8)):
        recording = recorded(row, setting)
        contents = states(
            start(map(tuple, np.argwhere(recording.precondition).tolist())), recording.steps
        )
        for number, content in enumerate(contents):
            state = recording.state(number)
            nodes, slots, ranks = recording.nodes, recording.slots, recording.ranks
            full, times, origin = arrays(content, nodes, slots, ranks)
            assert np.array_equal(state.full, full), (setting, number)
            assert np.array_equal(state.times, times), (setting, number)
            assert np.array_equal(state.origin, origin), (setting, number)


# Random schedules

NODES, SLOTS = 5, 4


def random_step(random, number, full):
    """A step of so many rows that reads full slots only and keeps the rules."""
    parts, overwritten, added = [], set(), set()
    for _ in range(number):
        count = random.choice((1, 1, 1, 2))
        src, dst = random.randrange(NODES), random.randrange(NODES)
        chunk, into = (random.randrange(SLOTS - count + 1) for _ in range(2))
        targets = {(dst, into + k) for k in range(count)}
        adds = random.random() < 0.7 or bool(targets & (overwritten | added))
        if targets & overwritten or not all(full[src, chunk + k] for k in range(count)):
            continue
        (added if adds else overwritten).update(targets)
        parts.append((reduce if adds else send)(src, dst, chunk, into, count))
    return merged(parts) if parts else send([], [])


def random_schedule(seed, number, steps=6):
    """A seeded schedule and which slots are full at its start."""
    random = Random(seed)
    full = np.array([[random.random() < 0.7 for _ in range(SLOTS)] for _ in range(NODES)])
    full[0] = True
    made, now = [], full.copy()
    for _ in range(steps):
        step = random_step(random, number, now)
        for row in rows(step):
            now[row.dst, row.into : row.into + row.count] = True
        made.append(step)
    return made, full


def slowly(values, full, steps, add):
    """The same in loops: one element, one row, one slot at a time."""
    values, full = values.copy(), full.copy()
    with np.errstate(all="ignore"):
        for step in steps:
            old = values.copy()
            for row in rows(step):
                for k in range(row.count):
                    new, target = old[row.src, row.chunk + k], (row.dst, row.into + k)
                    for element in range(values.shape[2]):
                        held = values[target][element]
                        summed = row.adds and full[target]
                        values[target][element] = (
                            add(held, new[element]) if summed else new[element]
                        )
                    full[target] = True
    return values, full


@pytest.fixture
def ways(monkeypatch):
    """Which ways through the executor were taken."""
    taken = set()

    def watched(place, name):
        original = getattr(place, name)

        def wrapper(*arguments):
            taken.add(name)
            return original(*arguments)

        monkeypatch.setattr(place, name, wrapper)

    watched(Memory, "_apply_one_by_one")
    watched(Memory, "_write")
    watched(memory, "_rounds")
    return taken


@pytest.mark.parametrize("add", [np.add, np.multiply, np.minimum, np.maximum])
@pytest.mark.parametrize("dtype", ["int64", "uint8", "float32"])
def test_random_schedules_give_the_values_of_slow_loops(dtype, add, ways):
    for seed in range(12):
        number = (3, FEW_ROWS // 4, 2 * FEW_ROWS, 4 * FEW_ROWS)[seed % 4]
        steps, full = random_schedule(seed, number)
        generator = np.random.default_rng(seed)
        values = generator.integers(0, 100, (NODES, SLOTS, 3)).astype(dtype)
        memory = Memory(values.copy(), full)
        execute(checked(steps, np.ones((NODES, SLOTS), int)), memory, add)
        expected, filled = slowly(values, full, steps, add)
        assert np.array_equal(memory.full, filled), seed
        assert np.array_equal(memory.values[filled], expected[filled], equal_nan=True), seed
    assert ways == {"_apply_one_by_one", "_write", "_rounds"}


def permutation_steps(seed, number):
    """Steps in which each node is written by one row, in large and narrow or small and wide."""
    random = Random(seed)
    for _ in range(4):
        nodes = list(range(number))
        random.shuffle(nodes)
        verbs = [random.choice((send, reduce)) for _ in nodes]
        slots = [random.randrange(2) for _ in nodes]
        parts = zip(verbs, nodes, slots, strict=True)
        yield merged([verb(src, dst, slot) for dst, (verb, src, slot) in enumerate(parts)])


@pytest.mark.parametrize(
    ("number", "width", "way"),
    [
        (FEW_ROWS - 1, 1, "_apply_one_by_one"),
        (FEW_ROWS, 1, "_write"),
        (2 * FEW_ROWS, 1, "_write"),
        (2 * FEW_ROWS, WIDE_ROW // 8 - 1, "_write"),
        (2 * FEW_ROWS, WIDE_ROW // 8, "_apply_one_by_one"),
        (3, WIDE_ROW // 8, "_apply_one_by_one"),
    ],
)
def test_both_sides_of_each_limit_give_the_same_values(number, width, way, ways):
    column = np.random.default_rng(number).integers(-99, 99, (number, 2))
    steps = list(permutation_steps(number, number))
    memory = memory_of(np.repeat(column[:, :, None], width, axis=2))
    execute(checked(steps, np.ones((number, 2), int)), memory)
    expected, _ = slowly(column[:, :, None], memory.full, steps, np.add)
    assert (memory.values == expected).all()
    assert ways == {way}


@pytest.mark.parametrize("shape", [(), (1,), (3,), (2, 3), (0,)])
@pytest.mark.parametrize("number", [2, 2 * FEW_ROWS])
def test_a_payload_has_any_further_axes(number, shape):
    first, second = np.random.default_rng(0).integers(0, 99, (2, number, 1, *shape))
    memory = memory_of(np.concatenate([first, second]))
    rank = np.arange(number)
    execute([reduce(rank, number + rank), send(rank, rank[::-1].copy())], memory)
    assert np.array_equal(memory.values[number:], first + second)
    assert np.array_equal(memory.values[:number], first[::-1])


def test_random_schedules_hold_the_interpreters_contributions():
    for seed in range(30):
        steps, _ = random_schedule(seed, (3, 2 * FEW_ROWS)[seed % 2], steps=5)
        recording = record(steps, collective="all_reduce", ranks=NODES, slots=SLOTS)
        cells = [(node, slot) for node in range(NODES) for slot in range(SLOTS)]
        for number, content in enumerate(states(start(cells), recording.steps)):
            state = recording.state(number)
            full, times, origin = arrays(content, NODES, SLOTS, NODES)
            assert np.array_equal(state.full, full)
            assert np.array_equal(state.times, times), (seed, number)
            assert np.array_equal(state.origin, origin), (seed, number)


def test_both_executors_stop_at_the_same_empty_read():
    for seed in range(200):
        random = Random(seed)
        steps = [
            random.choice((send, reduce))(random.randrange(NODES), random.randrange(NODES))
            for _ in range(6)
        ]
        recording = record(steps, collective="broadcast", ranks=NODES, slots=1)
        content, failed = start([(0, 0)]), None
        try:
            states(content, recording.steps)
        except EmptyReadError as problem:
            failed = problem.args[0]
        text = (
            "" if failed is None else f"nothing was written into slot 0 of rank {failed[0]} before"
        )
        verdict = str(recording.check())
        assert text in verdict
        assert (failed is None) == ("nothing was written" not in verdict)


def test_a_copy_of_a_memory_is_independent():
    memory = memory_of([[1], [2]], [[True], [False]])
    copy = memory.copy()
    run(copy, reduce(0, 1))
    assert memory.values.tolist() == [[1], [2]]
    assert memory.full.tolist() == [[True], [False]]


def test_overflow_is_silent_and_wraps():
    assert run(memory_of(np.array([[100], [100]], np.int8)), reduce(0, 1)) == [[100], [-56]]
    assert run(memory_of(np.array([[3e38], [3e38]], np.float32)), reduce(0, 1))[1] == [np.inf]


def test_very_many_rows_into_one_slot():
    """Looking at all rows for each of them would take minutes."""
    number = 60_000
    memory = memory_of(np.arange(number)[:, None])
    execute([reduce(np.arange(1, number), 0)], memory)
    assert memory.values[0, 0] == sum(range(number))
