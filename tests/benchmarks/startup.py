"""How long it takes until something can be done."""

from collections.abc import Iterator

from tests.benchmarks.measure import line, process_cpu, python


def imports() -> Iterator[str]:
    """`import collectives` beside numpy, `collectives --help` beside click."""
    for what, mine, peer, goal in (
        ("import collectives", "import collectives", "import numpy", "<= 1.2"),
        (
            "import collectives and record",
            "from collectives import record",
            "import numpy",
            "none set",
        ),
        (
            "collectives --help",
            "import sys; sys.argv[1:] = ['--help']; from collectives.__main__ import main; main()",
            "import click",
            "<= 2",
        ),
    ):
        own, other = process_cpu(python(mine), 9), process_cpu(python(peer), 9)
        yield line(
            what,
            f"{own / other:.2f} x {peer}",
            goal,
            f"{own * 1e3:.0f} ms against {other * 1e3:.0f} ms CPU, whole processes",
        )
