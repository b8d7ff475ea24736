"""The player in a notebook: a widget with controls, and a saved page that needs no kernel."""

from __future__ import annotations

import base64
import html
from collections.abc import Callable, Sequence
from typing import Any
from uuid import uuid4

import anywidget
import traitlets
from ipywidgets import VBox

from animations.notebook.controls import CONTROLS, Controls
from animations.notebook.saved import LOCK, SavedWidget, asked_text, one_of_both
from animations.notebook.selection import (
    Built,
    Reach,
    check_built,
    check_playing,
    check_selection,
    check_step,
    reach_of,
    within_reach,
)
from animations.player.pack.data import pack
from animations.player.pack.data import story as story_of
from animations.player.page import asset, page, player_script, player_style
from animations.player.snapshot import png
from animations.stages.views import MOST_ON_PAGES, check_shown
from animations.story.storyboard import Storyboard
from animations.story.usual import usual_board
from collectives.collective import Collective, find_collective
from collectives.cost.machines import topology_for
from collectives.cost.machines.topology import Topology
from collectives.errors import BadInput, CollectivesError
from collectives.notebook_display import page_frame
from collectives.proof.own_algorithm import OwnAlgorithm, as_far_as_it_goes
from collectives.questions import Question
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.schedule import Schedule
from collectives.values import instance

CHOICES = (*CONTROLS, "chunks", "count")
MACHINE = ("topology", "latency", "bandwidth")


