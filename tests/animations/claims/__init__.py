"""What whys say, computed anew from steps that the plain interpreter has executed."""

from __future__ import annotations

import re

from claims import (
    cables,
    chains,
    distances,
    exchanges,
    nodes,
    parts,
    queues,
    rivals,
    rounds,
    spreading,
    switches,
    trees,
    uneven,
)
from claims.executed import Played

__all__ = ["Played", "is_true"]
SUBJECTS = (
    rounds,
    spreading,
    trees,
    nodes,
    parts,
    switches,
    chains,
    exchanges,
    queues,
    rivals,
    distances,
    cables,
    uneven,
)
CLAIMS = {pattern: claim for subject in SUBJECTS for pattern, claim in subject.CLAIMS.items()}
assert len(CLAIMS) == sum(len(subject.CLAIMS) for subject in SUBJECTS)


def is_true(played, said, before=""):
    """Whether a sentence holds after another one; None where nobody knows what it claims."""
    links = ("But ", "So ", "Yet ") if not before else ()  # that are left out of one alone
    linked = [(CLAIMS, f"{link}{said[:1].lower()}{said[1:]}") for link in links]
    for claims, text in ((queues.PAIRS, f"{before} {said}"), (CLAIMS, said), *linked):
        for pattern, claim in claims.items():
            if found := re.fullmatch(pattern, text):
                return claim(played, *found.groups())
    return None
