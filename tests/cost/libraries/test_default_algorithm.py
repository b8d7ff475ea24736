"""What libraries choose: their rules at the cut points, and that the catalog has every row."""

import csv
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from collectives.cost.libraries import openmpi, rules
from collectives.cost.libraries.default_algorithm import (
    LIBRARIES,
    LibraryChoice,
    choose,
    eight_per_node,
    ranges,
    table,
)
from collectives.cost.libraries.nccl.graphs import hgx
from collectives.errors import BadInput

DATA = Path(__file__).parents[2] / "data"
COUNTED, DECIDED = DATA / "open_mpi_counts.csv", DATA / "open_mpi_decisions.csv"
RANKS = [*range(1, 70), 100, 127, 128, 200, 256, 511, 512, 1000, 1024, 2048, 3000, 4096, 5000]
SIZES = [0, 1, *(2**e + d for e in range(1, 31) for d in (-1, 0, 1))]
MIB, KIB = 1 << 20, 1 << 10


@pytest.mark.parametrize("library", LIBRARIES)
def test_every_choice_is_a_row_that_runs_on_so_many_ranks(library):
    for collective in LIBRARIES[library].collectives:
        for ranks in RANKS:
            tuned = library in ("nccl", "rccl")
            if tuned and ranks > 8 and ranks % 8:
                continue
            found = {}
            for size in SIZES[::9] if tuned else SIZES[::2]:
                choice = choose(library, collective, ranks, size)
                found[choice.row] = choice
                assert choice.library_name and choice.rule
            for choice in found.values():
                row = choice.find()
                assert row.algorithm == choice.row
                assert row.accepts(ranks, choice.parameters)


@pytest.mark.parametrize(
    ("collective", "ranks", "size", "row"),
    [
        ("broadcast", 7, 2**30, "tree"),
        ("broadcast", 8, 12288, "tree"),
        ("broadcast", 8, 12289, "scatter-doubling"),
        ("broadcast", 8, 524288, "scatter-doubling"),
        ("broadcast", 8, 524289, "van-de-geijn"),
        ("broadcast", 9, 12289, "van-de-geijn"),
        ("all_reduce", 8, 8, "recursive-doubling"),
        ("all_reduce", 2, 8, "recursive-doubling"),
        ("all_reduce", 2, 9, "rabenseifner"),
        ("all_reduce", 8, 28, "recursive-doubling"),  # 7 elements of 4 bytes on 8 ranks
        ("all_reduce", 8, 32, "rabenseifner"),
        ("all_gather", 8, 524287, "recursive-doubling"),
        ("all_gather", 8, 524288, "ring"),
        ("all_gather", 9, 81919, "bruck"),
        ("all_gather", 9, 81920, "ring"),
        ("reduce", 8, 2048, "tree"),
        ("reduce", 8, 2049, "rabenseifner"),
        ("reduce", 1024, 2052, "tree"),  # 513 elements
        ("reduce_scatter", 9, 524287, "recursive-halving"),
        ("reduce_scatter", 9, 524288, "pairwise"),
        ("all_to_all", 7, 7 * 256, "flat"),
        ("all_to_all", 8, 8 * 256, "bruck"),
        ("all_to_all", 8, 8 * 257, "flat"),
        ("all_to_all", 8, 8 * 32768, "flat"),
        ("all_to_all", 8, 8 * 32769, "exchange"),
        ("all_to_all", 9, 9 * 32769, "pairwise"),
        ("gather", 9, 2**20, "tree"),
        ("barrier", 9, 0, "dissemination"),
        ("scan", 9, 2**20, "recursive-doubling"),
        ("exscan", 9, 2**20, "recursive-doubling"),
    ],
)
def test_mpich(collective, ranks, size, row):
    assert choose("mpich", collective, ranks, size).row == row


