"""Formulas: terms that can be lit by themselves, drawn alike by Typst and as text."""

import multiprocessing
import re

import numpy as np
import pytest

pytest.importorskip("typst")

from animations.drawing import typesetting
from animations.drawing.drawing import in_theme
from animations.drawing.formula import formula
from animations.drawing.render.outlines import outlines
from animations.drawing.render.svg import svg
from animations.drawing.theme import DARK

RING = "«2|2» frac(«1|N - 1», «3|N») «3|S»"


def lit(term):
    return "now" if term == 1 else "ink"


def test_each_term_has_its_glyphs_and_its_place():
    ring = formula(RING)
    drawn = ring.drawn(100, 200, 50, lit)
    assert [part[0] for part in ring.parts].count(1) == 3, "N, the sign and 1"
    assert [area.color for area in drawn.areas].count("now") == 3
    two, above, below = (ring.box(term, 100, 200, 50) for term in (2, 1, 3))
    assert two.right <= above.left and above.bottom < below.bottom
    every = np.concatenate([np.array(area.points) for area in drawn.areas])
    assert every[:, 0].min() == pytest.approx(100)
    assert np.ptp(every, axis=0) == pytest.approx([50 * ring.width, 50 * ring.height])


def test_marks_change_no_place():
    plain = formula("2 frac(N - 1, N) S")
    for (_, one, _), (_, two, _) in zip(formula(RING).parts, plain.parts, strict=True):
        assert np.allclose(one, two)


def test_a_term_without_a_tone_is_left_out():
    assert len(formula(RING).drawn(0, 0, 50, lambda term: "now" * (term == 1)).areas) == 3


def test_a_fork_of_a_process_that_has_set_formulas_sets_more():
    """As the workers do that draw films; Typst's own threads would be missing there."""
    assert formula("a + b").width > 0
    answers = multiprocessing.get_context("fork").SimpleQueue()
    child = multiprocessing.get_context("fork").Process(
        target=lambda: answers.put(formula.__wrapped__("c + d").width)
    )
    child.start()
    child.join(60)
    waits = child.is_alive()
    child.kill()
    assert not waits
    assert answers.get() > 0


def test_what_typst_refuses_is_an_error_and_the_next_one_is_set():
    with pytest.raises(RuntimeError, match="does not set"):
        typesetting.pages("$ frac( $")
    assert typesetting.pages("$ a $")


def test_where_typst_is_missing_a_formula_is_text(monkeypatch):
    monkeypatch.setattr(typesetting, "is_there", lambda: False)
    text = formula.__wrapped__(RING)
    lines = text.drawn(0, 0, 50, lit).lines
    assert "".join(line.text for line in lines) == "2(N − 1)/NS"
    assert [line.text for line in lines if line.color == "now"] == ["N − 1"]
    assert lines[0].x < lines[1].x < lines[2].x
    assert text.box(1, 0, 0, 50).width > 10


def test_cairo_and_a_page_draw_the_same_curves():
    shapes = list(in_theme(formula(RING).drawn(10, 40, 50, lit).shapes, DARK))
    drawn = np.concatenate([outline.points for outline in outlines(shapes)])
    text = svg(shapes, (200, 100), "formula", DARK.background)
    ends = [curve.split()[-2:] for curve in re.findall(r"C([-\d. ]+)", text)]
    assert np.allclose(np.array(ends, float), drawn[3::4], atol=0.006)
    assert text.count('data-part="term-1"') == 3
