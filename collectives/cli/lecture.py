"""Does what `lecture` is asked for: the films of the course, each with its checks."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from collectives.cli.console import say, say_lines
from collectives.cli.rendering import Render, check_manim, rendering
from collectives.cli.video import AUTO, check_voice, in_voice
from collectives.errors import BadInput, imported
from collectives.files import check_suffix, check_writable
from collectives.progress import under_way
from collectives.text_lines import Grid
from collectives.words import quoted

if TYPE_CHECKING:
    from animations.course.lecture import Lecture

FILM = "film"
OF_FILMS = ("quality", "theme", "voice")
THEMED = ("slides", "page")  # papers that may have a theme
FOLDER = "lectures"  # in this folder, of all films


def make_lectures(
    name: str | None,
    every: bool,
    language: str,
    quality: str,
    theme: str,
    voice: str | None,
    output: str | None,
    form: str = FILM,
    seed: int = 0,
) -> None:
    """`collectives lecture`: list the lectures, or render one or all; print the paths last."""
    if name is None and not every:
        _refuse_options()
        _check_drawing()
        _show_list()
        return
    if name is not None and every:
        raise BadInput(f"--all {name}: --all renders every lecture; try: {name} alone")
    if form != FILM:
        _make_papers(form, name, language, seed, theme, output)
        return
    if seed:
        raise BadInput(f"--seed {seed}: a film has no exercises; try: --format quiz --seed {seed}")
    if output is not None:
        _check_output(output, every)
    if voice is not None and every and voice != AUTO:
        raise BadInput(f"--voice {quoted(voice)}: is of one lecture; try: --all --voice {AUTO}")
    check_manim()
    from animations.course.lecture import lectures
    from animations.course.lecture_file import find_or_read

    chosen = [find_or_read(name)] if name is not None else list(lectures().values())
    from animations.drawing.glyphs import check_letters

    check_letters(language)
    paths = _paths(chosen, every, language, output)
    check_voice(voice, Path(paths[0]))
    with rendering(quality, theme, len(chosen)) as render:
        for lecture, path in zip(chosen, paths, strict=True):
            _make(lecture, path, language, theme, voice, render)


def _check_drawing() -> None:
    """Raise NotInstalled unless pictures of lectures can be drawn, which takes no Manim."""
    for module in ("cairo", "PIL"):
        imported(module, "a lecture's pictures need pycairo and Pillow", "video")


def _make_papers(
    form: str, name: str | None, language: str, seed: int, theme: str, output: str | None
) -> None:
    """Write papers in place of films; raises BadInput for options of films."""
    context = click.get_current_context()
    chosen_theme = ""
    for option in context.command.params:
        source = context.get_parameter_source(str(option.name))
        if option.name not in OF_FILMS or source is not click.core.ParameterSource.COMMANDLINE:
            continue
        if option.name != "theme" or form not in THEMED:
            raise BadInput(f"{option.opts[0]}: is of films; leave it out with --format {form}")
        chosen_theme = theme
    _check_drawing()
    from animations.course.lecture import lectures
    from animations.course.lecture_file import find_or_read
    from collectives.cli.lecture_papers import PaperRequest, make_papers

    chosen = [find_or_read(name)] if name is not None else list(lectures().values())
    with under_way(f"writing a {form}"):
        make_papers(form, chosen, PaperRequest(language, seed, chosen_theme), output)


def file_name(lecture: Lecture, language: str) -> str:
    """The file of a lecture's film: lecture-2-ring.mp4, in Spanish lecture-2-ring-es.mp4."""
    suffix = "" if language == "en" else f"-{language}"
    return f"lecture-{lecture.number}-{lecture.name}{suffix}.mp4"


def _refuse_options() -> None:
    """Raise BadInput for an option of films, where none is asked for."""
    context = click.get_current_context()
    for option in context.command.params:
        name = str(option.name)
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            text = f"{option.opts[0]} {context.params[name]}"
            raise BadInput(f"{text}: name a lecture; try: collectives lecture ring {text}")


def _check_output(output: str, every: bool) -> None:
    """Raise BadInput unless a film, or with --all a folder of films, can be written there."""
    folder = Path(output)
    if not every:
        check_suffix(output, (".mp4",), "a lecture", "-o")
    elif not folder.exists():
        check_writable(folder)  # its parent takes it
    elif not folder.is_dir():
        raise BadInput(f"-o {folder}: is a file; --all needs a folder; try: -o {FOLDER}")


def _paths(chosen: list[Lecture], every: bool, language: str, output: str | None) -> list[str]:
    """The file of each film, which can be written; `output` is a folder for all."""
    names = [file_name(lecture, language) for lecture in chosen]
    _check_output(output or (FOLDER if every else names[0]), every)
    if not every:
        return [output or names[0]]
    folder = Path(output or FOLDER)
    folder.mkdir(exist_ok=True)
    return [str(check_writable(folder / name)) for name in names]


def _show_list() -> None:
    """The lectures that there are."""
    from animations.course.lecture import lectures

    rows = [
        (str(lecture.number), lecture.name, lecture.title["en"]) for lecture in lectures().values()
    ]
    say_lines([Grid(rows, ("", "lecture", "title"), right=(0,))])


def _make(
    lecture: Lecture, path: str, language: str, theme: str, voice: str | None, render: Render
) -> None:
    """Render a lecture, with subtitles, contact sheet and checks; print where they are."""
    from animations.course.checks import problems, summary
    from animations.course.contact_sheet import write_contact_sheet
    from animations.course.lecture import score_of_lecture
    from animations.drawing.theme import THEMES

    with under_way(f"preparing {Path(path).name}"):
        score = score_of_lecture(lecture, language)
    with in_voice(score, voice) as spoken:
        film = render(spoken, path)
    sheet = film.with_name(f"{film.stem}-contact.png")
    with under_way(f"drawing {sheet.name}"):
        write_contact_sheet(score, sheet, THEMES[theme])
    print(f"subtitles: {film.with_suffix('.srt')}", file=sys.stderr)
    print(f"contact sheet: {sheet}", file=sys.stderr)
    print(f"checks: {summary(score, len(lecture.numbers))}", file=sys.stderr)
    for problem in problems(score, language):
        print(f"to mend: {problem}", file=sys.stderr)
    say(str(film))
