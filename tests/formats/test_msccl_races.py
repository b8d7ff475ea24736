"""Data races of MSCCL programs: none that has another outcome in some order goes unseen."""

import random
from collections import Counter

import pytest
from each import each
from msccl_interpreter import Program, outcome, races
from msccl_programs import FOLDER, FOUND, program
from settings import SOME_ROWS, THOROUGH, recorded

from collectives import record
from collectives.formats.msccl import save
from collectives.formats.msccl.layout import layout_of
from collectives.formats.msccl.program import parse_program, read_program
from collectives.formats.msccl.races import race_of
from collectives.schedule import unordered as races_module

ORDERS, DROPPED = (60, 1000) if THOROUGH else (5, 6)  # orders that are drawn, waits of a program
WRITTEN = (
    "all_reduce ring 4",
    "all_reduce recursive-doubling 4",
    "all_reduce rabenseifner 5",
    "all_gather bruck 5",
    "all_to_all bruck 4",
    "reduce_scatter recursive-halving 4",
    "all_reduce double-tree 6",
    "all_gather neighbor-exchange 4",
)
FOREIGN = (
    "generated_msccl-tools/a2a_2step_3x3.xml",
    "generated_msccl-tools/ag_rd_8.xml",
    "generated_msccl-tools/ar_hier_2x4.xml",
    "generated_msccl-tools/ar_rhd_8.xml",
)


ROWS = [row for row in SOME_ROWS if not row.in_network and row.promise.moves_data]


def raced(content, in_place=None):
    parsed = parse_program(content)
    way = not parsed.out_of_place if in_place is None else in_place
    return race_of(parsed, layout_of(parsed, way))


def contents(tmp_path):
    """Right programs with their names: some that we write, and some of other people."""
    for subject in WRITTEN:
        collective, algorithm, ranks = subject.split()
        path = tmp_path / "written.xml"
        save(record(collective, algorithm, ranks=int(ranks)), path)
        yield subject, path.read_bytes()
    for name in FOREIGN if FOUND else ():
        yield name, (FOLDER / name).read_bytes()


def outcomes(program, count, seed=0):
    generator = random.Random(seed)
    found = []
    for _ in range(count):
        result = outcome(program, generator)
        found += [result] * (result not in found)
    return found


def test_no_program_without_one_of_its_waits_is_accepted_that_is_wrong_in_some_order(tmp_path):
    """And what is accepted has one outcome, what is flagged a pair that nothing orders."""
    counted = Counter()
    for name, content in contents(tmp_path):
        parsed = parse_program(content)
        in_place = not parsed.out_of_place
        whole = Program(content, in_place)
        assert raced(content) is None and not races(whole), name
        (right,) = outcomes(whole, ORDERS)
        waits = [
            (key, at)
            for key, (_, steps) in whole.blocks.items()
            for at, step in enumerate(steps)
            if int(step["depid"]) >= 0
        ]
        for key, at in waits[:: 1 + len(waits) // DROPPED]:
            less = whole.without(key, at)
            found, pairs = raced(less.xml(content)), races(less)
            several = outcomes(less, ORDERS, at) != [right]
            assert bool(found) == bool(pairs), (name, key, at)
            assert not several or found, (name, key, at)
            counted.update({"dropped": 1, "several": several, "flagged": bool(found)})
    assert 0 < counted["several"] <= counted["flagged"] < counted["dropped"]


def test_other_peoples_programs_have_no_race():
    for name in FOUND:
        parsed = read_program(FOLDER / name)
        for way in {parsed.in_place, not parsed.out_of_place}:
            assert race_of(parsed, layout_of(parsed, way)) is None, name


@each("row", ROWS, lambda row: row.title, few=12)
def test_programs_that_we_write_have_no_race(row, tmp_path_factory):
    path = tmp_path_factory.getbasetemp() / "raceless.xml"
    for n in filter(row.accepts, range(2, 10) if THOROUGH else (3, 8)):
        save(recorded(row, row.setting(n, 0)), path)
        assert raced(path.read_bytes()) is None, n


EXCHANGE = [[f"{1 - r} -1 0: s i0", f"-1 {1 - r} 0: rrc i0 i0"] for r in (0, 1)]


def test_a_race_names_both_operations_their_chunk_and_the_wait_that_is_missing():
    assert str(raced(program("allreduce", *EXCHANGE, chunks=1))) == (
        "gpu 0, tb 0, step 0 (s) reads i[0], gpu 0, tb 1, step 0 (rrc) writes i[0], and neither "
        'waits for the other (1 more such pair); try: depid="0" deps="0" for the second, and '
        'hasdep="1" for the first'
    )
    waiting = [[send, f"{receive} 1 0/0"] for send, receive in EXCHANGE]
    assert raced(program("allreduce", *waiting, chunks=1)) is None


def test_a_chunk_of_input_and_output_is_one_in_place():
    blocks = ["-1 -1 0: re i1 i0", "-1 -1 0: cpy i2 o0"]
    content = program("allreduce", blocks, chunks=3, sizes={"o": 3}, outofplace=1)
    assert raced(content, False) is None
    assert "writes i[0], gpu 0, tb 1, step 0 (cpy) writes o[0], which is the same chunk" in str(
        raced(content, True)
    )


def test_additions_into_one_chunk_race_too():
    assert raced(program("custom", ["-1 -1 0: re i1 i0", "-1 -1 0: re i2 i0"], chunks=3))


def test_reads_of_one_chunk_do_not_race_nor_does_a_copy_onto_itself():
    blocks = ["-1 -1 0: cpy i0 i1", "-1 -1 0: cpy i0 i2; cpy i0 o0"]
    assert raced(program("allreduce", blocks, chunks=3, sizes={"o": 3}), True) is None


def test_a_full_connection_orders_nothing():
    """Nine messages: where eight fit, the last send comes after the first receive."""
    sends = "; ".join(["s i0"] * 9)
    receives = "; ".join(["r - s0"] * 9)
    blocks = [f"1 -1 0: {sends}", "-1 1 1: r - i0"], [f"-1 0 0: {receives}", "0 -1 1: s i0"]
    assert raced(program("custom", *blocks, chunks=1))


def test_copies_at_the_start_come_before_all_of_their_gpu():
    blocks = ["-1 -1 0: cpy i1 o0", "-1 -1 0: re i1 o1"]
    content = program("custom", blocks, chunks=2, inplace=0).decode()
    copies = "".join(f'<copy i_off="{k}" o_off="{k}"/>' for k in range(2))
    copied = content.replace("<tb", f"{copies}<tb", 1).encode()
    assert raced(copied) is None


@pytest.mark.parametrize("window", [1, 3, 7])
def test_a_long_program_is_looked_at_in_parts(window, monkeypatch):
    race = "-1 -1 0: cpy i0 s0; cpy s0 i1; cpy i1 s0", "-1 -1 0: cpy i1 s1; cpy s1 i0 1 0/1"
    content = program("custom", [*race], chunks=2)
    known = str(raced(content))
    monkeypatch.setattr(races_module, "WINDOW", window)
    assert known != "None" and str(raced(content)) == known
    whole = program("custom", [race[0], race[1].replace("i1 s1", "i1 s1 1 0/2")], chunks=2)
    assert raced(whole) is None
