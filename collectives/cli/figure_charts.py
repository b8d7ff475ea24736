"""The kinds of the verb `figure` that plot curves: their options, their help, what they plot."""

from __future__ import annotations

from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from collectives.cli import options as opt
from collectives.cli.figure_file import Drawing, drawn, plain
from collectives.errors import BadInput
from collectives.values import one_of
from collectives.words import plural

if TYPE_CHECKING:
    from collectives.cost.where import Where

MIB, GIB = 1 << 20, 1 << 30
DEFAULT_RANKS, CLIFF_RANKS = 8, 128
CLIFF = ("all-reduce", "ring", "hierarchical")

COMPARED: opt.Decorator[Any] = opt.together(
    click.argument("collective"),
    click.argument("algorithms", nargs=-1, metavar="[ALGORITHM …]"),
    opt.ROOT,
    opt.chunks(opt.BEST, "Chunks of pipelines (default: best, each time)."),
    opt.PARAMETERS,
)
COLLECTIVE = click.argument("collective")

kinds = click.Group("charts")


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
    return draw_sizes, (data, binary), f"{plain(collective)}-{ranks}"


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
    return draw_ranks, (data,), plain(collective)


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
    return draw, (data,), f"{plain(collective)}-{ranks}"


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

    return draw, (bus_bandwidth(collective, gpu, ranks),), plain(collective)


@kinds.command()
@opt.SIZE
@opt.machine(usual="hgx-h100")
@drawn
def delivery(size: int | None, where: Where) -> Drawing:
    """Show a message with a handshake, as a put, with flags.

    It goes between neighboring ranks of the machine, the slowest of them.

    \b
    Example:
      collectives figure delivery
      collectives figure delivery --size 64KiB --topology cluster
    """
    from animations.figures.delivery import delivery, draw
    from collectives.cost.machines import topology

    place = where if where.is_given else replace(where, name="hgx-h100")
    ranks = place.ranks(None) or CLIFF_RANKS
    machine = place.own if place.is_own else topology(place.machine, ranks, **place.parameters)
    return draw, (delivery(MIB if size is None else size, machine),), plain(place.called)


@kinds.command()
@click.argument("name")
@opt.SIZE
@drawn
def transport(name: str, size: int | None) -> Drawing:
    """Show how data travels in a server and between two.

    \b
    p2p      over NVLink, or PCIe
    shm      through memory of the host
    net      GPUDirect RDMA, or a bounce through memory of the host
    pxn      relay through a GPU, or over the link of the CPUs
    nvls     NVSwitch multicasts and adds
    collnet  a switch of the network adds
    ll       buffers of LL, LL128 and Simple

    \b
    Example:
      collectives figure transport pxn
      collectives figure transport net --size 64MiB
    """
    from animations.figures.transport import draw
    from collectives.cost.data_ways import PICTURES

    one_of("transport", name := name.lower(), PICTURES)
    return partial(draw, size=MIB if size is None else size), (name,), name


@kinds.command("expect")
@COLLECTIVE
@opt.ranks("Number of ranks (default: the machine's).", minimum=2)
@opt.option(
    "--size", opt.sizes, "A-B", "Range of sizes (default 64KiB-8GiB).", default="64KiB-8GiB"
)
@opt.machine(usual="none")
@opt.option("--like", None, "LIBRARY", "Library whose choice is shown (default nccl).")
@opt.option("--measured", opt.text("out.txt"), "FILE", "Output of nccl-tests, drawn over it.")
@drawn
def expected_range(
    collective: str, size: tuple[int, int, bool], where: Where, **options: Any
) -> Drawing:
    """Show what a measurement should show, with its range.

    The band is how far posted measurements lie from the model; see collectives expect --help.

    \b
    Example:
      collectives figure expect all-reduce --topology hgx-h100
      collectives figure expect all-reduce -n 16 --topology cluster
    """
    from animations.figures.expected_range import draw, overlaid

    return draw, (overlaid(collective, where, size[:2], **options),), plain(collective)


@kinds.command("bits")
@COLLECTIVE
@opt.BITS
@drawn
def addition_map(collective: str, **options: Any) -> Drawing:
    """Show which elements a library adds in which order.

    Each order has a color. With --against, a second bar is another setup, and a third one marks
    the elements that it adds in another order; see collectives bits --help.

    \b
    Example:
      collectives figure bits all-reduce --like openmpi -n 3 --size 4KiB
      collectives figure bits all-reduce --like gloo --size 4KiB --against ranks=4
    """
    from animations.figures.addition_map import draw, drawn_map
    from collectives.cli.bits import asked_map

    return draw, (drawn_map(asked_map(collective, **options)),), plain(collective)


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
    return draw, (data,), plain(collective)


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
