"""Measures of the course that need no class: misconceptions, mutants, surfaces, new terms."""

import ast
import re
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

from animations.lab.computed_predictions import asked_of
from animations.lab.entries import entries
from animations.lab.lab_exercise import LabExercise
from animations.lab.predictions import PREDICTED, cost
from collectives import ROWS, record
from collectives.exercises import KINDS, code_exercises, exercise, inventory
from collectives.exercises.cases import cases
from collectives.questions import questions
from collectives.questions.misconceptions import MISCONCEPTIONS
from collectives.words import percent
from tests.benchmarks.measure import line
from tests.benchmarks.new_terms import new_terms
from tests.benchmarks.one_edit import edits, judged, keeps_promise

SHEETS = range(24)
FORMS, SEEDS, PAGES, RANKS = range(12), range(8), range(4), (8, 4, 6, 9)
NAMES = {*MISCONCEPTIONS, *PREDICTED}
PREDICTIONS = Path(cost.__file__).parent
FEWEST_ITEMS = 2  # that offer a misconception
ALGORITHMS = 3
ROOT = Path(__file__).parents[2]
CONTRADICTED = tomllib.loads((ROOT / "tests/data/contradicted.toml").read_text("utf-8"))
CONCEPTS = {  # a question of pages, an exercise with code, one that asks for a number
    "what a step moves": ("next", "ring all-gather", "messages"),
    "what a slot holds": ("cell", "broken reduce-scatter", "numbers"),
    "how many steps": ("steps", "doubling broadcast", "steps"),
    "who is a partner": ("next", "xor partner", "place"),
    "how many bytes": ("bytes", "step bytes", "bytes"),
    "who works when": ("idle", "fold", "idle-steps"),
    "latency or bytes": ("faster", "crossover", "time"),
    "how many chunks": ("chunks", "best chunks", "best-chunks"),
    "the order of sums": ("sum", "ring sum", "float-sum"),
    "what a change breaks": ("line", "line", "lost"),
    "what is slow": ("slow", "bottlenecks", "slow-time"),
    "what is the least": ("fewest", "both ways", "least-bytes"),
}


def predictions() -> Iterator[tuple[str, set[str]]]:
    """The predictions of the labs, each with the misconceptions that its answers follow from."""
    for path in PREDICTIONS.glob("*.py"):
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.FunctionDef):
                texts = {leaf.value for leaf in ast.walk(node) if isinstance(leaf, ast.Constant)}
                yield f"prediction {path.stem} {node.name}", texts & NAMES
    for name in entries("prediction"):
        [question] = asked_of(name)
        yield f"prediction {name}", {option.misconception for option in question.options}


@cache
def offers() -> dict[str, dict[str, bool]]:
    """Each misconception, the items that offer it, and whether a picture answers there."""
    items: dict[str, dict[str, bool]] = defaultdict(dict)
    for row in ROWS:
        ranks = next((n for n in RANKS if row.accepts(n)), None)
        if ranks is None:
            continue
        recording = record(row.collective, row.algorithm, ranks=ranks)
        for question in (asked for seed in PAGES for asked in questions(recording, seed)):
            for choice in (*question.options, *question.reasons):
                items[choice.misconception][f"{question.kind} {row.title}"] = True
    for item, names in predictions():
        for name in names:
            items[name][item] = True
    sheets = [exercise("", kind, seed) for kind in KINDS for seed in SEEDS]
    for problem in [*sheets, *(item for seed in FORMS for item in inventory(seed).exercises)]:
        for answer in problem.answers:
            items[answer.misconception].setdefault(f"{problem.topic} {problem.kind}", False)
    return items


def misconceptions() -> Iterator[str]:
    """How many misconceptions have two items that offer them, and a picture that contradicts them.

    A question on a page and a prediction of a lab are answered by their picture; for others
    CONTRADICTED names a passage of a lecture, whose film shows what is so.
    """
    items = offers()
    for title, names in (("of items and pages", {*MISCONCEPTIONS}), ("with those of labs", NAMES)):
        twice = {name for name in names if len(items[name]) >= FEWEST_ITEMS}
        refuted = {name for name in names if any(items[name].values()) or name in CONTRADICTED}
        count = f"{len(names)} misconceptions {title}"
        yield line(f"{count}: offered by two items", percent(len(twice) / len(names)), ">= 95 %")
        yield line(f"{count}: contradicted", percent(len(refuted) / len(names)), ">= 95 %")
        seldom = ", ".join(sorted(names - twice))
        yield f"  offered by one item: {seldom}; contradicted nowhere: {sorted(names - refuted)}"