class Stepper(SavedWidget, anywidget.AnyWidget):
    """An algorithm to step through in a notebook, forward and back, with controls to choose it.

    All arguments, `step`, `playing` and `selection` can be changed at any time, and the picture
    follows; what is done in the browser changes them here, and can be observed. Where a choice
    cannot be shown, `problem` says why in one line, which replaces the picture. A schedule of yours
    that is wrong is shown at its first wrong step, marked as wrong, and `problem` says what is.

    Parameters
    ----------
    subject
        The collective, such as "all_reduce"; a function that yields steps, as for
        `collectives.check`; or a Recording, which is shown without controls.
    algorithm, ranks, root, chunks, count
        As in `collectives.record`; count in elements.
    collective
        What your function promises; by default the collective that ends its name.
    topology
        The machine on which time is counted, by name or as a Topology; by default an hgx-h100, or
        a cluster beyond 8 ranks.
    latency, bandwidth
        Of the machine's links, with units: "5us", "50GB/s"; of a crossbar without a topology.
    ask
        Whether it asks what comes next before it is shown: until the question is answered in the
        picture, a later `step` is refused. Or what it asks: a function of the recording that
        gives questions, such as `predictions.ring_questions.counts` of the
        lectures.
    slots
        Chunks of the vector of your function, as in `collectives.check`.

    Attributes
    ----------
    step : int
        The step that is shown, 0 for the start.
    time : float
        Seconds that the steps so far take on the machine, as the picture counts them; read-only.
    playing : bool
        Whether one step follows another in the browser.
    selection : dict or None
        What is selected in the picture: {"rank": 3}, {"rank": 3, "slot": 0}, {"chunk": [2]} (of
        an all-to-all {"chunk": [2, 1]}: the block of rank 1 for rank 2), {"transfer": [step,
        number]}, of which the first step is 1, the first transfer 0, {"line": [source, line]},
        {"link": [2, 3]} or {"counter": 1}.
    built : list of steps, or None
        What was built or mended on the page's workbench (key b), whatever is shown: of each step
        the transfers, each a tuple (src, dst, chunk, into, adds). Set it to have it there.
    answers : list of dict
        With `ask`: each answer so far, with the keys kind, step, asked, answered (None if it was
        skipped), because, right and right_reason. Set it to [] to be asked again.
    problem : str
        Why the choice cannot be shown, or what is wrong with a schedule that is drawn to its first
        wrong step; else nothing.

    Raises
    ------
    BadInput
        Where `step`, `playing`, `selection` or `built` is set to what the picture does not have,
        or to what a question still hides.

    Examples
    --------
    >>> stepper = Stepper("all_reduce", "ring", ranks=8)
    >>> stepper.step = 3
    >>> print(f"{stepper.time * 1e6:.0f} us")
    59 us
    >>> stepper.selection = {"rank": 2}
    >>> stepper.ranks = 300
    >>> stepper.problem
    '300 ranks: a page shows 1 to 256; try: 256'
    """

    _esm = player_script("entry/widget.js")
    _css = player_style() + asset("stepper.css")
    key = traitlets.Unicode().tag(sync=True)
    story = traitlets.Unicode().tag(sync=True)
    problem = traitlets.Unicode().tag(sync=True)
    step = traitlets.Any(0).tag(sync=True)
    time = traitlets.Float(0.0, read_only=True).tag(sync=True)
    playing = traitlets.Bool(False).tag(sync=True)
    selection = traitlets.Any(None).tag(sync=True)
    built = traitlets.Any(None).tag(sync=True)
    answers = traitlets.List(traitlets.Dict()).tag(sync=True)
    collective = traitlets.Any()  # of any kind: what cannot be used becomes a `problem`
    algorithm = traitlets.Any()
    ranks = traitlets.Any()
    root = traitlets.Any()
    chunks = traitlets.Any()
    count = traitlets.Any()
    topology = traitlets.Any()
    latency = traitlets.Any()
    bandwidth = traitlets.Any()

    def __init__(
        self,
        subject: str | Recording | Callable[..., Schedule] = "all_reduce",
        algorithm: str = "ring",
        *,
        ranks: int = 4,
        root: int = 0,
        chunks: int | None = None,
        count: int | None = None,
        collective: str | Collective | None = None,
        topology: str | Topology | None = None,
        latency: str | None = None,
        bandwidth: str | None = None,
        ask: bool | Callable[[Recording], Sequence[Question]] = False,
        slots: int | None = None,
    ) -> None:
        recording = subject if isinstance(subject, Recording) else None
        if recording is not None:
            algorithm, ranks, root = recording.algorithm, recording.ranks, recording.root
            chunks, count = recording.chunks, recording.count
        own = callable(subject)
        self._page, self._title, self._still = "", "", b""
        self._board: Storyboard | None = None
        self._saved: list[Any] = []
        self._asks = ask if callable(ask) else instance("ask", ask, bool, "True")
        super().__init__(
            key=uuid4().hex,
            collective=recording.collective.name if recording else "" if own else subject,
            algorithm=algorithm,
            ranks=ranks,
            root=root,
            chunks=chunks,
            count=count,
            topology=topology,
            latency=latency,
            bandwidth=bandwidth,
        )
        self._given = recording
        self._own: Any = (subject, collective, slots) if own else None
        self._show()
        self._box = VBox([self] if recording else [Controls(self).row, self])
        self.observe(self._choose, CHOICES)
        self.observe(lambda _: self._redraw(), MACHINE)

    @traitlets.validate("collective")
    def _collective_by_its_name(self, proposal: dict[str, Any]) -> Any:
        """`all_reduce` for allreduce; an unknown name stays, and becomes a `problem`."""
        try:
            return find_collective(proposal["value"]).name
        except BadInput:
            value = proposal["value"]
            return value.replace("-", "_").lower() if isinstance(value, str) else value

    @traitlets.validate("algorithm")
    def _algorithm_by_its_name(self, proposal: dict[str, Any]) -> Any:
        value = proposal["value"]
        return value.replace("_", "-").lower() if isinstance(value, str) else value

    @traitlets.validate("step")
    def _step_that_exists(self, proposal: dict[str, Any]) -> int:
        return check_step(proposal["value"], self._reach)

    @traitlets.validate("playing")
    def _playing_what_there_is(self, proposal: dict[str, Any]) -> bool:
        return check_playing(bool(proposal["value"]), self._reach)

    @traitlets.validate("selection")
    def _selection_that_exists(self, proposal: dict[str, Any]) -> dict[str, Any] | None:
        return check_selection(proposal["value"], self._board, self._reach)

    @traitlets.validate("built")
    def _built_of_what_there_is(self, proposal: dict[str, Any]) -> Built | None:
        return check_built(proposal["value"], self._board)

    @traitlets.observe("step")
    def _update_time(self, _: dict[str, Any]) -> None:
        times = self._board.counters[-1].values if self._board else (0.0,)
        self.set_trait("time", float(times[self.step]))

    @property
    def _reach(self) -> Reach:
        return reach_of(self._board, self.answers)

    @traitlets.observe("answers")
    def _lock_step(self, _: dict[str, Any]) -> None:
        """Where answers are taken back, what they unlocked is, too."""
        reach = self._reach
        self.step = min(self.step, reach.limit)
        self.selection = None if reach.asks else self.selection

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Take what was changed in the browser, while no other thread changes anything.

        What the picture has no more, as it has changed meanwhile, is corrected in the browser.
        """
        with LOCK:
            reach = reach_of(self._board, sync_data.get("answers", self.answers))
            corrected = within_reach(sync_data, reach)
            super().set_state(sync_data | corrected)
            self.send_state(set(corrected))

    def _choose(self, change: dict[str, Any]) -> None:
        """Show what is chosen from now on, not the recording or function that was given."""
        self._given = None
        if change["name"] in ("collective", "algorithm"):
            self._own = None
        self._redraw()

    def _show(self) -> None:
        """Show the chosen algorithm from its start, or say why it cannot be shown."""
        story = problem = self._page = ""
        self._board = None
        try:
            recording = self._given or self._record()
            check_shown(recording.ranks, recording.chunk_count, MOST_ON_PAGES)  # before its proof
            again = self._again if self._own else None
            machine = self._machine(recording)
            board = usual_board(recording, machine, asks=self._asks, again=again)
            problem = board.wrong.text if board.wrong else ""
            self._page, story = page(board), pack(story_of(board))
            self._title, self._still, self._board = board.title, png(board), board
        except CollectivesError as refused:
            problem = str(refused)
        with self.hold_sync():
            self.playing, self.selection, self.built = False, None, None
            self.answers = []
            self.step = self._reach.limit if problem else 0  # where what is wrong is seen
            self.story, self.problem = story, problem
            self._update_saved()  # first: what is seen to be new can be saved

    def _machine(self, recording: Recording) -> Topology | None:
        """Where time is counted; None for the usual machine."""
        chosen = {"latency": self.latency, "bandwidth": self.bandwidth}
        chosen = {
            name: instance(name, text, str, "5us" if name == "latency" else "50GB/s")
            for name, text in chosen.items()
            if text is not None
        }
        place: Any = self.topology
        if place is None:
            return topology_for(recording, "crossbar", **chosen) if chosen else None
        if not isinstance(place, Topology):
            return topology_for(recording, place, **chosen)
        for name, text in chosen.items():
            raise BadInput(f"{name} {text!r}: the links of {place.name} have their own")
        return place

    def _record(self) -> Recording:
        chunks = 1 if self.chunks is None else self.chunks
        check_shown(self.ranks, chunks, MOST_ON_PAGES)  # before a recording that may take minutes
        if self._own is not None:
            function, promise, slots = self._own
            own = OwnAlgorithm(function, promise, self.chunks, slots)
            return as_far_as_it_goes(lambda: own.record(self.ranks, self.root, count=self.count))
        instance("subject", self.collective, str, "all_reduce")
        return record(self.collective, **{name: getattr(self, name) for name in CHOICES[1:]})

    def _again(self, ranks: int) -> Recording:
        """Your own function on another number of ranks."""
        function, promise, slots = self._own
        return OwnAlgorithm(function, promise, self.chunks, slots).record(ranks, self.root)

    def _repr_html_(self) -> str:
        style = f"<style>{one_of_both(self.key)}</style>"
        if self._board is None:
            return f'{style}<p data-saved="{self.key}">{html.escape(self.problem)}</p>'
        saved = f'data-saved="{self.key}"'
        asked = asked_text(self._board.questions) if callable(self._asks) else ""
        text = f"<div {saved}>{asked}</div>" if asked else ""
        return style + text + page_frame(self._page, self._title, self._still, saved)

    def _plain(self) -> dict[str, str]:
        text = {"text/plain": f"Stepper: {self.problem or self._title}"}
        image = {"image/png": base64.b64encode(self._still).decode()}
        return image | text if self._board else text

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        """The widget, and the page for where there is no kernel."""
        return {**self._widget(), **self._frame()}, {}

    def _widget(self) -> dict[str, Any]:
        return {**super()._widget(), "text/plain": self._plain()["text/plain"]}
