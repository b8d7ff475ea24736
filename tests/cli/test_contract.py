"""The fixed contract of list, run and check: words, defaults, tables, files, exit statuses."""

import re

import pytest
from each import each, row_title
from settings import SOME_ROWS

from collectives.catalog import ROWS
from collectives.text_lines import WIDTH
from collectives.words import plural

PIPELINED = [row for row in ROWS if "chunks" in row.parameters]
OTHERS = [row for row in ROWS if "chunks" not in row.parameters]


def words(row):
    return f"{row.collective} {row.algorithm}"


# --- run: defaults and names


@each("row", ROWS, row_title)
def test_defaults_are_4_ranks_root_0_and_4_elements_of_int64_per_slot(right, row):
    report = right(f"run {words(row)} --json").json
    setting = row.setting(4)
    chunk_count, slots = row.chunk_count(setting), row.slots(setting)
    assert (
        report
        | {
            "collective": row.collective,
            "algorithm": row.algorithm,
            "ranks": 4,
            "root": 0,
            "count": 0 if row.collective == "barrier" else 4 * chunk_count,
            "dtype": "int64",
            "op": "sum",
            "slots": slots,
            "pieces": chunk_count,
            "nodes": row.nodes(setting),
            "parameters": setting.parameters,
            "correct": True,
        }
        == report
    )


@each("row", SOME_ROWS, row_title)
def test_steps_are_numbered_beyond_their_count_only_where_it_is_said(right, row):
    """Steps in place, of moves within ranks alone, have a number but do not count."""
    for ranks in (n for n in (1, 3, 8) if row.accepts(n)):
        text = right(f"run {words(row)} -n {ranks}").out
        counted = int(re.search(r"^steps +(\d+)", text, re.MULTILINE)[1])
        numbered = re.findall(r"^  step \d+ of (\d+)(, in place)?", text, re.MULTILINE)
        in_place = sum(bool(there) for _, there in numbered)
        assert {int(last) for last, _ in numbered} <= {counted + in_place}
        said = f"{plural(counted, 'step')} and {in_place} in place: moves within ranks alone have"
        assert text.count(said) == 2 * (in_place > 0)


def test_each_option_takes_its_least_value(right):
    report = right("run broadcast ring -n 1 --root 0 --count 0 --chunks 1 --json").json
    found = {name: report[name] for name in ("ranks", "root", "count", "chunks")}
    assert found == {"ranks": 1, "root": 0, "count": 0, "chunks": 1}


@each("row", PIPELINED, row_title)
def test_a_pipeline_has_4_chunks_unless_told_otherwise(right, row):
    few, many = row.setting(4).chunks, row.setting(4, chunks=7).chunks
    for chunks, options in ((few, ""), (many, "--chunks 7")):
        report = right(f"run {words(row)} {options} --json").json
        assert report["chunks"] == chunks
        assert report["pieces"] == row.chunk_count(row.setting(4, chunks=chunks)) >= chunks
    assert (few, many) == (4, 7)


@each("row", OTHERS, row_title)
@pytest.mark.parametrize("verb", ["run", "check"])
def test_chunks_are_refused_where_nothing_is_pipelined(collectives, verb, row):
    ended = collectives(f"{verb} {words(row)} --chunks 4")
    assert (ended.status, ended.out) == (2, "")
    assert "chunks 4" in ended.err


@pytest.mark.parametrize("name", ["all-reduce", "all_reduce", "ALL-REDUCE", "All_Reduce"])
def test_names_have_hyphens_or_underscores(right, name):
    assert right(f"run {name} ring --json").json["collective"] == "all_reduce"
    assert right(f"check {name} ring -n 2 --json").json["ok"] is True


# --- run: what it prints


def test_json_has_the_keys_scripts_rely_on_with_their_types(right):
    report = right("run all-reduce ring -n 5 --json").json
    for key in ("ranks", "root", "count", "slots", "steps", "transfers", "messages"):
        assert type(report[key]) is int
    for key in ("collective", "algorithm", "dtype", "op"):
        assert type(report[key]) is str
    for key in ("bytes_sent", "bytes_received"):
        assert [type(number) for number in report[key]] == [int] * 5
    assert report["correct"] is True
    assert {key: type(value) for key, value in report["lower_bound"].items()} == {
        "steps": int,
        "ports": int,
        "bytes": int,
        "bytes_busiest_port": int,
    }


def test_json_has_the_numbers_of_the_ring(right):
    report = right("run all-reduce ring -n 8 --count 1024 --dtype float32 --json").json
    assert (report["steps"], report["transfers"], report["messages"]) == (14, 112, 112)
    assert report["bytes_sent"] == report["bytes_received"] == [2 * 7 * 512] * 8
    least = {"bytes": 2 * 7 * 512, "bytes_busiest_port": 2 * 7 * 512}
    assert report["lower_bound"] == {"steps": 3, "ports": 1, **least}
    assert report["bytes_busiest_port"] == 2 * 7 * 512
    assert (report["structure"], report["bytes_by_part"]) == ("ring", {})
    assert report["idle_ranks"] == [0] * 14


def test_a_switch_is_not_the_busiest_rank(right):
    out = right("run all-reduce nvls -n 8").out
    assert re.search(r"^sent by the busiest rank +1152 B +\(N\+1\)/N S = 1152 B$", out, re.M)
    assert re.search(r"^received by the busiest +1152 B$", out, re.M)
    assert re.search(r"^through the busiest port +1152 B$", out, re.M)


