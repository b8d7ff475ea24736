"""A comparison as a page that plays its algorithms side by side: in a notebook, or as a file."""

from __future__ import annotations

import html
from dataclasses import dataclass, field
from pathlib import Path

from animations.player.comparison_page import comparison_page
from animations.player.pack.editor import Editing, editing_of_row
from animations.story.comparison import drawn_comparison
from collectives.comparison.comparison import Comparison, Contender
from collectives.errors import BadInput
from collectives.files import replacing

HEIGHT = 820  # pixels of the frame in a notebook


@dataclass(frozen=True)
class SideBySide:
    """A page of algorithms side by side, which needs no kernel and no network.

    Attributes
    ----------
    title : str
        What is asked: Ring or tree?
    text : str
        The HTML file.
    """

    title: str
    text: str = field(repr=False)

    def _repr_html_(self) -> str:
        return (
            f'<iframe title="{html.escape(self.title)}" sandbox="allow-scripts allow-downloads" '
            f'style="width: 100%; height: {HEIGHT}px; border: 0" '
            f'srcdoc="{html.escape(self.text)}"></iframe>'
        )

    def save(self, path: str | Path) -> None:
        """Write the file; raises BadInput where that cannot be done."""
        with replacing(path) as file:
            file.write(self.text.encode())


def side_by_side(
    comparison: Comparison[Contender], edit: bool = False, theme: str | None = None
) -> SideBySide:
    """The page of a comparison, as `collectives compare -o FILE.html` writes it.

    Parameters
    ----------
    comparison : Comparison
        What `collectives.compare` returns.
    edit : bool, optional
        Whether the code of algorithms of the catalog can be changed and run there.
    theme : str, optional
        "dark" or "light"; without one it follows the reader's system.

    Returns
    -------
    SideBySide
        Shown in a notebook by itself; `save` writes it.

    Raises
    ------
    BadInput
        For more ranks or chunks than a page shows, or than an editor shows.
    NotInstalled
        Where the Python of an editor is not there.

    Examples
    --------
    >>> import collectives
    >>> side_by_side(collectives.compare("all_reduce", "ring", "tree", ranks=4, size="1MiB"))
    SideBySide(title='Ring or tree?')
    """
    editings = [_editing(each) for each in comparison.contenders] if edit else []
    shown = drawn_comparison(comparison)
    return SideBySide(shown.title, comparison_page(shown, theme, editings=editings))


def _editing(one: Contender) -> Editing | None:
    """What its editor begins with; None of what has no code in the catalog."""
    recording = one.recording
    if one.timed.timing.recording is not recording:
        raise BadInput(f"edit: {one.name} is timed in several channels; try: edit=False")
    if recording.row is None:
        return None
    asked = recording.ranks, recording.root, recording.chunks, recording.given
    return editing_of_row(recording.row, recording.row.setting(*asked), recording.given)
