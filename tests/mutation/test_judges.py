"""What the judges of mutants rest on: the interpreter's rules, kinds of faults, promises."""

import pytest
from interpreter import (
    ConflictError,
    EmptyReadError,
    Filled,
    Layout,
    RangeError,
    Row,
    UnequalError,
    begin,
    ruled,
)
from mutants import mutants
from promise import promise

LAYOUT = Layout(nodes=3, slots=3, size=(5, 7))  # slot 2 takes the size of what comes
HELD = begin([(0, 0), (0, 1), (1, 0)], LAYOUT)


def run(*steps):
    held = HELD
    for step in steps:
        held = ruled(held, [Row(*row) for row in step], LAYOUT)
    return {cell: held[cell] for cell in held.keys() - HELD.keys() | {(0, 0)}}


def test_reads_come_before_writes_and_rows_add_in_their_order():
    swap = [(0, 1, 0, 0, 1, True), (1, 0, 0, 0, 1, True), (1, 0, 0, 0, 1, True)]
    assert run(swap)[0, 0] == Filled(5, ((0, 0), (1, 0), (1, 0)))


def test_reduce_into_an_empty_slot_copies_and_a_block_moves_whole():
    found = run([(0, 2, 0, 0, 2, True)])
    assert found[2, 0] == Filled(5, ((0, 0),))
    assert found[2, 1] == Filled(7, ((0, 1),))


def test_a_further_slot_takes_the_size_of_what_comes():
    found = run([(0, 1, 0, 2, 1, False)], [(0, 1, 1, 2, 1, False)])
    assert found[1, 2] == Filled(7, ((0, 1),))


@pytest.mark.parametrize(
    ("error", "steps"),
    [
        (EmptyReadError, [[(2, 0, 0, 0, 1, False)]]),
        (ConflictError, [[(0, 2, 0, 0, 1, False), (1, 2, 0, 0, 1, True)]]),
        (ConflictError, [[(0, 2, 0, 0, 1, True), (1, 2, 0, 0, 1, False)]]),
        (ConflictError, [[(0, 2, 0, 0, 1, False), (1, 2, 0, 0, 1, False)]]),
        (RangeError, [[(0, 3, 0, 0, 1, False)]]),
        (RangeError, [[(-1, 0, 0, 0, 1, False)]]),
        (RangeError, [[(0, 1, 0, 2, 2, False)]]),
        (RangeError, [[(0, 1, 2, 0, 2, False)]]),
        (RangeError, [[(0, 1, 0, 0, 0, False)]]),
        (UnequalError, [[(0, 1, 0, 1, 1, False)]]),
        (UnequalError, [[(0, 1, 0, 2, 1, False)], [(0, 1, 1, 2, 1, True)]]),
        (UnequalError, [[(0, 1, 0, 2, 1, True), (0, 1, 1, 2, 1, True)]]),
    ],
)
def test_a_step_that_breaks_a_rule_is_an_error(error, steps):
    with pytest.raises(error):
        run(*steps)


def test_the_mutants_of_two_transfers():
    first, second = Row(0, 1, 0, 0, 1, False), Row(1, 0, 1, 0, 2, True)
    found = {m.name: m.tables for m in mutants([[first], [second]], nodes=2, slots=3)}
    one, two = "step 1 0→1 =0", "step 2 1→0 +1..2:0..1"
    assert found == {
        f"left out, {one}": [[], [second]],
        f"twice, {one}": [[first, first], [second]],
        f"other verb, {one}": [[first._replace(adds=True)], [second]],
        f"other chunk, {one} from 1": [[first._replace(chunk=1)], [second]],
        f"other chunk, {one} from 2": [[first._replace(chunk=2)], [second]],
        f"other into, {one} into 1": [[first._replace(into=1)], [second]],
        f"other into, {one} into 2": [[first._replace(into=2)], [second]],
        f"other slot, {one} as 1": [[first._replace(chunk=1, into=1)], [second]],
        f"other slot, {one} as 2": [[first._replace(chunk=2, into=2)], [second]],
        f"other source, {one} by 1": [[first._replace(src=1)], [second]],
        f"other destination, {one} to 0": [[first._replace(dst=0)], [second]],
        f"also a step later, {one}": [[first], [second, first]],
        f"a step later, {one}": [[], [second, first]],
        f"a step earlier, {one}": [[first], [], [second]],
        f"also a step earlier, {one}": [[first], [first], [second]],
        f"left out, {two}": [[first], []],
        f"twice, {two}": [[first], [second, second]],
        f"other verb, {two}": [[first], [second._replace(adds=False)]],
        f"other chunk, {two} from 0": [[first], [second._replace(chunk=0)]],
        f"other into, {two} into 1": [[first], [second._replace(into=1)]],
        f"other source, {two} by 0": [[first], [second._replace(src=0)]],
        f"other destination, {two} to 1": [[first], [second._replace(dst=1)]],
        f"a slot fewer, {two}": [[first], [second._replace(count=1)]],
        f"a slot more, {two}": [[first], [second._replace(count=3)]],
        f"also a step later, {two}": [[first], [second], [second]],
        f"a step later, {two}": [[first], [], [second]],
        f"a step earlier, {two}": [[first, second], []],
        f"also a step earlier, {two}": [[first, second], [second]],
        "swapped, step 1 with 2": [[second], [first]],
    }


@pytest.mark.parametrize(
    ("name", "algorithm", "before", "after"),
    [
        ("broadcast", "", "10 11", "00=10 01=11 10=10 11=11"),
        ("scatter", "", "10 11", "00=10 11=11"),
        ("gather", "", "00 11", "10=00 11=11"),
        ("all_gather", "", "00 11", "00=00 01=11 10=00 11=11"),
        ("reduce", "", "00 01 10 11", "10=00+10 11=01+11"),
        ("reduce_scatter", "", "00 01 10 11", "00=00+10 11=01+11"),
        ("all_reduce", "", "00 01 10 11", "00=00+10 01=01+11 10=00+10 11=01+11"),
        ("scan", "", "00 01 10 11", "00=00 01=01 10=00+10 11=01+11"),
        ("exscan", "", "00 01 10 11", "10=00 11=01"),
        ("barrier", "", "00 01 10 11", "00=00+10 01=01+11 10=00+10 11=01+11"),
        ("all_to_all", "", "00 01 10 11", "02=00 03=10 12=01 13=11"),
        ("send_recv", "ping-pong", "00 01 10 11", "02=10 12=00"),
        ("send_recv", "halo-exchange", "00 01 10 11", "02=11 03=10 12=01 13=00"),
        ("send_recv", "pipeline-activations", "00 01 10 11", "12=00 13=01"),
    ],
)
def test_promises_of_two_ranks_with_two_pieces_and_root_1(name, algorithm, before, after):
    """`12=00+10`: slot 2 of rank 1 must have what slot 0 of ranks 0 and 1 had."""

    def cell(text):
        return int(text[0]), int(text[1])

    due = {
        cell(target): [cell(part) for part in parts.split("+")]
        for target, _, parts in (item.partition("=") for item in after.split())
    }
    promised = promise(name, algorithm, 2, 2, 1)
    assert promised == ([cell(text) for text in before.split()], due, name != "barrier")
