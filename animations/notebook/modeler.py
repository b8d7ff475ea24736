"""The Modeler: sliders for a training step, and a picture of where its time goes."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from typing import Any
from uuid import uuid4

import traitlets
from ipywidgets import HTML, Dropdown, GridBox, Layout, SelectionSlider, VBox

from animations.notebook.modeler_page import modeler_page
from animations.notebook.saved import CONTROLS_CLASS, RUN, SavedWidget, one_of_both
from animations.notebook.training_step import (
    MACHINES,
    RANKS,
    MachineModel,
    TrainingSetup,
    TrainingStep,
    modeled,
)
from animations.notebook.training_svg import (
    ALGORITHMS,
    draw,
    given,
    numbers,
    rate_text,
    summary,
    time_text,
)
from collectives.errors import CollectivesError
from collectives.notebook_display import not_trusted
from collectives.units import parameters_text, parse_rate, parse_time
from collectives.values import MAX_WHOLE

CHOICES = tuple(TrainingSetup.__dataclass_fields__)
DTYPES = ("fp32", "bf16", "fp16", "fp8")
PARSERS = {"bandwidth": parse_rate, "latency": parse_time, "compute": parse_time}
LABELS: dict[str, Callable[[Any], str]] = {  # the text beside a slider
    "parameters": parameters_text,
    "latency": time_text,
    "compute": time_text,
    "bandwidth": rate_text,
}
STOPS: dict[str, Sequence[Any]] = {  # where a slider stops
    "parameters": [lead * 10**power for power in range(6, 12) for lead in (1, 3, 7)] + [10**12],
    "ranks": RANKS,
    "bandwidth": [1.25e9, 3.125e9, 6.25e9, 12.5e9, 25e9, 50e9, 100e9, 200e9, 450e9, 900e9, 1800e9],
    "latency": [lead * 10.0**-power for power in (6, 5, 4) for lead in (1, 2, 5)] + [1e-3],
    "compute": [lead * 10.0**-power for power in (3, 2, 1, 0) for lead in (1, 2, 5)] + [10.0],
    "buckets": [1 << power for power in range(9)],
}


class Modeler(SavedWidget):
    """How long a step of data-parallel training takes, with a slider for each choice.

    All choices can be changed at any time, in Python or by a slider, and the picture follows.
    `result` has the numbers. Where a choice cannot be timed, `problem` says why in one line,
    which replaces the picture.

    Parameters
    ----------
    parameters
        Of the model.
    dtype
        Of the gradients: "fp32", "bf16", "fp16" or "fp8".
    ranks
        GPUs, 1 to 4096.
    machine
        "crossbar", every GPU at one switch, or "cluster", nodes of 8 GPUs with NVLink, where
        each GPU has a network card.
    algorithm
        Of the all-reduce: on a crossbar "ring", "tree" or "rabenseifner", on a cluster "ring" or
        "hierarchical". Default: ring, on a cluster hierarchical.
    bandwidth, latency
        Of the link of each GPU to the switch, or of its network card: bytes per second and
        seconds, or text such as "50GB/s" and "5us".
    compute
        Forward and backward pass: seconds, or text such as "250ms".
    buckets
        Equal parts of the gradients. The all-reduce of each starts when the backward pass has
        computed it; with one bucket nothing overlaps.

    Examples
    --------
    >>> modeler = Modeler(parameters=7_000_000_000, ranks=8, latency="0us", buckets=1)
    >>> print(str(modeler).splitlines()[0])
    A step takes 1.49 s: 67.1 % of it is compute, ranks wait 490 ms
    """

    parameters = traitlets.Any()  # of any kind: what cannot be used becomes a `problem`
    dtype = traitlets.Any()
    ranks = traitlets.Any()
    machine = traitlets.Any()
    algorithm = traitlets.Any()
    bandwidth = traitlets.Any()
    latency = traitlets.Any()
    compute = traitlets.Any()
    buckets = traitlets.Any()

    def __init__(
        self,
        *,
        parameters: int = TrainingSetup.parameters,
        dtype: str = TrainingSetup.dtype,
        ranks: int = TrainingSetup.ranks,
        machine: str = TrainingSetup.machine,
        algorithm: str = "",
        bandwidth: float | str = TrainingSetup.bandwidth,
        latency: float | str = TrainingSetup.latency,
        compute: float | str = TrainingSetup.compute,
        buckets: int = TrainingSetup.buckets,
    ) -> None:
        machine = machine.strip().lower() if isinstance(machine, str) else machine
        rates = {"bandwidth": bandwidth, "latency": latency, "compute": compute}
        for name, value in rates.items():
            rates[name] = PARSERS[name](value, name) if isinstance(value, str) else value
        if isinstance(algorithm, str) and not algorithm:
            algorithm = _model(machine).usual
        named = {"dtype": dtype, "machine": machine, "algorithm": algorithm}
        super().__init__(parameters=parameters, ranks=ranks, buckets=buckets, **named, **rates)
        self.result: TrainingStep | None = None
        self.problem = ""
        self._key = uuid4().hex
        self._showing = False
        self._saved: list[Any] = []
        self._controls = {name: _control(name) for name in CHOICES}
        self._picture = HTML(layout=Layout(width="100%", margin="0"))
        rows = Layout(grid_template_columns="repeat(auto-fill, minmax(300px, 1fr))", width="100%")
        controls = GridBox(list(self._controls.values()), layout=rows).add_class(CONTROLS_CLASS)
        self._box = VBox([controls, self._picture])
        for name, control in self._controls.items():
            control.observe(self._chosen(name), "value")
        self._show()
        self.observe(lambda _: self._redraw(), CHOICES)

    def _chosen(self, name: str) -> Callable[[dict[str, Any]], None]:
        """The handler of a control; it replaces an algorithm that the new machine does not have."""

        def chosen(change: dict[str, Any]) -> None:
            if self._showing or change["new"] is None:
                return
            choices = {name: change["new"]}
            if name == "machine" and self.algorithm not in MACHINES[change["new"]].algorithms:
                choices["algorithm"] = MACHINES[change["new"]].algorithms[-1]
            self.choose(**choices)

        return chosen

    def _show(self) -> None:
        """Show the chosen step, or say why it cannot be timed."""
        setup = TrainingSetup(**{name: getattr(self, name) for name in CHOICES})
        self.result, self.problem = None, ""
        try:
            self.result = modeled(setup)
            setup = self.result.setup
        except CollectivesError as refused:
            self.problem = str(refused)
        self._showing = True
        for name, control in self._controls.items():
            _set(control, name, getattr(setup, name), self.machine)
        self._showing = False
        self._picture.value = f'<div data-stepper="{self._key}">{self._drawn()}</div>'
        self._update_saved()

    def _drawn(self) -> str:
        if self.result is None:
            return f'<p role="alert"><b>{html.escape(self.problem)}</b></p>'
        return draw(self.result)

    def __str__(self) -> str:
        """The numbers as text."""
        if self.result is None:
            return self.problem
        rows = numbers(self.result)
        width = max(len(name) for name, _ in rows)
        table = [f"  {name:{width}}  {value}" for name, value in rows]
        return "\n".join([summary(self.result), given(self.result.setup), *table])

    def _plain(self) -> dict[str, str]:
        return {"text/plain": str(self)}

    def _repr_html_(self) -> str:
        """A page within the page, whose sliders need no kernel; where there is a problem, that."""
        page = f'<!DOCTYPE html><body style="margin: 0">{self._drawn()}'
        if self.result is not None:
            page = modeler_page(self.result, self._stops(self.result.setup))
        saved = f'data-saved="{self._key}"'
        return (
            f"<style>{one_of_both(self._key)}</style>"
            f"<p {saved}>These sliders are the page's own, and tell Python nothing. {RUN}</p>"
            f'<iframe {saved} title="Training step" sandbox="allow-scripts" '
            'style="width: 100%; max-width: 980px; aspect-ratio: 98 / 65; min-height: 640px; '
            f'border: 0" srcdoc="{html.escape(page)}"></iframe>'
        ) + not_trusted(
            f"<pre>{html.escape(str(self))}</pre><p>The picture is drawn in a trusted notebook.</p>"
        )

    def _stops(self, setup: TrainingSetup) -> dict[str, list[tuple[str, Any]]]:
        """The values of each slider, those of the setup among them, and of the menu of types."""
        return {name: _options(name, "", getattr(setup, name)) for name in ("dtype", *STOPS)}


def _control(name: str) -> Any:
    """The control of a choice, without its value."""
    kind = SelectionSlider if name in STOPS else Dropdown
    look = {"description": name, "style": {"description_width": "6em"}}
    return kind(options=_options(name, "crossbar"), layout=Layout(width="auto"), **look)


def _model(machine: object) -> MachineModel:
    """The machine of this name; a crossbar where there is none."""
    return MACHINES[machine if isinstance(machine, str) and machine in MACHINES else "crossbar"]


def _options(name: str, machine: object, *more: Any) -> list[tuple[str, Any]]:
    """The options of a control: label and value; of a slider also `more` values."""
    if name == "machine":
        return [(model.label, key) for key, model in MACHINES.items()]
    if name == "algorithm":
        return [(ALGORITHMS[algorithm], algorithm) for algorithm in _model(machine).algorithms]
    values = sorted({*STOPS[name], *more}) if name in STOPS else DTYPES
    return [(LABELS.get(name, str)(value), value) for value in values]


def _set(control: Any, name: str, value: Any, machine: object) -> None:
    """Let a control show a value, even if it was not among its options."""
    if name not in STOPS:
        options = _options(name, machine)
        if list(control.options) != options:
            control.options = options
        known = isinstance(value, str) and value in [name for _, name in options]
        control.value = value if known else None
    elif isinstance(value, int | float) and 0 < value < MAX_WHOLE:  # else the picture says why
        if value not in [name for _, name in control.options]:
            with control.hold_trait_notifications():
                control.options = _options(name, machine, value)
        control.value = value
