"""Bad words and numbers: exit status 2, one line that names value and rule, no file touched."""

import os
import time

import click
import pytest
from bad_files import expect, shown

from collectives.cli.commands import cli
from collectives.errors import BadInput

# One row a case: what is typed, and what the line on stderr must name.
COMMANDS = [
    ("", "which command", "run"),
    ("rn all-reduce ring", "'rn'", "did you mean run?"),
    ("--jsn", "--jsn", "--version"),
    ("list all-redcue", "'all-redcue'", "did you mean all-reduce?"),
    ("list machnes", "'machnes'", "did you mean machines?"),
    ("list all-reduce rnig", "'rnig'", "did you mean ring?"),
    ("list all-reduce ring tree", "two words are enough"),
    ("list ''", "''", "choose from broadcast"),
    ("list all-reduce ''", "''", "choose from flat"),
    ("list --jsno", "--jsno", "did you mean --json?"),
    ("run", "collectives run all-reduce ring"),
    ("run all-reduce", "all-reduce", "choose from flat, linear, ring"),
    ("run ring", "'ring'", "choose from broadcast"),
    ("run ''", "''", "choose from broadcast"),
    ("run all-redcue ring", "'all-redcue'", "did you mean all-reduce?"),
    ("run all-reduce rnig", "'rnig'", "did you mean ring?"),
    ("run all-reduce ring tree", "'all-reduce ring tree'", "as in all-reduce ring"),
    ("run all-reduce ring --cuont 4", "--cuont", "did you mean --count?"),
    ("run all-reduce ring --json=yes", "--json", "does not take a value"),
    ("run all-reduce ring -n", "-n", "needs a value"),
    ("run all-reduce ring --op", "--op", "needs a value"),
    ("run all-reduce ring -n 4 -n 5", "-n 5: -n 4 is given too", "try: -n 4"),
    ("run all-reduce ring --data a --data 'b c'", "--data 'b c': --data a is given too"),
    (
        "time all-reduce ring --size 1MB --slow-rank 1=0.5 --slow-rank 1=0.7",
        "--slow-rank 1=0.7: this rank is given twice",
    ),
    ("time all-reduce ring --size 1MB --late 1=5us --late 1=7us", "--late 1=7us: this rank"),
    ("time all-reduce ring --size 1,5GB", "--size 1,5GB: a number has no comma; try: 1.5GB"),
    ("run ring.xml", "ring.xml: no such file"),
    ("check all ring", "'all'"),
]
NUMBERS = [
    ("-n 0", "-n 0", "at least 1", "try: 1"),
    ("-n -3", "-n -3", "try: 1"),
    ("-n four", "-n 'four'", "whole number"),
    ("-n 4.0", "'4.0'", "whole number"),
    ("-n 1e3", "'1e3'"),
    ("-n ''", "''"),
    ("-n ４", "'４'"),
    ("-n 2-4", "'2-4'"),
    (f"-n {'9' * 5000}", "999", "whole number"),
    ("--root x", "--root 'x'", "try: 0"),
    ("--root 1", "--root 1", "all-reduce has no root"),
    ("--count -1", "--count -1", "at least 0", "try: 0"),
    ("--count many", "--count 'many'"),
    ("--chunks 4", "chunks 4", "not pipelined"),
    ("--slots 4", "--slots 4", "your own"),
    ("--scratch 4", "--scratch 4", "your own"),
    ("--scratch -1", "--scratch -1", "at least 0"),
    ("--nodes 8", "--nodes 8", "your own"),
    ("--counts 4,4,4", "counts of 3 numbers", "4 chunks", "try: 4 numbers"),
    ("--counts 4,4,4,-4", "--counts -4", "at least 0", "try: 0"),
    ("--counts 4,4,four,4", "--counts 'four'", "whole number"),
    ("--counts 4,,4,4", "--counts ''", "whole number"),
    ("--counts ''", "--counts ''", "whole number"),
    ("--counts 1,2,3,4 --count 10", "count 10", "leave count out"),
    (f"--counts 1,2,3,{10**27}", "counts", "at most 2^48"),
    (f"--counts 1,2,3,{10**40}", "--counts", "whole number"),
    ("--collective all-reduce", "--collective all-reduce", "your own"),
    ("-p radix", "'radix'", "NAME=INTEGER"),
    ("-p radix=two", "'radix=two'", "NAME=INTEGER"),
    ("-p =2", "'=2'", "NAME=INTEGER"),
    ("-p n=2", "-p n=2", "try: -n 2"),
    ("-p a=1 -p a=2", "-p a=2", "twice"),
    ("--op summ", "'summ'", "did you mean sum?"),
    ("--op avg", "avg of int64", "--dtype float64"),
    ("--dtype int65", "'int65'", "did you mean int64?"),
    ("--dtype ''", "''", "int8"),
    ("--dtype str", "'str'", "cannot be reduced"),
    ("--dtype object", "'object'", "cannot be reduced"),
    ("--dtype bool", "'bool'", "cannot be reduced"),
    ("--dtype complex128", "'complex128'", "cannot be reduced"),
    ("--dtype datetime64[s]", "'datetime64[s]'", "cannot be reduced"),
    ("--dtype longdouble", "'longdouble'", "cannot be reduced"),
    ("--dtype i4,i4", "'i4,i4'", "cannot be reduced"),
    ("--steps 0-2", "0-2", "1 to 6"),
    ("--steps 3-99", "3-99", "try: 3-6"),
    ("--steps 4-2", "4-2", "try: 2-4"),
    ("--steps a-b", "a-b", "A-B", "as in 1-4"),
    ("--steps ''", "''", "A-B"),
    ("-n 1 --steps 1", "there is no step"),
    ("--exact", "--exact", "int64", "--dtype float64"),
    ("--exact --dtype float32 --op max", "max", "--op sum"),
    ("--counts-only --exact", "--exact", "--counts-only"),
    ("--counts-only --data good.npy", "--data good.npy", "--counts-only"),
    ("--counts-only -o new.npy", "-o new.npy", "--counts-only"),
]
PARAMETERS = [
    ("all-to-all bruck -p radix=1", "radix 1", "2 or more", "try: 2"),
    ("all-to-all bruck -p radix=-9", "radix -9", "try: 2"),
    ("all-to-all bruck -p radix=0", "radix 0", "try: 2"),
    ("all-to-all bruck -p radx=2", "radx 2", "no parameter 'radx'", "did you mean radix?"),
    ("all-to-all bruck -p radix=9999999999999999", "radix 9999999999999999", "at most 2^48"),
    ("all-reduce hierarchical -n 8 -p gpus=3", "gpus 3", "divisor", "try: 2"),
    ("all-reduce hierarchical -n 8 -p gpus=16", "gpus 16", "divisor", "try: 8"),
    ("all-reduce hierarchical -n 8 -p gpus=0", "gpus 0", "divisor", "try: 1"),
    ("all-reduce torus-3d -n 8 -p rows=4 -p columns=4", "8 ranks", "multiples of rows x columns"),
    ("all-gather pat -n 16 -p aggregation=3", "aggregation 3", "a power of two", "try: 2"),
    ("all-reduce swing -n 7", "7 ranks", "even", "try: 6 or 8"),
    ("all-to-all exchange -n 6", "6 ranks", "powers of two", "try: 4 or 8"),
    ("all-reduce bcube -n 6 -p base=4", "6 ranks", "powers of base", "try: 4 or 16"),
    ("all-reduce tree -p radix=2", "radix 2", "no parameter 'radix'", "leave it out"),
    ("barrier tree --count 5", "count 5", "barrier", "try: 0"),
    ("barrier tree --counts 5", "counts", "barrier", "leave it out"),
    ("barrier tree --data good.npy", "--data good.npy", "barrier", "leave it out"),
    ("barrier tree -o sum.npy", "-o sum.npy", "barrier", "try: -o FILE.json"),
    ("scan chain --op avg --dtype float32", "op avg", "scan", "try: sum"),
    ("scan chain --root 1", "--root 1", "scan has no root"),
    ("all-to-all flat --data good.npy --count 5", "4 elements", "count is 5"),
]
OTHER_SUBJECTS = [
    ("run broadcast tree --root 4", "root 4", "0 to 3"),
    ("run broadcast tree --root -1", "--root -1", "try: 0"),
    ("run broadcast tree -n 1 --root 1", "root 1"),
    ("run broadcast tree --chunks 2", "chunks 2", "not pipelined"),
    ("run broadcast ring --chunks 0", "--chunks 0", "try: 1"),
    ("run broadcast ring --chunks -2", "--chunks -2", "try: 1"),
    ("run broadcast ring --chunks few", "--chunks 'few'"),
    ("run all-gather ring --exact --dtype float64", "--exact", "all-gather adds nothing"),
]
HUGE = [  # what would take more memory, or time, than there is
    (
        "run all-reduce ring -n 99999999999999999999999",
        "ranks 99999999999999999999999",
        "try: 1048576",
    ),
    ("run all-reduce ring -n 1000000", "1000000 ranks", "TB"),
    ("run all-reduce ring -n 1000000 --counts-only", "1000000 ranks", "2e+12 messages"),
    ("run all-reduce ring -n 3000000 --counts-only", "ranks 3000000", "try: 1048576"),
    ("run all-gather flat -n 1000000", "1000000 ranks", "TB"),
    ("run all-gather flat -n 200000 --counts-only", "200000 ranks", "TB"),
    ("run reduce-scatter flat -n 150000 --counts-only", "150000 ranks", "TB"),
    ("run broadcast tree -n 10000000000", "ranks 10000000000", "try: 1048576"),
    ("run all-reduce tree --count 1000000000000", "4 ranks", "TB"),
    ("run all-reduce tree --count 100000000000000000000000", "4 ranks", "EB"),
    ("run all-reduce tree --count 100000000000000000000000 --counts-only", "count 1"),
    ("run broadcast ring --chunks 100000000000", "4 ranks", "try: 65534 chunks"),
    ("run broadcast ring --chunks 20000000 --counts-only", "20000"),
    ("check all-reduce ring -n 1000000", "1000000 ranks", "2e+12 messages"),
    ("check all-gather flat -n 100000", "100000 ranks", "B are available"),
    ("check broadcast ring -n 2 --chunks 30000000", "30000"),
]
CHECKS = [
    ("check all -n 5-2", "'5-2'", "go up"),
    ("check all -n 0-3", "'0-3'", "start at 1"),
    ("check all -n a", "'a'", "1-33"),
    ("check all -n 1-", "'1-'", "1-33"),
    ("check all -n ''", "''", "1-33"),
    ("check all -n 1,,2", "''", "2,4,8"),
    ("check all -n 1-999999999", "999999999", "at most"),
    ("check all --root 1", "--root 1", "leave it out"),
    ("check all --chunks 2", "--chunks 2", "leave it out"),
    ("check all --count 2", "--count 2", "leave it out"),
    ("check all -p a=2", "-p a", "leave it out"),
    ("check all-reduce ring --root 1", "--root 1", "has no root"),
    ("check broadcast tree --root 3 -n 1-3", "--root 3", "try: -n 4"),
    ("check all-reduce ring --slots 2", "--slots 2"),
    ("check digest.json -n 1-4", "-n 1", "has its own"),
    ("check digest.json", "digest"),
    ("check mine.py:my_brodcast", "did you mean my_broadcast?"),
    ("check mine.py:my_broadcast -p radix=2", "-p radix=2"),
    ("check mine.py:my_broadcast --op sum", "--op"),
]
BAD = (
    COMMANDS
    + OTHER_SUBJECTS
    + CHECKS
    + [(f"run {options}", *names) for options, *names in PARAMETERS]
    + [(f"run all-reduce ring {options}", *names) for options, *names in NUMBERS]
)


