from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from each import each, row_title
from settings import THOROUGH

from collectives import ROWS, BadInput, check, exchange, pipelined, record, reduce, send
from collectives.algorithms.binomial import binomial_broadcast
from collectives.algorithms.ring import chain_broadcast, ring_all_gather, ring_all_reduce
from collectives.catalog import find_row
from collectives.collective import BROADCAST, COLLECTIVES
from collectives.proof.check import check_case, check_counts, check_row, right_in, roots
from collectives.proof.own_algorithm import named_collective
from collectives.theory import Form


def wrong_from_five_all_reduce(n):
    yield from ring_all_reduce(n)
    if n >= 5:
        yield reduce(0, 1)


def rooted_broadcast(n, root=0):
    rank = np.arange(n)
    yield send(root, rank[rank != root])


# Anybody's function


@pytest.mark.parametrize(
    ("function", "settings", "cases"),
    [
        (ring_all_reduce, {}, 33),
        (ring_all_reduce, {"ranks": [1, 2, 5]}, 3),
        (ring_all_gather, {"ranks": range(3, 6)}, 3),
        (
            binomial_broadcast,
            {"slots": 1, "ranks": range(1, 12)},
            1 + 2 + 3 + 4 + 5 + 6 + 7 + 8 + 9 + 2,
        ),
        (binomial_broadcast, {"slots": 1, "ranks": [7], "root": 3}, 1),
        (wrong_from_five_all_reduce, {"ranks": range(1, 5)}, 4),
    ],
)
def test_right_functions_are_right_in_all_cases(function, settings, cases):
    verdict = check(function, **settings)
    assert verdict, verdict
    number = f"all {cases} cases" if cases > 1 else "the one case"
    assert verdict.text == f"{function.__name__}: right in {number}"


@pytest.mark.parametrize(
    ("ranks", "right"),
    [
        (range(1, 34), ". On 1 to 4 ranks it is right"),
        ([9, 5, 3], ". On 3 ranks it is right"),
        ({9, 5}, ""),
    ],
)
def test_the_smallest_wrong_number_of_ranks_is_named(ranks, right):
    verdict = check(wrong_from_five_all_reduce, ranks=ranks)
    line = wrong_from_five_all_reduce.__code__.co_firstlineno + 3
    assert not verdict
    assert str(verdict) == (
        "wrong_from_five_all_reduce on 5 ranks: rank 1, slot 0 ends wrong: chunk 0 of ranks 0 to 4 "
        f"is in it twice. It goes wrong in step 9 (test_check.py line {line}): rank 0 adds its "
        "slot 0 (chunk 0 of ranks 0 to 4) into slot 0 of rank 1"
        f", which already holds chunk 0 of ranks 0 to 4{right}"
    )


def test_a_schedule_that_breaks_a_rule_is_a_verdict():
    def breaking_broadcast(n):
        yield send(0, n)

    verdict = check(breaking_broadcast, ranks=[3])
    line = breaking_broadcast.__code__.co_firstlineno + 1
    assert str(verdict) == (
        f"breaking_broadcast on 3 ranks, root 0: step 1 (test_check.py line {line}): node 3 "
        "does not exist; there are 3, 0 to 2 (in the transfer 0→3 =0; try: 2, or 3 % 3 = 0; "
        "nodes= or --nodes adds switches)"
    )
    assert not verdict


def test_every_root_is_tried():
    def deaf_broadcast(n, root):
        yield from rooted_broadcast(n, 0 if root == n - 1 == 3 else root)

    assert check(deaf_broadcast, slots=1, ranks=range(1, 4))
    verdict = check(deaf_broadcast, slots=1)
    assert str(verdict).startswith("deaf_broadcast on 4 ranks, root 3: step 1 (")
    assert not verdict


def test_arguments_are_filled_by_name():
    def by_ranks_broadcast(ranks, root, *rest, chunks, **more):
        assert not rest
        assert not more
        yield from pipelined(chain_broadcast(ranks, root), range(chunks))

    assert check(by_ranks_broadcast, slots=3, ranks=[4], chunks=3)
    assert not check(by_ranks_broadcast, slots=3, ranks=[4], chunks=2)
    assert check(by_ranks_broadcast, ranks=[4], chunks=3), "slots are the chunks"
    assert check(by_ranks_broadcast, ranks=[4]), "four of them"

    def far_broadcast(n, far):
        yield from pipelined(chain_broadcast(n), range(n))

    with pytest.raises(BadInput, match=r"far_broadcast on 1 rank, root 0: needs 'far'; give it"):
        check(far_broadcast)
    with pytest.raises(BadInput, match=r"-p fat=1: far_broadcast has no 'fat'; did you mean far?"):
        check(far_broadcast, far=1, fat=1)
    assert check(far_broadcast, far=1)


