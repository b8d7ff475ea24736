"""The verbs for teaching: their options and their help."""

from __future__ import annotations

from typing import Any

import click

from collectives.cli import options as opt

MARKS = opt.file("marks", ".csv")
SHEET = opt.file("a sheet", ".txt", ".py", ".md", ".gift", ".xml", ".zip", ".json")

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

    exercise new FILE.py writes homework for a class, with its solution and its key, to be changed
    at will; exercise handout FILE.py -o HANDOUT.py writes the students' copy, once the solution has
    earned all points. collectives grade marks what comes back.

    \b
    Example:
      collectives exercise ring --seed 7
      collectives exercise ring --seed 7 -c
      collectives exercise all-reduce --kind wrong-step
      collectives exercise ring --number 5 --seed 7 -o ring.md
      collectives exercise all-reduce --number 10 -o all-reduce.gift
      collectives exercise inventory --seed 7
      collectives exercise --list
      collectives exercise new ring_lab.py
      collectives exercise handout ring_lab.py -o handout.py
    """
    if topic[:1] in (("new",), ("handout",)):
        from collectives.cli.grade import write_homework

        write_homework(topic, **options)
        return
    from collectives.cli.exercise import print_exercise

    print_exercise(topic, **options)


@verbs.command()
@click.argument("folder", metavar="FOLDER")
@opt.option("--key", None, "FILE.py", "Your file with solution and key; by default looked for.")
@opt.option(
    "-o", MARKS, "FILE.csv", "Write the marks, and FILE.html: what most got wrong.", to="output"
)
@opt.option("--seconds", opt.number(1, 3600), "S", "Limit of each file (30).", default=30)
@opt.JSON
def grade(folder: str, **options: Any) -> None:
    """Mark what a class has handed in, and say what most got wrong.

    What is right earns more the nearer its steps, messages, bytes and time are to the least.

    FOLDER holds submitted/STUDENT/ASSIGNMENT/FILE.py (nbgrader), ASSIGNMENT-STUDENT/FILE.py (GitHub
    Classroom) or STUDENT.py. The key is the file that exercise new has made: in FOLDER, in its
    source/ or beside it.

    Each file runs in a process of its own, with limits of time, memory and output; on Linux it
    reaches neither the network nor files. Only its steps come back. The exit status is 0, whatever
    the marks are.

    \b
    Example:
      collectives grade ring-lab-submissions --key ring_lab.py -o marks.csv
    """
    from collectives.cli.grade import grade_class

    grade_class(folder, **options)
