from fractions import Fraction

import numpy as np
import pytest
from each import each
from settings import sampled

from collectives import Step, WrongSchedule, record, reduce, send, together
from collectives.errors import BadInput
from collectives.schedule import merged
from collectives.schedule.validate import checked

NO_NODE_4 = "node 4 does not exist; there are 4, 0 to 3"
SIZE = np.full((4, 3), 5)  # elements by node and slot


def refusal_of(schedule, size=SIZE):
    with pytest.raises(WrongSchedule) as problem:
        list(checked(schedule, size))
    assert "\n" not in str(problem.value)
    return str(problem.value)


def refusal(step, size=SIZE):
    return refusal_of([step], size)


@pytest.mark.parametrize(
    "step",
    [
        send(0, [1, 2, 3]),
        send(3, 0, 2),
        send(0, 1, count=3),
        send(0, 1, 2, 0),
        send(0, 0, 1, 2),
        send([1, 2], 0, into=[1, 2]),
        reduce([1, 2, 3], 0),
        reduce([1, 1], 0),
        reduce([1, 2], 0, count=3),
        merged([reduce([1, 2], 0), send(3, 0, 1)]),
        merged([send(3, 0, 2), reduce([1, 2], 0, 0, [1, 0])]),
        send([1, 2], 0, [0, 1], count=[1, 2]),
        send([0, 1], [1, 0]),
    ],
    ids=str,
)
def test_these_steps_keep_the_rules(step):
    assert list(checked([step], SIZE)) == [step]


@pytest.mark.parametrize(
    ("step", "problem"),
    [
        (send(4, 1), "node 4 does not exist; there are 4, 0 to 3 (in the transfer 4→1 =0; "),
        (
            reduce([0, 1], [1, 4]),
            f"{NO_NODE_4} (in the transfer 1→4 +0; try: 3, or 4 % 4 = 0; nodes= or ",
        ),
        (
            send(0, -1),
            "node -1 does not exist; there are 4, 0 to 3 (in the transfer 0→-1 =0; try: 0, or ",
        ),
        (
            send([1, 0], [0, 1], [0, 1], [1, 4]),
            "slot 4 does not exist; there are 3, 0 to 2 (in the transfer 0→1 =1:4; try: 2; sl",
        ),
        (send(1, 4), "node 4 does not exist"),
        (send([0, 1], [1, -1]), "node -1 does not exist"),
        (reduce(-1, 1), "node -1 does not exist"),
        (send(0, 1, 3), "slot 3 does not exist; there are 3, 0 to 2"),
        (send(0, 1, -1, 0), "slot -1 does not exist"),
        (send(0, 1, 0, 3), "slot 3 does not exist"),
        (send(0, 1, 0, -2), "slot -2 does not exist"),
        (send(0, 1, count=4), "slot 3 does not exist"),
        (send(0, 1, 1, 2, 2), "slot 3 does not exist"),
        (send(0, 1, 1, 0, [3]), "slot 3 does not exist"),
        (send([0, 1], 2, [0, 0], [0, 1], [1, 3]), "slot 3 does not exist"),
        (send(0, 1, count=0), "count 0: a transfer moves at least one slot"),
        (send(0, 1, count=[-1]), "count -1: a transfer moves at least one slot"),
        (send(0, [1, 2], count=[1, 0]), "count 0: a transfer moves at least one slot"),
    ],
)
def test_what_does_not_exist_is_refused(step, problem):
    assert refusal(step).startswith(f"step 1: {problem}")


