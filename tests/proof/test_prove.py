"""What the proof must refuse: each schedule here has one classic fault."""

import inspect
from collections import Counter
from random import Random

import numpy as np
import pytest
from each import each, row_title
from interpreter import start, states
from settings import sampled_ranks

from collectives import ROWS, BadInput, Verdict, pipelined, record, reduce, send
from collectives.algorithms.binomial import binomial_broadcast, binomial_reduce
from collectives.algorithms.ring import chain_broadcast, ring_all_gather, ring_reduce_scatter
from collectives.proof.diagnosis.history import contributions
from collectives.proof.expected import expected
from collectives.proof.prove import EXACT_ENTRIES, prove, prove_values
from collectives.recording.memory import execute
from collectives.recording.payload import fingerprint_memory
from collectives.schedule import merged

FEW, MANY = 5, 40  # ranks: with as many slots, exact vectors and fingerprints


def chunks_swapped(n):
    """A broadcast in which rank 1 gets chunk 0 in slot 1 and chunk 1 in slot 0."""
    rank, chunk = (array.ravel() for array in np.indices((n - 1, n)))
    into = np.where((rank == 0) & (chunk < 2), 1 - chunk, chunk)
    yield send(0, rank + 1, chunk, into)


def other_chunk(n):
    """An all-reduce in which rank 0 gets its left neighbor's wrong chunk in the first step."""
    rank = np.arange(n)
    for step in range(n - 1):
        chunk = (rank - step - 1) % n
        into = chunk.copy()
        if step == 0:
            chunk[n - 1] = 0
        yield reduce(rank, (rank + 1) % n, chunk, into)
    yield from ring_all_gather(n)


def last_chunk_stays(n):
    """A ring all-reduce that never moves its last chunk."""
    for schedule in (ring_reduce_scatter(n), ring_all_gather(n)):
        for step in schedule:
            yield step.select(np.flatnonzero(step.chunk != n - 1))


def doubled(n):
    """A reduce-scatter in which rank 1 adds its data to chunk 0 twice."""
    yield reduce(1, 0, 0)
    yield from direct_reduce_scatter(n)


def direct_reduce_scatter(n):
    src, dst = np.nonzero(np.eye(n) == 0)
    yield reduce(src, dst, dst)


def owner_off_by_one(n):
    """The ring as textbooks draw it, after which rank r holds chunk r + 1."""
    rank = np.arange(n)
    for step in range(n - 1):
        yield reduce(rank, (rank + 1) % n, (rank - step) % n)


def missing_fold(n):
    """Recursive doubling that forgets the ranks beyond the power of two until the end."""
    power = 1 << n.bit_length() - 1
    seat, distance = np.arange(power), 1
    while distance < power:
        yield reduce(seat, seat ^ distance, count=n)
        distance *= 2
    rest = np.arange(power, n)
    yield send(rest - power, rest, count=n)


def one_rank_forgotten(n):
    """A flat gather that leaves out rank 1."""
    rank = np.arange(2, n)
    yield send(rank, 0, rank)


def one_slot_untouched(n):
    """A broadcast of all chunks but the last."""
    yield from pipelined(binomial_broadcast(n), range(n - 1))


def foreign_data(n):
    """A scatter in which rank 1's own data comes back into rank 0's chunk."""
    rank = np.arange(1, n)
    yield send(0, rank, rank)
    yield send(1, 0, 1, 0)


FAULTS = [
    ("broadcast", chunks_swapped),
    ("all_reduce", other_chunk),
    ("all_reduce", last_chunk_stays),
    ("reduce_scatter", doubled),
    ("reduce_scatter", owner_off_by_one),
    ("all_reduce", missing_fold),
    ("gather", one_rank_forgotten),
    ("broadcast", one_slot_untouched),
    ("scatter", foreign_data),
]


def broken(collective, fault, n):
    return record(fault(n), collective=collective, ranks=n)


def said(verdict, n):
    """The text of a failure, without its beginning."""
    assert not verdict
    assert "\n" not in verdict.text
    head, _, text = verdict.text.partition(": ")
    assert f" on {n:,} ranks" in head
    return text


def line(function, text):
    """Where a line with this text stands in a function, as messages have it."""
    lines, first = inspect.getsourcelines(function)
    (number,) = [k for k, source in enumerate(lines, first) if text in source]
    return f"test_prove.py line {number}"


