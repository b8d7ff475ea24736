from itertools import count, pairwise
from random import Random

import numpy as np
import pytest
from each import each, row_title
from interpreter import rows, start, states
from settings import taken

from collectives import (
    ROWS,
    WrongSchedule,
    backwards,
    pipelined,
    record,
    reduce,
    send,
    table,
    together,
    transposed,
)
from collectives.algorithms import binomial, flat, ring
from collectives.schedule import merged
from collectives.schedule.stamping import stamped
from collectives.schedule.validate import checked

PATH = [send(0, 1), send(1, 2)]


def lines(schedule):
    """The rows of each step as text, without the numbers of the steps."""
    return [str(step) for step in schedule]


# together


def test_together_runs_schedules_side_by_side():
    assert lines(together(PATH, [send(3, 4)], [send(5, 6), send(6, 7), send(7, 8)])) == [
        "0→1 =0   3→4 =0   5→6 =0",
        "1→2 =0   6→7 =0",
        "7→8 =0",
    ]


def test_together_leaves_out_empty_steps():
    assert lines(together([send([], []), send(0, 1)], [send(2, 3)])) == ["0→1 =0   2→3 =0"]


@pytest.mark.parametrize("schedules", [(), ([],), ([], [send([], [])])])
def test_together_of_nothing_is_nothing(schedules):
    assert list(together(*schedules)) == []


def test_together_nests():
    inner = together([send(0, 1)], [reduce(2, 3)])
    assert lines(together(inner, PATH)) == ["0→1 =0   2→3 +0   0→1 =0", "1→2 =0"]


# pipelined


@pytest.mark.parametrize(
    ("chunks", "expected"),
    [
        ([], []),
        ([0], ["0→1 =0", "1→2 =0"]),
        (range(2), ["0→1 =0", "1→2 =0   0→1 =1", "1→2 =1"]),
        ([7, 3], ["0→1 =7", "1→2 =7   0→1 =3", "1→2 =3"]),
        (iter([4]), ["0→1 =4", "1→2 =4"]),
    ],
)
def test_pipelined_starts_each_chunk_one_step_later(chunks, expected):
    assert lines(pipelined(PATH, chunks)) == expected


def test_pipelined_of_nothing_is_nothing():
    assert list(pipelined([], range(3))) == []


def test_pipelined_keeps_verbs():
    assert lines(pipelined([reduce(1, 0), send(0, 1)], range(2))) == [
        "1→0 +0",
        "0→1 =0   1→0 +1",
        "0→1 =1",
    ]


@pytest.mark.parametrize(
    ("step", "slot"),
    [
        (send(0, 1, 1), 1),
        (send(0, 1, 0, 2), 2),
        (send(0, 1, 3, 0), 3),
        (reduce(0, 1, count=2), 1),
        (send(0, [1, 2], [0, 4]), 4),
    ],
)
def test_pipelined_refuses_other_slots(step, slot):
    with pytest.raises(WrongSchedule) as problem:
        list(pipelined([send(0, 1), step], range(2)))
    assert str(problem.value) == (
        f"pipelined: the schedule uses slot {slot}; it may use slot 0 only"
    )


def test_a_chunk_may_be_several_slots_wide():
    once = [reduce([0, 1], 2, count=3), send(2, [0, 1], [0, 2], [1, 0])]
    assert lines(pipelined(once, [0, 2], width=3)) == [
        "0→2 +0..2   1→2 +0..2",
        "2→0 =0:1   2→1 =2:0   0→2 +6..8   1→2 +6..8",
        "2→0 =6:7   2→1 =8:6",
    ]


@pytest.mark.parametrize("step", [send(0, 1, 3), send(0, 1, 2, count=2), send(0, 1, 0, 1, 3)])
def test_pipelined_refuses_slots_beyond_a_chunk(step):
    with pytest.raises(WrongSchedule) as problem:
        list(pipelined([send(0, 1, 2), step], range(2), width=3))
    assert str(problem.value) == "pipelined: the schedule uses slot 3; it may use slots 0 to 2 only"


def moved_on(step, by):
    """The rows of a step so many slots further, with the locals of the lines they come from."""
    stamps = [step.stamps[which] for which in step.origin.tolist()]
    return [
        (row._replace(chunk=row.chunk + by, into=row.into + by), stamp)
        for row, stamp in zip(rows(step), stamps, strict=True)
    ]