@pytest.mark.parametrize(
    ("step", "problem"),
    [
        (send([1, 2], 0), "ranks 1, 2 write slot 0 of rank 0 at once"),
        (send([1, 1], 0), "rank 1 writes 2 times into slot 0 of rank 0 at once"),
        (merged([send(1, 0), reduce(2, 0)]), "ranks 1, 2 write slot 0 of rank 0 at once"),
        (merged([reduce(2, 0), send(1, 0)]), "ranks 1, 2 write slot 0 of rank 0 at once"),
        (merged([reduce([2, 3], 0), send(1, 0)]), "ranks 1, 2, 3 write slot 0"),
        (send([1, 2], 0, [0, 1], [2, 2]), "ranks 1, 2 write slot 2 of rank 0 at once"),
        (send([1, 2], 0, [0, 1], count=2), "ranks 1, 2 write slot 1 of rank 0 at once"),
        (merged([reduce(1, 0, count=3), send(2, 0, 2)]), "ranks 1, 2 write slot 2"),
        (merged([send(0, 0, 1, 0), reduce(1, 0)]), "ranks 0, 1 write slot 0 of rank 0"),
    ],
)
def test_a_slot_is_overwritten_once_or_added_to(step, problem):
    assert problem in refusal(step)


@each("seed", sampled(range(60), 3))
def test_rows_of_several_slots_meet_where_their_slots_do(seed):
    """Against a list of who writes each slot."""
    random = np.random.default_rng(seed)
    rows = int(random.integers(2, 7))
    parts, writers = [], {}
    for src, dst in random.integers(0, 4, (rows, 2)).tolist():
        into, count = random.integers(1, 12), random.integers(1, 5)
        verb = send if random.random() < 0.4 else reduce
        parts.append(verb(src, dst, 0, into, count))
        for slot in range(into, into + count):
            writers.setdefault((dst, slot), []).append(verb)
    wrong = any(len(verbs) > 1 and send in verbs for verbs in writers.values())
    step, size = merged(parts), np.broadcast_to(1, (4, 16))
    if wrong:
        assert "at once" in refusal(step, size)
    else:
        assert len(list(checked([step], size))) == 1


@pytest.mark.parametrize(
    ("step", "problem"),
    [
        (send(0, 1, 0, 1), "slot 0 of rank 0 has 3 elements, slot 1 of rank 1 has 2"),
        (reduce([2, 0], [3, 1], [0, 1], [0, 0]), "slot 1 of rank 0 has 2 elements"),
        (send(0, 1, 0, 1, 2), "slot 0 of rank 0 has 3 elements, slot 1 of rank 1 has 2"),
    ],
)
def test_slots_of_unequal_size_are_refused(step, problem):
    size = np.broadcast_to([3, 2, 2], (4, 3))
    assert problem in refusal(step, size)


def test_slots_of_equal_size_pass():
    size = np.broadcast_to([3, 2, 2], (4, 3))
    assert len(list(checked([send(0, 1, 1, 2), send(0, 1, count=3)], size))) == 2


def test_sizes_may_differ_by_node_too():
    size = np.array([[2, 1], [1, 1]])
    assert "slot 0 of rank 0 has 2 elements, slot 0 of rank 1 has 1" in refusal(send(0, 1), size)
    assert list(checked([send(0, 1, 1, 0)], size))


def test_sizes_of_a_recording_come_from_its_count():
    uneven = [send(0, 1, 0, 1)]
    assert record(uneven, collective="broadcast", ranks=2, slots=2, count=4)
    with pytest.raises(WrongSchedule, match="step 1: slot 0 of rank 0 has 3 elements"):
        record(uneven, collective="broadcast", ranks=2, slots=2, count=5)


def test_empty_steps_are_dropped_and_not_numbered():
    steps = [send([], []), send(0, 1), send(0, []), send(0, 9)]
    with pytest.raises(WrongSchedule, match=r"^step 2: node 9"):
        list(checked(steps, SIZE))
    kept = record(steps[:3], collective="broadcast", ranks=4, slots=1)
    assert len(kept.steps) == kept.counters.steps == 1


def test_a_refusal_names_the_line():
    def wrong():
        yield send(0, 1)
        yield send(0, 7)  # this one

    line = wrong.__code__.co_firstlineno + 2
    assert refusal_of(wrong()).startswith(f"step 2 (test_validate.py line {line}): node 7 does not")


