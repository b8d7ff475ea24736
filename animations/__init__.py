"""Draws recordings: storyboard, Manim stage and films, page, notebook widget."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from animations.player import Stepper as Stepper

__all__ = ["Stepper"]


def __getattr__(name: str) -> object:
    """Import the widget when it is first used: anywidget is optional, and slow to import."""
    if name not in __all__:
        raise AttributeError(f"module 'animations' has no attribute {name!r}")
    try:
        from animations.player import Stepper
    except ModuleNotFoundError as problem:
        from collectives.errors import NotInstalled

        raise NotInstalled(
            f"the notebook widget needs {problem.name}; "
            "type: make setup, or pip install 'collectives[notebook]'"
        ) from None
    globals()[name] = Stepper
    return Stepper
