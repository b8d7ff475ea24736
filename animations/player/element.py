"""Pages in a folder for other pages to frame, and the script that defines <collective-player>."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any

from animations.player.pack.editor import Editing
from animations.player.page import WEB, write_page
from animations.story.storyboard import Storyboard
from collectives.errors import BadInput
from collectives.files import check_writable, name_on_ranks, path_of, replacing
from collectives.recording.recording import Recording
from collectives.words import plural, quoted

SCRIPT = "collective-player.js"  # which looks for pages beside itself


@dataclass(frozen=True)
class Players:
    """Pages that were written, and beside them the script that frames them.

    Attributes
    ----------
    folder : Path
        Where all of them are.
    pages : tuple of Path
        A page for each recording, in their order.
    script : Path
        `collective-player.js`, which defines the element <collective-player>.
    """

    folder: Path
    pages: tuple[Path, ...]
    script: Path

    def __repr__(self) -> str:
        """One line that says how many pages are where."""
        return f"<Players: {plural(len(self.pages), 'page')} in {self.folder}>"

    def lines(self) -> list[str]:
        """The path of each file, the script first."""
        return [str(path) for path in (self.script, *self.pages)]

    def as_json(self) -> dict[str, Any]:
        """The same as values of JSON."""
        names = [path.name for path in self.pages]
        return {"folder": str(self.folder), "script": self.script.name, "pages": names}


def write_players(
    recordings: Sequence[tuple[Recording, Storyboard]],
    folder: str | Path,
    theme: str | None = None,
    editing: Editing | None = None,
) -> Players:
    """Write the page of each recording into a folder, and the script that frames them.

    Parameters
    ----------
    recordings : sequence of (Recording, Storyboard)
        What is shown; a page is called as its recording: ring-all-reduce-8.html.
    folder : str or Path
        Is made if it is not there; other files in it stay.
    theme : str, optional
        As for `page`.
    editing : Editing, optional
        Of the only recording: its code can be changed.

    Returns
    -------
    Players
        What was written.

    Raises
    ------
    BadInput
        Where the folder cannot be written, or two pages would have one name.

    Examples
    --------
    >>> import tempfile
    >>> from animations.story.usual import usual_board
    >>> from collectives import record
    >>> recording = record("all_reduce", "ring", ranks=4)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     players = write_players([(recording, usual_board(recording))], folder)
    >>> [path.name for path in players.pages]
    ['ring-all-reduce-4.html']
    """
    target = check_folder(folder)
    names = [
        name_on_ranks(recording.title, recording.ranks, ".html") for recording, _ in recordings
    ]
    for number, name in enumerate(names):
        if name in names[:number]:
            raise BadInput(f"{name}: is the page of two recordings; try: two folders")
    target.mkdir(exist_ok=True)
    pages = tuple(target / name for name in names)
    for path, (_, board) in zip(pages, recordings, strict=True):
        write_page(board, path, theme, editing)
    return Players(target, pages, write_script(target))


def write_script(folder: Path) -> Path:
    """Write the script into a folder, and return its path; raises BadInput where it cannot."""
    with replacing(folder / SCRIPT) as file:
        file.write((WEB / "collective_player.js").read_bytes())
    return folder / SCRIPT


def check_folder(folder: str | Path) -> Path:
    """The path of a folder that is there or can be made; raises BadInput for any other."""
    target = path_of(folder)
    if not str(folder):
        raise BadInput("--element '': names no folder; try: players")
    if target.is_dir():
        check_writable(target / SCRIPT)
    elif target.exists():
        raise BadInput(f"{quoted(str(folder))}: is a file; pages to be framed need a folder")
    else:
        check_writable(str(target))  # its parent takes it
    return target


def element_line(source: str, title: str, address: str = "", more: str = "") -> str:
    """The line that frames a page: an element, with a link for where its script does not run.

    address: what it shows, as docs/embed.md lists it. more: further attributes, as markup.
    """
    link = escape(f"{source}#{address}" if address else source)
    name = escape(title)
    return (
        f'<collective-player src="{link}" title="{name}"{more}>'
        f'<a href="{link}">{name}</a></collective-player>'
    )
