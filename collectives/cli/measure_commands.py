"""The verbs for measurements and training: their options and their help."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import click

from collectives.cli import options as opt
from collectives.errors import BadInput
from collectives.words import quoted

if TYPE_CHECKING:
    from collectives.cost.where import Where

TABLE = opt.file("a table", ".csv")
MACHINE = opt.file("a machine", ".toml")

verbs = click.Group("measure")


def swept(text: str, name: str) -> list[int]:
    """A size, or the powers of two from one to another.

    >>> swept("1KiB-4KiB", "--size"), swept("1MB", "--size")
    ([1024, 2048, 4096], [1000000])
    """
    if text.endswith("-"):
        raise BadInput(f"{name} {quoted(text)}: must be a size or a range; try: 1KiB-1GiB")
    if "-" not in text[1:]:
        return [opt.measured("parse_size", opt.MOST_BYTES)(text, name)]  # type: ignore[list-item]
    smallest, largest, _ = opt.sizes(text, name)
    return [smallest << power for power in range((largest // smallest).bit_length())]


def real(text: str, name: str) -> float:
    """A number, such as 4e14.

    >>> real("4e14", "--flops")
    400000000000000.0
    """
    if not re.fullmatch(r"[+-]?[0-9]{1,30}(\.[0-9]{0,30})?([eE][+-]?[0-9]{1,2})?", text):
        raise BadInput(f"{name} {quoted(text)}: must be a number; try: {name} 1")
    return float(text)


SIZES = opt.option(
    "--size",
    swept,
    "1GiB|A-B",
    "A size, or a range by powers of two (default 8B-8GiB); may be repeated.",
    to="sizes",
    multiple=True,
)


@verbs.command()
@click.argument("collective")
@opt.ranks("Number of ranks (default: the machine's).")
@opt.machine(usual="none")
@opt.option("--like", None, "LIBRARY", "Library whose choice is timed (default nccl).")
@SIZES
@opt.JSON
@opt.option("-o", TABLE, "FILE.csv", "Also write the table to this file.", to="output")
def expect(collective: str, where: Where, **options: Any) -> None:
    """Say what a measurement should show on a machine, by size.

    The table has time, algbw, busbw and the algorithm that NCCL would take. The range beside
    them is how far measurements that others posted lie from this model, at such sizes on such
    machines: narrow at 1 GiB, wide at 1 MiB. Where nobody posted any, the table says so.

    \b
    Example:
      collectives expect all-reduce --topology hgx-h100
      collectives expect all-reduce -n 16 --topology cluster --size 1MiB-1GiB
      collectives expect all-gather -n 8 --topology hgx-a100 -o expected.csv
    """
    from collectives.cli.expect import print_expectation

    print_expectation(collective, where, **options)


@verbs.command()
@click.argument("paths", nargs=-1, required=True, metavar="FILE …")
@opt.ranks("Number of ranks (default: those of the files).")
@opt.machine(usual="that of the header")
@opt.option("--collective", opt.text("all-reduce"), "NAME", "What a file measures.")
@opt.JSON
def diagnose(paths: tuple[str, ...], where: Where, **options: Any) -> int:
    """Say whether nccl-tests output is healthy; if not, why.

    FILE is the output of all_reduce_perf or another, or one file of each node. The verdict is
    healthy, k times too slow from a size on, wrong results, or cannot say. It goes by what NCCL
    would do on the machine, and by the ranges of collectives expect. Causes come with the times
    that they would make; none of them is certain.

    \b
    Exit status: 0 healthy, 1 too slow or wrong results, 2 cannot say

    \b
    Example:
      collectives diagnose out.txt
      collectives diagnose out.txt --topology hgx-a100 --json
    """
    from collectives.cli.diagnose import print_health

    return print_health(paths, where, **options)


@verbs.command()
@click.argument("paths", nargs=-1, required=True, metavar="FILE …")
@opt.option("-o", MACHINE, "FILE.toml", "The machine's file.", to="output", required=True)
@opt.ranks("Number of ranks (default: those of the files).")
@opt.option("--nodes", opt.number(1, 2), "N", "Number of nodes (default: hosts of the files).")
@opt.option("--collective", opt.text("all-reduce"), "NAME", "What a file measures.")
@opt.JSON
def calibrate(paths: tuple[str, ...], **options: Any) -> None:
    """Write a machine from measured rows.

    FILE is the output of all_reduce_perf or another, of runs on one node and on several. Latencies
    and bandwidths of links are fitted to every other size; the report says how well the machine
    foretells the sizes that were held back. time, expect and compare take it as --topology.

    \b
    Example:
      collectives calibrate out.txt -o node.toml
      collectives calibrate out.txt --nodes 1 --json -o node.toml
    """
    from collectives.cli.calibrate import print_calibration

    print_calibration(paths, **options)


def scheme_names(text: str, name: str) -> list[str]:
    """The names in a list.

    >>> scheme_names("ddp, fsdp", "--scheme")
    ['ddp', 'fsdp']
    """
    listed = [word.strip() for word in text.split(",")]
    if not all(listed):
        raise BadInput(f"{name} {quoted(text)}: a name is empty; try: {name} ddp,fsdp")
    return listed


@verbs.command()
@opt.option(
    "--parameters", opt.measured("parse_parameters"), "P", "Parameters of the model, as 7B or 7e9."
)
@opt.option("--ranks -n", opt.number(1, 8), "N", "Number of GPUs.", to="ranks")
@opt.machine(usual="none")
@opt.option(
    "--scheme",
    scheme_names,
    "NAME[,NAME …]",
    "ddp, zero-1, zero-2, zero-3, fsdp, tensor=K (default ddp,fsdp).",
    to="schemes",
)
@opt.option("--tokens", opt.number(1, 8192), "T", "Tokens of a GPU in a step (default 8192).")
@opt.option("--flops", real, "F", "Operations per second of a GPU (default 400e12).")
@opt.option(
    "--bucket",
    opt.measured("parse_size", opt.MOST_BYTES),
    "SIZE",
    "Gradients sent together (default 25MiB in ddp, else 1GB).",
)
@opt.option("--compression", None, "TYPE", "Type in which gradients are sent: fp8, int8, fp4.")
@opt.option("--layers", opt.number(1, 32), "L", "Layers of the model, for tensor=K.")
@opt.option("--hidden", opt.number(1, 4096), "H", "Its numbers of each token, for tensor=K.")
@opt.option(
    "--shard",
    opt.text("'S0,R -> R,R'"),
    "CHANGE",
    "Of a tensor on a mesh of GPUs: S0, R or P for each axis.",
    to="change",
)
@opt.option(
    "--matmul", opt.counts, "T,H,F", "x (T × H), gathered, times W (H × F); in pieces, too."
)
@opt.option("--shape", opt.counts, "A,B,…", "Of that tensor.")
@opt.option("--mesh", opt.counts, "A,B,…", "GPUs along each axis; the last has neighbors.")
@opt.option("--dtype", opt.text("bf16"), "TYPE", "Of that tensor (default bf16).")
@opt.option("--price", real, "DOLLARS", "Of a GPU and hour (default 4.92; the output cites it).")
@opt.JSON
def train(where: Where, change: str | None, matmul: tuple[int, ...] | None, **options: Any) -> None:
    """Say what a training step costs: bytes, time, memory, dollars.

    Schemes stand side by side. Collectives are executed and timed on the machine, on the timeline
    of a step: what the passes do not hide makes it longer. The table also has the bandwidth that
    would hide all communication, and the number of GPUs beyond which it takes longer than the
    passes. In tensor=8, 8 consecutive ranks share every layer, and such groups share the batch.
    --shard says which collectives turn a sharding of a tensor into another, and their bytes;
    --matmul what it gains to cut a product of a gathered matrix in pieces.

    \b
    Example:
      collectives train --parameters 7B --ranks 64 --topology cluster
      collectives train --parameters 7e9 -n 8 --topology hgx-h100 --scheme fsdp
      collectives train --parameters 7B -n 8 --topology hgx-h100 --scheme tensor=8
      collectives train --shard "S0,R -> R,R" --shape 8192,4096 --mesh 2,4
      collectives train --matmul 8192,4096,14336 -n 8 --topology hgx-h100
    """
    from collectives.cli.train import print_product, print_resharding, print_training

    tensor = {name: options.pop(name) for name in ("shape", "mesh", "dtype")}
    if change is not None:
        print_resharding(where, change, **tensor, matmul=matmul, **options)
        return
    for name, value in tensor.items():
        if value is not None:
            raise BadInput(f"--{name}: only beside --shard; try: --shard 'S0 -> R'")
    if matmul is not None:
        print_product(where, matmul, **options)
        return
    print_training(where, **options)
