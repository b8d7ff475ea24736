"""What --edit is given: the code of the subjects, which must be functions in files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from collectives.cli.subject import CatalogSubject, OwnSubject, Subject
from collectives.comparison.subjects import Entry
from collectives.comparison.variant import Variant, is_variant
from collectives.errors import BadInput
from collectives.files import read_bytes
from collectives.own_code.own import LARGEST_FILE
from collectives.proof.own_algorithm import OwnAlgorithm
from collectives.recording.recording import Recording

if TYPE_CHECKING:
    from animations.player.pack.editor import Editing


def editing_of(subject: Subject, recording: Recording, also: Sequence[str], ask: bool) -> Editing:
    """What the editor of a page begins with; raises BadInput where there is no code to edit."""
    if also:
        raise BadInput("--edit: a page of several algorithms has no editor; leave --also out")
    if ask:
        raise BadInput("--edit: the code tells the answers; leave --ask out")
    if isinstance(subject, OwnSubject):
        return _own(subject, recording)
    if not isinstance(subject, CatalogSubject):
        near = "try: collectives page all-reduce ring --edit"
        raise BadInput(f"--edit: {subject.words[0]} holds steps and no code; {near}")
    from animations.player.pack.editor import editing_of_row

    row = subject.row()
    setting = row.setting(recording.ranks, recording.root, subject.chunks, recording.given)
    return editing_of_row(row, setting, recording.given)


def editings_of(
    words: Sequence[str], entries: Sequence[Entry], recordings: Sequence[Recording]
) -> list[Editing | None]:
    """The same of algorithms that are compared; None for files, which hold no code.

    Raises BadInput where none of them has any.
    """
    from animations.player.pack.editor import editing_of_row

    own = iter(word for word in words if ":" in word and not is_variant(word))
    found: list[Editing | None] = []
    for entry, recording in zip(entries, recordings, strict=True):
        if isinstance(entry, OwnAlgorithm):
            found.append(_own(OwnSubject((next(own),)), recording))
        elif isinstance(entry, Variant):
            asked = recording.ranks, recording.root, recording.chunks, recording.given
            found.append(editing_of_row(entry.row, entry.row.setting(*asked), recording.given))
        else:
            found.append(None)
    if not any(found):
        raise BadInput("--edit: files hold steps and no code; try: compare all-reduce ring tree")
    return found


def _own(subject: OwnSubject, recording: Recording) -> Editing:
    """The same of somebody's own file."""
    from animations.player.pack.editor import editing_of_own

    place, _, _ = subject.words[0].rpartition(":")
    if not place.endswith(".py"):
        raise BadInput(f"--edit: {place} is a module; try: its file, as in mine.py:my_broadcast")
    text = read_bytes(place, LARGEST_FILE).decode("utf-8", "replace")
    with subject.own() as own:
        return editing_of_own(own, text, recording.ranks, recording.root)
