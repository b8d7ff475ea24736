import numpy as np
import pytest
from each import each, row_title
from settings import THOROUGH, cases, recorded

from collectives import ROWS, pipelined, record, send, together, transposed, within
from collectives.algorithms.binomial import binomial_broadcast, binomial_reduce, binomial_scatter
from collectives.algorithms.ring import chain_broadcast, ring_all_gather, ring_reduce_scatter
from collectives.recording.phases import Phase, phases, step_caption
from collectives.schedule import merged

LAP = "Each chunk travels once round the ring, and every rank adds its own data"
SPREAD = "Each chunk travels once round the ring, and every rank keeps a copy"


def of(collective, algorithm, ranks=4, **settings):
    return phases(record(collective, algorithm, ranks=ranks, **settings))


def own(schedule, ranks=4, slots=4):
    return phases(record(schedule, collective="all_reduce", ranks=ranks, slots=slots))


def brief(found):
    return [(phase.name, phase.first, phase.end) for phase in found]


def test_a_ring_all_reduce_has_two_laps():
    assert of("all_reduce", "ring", 5) == [
        Phase("reduce-scatter", LAP, 0, 4),
        Phase("all-gather", SPREAD, 4, 8),
    ]


@pytest.mark.parametrize("n", [2, 3, 6, 9])
def test_names_and_ends_for_many_ranks(n):
    depth = (n - 1).bit_length()
    laps = [("reduce-scatter", 0, n - 1), ("all-gather", n - 1, 2 * n - 2)]
    assert brief(of("all_reduce", "ring", n)) == laps
    up_and_down = [("reduce", 0, depth), ("broadcast", depth, 2 * depth)]
    assert brief(of("all_reduce", "tree", n)) == up_and_down
    assert [name for name, _, _ in brief(of("all_gather", "tree", n))] == ["gather", "broadcast"]
    assert [name for name, _, _ in brief(of("reduce_scatter", "tree", n))] == ["reduce", "scatter"]


@pytest.mark.parametrize(
    ("collective", "algorithm", "name"),
    [
        ("all_reduce", "flat", "all-reduce"),
        ("broadcast", "tree", "broadcast"),
        ("broadcast", "ring", "broadcast"),
        ("reduce", "ring", "reduce"),
        ("reduce", "tree", "reduce"),
        ("gather", "tree", "gather"),
        ("reduce_scatter", "ring", "reduce-scatter"),
    ],
)
def test_an_algorithm_of_one_part_is_one_phase(collective, algorithm, name):
    (phase,) = of(collective, algorithm, 6)
    steps = len(record(collective, algorithm, ranks=6).steps)
    assert (phase.name, phase.first, phase.end) == (name, 0, steps)
    assert phase.promise


@each("row", ROWS, row_title)
def test_phases_cover_all_steps_in_order(row):
    for setting in cases(row) if THOROUGH else cases(row, (1, 2, 3, 8)):
        recording = recorded(row, setting)
        found = phases(recording)
        bounds = [0, *(phase.end for phase in found)]
        assert [phase.first for phase in found] == bounds[:-1]
        assert bounds == sorted(set(bounds))
        assert bounds[-1] == len(recording.steps)


def test_the_parts_of_the_outermost_function_are_the_phases():
    rank = np.arange(4).reshape(2, 2)

    def hierarchical():
        yield from within(rank, ring_reduce_scatter(2), width=2)
        yield from middle()
        yield from within(rank, ring_all_gather(2), width=2)

    def middle():
        """Across the nodes."""
        yield from within(rank.T, ring_reduce_scatter(2), first=[0, 2])
        yield from within(rank.T, ring_all_gather(2), first=[0, 2])

    assert own(hierarchical()) == [
        Phase("reduce-scatter", LAP, 0, 1),
        Phase("middle", "Across the nodes", 1, 3),
        Phase("all-gather", SPREAD, 3, 4),
    ]


