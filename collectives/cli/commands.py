"""What click is taught: one-line messages that name the nearest choice, and quiet endings."""

from __future__ import annotations

from typing import Any

import click

from collectives.errors import BadInput
from collectives.words import nearest


class Interrupted(Exception):  # noqa: N818
    """Control-C."""


class Unread(Exception):  # noqa: N818
    """Nobody reads standard output any more, as after `| head`."""


class Commands(click.Group):
    """A group that suggests the nearest command, and leaves interrupts to `main`."""

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
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            raise Interrupted from None
        except BrokenPipeError:
            raise Unread from None

    def _choices(self, word: str) -> str:
        return nearest(word, sorted(self.commands))


def usage(problem: click.UsageError) -> str:
    """What click found wrong with the options, in one line with the nearest valid choice."""
    context = problem.ctx
    where = context.command_path if context else "collectives"
    if isinstance(problem, click.NoSuchOption) and context:
        options = [p for p in context.command.params if isinstance(p, click.Option)]
        known = [name for option in options for name in option.opts] + ["--help"]
        return f"unknown option {problem.option_name}; {nearest(problem.option_name, known)}"
    if isinstance(problem, click.MissingParameter):
        return f"{where} what? name a collective and an algorithm, as in: {where} all-reduce ring"
    if isinstance(problem, click.BadOptionUsage) and "requires" in problem.message:
        return f"{problem.option_name} needs a value after it; see {where} --help"
    text = problem.format_message().replace("\n", " ").rstrip(".")
    return f"{text}; see {where} --help"
