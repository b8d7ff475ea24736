"""All-to-all: who gets which block when, and the slots blocks wait in on their way."""

from itertools import pairwise

import numpy as np
import pytest
from promises import RANKS, Run, algorithms, keep, name

from collectives.algorithms import all_to_all
from collectives.algorithms.all_to_all import triangular_offsets

POWERS = [1, 2, 4, 8, 16]


def digits(value, radix):
    """The digits of a number, the ones first."""
    return [value % radix, *digits(value // radix, radix)] if value else []


def blocks(run):
    """Of each step, (block, src, dst) of every transfer; block (s, d) is from rank s for rank d."""
    for held, step in zip(run.states, run.steps, strict=False):
        yield [(*held[row.src, row.chunk], row.src, row.dst) for row in step]


def distances(run):
    """How far each step goes, where all ranks send equally far."""
    found = [{(row.dst - row.src) % run.n for row in step} for step in run.steps]
    assert all(len(far) == 1 for far in found)
    return [far.pop() for far in found]


def each_sends_every_rank_its_block(run):
    ranks = range(run.n)
    return len(run.steps) == 1 and run.moved() == {(s, d, d) for s in ranks for d in ranks}


def k_further_on_and_k_back(run):
    k = [(number + 1) % run.n for number in range(run.n)]
    each = all(sorted(row.src for row in step) == [*range(run.n)] for step in run.steps)
    return distances(run) == k and each


def nccls_order(run):
    """The rule as NCCL's host code states it, one addition at a time."""
    power, far, found = 1, 0, []
    while power < run.n:
        power *= 2
    for k in range(power):
        far = (far + k) & (power - 1)
        found += [far] if far < run.n else []
    return distances(run) == found and sorted(found) == [*range(run.n)]


def partners_swap(run):
    for number, step in enumerate(run.steps, 1):
        bits = number % run.n
        if {(row.src, row.dst) for row in step} != {(r, r ^ bits) for r in range(run.n)}:
            return False
    return len(run.steps) == run.n


def a_hop_for_each_digit(run):
    radix = run.given["radix"]
    hops = {(s, d): [] for s in range(run.n) for d in range(run.n)}
    distances(run)
    for step in blocks(run):
        for block, src, dst in step:
            hops[block] += [(dst - src) % run.n] if src != dst else []
    return all(
        hops[s, d]
        == [digit * radix**k for k, digit in enumerate(digits((d - s) % run.n, radix)) if digit]
        for s, d in hops
    )


def gathers_in_the_destinations_seat(run):
    gpus = run.given["gpus"]
    first = next(blocks(run))
    within = all(src // gpus == dst // gpus for _, src, dst in first)
    seats = all(dst % gpus == d % gpus for (_, d), _, dst in first)
    return within and seats and len(first) == run.n**2


def each_meets_every_other_once(run):
    """In pairs; the own block moves while a rank meets nobody, or in a step of its own."""
    met = [link for links in run.messages() for link in links]
    paired = all({(dst, src) for src, dst in links} == links for links in run.messages())
    own = [number for number, step in enumerate(run.steps) for row in step if row.src == row.dst]
    alone = own == [*range(run.n)] if run.n % 2 else own == [run.n - 1] * run.n
    return paired and alone and sorted(met) == sorted(run.pairs()) and len(run.steps) == run.n


PROMISES = {
    "Ranks swap blocks in pairs, as in a tournament in which each meets every other once.": (
        each_meets_every_other_once
    ),
    "Each rank sends every rank its block at once.": each_sends_every_rank_its_block,
    "Each rank sends to the next, then to the one after, and so on.": (k_further_on_and_k_back),
    "It is pairwise in NCCL's order: the distances are 0, 1, 3, 6, 10, … modulo a power of two.": (
        nccls_order
    ),
    "In step k the ranks whose numbers differ by the bits of k swap blocks.": (partners_swap),
    "Each block gets to its rank in a few hops; those that hop equally far share a message.": (
        a_hop_for_each_digit
    ),
    "Blocks first gather within their node, on the rank with their destination's local index.": (
        gathers_in_the_destinations_seat
    ),
}


def cases(function):
    """Each n with what the function takes beside it."""
    if function.__name__.startswith("exchange"):
        return [(n, {}) for n in POWERS]
    if function.__name__.startswith("bruck"):
        return [(n, {"radix": radix}) for n in RANKS for radix in range(2, n + 2)]
    if function.__name__.startswith("hierarchical"):
        return [(n, {"gpus": g}) for n in RANKS for g in range(1, n + 1) if n % g == 0]
    return [(n, {}) for n in RANKS]


FUNCTIONS = pytest.mark.parametrize("function", algorithms(all_to_all), ids=name)


@FUNCTIONS
def test_the_docstrings_promise_is_kept(function):
    for n, given in cases(function):
        keep(function, PROMISES, [n], **given)


@FUNCTIONS
def test_every_rank_ends_with_every_block_meant_for_it(function):
    for n, given in cases(function):
        last = Run(function, n, **given).last
        assert all(last[r, n + s] == {(s, r): 1} for r in range(n) for s in range(n)), (n, given)


@FUNCTIONS
def test_a_slot_of_a_block_is_never_used_for_another(function):
    """So blocks may differ in size: what is sent stays, what arrives arrives once."""
    for n, given in cases(function):
        run = Run(function, n, **given)
        assert all(row.into >= n for row in run.rows)
        assert sum(1 for row in run.rows if row.into < 2 * n) == n * n


@FUNCTIONS
def test_a_rank_sends_each_other_rank_at_most_one_message_a_step(function):
    """In bruck, pairwise, triangular and exchange, one message in all."""
    ports = {"flat": 2, "hierarchical": 2}.get(function.__name__.split("_")[0], 1)
    for n, given in cases(function):
        for links in Run(function, n, **given).messages():
            odd = function.__name__.startswith("tournament") and n % 2  # one meets nobody
            assert ports > 1 or len(links) in (0, n - 1 if odd else n)


def test_bruck_waits_in_as_few_slots_as_there_are_distances_of_several_hops():
    for n in range(1, 34):
        for radix in (2, 3, 4, max(2, n)):
            run = Run(all_to_all.bruck_all_to_all, n, radix=radix)
            several = sum(1 for d in range(n) if sum(map(bool, digits(d, radix))) > 1)
            assert {row.into for row in run.rows if row.into >= 2 * n} == {
                2 * n + k for k in range(several)
            }


def test_bruck_by_a_radix_of_n_is_the_pairwise_exchange():
    for n in RANKS[1:]:
        bruck = Run(all_to_all.bruck_all_to_all, n, radix=n).steps
        pairwise = Run(all_to_all.pairwise_all_to_all, n).steps
        assert bruck == [pairwise[-1], *pairwise[:-1]]


def test_the_distances_of_nccl_are_triangular_numbers():
    """As computed by NCCL for 5, 6, 8 and 16 ranks, and 1, 2, 3, … apart modulo a power of two."""
    nccl = {
        5: [0, 1, 3, 2, 4],
        6: [0, 1, 3, 2, 5, 4],
        8: [0, 1, 3, 6, 2, 7, 5, 4],
        16: [0, 1, 3, 6, 10, 15, 5, 12, 4, 13, 7, 2, 14, 11, 9, 8],
    }
    for n, expected in nccl.items():
        assert triangular_offsets(n).tolist() == expected
    for power in (2, 4, 64, 1024):
        apart = [(b - a) % power for a, b in pairwise(triangular_offsets(power).tolist())]
        assert apart == [*range(1, power)]
    assert all(np.array_equal(np.sort(triangular_offsets(n)), np.arange(n)) for n in range(1, 200))


def test_the_hierarchical_way_sends_one_message_to_each_remote_node():
    for n, given in cases(all_to_all.hierarchical_all_to_all):
        gpus = given["gpus"]
        run = Run(all_to_all.hierarchical_all_to_all, n, **given)
        across = run.messages()[1]
        assert all(src % gpus == dst % gpus for src, dst in across)
        assert len(across) == n * (n // gpus - 1)
        waiting = {row.into for row in run.rows if row.into >= 2 * n}
        assert waiting == {*range(2 * n, 3 * n)}  # a slot for each block that comes to the seat
