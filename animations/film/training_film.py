"""Renders the film of a training scheme; Manim is imported only then."""

from __future__ import annotations

from pathlib import Path

from animations.drawing.theme import THEMES
from animations.score.training import training_score
from animations.story.training import training_story
from collectives.errors import NotInstalled
from collectives.files import check_suffix
from collectives.training.pairs import training_pair
from collectives.values import one_of


def training_film(
    scheme: str, path: str | Path, *, quality: str = "m", theme: str = "dark", language: str = "en"
) -> Path:
    """Render a training step without and with a scheme, one below the other; needs Manim.

    Lanes of compute and network fill in modeled time. Each network bar is an executed, proved
    collective, timed on the machine; the first of each kind is shown step by step.

    Parameters
    ----------
    scheme : str
        "ddp", "accumulation", "zero-1", "zero-2", "zero-3", "fsdp", "tensor", "sequence",
        "ulysses", "pipeline", "1f1b", "expert" or "gathered".
    path : str or Path
        Ends in .mp4 (subtitles go beside it), .gif, or .png for the last picture alone.
    quality : str
        "l" (480p), "m" (720p), "h" (1080p), "p" (1440p) or "k" (2160p).
    theme : str
        "dark" or "light".
    language : str
        "en" or "es".

    Returns
    -------
    Path
        The file.

    Raises
    ------
    BadInput
        For an unknown scheme, quality, theme or language, and a path that cannot be written.
    NotInstalled
        Without Manim.

    Examples
    --------
    >>> training_film("zero-4", "zero.mp4")
    Traceback (most recent call last):
    collectives.errors.BadInput: unknown scheme 'zero-4'; did you mean zero-3?
    """
    target = check_suffix(path, (".mp4", ".gif", ".png"), "a film")
    colors = THEMES[one_of("theme", theme, THEMES)]
    story = training_story(training_pair(scheme), language)
    try:
        from animations.film.film import render
    except ImportError as problem:
        raise NotInstalled(f"a film needs Manim ({problem})", "video") from None
    return render(training_score(story), target, quality, lambda done, total: None, colors)
