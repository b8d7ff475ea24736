"""Does what `collectives convert` is asked for: a schedule in another file format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from collectives.cli.console import say
from collectives.cli.subject import Subject
from collectives.cli.verdict import refuse_wrong, verdict_on
from collectives.errors import BadInput
from collectives.files import check_suffix
from collectives.formats import msccl
from collectives.formats.converted import Converted
from collectives.recording import saved
from collectives.recording.recording import Recording

SAVES: dict[str, Callable[[Recording, str], None]] = {".json": saved.save, ".xml": msccl.save}


def convert_subject(subject: Subject) -> None:
    """Write the subject that all words but the last name into the file that the last names.

    It says what became of steps and messages where these are others in the file, and why that is
    not known where the file is not read. Raises WrongSchedule, and writes nothing, where the
    schedule is wrong.
    """
    *words, output = subject.words
    if not words:
        raise BadInput(f"{output}: name what is written, too, as in all-reduce ring {output}")
    check_suffix(output, tuple(SAVES), "a schedule")
    given = replace(subject, words=tuple(words))
    recording = given.recording(executed=False)
    refuse_wrong(verdict_on(recording))
    SAVES[Path(output).suffix](recording, output)
    say(f"written: {output}")
    try:
        lines = Converted(recording, _read_back(recording, output)).lines()
    except BadInput as problem:  # files may be larger than those that are read
        lines = (f"its steps are not compared with the schedule's: {problem}",)
    for line in lines:
        say(line)


def _read_back(recording: Recording, path: str) -> Recording:
    """What the file that was written is read as."""
    if path.endswith(".json"):
        return saved.load(path)
    return msccl.load(path, root=recording.root if recording.collective.rooted else None)