def test_open_mpi_at_every_cut_point():
    with open(DECIDED, encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    assert {row["collective"] for row in rows} == set(openmpi.TABLES)
    wrong = []
    for row in rows:
        kind, digits = row["collective"], row["numbers"]
        for ranks in (int(row["from"]), int(row["to"])):
            each = ranks if kind in openmpi.BLOCKS else 1
            sizes = [(size, e) for e in range(22) for size in (1 << e, (2 << e) - 1)]
            wrong += [
                (kind, ranks, size, digits[e])
                for size, e in [*sizes, (0, 0), (1 << 30, -1)]
                if openmpi.decide(kind, ranks, size * each)[0] != int(digits[e])
            ]
    assert not wrong


def test_open_mpi_says_its_rule():
    assert choose("Open MPI", "all_reduce", 8, 8191).rule == "from 8 to 15 ranks, below 8 KiB"
    rule = choose("openmpi", "all-reduce", 3, 100).rule
    assert rule == "from 1 to 3 ranks, from 8 B to below 4 KiB"
    assert choose("openmpi", "broadcast", 100, 5).rule == "from 64 to 127 ranks"
    assert choose("openmpi", "barrier", 5000, 0).rule == "from 4096 ranks on"


def test_open_mpi_runs_another_algorithm_where_one_does_not_fit():
    assert [choose("openmpi", "all_gather", n, 64).row for n in (8, 9)] == [
        "recursive-doubling",
        "bruck",
    ]
    assert [choose("openmpi", "all_gather", n, n * 4096).row for n in (40, 41)] == [
        "neighbor-exchange",
        "ring",
    ]
    assert "instead of neighbor exchange" in choose("openmpi", "all_gather", 41, 41 << 12).rule
    assert [choose("openmpi", "all_reduce", n, MIB).row for n in (8, 9)] == [
        "rabenseifner",
        "half-fold",
    ]
    assert [choose("openmpi", "barrier", n, 0).row for n in (8, 9)] == [
        "recursive-doubling",
        "tail-fold",
    ]
    assert [choose("openmpi", "broadcast", n, MIB).row for n in (16, 17)] == [
        "scatter-doubling",
        "van-de-geijn",
    ]


def test_every_number_of_open_mpi_has_a_name_and_every_name_is_used():
    for kind, lines in openmpi.TABLES.items():
        used = {number for _, cells in lines for _, number in cells}
        assert used <= set(openmpi.NAMES[kind])


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("scan,8,1\nscan,4,1\nscan,,1", "limits of scan must grow, the last must be open"),
        ("scan,8,1", "limits of scan must grow, the last must be open"),
        ("scan,,<8:1 <8:2 3", "limits of scan must grow, the last must be open"),
        ("scan,,<8:1 <9:2", "limits of scan must grow, the last must be open"),
        ("scan,,8:1 2", "8:1 must be like <4K:3, or 6 in the end"),
    ],
)
def test_rules_of_open_mpi_are_checked_when_read(monkeypatch, tmp_path, rows, message):
    table = tmp_path / "rules.csv"
    table.write_text(f"collective,ranks below,rules\n{rows}\n")
    monkeypatch.setattr(openmpi, "RULES", table)
    with pytest.raises(BadInput, match=message):
        openmpi.read_rules()


@pytest.mark.parametrize("where", ["size<", "bytes<4KiB", "size<4XiB", "size==4", "ranks=size"])
def test_conditions_of_rules_are_checked_when_read(monkeypatch, tmp_path, where):
    table = tmp_path / "rules.csv"
    table.write_text(f"library,collective,where,row,name,rule,note\nx,scan,{where},a,b,c,\n")
    monkeypatch.setattr(rules, "TABLE", table)
    with pytest.raises(BadInput):
        rules.read()


def test_the_last_rule_of_a_library_holds_always():
    for kinds in rules.RULES.values():
        for kind in kinds.values():
            assert [bool(where) for where, _ in kind] == [True] * (len(kind) - 1) + [False]


def test_rows_are_those_whose_traffic_open_mpi_was_seen_to_make():
    """Rows of ours were held against counts of its traffic monitor: the same pairs here.

    Two rows of equal traffic are named after the one that adds in Open MPI's order.
    """
    lines = [line for line in COUNTED.read_text().splitlines() if not line.startswith("#")]
    counted = {(row["collective"], row["algorithm"]) for row in csv.DictReader(lines)}
    mapped = {(kind, row) for kind, names in openmpi.NAMES.items() for _, row, _ in names.values()}
    assert counted - mapped == {("reduce", "flat"), ("all_reduce", "ring")}


@pytest.mark.parametrize(
    ("library", "collective", "ranks", "size", "row"),
    [
        ("vllm", "all_reduce", 2, 8 * MIB - 16, "flat"),
        ("vllm", "all_reduce", 2, 8 * MIB, "ring"),
        ("vllm", "all_reduce", 8, 8 * MIB - 16, "two-shot"),
        ("vllm", "all_reduce", 8, 8 * MIB, "ring"),
        ("vllm", "all_reduce", 4, 512 * KIB - 16, "flat"),
        ("vllm", "all_reduce", 4, 512 * KIB, "two-shot"),
        ("vllm", "all_reduce", 8, 256 * KIB - 16, "flat"),
        ("vllm", "all_reduce", 8, 256 * KIB, "two-shot"),
        ("vllm", "all_reduce", 8, 8 * MIB + 16, "ring"),
        ("vllm", "all_reduce", 8, 1000, "ring"),
        ("vllm", "all_reduce", 3, 1024, "ring"),
        ("tensorrt-llm", "all_reduce", 2, 15_999_999, "flat"),
        ("tensorrt-llm", "all_reduce", 2, 16_000_000, "ring"),
        ("tensorrt-llm", "all_reduce", 8, 7_999_999, "two-shot"),
        ("tensorrt-llm", "all_reduce", 4, 999_999, "flat"),
        ("tensorrt-llm", "all_reduce", 4, 1_000_000, "two-shot"),
        ("tensorrt-llm", "all_reduce", 8, 500_000, "two-shot"),
        ("tensorrt-llm", "all_reduce", 8, 8_000_000, "ring"),
        ("msccl", "all_reduce", 8, 32768, "flat"),
        ("msccl", "all_reduce", 8, 32769, "two-shot"),
        ("msccl", "all_reduce", 8, 266240, "ring"),
        ("msccl", "all_gather", 8, 32 * MIB - 1, "flat"),
        ("msccl", "all_gather", 8, 32 * MIB, "ring"),
        ("gloo", "all_reduce", 5, 2**20, "leftward-ring"),
        ("gloo", "broadcast", 5, 2**20, "doubling-tree"),
        ("openmpi", "broadcast", 16, 4096, "doubling-tree"),
        ("openmpi", "broadcast", 31, MIB - 1, "doubling-tree"),
        ("ucc", "all_reduce", 8, 4095, "recursive-doubling"),
        ("ucc", "all_reduce", 8, 4096, "rabenseifner"),
        ("ucc", "broadcast", 2, 2**20, "knomial"),
        ("ucc", "broadcast", 3, 32768, "van-de-geijn"),
        ("ucc", "reduce", 3, 32767, "knomial"),
        ("oneccl", "all_reduce", 8, 8192, "recursive-doubling"),
        ("oneccl", "all_reduce", 8, 8193, "ring"),
        ("oneccl", "broadcast", 8, 8193, "flat"),
        ("nccl", "all_reduce", 8, MIB, "ring"),
        ("nccl", "all_reduce", 8, 2 * MIB, "nvls"),
        ("nccl", "all_reduce", 16, 2**30, "nvls-tree"),
        ("nccl", "all_reduce", 16, 1024, "double-binary-tree"),
        ("nccl", "all_to_all", 16, 1024, "triangular"),
    ],
)
def test_other_libraries(library, collective, ranks, size, row):
    assert choose(library, collective, ranks, size).row == row


