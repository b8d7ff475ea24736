from fractions import Fraction
from zlib import crc32

import numpy as np
import pytest
from each import each, row_title
from settings import THOROUGH, recorded, sampled_ranks, settings

from collectives import ROWS, record
from collectives.collective import COLLECTIVES, exchange, find_collective
from collectives.recording.payload import chunk_sizes
from collectives.theory import LETTERS, Case, Form
from collectives.theory.bounds import least_total, lower_bound

EVERY = [*range(1, 66), 128, 256]
SOME = [*range(1, 14), 16, 17, 31, 32, 33] if THOROUGH else [1, 2, 3, 4, 5, 8, 12, 17]
FEW = {3, 5, 8, 12}  # numbers of ranks on which the sample has chunks of two sizes
AROUND_POWERS = {*range(1, 18), 31, 32, 33, 63, 64, 65, 128, 256}


def executed(recording):
    counts = recording.counters
    return (
        counts.steps,
        counts.messages,
        int(counts.bytes_sent[: recording.ranks].max()),
        counts.total_bytes,
    )


def closed(recording):
    """Least and most of steps, messages, bytes of the busiest rank, bytes of all."""
    form, case = recording.row.form, recording.case
    steps, messages = form.step_count(case), form.message_count(case)
    return (steps,) * 2, (messages,) * 2, form.sent_range(case), form.total_range(case)


# Closed forms


def numbers(row):
    """Up to 17 and around powers of two all, of the others each sixth, another one for each row."""
    return [
        n
        for n in EVERY
        if (THOROUGH or n != 7)
        and (n in AROUND_POWERS or (n + crc32(row.title.encode())) % 6 == 0)
        and (n <= 65 or row.collective != "all_to_all")
    ]


