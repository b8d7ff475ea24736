"""Every verb of the command line: its options and its help; the work is done in its own file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from collectives.choices import BACKENDS, LAUNCHERS, PROGRAMS
from collectives.cli import options as opt
from collectives.cli.runner import Commands, LaterCommands, finish
from collectives.errors import DISTRIBUTION

if TYPE_CHECKING:
    from collectives.cli.launch import LaunchOptions
    from collectives.cli.run import RunOptions
    from collectives.cli.subject import Subject
    from collectives.cli.time import Asked

RESULT = opt.file("a result or a recording", ".npy", ".npz", ".json")
PAGE = opt.file("a page", ".html")
LAUNCHED = opt.file("a figure", ".svg", ".png", ".pdf")
MACHINE_FILE = opt.file("a machine", ".toml")
COMPARISON = opt.file("a comparison", ".mp4", ".png", ".html")

LOG = opt.file("a log", ".svg", ".png", ".pdf", ".json", ".xml")


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name=DISTRIBUTION, message="collectives %(version)s")
def cli() -> None:
    """Collective operations: executed step by step, proved, counted, and shown.

    SUBJECT is COLLECTIVE ALGORITHM | FILE.json | FILE.xml | FILE.et [ALGORITHM] | MODULE:FUNCTION
    | FILE.py:FUNCTION.

    \b
    Example:
      collectives run all-reduce ring -n 4

    \b
    Exit status:
      0 done, 1 an algorithm is wrong, 2 bad input,
      3 something optional is not installed,
      4 a defect of collectives, 130 interrupted
    """


def main(arguments: list[str] | None = None) -> None:
    """Run the command line."""
    finish(cli, arguments)


@cli.command("list")
@click.argument("words", nargs=-1, metavar="[COLLECTIVE] [ALGORITHM]")
@opt.JSON
def list_rows(words: tuple[str, ...], as_json: bool) -> None:
    """List the algorithms, or show everything about one of them.

    It also lists the other choices: machines, links, libraries. list nccl NAME explains any name of
    NCCL's: an algorithm, a protocol, a kernel, a transport, a variable.

    \b
    Example:
      collectives list
      collectives list all-reduce
      collectives list all-reduce bruck
      collectives list machines
      collectives list nccl LL128
      collectives list --json
    """
    from collectives.catalog.list_report import NAMES, OTHERS, listed_rows
    from collectives.cli.console import say_report

    if words and (words[0].lower() == NAMES or words[0].upper().startswith("NCCL_")):
        from collectives.cost.libraries.nccl.nccl_names import nccl_names

        name = " ".join(words[1:] if words[0].lower() == NAMES else words)
        return say_report(nccl_names(name), as_json)
    if len(words) == 1 and words[0].lower() in OTHERS:
        from collectives.cost.listed import LISTS

        return say_report(LISTS[words[0].lower()](), as_json)
    say_report(listed_rows(words), as_json)


@cli.command()
@opt.subject(opt.ranks("Number of ranks (default 4, or the rows of --data)."))
@opt.option("--dtype", None, "T", "Element type (default int64); bfloat16 too.")
@opt.option("--op", None, "OP", "sum, prod, min, max or avg (default sum).")
@opt.option(
    "--data", None, "FILE", "Input: a .npy or .npz [rank, element], or one .npy per rank: 'r*.npy'."
)
@click.option("--counts-only", is_flag=True, help="Count without executing; for many ranks.")
@click.option("--exact", is_flag=True, help="Compare sums of floats with math.fsum, too.")
@opt.option("--steps", opt.span, "A-B", "Show only these steps.", to="span")
@opt.JSON
@opt.option("-o", RESULT, "FILE", "RESULT.npy, RESULT.npz or RECORDING.json.", to="output")
@opt.gather("cli.run", "RunOptions", "options")
def run(subject: Subject, options: RunOptions) -> None:
    """Execute an algorithm, prove it, show every step and count.

    Each row of the data is the input of one rank; a .npz may hold several arrays [rank, ...].
    The result is compared with numpy's result, and a difference that is only float rounding is
    shown as rounding.

    \b
    Example:
      collectives run all-reduce ring -n 4
      collectives run broadcast tree -n 6 --root 2 --steps 1-2
      collectives run reduce-scatter ring -n 3 --dtype float32 -o result.npy
    """
    from collectives.cli.run import run_subject

    run_subject(subject, options)


@cli.command()
@opt.subject(
    opt.option(
        "-n",
        opt.numbers,
        "N",
        "Numbers of ranks, as 8, 2,4,8 or 1-16 (default 1-33).",
        to="numbers",
    )
)
@opt.JSON
def check(subject: Subject, numbers: tuple[int, ...] | None, as_json: bool) -> None:
    """Prove an algorithm, or `all`, for many numbers of ranks.

    It compares the contributions to every slot with the promise of the collective, values with
    numpy's results, and counts with the closed forms. Up to 9 ranks it tries every root.

    \b
    Example:
      collectives check all-reduce ring -n 1-16
      collectives check broadcast tree -n 2,4,8
      collectives check all -n 1-4
    """
    from collectives.cli.check import check_subject

    check_subject(subject, numbers, as_json)


@cli.command("time")
@opt.subject(
    opt.ranks("Number of ranks (default: the machine's, else 4)."),
    opt.chunks(opt.BEST, "Chunks of a pipeline (default 4), or best."),
)
@opt.SIZE
@opt.machine(opt.CLOCK)
@opt.option(
    "--like",
    None,
    "LIBRARY",
    "Time the algorithm that this library would choose (see list libraries).",
)
@opt.option(
    "--measured",
    opt.text("out.txt"),
    "FILE",
    "Output of nccl-tests, to show beside the model.",
)
@opt.together(*opt.TROUBLE)
@opt.JSON
@opt.option(
    "-o", opt.trace, "FILE.trace.json", "Also write a trace for ui.perfetto.dev.", to="output"
)
@opt.gather("cli.time", "Asked", "asked")
def time_schedule(asked: Asked, like: str | None, measured: str | None) -> None:
    """Say how long an algorithm takes on a machine, and what limits it.

    Given only a collective, it ranks all algorithms that fit this machine, fastest first, and says
    why. --chunks best finds the fastest number of chunks. Sizes: GB is 10^9 bytes, GiB is 2^30.

    A trace shows when each message leaves and arrives, and what each link carries. --measured
    shows the output of nccl-tests (all_reduce_perf and others) beside the model.

    \b
    Example:
      collectives time all-reduce ring -n 8 --size 1GiB --topology hgx-h100
      collectives time all-reduce --size 64MiB --topology cluster:nics=4 -n 32
      collectives time all-reduce --like nccl --size 1MiB --topology hgx-h100
      collectives time broadcast ring --size 1GB --topology ring --dead 1-2
      collectives time all-reduce ring -n 8 --size 1GiB -o ring.trace.json
    """
    from collectives.cli.time import time_subject

    time_subject(asked, like, measured)


@cli.command()
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
@opt.SHEET
@opt.LANGUAGE
@opt.option(
    "--seconds", opt.seconds, "60", "Target length in seconds; narration may change it a little."
)
@opt.option("--steps", opt.span, "A-B", "Only these steps, without title and end cards.")
@click.option("--sections", is_flag=True, help="Also write a folder with a film of each step.")
@opt.option(
    "--voice",
    opt.text("ring.wav"),
    "FILE.wav",
    "A recorded voice; FILE.json or FILE.srt beside it has its times.",
)
@click.option(
    "--transcript", is_flag=True, help="Also write a transcript with stills, and a script."
)
@click.option("--no-cache", is_flag=True, help="Do not reuse or keep rendered parts of films.")
@opt.gather("cli.video", "Wanted", "wanted")
def video(subject: Subject, **options: Any) -> None:
    """Render a film of an algorithm, with subtitles beside it.

    Defaults: 64 MiB on an hgx-h100 (a cluster above 8 ranks); change with --size and --topology.
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
      collectives video all-reduce ring -n 8 --steps 3-5
      collectives video all-reduce ring --format slides -o ring
      collectives video all-reduce ring --language es
    """
    from collectives.cli.video import make_video

    make_video(subject, **options)


@cli.command()
@click.argument("name", required=False)
@click.option("--all", "every", is_flag=True, help="Render every lecture, into a folder.")
@opt.LANGUAGE
@opt.QUALITY
@opt.THEME
@opt.option(
    "-o",
    opt.text("ring.mp4"),
    "FILE.mp4",
    "Default file: lecture-2-ring.mp4; with --all a folder.",
    to="output",
)
def lecture(**options: Any) -> None:
    """Render the film of a lecture, with subtitles and a contact sheet.

    Without a NAME, list the lectures. --all renders every lecture; after an interruption it
    continues where it stopped.

    \b
    Example:
      collectives lecture
      collectives lecture ring -q l
      collectives lecture ring --language es
      collectives lecture --all -o lectures
    """
    from collectives.cli.lecture import make_lectures

    make_lectures(**options)


@cli.command()
@click.argument("words", nargs=-1, required=True, metavar="COLLECTIVE ALGORITHM … | SUBJECT …")
@opt.RANKS
@opt.ROOT
@opt.CHUNKS
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
@opt.JSON
@opt.gather("cli.subject", "Subject")
def compare(subject: Subject, **options: Any) -> None:
    """Show two to four algorithms side by side, on one clock.

    It says which algorithm finishes first, why, which step waits for what, and at which sizes
    another algorithm wins; --json prints this alone. All have the same input on the same machine.
    Beside algorithms of the catalog it takes FILE.json, FILE.xml, FILE.et and FILE.py:FUNCTION.
    Defaults: 64 MiB on an hgx-h100 (a cluster above 8 ranks); change with --size and --topology.

    \b
    Example:
      collectives compare all-reduce ring tree --size 64KiB -n 8
      collectives compare all-reduce ring tree nvls -n 8 -o race.png
      collectives compare all-reduce ring mine.py:my_all_reduce saved.json --json
      collectives compare all-reduce ring hierarchical -n 16 -o race.html
      collectives compare all-reduce ring tree --topology ring --slow-link 0-1=0.1
    """
    from collectives.cli.compare import compare_algorithms

    compare_algorithms(subject, **options)


@cli.command()
@opt.subject()
@opt.troubled(opt.SHOWN_CLOCK)
@opt.option("-o", PAGE, "FILE.html", "Default file: ./ring-all-reduce-4.html.", to="output")
@opt.PAGE_THEME
@opt.STAGE
@opt.option(
    "--also", None, "SUBJECT", "Another algorithm on the same page (repeatable).", multiple=True
)
@click.option("--ask", is_flag=True, help="Ask what comes next before showing it.")
def page(subject: Subject, **options: Any) -> None:
    """Write one HTML file that steps through an algorithm.

    The page goes forward and back; it needs no network and no other file. Keys: arrows, Home, End,
    Space; ? shows help. Defaults: 64 MiB on an hgx-h100 (a cluster above 8 ranks); change with
    --size and --topology.

    With --ask it asks which chunk comes next, what a cell will hold, how much a rank has sent. The
    next step stays locked until you answer.

    \b
    Example:
      collectives page all-reduce ring -n 8 -o ring.html
      collectives page all-reduce ring -n 8 --ask
      collectives page all-reduce ring --topology hgx-h100 --size 1GiB
      collectives page all-reduce ring -n 8 --also tree --also "broadcast ring"
    """
    from collectives.cli.draw import make_page

    make_page(subject, **options)


@cli.command()
@opt.subject()
@opt.choice("--for", PROGRAMS, "The library that the program uses.", to="library", required=True)
@opt.option("--dtype", None, "T", "Element type (default int64).")
@opt.option("--op", None, "OP", "sum, prod, min, max or avg (default sum).")
@opt.option(
    "-o", opt.file("a program", ".py"), "FILE.py", "Write the program to this file.", to="output"
)
def program(subject: Subject, **options: Any) -> None:
    """Print an algorithm as a program for mpi4py or torch.distributed.

    The program runs under mpirun or torchrun without this package. It has a function for each
    rank and a line for each message. The algorithm is proved before the program is printed.

    \b
    Example:
      collectives program all-reduce ring -n 4 --for mpi4py
      collectives program all-reduce ring -n 4 --for torch -o ring.py
    """
    from collectives.cli.program import print_program

    print_program(subject, **options)


@cli.command()
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


@cli.command()
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


@cli.command()
@click.argument("paths", nargs=-1, required=True, metavar="FILE …")
@opt.JSON
@opt.option("-o", LOG, "FILE", "A drawing, or the algorithm as .json or .xml.", to="output")
@opt.option(
    "--algorithm",
    opt.one_of(("ring", "tree")),
    "ring|tree",
    "Algorithm to draw or write (default ring).",
    default="ring",
)
@opt.THEME
def log(paths: tuple[str, ...], **options: Any) -> None:
    """Explain an NCCL log: who talks to whom, how, and what is slow.

    FILE is the output of a program with NCCL_DEBUG=INFO, or the NCCL_DEBUG_FILE of each process.
    With NCCL_DEBUG_SUBSYS=INIT,GRAPH,TUNING it also names the algorithms that ran. The rings and
    trees of the log are executed and proved. -o nccl.svg draws nodes, ranks and their connections;
    -o ring.json writes the algorithm as a subject for other commands.

    \b
    Example:
      collectives log nccl.log
      collectives log nccl.log -o nccl.svg
      collectives log nccl.log -o ring.json
    """
    from collectives.cli.log import explain_log

    explain_log(paths, **options)


@cli.command()
@opt.option("-n", opt.numbers, "4,8,16", "Numbers of ranks, 1 to 16 (default 4,8,16).", to="ranks")
@opt.option("-o", PAGE, "FILE.html", "File to write.", to="output")
@opt.PAGE_THEME
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


@cli.command()
@click.argument("names", nargs=-1, metavar="[PAGE or CLAIM, as C or C2]")
@click.option("--measured", is_flag=True, help="Show measured times beside the model instead.")
@opt.JSON
def claims(names: tuple[str, ...], measured: bool, as_json: bool) -> None:
    """Show claims of widely read pages beside the computed numbers.

    \b
    Example:
      collectives claims
      collectives claims C
      collectives claims C2 D15 --json
      collectives claims --measured
    """
    from collectives.cli.console import say_report
    from collectives.errors import BadInput
    from collectives.words import brief

    if measured and names:
        raise BadInput(f"--measured shows every row; leave {brief(names[0])} out")
    if measured:
        from collectives.evidence.measured import MeasuredReport, compare

        return say_report(MeasuredReport(compare()), as_json)
    from collectives.evidence.claims import answers
    from collectives.evidence.claims_report import ClaimsReport

    say_report(ClaimsReport(answers(names)), as_json)


@cli.command(context_settings={"ignore_unknown_options": True})
@click.argument("options", nargs=-1, type=click.UNPROCESSED, metavar="[OPTIONS OF JUPYTERLAB]")
@opt.option("--copy", None, "FOLDER", "Copy the lectures into this folder instead.")
def lab(options: tuple[str, ...], copy: str | None) -> None:
    """Open JupyterLab on the lectures, or copy them.

    A checkout opens its own lectures. An installed package opens ./collectives-lectures and copies
    the missing lectures into it; lectures that are already there keep your answers.

    \b
    Example:
      collectives lab
      collectives lab --copy lectures
      collectives lab --no-browser --port=9999
    """
    from collectives.cli.lab import copy_lectures, open_lab

    if copy is None:
        open_lab(options)
    else:
        copy_lectures(copy, options)


@cli.group(cls=LaterCommands, home="collectives.cli.figure", subcommand_metavar="KIND …")
def figure() -> None:
    """Draw a figure for slides from executed counts and modeled times.

    Each KIND has its own help: collectives figure KIND --help.

    \b
    Example:
      collectives figure traffic all-reduce ring -n 8
      collectives figure time-size all-reduce ring recursive-doubling
      collectives figure topology hgx-h100 -o hgx.png --theme light
    """
