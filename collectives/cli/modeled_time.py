"""What `--clock` and trouble mean for films, pages and pictures: times on a machine."""

from __future__ import annotations

from dataclasses import dataclass, replace

from collectives.cost.choose.setup import Setup
from collectives.cost.clocks.timing import Timing
from collectives.cost.fault_texts import NO_FAULTS, Faults
from collectives.cost.where import Where
from collectives.errors import BadInput
from collectives.recording.recording import Recording

MOST_SHOWN = 1 << 14  # messages on their way, in a film


@dataclass(frozen=True)
class ModeledTime:
    """The machine, the clock and the trouble by which a picture shows messages."""

    where: Where
    faults: Faults

    def check(self, recording: Recording) -> None:
        """Raise BadInput, before anything is executed, for too many messages."""
        number = recording.counters.messages
        if number > MOST_SHOWN:
            raise BadInput(
                f"--clock {self.where.clock}: {number:,} messages; a picture in modeled time shows "
                f"up to {MOST_SHOWN:,}; try: --clock steps"
            )

    def timings(self, recording: Recording) -> list[Timing]:
        """By the clock, with the trouble, then by the other one; raises BadInput for no time."""
        timings = self._setup(recording, self.faults).both_clocks(recording)
        if not timings[0].total and recording.check().ok:  # what is wrong is drawn all the same
            why = "it takes no time, of which nothing can be shown; try: --clock steps"
            raise BadInput(f"--clock {self.where.clock}: {why}")
        return timings

    def clean(self, recording: Recording) -> Timing | None:
        """Without the trouble, if there is any."""
        return self._setup(recording, NO_FAULTS).time(recording) if self.faults else None

    def _setup(self, recording: Recording, faults: Faults) -> Setup:
        setup = self.where.named(self.where.setup())
        if not self.where.is_given:
            from collectives.cost.machines.usual import usual_machine

            setup = replace(setup, machine=usual_machine)
        if faults.dead:  # what stops is drawn as it is recorded, in one ring
            setup = replace(setup, as_asked=True)
        return faults.of(setup, recording.ranks)


def modeled_time(where: Where, faults: Faults) -> ModeledTime | None:
    """What is meant; None where every step takes as long, which trouble cannot change."""
    if where.clock == "steps":
        if faults:
            option = str(faults).partition(";")[0]
            why = "with --clock steps all steps take as long"
            raise BadInput(f"{option}: {why}; try: --clock dataflow")
        return None
    return ModeledTime(where, faults)