def test_only_functions_that_take_a_root_are_tried_with_others():
    def without_broadcast(n):
        yield from rooted_broadcast(n)

    assert check(without_broadcast, slots=1)
    assert not check(without_broadcast, slots=1, root=1, ranks=[2])


def test_sizes_may_depend_on_the_number_of_ranks():
    def halves_all_gather(n):
        for step in range(n - 1):
            rank = np.arange(n)
            yield send(rank, (rank + 1) % n, (rank - step) % n * 2, count=2)

    def by_a_switch_all_reduce(n):
        yield reduce(np.arange(n), n, 0, 1)
        yield send(n, np.arange(n), 1, 0)

    assert check(halves_all_gather, slots=lambda n: 2 * n)
    assert not check(halves_all_gather, slots=lambda n: 4 * n, ranks=2)
    sizes = {"slots": 1, "scratch": lambda n: n, "nodes": lambda n: n + 1}
    assert check(by_a_switch_all_reduce, ranks=range(1, 9), **sizes)
    assert not check(by_a_switch_all_reduce, ranks=4, slots=1, nodes=lambda n: n + 1)
    assert not check(by_a_switch_all_reduce, ranks=4, slots=1, scratch=1)


def test_a_collective_may_depend_on_the_number_of_ranks():
    def around(n):
        rank = np.arange(n)
        yield send(rank, (rank + 1) % n, 0, 1)

    def neighbors(n):
        return exchange([(rank, 0, (rank + 1) % n, 0) for rank in range(n)])

    assert check(around, collective=neighbors, slots=1)
    assert check(around, collective=neighbors(3), slots=1, ranks=3)
    verdict = check(around, collective=exchange([(0, 0, 2, 0)]), slots=1, ranks=3)
    assert "it holds chunk 0 of rank 1 instead of chunk 0 of rank 0" in str(verdict)
    with pytest.raises(BadInput, match=r"gave None for 3 ranks; try: exchange\(pairs\)"):
        check(around, collective=lambda n: None, ranks=3)


def test_switches_are_nodes():
    def switch_all_reduce(n):
        yield reduce(np.arange(n), n)
        yield send(n, np.arange(n))

    assert check(switch_all_reduce, ranks=[4], nodes=5, slots=1)
    assert not check(switch_all_reduce, ranks=[4], slots=1)


def test_callables_need_no_name():
    broadcast = partial(pipelined, chain_broadcast(4), range(4))
    assert str(check(lambda n: broadcast(), collective="broadcast", ranks=[4])).startswith(
        "<lambda"
    )
    assert check(partial(ring_all_reduce), collective="all-reduce", ranks=[4])
    with pytest.raises(BadInput, match="its name does not end in a collective"):
        check(partial(ring_all_reduce))


def test_steps_are_checked_for_the_ranks_that_they_were_made_for():
    verdict = check(ring_all_reduce(8), collective="all_reduce", ranks=8)
    assert verdict.text == "ring_all_reduce: right in the one case"
    tree = check(list(rooted_broadcast(4, 2)), collective="broadcast", ranks=[4], root=2, slots=1)
    assert tree.text == "schedule: right in the one case"
    pairs = exchange([(0, 0, 1, 1)])
    assert check([send(0, 2, 0), send(2, 1, 0, 3)], collective=pairs, ranks=2, slots=2, nodes=3)
    assert check(
        [send(0, 1, 0, 5), send(1, 1, 5, 3)], collective=pairs, ranks=2, slots=2, scratch=2
    )


def test_wrong_steps_are_wrong_as_their_function_is():
    steps = check(wrong_from_five_all_reduce(6), collective="all_reduce", ranks=6)
    assert str(steps) == str(check(wrong_from_five_all_reduce, ranks=6)) and not steps
    broken = check([send(0, 3)], collective="broadcast", ranks=3, slots=1)
    assert not broken and str(broken).startswith("schedule on 3 ranks, root 0: step 1")


