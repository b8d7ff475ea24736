"""`list`: every row once, all that is known of one, in columns that fit; and the same as JSON."""

import re
from pathlib import Path

import pytest
from each import each, row_title
from settings import SOME_ROWS

from collectives.catalog import ROWS, find_row
from collectives.catalog.list_report import find_rows, users
from collectives.cost.libraries.default_algorithm import LIBRARIES
from collectives.cost.machines import MACHINES
from collectives.cost.machines.links import LINKS
from collectives.theory.written import readable

COLLECTIVES = list(dict.fromkeys(row.collective for row in ROWS))


def names(out):
    """(collective, algorithm) of every line that starts a row of a table."""
    found, collective = [], ""
    for line in out.splitlines():
        heading = re.match(r"([a-z-]+): ", line)
        if heading:
            collective = heading[1].replace("-", "_")
        row = re.match(r"  ([a-z][a-z0-9-]*)  +.*\[\d+\]$", line)
        if row:
            found.append((collective, row[1]))
    return found


def sentences(text):
    return " ".join(text.split())


def test_every_algorithm_has_one_line_that_fits(right):
    """Its name, and which libraries use it; blank where none does."""
    lines = right("list").out.splitlines()
    assert max(map(len, lines)) <= 80
    found, collective = [], ""
    for line in lines:
        if re.fullmatch("[a-z-]+", line):
            collective = line.replace("-", "_")
        elif row := re.match(
            r"  ([a-z][a-z0-9-]*)(?: {2,}|$)(short, long|short|long|) *(.*)$", line
        ):
            found.append((collective, *row.groups()))
    found = [one for one in found if one[1] != "algorithm"]
    best = {"R": "short", "B": "long"}
    assert found == [
        (
            row.collective,
            row.algorithm,
            ", ".join(best[letter] for letter in row.form.optimal if letter in best),
            users(row),
        )
        for row in ROWS
    ]
    for row in ROWS:
        assert bool(users(row)) == bool(row.used_by)
        assert all(name in row.used_by for name in users(row).split(", "))


def test_what_can_be_chosen_can_be_listed(right):
    """Machines with their parameters, links, libraries: every name, and the same as JSON."""
    for word, table in (("machines", MACHINES), ("links", LINKS), ("libraries", LIBRARIES)):
        out, report = right(f"list {word}").out, right(f"list {word} --json").json
        assert [one["name"] for one in report] == list(table)
        for name in table:
            assert re.search(rf"^{re.escape(name)} +\S", out, re.MULTILINE), name
        assert max(map(len, out.splitlines())) <= 120
    out = right("list machines").out
    for machine in MACHINES.values():
        assert all(f"{name}=" in out for name in machine.parameters)
    assert re.search(r"^ib-ndr +50 GB/s +2 µs +ndr, infiniband-ndr", right("list links").out, re.M)


def test_what_nccl_calls_something_can_be_listed(right):
    """Of a name all, of a kind and of everything a table; the same as JSON."""
    out, report = right("list nccl LL128").out, right("list nccl LL128 --json").json
    assert out.startswith("LL128 (protocol)") and "NCCL_PROTO=LL128" in out
    assert [one["name"] for one in report] == ["LL128"]
    assert right("list NCCL_ALGO").out == right("list nccl algo").out
    every = right("list nccl --json").json
    out = right("list nccl").out
    assert max(map(len, out.splitlines())) <= 120
    for one in every:
        assert one["name"] in out
    variables = right("list nccl variables --json").json
    assert variables == [one for one in every if one["kind"] == "variable"]


def test_parameters_are_typed_as_they_are_listed(right):
    """A machine with all of its defaults given is the machine."""
    listed = right("list machines").out
    for name, machine in MACHINES.items():
        (text,) = re.findall(rf"^{name} .*?\n((?: .*\n)*)", listed, re.MULTILINE)
        typed = re.findall(r"^ {17}(\w+=\S+) ", text, re.MULTILINE)
        assert [one.partition("=")[0] for one in typed] == list(machine.parameters)
        given = ":" + ",".join(typed) if typed else ""
        words = "time all-gather ring --size 1MB -n 8 --topology"
        one, other = (right(*words.split(), n, "--json").json for n in (name, name + given))
        assert one["seconds"] == other["seconds"]


@pytest.mark.parametrize("collective", COLLECTIVES)
def test_a_collective_lists_its_own_rows_only(right, collective):
    wanted = [(row.collective, row.algorithm) for row in ROWS if row.collective == collective]
    for name in (collective, collective.replace("_", "-").upper()):
        assert names(right(f"list {name}").out) == wanted
        found = right(f"list {name} --json").json
        assert [(row["collective"], row["algorithm"]) for row in found] == wanted


