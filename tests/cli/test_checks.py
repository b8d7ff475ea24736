"""`check`: numbers of ranks that an algorithm does not accept are left out, and that is said."""

from textwrap import dedent

import pytest
from bad_files import expect

from collectives.catalog import ROWS


def test_check_all_leaves_out_what_a_row_does_not_accept(right):
    report = right("check all -n 3,6 --json").json
    assert report["ok"] is True
    for found, row in zip(report["algorithms"], ROWS, strict=True):
        assert (found["collective"], found["algorithm"]) == (row.collective, row.algorithm)
        accepted = [n for n in (3, 6) if row.accepts(n)]
        assert found["left_out"] == [n for n in (3, 6) if n not in accepted]
        assert found["cases"] == (sum(accepted) if row.promise.rooted else len(accepted))
    assert report["cases"] == sum(found["cases"] for found in report["algorithms"])


def test_every_line_says_how_many_cases_and_what_is_left_out(right):
    lines = right("check all -n 3,6").out.splitlines()
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


MINE = """
    import numpy as np
    from collectives import reduce, send

    def signal_barrier(n):
        rank, d = np.arange(n), 1
        while d < n:
            yield reduce(rank, (rank + d) % n)
            d *= 2

    def swap_all_gather(n):
        yield send(*np.indices((n, n)).reshape(2, -1), np.indices((n, n))[0].ravel())

    def turn_all_gather(n):
        yield from swap_all_gather(n)
        rank, slot = np.indices((n, n)).reshape(2, -1)
        yield send(rank, rank, slot, (slot + 1) % n)
        yield send(rank, rank, (slot + 1) % n, slot)
"""


@pytest.fixture
def mine(tmp_path):
    """A module of own schedules in the current folder."""
    (tmp_path / "mine.py").write_text(dedent(MINE))


def test_counts_are_used_where_an_own_function_is_checked(right, collectives, mine):
    said = right("check mine.py:swap_all_gather -n 2 --counts 3,0").out
    assert said.startswith("swap_all_gather: right in the one case (2 ranks, counts 3,0)\nOn 2 ")
    said = right("check mine.py:swap_all_gather -n 2 --count 5").out
    assert said.startswith(
        "swap_all_gather: right in the one case (2 ranks, count 5)\nOn 2 ranks: "
    )
    ended = collectives("check mine.py:turn_all_gather -n 2 --counts 3,0")
    expect(ended, 1, ["turn_all_gather on 2 ranks: step 2", "has 3 elements", "has 0"])


def test_an_own_function_is_graded_beside_the_catalog(right, collectives, mine):
    line = "check mine.py:swap_all_gather -n 2 --like"
    assert right(f"{line} ring").out.startswith("swap_all_gather: right in the one case (2 ranks")
    expect(collectives(f"{line} rnig"), 2, ["all-gather algorithm 'rnig'", "did you mean ring"])
    ended = collectives("check mine.py:swap_all_gather -n 8 --like ring")
    expect(
        ended, 1, ["right, but a rank has 7 messages in one step", "it is no ring: rank 0 sends to"]
    )


def test_the_sizes_that_were_tried_are_said(right, mine):
    said = right("check mine.py:swap_all_gather -n 1-4").out
    assert said == (
        "swap_all_gather: right in all 4 cases (1-4 ranks, even and uneven sizes)\n"
        "On 4 ranks: 1 step (at least 1 with 3 ports a rank), 12 messages, 0.75 S sent by the "
        "busiest rank (at least 0.75 S)\n"
    )
    said = right("check mine.py:turn_all_gather -n 1-4").out
    assert "; sizes that divide evenly only: on 2 ranks with 9 elements, step 2 (" in said
    assert " (1-4 ranks)\nOn 4 ranks: " in said
    for barrier in ("mine.py:signal_barrier", "barrier tree"):
        assert "right in all 4 cases (1-4 ranks)\n" in right(f"check {barrier} -n 1-4").out


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("check all-reduce swing -n 3", ["3 ranks", "even", "try: 2 or 4"]),
        ("check all --counts 1,2", ["--counts", "leave it out"]),
        ("check all --scratch 2", ["--scratch 2", "leave it out"]),
        ("check all --nodes 2", ["--nodes 2", "leave it out"]),
        ("check all-gather ring --counts 1,2", ["--counts", "leave it out"]),
        ("check barrier tree -n 4 --count 5", ["count 5", "a barrier moves no data", "try: 0"]),
        ("check mine.py:signal_barrier --count 5", ["a barrier moves no data"]),
        ("check mine.py:swap_all_gather --counts 3,0", ["1 rank", "try: -n 2"]),
        ("check mine.py:swap_all_gather -n 3 --counts 3,0", ["3 chunks", "-n 2"]),
        ("check mine.py:swap_all_gather -n 2 --counts 3,0 --count 3", ["leave count out"]),
        ("check all-to-all bruck -p radix=1", ["radix 1", "try: 2"]),
        ("check all --like tree", ["--like tree: grades a function of your own", "try: mine.py"]),
        ("check broadcast tree --like tree", ["--like tree: grades a function of your own"]),
    ],
)
def test_what_cannot_be_checked_is_refused(collectives, mine, line, names):
    expect(collectives(line), 2, names)
