"""Chooses the stage of a recording by the structure of its algorithm."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from animations.drawing.card_shapes import Lanes
from animations.drawing.scenery import Fold, Scenery
from animations.drawing.shapes import Box
from animations.drawing.sheet import LECTURE, Sheet
from animations.phrases import Phrases
from animations.stages.around import around
from animations.stages.cube import cube
from animations.stages.exchange import exchange
from animations.stages.experts import experts
from animations.stages.fabric import fabric
from animations.stages.groups import groups
from animations.stages.matrix import matrix
from animations.stages.pipeline import pipeline
from animations.stages.ring import ring
from animations.stages.row import row
from animations.stages.scaled import scaled
from animations.stages.staged import Staged, staged_of
from animations.stages.star import star
from animations.stages.torus import torus
from animations.stages.tree import tree
from animations.stages.two_trees import two_trees
from collectives.cost.machines.topology import Topology
from collectives.errors import BadInput
from collectives.recording.recording import Recording
from collectives.structure import Structure
from collectives.words import plural, quoted

MOST_AROUND = 32  # nodes that stand round a circle or in a grid
MOST_ROUTED = 4  # the same, where any may send to any at once: a matrix shows more of them


def scenery_of(
    recording: Recording,
    say: Phrases,
    lanes: Lanes,
    whole: bool,
    has_cards: bool,
    topology: Topology | None = None,
    name: str = "",
    sheet: Sheet = LECTURE,
) -> Scenery:
    """The stage of a recording; without cards, and where there is no room for them, a matrix.

    topology: the machine that it is timed on. name: another stage than that of its structure, one
    of `STAGES`. sheet: the page it stands on. Raises BadInput where the recording does not fit.
    """
    facts = staged_of(recording, say, lanes, whole, topology=topology)
    if name:
        scenery: Scenery | None = _named(name, facts, sheet.stage)
    else:
        scenery = stage_of(facts, recording.structure, sheet.stage) if has_cards else None
    limit = MOST_ROUTED if recording.collective.routed else MOST_AROUND
    if scenery is None and facts.fold.is_plain and recording.nodes <= limit:
        scenery = around(facts, sheet.stage)
    if scenery is None:
        return matrix(staged_of(recording, say, lanes, whole, folds=False), sheet.table)
    whole = whole and (scenery.fold.is_plain or _is_apart(recording, scenery.fold))
    return scaled(replace(scenery, whole=whole), recording)


def _is_apart(recording: Recording, fold: Fold) -> bool:
    """Whether what is in any well is of ranks that share a bar, as far as both ends tell."""
    ends = map(recording.contributors, (0, len(recording.steps)))
    held = np.any([held.any(axis=0) for held in ends], axis=0)  # [slot, rank], of any node
    bars: dict[int, set[int]] = {}
    for slot, rank in np.argwhere(held).tolist():
        bars.setdefault(fold.well[slot], set()).add(fold.bar[rank])
    known = held.any(axis=1).all()  # no slot is empty at both ends
    return bool(known) and all(len(bar) == 1 for bar in bars.values())


def _named(name: str, staged: Staged, box: Box) -> Scenery:
    scenery = STAGES[name](staged, box, staged.recording.structure) if name in STAGES else None
    if scenery is None:
        what = f"of {staged.recording.heading} on {plural(staged.ranks, 'rank')}"
        raise BadInput(
            f"stage {quoted(name)} {what}: there is cube, of 4, 8 or 16 ranks whose partners "
            "differ in one bit of their numbers; try: no --stage"
        )
    return scenery


def stage_of(staged: Staged, structure: Structure, box: Box) -> Scenery | None:
    """The stage of a structure in any box; None where it has no room."""
    routed = staged.recording.row and staged.recording.collective.routed
    scenery = experts(staged, box, structure) if routed else None
    if scenery is not None:
        return scenery
    family = FAMILIES.get(structure.kind)
    return family(staged, box, structure) if family else None


Family = Callable[[Staged, Box, Any], Scenery | None]
FAMILIES: dict[str, Family] = {  # by the kind of structure
    "cube": row,
    "exchange": exchange,
    "groups": groups,
    "line": pipeline,
    "ring": ring,
    "routed-groups": groups,
    "star": star,
    "switches": fabric,
    "torus": torus,
    "tree": tree,
    "two-trees": two_trees,
}


STAGES: dict[str, Family] = {"cube": cube}
