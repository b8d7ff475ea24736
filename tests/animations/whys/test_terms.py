"""Terms of a formula are lit from where they are counted, not only at the end of the sentence."""

import pytest

pytest.importorskip("cairo")
pytest.importorskip("typst")

from animations.drawing.sheet import FILM
from animations.score.price import price_of
from animations.story.usual import usual_board
from animations.whys.cost_bars import BYTES, STARTS
from collectives import record

BEGUN = 0.02  # of a sentence


def board_of(collective, algorithm, ranks):
    return usual_board(record(collective, algorithm, ranks=ranks), sheet=FILM)


def lit(page, item, time):
    golden = {area.name for area in page.at(item, time).areas if area.color == "now"}
    return {name for name in golden if name.startswith("term-")} - {"term-0"}


@pytest.mark.parametrize(
    ("collective", "algorithm", "ranks", "counted"),
    [
        ("all_reduce", "ring", 8, {"term-1", "term-2", "term-3"}),
        ("all_reduce", "tree", 8, {"term-1"}),
        ("all_reduce", "recursive_doubling", 8, {"term-1"}),
        ("broadcast", "ring", 8, {"term-1", "term-2"}),
        ("all_to_all", "pairwise", 6, {"term-1", "term-2"}),
    ],
)
def test_a_term_is_lit_when_the_sentence_that_counts_it_begins(
    collective, algorithm, ranks, counted
):
    every = set()
    for why in board_of(collective, algorithm, ranks).whys:
        for item in range(1, why.items + 1):
            assert lit(why, item, BEGUN) >= lit(why, item, 1.0)
            every |= lit(why, item, 1.0)
    assert every == counted


def test_a_sum_is_lit_term_by_term_with_what_it_adds():
    (why,) = board_of("all_reduce", "rabenseifner", 8).whys
    shown = [lit(why, why.need + 1, time) for time in (BEGUN, 0.35, 0.65)]
    assert shown == [{"term-1"}, {"term-1", "term-2"}, {"term-1", "term-2", "term-3"}]
    assert lit(why, why.need + 2, BEGUN) == shown[-1] and lit(why, why.need + 2, 1.0) == {"term-1"}


def test_a_price_lights_the_term_of_what_flies_into_its_bar():
    price = price_of(board_of("all_reduce", "ring", 8))
    assert price.kinds[:2] == (STARTS, BYTES)
    assert lit(price.page, 1, BEGUN) == lit(price.page, 1, 1.0) == {"term-1"}
    assert lit(price.page, 2, BEGUN) == {"term-1", "term-2"}
