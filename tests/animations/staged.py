"""Storyboards on the stage of one family, in any box."""

from dataclasses import replace
from functools import lru_cache

from settings import THOROUGH

from animations.drawing.sheet import SHEETS
from animations.stages.staged import staged_of
from animations.stages.views import lanes_of
from animations.story.compose import proved_storyboard

BOXES = {name: sheet.stage for name, sheet in SHEETS.items()}

SOME_BOXES = list(BOXES) if THOROUGH else ["lecture", "two"]
_board = lru_cache(maxsize=2)(proved_storyboard)


def some(ranks):
    """These numbers of ranks; every other one up to 16, unless it is `make thorough`."""
    return ranks if THOROUGH else [number for number in ranks[1::2] if number <= 16]


def staged(recording, family, structure, box):
    """The storyboard of a recording with the scenery of a family; None where it has no room."""
    board = _board(recording)
    lanes = lanes_of(recording.chunk_count, recording.promised_slots, recording.slots)
    facts = staged_of(recording, board.say, lanes, board.scenery.whole)
    scenery = family(facts, box, structure)
    return scenery and replace(board, scenery=scenery)
