"""Closed forms of the time against sums made one message at a time in plain Python."""

from dataclasses import replace
from fractions import Fraction

import pytest
from each import each, row_title
from numpy import ones
from settings import THOROUGH, recorded, sampled_ranks, settings

from collectives import ROWS, record
from collectives.cost.bounds.closed import ClosedForm, closed_form
from collectives.cost.clocks.clock import lockstep
from collectives.cost.clocks.costs import Costs
from collectives.cost.machines import topology_for
from collectives.theory import SENT, Case, Form

PLAIN = [row for row in ROWS if not row.promise.routed]  # whose ports are not loaded by data
COUNTED = [row for row in PLAIN if row.form.busiest_port is None]
FEW = (1, 2, 3, 4, 5, 6, 8, 9, 12, 16)
NUMBERS = (*range(1, 14), 15, 16, 17, 27) if THOROUGH else FEW
CHUNKS = (1, 2, 4, 7) if THOROUGH else (1, 2, 7)
TIMES = {  # restated from the literature: what a time is made of, for any N
    ("broadcast", "ring"): lambda n, c, q: (n - 2 + q, Fraction(n - 2 + q, q)),
    ("broadcast", "tree"): lambda n, c, q: (c, c),
    ("broadcast", "van-de-geijn"): lambda n, c, q: (c + n - 1, Fraction(2 * (n - 1), n)),
    ("reduce", "ring"): lambda n, c, q: (n - 2 + q, Fraction(n - 2 + q, q)),
    ("reduce", "tree"): lambda n, c, q: (c, c),
    ("scatter", "tree"): lambda n, c, q: (c, Fraction(n - 1, n)),
    ("gather", "tree"): lambda n, c, q: (c, Fraction(n - 1, n)),
    ("all_gather", "ring"): lambda n, c, q: (n - 1, Fraction(n - 1, n)),
    ("all_gather", "bruck"): lambda n, c, q: (c, Fraction(n - 1, n)),
    ("reduce_scatter", "circulant"): lambda n, c, q: (c, Fraction(n - 1, n)),
    ("all_reduce", "ring"): lambda n, c, q: (2 * (n - 1), Fraction(2 * (n - 1), n)),
    ("all_reduce", "tree"): lambda n, c, q: (2 * c, 2 * c),
    ("all_reduce", "bar-noy"): lambda n, c, q: (c, c),
    ("all_reduce", "circulant"): lambda n, c, q: (2 * c, Fraction(2 * (n - 1), n)),
    ("all_reduce", "two-shot"): lambda n, c, q: (2, Fraction(2 * (n - 1), n)),
    ("all_to_all", "pairwise"): lambda n, c, q: (n - 1, Fraction(n - 1, n)),
    ("barrier", "dissemination"): lambda n, c, q: (c, 0),
    ("barrier", "tree"): lambda n, c, q: (2 * c, 0),
    ("scan", "chain"): lambda n, c, q: (n - 1, n - 1),
    ("scan", "doubling"): lambda n, c, q: (c, c),
}


def slow(recording):
    """Steps, vectors through the busiest port of each, vectors it adds: a message at a time."""
    servers = recording.helpers == "server"
    ports = recording.nodes if servers else recording.ranks  # a switch has one for each
    full = {
        (rank, slot)
        for rank in range(recording.ranks)
        for slot in range(recording.slots)
        if recording.precondition[rank, slot]
    }
    steps = wire = added = 0
    for step in recording.steps:
        messages, adds = {}, {}
        written = []
        for row in range(len(step)):
            src, dst = int(step.src[row]), int(step.dst[row])
            for k in range(int(step.count[row])):
                chunk, into = int(step.chunk[row]) + k, int(step.into[row]) + k
                if src != dst:
                    messages.setdefault((src, dst), set()).add(chunk)
                if step.reduces[row] and (dst, into) in full | set(written):
                    adds[dst] = adds.get(dst, 0) + 1
                written.append((dst, into))
        full |= set(written)
        added += max(adds.values(), default=0)
        if not messages:
            continue
        out = [sum(len(m) for (src, _), m in messages.items() if src == p) for p in range(ports)]
        into = [sum(len(m) for (_, dst), m in messages.items() if dst == p) for p in range(ports)]
        steps, wire = steps + 1, wire + max(out + into)
    return steps, Fraction(wire, recording.chunk_count), Fraction(added, recording.chunk_count)


def cases(row):
    for n in filter(row.accepts, NUMBERS):
        for q in CHUNKS if "chunks" in row.parameters else (None,):
            yield n, q


def made(row, n, q):
    count = 0 if row.collective == "barrier" else None
    return record(row.collective, row.algorithm, ranks=n, chunks=q, count=count)


@each("row", PLAIN, row_title, few=16)
def test_every_row_has_a_closed_form_that_its_steps_say(row):
    for n, q in cases(row):
        recording = made(row, n, q)
        steps, wire, added = slow(recording)
        found, more = closed_form(recording), closed_form(recording, additions=True)
        if row.collective == "barrier":
            assert found == ClosedForm(steps, Fraction(0), None, found.formula)
            assert more == ClosedForm(steps, Fraction(0), Fraction(0), found.formula)
            continue
        assert (found.steps, found.busiest_port) == (steps, wire), (n, q)
        assert more is None or more == ClosedForm(steps, wire, added, more.formula), (n, q)