@pytest.mark.parametrize("n", [3, FEW, MANY])
@pytest.mark.parametrize(("collective", "fault"), FAULTS)
def test_each_fault_is_found(collective, fault, n):
    recording = broken(collective, fault, n)
    assert (n**4 <= EXACT_ENTRIES) == (n < MANY), "both kinds of proof are to be tried"
    assert not prove(recording)
    assert not recording.check()


@pytest.mark.parametrize("n", [3, FEW, 7])
@pytest.mark.parametrize(("collective", "fault"), FAULTS)
def test_both_kinds_of_proof_say_the_same(collective, fault, n, monkeypatch):
    texts = set()
    for limit in (0, EXACT_ENTRIES):
        monkeypatch.setattr("collectives.proof.prove.EXACT_ENTRIES", limit)
        texts.add(said(prove(broken(collective, fault, n)), n))
    assert len(texts) == 1


LEFT = "there is foreign data with it, or some rank's data twice"
CHUNKS_SWAPPED = line(chunks_swapped, "yield")
DIRECT_REDUCE_SCATTER = line(direct_reduce_scatter, "yield")
FOREIGN_DATA = line(foreign_data, "1, 0, 1")
OTHER_CHUNK = line(other_chunk, "yield reduce")
OWNER_OFF_BY_ONE = line(owner_off_by_one, "yield")
MISSING_FOLD = line(missing_fold, "yield send")
TEXTS = [
    (
        ("broadcast", chunks_swapped, (FEW, MANY)),
        f"""
        rank 1, slot 0 ends wrong: it holds chunk 1 of rank 0 instead of chunk 0 of rank 0. It
        goes wrong in step 1 ({CHUNKS_SWAPPED}): rank 0 sends its slot 1 (chunk 1
        of rank 0) into slot 0 of rank 1. 1 more slot is wrong
        """,
    ),
    (
        ("reduce_scatter", doubled, (FEW, MANY)),
        f"""
        rank 0, slot 0 ends wrong: chunk 0 of rank 1 is in it twice. It goes wrong in step 2
        ({DIRECT_REDUCE_SCATTER}): rank 1 adds its slot 0 (chunk 0 of rank 1) into slot 0
        of rank 0, which already holds chunk 0 of ranks 0 and 1. After that no step can put it
        right: wherever chunk 0 of rank 0 still is, {LEFT}
        """,
    ),
    (
        ("gather", one_rank_forgotten, (FEW, MANY)),
        """
        rank 0, slot 1 is empty at the end: chunk 1 of rank 1 is missing. No step moves it out
        of slot 1 of rank 1. The schedule ends after step 1
        """,
    ),
    (
        ("scatter", foreign_data, (FEW, MANY)),
        f"""
        rank 0, slot 0 ends wrong: it holds chunk 1 of rank 0 instead of chunk 0 of rank 0. It
        goes wrong in step 2 ({FOREIGN_DATA}): rank 1 sends its slot 1 (chunk 1
        of rank 0) over chunk 0 of rank 0 in slot 0 of rank 0. After that no step can put it
        right: nobody has chunk 0 of rank 0 any more
        """,
    ),
    (
        ("all_reduce", other_chunk, (3,)),
        f"""
        rank 0, slot 1 ends wrong: chunk 1 of rank 2 is missing and it holds chunk 0 of rank 2,
        which does not belong there. It goes wrong in step 1 ({OTHER_CHUNK}): rank 2
        adds its slot 0 (chunk 0 of rank 2) into slot 1 of rank 0, which
        holds chunk 1 of rank 0. After that no step can put it right: wherever chunk 1 of rank 0
        still is, {LEFT}. 2 more slots are wrong
        """,
    ),
    (
        ("all_reduce", last_chunk_stays, (3,)),
        """
        rank 0, slot 2 ends wrong: chunk 2 of ranks 1 and 2 is missing. No step moves it out of
        slot 2 of ranks 1 and 2. The schedule ends after step 4. 2 more slots are wrong
        """,
    ),
    (
        ("reduce_scatter", owner_off_by_one, (3,)),
        f"""
        rank 0, slot 0 ends wrong: chunk 0 of ranks 1 and 2 is missing. What belongs there is in
        slot 0 of rank 2 instead, put there in step 2 ({OWNER_OFF_BY_ONE}). 2
        more slots are wrong
        """,
    ),
    (
        ("all_reduce", missing_fold, (FEW,)),
        f"""
        rank 0, slot 0 ends wrong: chunk 0 of rank 4 is missing. It goes wrong in step 3
        ({MISSING_FOLD}): rank 0 sends its slot 0 (chunk 0 of ranks 0 to 3)
        over chunk 0 of rank 4 in slot 0 of rank 4. After that no step can put it right: nobody
        has chunk 0 of rank 4 any more. 24 more slots are wrong
        """,
    ),
    (
        ("all_reduce", missing_fold, (MANY,)),
        f"""
        rank 0, slot 0 ends wrong: chunk 0 of ranks 32 to 39 is missing. It goes wrong in step 6
        ({MISSING_FOLD}): rank 0 sends its slot 0 (chunk 0 of ranks 0 to 31)
        over chunk 0 of rank 32 in slot 0 of rank 32. After that no step can put it right:
        nobody has chunk 0 of ranks 32 to 39 any more. 1599 more slots are wrong
        """,
    ),
    (
        ("broadcast", one_slot_untouched, (FEW,)),
        """
        rank 1, slot 4 is empty at the end: chunk 4 of rank 0 is missing. No step moves it out
        of slot 4 of rank 0. The schedule ends after step 6. 3 more slots are wrong
        """,
    ),
]


