"""`check`: numbers of ranks that an algorithm does not accept are left out, and that is said."""

import pytest
from bad_files import expect

from collectives.catalog import ROWS


def test_check_all_leaves_out_what_a_row_does_not_accept(right):
    report = right("check all -n 5,6 --json").json
    assert report["ok"] is True
    for found, row in zip(report["algorithms"], ROWS, strict=True):
        assert (found["collective"], found["algorithm"]) == (row.collective, row.algorithm)
        accepted = [n for n in (5, 6) if row.accepts(n)]
        assert found["left_out"] == [n for n in (5, 6) if n not in accepted]
        assert found["cases"] == (sum(accepted) if row.promise.rooted else len(accepted))
    assert report["cases"] == sum(found["cases"] for found in report["algorithms"])


def test_every_line_says_how_many_cases_and_what_is_left_out(right):
    lines = right("check all -n 5,6").out.splitlines()
    assert len(lines) == len(ROWS) + 1
    swing = next(line for line in lines if "swing all-reduce" in line)
    assert swing.split("  ")[0] == "right"
    assert swing.endswith("1 case  (1 number of ranks left out: it takes even only)")
    exchange = next(line for line in lines if "exchange all-to-all" in line)
    assert exchange.startswith("none   exchange all-to-all")
    assert exchange.endswith("0 cases  (2 numbers of ranks left out: it takes powers of two only)")
    assert lines[-1].startswith(f"{len(ROWS)} algorithms, ")


def test_one_row_says_what_it_leaves_out(right):
    out = right("check all-reduce hierarchical -p gpus=4 -n 4-9").out
    said = "hierarchical all-reduce: right in all 2 cases (4-9 ranks, even and uneven sizes; "
    assert out == f"{said}4 numbers of ranks left out: the parameters do not fit)\n"
    assert "left out" not in right("check all-reduce ring -n 1-9").out


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("check all-reduce swing -n 3", ["3 ranks", "even", "nearest: 2 or 4"]),
        ("check all --counts 1,2", ["--counts", "leave it out"]),
        ("check all --scratch 2", ["--scratch 2", "leave it out"]),
        ("check all --nodes 2", ["--nodes 2", "leave it out"]),
        ("check all-gather ring --counts 1,2", ["--counts", "leave it out"]),
        ("check all-to-all bruck -p radix=1", ["radix 1", "nearest: 2"]),
    ],
)
def test_what_cannot_be_checked_is_refused(collectives, line, names):
    expect(collectives(line), 2, names)
