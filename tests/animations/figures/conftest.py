"""What every figure must be: legible, and within its page."""

from itertools import combinations

import pytest

pytest.importorskip("matplotlib")

from matplotlib.text import Text
from settings import THOROUGH

from animations.drawing.theme import DARK, LIGHT
from animations.figures.slide import DPI, PIXELS

SMALLEST = 11.0  # points on a page of 13.3 inches
FREE = 6  # pixels from the edge
BETWEEN = 5  # pixels from one text to the next in a line


@pytest.fixture(
    params=[DARK, LIGHT] if THOROUGH else [LIGHT], ids=lambda it: "dark" if it == DARK else "light"
)
def theme(request):
    """Each of the two themes; `make test` draws most figures in one, see `in_themes`."""
    return request.param


@pytest.fixture
def legible(monkeypatch):
    """Draw a page; its texts must be on it, apart, and large enough. Returns them."""

    def check(page):
        drawn = []
        draw = Text.draw

        def watched(text, renderer, *rest, **more):
            if text.get_visible() and text.get_text().strip():
                drawn.append((text, text.get_window_extent(renderer)))
            return draw(text, renderer, *rest, **more)

        with monkeypatch.context() as patch:
            patch.setattr(Text, "draw", watched)
            page.canvas.draw()
        assert page.dpi == DPI
        assert tuple(round(side) for side in page.get_size_inches() * DPI) == PIXELS
        for text, box in drawn:
            told = text.get_text()
            assert text.get_fontsize() >= SMALLEST, told
            assert "\\" not in told, told  # a letter that no font has
            assert box.x0 >= FREE and box.y0 >= FREE, told
            assert box.x1 <= PIXELS[0] - FREE and box.y1 <= PIXELS[1] - FREE, told
        for (one, a), (other, b) in combinations(drawn, 2):
            wide = min(a.x1, b.x1) - max(a.x0, b.x0)
            high = min(a.y1, b.y1) - max(a.y0, b.y0)
            in_line = high > min(a.height, b.height) / 2
            assert wide <= (-BETWEEN if in_line else 1) or high <= 1, (
                one.get_text(),
                other.get_text(),
            )
        return [text.get_text().replace("\N{NO-BREAK SPACE}", " ") for text, _ in drawn]

    return check


@pytest.fixture
def lines():
    """The lines of a page with this gid, as lists of their x and y."""

    def found(page, gid):
        every = [line for axes in page.axes for line in axes.lines if line.get_gid() == gid]
        return [(list(line.get_xdata()), list(line.get_ydata())) for line in every]

    return found