def test_steps_that_need_even_sizes_are_right_for_these():
    by_slot_1 = [send(0, 1, 0, 1), send(1, 1, 1, 0), send(0, 1, 1)]
    verdict = check(by_slot_1, collective="broadcast", ranks=2)
    assert "sizes that divide evenly only" in str(verdict)


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({}, "steps are made for one number of ranks; try: ranks=8"),
        ({"ranks": [2, 3]}, "steps are made for one number of ranks; try: ranks=8"),
        ({"ranks": 2, "collective": None}, "collective= is missing"),
        ({"ranks": 2, "radix": 3}, "radix: give it with a function, not with steps that are made"),
        ({"ranks": 2, "like": "tree"}, "like: give it with a function, not with steps"),
    ],
)
def test_settings_that_do_not_fit_steps_are_refused(settings, problem):
    with pytest.raises(BadInput, match=problem):
        check(**({"function": [send(0, 1)], "collective": "broadcast"} | settings))


def test_checking_nothing_is_refused():
    with pytest.raises(BadInput, match="ranks is empty"):
        check(ring_all_reduce, ranks=range(5, 5))


def test_a_row_of_the_catalog_is_checked_by_its_names():
    assert str(check("all_reduce", "ring")) == "ring all-reduce: right in all 33 cases"
    assert str(check("All-Reduce", "ring", ranks=[2, 5])) == "ring all-reduce: right in all 2 cases"
    assert str(check("broadcast", "tree", root=30)) == "tree broadcast: right in all 3 cases"
    assert check("broadcast", "ring", ranks=4, chunks=3)
    assert check("all_to_all", "bruck", ranks=5, radix=3)


@pytest.mark.parametrize(
    ("names", "settings", "problem"),
    [
        (("all_reduce",), {}, "unknown all-reduce algorithm ''; choose from flat"),
        (("all_reduce", "rnig"), {}, "unknown all-reduce algorithm 'rnig'; did you mean ring?"),
        (
            ("all_reduce", "ring"),
            {"slots": 4},
            "slots 4: ring all-reduce has its own; leave",
        ),
        (("all_reduce", "ring"), {"root": 2}, "root 2: all-reduce has no root; leave it out"),
        (("all_reduce", "ring"), {"radix": 3}, "radix 3: ring all-reduce has no parameter 'radix'"),
        (("all_reduce", "ring"), {"chunks": 3}, "chunks 3: ring all-reduce is not pipelined"),
        (
            (ring_all_reduce, "ring"),
            {},
            "algorithm 'ring': names one of the catalog; try",
        ),
    ],
)
def test_a_row_of_the_catalog_is_refused_as_by_the_command(names, settings, problem):
    with pytest.raises(BadInput) as raised:
        check(*names, **settings)
    assert str(raised.value).startswith(problem)


def test_a_function_of_n_that_fails_is_named():
    with pytest.raises(BadInput, match=r"slots= raised ZeroDivisionError: .* for 2 ranks"):
        check(ring_all_reduce, ranks=2, slots=lambda n: n // 0)


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"ranks": [0]}, "ranks 0: must be at least 1"),
        ({"ranks": [2], "root": 2}, "root 2: needs 3 ranks or more; try: 3 ranks"),
        ({"ranks": "four"}, "ranks 'four': must be a whole number"),
        ({"ranks": [2.5]}, "ranks 2.5: must be a whole number; try: 2"),
        ({"ranks": 2.5}, "ranks 2.5: must be a whole number; try: 2"),
        ({"chunks": 3}, "takes no chunks; leave it out, or say how many slots"),
        ({"slots": 0}, "slots 0"),
        ({"collective": "all-redcue"}, "did you mean all-reduce"),
        ({"collective": "gather", "slots": 3, "ranks": [2]}, "the same number of slots"),
    ],
)
def test_values_that_cannot_be_used(settings, problem):
    with pytest.raises(BadInput, match=problem):
        check(ring_all_reduce, **settings)


@pytest.mark.parametrize(
    ("name", "collective"),
    [
        ("my_allreduce", "all_reduce"),
        ("myallreduce", "all_reduce"),
        ("two_step_reducescatter", "reduce_scatter"),
        ("nested_alltoall", "all_to_all"),
        ("small_gather", "gather"),
        ("ringbroadcast", "broadcast"),
    ],
)
def test_endings_without_underscores_are_understood(name, collective):
    def function():
        """Named below."""

    function.__name__ = name
    assert named_collective(function, None).name == collective


