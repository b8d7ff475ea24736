"""What a page holds besides to play algorithms side by side: one machine, names and words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import reduce
from typing import Any

import numpy as np

from animations.phrases import Phrases
from animations.player.pack.editor import Editing
from animations.player.pack.setup_data import links_of, setup_data
from animations.story.comparison import DrawnComparison
from animations.story.storyboard import Storyboard
from collectives.cost.fault_texts import Faults

SECTIONS = ("comparison", "beside", "lists")  # of phrases
NOUNS = ("message", "rank", "step")
KNOWN = ("slow_link", "slow_rank", "late", "dead")  # faults that a page times


@dataclass(frozen=True)
class PlayedComparison:
    """Algorithms side by side on a page: the setup of each, and the rest as JSON.

    setups: see `setup_data`; with the same links. index: `Beside` in catalog.d.ts. editings: of
    each what its editor begins with.
    """

    setups: tuple[dict[str, Any], ...]
    index: dict[str, Any]
    editings: Sequence[Editing | None] = ()


def beside(
    comparison: DrawnComparison,
    boards: Sequence[Storyboard],
    editings: Sequence[Editing | None] = (),
) -> PlayedComparison | None:
    """What plays a comparison side by side; None where the page cannot time it.

    Parameters
    ----------
    comparison : DrawnComparison
        The comparison.
    boards : sequence of Storyboard
        Its algorithms as a page shows them, timed without faults.
    editings : sequence of Editing or None
        What editors begin with; steps that are written there may take any links.
    """
    every_pair = any(editings)
    timings = [board.counted for board in boards]
    machines = {timing.topology.identity for timing in timings if timing}
    links = None
    if len(machines) == 1:
        masks = (links_of(timing, every_pair) for timing in timings if timing)
        links = reduce(np.logical_or, masks)
    setups = [setup_data(board, links, every_pair) for board in boards]
    faults = comparison.trouble.faults
    known = tuple(setup for setup in setups if setup is not None)
    if len(known) < len(boards) or not _are_known(faults):
        return None
    if faults and any(setup["clock"] != "dataflow" for setup in known):
        return None
    if faults.dead and not all(map(_can_stall, boards, known)):
        return None
    texts = [[name.replace("_", "-"), text] for name in KNOWN for text in getattr(faults, name)]
    return PlayedComparison(
        known,
        {
            "names": [contender.name for contender in comparison.contenders],
            "labels": [contender.label for contender in comparison.contenders],
            "faults": texts,
            "ranges": [list(part) for part in comparison.ranges],
            "command": _command(comparison, known),
            "words": words(comparison.say),
        },
        editings,
    )


def words(say: Phrases) -> dict[str, Any]:
    """`Words` of core/compared/sentences.js."""
    patterns: dict[str, str] = {}
    for name in SECTIONS:
        patterns |= say.section(name)
    nouns = {noun: say.nouns[noun] for noun in NOUNS}
    return {"patterns": patterns, "nouns": nouns, "joined": say.joined}


def _are_known(faults: Faults) -> bool:
    """Whether a page has clocks for all of them."""
    plain = Faults(**{name: getattr(faults, name) for name in KNOWN})
    return all(
        getattr(plain, field.name) == getattr(faults, field.name) for field in fields(faults)
    )


def _can_stall(board: Storyboard, setup: dict[str, Any]) -> bool:
    """Whether the page can show what never arrives, as `canStall` of core/setting.js has it."""
    wells = board.scenery.fold.well
    return setup["steps"] is None and not board.scenery.table and len(set(wells)) == len(wells)


def _command(comparison: DrawnComparison, setups: Sequence[dict[str, Any]]) -> list[str]:
    """The words of `collectives compare` up to the machine; nothing where no words say it."""
    commands = [setup["command"] for setup in setups]
    if not all(commands):
        return []
    collective, *_ = (command[2] for command in commands)
    shared = {tuple(command[4:]) for command in commands}
    if len(shared) > 1:
        return []
    names = [command[3] for command in commands]
    return ["collectives", "compare", collective, *names, *shared.pop()]
