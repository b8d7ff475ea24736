"""Figures are written as every kind of file, whole or not at all, and the same each time."""

import io

import pytest

from animations.drawing.theme import DARK, THEMES
from animations.figures.label_placement import spread
from animations.figures.slide import PIXELS, add_axes, room, save, slide, wrapped
from animations.figures.traffic import draw, traffic
from collectives import record
from collectives.errors import BadInput

HEADS = {".svg": b"<?xml", ".png": b"\x89PNG", ".pdf": b"%PDF"}


def page(theme=DARK):
    return draw(traffic(record("all_reduce", "ring", ranks=4)), theme)


@pytest.mark.parametrize("suffix", HEADS)
@pytest.mark.parametrize("name", THEMES)
def test_a_figure_is_a_file_of_each_kind(suffix, name, tmp_path):
    path = tmp_path / f"figure{suffix}"
    save(page(THEMES[name]), path)
    content = path.read_bytes()
    assert content.startswith(HEADS[suffix]) and len(content) > 5000
    assert suffix != ".svg" or b"each rank sends to 1 other</dc:title>" in content
    save(page(THEMES[name]), tmp_path / f"again{suffix}")
    assert (tmp_path / f"again{suffix}").read_bytes() == content
    assert sorted(file.name for file in tmp_path.iterdir()) == [f"again{suffix}", path.name]


def test_a_png_has_the_pixels_of_a_screen_and_the_colors_of_the_theme(tmp_path):
    from matplotlib.image import imread

    for name, theme in THEMES.items():
        save(page(theme), tmp_path / f"{name}.png")
        pixels = imread(tmp_path / f"{name}.png")
        assert pixels.shape[:2] == PIXELS[::-1]
        corner = tuple(round(255 * part) for part in pixels[5, 5, :3])
        assert "#%02x%02x%02x" % corner == theme.background  # noqa: UP031


def test_what_fails_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "figure.svg"
    path.write_text("old")
    made = page()
    monkeypatch.setattr(made, "savefig", lambda file, **more: file.write(b"half") and 1 / 0)
    with pytest.raises(ZeroDivisionError):
        save(made, path)
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]
    with pytest.raises(BadInput, match="there is no folder"):
        save(made, tmp_path / "no" / "figure.svg")


def test_texts_in_a_vector_file_are_where_they_are_in_pixels():
    """A file of 72 dots per inch must not move what was placed in pixels of 144."""
    made = slide("title", "small", DARK)
    made.text(0.5, 0.5, "here", fontsize=20)
    before = made.texts[-1].get_window_extent().x0 / made.bbox.width
    made.savefig(io.BytesIO(), format="svg", dpi=144)
    assert made.texts[-1].get_window_extent().x0 / made.bbox.width == before


def test_long_words_are_broken_but_numbers_keep_their_units(legible):
    made = slide("Very long " * 12 + "12 µs", "small print " * 60, DARK)
    bottom, top = room(made)
    assert 0 < bottom < top < 1
    add_axes(made, DARK, "time", "size")
    legible(made)
    text = wrapped(made, "on 977 KiB of 64 ranks", 0.1, 20)
    assert text.split("\n") == ["on", "977\N{NO-BREAK SPACE}KiB", "of", "64\N{NO-BREAK SPACE}ranks"]


def test_labels_are_spread_as_little_as_needed():
    assert spread([10.0, 50.0], [4, 4], 0, 60) == [10.0, 50.0]
    found = spread([5.0, 5.0, 5.0, 58.0], [10, 10, 10, 10], 0, 60)
    assert found == [5.0, 15.0, 25.0, 55.0]
