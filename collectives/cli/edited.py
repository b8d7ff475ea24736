"""What `page --edit` is given: the code of the subject, which must be a function in a file."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from collectives.cli.own import LARGEST_FILE
from collectives.cli.subject import CatalogSubject, OwnSubject, Subject
from collectives.errors import BadInput
from collectives.files import read_bytes
from collectives.recording.recording import Recording
from collectives.words import plural

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


def refuse_unedited(board: Any, editing: Editing | None) -> None:
    """Raise BadInput for an editor on a page that does not show each rank."""
    if editing is not None and board.task is None:
        what = f"a page of {plural(board.ranks, 'rank')} does not show what each holds"
        raise BadInput(f"--edit: {what}; try: -n 8")


def _own(subject: OwnSubject, recording: Recording) -> Editing:
    """The same of somebody's own file."""
    from animations.player.pack.editor import editing_of_own

    place, _, _ = subject.words[0].rpartition(":")
    if not place.endswith(".py"):
        raise BadInput(f"--edit: {place} is a module; try: its file, as in mine.py:my_broadcast")
    text = read_bytes(place, LARGEST_FILE).decode("utf-8", "replace")
    with subject.own() as own:
        return editing_of_own(own, text, recording.ranks, recording.root)
