"""Questions people ask, each with two paragraphs and a command whose output stands on its page."""

from __future__ import annotations

import shlex
import tomllib
from collections.abc import Iterator
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from functools import cache
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from animations.site.answers import ANSWERS
from animations.site.sample_files import SAMPLES, write_samples
from collectives.__main__ import main

QUESTIONS = Path(__file__).with_name("questions.toml")
MOST_LINES = 30  # of the output of a command


@dataclass(frozen=True)
class AnsweredQuestion:
    """A question of the table: threads in which it was asked, paragraphs, a command to run.

    also: how others ask it; shows: the algorithm whose player stands beside them; begin: of the
    first line of the output that is shown.
    """

    number: int
    asks: str
    also: str
    threads: tuple[str, ...]
    paragraphs: tuple[str, ...]
    command: str
    shows: tuple[str, str]
    begin: str

    def output(self) -> str:
        """What its command prints, from the line that begins with `begin` on, executed now."""
        lines = printed(self.command).rstrip().split("\n")
        first = next(k for k, line in enumerate(lines) if line.startswith(self.begin))
        shown = lines[first : first + MOST_LINES]
        return "\n".join([*shown, "…"] if len(lines) > first + MOST_LINES else shown)

    def samples(self) -> Iterator[tuple[str, str]]:
        """Names and texts of the sample files that its command reads."""
        for path in sorted(SAMPLES.iterdir()):
            if path.name in self.command:
                yield path.name, path.read_text("utf-8")


def questions() -> tuple[list[AnsweredQuestion], list[str]]:
    """The questions that something executed answers, and the others as `number: question`."""
    answered, others = [], []
    for entry in tomllib.loads(QUESTIONS.read_text("utf-8"))["question"]:
        number = entry["number"]
        if "command" not in entry:
            others.append(f"{number}: {entry['asks']}")
            continue
        texts = tuple(entry["text"])
        if number in ANSWERS:
            values = ANSWERS[number]()
            texts = tuple(text.format_map(values) for text in texts)
        collective, _, algorithm = entry.get("shows", "").partition(" ")
        answered.append(
            AnsweredQuestion(
                number,
                entry["asks"],
                entry["also"],
                tuple(entry["threads"]),
                texts,
                entry["command"],
                (collective.replace("-", "_"), algorithm),
                entry.get("begin", ""),
            )
        )
    return answered, others


@cache
def printed(command: str) -> str:
    """What a command prints in a folder with the sample files; with status 1, what is wrong."""
    out, errors, status = StringIO(), StringIO(), 0
    with TemporaryDirectory() as name:
        write_samples(Path(name))
        with chdir(name), redirect_stdout(out), redirect_stderr(errors):
            try:
                main(shlex.split(command)[1:])
            except SystemExit as end:
                status = int(end.code or 0)
    if status not in (0, 1):
        raise RuntimeError(f"{command} ends with {status}: {errors.getvalue()}")
    return out.getvalue() or errors.getvalue()
