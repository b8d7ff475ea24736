"""The player in a notebook: a widget with controls, and a saved page that needs no kernel."""

from __future__ import annotations

import html
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import anywidget
import traitlets
from IPython.display import display
from ipywidgets import VBox

from animations.notebook.controls import Controls
from animations.player.data import pack
from animations.player.data import story as story_of
from animations.player.page import page, theme_css
from animations.story.layout import VIEWS
from animations.story.storyboard import proved_storyboard
from animations.story.theme import DARK
from collectives.collective import find_collective
from collectives.cost.machines import topology_for
from collectives.cost.machines.topology import Topology
from collectives.errors import BadInput, CollectivesError
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.shown import page_frame

CHOICES = ("collective", "algorithm", "ranks", "root", "chunks", "count")
MACHINE = ("topology", "latency", "bandwidth")
WIDGET = "application/vnd.jupyter.widget-view+json"


PLAYER = Path(__file__).parents[1] / "player"


def _files(*names: str) -> str:
    return "".join((PLAYER / name).read_text("utf-8") for name in names)


class Stepper(anywidget.AnyWidget):
    """An algorithm to step through in a notebook, forward and back, with controls to choose it.

    `Stepper("all_reduce", "ring", ranks=8)`, or `Stepper(recording)`, which has no controls.
    collective, algorithm, ranks, root, chunks and count mean what they mean to
    `collectives.record`; topology, a machine by name or a Topology, latency and bandwidth say
    where time is counted. All of them and `step` can be changed at any time, and the picture
    follows; stepping in the browser changes `step`. Where a choice cannot be shown, `problem`
    says why in one line, which replaces the picture.
    """

    _esm = _files("player.js", "stepper.js")
    _css = theme_css(DARK) + _files("player.css", "stepper.css")
    key = traitlets.Unicode().tag(sync=True)
    story = traitlets.Unicode().tag(sync=True)
    problem = traitlets.Unicode().tag(sync=True)
    step = traitlets.Int(0).tag(sync=True)
    collective = traitlets.Unicode()
    algorithm = traitlets.Unicode()
    ranks = traitlets.Int(4)
    root = traitlets.Int(0)
    chunks = traitlets.Int(None, allow_none=True)
    count = traitlets.Int(None, allow_none=True)
    topology = traitlets.Union((traitlets.Unicode("crossbar"), traitlets.Instance(Topology)))
    latency = traitlets.Unicode(None, allow_none=True)
    bandwidth = traitlets.Unicode(None, allow_none=True)

    def __init__(
        self,
        subject: str | Recording = "all_reduce",
        algorithm: str = "ring",
        *,
        ranks: int = 4,
        root: int = 0,
        chunks: int | None = None,
        count: int | None = None,
        topology: str | Topology = "crossbar",
        latency: str | None = None,
        bandwidth: str | None = None,
    ) -> None:
        recording = subject if isinstance(subject, Recording) else None
        if recording is not None:
            algorithm, ranks, root = recording.algorithm, recording.ranks, recording.root
            chunks, count = recording.chunks, recording.count
        self._last, self._page, self._title = 0, "", ""
        self._saved: list[Any] = []
        super().__init__(
            key=uuid4().hex,
            collective=recording.collective.name if recording else str(subject),
            algorithm=_name(algorithm).replace("_", "-"),
            ranks=ranks,
            root=root,
            chunks=chunks,
            count=count,
            topology=topology,
            latency=latency,
            bandwidth=bandwidth,
        )
        self._given = recording
        self._show()
        self._box = VBox([self] if recording else [Controls(self).row, self])
        self.observe(self._choose, CHOICES)
        self.observe(lambda _: self._show(), MACHINE)

    def choose(self, **choices: Any) -> None:
        """Change several choices at once, and draw the picture once."""
        with self.hold_trait_notifications():
            for name, value in choices.items():
                setattr(self, name, value)

    @traitlets.validate("collective")
    def _collective_by_its_name(self, proposal: dict[str, Any]) -> str:
        """`all_reduce` for allreduce; what is unknown stays, and is said to be so."""
        try:
            return find_collective(proposal["value"]).name
        except BadInput:
            return _name(proposal["value"])

    @traitlets.validate("step")
    def _step_that_exists(self, proposal: dict[str, Any]) -> int:
        return min(max(int(proposal["value"]), 0), self._last)

    def _choose(self, _: Any) -> None:
        """Show what is chosen from now on, not the recording that was given."""
        self._given = None
        self._show()

    def _show(self) -> None:
        """Show the chosen algorithm from its start, or say why it cannot be shown."""
        story = problem = self._page = ""
        self._last = 0
        try:
            recording = self._given or self._record()
            board = proved_storyboard(recording, self._machine(recording))
            self._page, story = page(board), pack(story_of(board))
            self._last, self._title = len(board.frames), board.title
        except CollectivesError as refused:
            problem = str(refused)
        with self.hold_sync():
            self.story, self.problem, self.step = story, problem, 0
            for shown in self._saved:  # first: what is seen to be new can be saved
                shown.update(self._frame(), raw=True)

    def _machine(self, recording: Recording) -> Topology:
        """Where time is counted."""
        given = {"latency": self.latency, "bandwidth": self.bandwidth}
        given = {name: text for name, text in given.items() if text is not None}
        place: str | Topology = self.topology
        if isinstance(place, str):
            return topology_for(recording, place, **given)
        for name, text in given.items():
            raise BadInput(f"{name} {text!r}: the links of {place.name} have their own")
        return place

    def _record(self) -> Recording:
        limit = VIEWS["matrix"]
        for name, number in (("ranks", self.ranks), ("chunks", self.chunks or 1)):
            if number > limit:  # before it is recorded, which might take minutes
                raise BadInput(f"{number} {name}: the picture shows 1 to {limit}; nearest: {limit}")
        return record(
            self.collective,
            self.algorithm,
            ranks=self.ranks,
            root=self.root,
            chunks=self.chunks,
            count=self.count,
        )

    def _repr_html_(self) -> str:
        """The picture as a page within the page: it needs no kernel and no network."""
        style = f"<style>{one_of_both(self.key)}</style>"
        if self.problem:
            return f'{style}<p data-saved="{self.key}">{html.escape(self.problem)}</p>'
        return style + page_frame(self._page, self._title, f'data-saved="{self.key}"')

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The widget, and the page for where there is no kernel."""
        return {**self._widget(), "text/html": self._repr_html_()}, {}

    def _ipython_display_(self) -> None:
        """Show the widget and, as an output of its own, the page that takes over when saved.

        JupyterLab shows nothing but an error for a widget without a kernel, whatever else its
        output has; so there are two outputs, and a style by which one is seen at a time.
        """
        live = {**self._widget(), "text/html": "<!-- the next output is this one, saved -->"}
        show: Callable[..., Any] = display
        show(live, raw=True)
        self._saved.append(show(self._frame(), raw=True, display_id=True))

    def _frame(self) -> dict[str, str]:
        return {"text/html": self._repr_html_(), "text/plain": ""}

    def _widget(self) -> dict[str, Any]:
        view = {"version_major": 2, "version_minor": 0, "model_id": self._box.model_id}
        return {"text/plain": f"Stepper: {self.problem or self._title}", WIDGET: view}


def _name(text: str) -> str:
    return text.replace("-", "_").lower()


def one_of_both(key: str) -> str:
    """A style that hides the saved page where the widget lives, else the dead widget's output."""
    saved, live, output = f'[data-saved="{key}"]', f'[data-stepper="{key}"]', ".jp-OutputArea-child"
    return (
        f"body:has({live}) :is({saved}, {output}:has({saved})), "
        f"{output}:not(:has({live})):has(+ {output} {saved}) {{ display: none; }}"
    )
