"""A formula stands beside a count only where its value is that count."""

from fractions import Fraction

import pytest
from samples import of_count, pairs, title

from animations.story.compose import proved_storyboard
from collectives import ROWS, record

EVERY = pairs((2, 3, 5, 8, 16), 1)


def values(recording):
    """The letters and parameters by their names."""
    ranks, power = recording.ranks, 1 << (recording.ranks.bit_length() - 1)
    return {
        **{"min": min, "max": max, "abs": abs},
        **{name: Fraction(value) for name, value in recording.parameters.items()},
        "N": Fraction(ranks),
        "S": Fraction(recording.count * recording.dtype.itemsize),
        "C": (ranks - 1).bit_length(),
        "L": ranks.bit_length() - 1,
        "P": power,
    }


@pytest.mark.parametrize(("row", "ranks"), EVERY, ids=title)
def test_the_value_of_a_formula_is_the_count_beside_it(row, ranks):
    for count in (None, 3 * ranks + 1, 7):
        given = {} if count is None else of_count(row, count)
        recording = record(row.collective, row.algorithm, ranks=ranks, **given)
        board = proved_storyboard(recording)
        for formula, counter in zip(board.textbook.formulas, board.counters[:2], strict=True):
            if formula:
                assert eval(formula, values(recording)) == counter.values[-1], (formula, count)
        if not recording.case.even:
            assert "/N" not in board.textbook.formulas[1], "chunks differ"
        if board.textbook.as_computed:
            counts = recording.counters.steps, max(recording.bytes_sent[:ranks])
            for formula, count in zip(row.form.text[::2], counts, strict=True):
                letters = {letter.symbol for letter in row.form.letters(formula)}
                if letters <= set(values(recording)) and row.collective != "barrier":
                    assert eval(formula, values(recording)) == count


def test_uneven_counts_show_no_formula_that_divides():
    even = proved_storyboard(record("all_reduce", "ring", ranks=4, count=16))
    assert even.textbook.formulas == ("2*(N-1)", "2*(N-1)/N*S")
    assert even.textbook.as_computed
    uneven = proved_storyboard(record("all_reduce", "ring", ranks=4, count=17))
    assert uneven.textbook.formulas == ("2*(N-1)", "")
    assert not uneven.textbook.as_computed


def test_counts_equal_the_closed_forms_only_where_some_are_shown():
    """A card that shows none must not speak of them."""
    for row in ROWS:
        for ranks in (4, 8):
            if row.accepts(ranks):
                board = proved_storyboard(record(row.collective, row.algorithm, ranks=ranks))
                assert any(board.textbook.formulas) or not board.textbook.as_computed, (
                    row.title,
                    ranks,
                )