def uneven_counts(row, setting):
    """Numbers of elements that give chunks of two sizes; on few ranks also few elements, none.

    In the sample these with the row's defaults only, and else chunks of two sizes on FEW ranks.
    """
    chunks = row.chunk_count(setting)
    if setting.ranks > 33:
        return ()
    usual = row.setting(setting.ranks) if row.accepts(setting.ranks) else None
    if setting.ranks > (6 if THOROUGH else 4) or not (THOROUGH or setting == usual):
        return (2 * chunks + chunks // 2,) if THOROUGH or setting.ranks in FEW else ()
    return (2 * chunks + chunks // 2, 2 * chunks + 1, chunks // 3, chunks, 1, 0)


@each("row", ROWS, row_title, few=30)
def test_counts_are_those_of_the_closed_form_and_not_below_the_lower_bound(row):
    """Exactly for even chunks, else between the values for the smallest and the largest chunk."""
    tried = 0
    for setting in settings(row, numbers(row)):
        chunks = row.chunk_count(setting)
        for count in (2 * chunks, *uneven_counts(row, setting)):
            recording = recorded(row, setting, count)
            counts = executed(recording)
            for value, (least, most) in zip(counts, closed(recording), strict=True):
                assert least <= value <= most, (setting, count)
                assert count % chunks or least == most, (setting, count)
            if recording.bound.holds:
                steps, _, sent, total = counts
                assert steps >= recording.bound.steps, (setting, count)
                assert sent >= recording.bound.sent, (setting, count)
                assert recording.bytes_busiest_port >= recording.bound.busiest_port
                assert total >= least_total(recording.collective, recording.case)
        tried += 1
    assert tried >= 5


BETWEEN = {  # rows whose bytes in all are not known exactly for uneven sizes
    "scatter-doubling broadcast",
    "recursive-halving reduce-scatter",
    "butterfly reduce-scatter",
    "half-fold all-reduce",
    "half-fold reduce",
    "rabenseifner reduce",
    "nvls-tree all-reduce",
    "hierarchical all-to-all",
    "bine scatter",
    "bine gather",
}


@each("row", ROWS, row_title, few=16)
def test_a_form_is_exact_for_uneven_sizes_where_a_function_is_given_or_nothing_divided(row):
    form, exact = row.form, {"sent_range": True, "total_range": True}
    for setting in settings(row, [4, 5]):
        case = recorded(row, setting, row.chunk_count(setting) + 1).case
        for name in ("total_range",) if setting.other_ways else tuple(exact):
            least, most = getattr(form, name)(case)
            exact[name] &= least == most
    assert exact["sent_range"] >= (form.exact_sent is not None or "/" not in form.sent)
    assert exact["total_range"] == (row.title not in BETWEEN)


def test_a_formula_without_a_division_is_evaluated_on_the_true_sizes():
    uneven = Case(3, np.array([5, 4, 4]))
    form = Form("1", "1", "2*S", "(N-1)/N*S")
    assert form.sent_range(uneven) == (26, 26)
    assert form.total_range(uneven) == (8, 10)


def letter_values(recording):
    """What the letters stand for, worked out from their definitions."""
    n = recording.ranks
    ceil_log = next(k for k in range(99) if 2**k >= n)
    power = max(2**k for k in range(99) if 2**k <= n)
    below = [0]  # ranks in the subtree of each child of the root
    for child in (v for v in range(1, n) if v & (v - 1) == 0):
        below.append(sum(1 for v in range(1, n) if ancestor_below_root(v) == child))
    return {
        "N": n,
        "S": recording.count * recording.dtype.itemsize,
        "C": ceil_log,
        "L": next(k for k in range(99) if 2**k == power),
        "P": power,
        "R": n - power,
        "q": recording.chunk_count,
        "V": sum(bin(v).count("1") for v in range(1, n)),
        "B": max(below),
    }


def ancestor_below_root(v):
    """The child of the root above v, where a parent is a number without its lowest one."""
    while v & (v - 1):
        v &= v - 1
    return v


def test_a_formula_holds_of_its_own_count_and_divides_only_what_is_even():
    for count, even in ((16, True), (17, False)):
        ring = record("all_reduce", "ring", ranks=4, count=count)
        form, sent = ring.row.form, max(ring.bytes_sent)
        assert form.holds(form.steps, ring.case, 6) and not form.holds(form.steps, ring.case, 7)
        assert form.holds(form.sent, ring.case, sent) == even


@each("row", ROWS, row_title, few=16)
def test_the_formulas_shown_to_people_equal_what_is_executed(row):
    for setting in settings(row, SOME[1:], all_roots=False):
        recording = recorded(row, setting, 3 * row.chunk_count(setting))
        known = letter_values(recording) | dict(recording.parameters)
        form = row.form.of(recording.case)
        for letter in form.where:
            known[letter.symbol] = letter.value(recording.case)
        exact = {name: Fraction(value) for name, value in known.items()}
        texts = form.text
        shown = [eval(text, {"min": min, "max": max, "abs": abs}, exact) for text in texts]
        assert tuple(shown) == executed(recording), setting


@each("row", ROWS, row_title)
def test_letters_mean_what_they_say(row):
    for form in filter(None, (row.form, row.form.with_channels, row.form.in_ways)):
        assert not {letter.symbol for letter in form.where} & set(LETTERS)
        for letter in form.where:
            assert letter in form.every_letter
            assert len(letter.meaning) > 5


# Lower bounds


@pytest.mark.parametrize(
    ("ranks", "ports", "steps"),
    [
        *((1, 1, 0), (2, 1, 1), (3, 1, 2), (8, 1, 3), (9, 1, 4), (1 << 40, 1, 40)),
        *((9, 2, 2), (10, 2, 3), (5, 4, 1), (1000, 999, 1), (1001, 999, 2)),
        *((1, 0, 0), (4, 0, 2)),
    ],
)
def test_the_bound_on_steps_is_a_logarithm(ranks, ports, steps):
    bound = lower_bound(find_collective("broadcast"), Case(ranks, np.array([8])), ports)
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
    "all_to_all": lambda n: Fraction(n - 1, n),
    "scan": lambda n: Fraction(1),
    "exscan": lambda n: Fraction(1),
    "barrier": lambda n: Fraction(0),
}
# Bytes the busiest rank sends, or receives if that is more; the same table
LEAST_OF_PORT = LEAST | {"gather": lambda n: Fraction(n - 1, n)}  # the root's
# Bytes all ranks together send at least, of S
LEAST_IN_ALL = {
    "broadcast": lambda n: Fraction(n - 1),
    "reduce": lambda n: Fraction(n - 1),
    "scatter": lambda n: Fraction(n - 1, n),
    "gather": lambda n: Fraction(n - 1, n),
    "all_gather": lambda n: Fraction(n - 1),
    "reduce_scatter": lambda n: Fraction(n - 1),
    "all_reduce": lambda n: Fraction(2 * (n - 1)),
    "all_to_all": lambda n: Fraction(n - 1),
    "scan": lambda n: Fraction(n - 1),
    "exscan": lambda n: Fraction(n - 1),
    "barrier": lambda n: Fraction(0),
}


@pytest.mark.parametrize("collective", COLLECTIVES)
def test_the_bounds_on_bytes_are_those_of_the_table(collective):
    if collective in ("send_recv", "dispatch", "combine"):
        assert collective not in LEAST  # it has no table: its pairs say it
        return
    promise = find_collective(collective)
    for n in range(2, 34):
        case = Case(n, chunk_sizes(6 * n, n) * 4)
        assert lower_bound(promise, case).sent == LEAST[collective](n) * case.S
        assert lower_bound(promise, case).busiest_port == LEAST_OF_PORT[collective](n) * case.S
        assert least_total(promise, case) == LEAST_IN_ALL[collective](n) * case.S
        alone = Case(1, np.array([8]))
        assert lower_bound(promise, alone).sent == least_total(promise, alone) == 0


def test_the_bounds_on_ports_are_those_of_unequal_chunks():
    """Rank r has to receive all chunks but its own, and of an all-to-all N - 1 of its own size."""
    case = Case(3, np.array([16, 8, 8]), root=1)
    ports = {"scatter": 24, "gather": 24, "all_gather": 24, "reduce_scatter": 24, "all_to_all": 32}
    for name, port in ports.items():
        assert lower_bound(find_collective(name), case).busiest_port == port
    away = exchange([(0, k, k + 1, 0) for k in range(3)])
    back = exchange([(k + 1, 0, 0, k) for k in range(3)])
    for promise, size in ((away, [8, 8, 8]), (back, [8])):
        bound = lower_bound(promise, Case(4, np.array(size)))
        assert (bound.sent, bound.busiest_port) == (sum(size), 24)


def test_a_bound_on_an_average_counts_whole_elements():
    case = Case(3, np.array([16, 8, 8]), unit=8)
    gather, reduce = map(find_collective, ("all_gather", "all_reduce"))
    assert lower_bound(gather, case).sent == 24  # 64 / 3, rounded up to elements
    assert lower_bound(reduce, case).sent == 48


@pytest.mark.parametrize(("blocks", "ports", "steps"), [(7, 1, 3), (7, 2, 2), (7, 7, 1), (1, 1, 1)])
def test_blocks_may_travel_together(blocks, ports, steps):
    """One rank has a block for each of the others: down a tree, as in a scatter."""
    case = Case(8, np.full(7, 8))
    away = exchange([(0, k, k + 1, 0) for k in range(blocks)])
    back = exchange([(k + 1, 0, 0, k) for k in range(blocks)])
    for promise in (away, back):
        assert lower_bound(promise, case, ports).steps == steps


def test_bounds_do_not_hold_where_other_nodes_take_part():
    from collectives.schedule import reduce, send

    through = [reduce([0, 1], 2), send(2, [0, 1])]
    recording = record(through, collective="all_reduce", ranks=2, slots=1, nodes=3)
    assert not recording.bound.holds
    assert record("all_reduce", "ring", ranks=2).bound.holds


@each("row", ROWS, row_title, few=20)
def test_optimal_algorithms_reach_their_bounds_and_others_do_not(row):
    """R: steps, B: bytes of the busiest port, T: bytes of all; with the usual parameters.

    What a routing table moves may reach more bounds than every table does.
    """
    reached = set("RBT")
    for n in filter(row.accepts, sampled_ranks([*range(2, 34), 64])):
        setting = row.setting(n)
        recording = recorded(row, setting, 4 * row.chunk_count(setting))
        steps, _, _, total = executed(recording)
        bound = recording.bound
        met = {"R": steps == bound.steps}
        met["B"] = recording.bytes_busiest_port == bound.busiest_port
        met["T"] = total == least_total(recording.collective, recording.case)
        reached &= {name for name in reached if met[name] and bound.holds}
    assert reached == set(row.form.optimal) or (
        row.promise.routed and reached > set(row.form.optimal)
    )


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