@pytest.mark.parametrize(("case", "text"), TEXTS)
def test_the_text_says_what_is_wrong_and_where_it_went_wrong(case, text):
    collective, fault, numbers = case
    for n in numbers:
        told = said(prove(broken(collective, fault, n)), n)
        hint = f" Note: every rank has {n} slots, one per rank,"
        hint += " unless slots= (--slots) says otherwise."
        assert told.replace(hint, "") == " ".join(text.split())


@pytest.mark.parametrize("n", [2, MANY])
def test_a_contribution_that_came_several_times(n):
    steps = [reduce(1, 0, 0), reduce(1, 0, 0), *direct_reduce_scatter(n)]
    recording = record(steps, collective="reduce_scatter", ranks=n)
    assert said(prove(recording), n).startswith(
        "rank 0, slot 0 ends wrong: chunk 0 of rank 1 is in it 3 times. It goes wrong in step 2: "
    )


def test_a_schedule_that_does_nothing():
    for n in (2, MANY):
        assert "is empty at the end" in prove(record([], collective="broadcast", ranks=n)).text
    text = prove(record([], collective="all_reduce", ranks=9)).text
    assert "chunk 0 of ranks 1 to 8 is missing. No step moves it out of" in text
    assert "The schedule has no step. 80 more slots are wrong" in text
    assert prove(record([], collective="all_reduce", ranks=1))


def test_reading_an_empty_slot_is_a_verdict():
    recording = record([send(1, 0)], collective="broadcast", ranks=2, slots=1)
    verdict = prove(recording)
    assert not verdict
    assert verdict.text == (
        "schedule on 2 ranks, root 0: step 1: rank 1 sends its slot 0 into slot 0 of rank 0, but "
        "nothing was written into slot 0 of rank 1 before, and no step ever writes there; by then "
        "only rank 0 has something in slot 0"
    )


@pytest.mark.parametrize(
    ("steps", "end"),
    [
        (
            [send(0, 1), send([0, 2], [2, 3])],
            "in this very step, but a step reads everything before it writes; read it a step later",
        ),
        ([send(2, 1), send(0, 3), send(0, 2)], "It is first written in step 3"),
    ],
)
def test_where_an_empty_slot_would_be_full(steps, end):
    text = prove(record(steps, collective="broadcast", ranks=4, slots=1)).text
    assert "nothing was written into slot 0 of rank 2 before. " in text
    assert text.endswith(end)


def test_only_promised_slots_of_ranks_are_checked():
    switch = [reduce([0, 1], 2), send(2, [0, 1]), reduce([0, 1], 2)]
    assert prove(record(switch, collective="all_reduce", ranks=2, slots=1, nodes=3))
    spoiled = [reduce([1, 2], 0), reduce(0, 1)]
    assert prove(record(spoiled, collective="reduce", ranks=3, slots=1))


