"""The counters beside the picture: what is counted, in every state, and the lower bound."""

from __future__ import annotations

from dataclasses import dataclass

from collectives.theory import Bound
from collectives.units import size_text
from collectives.words import plural


@dataclass(frozen=True)
class Tally:
    """One row: its value and its text in each state, the start included.

    Values are numbers, bytes or seconds. bound, bound_text: what no algorithm can beat; None and
    nothing where there is no such number.
    """

    label: str
    values: tuple[float, ...]
    texts: tuple[str, ...]
    bound: float | None
    bound_text: str

    def text(self, step: int) -> str:
        """Now / this algorithm / lower bound."""
        parts = (self.texts[step], self.texts[-1], self.bound_text)
        return " / ".join(part for part in parts if part)


def tallies(
    steps: list[int], sent: list[tuple[int, ...]], bound: Bound, tells: bool
) -> tuple[Tally, ...]:
    """The rows: steps so far, and what the busiest rank has sent so far, state by state.

    steps: those in which a message travels. sent: by each rank, in bytes; where an algorithm
    only `tells`, in messages.
    """
    busiest = [max(each) for each in sent]
    amount = str if tells else size_text
    holds = bound.holds
    ports = f" ({plural(bound.ports, 'port')} a rank)" if holds else ""
    return (
        Tally(
            f"steps{ports}",
            tuple(steps),
            tuple(map(str, steps)),
            bound.steps if holds else None,
            f"{bound.steps}" if holds else "",
        ),
        Tally(
            "messages of the busiest rank" if tells else "sent by the busiest rank",
            tuple(busiest),
            tuple(map(amount, busiest)),
            None if tells or not holds else bound.sent,
            "" if not holds else "–" if tells else size_text(bound.sent),
        ),
    )