@pytest.mark.parametrize("name", COLLECTIVES)
def test_the_collective_comes_from_the_end_of_the_name(name):
    def function():
        """Named below."""

    function.__name__ = f"my_{name}"
    assert named_collective(function, None).name == name
    assert named_collective(function, "broadcast") is BROADCAST
    function.__name__ = f"{name}_of_mine"
    with pytest.raises(BadInput, match="its name does not end in a collective"):
        named_collective(function, None)


@pytest.mark.parametrize(
    ("rooted", "ranks", "root", "expected"),
    [
        (False, 4, None, [0]),
        (True, 4, None, [0, 1, 2, 3]),
        (True, 9, None, list(range(9))),
        (True, 10, None, [0]),
        (True, 10, 7, [7]),
        (True, 1, None, [0]),
    ],
)
def test_roots_to_try(rooted, ranks, root, expected):
    assert list(roots(rooted, ranks, root)) == expected


# Rows of the catalog


@each("row", ROWS, row_title)
def test_every_row_is_right(row):
    numbers = [1, 2, 3, 6, 10, 16] if THOROUGH else [1, 2, 3, 8, 10]
    accepted = [n for n in numbers if row.accepts(n)]
    verdict, cases = check_row(row, numbers)
    assert verdict, verdict
    assert cases == sum(n if row.promise.rooted and n < 10 else 1 for n in accepted)
    assert str(verdict) == right_in(row.title, cases)


@pytest.mark.parametrize("amount", [-1, 1])
@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("steps", "steps"),
        ("messages", "messages"),
        ("sent", "bytes sent by the busiest rank"),
        ("total", "bytes sent in all"),
    ],
)
def test_a_wrong_formula_is_found(name, what, amount):
    row = find_row("all_reduce", "ring")
    formula = f"{getattr(row.form, name)} + {amount}"
    wrong = replace(row.form, exact_sent=None, exact_total=None, **{name: formula})
    recording = replace(record("all_reduce", "ring", ranks=4), row=replace(row, form=wrong))
    executed = {"steps": 6, "messages": 24, "sent": 192, "total": 768}[name]
    verdict = check_counts(recording)
    assert not verdict
    assert str(verdict) == f"{what}: executed {executed}, closed form {executed + amount}"


def test_counts_below_a_lower_bound_are_found():
    row = find_row("broadcast", "flat")
    nothing = Form("0", "0", "0", "0")
    idle = record([], collective="broadcast", ranks=4, slots=1)
    verdict = check_counts(replace(idle, row=replace(row, form=nothing)))
    assert not verdict
    told = "0 steps, 0 B sent, 0 B through the busiest port: below the lower bound"
    assert told in str(verdict)


def test_ones_own_schedule_has_no_closed_form():
    recording = record(ring_all_reduce(4), collective="all_reduce", ranks=4)
    with pytest.raises(BadInput, match="ring_all_reduce has no closed form"):
        check_counts(recording)


def test_a_wrong_row_says_where(monkeypatch):
    row = find_row("all_reduce", "ring")
    form = replace(row.form, steps="2*(N-1) + (N == 6)")
    monkeypatch.setattr("collectives.catalog.ROWS", (replace(row, form=form),))
    wrong = find_row("all_reduce", "ring")
    verdict, cases = check_row(wrong, [4, 5, 6, 7])
    assert not verdict
    assert cases == 3
    assert str(verdict) == (
        "ring all-reduce on 6 ranks, count 24: steps: executed 10, closed form 11"
    )


def off_by_one_reduce_scatter(n):
    """Sends exactly as much as the right one, but rank r ends with chunk r + 1."""
    rank = np.arange(n)
    for step in range(n - 1):
        yield reduce(rank, (rank + 1) % n, (rank - step) % n)


def test_a_row_that_breaks_its_promise_says_where(monkeypatch):
    row = find_row("reduce_scatter", "ring")
    spoiled = replace(row, function=off_by_one_reduce_scatter)
    monkeypatch.setattr("collectives.catalog.ROWS", (spoiled,))
    verdict = check_case(spoiled, spoiled.setting(5))
    assert not verdict
    assert str(verdict).startswith(
        "ring reduce-scatter on 5 ranks: rank 0, slot 0 ends wrong: chunk 0 of ranks 1 to 4 is "
        "missing. What belongs there is in slot 0 of rank 4 instead, put there in step 4 ("
    )


# What a function is given, and what it is checked with


