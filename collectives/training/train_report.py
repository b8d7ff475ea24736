"""What a training step costs under each scheme, as a table and as values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from collectives.text_lines import Grid, Heading, Lines, Paragraph
from collectives.training.scaling import Scaling
from collectives.units import number_text, parameters_text, rate_text, size_text, time_text
from collectives.words import percent, plural

DIGITS = 3
DAY = 24  # hours


@dataclass(frozen=True)
class TrainingCost:
    """A training step under one scheme: bytes of one GPU, seconds, dollars of all GPUs."""

    scheme: str
    sent: int  # bytes a GPU sends in a step
    communication: float  # seconds in which its network is in use
    exposed: float  # seconds of them in which it computes nothing
    step: float  # seconds
    memory: int  # bytes a GPU holds at most, without activations
    fits: bool  # whether its memory has room for them
    bucket: int  # bytes of the gradients that are sent together, uncompressed; 0: none are
    best_bucket: int  # bytes: the largest with which the step is about the shortest
    best_step: float  # seconds of that step
    minimum_bandwidth: float | None  # bytes per second and GPU that hide all; None: nothing does
    wall: int | None  # ranks from which communication is more than half; None: no number is
    scaling: tuple[Scaling, ...]  # of the batch on 1, 2, 4 … ranks, if nothing is hidden
    dollars: float  # of a step
    hideable: bool = True  # whether its collectives may run beside the passes

    @property
    def share(self) -> float:
        """The part of the step in which GPUs wait for the network."""
        return self.exposed / self.step

    @property
    def fastest(self) -> Scaling:
        """The largest speed-up of `scaling`."""
        return max(self.scaling, key=lambda scaled: scaled.speedup)


@dataclass(frozen=True, repr=False)
class TrainingReport:
    """What `collectives.train` returns: `schemes`, each with bytes, seconds, memory and dollars."""

    parameters: int
    tokens: int  # of each GPU in a step
    ranks: int
    machine: str
    flops: float  # operations per second of a GPU
    bandwidth: float  # bytes per second that a GPU sends in a large collective
    compute: float  # seconds of the forward and the backward pass
    price: float  # dollars per GPU and hour
    schemes: Sequence[TrainingCost]
    notes: Sequence[str] = ()

    def __repr__(self) -> str:
        """One line: the setup, and each scheme's step."""
        steps = ", ".join(f"{scheme.scheme} {_time(scheme.step)}" for scheme in self.schemes)
        return f"<TrainingReport: {self._title}; {steps}>"

    @property
    def dollars_per_day(self) -> float:
        """The price of all GPUs for a day."""
        return self.price * DAY * self.ranks

    @property
    def _title(self) -> str:
        model = f"{parameters_text(self.parameters)} parameter{'s' * (self.parameters > 1)}"
        return f"{model}, {plural(self.ranks, 'rank')} on {self.machine}"

    @property
    def verdict(self) -> str:
        """The scheme of the shortest step that fits the memory, and what waits in it."""
        fitting = [scheme for scheme in self.schemes if scheme.fits]
        if not fitting:
            smallest = min(self.schemes, key=lambda scheme: scheme.memory)
            return f"No scheme fits the memory of a GPU; {smallest.scheme} needs least"
        best = min(fitting, key=lambda scheme: scheme.step)
        of = " of those that fit" if len(fitting) < len(self.schemes) else ""
        waits = f"{_time(best.exposed)} of {_time(best.step)} wait for the network"
        first = f"{best.scheme} has the shortest step{of}: " if len(self.schemes) > 1 else ""
        return f"{first}{waits}"

    def lines(self) -> Lines:
        """A row for each quantity and a column for each scheme, then what they are of."""
        yield Heading(self._title)
        yield ""
        names = [scheme.scheme for scheme in self.schemes]
        rows = [[name, *map(text, self.schemes)] for name, text in ROWS.items()]
        yield Grid(rows, ["a step of a GPU", *names], range(1, len(names) + 1))
        yield ""
        yield Paragraph(f"{self.verdict}.")
        yield f"{_dollars(self.dollars_per_day)} a day for all GPUs"
        for note in self.notes:
            yield Paragraph(note)

    def as_json(self) -> dict[str, Any]:
        """The same as values: bytes, seconds, bytes per second, dollars."""
        plain = {name: value for name, value in vars(self).items() if name != "schemes"}
        schemes = [{**asdict(scheme), "share": scheme.share} for scheme in self.schemes]
        more = {
            "verdict": self.verdict,
            "dollars_per_day": self.dollars_per_day,
            "notes": list(self.notes),
        }
        return {**plain, **more, "schemes": schemes}


def _time(value: float) -> str:
    return time_text(value, DIGITS)


def _size(value: float) -> str:
    return size_text(value, DIGITS, binary=False)


def _dollars(value: float) -> str:
    return f"${number_text(value, DIGITS)}"


def _wall(cost: TrainingCost) -> str:
    return "none" if cost.wall is None else f"{cost.wall:,} ranks"


def _hidden_from(cost: TrainingCost) -> str:
    need = cost.minimum_bandwidth
    if need is None:
        return "none: latency" if cost.hideable else "none: blocks wait"
    return rate_text(need, DIGITS)


def _bucket(size: int) -> str:
    return _size(size) if size else "none"


ROWS: dict[str, Callable[[TrainingCost], str]] = {
    "bytes sent": lambda cost: _size(cost.sent),
    "communication": lambda cost: _time(cost.communication),
    "not hidden by compute": lambda cost: _time(cost.exposed),
    "step": lambda cost: _time(cost.step),
    "waiting, share of the step": lambda cost: percent(cost.share),
    "memory, without activations": lambda cost: _size(cost.memory),
    "fits the GPU's memory": lambda cost: "yes" if cost.fits else "no",
    "bandwidth that hides it all": _hidden_from,
    "communication wall": _wall,
    "largest speed-up": lambda cost: (
        f"{number_text(cost.fastest.speedup, DIGITS)} on {cost.fastest.ranks:,}"
    ),
    "bucket": lambda cost: _bucket(cost.bucket),
    "best bucket": lambda cost: _bucket(cost.best_bucket),
    "step with it": lambda cost: _time(cost.best_step),
    "dollars, all GPUs": lambda cost: _dollars(cost.dollars),
}
