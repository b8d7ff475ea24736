"""The three things that can go wrong, each with the exit status the command line gives it."""


class CollectivesError(Exception):
    """Any failure this package explains in one line; `status` is the command's exit status."""

    status = 2


class BadInput(CollectivesError, ValueError):  # noqa: N818 - reads as a sentence where raised
    """A value that cannot be used: names the value, the rule and the nearest valid choice."""


class WrongSchedule(CollectivesError, ValueError):  # noqa: N818
    """An algorithm broke a rule of schedules or the promise of its collective."""

    status = 1


class NotInstalled(CollectivesError, ImportError):  # noqa: N818
    """An optional dependency is absent: names the command that installs it."""

    status = 3
