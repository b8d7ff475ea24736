"""The verbs that draw: their options and their help; the work is done in a file of each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from collectives.cli import options as opt
from collectives.cli.runner import LaterCommands

if TYPE_CHECKING:
    from collectives.cli.subject import Subject

LECTURE_FORMS = ("film", "slides", "page", "notebook", "handout", "quiz", "guide")
PAGE = opt.file("a page", ".html")
COMPARISON = opt.file("a comparison", ".mp4", ".png", ".html")

verbs = click.Group("show")


@verbs.command()
@opt.subject()
@opt.troubled(opt.SHOWN_CLOCK)
@opt.QUALITY
@opt.option(
    "--format",
    opt.one_of(("film", "slides")),
    "film|slides",
    "film (default), or slides: one clip per step.",
    to="form",
    default="film",
)
@opt.option(
    "-o",
    opt.text("ring.mp4"),
    "FILE",
    ".mp4, .gif or .png (the result); for slides a folder.",
    to="output",
)
@opt.THEME
@opt.TRANSPARENT
@opt.STAGE
@opt.FILM_SHEET
@opt.LANGUAGE
@opt.option(
    "--seconds", opt.seconds, "60", "Target length in seconds; narration may change it a little."
)
@opt.option("--steps", opt.span, "A-B", "Only these steps, without title and end cards.")
@click.option("--sections", is_flag=True, help="Also write a folder with a film of each step.")
@opt.VOICE
@click.option(
    "--transcript", is_flag=True, help="Also write a transcript with stills, and a script."
)
@click.option("--no-cache", is_flag=True, help="Do not reuse or keep rendered parts of films.")
@opt.RENDERER
@opt.gather("cli.video", "Wanted", "wanted")
def video(subject: Subject, **options: Any) -> None:
    """Render a film of an algorithm, with subtitles beside it.

    Defaults: 64 MiB (hierarchical 8 MiB) on an hgx-h100 (a cluster above 8 ranks; Swing on a ring,
    tori on a torus); change with --size and --topology.
    With --clock it shows messages in modeled time, slow messages and late ranks too.

    --format slides writes a folder: a clip, its last frame and its words for each step, and
    index.html, a deck that stops after each step. Its keys: Space, arrows, 7 Enter, N notes,
    B black, F full screen.

    \b
    Example:
      collectives video all-reduce ring -n 4 -q l
      collectives video all-reduce ring --topology hgx-h100
      collectives video all-reduce ring --sheet tall
      collectives video all-reduce ring -n 8 --clock dataflow --late 5=60us
      collectives video all-reduce ring -n 8 --seconds 60
      collectives video all-reduce ring --voice auto
      collectives video all-reduce ring -n 8 --steps 3-5
      collectives video all-reduce ring --format slides -o ring
      collectives video all-reduce ring --language es
    """
    from collectives.cli.video import make_video

    make_video(subject, **options)


@verbs.command()
@click.argument("name", required=False)
@click.option("--all", "every", is_flag=True, help="Render every lecture, into a folder.")
@opt.choice("--format", LECTURE_FORMS, "film (default), or paper of it.", to="form", default="film")
@opt.option("--seed", opt.number(0), "N", "Other exercises on paper (default 0).", default=0)
@opt.LANGUAGE
@opt.QUALITY
@opt.THEME
@opt.VOICE
@opt.option(
    "-o",
    opt.text("ring.mp4"),
    "FILE",
    "Default file: lecture-2-ring.mp4; with --all a folder.",
    to="output",
)
def lecture(**options: Any) -> None:
    """Render the film of a lecture, subtitles and a contact sheet.

    Without a NAME, list the lectures. FILE.toml is a lecture of your own: docs/lecture-format.md
    describes the format. --all renders every lecture; after an interruption it continues where it
    stopped.

    --format slides writes a deck (.html) for a lecture hall, which needs no network: a key brings
    the next sentence, S opens a window with notes and a clock, ? lists the keys. As .pdf it has
    pictures and notes, a page for each slide.

    --format page writes the lecture to read: pictures and sentences, a player of each recording,
    questions that lock their answers, sources. notebook writes it for JupyterLab, with steppers
    that ask before they show, and exercises that are checked.

    --format handout writes a page to print: pictures, sentences with gaps, exercises and their
    key. quiz writes a sheet and its key (-o quiz.gift, .xml or .zip for learning systems), guide
    an instructor's guide: minutes, where to stop, answers to expect and what each shows.

    \b
    Example:
      collectives lecture
      collectives lecture ring -q l
      collectives lecture ring --voice auto
      collectives lecture ring --language es
      collectives lecture ring --format slides
      collectives lecture ring --format slides -o ring.pdf
      collectives lecture ring --format page
      collectives lecture ring --format notebook
      collectives lecture ring --format handout
      collectives lecture ring --format quiz --seed 7 -o quiz.gift
      collectives lecture ring --format guide
      collectives lecture mine.toml --format handout
      collectives lecture --all -o lectures
    """
    from collectives.cli.lecture import make_lectures

    make_lectures(**options)


@verbs.command()
@click.argument("words", nargs=-1, required=True, metavar="COLLECTIVE ALGORITHM … | SUBJECT …")
@opt.RANKS
@opt.ROOT
@opt.chunks(text="Chunks of a pipeline (default about the fastest; in a picture 4).")
@opt.PARAMETERS
@opt.troubled(opt.FREE_CLOCK)
@opt.option(
    "--at", opt.TIME, "12us", "Time that a picture shows (default: when the first is done)."
)
@opt.QUALITY
@opt.option("-o", COMPARISON, "FILE", ".mp4, .png (a moment) or .html.", to="output")
@opt.PAGE_THEME
@opt.LANGUAGE
@click.option("--no-cache", is_flag=True, help="Do not reuse or keep rendered parts of films.")
@click.option("--edit", is_flag=True, help="Let the code of a page be changed and run.")
@opt.JSON
@opt.gather("cli.subject", "Subject")
def compare(subject: Subject, **options: Any) -> None:
    """Show two to four algorithms side by side, on one clock.

    It says which algorithm finishes first, why, which step waits for what, and at which sizes
    another algorithm wins; --json prints this alone. All have the same input on the same machine.
    Beside algorithms of the catalog it takes FILE.json, FILE.xml, FILE.et and FILE.py:FUNCTION.
    One algorithm may have parameters, and chunks, of its own: ring:channels=8; -p is for all.
    -o also draws it: as a page it plays them side by side, and with --edit your own lines race
    those of the library. Defaults: 64 MiB on an hgx-h100 (a cluster above 8 ranks); change with
    --size and --topology.

    \b
    Example:
      collectives compare all-reduce ring tree --size 64KiB -n 8
      collectives compare all-reduce ring:channels=1 ring:channels=8 -n 16
      collectives compare all-reduce ring tree nvls -n 8 -o race.png
      collectives compare all-reduce ring mine.py:my_all_reduce saved.json --json
      collectives compare all-reduce ring hierarchical -n 16 -o race.html
      collectives compare all-reduce ring tree -n 8 --edit -o race.html
      collectives compare all-reduce ring tree --topology ring --slow-link 0-1=0.1
    """
    from collectives.cli.compare import compare_algorithms

    compare_algorithms(subject, **options)


@verbs.command()
@opt.subject(required=False)
@opt.troubled(opt.SHOWN_CLOCK)
@opt.option("-o", PAGE, "FILE.html", "Default file: ./ring-all-reduce-4.html.", to="output")
@opt.PAGE_THEME
@opt.STAGE
@opt.option(
    "--also", None, "SUBJECT", "Another algorithm on the same page (repeatable).", multiple=True
)
@click.option("--ask", is_flag=True, help="Ask what comes next before showing it.")
@click.option("--edit", is_flag=True, help="Let the code be changed, run and judged on the page.")
@click.option("--tour", is_flag=True, help="Begin with a tour of five stops.")
@opt.option(
    "--element", None, "FOLDER", "Write a page for each algorithm, and collective-player.js."
)
@opt.PAGE_LANGUAGES
def page(subject: Subject, **options: Any) -> None:
    """Write one HTML file that steps through an algorithm.

    The page goes forward and back; it needs no network and no other file. Keys: arrows, Home, End,
    Space; ? shows help. Defaults: 64 MiB (hierarchical 8 MiB) on an hgx-h100 (a cluster above 8
    ranks; Swing on a ring, tori on a torus); change with --size and --topology.

    In its machine's panel (m) the reader changes size, latency and bandwidth, and breaks ranks and
    links: late, slow, cut, dead. A button copies the command that has the same time.

    With --ask it asks which chunk comes next, what a cell will hold, how much a rank has sent. The
    next step stays locked until you answer. With --tour it begins with five stops, each with
    something to look at and a question; Escape ends that.

    With --topology the page has a map of the machine (g), up to 160 nodes: what each link carries
    in a step and in all, which is the bottleneck, how fast it would be were a link twice as fast,
    and the cut that limits. Ranks can be moved to other GPUs. Without SUBJECT it opens there.

    With --edit the source can be edited: Python runs in the page, and the schedule is made again,
    judged, and drawn up to its first wrong step, on 1 to 17 ranks.

    With --element it writes a folder for pages of your own: a page for each algorithm, and a script
    by which <collective-player algorithm="ring" collective="all-reduce" ranks="8"> frames them.
    With several languages the reader chooses one on the page; its address names it: #lang=es.

    \b
    Example:
      collectives page all-reduce ring -n 8 -o ring.html
      collectives page all-reduce ring -n 8 --ask
      collectives page all-reduce ring -n 8 --edit
      collectives page all-reduce ring -n 8 --language en,es
      collectives page all-reduce ring --topology hgx-h100 --size 1GiB
      collectives page --topology cluster -n 16
      collectives page all-reduce ring -n 8 --also tree --also "broadcast ring"
      collectives page all-reduce ring -n 8 --also tree --element players
    """
    from collectives.cli.draw import make_page

    make_page(subject, **options)


@verbs.command()
@opt.option("-n", opt.numbers, "4,8,16", "Numbers of ranks, 1 to 16 (default 4,8,16).", to="ranks")
@opt.option("-o", PAGE, "FILE.html", "File to write.", to="output")
@opt.PAGE_THEME
@opt.LANGUAGE
def gallery(ranks: tuple[int, ...] | None, **options: Any) -> None:
    """Write one HTML file in which every algorithm can be chosen.

    The reader chooses size, latency and bandwidth, too: the page sorts the algorithms of a
    collective by time. Each state has a link: catalog.html#all-reduce/ring/8/step=3. With more than
    16 ranks the file would be too large to send; the page of one algorithm shows up to 1,024 ranks.

    \b
    Example:
      collectives gallery -o catalog.html
      collectives gallery -n 8 -o catalog.html
    """
    from collectives.cli.draw import make_gallery

    make_gallery(ranks or (4, 8, 16), **options)


@verbs.group(cls=LaterCommands, home="collectives.cli.figure", subcommand_metavar="KIND …")
def figure() -> None:
    """Draw a slide figure from executed counts and modeled times.

    Each KIND has its own help: collectives figure KIND --help.

    \b
    Example:
      collectives figure traffic all-reduce ring -n 8
      collectives figure time-size all-reduce ring recursive-doubling
      collectives figure topology hgx-h100 -o hgx.png --theme light
    """


@verbs.command(context_settings={"ignore_unknown_options": True})
@click.argument("options", nargs=-1, type=click.UNPROCESSED, metavar="[OPTIONS OF JUPYTERLAB]")
@opt.option("--copy", None, "FOLDER", "Copy the lectures into this folder instead.")
@click.option("--replace", is_flag=True, help="With --copy: replace lectures that are there.")
def lab(options: tuple[str, ...], copy: str | None, replace: bool) -> None:
    """Open JupyterLab on the lectures, or copy them.

    A checkout opens its own lectures. An installed package opens ./collectives-lectures and copies
    the missing lectures into it; lectures that are already there keep your answers.

    \b
    Example:
      collectives lab
      collectives lab --copy lectures
      collectives lab --copy lectures --replace
      collectives lab --no-browser --port=9999
    """
    from collectives.cli.lab import copy_lectures, open_lab

    if copy is not None:
        copy_lectures(copy, replace, options)
    elif replace:
        from collectives.errors import BadInput

        raise BadInput("--replace: needs --copy FOLDER; try: --copy collectives-lectures --replace")
    else:
        open_lab(options)
