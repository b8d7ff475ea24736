"""Letters that no font has are numbers in pictures, and an installed font with them is used."""

import io
import json
import os
import subprocess
import sys
import warnings

import pytest

pytest.importorskip("cairo")
pytest.importorskip("matplotlib")

from matplotlib.font_manager import findfont

from animations.drawing import fonts
from animations.drawing.glyphs import text_points, text_width
from animations.drawing.theme import DARK
from animations.figures.slide import PIXELS, extent, slide, wrapped
from collectives import progress

LACKING = "\U00020089"  # a rare Chinese letter
PROBE = """
import json, sys
from animations.drawing.glyphs import text_width
from animations.figures.slide import slide
from animations.drawing.theme import DARK
print(json.dumps([text_width(sys.argv[1], 1000), slide(sys.argv[1], "", DARK).texts[0].get_text()]))
"""


@pytest.fixture
def announced(monkeypatch):
    """What users are told; nothing has been yet."""
    said = []
    monkeypatch.setattr(fonts, "_announced", [])
    monkeypatch.setattr(progress, "announced", [said.append])
    return said


def test_letters_that_no_font_has_are_numbers_in_films(announced):
    assert text_width(f"a{LACKING}", 10) == text_width(r"a\U00020089", 10)
    points = text_points(f"a{LACKING}b", 0, 0, 10)
    assert points.tolist() == text_points(r"a\U00020089b", 0, 0, 10).tolist()
    assert len(announced) == 1 and LACKING in announced[0] and announced[0].isprintable()


def test_letters_that_no_font_has_are_numbers_in_figures(announced):
    page = slide(f"A {LACKING} title", f"Small {LACKING * 3} print", DARK)
    assert page.texts[0].get_text() == r"A \U00020089 title"
    with warnings.catch_warnings(action="error"):
        page.savefig(io.BytesIO(), format="svg")
    assert len(announced) == 1


def test_line_breaks_need_no_font(announced):
    page = slide("title", "small", DARK)
    assert wrapped(page, "latency 500 ns\n8 × rank ↔ switch", 0.5, 25).count("\n") == 1
    assert not announced


def test_words_of_figures_are_cut_at_the_edge(announced):
    page = slide("title", "small", DARK)
    lines = wrapped(page, f"short {'w' * 5000} short", 0.5, 25).split("\n")
    assert [lines[0], lines[-1]] == ["short", "short"] and lines[1].endswith("…")
    assert all(extent(page, line, 25)[0] <= 0.5 * PIXELS[0] for line in lines)
    assert extent(page, lines[1], 25)[0] > 0.45 * PIXELS[0] and not announced


def test_an_installed_font_with_a_letter_is_used(tmp_path):
    """A font of another name, here DejaVu Sans with one more letter, stands in."""
    from fontTools.ttLib import TTFont

    font = TTFont(findfont("DejaVu Sans"))
    for table in font["cmap"].tables:
        if table.format == 12:
            table.cmap[ord(LACKING)] = "W"
    for record in font["name"].names:
        if record.nameID in (1, 3, 4, 6, 16):
            record.string = "Symbola"
    folder = tmp_path / "share" / "fonts"
    folder.mkdir(parents=True)
    font.save(folder / "Symbola.ttf")
    places = {"XDG_DATA_HOME": str(tmp_path / "share"), "XDG_CACHE_HOME": str(tmp_path)}
    places |= {"MPLCONFIGDIR": str(tmp_path), "HOME": str(tmp_path)}
    line = [sys.executable, "-c", PROBE, LACKING]
    ended = subprocess.run(line, env=os.environ | places, capture_output=True, text=True)
    width, title = json.loads(ended.stdout)
    assert title == LACKING and ended.stderr == ""
    assert width == pytest.approx(text_width("W", 1000), rel=0.01)