def test_ranges_are_without_gaps():
    found = ranges("openmpi", "broadcast", 8)
    assert found[0][0] == 8 and found[-1][1] == 1 << 30
    for before, after in pairwise(found):
        assert after[0] == 2 * before[1]
        assert after[2].library_name != before[2].library_name


def test_the_table_has_a_line_for_each_choice():
    assert table("nccl", "all_reduce", 8).splitlines() == [
        "8 B to 1 MiB        Ring LL  (all_reduce ring)",
        "2 MiB to 1 GiB      NVLS Simple  (all_reduce nvls)",
    ]


def test_a_choice_is_a_sentence():
    always = LibraryChoice("ucc", "reduce", "tree", "binomial", "always", "in halves")
    assert str(always) == "UCC always uses binomial (in halves)"
    assert str(choose("mpich", "reduce", 8, 8)) == "MPICH would use binomial: up to 2 KiB"


def test_libraries_are_listed_with_what_they_decide_by():
    """The rows a list of libraries shows, each filled in."""
    for name, library in LIBRARIES.items():
        assert name == name.lower() and library.title and library.decides_by and library.source
        assert library.collectives


@pytest.mark.parametrize("size", [KIB, MIB, 64 * MIB, 1 << 30])
def test_rccl_follows_nccl_on_gpus_whose_switches_do_not_add(size):
    """The same as NCCL with NVLS switched off, and it says whose rules these are."""
    plain = hgx("H100")
    other = choose("nccl", "all_reduce", 8, size, replace(plain, without=("NVLS", "NVLSTree")))
    found = choose("rccl", "all_reduce", 8, size, plain)
    assert (found.row, found.library_name) == (other.row, other.library_name)
    assert "NVLS" not in found.library_name and str(found).startswith("RCCL would use ")
    assert str(found).endswith("(by the rules of NCCL)")


def test_nccl_on_a_machine_of_the_caller():
    a100 = choose("nccl", "all_reduce", 8, 2**30, machine=hgx("A100"))
    assert a100.library_name == "Ring Simple"
    assert eight_per_node(24).nodes == 3


BAD = [
    (
        lambda: choose("opnmpi", "all-reduce", 8, 8),
        "unknown library 'opnmpi'; did you mean openmpi?",
    ),
    (
        lambda: choose("vllm", "barrier", 8, 8),
        "vllm has no rule for barrier; choose from all-reduce",
    ),
    (lambda: choose("mpich", "send-recv", 8, 8), "mpich has no rule for send-recv"),
    (lambda: choose("mpich", "all-reduce", 0, 8), "ranks 0: must be at least 1"),
    (lambda: choose("mpich", "all-reduce", 8, -8), "size -8: must be at least 0"),
    (lambda: choose("mpich", "all-reduce", 8, float("nan")), "size nan: must be a whole number"),
    (lambda: choose("mpich", "all-reduce", 8, 2**63), "must be at most 2^63 - 1"),
    (lambda: choose("nccl", "all-reduce", 12, 8), "12 ranks: without a machine, nodes of eight"),
    (lambda: choose("nccl", "all-reduce", 4, 8, machine=hgx("A100")), "4 ranks: 1 x 8 A100 has 8"),
]


@pytest.mark.parametrize(("call", "message"), BAD, ids=[message for _, message in BAD])
def test_bad_input_is_refused_in_one_line(call, message):
    with pytest.raises(BadInput) as caught:
        call()
    assert message in str(caught.value) and "\n" not in str(caught.value)
