"""How much work an algorithm is, foretold by its formulas, against its recordings."""

import pytest
from cost.choose.places import on
from each import each, row_title

from collectives import ROWS
from collectives.catalog import find_row
from collectives.cost.choose import ranking
from collectives.cost.choose.ranking import check_amount, fits, rank_algorithms
from collectives.cost.choose.setup import sized
from collectives.errors import BadInput


@each("row", ROWS, row_title, few=16)
def test_what_is_foretold_is_recorded(row):
    ranks = next(number for number in (24, 16, 6, 2) if row.accepts(number))
    messages, chunk_count = ranking._amount(row, ranks, 0, None, {})
    counters = sized(row, ranks, 0).counters
    assert messages == counters.messages
    rows = chunk_count if ranking._one_by_one(row) else messages
    assert counters.rows / 3 <= max(rows, messages) <= 3 * counters.rows


@pytest.mark.parametrize(
    ("algorithm", "ranks", "says"),
    [
        ("flat", 4096, "16,773,120 messages are too many to rank; time all-reduce flat"),
        ("two-shot", 2048, "8,384,512 messages"),
        ("bcube", 4096, "33,546,240 chunks in 98,304 messages"),
        ("double-binary-tree", 4096, "128 chunks, to find the best number, are too many"),
        ("rabenseifner", 100_000, "13,107,068,928 chunks in 2,166,080 messages are too many to r"),
    ],
)
def test_what_is_too_much_says_how_much(algorithm, ranks, says):
    with pytest.raises(BadInput, match="too many to rank") as problem:
        check_amount(find_row("all_reduce", algorithm), ranks)
    assert says in str(problem.value)
    assert ("times it alone" in str(problem.value)) == (algorithm != "rabenseifner")


@pytest.mark.parametrize("ranks", [128, 1024])
def test_on_up_to_1024_ranks_nothing_is_too_much(ranks):
    rows = [row for row in ROWS if row.collective == "all_reduce"]
    left_out = [row.algorithm for row in rows if not fits(row, ranks)]
    assert left_out == ["short-rank"]  # for which each rank cuts the vector further


def test_what_is_left_out_is_not_made(monkeypatch):
    def refuse(row, ranks, *more):
        assert row.algorithm != "flat"
        return sized(row, ranks, *more)

    monkeypatch.setattr("collectives.cost.choose.ranking.sized", refuse)
    ranking = rank_algorithms("all-reduce", 16, 100, on("crossbar"), most_messages=200)
    assert "240 messages" in {row.algorithm: why for row, why in ranking.left_out}["flat"]


def test_where_nothing_is_left_the_most_ranks_are_named():
    with pytest.raises(BadInput, match=r"-n 100000: each all-to-all .* try: -n 2048"):
        rank_algorithms("all-to-all", 100_000, 10**6, on("crossbar"))
    rows = [row for row in ROWS if row.collective == "all_to_all"]
    assert any(fits(row, 2048) for row in rows) and not any(fits(row, 2049) for row in rows)
