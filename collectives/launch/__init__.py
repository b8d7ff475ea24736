"""Real ranks: a recording played by processes of MPI or torch, compared, timed and drawn."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collectives.launch.inside import play as play

__all__ = ["play"]


def __getattr__(name: str) -> object:
    """Import `play` when it is first used."""
    if name not in __all__:
        raise AttributeError(f"module 'collectives.launch' has no attribute {name!r}")
    return getattr(import_module("collectives.launch.inside"), name)