OVERLAP = {
    "two-color-torus",
    "double-binary-tree",
    "sharp",
    "nvls-tree",
    "multicast",
    "trivance",
    "short-rank",
}  # additions, messages


@each("row", ROWS, row_title, few=16)
def test_the_clock_equals_the_closed_form_with_additions_where_there_is_one(row):
    """On few, odd and even numbers of ranks and powers of two; `make thorough`: on more of each."""
    alpha, rate, gamma = 3.3, 7.0, 0.11
    numbers = (1, 2, 3, 4, 5, 6, 8, 9, 12, 14) if THOROUGH else (1, 2, 5, 8)
    for n in filter(row.accepts, numbers):
        for q in (1, 2, 8) if "chunks" in row.parameters else (None,):
            chunk_count = row.chunk_count(row.setting(n, chunks=q))
            size = 3 * chunk_count if row.promise.moves_data else 0
            timed = record(
                *(row.collective, row.algorithm), ranks=n, chunks=q, count=size, dtype="uint8"
            )
            machine = topology_for(timed, "crossbar", latency=alpha, bandwidth=rate)
            found = closed_form(timed, additions=True)
            total = lockstep(timed, machine, Costs(gamma=gamma)).total
            if found is not None:
                told = found.seconds(size, alpha, rate, gamma)
                assert total == pytest.approx(told, rel=1e-12), (n, q)
            else:
                assert row.algorithm in OVERLAP or row.promise.routed, (n, q)


def test_a_root_that_adds_its_own_part_last_adds_one_vector_more():
    linear = closed_form(record("reduce", "linear", ranks=5), additions=True)
    assert linear == ClosedForm(1, Fraction(4), Fraction(4), ("1", "(N-1)*S"))


def test_additions_that_overlap_with_messages_have_no_closed_form():
    torus = record("all_reduce", "two-color-torus", ranks=14)
    assert closed_form(torus) is not None
    assert closed_form(torus, additions=True) is None


@each("name", sorted(TIMES))
def test_the_literature_says_the_same(name):
    for n in sampled_ranks(range(2, 34)):
        for q in (1, 4, 9):
            row = next(row for row in ROWS if (row.collective, row.algorithm) == name)
            recording = made(row, n, q if "chunks" in row.parameters else None)
            found = closed_form(recording)
            assert (found.steps, found.busiest_port) == TIMES[name](n, (n - 1).bit_length(), q)


@each("row", PLAIN, row_title, few=16)
def test_the_formula_of_the_busiest_port_is_what_the_steps_say(row):
    """For every root, number of chunks and parameter; a row without one is counted."""
    tried = 0
    for setting in settings(row, (*range(1, 14), 16, 17, 32, 33) if THOROUGH else FEW):
        recording = recorded(row, setting, row.chunk_count(setting))
        form = row.form.of(recording.case)
        uncounted = replace(row, form=replace(form, busiest_port=None, with_channels=None))
        counted = closed_form(replace(recording, row=uncounted))
        assert counted.formula is None
        found = closed_form(recording)
        assert (found.formula is None) == (form.busiest_port is None)
        assert (found.steps, found.busiest_port) == (counted.steps, counted.busiest_port), setting
        tried += 1
    assert tried >= 5


@each("row", COUNTED, row_title, few=8)
def test_a_row_without_a_formula_differs_from_what_its_busiest_rank_sends(row):
    """Otherwise the row could say SENT; where other nodes take part too, their ports count."""
    sent = replace(row, form=replace(row.form, busiest_port=SENT))
    found = [recorded(row, setting) for setting in settings(row, range(2, 18), all_roots=False)]
    assert any(
        closed_form(replace(recording, row=sent)).busiest_port
        != closed_form(recording).busiest_port
        for recording in found
    )


def test_no_formula_is_taken_for_a_row_that_gives_none():
    form = Form("N-1", "N-1", "S", "(N-1)*S")
    assert form.busiest_port is form.port_formula is form.port_bytes(Case(4, ones(4))) is None
    assert replace(form, busiest_port=SENT).port_formula == "S"
    assert replace(form, busiest_port="3*S").port_bytes(Case(4, ones(4))) == 12


def test_seconds_add_up():
    ring = closed_form(record("all_reduce", "ring", ranks=4), additions=True)
    assert ring.formula is not None
    assert ring.seconds(1 << 30, 5e-6, 50e9) == pytest.approx(6 * 5e-6 + 1.5 * (1 << 30) / 50e9)
    more = ring.seconds(1 << 30, 5e-6, 50e9, 1e-12) - ring.seconds(1 << 30, 5e-6, 50e9)
    assert more == pytest.approx(0.75 * (1 << 30) * 1e-12)


def test_pieces_of_different_sizes_have_no_closed_form():
    uneven = record("all_gather", "ring", ranks=3, counts=[1, 2, 3])
    assert closed_form(uneven) is None
    even = record("all_gather", "ring", ranks=3, counts=[2, 2, 2])
    assert closed_form(even).steps == 2


def test_a_schedule_of_ones_own_has_one():
    from collectives import send

    mine = [send(0, 1), send(1, [2, 3])]
    recording = record(mine, "mine", collective="broadcast", ranks=4, slots=1)
    assert closed_form(recording) == ClosedForm(2, Fraction(3))
    assert closed_form(recording, additions=True) == ClosedForm(2, Fraction(3), Fraction(0))
