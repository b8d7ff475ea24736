"""Does what `collectives exercise` is asked for: prints exercises, or writes them to a file."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from collectives.cli.console import say, say_json
from collectives.errors import BadInput
from collectives.exercises import KINDS, Exercise, ExerciseSheet, exercise, sheet
from collectives.exercises.gift import gift
from collectives.exercises.inventory import ITEMS, TOPIC, inventory
from collectives.exercises.qti import qti_12, qti_21
from collectives.files import check_writable, replacing
from collectives.text_lines import in_columns
from collectives.words import quoted


def print_exercise(
    topic: Sequence[str],
    *,
    kind: str | None,
    seed: int,
    number: int,
    answer: bool,
    as_list: bool,
    output: str | None,
    as_json: bool,
) -> None:
    """`collectives exercise`; raises BadInput."""
    if as_list:
        _print_kinds(as_json)
        return
    words = list(topic)
    if words == [TOPIC]:
        if kind is not None or number != 1:
            whole = f"an {TOPIC} has {len(ITEMS)} items, one a concept"
            raise BadInput(f"{whole}; try: without --kind and --number")
        _write(inventory(seed), answer, output, as_json)
        return
    kinds = [word for word in words if word in KINDS]
    if len(kinds) > 1 or (kinds and kind is not None):
        raise BadInput(f"{kinds[-1]}: a kind is named already; try: {kind or kinds[0]} alone")
    if kinds:
        kind = kinds[0]
        words.remove(kind)
    subject = " ".join(words)
    several = number > 1 or output is not None
    problems = sheet(subject, number, seed, kind) if several else exercise(subject, kind, seed)
    _write(problems, answer, output, as_json)


def _write(
    problems: Exercise | ExerciseSheet, answer: bool, output: str | None, as_json: bool
) -> None:
    """Prints it, or writes a sheet to a file; raises BadInput."""
    if output is None or isinstance(problems, Exercise):
        _print(problems, answer, as_json)
        return
    if as_json:
        raise BadInput(f"--json prints, and -o {quoted(output)} writes; try: -o sheet.json")
    target = check_writable(output)
    content = in_format(problems, target, answer)
    with replacing(target) as part:
        part.write(content)
    say(str(target))


def in_format(problems: ExerciseSheet, target: Path, answer: bool = False) -> bytes:
    """A sheet as the bytes of a file of this suffix."""
    title = f"{problems.title}, seed {problems.seed}"
    match target.suffix.lower():
        case ".gift":
            return gift(problems.exercises).encode()
        case ".xml":
            return qti_12(title, problems.exercises).encode()
        case ".zip":
            return qti_21(title, problems.exercises)
        case ".json":
            return (
                json.dumps(problems.as_json(answer), ensure_ascii=False, indent=1) + "\n"
            ).encode()
        case ".md":
            return ("\n".join(problems.markdown(answer)) + "\n").encode()
        case _:
            return ("\n".join(problems.lines(answer)) + "\n").encode()


def _print(problem: Exercise | ExerciseSheet, answer: bool, as_json: bool) -> None:
    if as_json:
        say_json(problem.as_json(answer))
        return
    key = isinstance(problem, ExerciseSheet) and answer
    for line in problem.lines(answer or key):
        say(line)


def _print_kinds(as_json: bool) -> None:
    if as_json:
        say_json({name: text for name, (text, _) in KINDS.items()})
        return
    rows = [(name, text) for name, (text, _) in KINDS.items()]
    for line in in_columns(rows, False, (False, False)):
        say(line.rstrip())
