"""Renders films one after the other, with one display of progress on stderr for all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from collectives.cli.waiting import ended
from collectives.errors import imported
from collectives.progress import under_way

if TYPE_CHECKING:
    from animations.score.score import Score

Render = Callable[["Score", str], Path]


def check_manim() -> None:
    """Raise NotInstalled unless films can be rendered."""
    imported("animations.film.film", "a film needs Manim", "video")


@contextmanager
def rendering(
    quality: str, theme: str, films: int = 1, slides: bool = False, **options: Any
) -> Iterator[Render]:
    """A function that renders the next of so many films; see `animations.film.film.render`.

    slides: folders instead; see `animations.film.slides.render_slides`.

    Raises NotInstalled without Manim.
    """
    check_manim()
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn

    from animations.drawing.theme import THEMES
    from animations.film.film import render
    from animations.film.slides import render_slides

    console = Console(stderr=True)
    silent = not console.is_terminal
    if not silent:
        ended.set()  # the bar tells it better
    columns = BarColumn(12), TextColumn("{task.description}")
    with Progress(*columns, console=console, transient=True, disable=silent) as bar:
        task, begun = bar.add_task("", total=films), 0

        def render_next(score: Score, path: str) -> Path:
            nonlocal begun
            before, begun = begun, begun + 1
            title = Path(path).name + (f" ({begun} of {films})" if films > 1 else "")
            bar.update(task, description=title)
            how = render_slides if slides else render
            with under_way(title, unit="frames") as state:

                def report(done: int, total: int) -> None:
                    state.total = total
                    state.reach(done)
                    text = f"{title}: {state.text}"
                    bar.update(task, completed=before + done / total, description=text)

                return how(score, path, quality, report, THEMES[theme], **options)

        yield render_next
