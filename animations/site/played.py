"""The player of each algorithm: its recording, its storyboard, and the file that plays it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

from animations.player.page import write_page
from animations.site.kept_files import KeptFiles
from animations.site.site_times import RANKS
from animations.story.storyboard import Storyboard
from animations.story.usual import usual_board
from collectives.catalog import ROWS, Row
from collectives.cost.machines.usual import USUAL_SIZE
from collectives.files import name_on_ranks
from collectives.progress import counted
from collectives.recording.recorder import record
from collectives.recording.recording import Recording

NEAR = (RANKS, 9, 7, 6, 4, *range(1, 65))  # of ranks, until an algorithm accepts one


@dataclass(frozen=True)
class Played:
    """An algorithm with its recording, its storyboard and the file of its player."""

    row: Row
    ranks: int
    file: str

    @cached_property
    def recording(self) -> Recording:
        """It, executed."""
        return record(self.row.collective, self.row.algorithm, ranks=self.ranks)

    @cached_property
    def board(self) -> Storyboard:
        """What its player shows."""
        return usual_board(self.recording)

    @property
    def alike(self) -> Storyboard:
        """The same with the vector of all others, with which it can be compared."""
        return usual_board(self.recording, near=USUAL_SIZE) if self.row.usual_size else self.board

    def write(self, path: Path) -> None:
        """Write its player."""
        write_page(self.board, path)


def played_rows(kept: KeptFiles, names: Collection[str]) -> list[Played]:
    """The algorithms of these collectives, each with a player page that is written here."""
    rows = [row for row in ROWS if row.collective in names]
    written = []
    for row in counted(rows, "writing players", len(rows), "algorithms"):
        ranks = next(ranks for ranks in NEAR if row.accepts(ranks))
        played = Played(row, ranks, name_on_ranks(row.title, ranks, ".html"))
        path = kept.folder / "players" / played.file
        kept.make([f"players/{path.name}"], path.name, partial(played.write, path))
        written.append(played)
    return written
