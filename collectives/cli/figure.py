"""The verb `figure`: its kinds, each with its options, its help and what it draws."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from collectives.cli import figure_charts
from collectives.cli import options as opt
from collectives.cli.figure_file import Drawing, drawn, plain
from collectives.errors import BadInput
from collectives.units import time_text
from collectives.words import plural

if TYPE_CHECKING:
    from animations.story.storyboard import Storyboard
    from collectives.cli.subject import Subject
    from collectives.cost.bounds.cut import Cut
    from collectives.cost.choose.setup import Setup
    from collectives.cost.fault_texts import Faults
    from collectives.cost.machines.topology import Topology
    from collectives.cost.where import Where
    from collectives.recording.recording import Recording

MIB = 1 << 20
ROUNDED = 1e-3  # of a time, as messages round it
DEFAULT_RANKS = 8

kinds = click.Group("figure", dict(figure_charts.kinds.commands))


@kinds.command()
@opt.subject()
@opt.SIZE
@drawn
def traffic(subject: Subject) -> Drawing:
    """Show how many bytes go from rank to rank.

    \b
    Example:
      collectives figure traffic all-reduce ring -n 8
      collectives figure traffic all-reduce swing -n 16 --size 64MiB
    """
    from animations.figures.traffic import draw, traffic

    recording, _, name = _placed(subject)
    return draw, (traffic(recording),), name


@kinds.command()
@opt.subject()
@opt.troubled(opt.SHOWN_CLOCK)
@opt.option(
    "--step", opt.number(), "K", "Number of steps that have run (default: all; 0: the start)."
)
@opt.option("--at", opt.TIME, "120us", "Time to show, with --clock (default: the end).")
@opt.STAGE
@opt.SHEET
@opt.LANGUAGE
@drawn
def picture(
    subject: Subject,
    where: Where,
    faults: Faults,
    step: int | None,
    at: float | None,
    stage: str | None,
    sheet: str,
    language: str,
) -> Drawing:
    """Show what every rank holds after a step, or at a time.

    The picture is the same as in the film, on the page of a lecture or on another sheet.

    \b
    Example:
      collectives figure picture all-reduce ring -n 4 --step 3
      collectives figure picture all-reduce tree -n 8 --sheet slide
      collectives figure picture all-reduce ring -n 8 --clock lockstep --at 120us
    """
    from animations.figures.still import figure as draw
    from collectives.cli.draw import board_of, default_name, timed
    from collectives.cli.modeled_time import modeled_time

    time = modeled_time(where, faults)
    if time is None and at is not None:
        raise BadInput(f"--at {_typed(at)}: steps have no time; try: --clock dataflow")
    if time is not None and step is not None:
        raise BadInput(f"--step {step}: with --clock {where.clock} name a time; try: --at 0us")
    recording, topology = timed(subject, where)
    board = board_of(recording, topology, stage, sheet, language=language, time=time)
    if time is not None:
        return _moment(board, at, str(faults)), (board,), default_name(recording)
    last = len(board.frames)
    if step is not None and step > last:
        raise BadInput(f"--step {step}: {recording.heading} has {last} steps; try: {last}")
    number = last if step is None else step
    return lambda data, theme: draw(data, number, theme), (board,), default_name(recording)


def _moment(board: Storyboard, at: float | None, note: str) -> Callable[..., Any]:
    """Draws a storyboard at a time; raises BadInput for one that is past its end."""
    from animations.figures.moment import figure as draw
    from animations.score.clock import on_clock_sheet

    flights = on_clock_sheet(board, note)
    last = flights.seconds
    if at is not None and at > (1 + ROUNDED) * last:
        raise BadInput(f"--at {_typed(at)}: it ends before; try: --at {_typed(last)}")
    return lambda _, theme: draw(flights, last if at is None else min(at, last), theme)


def _typed(seconds: float) -> str:
    """A time as an option takes it."""
    return time_text(seconds).replace(" ", "")


@kinds.command()
@opt.subject()
@opt.SIZE
@opt.machine(usual="hgx-h100")
@opt.STAGE
@opt.LANGUAGE
@partial(drawn, printed=True)
def storyboard(subject: Subject, where: Where, stage: str | None, language: str) -> Drawing:
    """Show each step as a panel, on one page for print.

    Steps that repeat share a panel.

    \b
    Example:
      collectives figure storyboard all-reduce ring -n 8
      collectives figure storyboard broadcast tree -n 8 --theme dark
    """
    from animations.drawing.sheet import PANEL
    from animations.figures.step_panels import draw
    from collectives.cli.draw import board_of, default_name, timed

    recording, topology = timed(subject, where)
    board = board_of(recording, topology, stage, PANEL.name, language=language)
    return draw, (board,), default_name(recording)


@kinds.command("space-time")
@opt.subject()
@opt.SIZE
@opt.machine(opt.CLOCK)
@drawn
def space_time(subject: Subject, where: Where) -> Drawing:
    """Show messages over time, as arrows.

    Each arrow goes from rank to rank; idle time is hatched.

    \b
    Example:
      collectives figure space-time all-reduce ring -n 4
      collectives figure space-time broadcast ring -n 6 --clock dataflow
    """
    from animations.figures.space_time import draw, space_time

    recording, setup, name = _placed(subject, where)
    return draw, (space_time(recording, setup),), name


@kinds.command()
@opt.subject()
@opt.SIZE
@opt.machine(opt.CLOCK)
@drawn
def links(subject: Subject, where: Where) -> Drawing:
    """Show how busy each link of a machine is.

    \b
    Example:
      collectives figure links all-reduce ring -n 16 --topology torus-2d
      collectives figure links all-reduce ring --topology cluster:nics=4
    """
    from animations.figures.link_load import draw, load

    recording, setup, name = _placed(subject, where)
    return draw, (load(recording, setup),), f"{name}-{plain(where.called)}"


@kinds.command()
@click.argument("name", metavar="NAME|FILE.toml")
@opt.ranks("Number of ranks (default: the machine's).")
@opt.together(*opt.LINK, opt.WHERE)
@opt.option(
    "--cut", opt.text("all-gather"), "COLLECTIVE", "Show the narrowest cut for this collective."
)
@opt.ROOT
@drawn
def topology(where: Where, ranks: int | None, cut: str | None, root: int | None) -> Drawing:
    """Draw a machine.

    The drawing shows nodes, links, and the speed of each link; with --cut, the links that limit a
    collective on this machine, whatever its algorithm.

    \b
    Example:
      collectives figure topology hgx-h100
      collectives figure topology cluster:gpus=4,nics=2,leaf=1 -n 8
      collectives figure topology torus-2d -n 16
      collectives figure topology cluster -n 32 --cut all-gather
    """
    from animations.figures.machine import draw
    from collectives.cost.machines import topology

    number = where.ranks(ranks) or DEFAULT_RANKS
    if where.is_own and number != where.own.ranks:
        has = plural(where.own.ranks, "rank")
        raise BadInput(f"-n {number}: {where.name} has {has}; try: {where.own.ranks}")
    built = where.own if where.is_own else topology(where.machine, number, **where.parameters)
    name = f"{plain(str(where.name).partition(':')[0])}-{built.ranks}"
    if cut is None:
        if root is not None:
            raise BadInput(f"--root {root}: a machine has no root; try: --cut broadcast")
        return draw, (built,), name
    narrowest = _cut(cut, built, root)
    return draw, (built, narrowest), f"{name}-{narrowest.collective.title}-cut"


def _cut(collective: str, machine: Topology, root: int | None) -> Cut:
    """The narrowest cut of a machine; raises BadInput where there is none to draw."""
    from collectives.cli.subject import CatalogSubject
    from collectives.collective import find_collective
    from collectives.cost.bounds.narrowest import is_limited, narrowest_cut

    promise = find_collective(collective)
    CatalogSubject((), root=root).refuse_root(promise)
    if not is_limited(promise):
        raise BadInput(f"--cut {collective}: no cut is known to limit it; try: all-gather")
    if root is not None and root >= machine.ranks:
        ranks = plural(machine.ranks, "rank")
        raise BadInput(f"--root {root}: the machine has {ranks}; try: --root {machine.ranks - 1}")
    cut = narrowest_cut(promise, machine, root=root or 0)
    if cut is None:
        raise BadInput(f"--cut {collective}: one rank has no partner; try: -n 8")
    return cut


def _placed(subject: Subject, where: Where | None = None) -> tuple[Recording, Setup, str]:
    """The recording that is drawn, where it is timed, and its name in that of a file."""
    from collectives.cli.draw import default_name
    from collectives.cli.placed import placed
    from collectives.cost.where import Where

    recording, setup = placed(subject.sized(MIB), where or Where(), options=("-n",))
    return recording, setup, default_name(recording)
