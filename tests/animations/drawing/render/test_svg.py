"""An SVG of shapes: what is in it, and that text stays text."""

from xml.etree import ElementTree as ET

import pytest

from animations.drawing.render.svg import svg
from animations.drawing.shapes import Box, ColoredBox, Stroke, TextLine

SHAPES = [
    ColoredBox(Box(50, 40, 60, 20), "#112233", 4, "#445566", 2, 0.5, "card"),
    Stroke(((0, 0), (10, 0)), "#ffffff", 2, dashes=(3, 1.5)),
    Stroke(((0, 0), (10, 20), (20, 0)), "#ffffff", 2, name="way"),
    Stroke(((0, 50), (100, 50)), "#abcdef", 4, arrow=True),
    Stroke(tuple((x, x * x) for x in range(6)), "#ffffff", 1),
    TextLine("a < b & c", 90, 70, 20, "#eeeeee", "bold", "right"),
]


def elements():
    """The picture, and its elements in drawing order."""
    picture = ET.fromstring(svg(SHAPES, (100, 80), 'said "twice" & more', "#000000"))
    return picture, [(each.tag.rpartition("}")[2], each) for each in picture]


def test_shapes_are_elements_in_drawing_order():
    picture, found = elements()
    assert (picture.get("viewBox"), picture.get("aria-label")) == (
        "0 0 100 80",
        'said "twice" & more',
    )
    kinds = ["rect", "path", "path", "path", "polygon", "path", "text"]
    assert [kind for kind, _ in found] == kinds
    box = dict(found[0][1].items())
    assert [float(box[key]) for key in ("x", "y", "width", "height", "rx")] == [20, 30, 60, 20, 4]
    assert (box["stroke"], box["stroke-width"], box["opacity"]) == ("#445566", "2", "0.5")
    assert (box["data-part"], found[2][1].get("data-part")) == ("card", "way")


def test_text_stays_text():
    text = elements()[1][-1][1]
    assert text.text == "a < b & c"
    assert (text.get("text-anchor"), text.get("font-weight"), text.get("x")) == ("end", "600", "90")


def test_curves_keep_their_points_dashes_and_heads():
    paths = [each for kind, each in elements()[1] if kind == "path"]
    assert paths[0].get("stroke-dasharray") == "6 3"
    assert paths[1].get("d") == "M0.0 0.0Q10.0 20.0 20.0 0.0"
    many = paths[3].get("d")
    assert many.startswith("M0.0 0.0L") and many.endswith("5.0 25.0")
    (head,) = (each for kind, each in elements()[1] if kind == "polygon")
    corners = [tuple(map(float, pair.split(","))) for pair in head.get("points").split()]
    assert corners[0] == (100, 50)
    assert max(x for x, _ in corners[1:]) == pytest.approx(100 - 2.6 * 4)
