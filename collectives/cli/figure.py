"""The verb `figure`: its kinds, each with its options, its help and what it draws."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import partial, wraps
from typing import TYPE_CHECKING, Any

import click

from collectives.choices import THEMES
from collectives.cli import options as opt
from collectives.errors import BadInput, WrongSchedule, imported
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

MIB, GIB = 1 << 20, 1 << 30
ROUNDED = 1e-3  # of a time, as messages round it
DEFAULT_RANKS, CLIFF_RANKS = 8, 128
CLIFF = ("all-reduce", "ring", "hierarchical")


Drawing = tuple[Callable[..., Any], tuple[Any, ...], str]  # how, of what data, and a name


def drawn(verb: Callable[..., Drawing], printed: bool = False) -> Any:
    """Write the figure of a kind and print its path; raises NotInstalled without matplotlib.

    printed: it is for paper, light unless told otherwise, with text that can be selected.
    """

    @wraps(verb)
    def call(output: str | None, theme: str, transparent: bool, **given: Any) -> None:
        imported("matplotlib", "a figure needs matplotlib", "figure")
        draw, (data, *more), name = verb(**given)
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

    theme = LIGHT_THEME if printed else opt.THEME
    return opt.together(OUTPUT, theme, TRANSPARENT)(call)


COMPARED: opt.Decorator[Any] = opt.together(
    click.argument("collective"),
    click.argument("algorithms", nargs=-1, metavar="[ALGORITHM …]"),
    opt.ROOT,
    opt.chunks(opt.BEST, "Chunks of pipelines (default: best, each time)."),
    opt.PARAMETERS,
)
COLLECTIVE = click.argument("collective")
FILE = opt.file("a figure", ".svg", ".png", ".pdf")
LIGHT_THEME = opt.option(
    "--theme", opt.one_of(THEMES), "light|dark", "Default light.", default="light"
)
TRANSPARENT = click.option("--transparent", is_flag=True, help="Transparent background.")
OUTPUT = opt.option("-o", FILE, "FILE", "Default file: ./KIND-NAME.svg.", to="output")


kinds = click.Group("figure")


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
    shown = last if step is None else step
    return lambda data, theme: draw(data, shown, theme), (board,), default_name(recording)


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
    return draw, (load(recording, setup),), f"{name}-{_plain(where.called)}"


@kinds.command("time-size")
@COMPARED
@opt.ranks("Number of ranks (default 8).", minimum=2)
@opt.option("--size", opt.sizes, "A-B", "Range of sizes (default 1KiB-1GiB).", default="1KiB-1GiB")
@opt.machine(opt.CLOCK, usual="hgx-h100")
@drawn
def time_size(
    collective: str,
    algorithms: tuple[str, ...],
    ranks: int | None,
    size: tuple[int, int, bool],
    where: Where,
    **options: Any,
) -> Drawing:
    """Show time against size, with crossovers.

    Default machine: an hgx-h100 (a cluster above 8 ranks); change with --topology. Default
    algorithms: all that are the fastest at some size. Sizes in KiB, MiB and GiB give a binary
    axis, sizes in KB, MB and GB a decimal axis.

    \b
    Example:
      collectives figure time-size all-reduce ring recursive-doubling
      collectives figure time-size broadcast tree ring -n 4 --size 1KB-1GB
    """
    from animations.figures.algorithm_times import over_sizes
    from animations.figures.time_curves import draw_sizes
    from collectives.cost.machines.usual import usual_names

    smallest, largest, binary = size
    ranks = where.ranks(ranks) or DEFAULT_RANKS
    machines = [where] if where.is_given else [replace(where, name=usual_names(ranks)[0]), where]
    for place in machines:  # where one of them does not run on the usual machine, the crossbar
        place.check_ranks(ranks)
        sweep = _sweep(place, collective, **options)
        with suppress(BadInput) if place is not where else nullcontext():
            data = over_sizes(collective, algorithms, ranks, sweep, smallest, largest)
            break
    return draw_sizes, (data, binary), f"{_plain(collective)}-{ranks}"


@kinds.command("time-ranks")
@COMPARED
@opt.option(
    "-n",
    opt.numbers,
    "A-B",
    "Numbers of ranks, as 2-32 or 2,4,8 (default 2-32).",
    to="ranks",
    default="2-32",
)
@opt.SIZE
@opt.machine(opt.CLOCK)
@drawn
def time_ranks(
    collective: str,
    algorithms: tuple[str, ...],
    ranks: tuple[int, ...],
    size: int | None,
    where: Where,
    **options: Any,
) -> Drawing:
    """Show time against the number of ranks.

    \b
    Example:
      collectives figure time-ranks all-reduce ring bruck -n 2-32
      collectives figure time-ranks broadcast tree flat -n 2,4,8,16 --size 1KiB
    """
    from animations.figures.algorithm_times import over_ranks
    from animations.figures.time_curves import draw_ranks

    several = sorted(number for number in ranks if number > 1)
    if not several:
        raise BadInput("-n 1: one rank has no partner; try: 2-32")
    sweep = _sweep(where, collective, **options)
    data = over_ranks(collective, algorithms, several, sweep, MIB if size is None else size)
    return draw_ranks, (data,), _plain(collective)


@kinds.command()
@COLLECTIVE
@opt.ranks("Number of ranks (default 8).")
@opt.ROOT
@opt.chunks(text="Chunks of pipelines (default 4).")
@drawn
def bounds(collective: str, ranks: int | None, root: int | None, chunks: int | None) -> Drawing:
    """Show algorithms beside the lower bounds.

    \b
    Example:
      collectives figure bounds all-reduce -n 8
    """
    from animations.figures.bounds import bounds, draw

    ranks, root = ranks or DEFAULT_RANKS, root or 0
    if root >= ranks:
        raise BadInput(f"--root {root} of {plural(ranks, 'rank')}; try: {ranks - 1}")
    data = bounds(collective, ranks, chunks or 4, root)
    return draw, (data,), f"{_plain(collective)}-{ranks}"


@kinds.command()
@COLLECTIVE
@opt.option("--gpu", opt.text("H100"), "NAME", "Only machines with this GPU, as H100.")
@opt.ranks("Only machines with this number of ranks.")
@drawn
def busbw(collective: str, gpu: str | None, ranks: int | None) -> Drawing:
    """Show bus bandwidth against size.

    Published measurements stand beside the model.

    \b
    Example:
      collectives figure busbw all-reduce
      collectives figure busbw all-reduce --gpu A100 -n 8
    """
    from animations.figures.busbw import bus_bandwidth, draw

    return draw, (bus_bandwidth(collective, gpu, ranks),), _plain(collective)


@kinds.command("bandwidth-cliff")
@click.argument("words", nargs=-1, metavar="[COLLECTIVE ALGORITHM …]")
@opt.ranks("Largest number of ranks (default 128).", minimum=2)
@opt.SIZE
@opt.option(
    "--topology", None, "cluster:nics=1", "Parameters of the cluster.", to="name", default="cluster"
)
@opt.CLOCK
@opt.WHERE
@drawn
def bandwidth_cliff(
    words: tuple[str, ...], ranks: int | None, size: int | None, where: Where
) -> Drawing:
    """Show bandwidth inside a node and across nodes.

    \b
    Example:
      collectives figure bandwidth-cliff
      collectives figure bandwidth-cliff all-reduce ring --topology cluster:nics=1
    """
    from animations.figures.bandwidth_cliff import cliff, draw
    from collectives.collective import find_collective

    collective, *algorithms = words or CLIFF
    find_collective(collective)
    if not algorithms:
        raise BadInput(f"{collective}: name algorithms too, as in {collective} ring hierarchical")
    if where.is_own or where.machine != "cluster":
        raise BadInput(f"--topology {where.name}: must be a cluster; try: cluster:nics=1")
    clock, size = where.setup().clock, GIB if size is None else size
    data = cliff(collective, algorithms, ranks or CLIFF_RANKS, size, clock, where.parameters)
    return draw, (data,), _plain(collective)


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
    name = f"{_plain(str(where.name).partition(':')[0])}-{built.ranks}"
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
    from collectives.cost.bounds.narrowest import narrowest_cut

    CatalogSubject((), root=root).refuse_root(find_collective(collective))
    cut = narrowest_cut(collective, machine, root=root or 0)
    if cut is None and machine.ranks < 2:
        raise BadInput(f"--cut {collective}: one rank has no partner; try: -n 8")
    if cut is None:
        raise BadInput(f"--cut {collective}: no cut is known to limit it; try: all-gather")
    return cut


def _plain(name: str) -> str:
    """A name as a part of a file's: letters, digits and hyphens, without folders and suffix."""
    from collectives.cli.draw import plain_name

    last = re.split(r"[/\\]", name)[-1].removesuffix(".toml")
    return plain_name(last)[:60] or "machine"


def _placed(subject: Subject, where: Where | None = None) -> tuple[Recording, Setup, str]:
    """The recording that is drawn, where it is timed, and its name in that of a file."""
    from collectives.cli.draw import default_name
    from collectives.cli.placed import placed
    from collectives.cost.where import Where

    recording, setup = placed(subject.sized(MIB), where or Where(), shown=("-n",))
    return recording, setup, default_name(recording)


def _sweep(
    where: Where,
    collective: str,
    chunks: int | str | None,
    root: int | None,
    parameters: dict[str, int],
) -> Any:
    """Times on the machine, from the options of the algorithms."""
    from animations.figures.sweep import Sweep
    from collectives.cli.subject import CatalogSubject
    from collectives.collective import find_collective

    CatalogSubject((), root=root).refuse_root(find_collective(collective))
    number = chunks if isinstance(chunks, int) else None
    return Sweep(where.setup(), number, root or 0, parameters)