def test_the_first_wrong_step_stops_the_pull():
    def endless():
        while True:
            yield send(0, 9)

    assert "step 1" in refusal_of(endless())


def test_what_is_no_step_is_refused_with_its_line():
    def wrong():
        yield send(0, 1)
        yield [send(1, 2)]

    line = wrong.__code__.co_firstlineno + 2
    text = refusal_of(wrong())
    assert text.startswith("step 2: [<Step: 1 transfer: 1→2 =0>] is no step")
    assert text.endswith(
        f"is no step (test_validate.py line {line}); "
        "yield each of them, or all at once with together([…], […])"
    )


@pytest.mark.parametrize(
    ("value", "advice"),
    [
        (None, "None is no step; yield send(src, dst, chunk) or reduce(src, dst, chunk)"),
        ((0, 1), "(0, 1) is no step; yield send(0, 1) or reduce(0, 1)"),
        ([2, 0, 1], "[2, 0, 1] is no step; yield send(2, 0, 1) or reduce(2, 0, 1)"),
        ([], "[] is no step; yield send(src, dst, chunk)"),
        ((0, 1, 2, 3), "is no step; yield send(src, dst, chunk)"),
        (42, "42 is no step; yield send(src, dst, chunk)"),
        ((step for step in ()), "a generator is no step; it is a whole schedule: yield from it"),
    ],
    ids=range(7),
)
def test_what_is_no_step_is_told_what_may_have_been_meant(value, advice):
    assert advice in refusal_of([value])


def raises(n):
    yield send(0, 1)
    [][n]


def yields_a_half(n):
    yield send(0, 1)
    yield send(0, n / 2)


def stops(n):
    yield send(0, 1)
    next(iter(()))


@pytest.mark.parametrize(
    ("wrong", "line", "what"),
    [
        (raises, 2, ": raises raised IndexError: list index out of range"),
        (
            yields_a_half,
            2,
            ": dst must be integers, not float64 like 1.5; // divides whole numbers",
        ),
        (stops, 2, ": stops raised RuntimeError: generator raised StopIteration"),
    ],
)
def test_what_a_generator_raises_is_told_with_step_and_line(wrong, line, what):
    place = f"step 2 (test_validate.py line {wrong.__code__.co_firstlineno + line})"
    assert refusal_of(wrong(3)) == place + what
    assert refusal_of(together(wrong(3), [send(2, 3)])) == place + what


def test_the_line_is_one_of_the_author_even_where_others_code_raised():
    def fractional(n):
        yield send(0, 1)
        yield send(0, int(Fraction("x")))

    line = fractional.__code__.co_firstlineno + 2
    assert refusal_of(fractional(3)) == (
        f"step 2 (test_validate.py line {line}): fractional raised "
        "ValueError: Invalid literal for Fraction: 'x'"
    )


def test_interrupts_and_mistakes_of_our_own_pass():
    def interrupted():
        raise KeyboardInterrupt
        yield

    class Ours:
        def __iter__(self):
            return self

        def __next__(self):
            raise KeyboardInterrupt

    for schedule in (interrupted(), Ours()):
        with pytest.raises(KeyboardInterrupt):
            list(checked(schedule, SIZE))


def test_a_range_is_checked_although_the_pattern_repeats():
    assert "slot 3" in refusal_of([send([0, 1], [1, 0], [0, 1]), send([0, 1], [1, 0], [0, 3])])
    assert "node 4" in refusal_of([send([0, 1], [1, 2]), send([0, 1], [1, 4])])
    assert "node 4" in refusal_of([send([0, 1], [1, 2]), send([0, 4], [1, 2])])


def test_a_conflict_is_found_although_the_pattern_repeats():
    spread, clash = send([0, 1], 2, [0, 1]), send([0, 1], 2, [1, 1])
    assert refusal_of([spread, clash]).startswith("step 2: ranks 0, 1 write slot 1 of rank 2")


