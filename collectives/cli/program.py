"""Does what `collectives program` is asked for: prints an algorithm as a program of real ranks."""

from __future__ import annotations

from pathlib import Path

from collectives.cli.draw import default_name
from collectives.cli.subject import Subject
from collectives.files import check_writable, replacing
from collectives.formats.printed import NEEDS, PYTHON, printed
from collectives.launch.engines import python_with
from collectives.proof.prove import refuse_wrong, verdict_on


def print_program(
    subject: Subject, library: str, dtype: str | None, op: str | None, output: str | None
) -> None:
    """Print the program, or write it; raises WrongSchedule where the algorithm is wrong."""
    if output is not None:
        check_writable(output)
    recording = subject.recording(dtype, op)
    refuse_wrong(verdict_on(recording))
    name = default_name(recording, ".py") if output is None else Path(output).name
    text = printed(recording, library, name, _python_for(library))
    if output is None:
        print(text, end="")
        return
    with replacing(output) as file:
        file.write(text.encode())
    print(output)


def _python_for(library: str) -> str:
    """The Python of this machine that has all or at least the library; else the usual name."""
    needs = NEEDS.get(library, ())
    return python_with(*needs) or python_with(*needs[:1]) or PYTHON
