"""The command line: `collectives list`, `run`, `check`, `time`, `video`, `page`, `lab` …."""

from __future__ import annotations

import codecs
import os
import sys
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar

import click

from collectives.cli.commands import Commands, Interrupted, Unread, usage
from collectives.cli.figures import figure_verb
from collectives.cli.text import MOST_DIAGNOSIS, MOST_MESSAGE, one_line
from collectives.errors import BadInput, CollectivesError, WrongSchedule

F = TypeVar("F", bound=Callable[..., Any])
INTERRUPTED = 130


def subject_of(ranks: str) -> Callable[[F], F]:
    """Add the words and options that every verb about a schedule takes; `ranks` explains -n."""
    options = [
        click.argument("words", nargs=-1, required=True, metavar="SUBJECT"),
        click.option("-n", "ranks", metavar="N", help=ranks),
        click.option("--root", metavar="R", help="Root rank (default 0)."),
        click.option(
            "--count", metavar="ELEMENTS", help="Elements of the full vector (default 4 per slot)."
        ),
        click.option("--chunks", metavar="C", help="Chunks of a pipeline (default 4)."),
        click.option(
            "--counts", metavar="A,B,…", help="Elements of each slot (of each rank): v-variants."
        ),
        click.option("--slots", metavar="S", help="Slots per rank, of your own schedule."),
        click.option("--scratch", metavar="S", help="Further slots, of your own schedule."),
        click.option("--nodes", metavar="N", help="Ranks and switches, of your own schedule."),
        click.option("--helpers", metavar="KIND", help="What these are: switch (default), server."),
        click.option("--collective", metavar="NAME", help="What your own schedule promises."),
        click.option(
            "-p", "pairs", multiple=True, metavar="NAME=VALUE", help="More of its arguments."
        ),
    ]

    def add(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return add


subject = subject_of("Number of ranks (default 4).")


def meant(options: dict[str, Any], one: bool = True) -> Any:
    """The Subject of a verb's options; `one` number of ranks, else -n is left to the verb."""
    from collectives.cli.subject import Subject, listed, numbers, parameters, whole

    ranks = options.pop("ranks")
    if ranks is not None:
        ranks = whole("-n", ranks, 1, usual=4) if one else numbers(ranks)
    given: dict[str, Any] = {}
    least = {"root": 0, "count": 0, "chunks": 1, "slots": 1, "scratch": 0, "nodes": 1}
    for name, smallest in least.items():
        text = options.pop(name)
        given[name] = None if text is None else whole(f"--{name}", text, smallest)
    counts = options.pop("counts")
    given["counts"] = None if counts is None else listed("--counts", counts)
    return Subject(
        options.pop("words"),
        ranks if one else None,
        collective=options.pop("collective"),
        helpers=options.pop("helpers"),
        parameters=parameters(options.pop("pairs")),
        **given,
    ), ranks


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="collectives", message="collectives %(version)s")
def cli() -> None:
    """Collective operations: executed step by step, proved, counted, and shown.

    SUBJECT is COLLECTIVE ALGORITHM | FILE.json | MODULE:FUNCTION | FILE.py:FUNCTION.

    \b
    Example:
      collectives run all-reduce ring -n 4

    \b
    Exit status:
      0 done, 1 an algorithm is wrong, 2 bad input,
      3 something optional is not installed, 130 interrupted
    """


@cli.command("list")
@click.argument("words", nargs=-1, metavar="[COLLECTIVE] [ALGORITHM]")
@click.option("--json", "as_json", is_flag=True, help="Print an array of objects.")
def list_rows(words: tuple[str, ...], as_json: bool) -> None:
    """List the algorithms, or all that is known of one.

    \b
    Example:
      collectives list
      collectives list all-reduce
      collectives list all-reduce bruck
      collectives list --json
    """
    from collectives.cli.about import show_row
    from collectives.cli.listing import find_rows, show_rows
    from collectives.cli.report import catalog_report, print_json

    rows = find_rows(words)
    if as_json:
        print_json(catalog_report(rows))
    elif len(words) == 2:
        show_row(*rows)
    else:
        show_rows(rows)


