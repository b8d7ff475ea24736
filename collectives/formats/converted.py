"""What a file format makes of a schedule: steps and messages beside those that are read back."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from collectives.recording.recording import Recording
from collectives.words import plural, steps_text

MORE_MESSAGES = "each transfer is a message of its own"
MORE_STEPS = "MSCCL sends one message per link and step"
FEWER_STEPS = (
    "a thread block waits for its data and its own steps, not for all ranks, so that messages "
    "leave earlier"
)
MORE_IN_PLACE = "copies on a GPU are steps of their own"
MORE_SLOTS = "what must not be overwritten yet is kept in scratch slots"


@dataclass(frozen=True)
class Converted:
    """A schedule that was written, and the one that is read from the file.

    Parameters
    ----------
    before, after : Recording
        What was written, and what was read back.

    Examples
    --------
    >>> from collectives import record
    >>> same = record("all_reduce", "ring", ranks=4)
    >>> Converted(same, same).lines()
    ()
    """

    before: Recording
    after: Recording

    def lines(self) -> tuple[str, ...]:
        """What became of steps and messages, and why; nothing where they are the same."""
        became = [f"{before} became {after}" for before, after in self._pairs() if before != after]
        if not became:
            return ()
        return (f"{', '.join(became)}: {'; '.join(self._reasons())}",)

    def _pairs(self) -> Iterator[tuple[str, str]]:
        """The counts of both, in words."""
        now, then = self.before.counters, self.after.counters
        yield steps_text(now.steps, now.walked), steps_text(then.steps, then.walked)
        yield plural(now.messages, "message"), plural(then.messages, "message")
        yield plural(self.before.slots, "slot"), plural(self.after.slots, "slot")

    def _reasons(self) -> Iterator[str]:
        """Why they differ."""
        now, then = self.before.counters, self.after.counters
        if then.messages > now.messages:
            yield MORE_MESSAGES
        if then.steps > now.steps:
            yield MORE_STEPS
        if then.steps < now.steps:
            yield FEWER_STEPS
        if then.walked - then.steps > now.walked - now.steps:
            yield MORE_IN_PLACE
        if self.after.slots > self.before.slots:
            yield MORE_SLOTS