def test_pipelined_is_what_its_sentence_says():
    """Row by row, against one list per step; every row keeps the line that made it."""
    for seed in range(30):
        random = Random(seed)
        width, chunks = random.randint(1, 3), random.sample(range(9), random.randint(1, 6))
        own = (ring.chain_broadcast(4), flat.flat_reduce(5))
        once = [step for schedule in own for step in stamped(schedule)]
        for _ in range(random.randint(0, 4)):
            numbers = [random.randrange(9) for _ in range(random.randint(1, 3))]
            once.append(merged([send(n, n + 1, random.randrange(width)) for n in numbers]))
        random.shuffle(once)
        expected = [[] for _ in range(len(once) + len(chunks) - 1)]
        for late, chunk in enumerate(chunks):
            for time, step in enumerate(once, late):
                expected[time] += moved_on(step, chunk * width)
        assert [moved_on(step, 0) for step in pipelined(once, chunks, width)] == expected


# backwards


def test_backwards_keeps_verbs():
    assert lines(backwards([send(0, 1, 2, 3), reduce(4, 5, 6, count=2), send(1, 0)])) == [
        "0→1 =0",
        "5→4 +6..7",
        "1→0 =3:2",
    ]


@pytest.mark.parametrize("scatter", [flat.flat_scatter, binomial.binomial_scatter])
@pytest.mark.parametrize("n", range(1, 12))
def test_a_scatter_backwards_is_a_gather_and_again_a_scatter(scatter, n):
    for root in (0, n // 2, n - 1):
        for schedule, collective in (
            (backwards(scatter(n, root)), "gather"),
            (backwards(backwards(scatter(n, root))), "scatter"),
        ):
            assert record(schedule, collective=collective, ranks=n, root=root).check()


# transposed

TURNED = {
    "broadcast": "reduce",
    "reduce": "broadcast",
    "all_gather": "reduce_scatter",
    "reduce_scatter": "all_gather",
    "all_reduce": "all_reduce",
}
HAVE_NONE = (binomial.binomial_all_gather, flat.flat_all_reduce)


def has_a_transpose(row):
    """On a power of two and where ranks fold: the half-fold overwrites what was in use."""
    try:
        for n in filter(row.accepts, (5, 8, 9)):
            list(transposed(row.schedule(row.setting(n))))
    except WrongSchedule:
        return False
    return True


WITHOUT_SCRATCH = [
    row for row in ROWS if row.collective in TURNED and not row.scratch(row.setting(taken(row, 8)))
]
TURNABLE = [row for row in WITHOUT_SCRATCH if has_a_transpose(row)]


def test_transposed_exchanges_verbs_time_and_direction():
    assert lines(transposed([send(0, [1, 2], 3, 4), reduce(1, 3, 4, 5, 2)])) == [
        "3→1 =5..6:4..5",
        "1→0 +4:3   2→0 +4:3",
    ]


@pytest.mark.parametrize("n", [1, 2, 3, 4, 5, 8, 11])
@each("row", TURNABLE, row_title)
def test_the_transpose_keeps_the_transposed_promise(row, n):
    if not row.accepts(n):
        return
    setting = row.setting(n, n - 1 if row.promise.rooted else 0)
    turned = record(
        transposed(row.schedule(setting)),
        collective=TURNED[row.collective],
        ranks=n,
        root=setting.root,
        slots=row.slots(setting),
        nodes=row.nodes(setting),
    )
    assert turned.check(), turned.check()


def test_many_algorithms_have_a_transpose():
    """Among them all that only send what is new, or only add what is not read again."""
    found = {row.title for row in TURNABLE}
    assert found >= {
        f"{kind} {way}" for kind in ("ring", "tree") for way in ("broadcast", "reduce")
    }
    assert found >= {"ring all-gather", "ring reduce-scatter", "hierarchical all-reduce"}
    assert found >= {"ring all-reduce", "sharp all-reduce", "multicast broadcast"}
    assert not [row for row in TURNABLE if row.function in HAVE_NONE]


@pytest.mark.parametrize(
    ("steps", "problem"),
    [
        ([send(0, 1), send(1, 0)], "step 2 overwrites slot 0 of rank 0 which was in use"),
        ([send(0, 1), send(2, 1)], "step 2 overwrites slot 0 of rank 1 which was in use"),
        ([send([0, 1], [1, 0])], "step 1 overwrites slot 0 of rank 1 which was in use"),
        ([reduce(0, 1), send(2, 1)], "step 2 overwrites slot 0 of rank 1 which was in use"),
        ([reduce(0, 1), send(0, 2)], "step 2 reads slot 0 of rank 0 again after it was reduced"),
        ([reduce(0, 1), reduce(0, 2)], "step 2 reads slot 0 of rank 0 again after it was"),
        ([reduce(0, [1, 2])], "step 1 reads slot 0 of rank 0 again after it was reduced away"),
        ([merged([reduce(0, 1), send(0, 2)])], "step 1 reads slot 0 of rank 0 again after it"),
        ([reduce(0, 1), reduce(2, 0)], "step 2 adds into slot 0 of rank 0 after it was reduced"),
        ([reduce([0, 1], [1, 2])], "step 1 adds into slot 0 of rank 1 after it was reduced"),
        ([send(0, 1, count=2), send(2, 1, 1)], "step 2 overwrites slot 1 of rank 1"),
    ],
)
def test_transposed_refuses_what_has_no_transpose(steps, problem):
    with pytest.raises(WrongSchedule) as refusal:
        list(transposed(steps))
    assert str(refusal.value).startswith(f"not transposable: {problem}")


@pytest.mark.parametrize(
    "steps",
    [
        [reduce(0, 1), send(1, 0)],
        [reduce(0, 1), send(2, 0), send(0, 3)],
        [merged([reduce(0, 1), send(2, 0)])],
        [reduce([0, 1], 2)],
        [send(0, [1, 2])],
    ],
    ids=table,
)
def test_transposed_accepts_slots_that_were_given_away(steps):
    assert table(transposed(transposed(steps))) == table(steps)


def test_van_de_geijns_broadcast_has_no_transpose():
    def scatter_and_all_gather(n):
        yield from binomial.binomial_scatter(n)
        yield from ring.ring_all_gather(n)

    assert record(scatter_and_all_gather(4), collective="broadcast", ranks=4).check()
    with pytest.raises(WrongSchedule, match="not transposable: step 3 overwrites slot"):
        list(transposed(scatter_and_all_gather(4)))


@pytest.mark.parametrize("algorithm", HAVE_NONE)
def test_what_overwrites_data_in_use_has_no_transpose(algorithm):
    with pytest.raises(WrongSchedule, match="not transposable"):
        list(transposed(algorithm(4)))


@each("row", TURNABLE, row_title)
def test_transposing_twice_changes_nothing(row):
    for setting in [row.setting(n) for n in range(1, 10) if row.accepts(n)]:
        twice = transposed(transposed(row.schedule(setting)))
        assert table(twice) == table(row.schedule(setting))


def random_steps(random):
    """Short schedules on 4 ranks with 2 slots; many of them can be transposed."""
    for _ in range(random.randint(2, 6)):
        yield merged(
            [
                random.choice((send, reduce))(
                    random.randrange(4),
                    random.randrange(4),
                    random.randrange(2),
                    random.randrange(2),
                )
                for _ in range(random.randint(1, 2))
            ]
        )


def random_transposable(number):
    """So many seeded random schedules that keep the rules and have a transpose."""
    random, found = Random(1), []
    while len(found) < number:
        steps = list(random_steps(random))
        try:
            list(checked(steps, np.ones((4, 2), np.intp)))
            list(transposed(steps))
        except WrongSchedule:
            continue
        found.append(steps)
    return found


def ends(steps):
    """The slots that hold something at first, and those that were not given away at last."""
    every = {(node, slot) for node in range(4) for slot in range(2)}
    first, last, known = set(every), set(every), set()
    for step in steps:
        table = rows(step)
        known |= {(row.src, row.chunk) for row in table}
        last -= {(row.src, row.chunk) for row in table if row.adds}
        for row in table:
            target = (row.dst, row.into)
            if not row.adds:
                last.add(target)
                if target not in known:
                    first.discard(target)
            known.add(target)
    return first, last


def test_transposed_is_the_transpose_of_the_linear_map():
    schedules = random_transposable(300)
    assert sum(len(steps) > 2 for steps in schedules) > 50
    for steps in schedules:
        first, last = ends(steps)
        forth = states(start(first), steps)[-1]
        back = states(start(last), transposed(steps))[-1]
        for out in last:
            assert all(forth[out][cell] == back[cell][out] for cell in first), table(steps)
        assert table(transposed(transposed(steps))) == table(steps)


def test_transposing_a_large_schedule_takes_time_in_proportion():
    """A chain of sets that are copied for every row would take minutes here."""
    n = 1 << 15
    steps = [send(np.arange(k), np.arange(k) + k) for k in (1 << np.arange(15)).tolist()]
    assert sum(len(step) for step in transposed(steps)) == n - 1
    assert all(len(a) > len(b) for a, b in pairwise(transposed(steps)))


@pytest.mark.parametrize("combine", [transposed, backwards, lambda s: pipelined(s, [0])])
def test_a_schedule_without_end_is_not_held(combine, monkeypatch):
    monkeypatch.setattr("collectives.schedule.combinators.MAX_ITEMS", 100)
    with pytest.raises(WrongSchedule, match=r"more than .* steps"):
        list(combine(iter(lambda: send(0, 1), None)))


def test_chunks_without_end_or_that_are_no_numbers(monkeypatch):
    monkeypatch.setattr("collectives.schedule.combinators.MAX_ITEMS", 100)
    with pytest.raises(WrongSchedule, match=r"more than .* chunks"):
        list(pipelined(PATH, count()))
    with pytest.raises(WrongSchedule, match="chunks must be integers"):
        list(pipelined(PATH, [0.5]))
