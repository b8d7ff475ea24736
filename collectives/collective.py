"""What each collective promises: who holds which contributions before, and who must after."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from collectives.errors import BadInput, nearest

Cells = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Collective:
    """A promise by (rank, slot).

    Before, the cells of `before(ranks, slots, root)` (bool, [rank, slot]) hold the data of
    their own rank: cell (r, s) is one contribution (r, s). After, each cell (r, s) of `after`
    must hold every contribution to slot s that there was, exactly once, and nothing else.
    Where `reduces`, several ranks contribute to a slot; elsewhere exactly one does.
    """

    name: str
    sentence: str
    before: Callable[[int, int, int], Cells]
    after: Callable[[int, int, int], Cells]
    reduces: bool = False
    rooted: bool = False
    owned: bool = False  # each rank owns an equal share of the slots

    def check_shape(self, ranks: int, slots: int) -> None:
        """Raise BadInput unless the promise makes sense for so many ranks and slots."""
        if self.owned and slots % ranks:
            raise BadInput(
                f"{slots} slots: {self.title} gives each of {ranks} ranks the same number of "
                f"slots; nearest: {max(1, round(slots / ranks)) * ranks}"
            )

    @property
    def title(self) -> str:
        """The name as people write it: all-reduce."""
        return self.name.replace("_", "-")


def every_cell(ranks: int, slots: int, root: int = 0) -> Cells:
    """Every slot of every rank."""
    return np.ones((ranks, slots), np.bool_)


def root_cells(ranks: int, slots: int, root: int) -> Cells:
    """Every slot of the root, none elsewhere."""
    cells = np.zeros((ranks, slots), np.bool_)
    cells[root] = True
    return cells


def own_cells(ranks: int, slots: int, root: int = 0) -> Cells:
    """The slots each rank owns: of s slots, rank r has r * s / ranks and those that follow.

    >>> own_cells(2, 4).astype(int)
    array([[1, 1, 0, 0],
           [0, 0, 1, 1]])
    """
    rank, slot = np.arange(ranks)[:, None], np.arange(slots)
    cells: Cells = slot * ranks // slots == rank
    return cells


BROADCAST = Collective(
    "broadcast", "Every rank ends with the root's data", root_cells, every_cell, rooted=True
)
REDUCE = Collective(
    "reduce", "The root ends with the sum over all ranks", every_cell, root_cells, True, True
)
ALL_GATHER = Collective(
    "all_gather", "Every rank ends with every rank's chunk", own_cells, every_cell, owned=True
)
REDUCE_SCATTER = Collective(
    "reduce_scatter",
    "Rank r ends with chunk r of the sum over all ranks",
    every_cell,
    own_cells,
    reduces=True,
    owned=True,
)
ALL_REDUCE = Collective(
    "all_reduce", "Every rank ends with the sum over all ranks", every_cell, every_cell, True
)
SCATTER = Collective(
    "scatter",
    "Rank r ends with chunk r of the root's data",
    root_cells,
    own_cells,
    rooted=True,
    owned=True,
)
GATHER = Collective(
    "gather",
    "The root ends with every rank's chunk",
    own_cells,
    root_cells,
    rooted=True,
    owned=True,
)

COLLECTIVES = {
    collective.name: collective
    for collective in (
        BROADCAST,
        REDUCE,
        ALL_GATHER,
        REDUCE_SCATTER,
        ALL_REDUCE,
        SCATTER,
        GATHER,
    )
}


def find_collective(name: str) -> Collective:
    """The collective of this name, hyphens or underscores; raises BadInput with the nearest.

    >>> find_collective("all-reduce").name
    'all_reduce'
    """
    key = name.replace("-", "_").lower()
    if key not in COLLECTIVES:
        known = [collective.title for collective in COLLECTIVES.values()]
        raise BadInput(f"unknown collective {name!r}; {nearest(key.replace('_', '-'), known)}")
    return COLLECTIVES[key]
