"""Does what `collectives convert` is asked for: a schedule in another file format."""

from __future__ import annotations

from pathlib import Path

from collectives.cli.console import say
from collectives.cli.subject import Subject
from collectives.errors import BadInput
from collectives.files import check_suffix
from collectives.formats import FORMATS
from collectives.formats.converted import Converted
from collectives.proof.prove import refuse_wrong, verdict_on


def convert_subject(subject: Subject) -> None:
    """Write the subject that all words but the last name into the file that the last names.

    It says what became of steps and messages where these are others in the file, and why that is
    not known where the file is not read. Raises WrongSchedule, and writes nothing, where the
    schedule is wrong.
    """
    *words, output = subject.words
    if not words:
        raise BadInput(f"{output}: name a schedule and a file, as in all-reduce ring r.xml")
    written = [suffix for suffix, known in FORMATS.items() if known.is_written]
    check_suffix(output, written, "a schedule")
    recording = subject.named(*words).recording(executed=False)
    refuse_wrong(verdict_on(recording))
    known = FORMATS[Path(output).suffix]
    known.save(recording, output)
    say(f"written: {output}")
    try:
        own = {"root": recording.root} if known.takes_root and recording.collective.rooted else {}
        lines = Converted(recording, known.load(output, **own)).lines()
    except BadInput as problem:  # files may be larger than those that are read
        lines = (f"its steps are not compared with the schedule's: {problem}",)
    for line in lines:
        say(line)
