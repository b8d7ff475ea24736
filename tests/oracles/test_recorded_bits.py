"""Bits that MPICH, Open MPI 5 and gloo returned, recorded once, against what the catalog returns.

An integer sum is the same in any order; these are float32, so that a ring that runs the wrong
way, a chunk with another owner or another fold of the odd ranks has other bits.
"""

import json
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from each import each
from map_arithmetic import computed
from same import CHUNKS, ROW, bits

from collectives import bits as bits_map
from collectives import record

DATA = Path(__file__).parents[1] / "data"
LIBRARIES = ("mpich", "open_mpi", "gloo")
READ = {library: json.loads((DATA / f"{library}_bits.json").read_text()) for library in LIBRARIES}
TAPES = [(library, *result) for library in LIBRARIES for result in READ[library]["results"]]
PARTS = [tape for tape in TAPES if tape[:2] == ("gloo", "reduce_scatter")]
OTHER = [
    tape for tape in PARTS if tape[4] % (2 * tape[3])
]  # where gloo's chunks are not the ranks'


def inputs(library, ranks, count):
    """What the ranks started with when the library ran."""
    rows = [bytes.fromhex(row) for row in READ[library]["inputs"][:ranks]]
    return np.array([np.frombuffer(row, "<f4")[:count] for row in rows])


def ours(library, collective, algorithm, ranks, count):
    """What the row that is named for the library's algorithm returns, on the same data."""
    key = library, collective, algorithm
    data = inputs(library, ranks, count)
    counts = CHUNKS[key](count, ranks) if key in CHUNKS else None
    return bits(record(collective, ROW[key], ranks=ranks, data=data, counts=counts).result())


def theirs(ranks, rows):
    """What each rank ended with; recorded once where it was the same for all."""
    found = [bytes.fromhex(row) for row in rows]
    return found * ranks if len(found) == 1 else found


def in_words(tape):
    library, collective, algorithm, ranks, count, _ = tape
    return f"{library} {collective} {algorithm} {ranks}x{count}"


@each("tape", [tape for tape in TAPES if tape not in OTHER], in_words)
def test_the_bits_are_the_librarys(tape):
    library, collective, algorithm, ranks, count, rows = tape
    assert ours(library, collective, algorithm, ranks, count) == theirs(ranks, rows)


MAPPED = [
    tape
    for tape in TAPES
    if tape[1] in ("all_reduce", "reduce", "reduce_scatter")
    and tape[:2] != ("gloo", "reduce_scatter")
    and tape[:3] != ("mpich", "all_reduce", "recexch")
]


@each("tape", MAPPED, in_words)
def test_the_map_of_every_element_makes_the_librarys_bits(tape):
    library, collective, algorithm, ranks, count, rows = tape
    data = inputs(library, ranks, count)
    pinned = {} if library == "gloo" else {"algorithm": algorithm.split()[0]}
    like = library.replace("open_mpi", "openmpi")
    found = bits_map(collective, like=like, size=4 * count, ranks=ranks, settings=pinned)
    whole = computed(found, data).tobytes()
    held = theirs(ranks, rows)
    if collective == "reduce":
        held = held[:1]  # of the root, rank 0
    if collective == "reduce_scatter":
        held = [b"".join(held)]
    assert set(held) == {whole}


def test_all_that_is_claimed_was_recorded():
    assert {tuple(tape[:3]) for tape in TAPES} == set(ROW)


@pytest.mark.parametrize("tape", PARTS, ids=in_words)
def test_gloos_reduce_scatter_is_a_part_of_its_all_reduce(tape):
    """torch cuts it out of an all-reduce, in equal parts whatever gloo's chunks are."""
    library, _, algorithm, ranks, count, rows = tape
    whole = ours(library, "all_reduce", algorithm, ranks, count)
    part = len(whole[0]) // ranks
    own = [vector[rank * part :][:part] for rank, vector in enumerate(whole)]
    assert own == theirs(ranks, rows)


@pytest.mark.parametrize("ranks", [4, 5, 7, 8])
def test_the_data_tell_the_orders_apart(ranks):
    """Else equal bits would say little."""
    data = inputs("mpich", ranks, 2 * ranks)
    rows = ["ring", "textbook-ring", "leftward-ring", "linear", "recursive-doubling"]
    rows += ["tail-fold"] * (ranks in (5, 7))  # which is the same where nothing is folded
    found = {row: bits(record("all_reduce", row, ranks=ranks, data=data).result()) for row in rows}
    for one, other in combinations(rows, 2):
        assert found[one] != found[other]


def test_the_rule_of_the_chunks_matters():
    """With the catalog's own chunks the uneven vectors of MPICH's ring and gloo's differ."""
    for library in ("mpich", "gloo"):
        wrong = 0
        for tape in TAPES:
            if tape[:3] == (library, "all_reduce", "ring"):
                _, collective, _, ranks, count, rows = tape
                row, data = ROW[tape[:3]], inputs(library, ranks, count)
                held = record(collective, row, ranks=ranks, data=data).result()
                wrong += bits(held) != theirs(ranks, rows)
        assert wrong