def test_the_busiest_port_is_that_of_a_root_or_of_a_server(right):
    """A flat reduce and a parameter server send little from each rank, and all to one."""
    report = right("run reduce flat -n 4 --count 1024 --dtype float32 --json").json
    assert report["bytes_busiest_port"] == 3 * 4096
    assert report["lower_bound"]["bytes_busiest_port"] == 4096
    out = right("run reduce flat -n 4 --count 1024 --dtype float32").out
    assert re.search(r"^through the busiest port +12 KiB +4 KiB$", out, re.M)
    report = right("run all-reduce parameter-server -n 4 --count 16 --json").json
    assert report["bytes_busiest_port"] == 4 * 16 * 8
    assert report["lower_bound"]["bytes_busiest_port"] is None
    out = right("run all-reduce parameter-server -n 4").out
    assert "busiest port: most bytes that one rank or server sends, or receives\n" in out
    assert "one rank or port of a switch sends" in right("run all-reduce nvls -n 4").out


def test_bytes_over_the_slow_network_are_counted(right):
    report = right("run all-reduce hierarchical -n 8 -p gpus=4 --json").json
    assert report["structure"] == "groups"
    assert report["bytes_by_part"] == {"within nodes": 3072, "between nodes": 512}
    out = right("run all-reduce hierarchical -n 8 -p gpus=4").out
    assert re.search(r"^within nodes +3 KiB\nbetween nodes +512 B$", out, re.M)
    assert "idle" not in out
    out = right("run broadcast tree -n 8").out
    assert re.search(r"^ranks idle in a step +0 to 6, 3.33 on average$", out, re.M)
    assert " apart" not in right("run all-gather pairwise -n 16").out, "too many parts to show"
    assert right("run broadcast double-binary-tree -n 5 --json").json["structure"] == "two-trees"
    many = right("run all-reduce ring -n 512 --counts-only --json").json
    assert (many["structure"], many["idle_ranks"]) == ("ring", None)


def test_counts_only_executes_nothing(right):
    full = right("run all-reduce ring -n 6 --json").json
    counted = right("run all-reduce ring -n 6 --counts-only --json").json
    assert counted.pop("correct") is None
    assert full.pop("correct") is True
    assert full.pop("rounding")["differing"] == 0
    assert counted == full
    assert "nothing was executed" in right("run all-reduce ring --counts-only").out


def test_every_transfer_and_what_it_leaves_is_shown(right):
    table = right("run all-reduce ring -n 3 --count 3").out
    for line in (
        "ring all-reduce · 3 ranks · 3 int64 = 24 B in 3 slots · sum",
        "step 1 of 4: every rank sends a chunk to the next, which adds it",
        "rank 0 → 1  + adds slot 2  8 B  now from ranks 0, 1  [9]",
        "rank 2 → 0  = sends slot 2  8 B  now from all 3 ranks  [18]",
        "rank 0: [12 15 18]",
        "correct: every rank ends with the sum over all ranks",
    ):
        assert line in table


def test_the_table_says_what_a_transfer_was_computed_from(right):
    table = right("run send-recv ping-pong -n 2").out
    assert "rank 0 → 1  = sends slot 0 to slot 1  32 B" in table
    assert "rank 1 → 0  = sends slot 0 to slot 1, computed from its slot 1  32 B" in table


def test_the_table_says_minimum_where_it_computes_the_minimum(right):
    table = right("run all-reduce ring --op min").out
    assert "Every rank ends with the minimum over all ranks." in table
    assert "equal numpy's minimum, to the last bit" in table
    assert "+ adds" not in table


def test_no_line_is_wider_than_a_terminal(right):
    for line, columns in (
        ("run all-reduce ring", 100),
        ("run scatter tree -n 16", 100),
        ("run barrier dissemination -n 9", 100),
        ("run all-reduce ring --dtype float32 -n 8 --exact --steps 1", WIDTH),  # paragraphs
        ("check all-reduce ring -n 1-4", 100),
    ):
        assert max(map(len, right(line).out.splitlines())) <= columns


def test_no_line_ends_in_blanks(right):
    for line in (
        "list",
        "list reduce tree",
        "run all-reduce ring -n 12",
        "run gather tree -n 5 --count 12",
    ):
        assert all(text == text.rstrip() for text in right(line).out.splitlines())


def test_steps_shows_these_steps_only(right):
    def shown(options):
        lines = right(f"run all-reduce ring -n 4 {options}").out.splitlines()
        return [int(line.split()[1]) for line in lines if line.startswith("  step ")]

    assert shown("") == [1, 2, 3, 4, 5, 6]
    assert shown("--steps 2-4") == [2, 3, 4]
    assert shown("--steps 6") == [6]
    assert shown("--steps 3-3 --counts-only") == [3]
    assert shown("--counts-only") == []


@pytest.mark.parametrize(("ranks", "hidden"), [(20, 0), (21, 0), (22, 2), (30, 18), (40, 38)])
def test_a_table_of_more_than_40_steps_hides_its_middle_and_says_so(right, ranks, hidden):
    total = 2 * (ranks - 1)
    lines = right(f"run all-reduce ring -n {ranks} --count 8").out.splitlines()
    shown = [int(line.split()[1]) for line in lines if line.startswith("  step ")]
    said = [line for line in lines if "steps hidden" in line]
    if hidden:
        assert shown == [*range(1, 21), *range(total - 19, total + 1)]
        assert said == [f"… {hidden} steps hidden, 21 to {total - 20}; see --steps A-B"]
    else:
        assert shown == list(range(1, total + 1))
        assert said == []


def test_the_root_is_shown_also_among_many_ranks(right):
    assert "rank 39: [" in right("run reduce tree -n 40 --root 39").out
