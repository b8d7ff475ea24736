"""Runs the command line: every failure is one line on stderr and an exit status."""

from __future__ import annotations

import codecs
import os
import re
import sys
from importlib import import_module
from itertools import takewhile
from traceback import walk_tb
from typing import Any, NoReturn

import click

from collectives.cli.console import MOST_DIAGNOSIS, MOST_MESSAGE, one_line
from collectives.errors import BadInput, CollectivesError, WrongSchedule
from collectives.progress import under_way
from collectives.words import nearest, shown_name

DEFECT, INTERRUPTED = 4, 130


class Interrupted(Exception):  # noqa: N818
    """Control-C."""


class Unread(Exception):  # noqa: N818
    """Nobody reads standard output any more, as after `| head`."""


class Commands(click.Group):
    """A group that suggests the nearest command, and leaves interrupts to `finish`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Refuse an empty command line, on which click would print its help as an error."""
        if not args and not ctx.resilient_parsing:
            raise BadInput(f"which command? {self._choices('')}, or see collectives --help")
        return super().parse_args(ctx, args)

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        """The command that the first word names; raises BadInput with the nearest one."""
        if args and self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            raise BadInput(f"unknown command {args[0]!r}; {self._choices(args[0])}")
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command, hiding from click what it would answer with lines of its own."""
        if ctx.obj and ctx.parent is None:
            from collectives.cli.waiting import ended, watch

            watch()
            ctx.call_on_close(ended.set)
            sys.unraisablehook = lambda raised: None  # of own code that is thrown away
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise Interrupted from None
        except BrokenPipeError:
            raise Unread from None

    def _choices(self, word: str) -> str:
        return nearest(word, sorted(self.commands))


class LaterCommands(Commands):
    """A group whose commands stand in a module of their own, imported when they are asked for."""

    def __init__(self, *arguments: Any, home: str, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._home = home
        del self.commands  # from here on those of the module

    def __getattr__(self, name: str) -> Any:
        """The commands of the module, by name."""
        if name != "commands":
            raise AttributeError(name)
        self.commands = import_module(self._home).kinds.commands
        return self.commands


def finish(commands: click.Group, arguments: list[str] | None) -> NoReturn:
    """Run the command line and leave with its exit status."""
    _prepare_streams()
    own = arguments is None  # this process is the command's own
    try:
        with under_way(_asked(sys.argv[1:] if arguments is None else arguments)):
            status = commands.main(arguments, "collectives", standalone_mode=False, obj=own)
        _end(status if isinstance(status, int) else 0)
    except CollectivesError as problem:
        _end(problem.status, str(problem))
    except click.UsageError as problem:
        _end(BadInput.status, _usage(problem))
    except (Interrupted, KeyboardInterrupt, click.Abort):
        _end(INTERRUPTED, "interrupted")
    except Unread:
        _end(0)
    except MemoryError:
        _end(BadInput.status, "there is not enough memory for this; try: fewer ranks")
    except OSError as problem:
        where = problem.filename or "output cannot be written"
        _end(BadInput.status, f"{where}: {problem.strerror or problem}")
    except Exception as problem:
        if not own:
            raise
        _end(DEFECT, _unforeseen(problem))


def _asked(arguments: list[str]) -> str:
    """What is under way as long as no part of it has a name: the words before all options."""
    return shown_name(" ".join(takewhile(lambda word: not word.startswith("-"), arguments)))


def _unforeseen(problem: Exception) -> str:
    """The line for an exception that nobody explained: a defect, as own code runs elsewhere."""
    from collectives.schedule.pulling import described

    *_, (frame, line) = walk_tb(problem.__traceback__)
    place = f"{frame.f_code.co_filename} line {line}"
    return f"unforeseen {described(problem)} ({place}); please report it"


def _usage(problem: click.UsageError) -> str:
    """What click found wrong with the options, in one line with the nearest valid choice."""
    context = problem.ctx
    where = context.command_path if context else "collectives"
    if isinstance(problem, click.NoSuchOption) and context:
        options = [p for p in context.command.params if isinstance(p, click.Option)]
        known = [name for option in options for name in option.opts] + ["--help"]
        return f"unknown option {problem.option_name}; {nearest(problem.option_name, known)}"
    if isinstance(problem, click.MissingParameter):
        examples = re.findall(r"(?m)^ *(collectives \w.*)", str(context and context.command.help))
        return f"{where} what? as in: {examples[0]}"
    if isinstance(problem, click.BadOptionUsage) and "requires" in problem.message:
        return f"{problem.option_name} needs a value after it; see {where} --help"
    text = problem.format_message().replace("\n", " ").rstrip(".")
    return f"{text}; see {where} --help"


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
        if sys.stdout is not None and not sys.stdout.closed:
            sys.stdout.flush()
    except OSError as problem:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not message and not isinstance(problem, BrokenPipeError):
            status, message = (
                BadInput.status,
                f"output cannot be written: {problem.strerror or problem}",
            )
    if message:
        limit = MOST_DIAGNOSIS if status == WrongSchedule.status else MOST_MESSAGE
        print(one_line(f"collectives: {message}", limit), file=sys.stderr)
    raise SystemExit(status)
