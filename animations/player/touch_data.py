"""What the player needs to tell the story of what is selected: origins, goals, terms."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from animations.story.storyboard import Storyboard
from collectives.glossary import definitions, spellings, terms_in

OWN_TERMS = (
    "rank",
    "vector",
    "slot",
    "chunk",
    "contribution",
    "transfer",
    "message",
    "step",
    "promise",
    "link",
    "lower bound",
    "partial sum",
)  # of the sentences of core/words.js


def touch_data(board: Storyboard, sizes: Iterable[int], texts: Iterable[str]) -> dict[str, Any]:
    """All that is said of a selection and does not follow from moves; `texts` of the picture.

    slots: what each slot is called in a sentence. `begins`, `firsts`, `needs`: see `Origins`.
    bytes: of each of `sizes`. roles: of each node, as in "child of rank 0". times: of each clock
    its name, the machine's, seconds in all, and the `steps` of `MessageTimes`. clock: that by which
    the data of a step travels, empty where all of it takes as long. terms:
    [definition, term, then its other spellings in the texts].
    """
    origins, labels = board.origins, board.labels
    assert origins, "a page checks first what it can show"
    clocks = [each.clock for each in board.times]
    return {
        "slots": [labels.slot(slot) for slot in range(board.slots)],
        "chunks": labels.chunk_count,
        "promised": labels.promised_slots,
        "blocks": labels.in_blocks,
        "news": not labels.moves_data,
        "begins": origins.start,
        "firsts": origins.values,
        "needs": origins.goals,
        "operation": origins.operation,
        "bytes": list(sizes),
        "roles": origins.roles,
        "clock": board.timing.clock if board.timing and board.timing.clock in clocks else "",
        "times": [[each.clock, each.machine, each.total, each.steps] for each in board.times],
        "terms": terms_data([*OWN_TERMS, *clocks, *texts, *origins.roles]),
    }


def terms_data(texts: Iterable[str]) -> list[list[str]]:
    """The terms that some texts use, each with its definition before it and spellings after it."""
    meanings, found = definitions(), dict[str, list[str]]()
    for use, term in terms_in(texts).items():
        known = found.setdefault(term, [meanings[term], term])
        if use != term:
            known.append(use)
    own = spellings()
    for term, known in found.items():  # plurals, as sentences of the player are not read here
        if term in OWN_TERMS:
            known += [use for use, of in own.items() if of == term and use not in known]
    return list(found.values())
