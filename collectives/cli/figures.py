"""The verb `figure`: its kinds, their options and help."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from collectives.cli.commands import Commands

F = TypeVar("F", bound=Callable[..., Any])
Decorator = Callable[[F], F]
Meant = Callable[[dict[str, Any]], Any]


def _all(*options: Callable[[Any], Any]) -> Callable[[F], F]:
    """Options one after the other, as help lists them."""

    def add(function: F) -> F:
        for option in reversed(options):
            function = option(function)
        return function

    return add


FILE = _all(
    click.option("-o", "output", metavar="FILE", help="Default: ./KIND-….svg; .png or .pdf."),
    click.option("--theme", default="dark", metavar="dark|light", help="Colors (default dark)."),
)
WHERE = _all(
    click.option(
        "--topology", metavar="NAME|FILE.toml", help="Machine (default crossbar); NAME:gpus=4."
    ),
    click.option("--latency", metavar="5us", help="Of a message between neighbors."),
    click.option("--bandwidth", metavar="50GB/s", help="Of a link in one direction."),
)
CLOCK = click.option("--clock", default="lockstep", metavar="lockstep|dataflow", help="Which.")
COMPARED = _all(
    click.argument("words", nargs=-1, metavar="COLLECTIVE [ALGORITHM …]"),
    click.option("--root", metavar="R", help="Root rank (default 0)."),
    click.option("--chunks", metavar="C", help="Of pipelines (default: each time the best)."),
    click.option("-p", "pairs", multiple=True, metavar="NAME=VALUE", help="More arguments."),
)


def figure_verb(subject: Decorator[Any], meant: Meant) -> click.Group:
    """The verb; `subject` adds the options of SUBJECT, `meant` makes a Subject of them."""

    @click.group("figure", cls=Commands, subcommand_metavar="KIND …")
    def figure() -> None:
        """Draw a figure for slides, from what is counted and timed.

        Each KIND has its own help: collectives figure KIND --help.

        \b
        Example:
          collectives figure traffic all-reduce ring -n 8
          collectives figure time-size all-reduce ring recursive-doubling -n 16
          collectives figure topology hgx-h100 -o hgx.png --theme light
        """

    _of_subjects(figure, subject, meant)
    _of_collectives(figure)
    return figure


def _of_subjects(figure: click.Group, subject: Decorator[Any], meant: Meant) -> None:
    """Kinds that show one schedule."""
    size = click.option("--size", metavar="1MiB", help="Bytes of the vector (default 1MiB).")

    @figure.command()
    @subject
    @size
    @FILE
    def traffic(**options: Any) -> None:
        """Show how many bytes go from rank to rank.

        \b
        Example:
          collectives figure traffic all-reduce ring -n 8
          collectives figure traffic all-reduce swing -n 16 --size 64MiB
        """
        from collectives.cli.figures_made import Output, Timed, traffic

        output, timed = Output.of("traffic", options), Timed.of(options)
        traffic(meant(options)[0], timed, output)

    @figure.command("space-time")
    @subject
    @size
    @WHERE
    @CLOCK
    @FILE
    def space_time(**options: Any) -> None:
        """Show messages in time, as arrows.

        They go from rank to rank; idle time is hatched.

        \b
        Example:
          collectives figure space-time all-reduce ring -n 4
          collectives figure space-time broadcast ring -n 6 --clock dataflow
        """
        from collectives.cli.figures_made import Output, Timed, space_time

        output, timed = Output.of("space-time", options), Timed.of(options)
        space_time(meant(options)[0], timed, output)

    @figure.command()
    @subject
    @size
    @WHERE
    @CLOCK
    @FILE
    def links(**options: Any) -> None:
        """Show how busy each link of a machine is.

        \b
        Example:
          collectives figure links all-reduce ring -n 16 --topology torus-2d
          collectives figure links all-reduce ring --topology cluster:nics=4
        """
        from collectives.cli.figures_made import Output, Timed, links

        output, timed = Output.of("links", options), Timed.of(options)
        links(meant(options)[0], timed, output)

    for command in (traffic, space_time, links):
        count = next(option for option in command.params if option.name == "count")
        assert isinstance(count, click.Option)
        count.help = "Elements of one byte, instead of --size."


def _of_collectives(figure: click.Group) -> None:
    """Kinds that compare algorithms, or show a machine."""
    ranks = click.option("-n", "ranks", metavar="N", help="Number of ranks (default 8).")

    @figure.command("time-size")
    @COMPARED
    @ranks
    @click.option("--size", metavar="A-B", default="1KiB-1GiB", help="Default 1KiB-1GiB.")
    @WHERE
    @CLOCK
    @FILE
    def time_size(**options: Any) -> None:
        """Show time against size, with crossovers.

        Without names: those that are the fastest at some size. Sizes in KiB, MiB and GiB
        make a binary axis, those in KB, MB and GB a decimal one.

        \b
        Example:
          collectives figure time-size all-reduce ring recursive-doubling
          collectives figure time-size broadcast tree ring -n 4 --size 1KB-1GB
        """
        from collectives.cli.figures_compared import time_size

        time_size(options)

    @figure.command("time-ranks")
    @COMPARED
    @click.option("-n", "ranks", metavar="A-B", default="2-32", help="2-32 or 2,4,8.")
    @click.option("--size", metavar="1MiB", help="Bytes of the vector (default 1MiB).")
    @WHERE
    @CLOCK
    @FILE
    def time_ranks(**options: Any) -> None:
        """Show time against the number of ranks.

        \b
        Example:
          collectives figure time-ranks all-reduce ring bruck -n 2-32
          collectives figure time-ranks broadcast tree flat -n 2,4,8,16 --size 1KiB
        """
        from collectives.cli.figures_compared import time_ranks

        time_ranks(options)

    @figure.command()
    @click.argument("words", nargs=-1, metavar="COLLECTIVE")
    @ranks
    @click.option("--root", metavar="R", help="Root rank (default 0).")
    @click.option("--chunks", metavar="C", help="Chunks of pipelines (default 4).")
    @FILE
    def bounds(**options: Any) -> None:
        """Show algorithms beside the lower bounds.

        \b
        Example:
          collectives figure bounds all-reduce -n 8
        """
        from collectives.cli.figures_compared import bounds

        bounds(options)

    @figure.command()
    @click.argument("words", nargs=-1, metavar="COLLECTIVE")
    @click.option("--gpu", metavar="NAME", help="Only machines of this GPU, as H100.")
    @click.option("-n", "ranks", metavar="N", help="Only machines of so many ranks.")
    @FILE
    def busbw(**options: Any) -> None:
        """Show bus bandwidth against size.

        Measured by others, beside the model.

        \b
        Example:
          collectives figure busbw all-reduce
          collectives figure busbw all-reduce --gpu A100 -n 8
        """
        from collectives.cli.figures_compared import busbw

        busbw(options)

    @figure.command("bandwidth-cliff")
    @click.argument("words", nargs=-1, metavar="[COLLECTIVE ALGORITHM …]")
    @click.option("-n", "ranks", metavar="N", help="Up to so many ranks (default 128).")
    @click.option("--size", metavar="1GiB", help="Bytes of the vector (default 1GiB).")
    @click.option("--topology", metavar="cluster:nics=1", help="Parameters of the cluster.")
    @CLOCK
    @FILE
    def bandwidth_cliff(**options: Any) -> None:
        """Show bandwidth inside a node and beyond.

        \b
        Example:
          collectives figure bandwidth-cliff
          collectives figure bandwidth-cliff all-reduce ring --topology cluster:nics=1
        """
        from collectives.cli.figures_compared import bandwidth_cliff

        bandwidth_cliff(options)

    @figure.command()
    @click.argument("words", nargs=-1, metavar="NAME|FILE.toml")
    @click.option("-n", "ranks", metavar="N", help="Number of ranks (default: the machine's).")
    @click.option("--latency", metavar="5us", help="Of a link.")
    @click.option("--bandwidth", metavar="50GB/s", help="Of a link in one direction.")
    @FILE
    def topology(**options: Any) -> None:
        """Draw a machine.

        Its nodes, its links, and how fast these are.

        \b
        Example:
          collectives figure topology hgx-h100
          collectives figure topology cluster:gpus=4,nics=2,leaf=1 -n 8
          collectives figure topology torus-2d -n 16
        """
        from collectives.cli.figures_compared import machine

        machine(options)
