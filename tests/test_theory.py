from fractions import Fraction

import numpy as np
import pytest

from collectives import ROWS, record
from collectives.chunking import chunk_sizes
from collectives.theory import Case, lower_bound

EVERY_ROOT = 9  # ranks up to which every root is tried
SIZES = [*range(1, 14), 16, 17, 31, 32, 33]


def roots(row, n):
    if not row.promise.rooted:
        return [0]
    return range(n) if n <= EVERY_ROOT else [0, n // 2 + 1]


def recorded(row, n, root, count, **settings):
    return record(row.collective, row.algorithm, ranks=n, root=root, count=count, **settings)


def executed(recording):
    counts = recording.counters
    return (
        counts.steps,
        counts.messages,
        int(counts.bytes_sent.max()),
        counts.total_bytes,
    )


def closed(recording):
    form, case = recording.row.form, recording.case
    return tuple(f(case) for f in (form.steps, form.messages, form.sent, form.total))


# Closed forms


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.title)
def test_closed_forms_equal_what_is_executed(row):
    for n in range(1, 34):
        for root in roots(row, n):
            slots = row.slots(n, 4)
            uneven = (2 * slots + slots // 2, 2 * slots + 1, slots // 3, 0)
            for count in (2 * slots, *uneven[: 4 if n <= EVERY_ROOT else 1]):
                recording = recorded(row, n, root, count)
                assert closed(recording) == executed(recording), (n, root, count)


@pytest.mark.parametrize("chunks", [1, 2, 7, 40])
@pytest.mark.parametrize("collective", ["broadcast", "reduce"])
def test_closed_forms_of_pipelines_hold_for_any_number_of_chunks(collective, chunks):
    for n in range(1, 13):
        for count in (2 * chunks, 2 * chunks + 1):
            recording = record(collective, "ring", ranks=n, count=count, chunks=chunks)
            assert closed(recording) == executed(recording)


def names(n, vector, slots):
    """What the formulas are written in, worked out from their definitions."""
    ceil_log = 0
    while 2**ceil_log < n:
        ceil_log += 1
    below = [0]  # ranks in the subtree of each child of the root
    for child in (v for v in range(1, n) if v & (v - 1) == 0):
        below.append(sum(1 for v in range(1, n) if ancestor_below_root(v) == child))
    return {
        "N": Fraction(n),
        "S": Fraction(vector),
        "C": ceil_log,
        "q": slots,
        "V": sum(bin(v).count("1") for v in range(1, n)),
        "B": max(below),
    }


def ancestor_below_root(v):
    """The child of the root above v, where a parent is a number without its lowest one."""
    while v & (v - 1):
        v &= v - 1
    return v


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.title)
def test_the_formulas_shown_to_people_equal_what_is_executed(row):
    for n in SIZES[1:]:
        for root in roots(row, n)[:2]:
            for chunks in (1, 4, 6) if "chunks" in row.parameters else (None,):
                recording = recorded(row, n, root, 3 * row.slots(n, chunks or 4), chunks=chunks)
                known = names(n, recording.count * 8, recording.slots)
                shown = [eval(text, {"__builtins__": {}}, known) for text in row.form.text]
                assert tuple(shown) == executed(recording), (n, root, chunks)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.title)
def test_every_form_names_its_source(row):
    assert len(row.form.text) == 4
    assert len(row.form.source) > 10


