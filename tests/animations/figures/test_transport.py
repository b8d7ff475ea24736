"""The ways of data: what a path passes is lit, in the order it says, and all of it is legible."""

from itertools import combinations

from each import each

from animations.drawing.glyphs import text_width
from animations.figures.transport import ROOMS, draw
from animations.pictures.transport_picture import SMALLEST, TransportPicture
from collectives.cost.data_ways import LAYOUTS, PICTURES, TRANSPORTS, transport
from collectives.units import time_text

WAYS = [way for one in TRANSPORTS.values() for way in one.ways]


@each("name", PICTURES, few=8)
def test_a_picture_is_legible(name, theme, legible):
    texts = legible(draw(name, theme))
    assert len(texts) > 10


@each("way", WAYS, lambda way: way.name)
def test_the_path_is_lit_and_nothing_else(way):
    drawing = TransportPicture(way, ROOMS[0]).drawing()
    lit = {f"part-{part}" for path in way.paths for part in path.split()}
    assert {box.name for box in drawing.boxes if box.color != "panel"} == lit
    arrows = [stroke.name for stroke in drawing.strokes if stroke.arrow]
    hops = [f"link-{one}-{other}" for hops in way.hops for one, other in hops]
    assert arrows == list(dict.fromkeys(hops))


@each("way", WAYS, lambda way: way.name)
def test_each_hop_of_a_path_has_a_link_below_it(way):
    strokes = TransportPicture(way, ROOMS[0]).drawing().strokes
    links = {frozenset(stroke.name.split("-")[1:]) for stroke in strokes if not stroke.arrow}
    assert {frozenset(hop) for hops in way.hops for hop in hops} <= links


@each("way", WAYS, lambda way: way.name)
def test_parts_are_apart_and_hold_their_names(way):
    picture = TransportPicture(way, ROOMS[0])
    for one, other in combinations(picture.parts.values(), 2):
        assert not one.overlaps(other)
    for line, box in zip(picture.drawing().lines, picture.parts.values(), strict=True):
        assert line.size >= SMALLEST
        assert text_width(line.text, line.size) < box.width


def test_times_are_those_of_the_size(theme, legible):
    texts = legible(draw("net", theme, 64 << 20))
    for way in transport("net").ways:
        assert any(text.endswith(f"64 MiB in {time_text(way.seconds(64 << 20))}") for text in texts)


def test_what_is_not_modeled_has_no_time(theme, legible):
    texts = legible(draw("pxn", theme))
    assert sum("1 MiB in" in text for text in texts) == 1
    assert "more than 3 µs: CPU link not modeled" in texts


def test_buffers_are_data_by_their_share(theme):
    page = draw("ll", theme)
    for axes, layout in zip(page.axes, LAYOUTS.values(), strict=True):
        boxes = [patch for patch in axes.patches if patch.get_facecolor()[3]]
        widths = [box.get_path().get_extents().width for box in boxes]
        tones = [box.get_facecolor() for box in boxes]
        data = sum(w for w, tone in zip(widths, tones, strict=True) if tone == tones[0])
        assert layout.flag == 0 or abs(data / sum(widths) - layout.share) < 0.01
