"""The player of each algorithm: its recording, its storyboard, and the file that plays it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import partial

from animations.player.page import write_page
from animations.site.kept_files import KeptFiles
from animations.site.site_times import RANKS
from animations.story.storyboard import Storyboard
from animations.story.usual import usual_board
from collectives.catalog import ROWS, Row
from collectives.files import name_on_ranks
from collectives.progress import counted
from collectives.recording.recorder import record
from collectives.recording.recording import Recording

NEAR = (RANKS, 9, 7, 6, 4, *range(1, 65))  # of ranks, until an algorithm accepts one


@dataclass(frozen=True)
class Played:
    """An algorithm with its recording, its storyboard and the file of its player."""

    row: Row
    recording: Recording
    board: Storyboard
    file: str


def played_rows(kept: KeptFiles, names: Collection[str]) -> list[Played]:
    """The algorithms of these collectives, each with a player page that is written here."""
    rows = [row for row in ROWS if row.collective in names]
    written = []
    for row in counted(rows, "writing players", len(rows), "algorithms"):
        ranks = next(ranks for ranks in NEAR if row.accepts(ranks))
        recording = record(row.collective, row.algorithm, ranks=ranks)
        board, file = usual_board(recording), name_on_ranks(row.title, ranks, ".html")
        path = kept.folder / "players" / file
        kept.make([f"players/{file}"], file, partial(write_page, board, path))
        written.append(Played(row, recording, board, file))
    return written