# Lower bounds


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.title)
def test_no_algorithm_is_below_a_lower_bound(row):
    for n in SIZES:
        slots = row.slots(n, 4)
        for count in (slots, 2 * slots + slots // 2, 1, 0):
            for root in {0, n - 1}:
                recording = recorded(row, n, root, count)
                steps, _, sent, _ = executed(recording)
                assert steps >= recording.bound.steps, (n, count)
                assert sent >= recording.bound.sent, (n, count)


@pytest.mark.parametrize(
    ("ranks", "ports", "steps"),
    [
        *((1, 1, 0), (2, 1, 1), (3, 1, 2), (8, 1, 3), (9, 1, 4), (1 << 40, 1, 40)),
        *((9, 2, 2), (10, 2, 3), (5, 4, 1), (1000, 999, 1), (1001, 999, 2)),
        *((1, 0, 0), (4, 0, 2)),
    ],
)
def test_the_bound_on_steps_is_a_logarithm(ranks, ports, steps):
    bound = lower_bound("broadcast", Case(ranks, np.array([8])), ports)
    assert (bound.steps, bound.ports) == (steps, max(1, ports))


# Bytes the busiest rank sends at least, of S: facts of Chan et al., table of lower bounds
LEAST = {
    "broadcast": lambda n: Fraction(1),
    "reduce": lambda n: Fraction(1),
    "scatter": lambda n: Fraction(n - 1, n),
    "gather": lambda n: Fraction(1, n),  # a rank that is not the root
    "all_gather": lambda n: Fraction(n - 1, n),
    "reduce_scatter": lambda n: Fraction(n - 1, n),
    "all_reduce": lambda n: Fraction(2 * (n - 1), n),
}
# Bytes all ranks together send at least, of S
LEAST_IN_ALL = {
    "broadcast": lambda n: Fraction(n - 1),
    "reduce": lambda n: Fraction(n - 1),
    "scatter": lambda n: Fraction(n - 1, n),
    "gather": lambda n: Fraction(n - 1, n),
    "all_gather": lambda n: Fraction(n - 1),
    "reduce_scatter": lambda n: Fraction(n - 1),
    "all_reduce": lambda n: Fraction(2 * (n - 1)),
}


@pytest.mark.parametrize("collective", LEAST)
def test_the_bound_on_bytes_is_the_one_of_the_table(collective):
    for n in range(2, 34):
        case = Case(n, chunk_sizes(6 * n, n) * 4)
        assert lower_bound(collective, case).sent == LEAST[collective](n) * case.S
        assert lower_bound(collective, Case(1, np.array([8]))).sent == 0


def test_a_bound_on_an_average_counts_whole_elements():
    case = Case(3, np.array([16, 8, 8]), unit=8)
    assert lower_bound("all_gather", case).sent == 24  # 64 / 3, rounded up to elements
    assert lower_bound("all_reduce", case).sent == 48


# Which algorithms are optimal: R in steps, B in bytes of the busiest rank, T in bytes of all
OPTIMAL = {
    "flat broadcast": "RT",
    "ring broadcast": "BT",
    "tree broadcast": "RT",
    "flat reduce": "RBT",
    "ring reduce": "BT",
    "tree reduce": "RBT",
    "flat scatter": "RBT",
    "tree scatter": "RB",
    "flat gather": "RBT",
    "tree gather": "R",
    "flat all-gather": "RBT",
    "ring all-gather": "BT",
    "tree all-gather": "",
    "flat reduce-scatter": "RBT",
    "ring reduce-scatter": "BT",
    "tree reduce-scatter": "",
    "flat all-reduce": "R",
    "ring all-reduce": "BT",
    "tree all-reduce": "T",
}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.title)
def test_optimal_algorithms_reach_their_bounds_and_others_do_not(row):
    reached = set("RBT")
    for n in range(2, 34):
        recording = recorded(row, n, 0, 4 * row.slots(n, 4))
        steps, _, sent, total = executed(recording)
        least_in_all = LEAST_IN_ALL[row.collective](n) * recording.case.S
        assert total >= least_in_all, n
        met = {"R": steps == recording.bound.steps, "B": sent == recording.bound.sent}
        met["T"] = total == least_in_all
        reached &= {name for name in reached if met[name]}
    assert reached == set(OPTIMAL[row.title])


# Values that can be looked up


@pytest.mark.parametrize(
    ("n", "ones"),
    [(2, 1), (3, 2), (4, 4), (5, 5), (6, 7), (7, 9), (8, 12), (9, 13), (12, 20), (16, 32)],
)
def test_hops_of_a_binomial_scatter(n, ones):
    """V(N), as Open MPI's byte counters have it."""
    recording = record("scatter", "tree", ranks=n, count=n, dtype="int8")
    assert recording.counters.total_bytes == ones


def test_a_case_knows_its_letters():
    case = Case(5, np.array([3, 3, 2, 2, 2]), root=3)
    assert (case.N, case.S, case.C, case.q) == (5, 12, 3, 5)
    assert case.from_root.tolist() == [2, 2, 3, 3, 2]
    assert [Case(n, np.array([1])).C for n in (1, 2, 3, 4, 5, 8, 9)] == [0, 1, 2, 2, 3, 3, 4]
