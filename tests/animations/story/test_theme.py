"""Inks can be read on what they stand on, in both themes (WCAG AA)."""

import pytest

from animations.story.theme import THEMES


def luminance(color):
    parts = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(a, b):
    dark, light = sorted((luminance(a), luminance(b)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("ink", ["ink", "faint", "now", "local"])
@pytest.mark.parametrize("name", THEMES)
def test_inks_are_read_on_page_and_panel(name, ink):
    theme = THEMES[name]
    assert contrast(getattr(theme, ink), theme.background) >= 4.5
    assert contrast(getattr(theme, ink), theme.panel) >= 4.5


@pytest.mark.parametrize("name", THEMES)
def test_the_current_line_is_read_on_its_band(name):
    theme = THEMES[name]
    assert contrast(theme.now, theme.now_band) >= 4.5
    assert contrast(theme.now_ink, theme.now) >= 4.5
