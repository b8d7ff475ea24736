"""Draws recordings: storyboard, Manim stage and films, page, notebook widgets.

`Stepper` shows an algorithm step by step, `Modeler` a training step in time; `Prediction` asks
before it shows a table or a figure. They are imported when they are first used.
`side_by_side` plays a comparison on one clock; `training_film` renders how a training scheme
overlaps, shards or pipelines.
`%load_ext animations` adds the cell magic `%%algorithm` to a notebook.

>>> import animations
>>> dir(animations)
['Modeler', 'Prediction', 'Stepper', 'side_by_side', 'training_film']
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from animations.film.training_film import training_film as training_film
    from animations.notebook.modeler import Modeler as Modeler
    from animations.notebook.prediction import Prediction as Prediction
    from animations.notebook.stepper import Stepper as Stepper
    from animations.player.side_by_side_page import side_by_side as side_by_side

_HOME = {
    "Stepper": "notebook.stepper",  # an algorithm, step by step
    "Modeler": "notebook.modeler",  # a training step, in time
    "Prediction": "notebook.prediction",  # questions, before what answers them
    "side_by_side": "player.side_by_side_page",  # a comparison, played on one clock
    "training_film": "film.training_film",  # a scheme of training, as a film
}

__all__ = list(_HOME)


def __getattr__(name: str) -> object:
    """Import a widget when it is first used: what it needs is optional, and slow to import."""
    if name not in _HOME:
        raise AttributeError(f"module 'animations' has no attribute {name!r}")
    try:
        value = getattr(import_module(f"animations.{_HOME[name]}"), name)
    except ModuleNotFoundError as problem:
        from collectives.errors import NotInstalled

        raise NotInstalled(f"the notebook widget needs {problem.name}", "notebook") from None
    globals()[name] = value
    return value


def load_ipython_extension(shell: object) -> None:
    """Add the cell magic `%%algorithm` to IPython, for `%load_ext animations`."""
    import_module("animations.notebook.algorithm_magic").register(shell)


def __dir__() -> list[str]:
    return sorted(__all__)