def test_the_name_of_an_algorithm_lists_it_for_every_collective(right):
    wanted = [(row.collective, row.algorithm) for row in ROWS if row.algorithm == "circulant"]
    assert len(wanted) == 3
    assert names(right("list circulant").out) == names(right("list traff").out) == wanted


def test_the_name_of_a_collective_is_not_that_of_an_algorithm():
    """A reduce-scatter is known by this name, too, where it is the tree's two parts."""
    assert {row.collective for row in find_rows(["reduce-scatter"])} == {"reduce_scatter"}


@each("row", ROWS, row_title)
def test_all_that_a_row_says_is_shown(right, row):
    out = sentences(right(f"list {row.collective} {row.algorithm}").out)
    wanted = [row.heading, row.promise.sentence, row.sizes.text, row.source, *row.also]
    wanted += [readable(formula) for formula in row.form.text]
    wanted += [
        *row.same_bits_as,
        row.used_by,
        row.function.__name__,
        row.function.__doc__.split("\n")[0],
    ]
    wanted += [
        f"{p.name}={'NAME' if p.ways else 'VALUE'}, {p.meaning}: {p.rule}" for p in row.takes
    ]
    for text in wanted:
        assert sentences(text) in out
    assert ("the larger of sent and received" in out) == ("B" in row.form.optimal)
    assert out.count("equals its lower bound") == len(row.form.optimal)
    assert ("--root" in out, "--chunks" in out) == (
        "root" in row.parameters,
        "chunks" in row.parameters,
    )


@each("row", SOME_ROWS, row_title)
def test_the_command_that_is_proposed_runs(right, row):
    command = right(f"list {row.collective} {row.algorithm}").out.splitlines()[-1]
    assert command.startswith(f"collectives run {row.promise.title} {row.algorithm} -n ")
    assert right(command.removeprefix("collectives ")).out


@each("row", ROWS, row_title)
def test_the_place_of_the_function_is_where_it_is(right, row):
    (found,) = right(f"list {row.collective} {row.algorithm} --json").json
    lines = (Path(__file__).parents[2] / found["file"]).read_text().splitlines()
    assert lines[found["line"] - 1].startswith(f"def {row.function.__name__}(")


def test_every_letter_of_a_table_is_explained(right):
    """By the collective's own list, or by the one for all at the end."""
    lists = {name: right(f"list {name}").out for name in COLLECTIVES}
    for row in ROWS:
        out = lists[row.collective]
        for formula in row.form.text[:3]:
            for letter in row.form.letters(formula):
                assert re.search(
                    rf"^ *{letter.symbol}: +.*{re.escape(letter.meaning[:20])}", out, re.M
                )
        for parameter in row.takes:
            assert re.search(rf"^  {parameter.name}: ", out, re.M)


def test_a_letter_with_two_meanings_says_whose(right):
    assert "h: the larger half of the chunks (double-binary-tree); levels of switches (sharp)" in (
        right("list all-reduce").out
    )


@pytest.mark.parametrize("line", ["list", "list all-reduce", "list all-reduce three-level"])
def test_lines_fit_120_columns(right, line):
    assert max(map(len, right(line).out.splitlines())) <= 120


def test_a_number_leads_to_its_source(right):
    out = right("list all-reduce").out
    row = find_row("all_reduce", "rabenseifner")
    number = re.search(rf"^\[(\d+)\] +{re.escape(row.source[:40])}", out, re.M)[1]
    assert re.search(rf"^  rabenseifner .*\[{number}\]$", out, re.M)


def test_json_has_an_object_for_every_row(right):
    found = right("list --json").json
    assert [(row["collective"], row["algorithm"]) for row in found] == [
        (row.collective, row.algorithm) for row in ROWS
    ]
    for listed, row in zip(found, ROWS, strict=True):
        assert listed["parameters"] == list(row.parameters)
        assert list(listed["defaults"]) == listed["parameters"]
        assert list(listed["takes"]) == [parameter.name for parameter in row.takes]
        assert type(listed["ranks"]) is type(listed["source"]) is str
        assert listed["same_bits_as"] == list(row.same_bits_as)
        assert len(listed["optimal"]) == len(row.form.optimal)


def test_json_has_the_defaults_that_are_used(right):
    for listed in right("list --json").json:
        row = find_row(listed["collective"], listed["algorithm"])
        for ranks in (4, 8, 16, 64):
            if not row.accepts(ranks):
                continue
            setting = row.setting(ranks)
            used = {"root": setting.root, "chunks": setting.chunks, "channels": setting.channels}
            used |= {one.name: one.default(ranks, {}) for one in row.takes if one.unsaid}
            used |= setting.parameters
            for name, value in listed["defaults"].items():
                if value is None:
                    value = listed["takes"][name]["default_for"][str(ranks)]
                assert f"{used[name]}" == f"{value}"
            assert listed["in_network"] == (row.nodes(setting) > ranks)
