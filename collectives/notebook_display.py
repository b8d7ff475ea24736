"""What public values show in a notebook, and the page, film and figures of a recording.

The one file of this package that imports the drawing layer, inside its functions.
"""

from __future__ import annotations

import base64
import io
import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from collectives.cost.machines import topology_for
from collectives.cost.machines.topology import Topology
from collectives.errors import BadInput, CollectivesError, imported
from collectives.files import check_suffix, replacing
from collectives.values import one_of, whole
from collectives.words import plural, steps_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from animations.drawing.sheet import Sheet
    from animations.drawing.theme import Theme
    from animations.story.storyboard import Storyboard
    from collectives.recording.recording import Recording
    from collectives.recording.replay import State
    from collectives.schedule import Step

Machine = str | Topology | None  # by name, as it is, or the usual one
MOST_SHOWN = 64  # rows and columns of a table
MOST_NAMED = 8  # ranks that are named in a cell
WIDTH = 960  # pixels of a drawing
NOT_TRUSTED = (
    "after the last step; to step through it, run the cell, or choose Trust Notebook in the "
    "command palette of JupyterLab (Ctrl+Shift+C)."
)
SVG_SIZE = re.compile(r'width="[\d.]+pt" height="[\d.]+pt"')


class Markup(str):
    """HTML that is not escaped again."""


@dataclass(frozen=True, eq=False)
class Picture:
    """One moment of a recording as a drawing: `figure` is matplotlib's, shown in a notebook."""

    figure: Figure
    title: str

    def __repr__(self) -> str:
        """One line that says what is drawn."""
        return f"<Picture: {self.title}>"

    def _repr_svg_(self) -> str:
        return _svg(self.figure)

    def save(self, path: str | Path) -> Path:
        """Write the drawing to a file, whole or not at all; the path.

        Parameters
        ----------
        path : str or Path
            Ends in .svg, .png or .pdf.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        BadInput
            For another ending, and where the file cannot be written.
        """
        target = check_suffix(path, (".svg", ".png", ".pdf"), "a figure")
        with replacing(target) as file:
            self.figure.savefig(file, format=target.suffix[1:])
        return target


def page(recording: Recording, path: str | Path, topology: Machine, theme: str | None) -> Path:
    """Write the page of a recording; see `Recording.page`."""
    from animations.player.page import write_page

    target = check_suffix(path, (".html",), "a page")
    if theme is not None:
        _theme(theme)
    board = _storyboard(recording, topology)
    write_page(board, target, theme)
    _warn(board)
    return target


def film(
    recording: Recording, path: str | Path, quality: str, topology: Machine, theme: str
) -> Path:
    """Render the film of a recording; see `Recording.film`."""
    target = check_suffix(path, (".mp4", ".gif", ".png"), "a film")
    colors = _theme(theme)
    render = imported("animations.film.film", "a film needs Manim", "video").render
    from animations.drawing.sheet import FILM
    from animations.score.steps import score_of

    board = _storyboard(recording, topology, FILM)

    written: Path = render(score_of(board), target, quality, lambda done, total: None, colors)
    _warn(board)
    return written


def figure(recording: Recording, step: int | None, theme: str) -> Picture:
    """One moment of a recording; see `Recording.figure`."""
    if step is not None:
        whole("step", step, 0, len(recording.steps))
    colors = _theme(theme)
    board = _storyboard(recording, None)
    last = len(board.frames)
    at = last if step is None else whole("step", step, 0, last)
    still = imported("animations.figures.still", "a figure needs matplotlib", "figure").figure

    name = f"{recording.title} after step {at} of {last}"
    name += f" ({steps_text(board.steps, last)})" * (board.steps < last)
    if board.wrong:
        name = f"{board.title}, {plural(recording.ranks, 'rank')}, after step {at}"
    _warn(board)
    return Picture(still(board, at, colors), name)


def recording_html(recording: Recording) -> str:
    """The page of a recording within another page; a line that says why where there is none."""
    from animations.player.page import page
    from animations.player.snapshot import png

    try:
        board = _storyboard(recording, None)
        text = page(board)
    except CollectivesError as problem:
        return f"<p>{escape(repr(recording))}: {escape(str(problem))}</p>"
    return page_frame(text, board.title if board.wrong else recording.title, png(board))