@cli.command()
@subject_of("Number of ranks (default 4, or the rows of --data).")
@click.option("--dtype", metavar="T", help="Element type (default int64).")
@click.option("--op", metavar="OP", help="sum, prod, min, max or avg (default sum).")
@click.option("--data", metavar="FILE", help=".npy or .npz to run on: [rank, element].")
@click.option("--counts-only", is_flag=True, help="Count without executing; for many ranks.")
@click.option("--exact", is_flag=True, help="Compare sums of floats with math.fsum, too.")
@click.option("--steps", "span", metavar="A-B", help="Show these steps only.")
@click.option("--json", "as_json", is_flag=True, help="Print one object.")
@click.option("-o", "output", metavar="FILE", help="RESULT.npy, RESULT.npz or RECORDING.json.")
def run(**options: Any) -> None:
    """Execute an algorithm, prove it, show every step and count.

    Each row of the data is one rank's own input; a .npz may hold several arrays [rank, ...].
    The result is compared with numpy's, and float rounding is shown as what it is.

    \b
    Example:
      collectives run all-reduce ring -n 4
      collectives run broadcast tree -n 6 --root 2 --steps 1-2
      collectives run reduce-scatter ring -n 3 --dtype float32 -o result.npy
    """
    from collectives.cli.run import Options, run_subject

    meaning, _ = meant(options)
    run_subject(meaning, Options(**options))


@cli.command()
@subject_of("Numbers of ranks: 8, 2,4,8 or 1-16 (default 1-33).")
@click.option("--json", "as_json", is_flag=True, help="Print one object.")
def check(as_json: bool, **options: Any) -> None:
    """Prove an algorithm, or `all`, for many numbers of ranks.

    Who contributed to every slot is held against what the collective promises, values against
    numpy's, and counts against the closed forms. Every root is tried up to 9 ranks.

    \b
    Example:
      collectives check all-reduce ring -n 1-16
      collectives check broadcast tree -n 2,4,8
      collectives check all -n 1-4
    """
    from collectives.cli.checks import check_subject

    meaning, ranks = meant(options, one=False)
    check_subject(meaning, ranks, as_json)


@cli.command("time")
@subject_of("Number of ranks (default: the machine's, else 4).")
@click.option("--size", metavar="1GiB", help="Bytes of the full vector, with a unit.")
@click.option(
    "--topology", metavar="NAME|FILE.toml", help="Machine (default crossbar); NAME:gpus=4,nics=1."
)
@click.option("--latency", metavar="5us", help="Of a message between neighbors.")
@click.option("--bandwidth", metavar="50GB/s", help="Of a link in one direction.")
@click.option(
    "--clock", default="lockstep", metavar="lockstep|dataflow", help="Steps wait, or not."
)
@click.option("--like", metavar="nccl|mpich|openmpi", help="What a library would choose.")
@click.option(
    "--slow-link", multiple=True, metavar="0-1=0.5", help="A link with half its speed, on a ring."
)
@click.option("--slow-rank", multiple=True, metavar="2=0.8", help="A rank with 80 % of its speed.")
@click.option("--late", multiple=True, metavar="5=10us", help="A rank that comes late.")
@click.option(
    "--dead", multiple=True, metavar="0-1", help="A link over which nothing arrives, on a ring."
)
@click.option("--jitter", metavar="1us", help="Most that a message is late, at random.")
@click.option("--seed", metavar="S", help="Of the random numbers (default 0).")
@click.option("--json", "as_json", is_flag=True, help="Print one object.")
def time_schedule(**options: Any) -> None:
    """Say how long an algorithm takes on a machine, and what limits it.

    A COLLECTIVE alone: all algorithms that run there, the fastest first, and why that is.
    --chunks best: as many as are best. Sizes: GB is 10^9 bytes, GiB is 2^30.

    \b
    Example:
      collectives time all-reduce ring -n 8 --size 1GiB --topology hgx-h100
      collectives time all-reduce --size 64MiB --topology cluster:nics=4 -n 32
      collectives time all-reduce --like nccl --size 1MiB --topology hgx-h100
      collectives time broadcast ring --size 1GB --topology ring --dead 1-2
    """
    from collectives.cli.timing import asked

    asked(options, meant)


TIMED = ("size", "topology", "latency", "bandwidth")


def timed_on(function: F) -> F:
    """Add the options that say for what size and on which machine a picture counts time."""
    options = [
        click.option("--size", metavar="1GiB", help="Bytes of the full vector, with a unit."),
        click.option(
            "--topology", metavar="NAME|FILE.toml", help="Where time is counted (crossbar)."
        ),
        click.option("--latency", metavar="5us", help="Of a message between neighbors."),
        click.option("--bandwidth", metavar="50GB/s", help="Of a link in one direction."),
    ]
    for option in reversed(options):
        function = option(function)
    return function