def test_the_same_function_called_from_two_lines_is_two_phases():
    def there_and_back():
        yield from chain_broadcast(4)
        yield from chain_broadcast(4)

    assert brief(own(there_and_back())) == [("broadcast", 0, 3), ("broadcast", 3, 6)]


def test_the_same_function_called_in_a_loop_is_one_phase():
    def again():
        for _ in range(2):
            yield from chain_broadcast(4)

    assert [(phase.first, phase.end) for phase in own(again())] == [(0, 6)]


def test_a_reversed_part_is_told_by_who_reversed_it():
    def turned():
        yield from transposed(binomial_broadcast(4))
        yield from binomial_broadcast(4)

    names = [name for name, _, _ in brief(own(turned()))]
    assert names == ["adding", "broadcast"]


def test_parts_side_by_side_are_one_phase_with_both_names():
    def both():
        left, right = binomial_scatter(4), chain_broadcast(4)
        yield from together(left, within([4, 5, 6, 7], right))

    found = own(both(), ranks=8)
    assert brief(found) == [("scatter + broadcast", 0, 2), ("broadcast", 2, 3)]
    assert found[0].promise == (
        "Ranks pass on the upper part of their chunks until each rank has its own; "
        "The data runs once along the ring, from the root to its left neighbor"
    )


def test_a_pipeline_of_two_parts_has_phases_where_they_overlap():
    def up_and_down():
        yield from binomial_reduce(4)
        yield from binomial_broadcast(4)

    names = [name for name, _, _ in brief(own(pipelined(up_and_down(), range(3))))]
    assert names == ["reduce", "reduce + broadcast", "broadcast"], "in the order they begin"


@pytest.mark.parametrize(
    ("algorithm", "ranks", "names"),
    [
        ("rabenseifner", 8, ["vector-halving", "all-gather"]),
        ("rabenseifner", 6, ["adding", "vector-halving", "all-gather", "sending"]),
        ("half-fold", 8, ["vector-halving", "all-gather"]),
        ("leftward-ring", 8, ["reduce-scatter", "all-gather"]),
        ("double-binary-tree", 8, ["reduce", "reduce + broadcast", "broadcast"]),
        ("nvls", 8, ["reduce-scatter", "reduce-scatter + all-gather", "all-gather"]),
    ],
)
def test_phases_of_an_all_reduce_are_called_what_they_do(algorithm, ranks, names):
    assert [phase.name for phase in of("all_reduce", algorithm, ranks)] == names


@each("row", ROWS, row_title)
def test_no_part_bears_the_name_of_the_whole_unless_it_adds_and_gives_back(row):
    """A phase that only sends is no all-reduce, but may be the second half of one."""
    for setting in cases(row, (4, 6, 8)):
        recording = recorded(row, setting)
        found = phases(recording)
        for phase in found if len(found) > 1 else ():
            adds = {bool(s.reduces.any()) for s in recording.steps[phase.first : phase.end]}
            assert adds != {False} or "reduce" not in phase.name or " + " in phase.name


def test_steps_without_a_function_bear_the_title():
    recording = record([send(0, 1)] * 2, "mine", collective="broadcast", ranks=2, slots=1)
    assert phases(recording) == [Phase("mine", "", 0, 2)]
    assert phases(record([], collective="broadcast", ranks=2)) == []


def test_names_end_with_the_longest_collective():
    def my_reduce_scatter():
        yield send(0, 1)

    def something_else():
        yield send(0, 1)

    assert brief(own(my_reduce_scatter())) == [("reduce-scatter", 0, 1)]
    assert brief(own(something_else())) == [("something-else", 0, 1)]


def test_a_step_has_each_caption_once():
    recording = record("broadcast", "ring", ranks=4, chunks=3)
    assert [step_caption(step) for step in recording.steps] == [
        "the data moves one rank further along the chain"
    ] * len(recording.steps)
    assert step_caption(merged([send(0, 1), send(1, 2)])) == ""


def test_parts_of_one_name_at_once_are_counted():
    assert brief(of("all_reduce", "bidirectional_ring", 4)) == [("2 × all-reduce", 0, 6)]
