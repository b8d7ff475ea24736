"""The verbs for teaching: their options and their help."""

from __future__ import annotations

from typing import Any

import click

from collectives.cli import options as opt

SHEET = opt.file("a sheet", ".txt", ".md", ".gift", ".xml", ".zip", ".json")

verbs = click.Group("teach")


@verbs.command()
@click.argument("topic", nargs=-1, metavar="[TOPIC]")
@opt.option("--kind", None, "KIND", "What is asked; --list shows the kinds.")
@opt.option("--seed", opt.number(0), "N", "Another seed, another exercise (0).", default=0)
@opt.option(
    "--number", opt.number(1), "N", "So many exercises on one sheet (default 1).", default=1
)
@click.option("-c", "--answer", is_flag=True, help="Print the answer, too; of a sheet the key.")
@click.option("--list", "as_list", is_flag=True, help="List the kinds of exercises.")
@opt.option(
    "-o",
    SHEET,
    "FILE",
    ".txt or .md to print, .gift for Moodle, .xml (QTI 1.2, Canvas), .zip (QTI 2.1), .json.",
    to="output",
)
@opt.JSON
def exercise(topic: tuple[str, ...], **options: Any) -> None:
    """Print an exercise with one right answer, made from a seed.

    TOPIC is an algorithm, a collective, both, or a kind of exercise; any by default. The right
    answer is found by executing. The same words and seed give the same exercise; with --number
    they give a sheet, whose seed is printed on it.

    TOPIC inventory is the concept inventory: twenty items, each wrong answer a misconception; every
    seed is a parallel form (docs/inventory.md).

    Files for learning systems hold the answers and their feedback.

    \b
    Example:
      collectives exercise ring --seed 7
      collectives exercise ring --seed 7 -c
      collectives exercise all-reduce --kind wrong-step
      collectives exercise ring --number 5 --seed 7 -o ring.md
      collectives exercise all-reduce --number 10 -o all-reduce.gift
      collectives exercise inventory --seed 7
      collectives exercise --list
    """
    from collectives.cli.exercise import print_exercise

    print_exercise(topic, **options)
