"""Chooses the stage of a recording by the structure of its algorithm."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from animations.stages.around import around
from animations.stages.card_shapes import Lanes
from animations.stages.given import Given, given
from animations.stages.matrix import matrix
from animations.stages.pipeline import pipeline
from animations.stages.ring import ring
from animations.stages.row import row
from animations.stages.scenery import Scenery
from animations.story.drawing import STAGE, TABLE, Box
from animations.story.labels import Labels
from collectives.recording.recording import Recording
from collectives.structure import Line, Loose, Ring, Structure


def scenery_of(recording: Recording, labels: Labels, lanes: Lanes, view: str) -> Scenery:
    """The stage of a recording in a view."""
    facts = given(recording, labels, lanes, view == "blocks", folds=view != "matrix")
    if view == "matrix":
        return matrix(facts, TABLE)
    structure = _structure(recording)
    family = FAMILIES.get(type(structure))
    found = family(facts, STAGE, structure) if family else None
    if found is None and recording.ranks > 2 and recording.nodes == recording.ranks:
        found = row(facts, STAGE)
    return found or around(facts, STAGE, top_of(recording))


Family = Callable[[Given, Box, Any], Scenery | None]
FAMILIES: dict[type[Structure], Family] = {Line: pipeline, Ring: ring}


def _structure(recording: Recording) -> Structure:
    """What the links are."""
    n, links = recording.ranks, recording.counters.link_bytes
    if n > 2 and all((b - a) % n == 1 for a, b in links):
        return Ring((tuple(range(n)),))
    return Loose(tuple(links))


def top_of(recording: Recording) -> int:
    """The root of a tree: the root rank, or the last switch that passes anything on.

    -1, unknown, where no switch adds anything up.
    """
    if recording.nodes == recording.ranks:
        return recording.root
    sends: dict[int, int] = {}
    adds = set()
    for number, step in enumerate(recording.steps):
        adds.update(step.dst[step.reduces].tolist())
        for node in step.src.tolist():
            sends.setdefault(node, number)
    switches = [node for node in sends if node >= recording.ranks and node in adds]
    return max(switches, key=lambda node: (sends[node], node), default=-1)