def accepted(row, n):
    """The largest number of ranks up to n that an algorithm takes."""
    return next(ranks for ranks in range(n, 0, -1) if row.accepts(ranks))


@each(
    ("row", "n"),
    [(row, n) for row in ROWS for n in (*sampled_ranks(range(1, 10)), MANY)],
    lambda case: f"{case[0].title} on {case[1]}",
)
def test_every_row_is_right(row, n):
    n = accepted(row, n)
    for root in (0, n // 2) if row.promise.rooted else (0,):
        recording = record(row.collective, row.algorithm, ranks=n, root=root)
        verdict = prove(recording)
        assert verdict, verdict.text
        assert verdict.text == f"{row.title}: {row.promise.sentence.lower()}"


def test_a_sum_over_many_ranks_is_still_exact():
    """Fingerprints of many ranks must not add up beyond what a float holds exactly."""
    n = 100_000
    assert prove(record("reduce", "tree", ranks=n))
    steps = [*binomial_reduce(n), reduce(5, 0)]
    assert said(prove(record(steps, collective="reduce", ranks=n, slots=1)), n) == (
        "rank 0, slot 0 ends wrong: chunk 0 of rank 5 is in it twice. Steps are looked into up to "
        "16384 ranks; try fewer"
    )


def test_fingerprints_are_whole_and_their_sums_exact():
    for ranks in (2, 1 << 14, 1 << 17):
        numbers = fingerprint_memory(np.ones((ranks, 1), bool), ranks).values
        assert (numbers == np.floor(numbers)).all()
        assert numbers.min() >= 1
        assert sum(int(number) for number in numbers[:, 0]) < 1 << 53
        assert len(np.unique(numbers)) >= ranks - 2


# Contributions


def test_sums_of_fingerprints_cannot_be_known_beforehand():
    """Two numbers often have the sum of two others: whoever knows all can exchange these pairs."""
    n = 2000
    known = fingerprint_memory(np.ones((n, 1), bool), n, seed=0).values.ravel()
    one, other = np.triu_indices(n, 1)
    order = np.argsort(known[one] + known[other], kind="stable")
    sums = (known[one] + known[other])[order]
    same = np.flatnonzero(sums[1:] == sums[:-1])
    assert len(same)
    left, doubled = ([one[order[i]], other[order[i]]] for i in (same[0], same[0] + 1))
    senders = np.setdiff1d(np.arange(1, n), left)
    recording = record(
        [reduce(np.append(senders, [r for r in doubled if r]), 0)],
        collective="reduce",
        ranks=n,
        slots=1,
    )
    assert not recording.check()


def random_schedule(seed, ranks, slots):
    random = Random(seed)
    for _ in range(random.randint(1, 8)):
        yield merged(
            [
                random.choice((reduce, reduce, send))(
                    random.randrange(ranks), dst, random.randrange(slots), random.randrange(slots)
                )
                for dst in random.sample(range(ranks), random.randint(1, ranks))
            ]
        )


def test_contributions_are_the_interpreters():
    for seed in range(60):
        ranks, slots = 2 + seed % 3, 1 + seed % 4
        steps = list(random_schedule(seed, ranks, slots))
        recording = record(steps, collective="all_reduce", ranks=ranks, slots=slots)
        cells = [(rank, slot) for rank in range(ranks) for slot in range(slots)]
        last = states(start(cells), steps)[-1]
        for cell in cells:
            assert contributions(recording, cell) == last[cell], (seed, cell)


@each("row", ROWS, row_title)
def test_contributions_of_every_row(row):
    recording = record(row.collective, row.algorithm, ranks=accepted(row, 6))
    last = states(start(map(tuple, np.argwhere(recording.precondition).tolist())), recording.steps)[
        -1
    ]
    due = recording.required
    for cell in map(tuple, np.argwhere(recording.postcondition).tolist()):
        first, end, origin = (int(column[cell]) for column in (due.first, due.end, due.origin))
        holders = [r for r in range(first, end) if recording.precondition[r, origin]]
        held = contributions(recording, cell)
        if recording.collective.exactly_once:
            assert held == Counter({(rank, origin): 1 for rank in holders})
        assert set(held) == {(rank, origin) for rank in holders}
        assert held == last[cell]


def test_contributions_follow_slots_and_counts():
    steps = [send(0, 1, 0, 2, 2), reduce(1, 0, 2, 1, 2), reduce(0, 0, 1, 0)]
    recording = record(steps, collective="all_reduce", ranks=2, slots=4)
    assert contributions(recording, (0, 1)) == {(0, 1): 1, (0, 0): 1}
    assert contributions(recording, (0, 2)) == {(0, 2): 1, (0, 1): 1}
    assert contributions(recording, (0, 0)) == {(0, 0): 2, (0, 1): 1}
    assert contributions(recording, (1, 1)) == {(1, 1): 1}


# Values


@each("row", ROWS, row_title)
def test_values_of_every_row_equal_numpy(row):
    for n, count in ((1, 4), (2, 3), (5, 23), (8, 64)):
        count = count if row.collective != "barrier" else 0
        verdict = prove_values(
            record(row.collective, row.algorithm, ranks=accepted(row, n), count=count)
        )
        assert verdict, verdict.text
        every = row.promise.reduces and not row.promise.routed
        ops = "sum, prod, min, max" if every else "sum"
        assert verdict.text == f"{row.title}: equals numpy for {ops}"


@pytest.mark.parametrize(("collective", "fault"), FAULTS)
def test_values_find_each_fault_too(collective, fault):
    assert not prove_values(broken(collective, fault, FEW))


def test_each_rank_is_the_extreme_even_of_few_elements(monkeypatch):
    """Four elements have room for four extremes; there are nine ranks."""
    src, dst = np.nonzero(np.eye(9) == 0)
    recording = record([reduce(src, dst)], collective="all_reduce", ranks=9, slots=1, count=4)
    seen = {}

    def spy(recording, data, op):
        seen[op] = data
        return expected(recording, data, op)

    monkeypatch.setattr("collectives.proof.prove.expected", spy)
    assert prove_values(recording)
    limits = np.iinfo(np.int64)
    assert (seen["min"] == limits.min).any(axis=1).all()
    assert (seen["max"] == limits.max).any(axis=1).all()


def test_values_that_memory_has_no_room_for_are_refused():
    row = next(row for row in ROWS if row.title == "ring all-reduce")
    recording = record(row.collective, row.algorithm, ranks=64, count=2**40)
    with pytest.raises(BadInput, match="would take"):
        prove_values(recording)


def test_values_name_operator_rank_and_element():
    recording = record([reduce(1, 0)], collective="all_reduce", ranks=2, slots=1, count=2)
    text = prove_values(recording).text
    assert text.startswith("schedule on 2 ranks: sum on rank 1, element 0 is ")
    assert ", numpy has " in text


def test_each_operator_is_tried_on_data_that_shows_faults(monkeypatch):
    seen = {}

    def watched(steps, memory, add):
        for op, part in add.of.items():
            seen[op] = memory.values[..., part].copy()
        return execute(steps, memory, add)

    monkeypatch.setattr("collectives.proof.prove.execute", watched)
    assert prove_values(record("all_reduce", "flat", ranks=3, count=30))
    assert list(seen) == ["sum", "prod", "min", "max"]
    whole, odd, low, high = seen.values()
    assert abs(whole.astype(float).sum(axis=0)).max() > 2**63, "sums are to wrap"
    assert (odd % 2 == 1).all()
    info = np.iinfo(np.int64)
    assert (low == info.min).any(axis=(1, 2)).all(), "each rank is somewhere the least"
    assert (high == info.max).any(axis=(1, 2)).all(), "each rank is somewhere the most"


def test_a_verdict_is_true_if_all_is_well():
    assert Verdict(True, "fine")
    assert not Verdict(False, "wrong")
    assert str(Verdict(False, "wrong")) == "wrong"


def test_a_chain_and_its_tree_say_what_they_promise():
    recording = record(chain_broadcast(3), collective="broadcast", ranks=3, slots=1)
    assert str(recording.check()) == "chain_broadcast: every rank ends with the root's data"
    recording = record(binomial_reduce(3), collective="reduce", ranks=3, slots=1)
    assert str(recording.check()) == "binomial_reduce: the root ends with the sum over all ranks"
