"""What all kinds of figures share on the command line: the file, its options and its name."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import Any

import click

from collectives.choices import THEMES
from collectives.cli import options as opt
from collectives.errors import WrongSchedule, imported

FILE = opt.file("a figure", ".svg", ".png", ".pdf")
LIGHT_THEME = opt.option(
    "--theme", opt.one_of(THEMES), "light|dark", "Default light.", default="light"
)
TRANSPARENT = click.option("--transparent", is_flag=True, help="Transparent background.")
OUTPUT = opt.option("-o", FILE, "FILE", "Default file: ./KIND-NAME.svg.", to="output")
Drawing = tuple[Callable[..., Any], tuple[Any, ...], str]  # how, of what data, and a name


def drawn(verb: Callable[..., Drawing], printed: bool = False) -> Any:
    """Write the figure of a kind and print its path; raises NotInstalled without matplotlib.

    printed: it is for paper, light unless told otherwise, with text that can be selected.
    """

    @wraps(verb)
    def call(output: str | None, theme: str, transparent: bool, **options: Any) -> None:
        imported("matplotlib", "a figure needs matplotlib", "figure")
        draw, (data, *more), name = verb(**options)
        from animations.drawing.theme import THEMES
        from animations.figures.slide import clear_background, save
        from collectives.files import check_writable
        from collectives.proof.prove import refuse_wrong, verdict_on

        path = output or f"{click.get_current_context().info_name}-{name}.svg"
        check_writable(path)
        page = draw(data, THEMES[theme], *more)
        if transparent:
            clear_background(page)
        save(page, path, text=printed)
        print(path)
        if hasattr(data, "wrong"):  # a storyboard, which has its verdict
            if data.wrong:
                raise WrongSchedule(data.wrong.text)
            return
        recording = getattr(getattr(data, "timing", data), "recording", None)
        if recording is not None:
            refuse_wrong(verdict_on(recording))

    return opt.together(OUTPUT, LIGHT_THEME if printed else opt.THEME, TRANSPARENT)(call)


def plain(name: str) -> str:
    """A name as a part of a file's: letters, digits and hyphens, without folders and suffix."""
    from collectives.files import plain_name

    last = re.split(r"[/\\]", name)[-1].removesuffix(".toml")
    return plain_name(last)[:60] or "machine"