def ring_barrier(n):
    rank, distance = np.arange(n), 1
    while distance < n:
        yield reduce(rank, (rank + distance) % n)
        distance *= 2


def turning_all_gather(n):
    """Turns the slots of every rank by one and back, which only equal chunks can do."""
    yield from ring_all_gather(n)
    rank, slot = np.indices((n, n)).reshape(2, -1)
    yield send(rank, rank, slot, (slot + 1) % n)
    yield send(rank, rank, (slot + 1) % n, slot)


def test_a_barrier_has_one_slot_by_default():
    assert check(ring_barrier)
    assert record(ring_barrier(5), collective="barrier", ranks=5).slots == 1
    assert check(ring_barrier, slots=2, ranks=1)
    assert not check(ring_barrier, slots=2, ranks=2)


def test_slots_that_nobody_touches_are_explained():
    def first_broadcast(n):
        yield send(0, np.arange(1, n))

    verdict = str(check(first_broadcast))
    assert "every rank has 2 slots, one per rank, unless slots= (--slots) says otherwise" in verdict
    recorded = record(first_broadcast(2), collective="broadcast", ranks=2).check()
    assert "unless slots=" in str(recorded)

    def short_all_gather(n):
        yield from list(ring_all_gather(n))[1:]

    def touching_all_reduce(n):
        yield reduce(0, 1, np.arange(n))

    assert "unless slots=" not in str(check(short_all_gather))
    assert "unless slots=" not in str(check(touching_all_reduce, ranks=3))
    assert "unless slots=" not in str(check(first_broadcast, slots=3, ranks=2))


def test_what_is_given_arrives_through_double_stars():
    seen = []

    def starred_broadcast(**more):
        seen.append(dict(more))
        yield from rooted_broadcast(more["n"], more["root"])

    assert check(starred_broadcast, slots=1, ranks=3, root=2, far=5)
    assert seen == [{"n": 3, "root": 2, "far": 5}]

    def loose_all_reduce(n, **more):
        seen.append(dict(more))
        yield from ring_all_reduce(n)

    assert check(loose_all_reduce, ranks=3, far=5)
    assert seen[1:] and all(more == {"far": 5} for more in seen[1:])

    def cut_broadcast(n, root, **more):
        yield from pipelined(chain_broadcast(n, root), range(more["chunks"]))

    assert check(cut_broadcast, ranks=3, chunks=3)


def test_decorated_without_wraps():
    def noted(function):
        def wrapper(*args, **more):
            return function(*args, **more)

        return wrapper

    def bare(function):
        return lambda *args: function(*args)

    assert check(noted(ring_all_reduce), collective="all_reduce", ranks=[1, 4])
    assert check(noted(rooted_broadcast), collective="broadcast", slots=1, ranks=4)
    assert check(bare(ring_all_reduce), collective="all_reduce", ranks=4)


def test_uneven_sizes_are_tried_too():
    verdict = check(turning_all_gather, ranks=range(1, 5))
    line = turning_all_gather.__code__.co_firstlineno + 4
    assert verdict
    assert verdict.text == (
        "turning_all_gather: right in all 4 cases; sizes that divide evenly only: on 2 ranks with "
        f"9 elements, step 2 (test_check.py line {line}): slot 0 of rank 0 has 5 elements, "
        "slot 1 of rank 0 has 4"
    )
    calls = []

    def changing_all_gather(n):
        calls.append(n)
        yield from ring_all_gather(n)
        if len(calls) == 3:
            yield send(0, n)

    wrong = str(check(changing_all_gather, ranks=range(1, 5)))
    assert len(calls) == 3, "one rank has one chunk, which divides evenly"
    assert "on 2 ranks: with 9 elements, which do not divide evenly: step 2 (" in wrong
    assert "node 2 does not exist" in wrong


def test_nodes_beyond_the_ranks_hint_at_switches():
    def switch_all_reduce(n):
        yield reduce(np.arange(n), n)

    assert "nodes= or --nodes adds switches" in str(check(switch_all_reduce, ranks=3))


def test_the_limit_of_steps_is_called_one(monkeypatch):
    monkeypatch.setattr("collectives.recording.recorder.MAX_KEPT_STEPS", 50)

    def endless_broadcast(n):
        while True:
            yield send(0, 0)

    said = str(check(endless_broadcast, ranks=1))
    assert "more than 50 steps are not run; does it ever end?" in said
