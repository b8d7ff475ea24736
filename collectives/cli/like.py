"""--like: the subject that a library's choice means, where no algorithm is named."""

from __future__ import annotations

from dataclasses import replace

from collectives.catalog import find_row
from collectives.cli.subject import Subject
from collectives.cost.libraries.default_algorithm import LibraryChoice
from collectives.errors import BadInput
from collectives.words import quoted


def check_alone(subject: Subject, library: str) -> None:
    """Raise BadInput where an algorithm is named although the library chooses."""
    if not subject.collective_alone:
        collective = subject.words[0] if subject.in_catalog else "all-reduce"
        raise BadInput(
            f"--like {quoted(library)}: the library chooses the algorithm; "
            f"try: {collective} --like {library}"
        )


def followed(subject: Subject, collective: str, choice: LibraryChoice) -> Subject:
    """The algorithm of a choice, with those of the parameters given that it takes."""
    row = find_row(collective, choice.row)
    return replace(
        subject.named(collective, row.algorithm),
        parameters=row.taken(dict(choice.parameters) | dict(subject.parameters)),
        best=subject.best or (subject.chunks is None and "chunks" in row.parameters),
    )
