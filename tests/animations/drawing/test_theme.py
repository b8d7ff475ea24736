"""What is drawn can be read, or seen, on what it stands on, in both themes (WCAG AA)."""

from itertools import pairwise

import numpy as np
import pytest
from contrast import contrast, luminance

from animations.drawing.theme import THEMES, Theme

TEXT, MARK = 4.5, 3.0


def ratio(one: str, other: str) -> float:
    """The contrast of two colors of a theme."""
    return float(
        contrast(
            *(luminance([int(c[i : i + 2], 16) / 255 for i in (1, 3, 5)]) for c in (one, other))
        )
    )


@pytest.fixture(params=THEMES)
def theme(request: pytest.FixtureRequest) -> Theme:
    return THEMES[request.param]


def below(least: float, colors: dict[str, str], *grounds: str) -> list[tuple[str, str, float]]:
    """The colors that have less contrast than that on one of the grounds."""
    return [
        (name, ground, round(ratio(color, ground), 2))
        for name, color in colors.items()
        for ground in grounds
        if ratio(color, ground) < least
    ]


def inks(theme: Theme, *names: str) -> dict[str, str]:
    return {name: theme.tone(name) for name in names}


def of_ranks(theme: Theme) -> dict[str, str]:
    return {f"rank {rank}": color for rank, color in enumerate(theme.ranks)}


def test_words_and_names_of_ranks_are_read_on_page_and_panel(theme):
    named = inks(theme, "ink", "faint", "now", "local", "wrong") | of_ranks(theme)
    assert below(TEXT, named, theme.background, theme.panel) == []
    assert below(TEXT, inks(theme, "phase 0", "phase 1"), theme.background) == []
    assert below(TEXT, inks(theme, "ink", "faint"), theme.well) == []
    assert below(TEXT, inks(theme, "now", "ink"), theme.now_band) == []


def test_digits_are_read_on_the_colors_of_ranks(theme):
    grounds = inks(theme, "now", "wrong", "phase 0", "phase 1") | of_ranks(theme)
    assert below(TEXT, grounds, theme.now_ink) == []


def test_marks_are_seen_in_their_cells(theme):
    """Also faint ones, which stand for a part of a group."""
    ranks = of_ranks(theme)
    assert below(MARK, ranks, theme.well) == []
    faded = {f"faint {name}": theme.faded(color) for name, color in ranks.items()}
    assert below(MARK, faded, theme.well) == []
    for name, color in ranks.items():
        assert ratio(color, theme.faded(color)) >= 1.5, name


def test_levels_are_seen_in_an_empty_cell_and_differ(theme):
    empty, *shades = theme.levels
    named = {f"level {number}": shade for number, shade in enumerate(shades, 1)}
    assert below(MARK, named | inks(theme, "complete"), empty, theme.well, theme.background) == []
    for one, other in pairwise(shades):
        assert ratio(one, other) >= 1.35


def test_what_moves_and_what_changes_is_seen(theme):
    moving = inks(theme, "now", "now_faint", "local")
    assert below(MARK, moving, theme.background, theme.panel, theme.well) == []
    changed = min(ratio(theme.changed, theme.levels[0]), ratio(theme.changed, theme.well))
    assert changed >= MARK


def lab(color: str) -> np.ndarray:
    """A color in the space Oklab, in which distances are as they look."""
    parts = np.array([int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)])
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return TO_LAB @ np.cbrt(TO_CONES @ linear)


TO_CONES = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
TO_LAB = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def test_what_happens_now_has_no_color_of_a_rank(theme):
    """In Oklab, where colors that are 0.06 apart can be told apart as areas."""
    away = {i: float(np.linalg.norm(lab(theme.now) - lab(hue))) for i, hue in enumerate(theme.hues)}
    assert {rank: away for rank, away in away.items() if away < 0.06} == {}