@cli.command()
@subject
@timed_on
@click.option("-q", "quality", default="h", metavar="l|m|h|p|k", help="480p15 to 2160p60.")
@click.option("-o", "output", metavar="FILE", help=".mp4, .gif or .png (the result).")
@click.option("--theme", default="dark", metavar="dark|light", help="Colors (default dark).")
@click.option("--sections", is_flag=True, help="Also a folder with a film for each step.")
def video(quality: str, output: str | None, theme: str, sections: bool, **options: Any) -> None:
    """Render a film of an algorithm, with subtitles beside it.

    \b
    Example:
      collectives video all-reduce ring -n 4 -q l
      collectives video all-reduce ring --topology hgx-h100
    """
    from collectives.cli.draw import make_video

    timed = tuple(options.pop(name) for name in TIMED)
    meaning, _ = meant(options)
    make_video(meaning, quality, output, theme, sections, timed)


@cli.command()
@subject
@timed_on
@click.option("-o", "output", metavar="FILE.html", help="Default: ./ring-all-reduce-4.html.")
@click.option("--theme", default="dark", metavar="dark|light", help="Colors (default dark).")
def page(output: str | None, theme: str, **options: Any) -> None:
    """Write one HTML file that steps through an algorithm.

    It goes forward and back, and needs no network and no other file. Keys: arrows, Home, End,
    Space; ? shows help.

    \b
    Example:
      collectives page all-reduce ring -n 8 -o ring.html
      collectives page all-reduce ring --topology hgx-h100 --size 1GiB
    """
    from collectives.cli.draw import make_page

    timed = tuple(options.pop(name) for name in TIMED)
    meaning, _ = meant(options)
    make_page(meaning, output, theme, timed)


@cli.command()
@click.argument("names", nargs=-1, metavar="[PAGE or CLAIM, as C or C2]")
@click.option("--measured", is_flag=True, help="Instead: measured times beside the model.")
@click.option("--json", "as_json", is_flag=True, help="Print one object.")
def claims(names: tuple[str, ...], measured: bool, as_json: bool) -> None:
    """Show what widely read pages say, beside what we compute.

    \b
    Example:
      collectives claims
      collectives claims C
      collectives claims C2 D15 --json
      collectives claims --measured
    """
    from collectives.cli.claims import show_claims, show_measured

    if measured:
        show_measured(names, as_json)
    else:
        show_claims(names, as_json)


@cli.command(context_settings={"ignore_unknown_options": True})
@click.argument("options", nargs=-1, type=click.UNPROCESSED, metavar="[OPTIONS OF JUPYTERLAB]")
def lab(options: tuple[str, ...]) -> None:
    """Open JupyterLab on the lectures.

    \b
    Example:
      collectives lab
      collectives lab --no-browser --port=9999
    """
    from collectives.cli.lab import open_lab

    open_lab(options)


cli.add_command(figure_verb(subject, meant))


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; every failure is one line on stderr and an exit status."""
    _prepare_streams()
    try:
        status = cli.main(arguments, prog_name="collectives", standalone_mode=False)
        _end(status if isinstance(status, int) else 0)
    except CollectivesError as problem:
        _end(problem.status, str(problem))
    except click.UsageError as problem:
        _end(BadInput.status, usage(problem))
    except (Interrupted, KeyboardInterrupt, click.Abort):
        _end(INTERRUPTED, "interrupted")
    except Unread:
        _end(0)
    except MemoryError:
        _end(BadInput.status, "there is not enough memory for this; nearest: fewer ranks")
    except OSError as problem:
        where = problem.filename or "output cannot be written"
        _end(BadInput.status, f"{where}: {problem.strerror}")


def _prepare_streams() -> None:
    """Let no encoding, and no closed stream, stop a line from being printed."""
    sys.stdout = sys.stdout or open(os.devnull, "w")  # noqa: SIM115
    sys.stderr = sys.stderr or open(os.devnull, "w")  # noqa: SIM115
    codecs.register_error("spelled", _spelled)
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="spelled")


def _spelled(problem: UnicodeError) -> tuple[str | bytes, int]:
    """What stands for a letter that an encoding lacks: u for µ, its number for others."""
    if isinstance(problem, UnicodeEncodeError) and problem.object[problem.start] == "µ":
        return "u", problem.start + 1
    return codecs.backslashreplace_errors(problem)


def _end(status: int, message: str = "") -> NoReturn:
    """Leave with this status, after the message, if there is one, on one line of stderr."""
    try:
        sys.stdout.flush()
    except OSError as problem:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not message and not isinstance(problem, BrokenPipeError):
            status, message = BadInput.status, f"output cannot be written: {problem.strerror}"
    if message:
        most = MOST_DIAGNOSIS if status == WrongSchedule.status else MOST_MESSAGE
        print(one_line(f"collectives: {message}", most), file=sys.stderr)
    raise SystemExit(status)


if __name__ == "__main__":
    main()