def test_a_repeated_pattern_shares_its_arrays():
    first, second, third = checked(
        [send([0, 1], [1, 2], 0), reduce([0, 1], [1, 2], 2), send([0, 2], [1, 2])], SIZE
    )
    assert second.src is first.src
    assert second.dst is first.dst
    assert third.src is not first.src
    assert third.dst is first.dst


def test_what_would_not_fit_into_memory_is_refused():
    slots = 1 << 20
    size = np.broadcast_to(np.ones(slots, np.intp), (2, slots))
    bomb = reduce(np.zeros(1 << 20, np.intp), 1, count=slots)
    with pytest.raises(BadInput, match="step 1 would take"):
        list(checked([bomb], size))


MOST = 2**63 - 1


@pytest.mark.parametrize(
    "step",
    [
        send(0, 1, chunk=MOST, into=0, count=np.array([1])),
        send(0, 1, chunk=0, into=MOST, count=np.array([1])),
        send([0, 0], 1, chunk=[0, 2], count=[1, MOST]),
    ],
)
def test_sums_that_64_bits_cannot_hold_exist_no_more_than_others(step):
    assert "does not exist; there are 3, 0 to 2" in refusal(step)


ONE, TWO = np.array([1]), np.array([1, 2])


@pytest.mark.parametrize(
    "step",
    [
        Step(ONE, TWO, ONE, ONE, ONE, ONE > 1, ONE - 1),
        Step(ONE, ONE + 0.5, ONE, ONE, ONE, ONE > 1, ONE - 1),
        Step(ONE, ONE, ONE, ONE, ONE, ONE, ONE - 1),
        Step([1], [1], [1], [1], [1], [False], [0]),
        Step(1, 2, 0, 0, 1, False, 0),
        Step(ONE, ONE, ONE, ONE, ONE, ONE > 1, ONE),
        Step(ONE, ONE, ONE, ONE, ONE, ONE > 1, ONE - 1, stamps=()),
    ],
)
def test_a_table_that_the_verbs_would_not_make(step):
    assert "send" in refusal(step)


# Slots that take the size of what is sent into them

FIRST = reduce([0, 1], [1, 0], 0, count=2)


@pytest.mark.parametrize(
    ("counts", "step", "text"),
    [
        (
            [5, 7],
            merged([reduce(0, 1, 0, 2), reduce(0, 1, 1, 2)]),
            "has 7 elements, slot 2 of rank 1 has 5",
        ),
        ([5, 7], send(0, 1, 2, 0), "slot 2 of rank 0 has 0 elements, slot 0 of rank 1 has 5"),
        ([5, 7], send(0, 1, 1, 0), "slot 1 of rank 0 has 7 elements, slot 0 of rank 1 has 5"),
    ],
)
def test_unequal_sizes_are_refused_in_scratch_slots_too(counts, step, text):
    with pytest.raises(WrongSchedule, match=text):
        record([FIRST, step], collective="all_reduce", ranks=2, slots=2, scratch=1, counts=counts)


def test_a_slot_of_no_elements_is_not_empty():
    steps = [FIRST, send(0, 1, 0, 2), reduce(0, 1, 1, 2)]
    with pytest.raises(
        WrongSchedule, match="slot 1 of rank 0 has 7 elements, slot 2 of rank 1 has 0"
    ):
        record(steps, collective="all_reduce", ranks=2, slots=2, scratch=1, counts=[0, 7])


def test_what_is_sent_into_a_scratch_slot_gives_it_its_size():
    steps = [FIRST, send(0, 1, 0, 2), send(0, 1, 1, 2), send(1, 0, 2, 1)]
    mine = record(steps, collective="all_reduce", ranks=2, slots=2, scratch=1, counts=[5, 7])
    assert mine.sizes(0).tolist() == [[5, 7, 0], [5, 7, 0]]
    assert [int(mine.sizes(k)[1, 2]) for k in range(5)] == [0, 0, 5, 7, 7]
    assert mine.bytes_sent == [8 * (12 + 5 + 7), 8 * (12 + 7)]
    assert mine.check()
