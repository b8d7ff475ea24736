"""The three things that can go wrong, each with the exit status the command line gives it."""

import os.path

DISTRIBUTION = "collectives-lab"


class CollectivesError(Exception):
    """Any failure this package explains in one line; `status` is the command's exit status."""

    status = 2


class BadInput(CollectivesError, ValueError):  # noqa: N818 - reads as a sentence where raised
    """A value that cannot be used: names the value, the rule and the nearest valid choice."""


class WrongSchedule(CollectivesError, ValueError):  # noqa: N818
    """An algorithm broke a rule of schedules or the promise of its collective."""

    status = 1


class NotInstalled(CollectivesError, ImportError):  # noqa: N818
    """An optional dependency is absent: names the command that installs it.

    `need` says what needs which package, `extra` is the group of pyproject.toml that brings it.
    A checkout is completed by its own setup, an installed package by the index.
    """

    status = 3

    def __init__(self, need: str, extra: str) -> None:
        import shlex

        folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        command = f"pip install '{DISTRIBUTION}[{extra}]'"
        if os.path.exists(os.path.join(folder, "scripts", "setup.py")):
            command = f"make -C {shlex.quote(folder)} setup"
        super().__init__(f"{need}; type: {command}")
