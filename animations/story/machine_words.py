"""What a machine is called in a sentence: words, where an option has a name with parameters."""

from __future__ import annotations

import re

from animations.phrases import Phrases

NODES = re.compile(r"cluster:gpus=(\d+)")


def nodes_of(name: str, ranks: int) -> tuple[int, int] | None:
    """How many nodes of how many GPUs a machine is, if its name says no more than that.

    >>> nodes_of("cluster:gpus=8", 16), nodes_of("hgx-h100", 8)
    ((2, 8), None)
    """
    match = NODES.fullmatch(name)
    return (ranks // int(match[1]), int(match[1])) if match else None


def spoken_machine(name: str, ranks: int, say: Phrases) -> str:
    """A machine of so many ranks as a sentence names it; one without words by its own name.

    >>> from animations.phrases import phrases
    >>> spoken_machine("cluster:gpus=8", 16, phrases("en"))
    '2 nodes of 8 GPUs'
    >>> spoken_machine("cluster:gpus=1", 3, phrases("en"))
    '3 nodes of 1 GPU'
    >>> spoken_machine("hgx-h100", 8, phrases("en")), spoken_machine("mine", 8, phrases("en"))
    ('an HGX box', 'mine')
    """
    parts = nodes_of(name, ranks)
    if parts and parts[0] > 1:
        key = f"spoken_machines.nodes{'_of_one' * (parts[1] == 1)}"
        return say(key, nodes=parts[0], gpus=parts[1])
    return str(say.patterns.get(f"spoken_machines.{name}", name))
