"""The import that a function lacks which uses a name of this package, or numpy, without it."""

from __future__ import annotations

from importlib import import_module

MODULES = {"np": "import numpy as np", "numpy": "import numpy", "collectives": "import collectives"}
VERBS = ("reduce", "send")


def import_for(problem: BaseException) -> str:
    """The import of an undefined name, where it is one that schedules are made with; or nothing.

    >>> import_for(NameError("name 'reduce' is not defined", name="reduce"))
    'from collectives import reduce, send'
    >>> import_for(NameError(name="Recv"))
    'from collectives.schedule.spmd import Recv, Send'
    >>> import_for(NameError(name="np")), import_for(NameError(name="rnak"))
    ('import numpy as np', '')
    """
    if type(problem) is not NameError:  # an UnboundLocalError lacks no import
        return ""
    name = str(problem.name)
    if name in MODULES:
        return MODULES[name]
    if name in VERBS:
        return f"from collectives import {', '.join(VERBS)}"
    if name in import_module("collectives").__all__:
        return f"from collectives import {name}"
    if name in import_module("collectives.schedule.spmd").__all__:
        pair = ("Recv", "Send")
        return (
            f"from collectives.schedule.spmd import {', '.join(pair if name in pair else [name])}"
        )
    return ""