def one_edit_mutants() -> Iterator[str]:
    """What the labs' exercises on schedules say of each mutant of their solution."""
    wrong, refused, named, exact = 0, 0, 0, 0
    for name, entry in entries("exercise").items():
        if "judge" in entry:
            continue  # its answer is no schedule
        one, slots = LabExercise(name), entry.get("slots")
        for mutant in edits(one.solution):
            accepted, message = judged(one, mutant.source)
            lines = {int(number) for number in re.findall(r"line (\d+)", message)}
            if accepted:
                wrong += not all(keeps_promise(mutant.source, ranks, slots) for ranks in (2, 4, 8))
            else:
                refused, named = refused + 1, named + bool(lines)
                exact += mutant.line in lines
    yield line("one-edit mutants of solutions: wrong and accepted", str(wrong), "0")
    share, where = percent(named / refused), percent(exact / refused)
    yield line(
        f"  of {refused} refused, the message names a line", share, ">= 90 %", f"edited: {where}"
    )


def read_of(concept: str) -> set[str]:
    """The algorithms, up to ALGORITHMS, whose code an exercise asks about for a concept."""
    random, titles = Random(concept), set[str]()
    for case in cases("", random) if concept in code_exercises.ASKED else ():
        if code_exercises.asked(concept, case, random):
            titles.add(case.recording.title)
        if len(titles) == ALGORITHMS:
            break
    return titles


def surfaces() -> Iterator[str]:
    """How many concepts are asked as picture, code and number, and of three algorithms."""
    items = offers()
    pages = defaultdict(set)
    for question, row in {tuple(i.split(" ", 1)) for found in items.values() for i in found}:
        pages[question].add(row)
    whole = [name for name, kinds in CONCEPTS.items() if all(kinds)]
    several = [name for name, (kind, *_) in CONCEPTS.items() if len(pages[kind]) >= ALGORITHMS]
    lacking = ", ".join(sorted({*CONCEPTS} - {*whole}))
    for kind, code, number in CONCEPTS.values():
        assert not code or code in entries("exercise") or code in KINDS, code
        assert not number or number in KINDS, number
        assert not kind or pages[kind], kind
    total = len(CONCEPTS)
    yield line(
        "concepts asked as picture, code and number", f"{len(whole)} of {total}", "all", lacking
    )
    counted = {
        name: {exercise("", number, seed).title.partition(" on ")[0] for seed in SHEETS}
        for name, (_, _, number) in CONCEPTS.items()
    }
    few = [name for name, titles in counted.items() if len(titles) < ALGORITHMS]
    read = [name for name in CONCEPTS if len(read_of(name)) < ALGORITHMS]
    for surface, number, lacking in (
        ("pictures", len(several), [*({*CONCEPTS} - {*several})]),
        ("numbers", total - len(few), few),
        ("code", total - len(read), read),
    ):
        title = f"concepts asked of three algorithms, in {surface}"
        yield line(title, f"{number} of {total}", "all", ", ".join(sorted(lacking)))


def new_term_rates() -> Iterator[str]:
    """Terms of the glossary that a lecture uses first, a minute of its film; the worst lecture."""
    for lecture in new_terms():
        title, number = f"new terms a minute, lecture {lecture.name}", str(len(lecture.terms))
        yield line(title, f"{lecture.rate:.1f}", "<= 2", number)
    worst = max(new_terms(), key=lambda lecture: lecture.rate)
    early = [f"{term} ({lecture.name})" for lecture in new_terms() for term in lecture.early]
    yield line("new terms a minute, the worst lecture", f"{worst.rate:.2f}", "<= 2", worst.name)
    yield line("terms used before they are defined", str(len(early)), "0", ", ".join(early))


def measures() -> Iterator[str]:
    """All of them."""
    yield from (*misconceptions(), *surfaces(), *new_term_rates(), *one_edit_mutants())
