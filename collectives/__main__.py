"""The command line: `collectives list`, `run`, `check`, `video`, `page`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

from collectives.errors import BadInput, CollectivesError, WrongSchedule, nearest

F = TypeVar("F", bound=Callable[..., Any])
INTERRUPTED = 130


class _Commands(click.Group):
    """A group that suggests the nearest command for an unknown one."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        if args and self.get_command(ctx, args[0]) is None:
            raise BadInput(f"unknown command {args[0]!r}; {nearest(args[0], self.commands)}")
        return super().resolve_command(ctx, args)


def subject(function: F) -> F:
    """Add the words and options that every verb about a schedule takes."""
    options = [
        click.argument("words", nargs=-1, required=True, metavar="SUBJECT"),
        click.option("-n", "ranks", metavar="N", help="Number of ranks (default 4)."),
        click.option("--root", type=int, metavar="R", help="Root rank (default 0)."),
        click.option("--count", type=int, metavar="ELEMENTS", help="Elements of the full vector."),
        click.option("--chunks", type=int, metavar="C", help="Chunks of a pipeline (default 4)."),
        click.option("--slots", type=int, metavar="S", help="Slots per rank of your own schedule."),
        click.option("--collective", metavar="NAME", help="What your own schedule promises."),
        click.option("-p", "pairs", multiple=True, metavar="NAME=VALUE", help="Other arguments."),
    ]
    for option in reversed(options):
        function = option(function)
    return function


def meant(options: dict[str, Any], one: bool = True) -> Any:
    """The Subject of a verb's options; `one` number of ranks, else -n is left to the verb."""
    from collectives.cli.subject import Subject, numbers, parameters

    ranks = options.pop("ranks")
    if one and ranks is not None:
        try:
            ranks = int(ranks)
        except ValueError:
            raise BadInput(f"-n {ranks}: must be a whole number of ranks; nearest: 4") from None
    elif ranks is not None:
        ranks = numbers(ranks)
    names = ("root", "count", "chunks", "slots", "collective")
    return Subject(
        options.pop("words"),
        ranks if one else None,
        parameters=parameters(options.pop("pairs")),
        **{name: options.pop(name) for name in names},
    ), ranks


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="collectives", message="collectives %(version)s")
def cli() -> None:
    """Collective operations: executed step by step, proved, counted, and shown.

    SUBJECT is COLLECTIVE ALGORITHM | FILE.json | MODULE:FUNCTION | FILE.py:FUNCTION.

    \b
    Example:
      collectives run all-reduce ring -n 4
    """


@cli.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print an array of objects.")
def list_rows(as_json: bool) -> None:
    """Every algorithm, with its closed forms and their source.

    \b
    Example:
      collectives list
    """
    from collectives.cli import show
    from collectives.cli.report import catalog_report, print_json

    if as_json:
        print_json(catalog_report())
    else:
        show.show_list(show.console())


@cli.command()
@subject
@click.option("--dtype", metavar="T", help="Element type (default int64).")
@click.option("--op", metavar="OP", help="sum, prod, min, max or avg (default sum).")
@click.option("--data", metavar="FILE", help=".npy or .npz with [rank, element] to run on.")
@click.option("--counts-only", is_flag=True, help="Count without executing; for many ranks.")
@click.option("--exact", is_flag=True, help="Compare float sums with math.fsum, too.")
@click.option("--steps", "span", metavar="A-B", help="Show these steps only.")
@click.option("--json", "as_json", is_flag=True, help="Print one object.")
@click.option("-o", "output", metavar="FILE", help="RESULT.npy, RESULT.npz or RECORDING.json.")
def run(**options: Any) -> None:
    """Execute an algorithm, prove it, and show every step and every count.

    \b
    Example:
      collectives run all-reduce ring -n 4
      collectives run broadcast tree -n 6 --root 2 --steps 1-2
    """
    from collectives.cli.report import run_subject

    meaning, _ = meant(options)
    if not run_subject(meaning, **options):
        raise SystemExit(WrongSchedule.status)


@cli.command()
@subject
@click.option("--json", "as_json", is_flag=True, help="Print one object.")
def check(as_json: bool, **options: Any) -> None:
    """Prove an algorithm, or `all`, for many numbers of ranks (default 1-33).

    Every root is tried up to 9 ranks; counts are held against the closed forms.

    \b
    Example:
      collectives check all-reduce ring -n 1-16
      collectives check broadcast tree -n 2,4,8
    """
    from collectives.cli.report import check_subject

    meaning, ranks = meant(options, one=False)
    if not check_subject(meaning, ranks, as_json):
        raise SystemExit(WrongSchedule.status)


@cli.command()
@subject
@click.option("-q", "quality", default="h", metavar="l|m|h|p|k", help="480p15 to 2160p60.")
@click.option("-o", "output", metavar="FILE.mp4", help="Default: ./ring-all-reduce-4.mp4.")
def video(quality: str, output: str | None, **options: Any) -> None:
    """Render a film of an algorithm, with subtitles beside it.

    \b
    Example:
      collectives video all-reduce ring -n 4 -q l
    """
    from collectives.cli.draw import make_video

    meaning, _ = meant(options)
    make_video(meaning, quality, output)


@cli.command()
@subject
@click.option("-o", "output", metavar="FILE.html", help="Default: ./ring-all-reduce-4.html.")
def page(output: str | None, **options: Any) -> None:
    """Write one HTML file that steps through an algorithm, forward and back.

    It needs no network and no other file. Keys: arrows, Home, End, Space; ? shows help.

    \b
    Example:
      collectives page all-reduce ring -n 8 -o ring.html
    """
    from collectives.cli.draw import make_page

    meaning, _ = meant(options)
    make_page(meaning, output)


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; every failure is one line on stderr and an exit status."""
    try:
        status = cli.main(arguments, prog_name="collectives", standalone_mode=False)
    except CollectivesError as problem:
        _fail(str(problem), problem.status)
    except click.UsageError as problem:
        _fail(_usage(problem), BadInput.status)
    except click.ClickException as problem:
        _fail(problem.format_message(), BadInput.status)
    except (click.Abort, KeyboardInterrupt):
        _fail("interrupted", INTERRUPTED)
    except MemoryError:
        _fail("there is not enough memory for this", BadInput.status)
    except BrokenPipeError:
        sys.stderr.close()
        raise SystemExit(0) from None
    raise SystemExit(status if isinstance(status, int) else 0)


def _usage(problem: click.UsageError) -> str:
    context = problem.ctx
    where = context.command_path if context else "collectives"
    text = problem.format_message().replace("\n", " ").rstrip(".")
    return f"{text}; see {where} --help"


def _fail(message: str, status: int) -> None:
    sys.stdout.flush()
    print("collectives: " + " ".join(message.split()), file=sys.stderr)
    raise SystemExit(status)


if __name__ == "__main__":
    main()
