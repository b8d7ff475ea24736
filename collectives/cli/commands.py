"""The command line, and the verbs that run, check and time: their options and their help."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from collectives.cli import measure_commands, show_commands, teach_commands, work_commands
from collectives.cli import options as opt
from collectives.cli.runner import Commands, finish
from collectives.errors import DISTRIBUTION

if TYPE_CHECKING:
    from collectives.cli.run import RunOptions
    from collectives.cli.subject import Subject
    from collectives.cli.time import Asked

RESULT = opt.file("a result or a recording", ".npy", ".npz", ".json")


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
        from collectives.cost.machine_list import LISTS

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
@opt.option(
    "--like",
    None,
    "ALGORITHM",
    "Grade your own function: it takes no more steps, messages and bytes than this.",
)
@opt.JSON
def check(
    subject: Subject, numbers: tuple[int, ...] | None, like: str | None, as_json: bool
) -> None:
    """Prove an algorithm, or `all`, for many numbers of ranks.

    It compares the contributions to every slot with the promise of the collective, values with
    numpy's results, and counts with the closed forms. Up to 9 ranks it tries every root.

    \b
    Example:
      collectives check all-reduce ring -n 1-16
      collectives check broadcast tree -n 2,4,8
      collectives check all -n 1-4
      collectives check mine.py:my_broadcast --slots 1 --like tree
    """
    from collectives.cli.check import check_subject

    check_subject(subject, numbers, like, as_json)


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
    "--measured", opt.text("out.txt"), "FILE", "Output of nccl-tests, to show beside the model."
)
@opt.together(*opt.TROUBLE)
@opt.option("--by", opt.by, "topk=1,2,4", "Rank all algorithms at each value; n=8,16 for ranks.")
@opt.option("--without", opt.members, "3,5", "Ranks that leave: time what the others run instead.")
@opt.JSON
@opt.option(
    "-o", opt.trace, "FILE.trace.json", "Also write a trace for ui.perfetto.dev.", to="output"
)
@opt.gather("cli.time", "Asked", "asked")
def time_schedule(asked: Asked, like: str | None, measured: str | None) -> None:
    """Say how long an algorithm takes on a machine, and why.

    Given only a collective, it ranks all algorithms that fit this machine, fastest first, and says
    why. --chunks best finds the fastest number of chunks. Sizes: GB is 10^9 bytes, GiB is 2^30.

    A trace shows when each message leaves and arrives, and what each link carries. --measured
    shows the output of nccl-tests (all_reduce_perf and others) beside the model. --without shrinks
    the communicator, as ncclCommShrink does: the others are renumbered, their schedule is timed.

    \b
    Example:
      collectives time all-reduce ring -n 8 --size 1GiB --topology hgx-h100
      collectives time all-reduce --size 64MiB --topology cluster:nics=4 -n 32
      collectives time all-reduce --like nccl --size 1MiB --topology hgx-h100
      collectives time dispatch --by topk=1-8 --size 1MiB --topology cluster -n 16
      collectives time broadcast ring --size 1GB --topology ring --dead 1-2
      collectives time all-reduce ring -n 8 --size 1GiB -o ring.trace.json
    """
    from collectives.cli.time import time_subject

    time_subject(asked, like, measured)


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
    from collectives.evidence.claims import answers, remarks
    from collectives.evidence.claims_report import ClaimsReport

    say_report(ClaimsReport(answers(names), remarks(names)), as_json)


for group in (
    show_commands.verbs,
    work_commands.verbs,
    measure_commands.verbs,
    teach_commands.verbs,
):
    cli.commands.update(group.commands)