@pytest.fixture
def folder(crowded):
    """Commands are called in a folder that must stay as it is."""
    return crowded


def test_there_are_many_cases():
    assert len(BAD) + len(HUGE) > 100
    assert len({case[0] for case in BAD}) == len(BAD)


@pytest.mark.parametrize("case", BAD, ids=shown)
def test_bad_input_is_refused_in_one_line(collectives, case):
    ended = collectives(case[0]) if case[0] else collectives(*[])
    expect(ended, 2, case[1:])
    assert ended.out == ""


@pytest.mark.parametrize("case", HUGE, ids=shown)
def test_what_would_take_too_much_is_refused_at_once(collectives, case):
    began = time.process_time()
    ended = collectives(case[0])
    assert time.process_time() - began < 1
    expect(ended, 2, case[1:])
    assert ended.out == ""


@pytest.mark.parametrize(
    "line",
    [
        "rn",
        "run all-reduce ring -n 0",
        "run all-reduce ring --data objects.npy",
        "run all-reduce ring -o missing/sum.npy",
        "run deep.json",
        "run syntax.py:f",
        "check all -n 5-2",
    ],
)
def test_a_process_ends_with_status_2_and_one_line(command, line):
    ended = command(line, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
    expect(ended, 2, [])
    assert ended.out == ""


def test_too_little_memory_is_bad_input(collectives, monkeypatch):
    from collectives.recording.recording import Recording

    def exhausted(self):
        raise MemoryError

    monkeypatch.setattr(Recording, "result", exhausted)
    expect(collectives("run all-reduce ring"), 2, ["memory"])


def options_of(command, *words):
    """Every option of a command that takes a value, and of its commands, with its words."""
    for name, inner in getattr(command, "commands", {}).items():
        yield from options_of(inner, *words, name)
    for option in command.params:
        if isinstance(option, click.Option) and not option.is_flag:
            yield words, option


def test_every_option_that_is_no_list_is_given_once():
    lists = {option.name for _, option in options_of(cli) if option.multiple}
    faults = {"slow_link", "slow_rank", "late", "dead"}
    assert (
        lists == {"also", "parameters", "place", "sizes", "settings", "against", "dumps"} | faults
    )
    found = [(words, option) for words, option in options_of(cli) if not option.multiple]
    assert len(found) > 50
    for words, option in found:
        name = option.opts[0]
        with pytest.raises(BadInput) as raised:
            cli.main([*words, "x", name, "4", name, "5"], standalone_mode=False)
        assert str(raised.value) == f"{name} 5: {name} 4 is given too; try: {name} 4"
