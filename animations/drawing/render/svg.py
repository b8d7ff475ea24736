"""Shapes as an SVG: boxes, curves, and lines of text, which stay text."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

from animations.drawing.curves import head, sampled
from animations.drawing.shapes import Area, ColoredBox, Shape, Stroke, TextLine

FONTS = {"sans": "system-ui, sans-serif", "bold": "system-ui, sans-serif", "mono": "monospace"}
ANCHORS = {"left": "start", "center": "middle", "right": "end"}
Look = dict[str, object]  # the attributes of an element
CURVES = {2: "L", 3: "Q", 4: "C"}  # the letter of a curve by its number of points


def svg(shapes: Iterable[Shape], size: tuple[int, int], title: str, background: str) -> str:
    """Shapes in drawing order as an SVG element; names of shapes are their data-part."""
    width, height = size
    style = f"display: block; width: 100%; max-width: {width}px; background: {background}"
    look: Look = {"xmlns": "http://www.w3.org/2000/svg", "viewBox": f"0 0 {width} {height}"}
    look |= {"role": "img", "aria-label": title, "style": f"{style}; border-radius: 8px"}
    return _tag("svg", look, "".join(map(_element, shapes)))


def _element(shape: Shape) -> str:
    if isinstance(shape, TextLine):
        look: Look = {"x": shape.x, "y": shape.baseline, "text-anchor": ANCHORS[shape.align]}
        look |= {"font-size": shape.size, "font-family": FONTS[shape.face], "fill": shape.color}
        look |= {"font-weight": 600} if shape.face == "bold" else {}
        return _tag("text", look, escape(shape.text))
    look = {"data-part": shape.name} if shape.name else {}
    if isinstance(shape, ColoredBox):
        box = shape.box
        look |= {"x": box.left, "y": box.top, "width": box.width, "height": box.height}
        look |= {"rx": shape.radius, "fill": shape.color or "none"}
        look |= {"stroke": shape.edge, "stroke-width": shape.width} if shape.edge else {}
        look |= {"opacity": shape.opacity} if shape.opacity < 1 else {}
        return _tag("rect", look)
    return _area(shape, look) if isinstance(shape, Area) else _line(shape, look)


def _area(shape: Area, look: Look) -> str:
    """Closed curves, each part from where the one before does not end."""
    steps, here = list[str](), None
    for place in range(0, len(shape.points), 4):
        first, *curve = shape.points[place : place + 4]
        if first != here:
            steps.append(f"M{first[0]:.2f} {first[1]:.2f}")
        steps.append("C" + " ".join(f"{x:.2f} {y:.2f}" for x, y in curve))
        here = curve[-1]
    return _tag("path", look | {"d": "".join(steps), "fill": shape.color})


def _line(shape: Stroke, look: Look) -> str:
    """A curve, and a triangle for its arrow."""
    along = sampled(shape.points)
    points = shape.points if len(shape.points) in CURVES else along.tolist()
    start, *rest = (f"{x:.1f} {y:.1f}" for x, y in points)
    look |= {"d": f"M{start}{CURVES.get(len(points), 'L')}{' '.join(rest)}", "fill": "none"}
    look |= {"stroke": shape.color, "stroke-width": shape.width}
    if shape.dashes:
        look["stroke-dasharray"] = " ".join(f"{shape.width * part:g}" for part in shape.dashes)
    if not shape.arrow:
        return _tag("path", look)
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in head(along, shape.width)[::4].tolist())
    return _tag("path", look) + _tag("polygon", {"points": corners, "fill": shape.color})


def _tag(name: str, look: Look, content: str = "") -> str:
    """An element; numbers to two digits."""
    listed = "".join(f' {key}="{_value(value)}"' for key, value in look.items())
    return f"<{name}{listed}>{content}</{name}>"


def _value(value: object) -> str:
    return f"{round(value, 2):g}" if isinstance(value, float) else escape(str(value))
