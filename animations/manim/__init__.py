"""Collectives as mobjects, for scenes of your own in Manim.

`Collective` is a `VGroup` of ranks, cells, links and counters, which plays its steps. It is
imported when it is first used: Manim imports this package as a plugin, before Manim is complete.

>>> import animations.manim
>>> dir(animations.manim)
['Collective', 'Step']
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from animations.manim.collective import Collective as Collective
    from animations.manim.playing import Step as Step

_HOME = {"Collective": "collective", "Step": "playing"}

__all__ = list(_HOME)


def __getattr__(name: str) -> object:
    """Import a mobject when it is first used."""
    if name not in _HOME:
        raise AttributeError(f"module 'animations.manim' has no attribute {name!r}")
    from collectives.errors import imported

    home = imported(f"animations.manim.{_HOME[name]}", "a Collective needs Manim", "video")
    return getattr(home, name)


def __dir__() -> list[str]:
    return sorted(__all__)
