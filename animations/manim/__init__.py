"""Collectives as mobjects, for scenes of your own in Manim.

`Collective` is a `VGroup` of ranks, cells, links and counters, which plays its steps. It is
imported when it is first used: Manim imports this package as a plugin, before Manim is complete.

>>> import animations.manim
>>> dir(animations.manim)
['Collective']
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from animations.manim.group import CollectiveGroup as Collective

__all__ = ["Collective"]


def __getattr__(name: str) -> object:
    """Import the group when it is first used."""
    if name not in __all__:
        raise AttributeError(f"module 'animations.manim' has no attribute {name!r}")
    from collectives.errors import imported

    return imported("animations.manim.group", "a Collective needs Manim", "video").CollectiveGroup


def __dir__() -> list[str]:
    return sorted(__all__)
