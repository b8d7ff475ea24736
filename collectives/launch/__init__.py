"""Real ranks: a recording played by processes of MPI or torch, compared, timed and drawn."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collectives.launch.inside import play as play
    from collectives.launch.run import launch as launch

_HOME = {"launch": "run", "play": "inside"}
__all__ = list(_HOME)


def __getattr__(name: str) -> object:
    """Import a public name when it is first used."""
    if name not in _HOME:
        raise AttributeError(f"module 'collectives.launch' has no attribute {name!r}")
    return getattr(import_module(f"collectives.launch.{_HOME[name]}"), name)
