"""The page of a comparison: its algorithms side by side on one clock, and each step by step."""

from __future__ import annotations

from collections.abc import Sequence

from animations.player.catalog import catalog
from animations.player.pack.beside import beside
from animations.player.pack.editor import Editing, check_edited
from animations.story.comparison import DrawnComparison
from animations.story.halted import up_to_standstill
from animations.story.usual import by_timing, usual_board
from collectives.cost.choose.setup import Setup
from collectives.errors import BadInput
from collectives.progress import counted


def comparison_page(
    shown: DrawnComparison,
    theme: str | None = None,
    troubled: Setup | None = None,
    editings: Sequence[Editing | None] = (),
) -> str:
    """The page of a comparison, as the text of an HTML file.

    Its algorithms are played side by side; where the page has no clock for what is wrong with the
    machine, one of them is chosen, whose modeled time has that trouble.

    Parameters
    ----------
    shown : DrawnComparison
        The comparison.
    theme : str, optional
        A theme of THEMES; without one it follows the reader's system.
    troubled : Setup, optional
        The machine where it has trouble.
    editings : sequence of Editing or None, optional
        Of each algorithm what its editor begins with; without any no code can be changed.

    Returns
    -------
    str
        A file that needs nothing else.

    Raises
    ------
    BadInput
        For more ranks or chunks than a page shows, or than an editor shows.
    NotInstalled
        Where the Python of an editor is not there.
    """
    each = shown.contenders
    recordings = [one.recording for one in each]
    clean = shown.trouble.timings or tuple(one.timed.timing for one in each)
    walk = counted(
        zip(recordings, clean, strict=True), "preparing the page", len(each), "algorithms"
    )
    language = shown.say.language
    boards = [
        by_timing(usual_board(one, timing.topology, language=language), timing)
        for one, timing in walk
    ]
    for board, editing in zip(boards, editings, strict=False):
        check_edited(board, editing)
    played = beside(shown, boards, editings)
    if played is None and any(editings):
        raise BadInput("--edit: a page has no clock for this; try: without faults, -n 8")
    if played is None and troubled is not None:
        timings = [one.timed.timing for one in each]
        boards = [
            by_timing(
                usual_board(one, timing.topology, language=language, time=troubled.both_clocks),
                timing,
            )
            for one, timing in zip(recordings, timings, strict=True)
        ]
        boards = [up_to_standstill(board) for board in boards]
    return catalog(list(zip(recordings, boards, strict=True)), theme, shown, played)