def page_frame(page: str, title: str, still: bytes, attributes: str = "") -> str:
    """A page within another page; it may run its scripts, and nothing else.

    `still` is a PNG of its last step, for a notebook that is not trusted.
    """
    image = base64.b64encode(still).decode()
    return (
        f'<iframe {attributes} title="{escape(title)}" sandbox="allow-scripts" loading="lazy" '
        'style="width: 100%; aspect-ratio: 16 / 9; min-height: 800px; border: 0" '
        f'srcdoc="{in_double_quotes(page)}"></iframe>'
    ) + not_trusted(
        f"<p>{escape(title)} {NOT_TRUSTED}</p>"
        f'<img alt="The ranks and their chunks" src="data:image/png;base64,{image}">'
    )


def in_double_quotes(page: str) -> str:
    """A page as the value of an attribute, a tenth shorter than `escape` makes it."""
    return page.replace("&", "&amp;").replace('"', "&quot;")


def not_trusted(markup: str) -> str:
    """Markup to follow an iframe, seen only where JupyterLab drops the iframe and all styles."""
    style = "<style>iframe + .collectives-still { display: none; }</style>"
    return f'<div class="collectives-still">{markup}</div>{style}'


def topology_svg(topology: Topology) -> str | None:
    """The drawing of a machine; None where it is too large for one, or matplotlib is absent."""
    try:
        from animations.figures.machine import draw

        return _svg(draw(topology))
    except (ImportError, BadInput):
        return None


def step_html(step: Step) -> str:
    """The transfers of a step as a table, with the line of the source that made each."""
    from collectives.proof.diagnosis.phrases import lines, stamp_of

    rows = step.unrolled()
    names = ("src", "dst", "chunk", "into", "reduces")
    columns = zip(*(getattr(rows, name)[:MOST_SHOWN].tolist() for name in names), strict=True)
    body = [
        (src, dst, chunk, into, "adds" if adds else "overwrites", lines(stamp_of(step, row))[2:-1])
        for row, (src, dst, chunk, into, adds) in enumerate(columns)
    ]
    return table_html(("from", "to", "slot", "into slot", "", "source"), body, len(rows))


def state_html(state: State) -> str:
    """Whose data every slot holds: a row for each node, a column for each slot."""
    from animations.drawing.theme import DARK

    def cell(node: int, slot: int) -> str | Markup:
        times = state.times[node, slot]
        ranks = np.flatnonzero(times).tolist()
        if len(ranks) > MOST_NAMED:
            return f"{len(ranks)} ranks"
        style = f"color: {DARK.now_ink}; padding: 0 .4em; background:"
        return Markup(
            " ".join(
                f'<span style="{style} {DARK.rank(rank)}">'
                f"{rank}{f' × {times[rank]}' if times[rank] > 1 else ''}</span>"
                for rank in ranks
            )
        )

    nodes, slots = state.full.shape
    slots_in_view = range(min(slots, MOST_SHOWN))
    head = ("node", *(f"slot {slot}" for slot in slots_in_view), *["…"] * (slots > MOST_SHOWN))
    body = [
        (node, *(cell(node, slot) for slot in slots_in_view)) for node in range(nodes)[:MOST_SHOWN]
    ]
    return table_html(head, body, nodes)


def table_html(head: Sequence[str], body: Sequence[Sequence[object]], rows: int = 0) -> str:
    """The first of so many rows as an HTML table; whatever is not Markup is text."""
    lines = ["".join(f"<th>{escape(name)}</th>" for name in head)]
    for row in body:
        cells = (cell if isinstance(cell, Markup) else escape(str(cell)) for cell in row)
        lines.append("".join(f"<td>{cell}</td>" for cell in cells))
    if rows > len(body):
        lines.append(f'<td colspan="{len(head)}">… and {rows - len(body):,} more</td>')
    return f"<table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"


def _svg(figure: Figure) -> str:
    """A figure as text that fits the column of a notebook."""
    text = io.StringIO()
    figure.savefig(text, format="svg")
    width, height = figure.get_size_inches()
    size = f'width="{WIDTH}" height="{WIDTH * height / width:.0f}"'
    return SVG_SIZE.sub(size, text.getvalue(), count=1)


def _storyboard(recording: Recording, topology: Machine, sheet: Sheet | None = None) -> Storyboard:
    """The storyboard of a recording, timed on a machine by name or as it is, or on a usual one."""
    from animations.drawing.sheet import LECTURE
    from animations.story.usual import usual_board

    machine = topology
    if machine is not None and not isinstance(machine, Topology):
        machine = topology_for(recording, machine)
    return usual_board(recording, machine, sheet=sheet or LECTURE)


def _warn(board: Storyboard) -> None:
    """Warn that what was drawn is wrong, and say where."""
    if board.wrong:
        warnings.warn(board.wrong.text, stacklevel=4)  # at the line of the user


def _theme(name: str) -> Theme:
    from animations.drawing.theme import THEMES

    return THEMES[one_of("theme", name, THEMES)]
