"""The verbs for clusters and other programs: their options and their help."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from collectives.choices import BACKENDS, LAUNCHERS, PROGRAMS
from collectives.cli import options as opt

if TYPE_CHECKING:
    from collectives.cli.launch import LaunchOptions
    from collectives.cli.subject import Subject

LAUNCHED = opt.file("a figure", ".svg", ".png", ".pdf")
MACHINE_FILE = opt.file("a machine", ".toml")
LOG = opt.file("a log", ".svg", ".png", ".pdf", ".json", ".xml", ".html")

verbs = click.Group("work")


@verbs.command()
@opt.subject()
@opt.choice("--for", PROGRAMS, "The library that the program uses.", to="library", required=True)
@opt.option("--dtype", None, "T", "Element type (default int64).")
@opt.option("--op", None, "OP", "sum, prod, min, max or avg (default sum).")
@opt.option(
    "-o", opt.file("a program", ".py"), "FILE.py", "Write the program to this file.", to="output"
)
def program(subject: Subject, **options: Any) -> None:
    """Print an algorithm as code for mpi4py or torch.distributed.

    The program runs under mpirun or torchrun without this package. It has a function for each
    rank and a line for each message. The algorithm is proved before the program is printed.

    \b
    Example:
      collectives program all-reduce ring -n 4 --for mpi4py
      collectives program all-reduce ring -n 4 --for torch -o ring.py
    """
    from collectives.cli.program import print_program

    print_program(subject, **options)


@verbs.command()
@opt.subject()
@opt.SIZE
@opt.choice("--backend", BACKENDS, "Library that carries the messages.", required=True)
@opt.option("--dtype", None, "T", "Element type (default int64).")
@opt.option("--op", None, "OP", "sum, prod, min, max or avg (default sum).")
@opt.option("--timeout", opt.seconds, "10", "Stop after this time without progress (default 10 s).")
@opt.option(
    "--launcher",
    opt.one_of(LAUNCHERS),
    "NAME",
    "Program that starts the ranks: mpirun, torchrun or srun.",
)
@opt.option("--python", None, "PYTHON", "Python that runs the ranks; it has mpi4py or torch.")
@opt.machine(opt.FREE_CLOCK, usual="as measured")
@opt.option(
    "-o", LAUNCHED, "FILE", "Drawing of the messages in time, measured and modeled.", to="output"
)
@opt.THEME
@opt.option(
    "--save-machine",
    MACHINE_FILE,
    "FILE.toml",
    "Write the measured machine, for --topology.",
    to="saved",
)
@opt.JSON
@opt.gather("cli.launch", "LaunchOptions", "options")
def launch(subject: Subject, options: LaunchOptions) -> None:
    """Run an algorithm on real ranks: processes of MPI or torch.

    Each process makes the transfers of its rank. The result is compared, bit for bit, with the
    recording and with the library's own collective. The measured time of each step (median of 20
    runs) stands beside the modeled time on the measured machine, or on --topology. A rank that
    dies or hangs ends the launch. On one machine, MPI and gloo use only the loopback interface
    where the system allows it; the report says so.

    \b
    Example:
      collectives launch all-reduce ring -n 2 --backend mpi
      collectives launch broadcast tree -n 4 --backend mpi -o tree.svg
    """
    from collectives.cli.launch import launch_subject

    launch_subject(subject, options)


@verbs.command()
@opt.subject()
def convert(subject: Subject) -> None:
    """Write a schedule as FILE.xml or FILE.json, named last.

    FILE.xml is an MSCCL program: its thread blocks make the same transfers. FILE.json is a
    recording.

    \b
    Example:
      collectives convert all-reduce ring -n 8 ring.xml
      collectives convert ring.xml ring.json
    """
    from collectives.cli.convert import convert_subject

    convert_subject(subject)


@verbs.command()
@click.argument("paths", nargs=-1, required=True, metavar="FILE …")
@opt.JSON
@opt.option("-o", LOG, "FILE", "A drawing, the ring (.json, .xml), the stop (.html).", to="output")
@opt.option(
    "--algorithm",
    opt.one_of(("ring", "tree")),
    "ring|tree",
    "Algorithm to draw or write (default ring).",
    default="ring",
)
@opt.THEME
def log(paths: tuple[str, ...], **options: Any) -> int:
    """Say who hangs and whose call differs; explain an NCCL log.

    FILE: logs with lines of PyTorch's NCCL watchdog, dumps of its Flight Recorder (JSON or pickle,
    named by rank, such as nccl_trace_rank_3), outputs of ncclras (text or -f json), and logs with
    NCCL_DEBUG=INFO; in any mix and order, of one job. Findings come first, the worst first, each
    with what to do next.

    Of NCCL_DEBUG=INFO it says who talks to whom, how, and what is slow; with
    NCCL_DEBUG_SUBSYS=INIT,GRAPH,TUNING,COLL also which algorithms ran, and whose call differs. -o
    nccl.svg draws nodes, ranks and connections; -o ring.json writes NCCL's ring for other commands;
    -o stop.html plays a call that ranks are missing from, on a ring, up to where nobody can go on.

    \b
    Exit status: 0 nothing wrong found; 1 a hang, or ranks differ; 2 bad input

    \b
    Example:
      collectives log nccl.log
      collectives log nccl.log -o nccl.svg
      collectives log nccl.log -o ring.json
    """
    from collectives.cli.log import explain_log

    return explain_log(paths, **options)


@verbs.command()
@click.argument("collective")
@opt.BITS
@opt.option(
    "--dumps",
    opt.text("a.npy"),
    "FILE",
    "Results of two ranks or runs, a row or array for each call; twice.",
    multiple=True,
)
@opt.JSON
def bits(collective: str, dumps: tuple[str, ...], as_json: bool, **options: Any) -> int:
    """Say which elements a library adds in which order.

    LIBRARY is openmpi, mpich, gloo or nccl. The map has a line for each part of the vector that
    is added alike. --against changes something of the setup: size, ranks, root, like, topology or
    a setting of the library. The comparison names the elements that are added in another order,
    and the settings that pin it. With --dumps twice, it is the first call and element whose bits
    differ.

    NCCL's orders follow its published rules and are not verified here.

    \b
    Exit status: 0 the same order, or one map; 1 another; 2 cannot say

    \b
    Example:
      collectives bits all-reduce --like openmpi -n 3 --size 4KiB
      collectives bits all-reduce --like openmpi --size 64KiB --against like=mpich
      collectives bits all-reduce --like nccl --size 64KiB --against size=128KiB
    """
    from collectives.cli.bits import print_bits

    return print_bits(collective, dumps, as_json, **options)
