"""The three things that can go wrong, each with the exit status the command line gives it."""

from __future__ import annotations

import os.path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collectives.recording.recording import Recording
    from collectives.schedule import Step

DISTRIBUTION = "collectives-lab"


class CollectivesError(Exception):
    """Any failure this package explains in one line; `status` is the command's exit status."""

    status = 2


class BadInput(CollectivesError, ValueError):  # noqa: N818 - reads as a sentence where raised
    """A value that cannot be used: names the value, the rule and the nearest valid choice."""


class WrongSchedule(CollectivesError, ValueError):  # noqa: N818
    """An algorithm broke a rule of schedules or the promise of its collective.

    recording: of the steps before the one that broke a rule, where `record` had got so far.
    attempted: that step, where what came was a step.
    """

    status = 1

    def __init__(
        self, text: str = "", recording: Recording | None = None, attempted: Step | None = None
    ) -> None:
        super().__init__(text)
        self.recording, self.attempted = recording, attempted

    def reworded(self, text: str) -> WrongSchedule:
        """The same failure in other words."""
        return type(self)(text, self.recording, self.attempted)


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
