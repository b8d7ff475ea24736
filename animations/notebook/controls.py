"""The controls above a stepper in a notebook, with which its algorithm is chosen."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ipywidgets import Dropdown, HBox, IntText, Layout

from animations.notebook.saved import CONTROLS_CLASS, LOCK
from collectives.catalog import ROWS
from collectives.collective import COLLECTIVES

if TYPE_CHECKING:
    from animations.notebook.stepper import Stepper

CONTROLS = ("collective", "algorithm", "ranks", "root")


class Controls:
    """Four controls in a `row`, which follow the traits of a stepper and change them."""

    def __init__(self, stepper: Stepper) -> None:
        self._stepper = stepper
        self._showing = False
        titles = dict.fromkeys((row.promise.title, row.collective) for row in ROWS)
        self.collective = Dropdown(options=list(titles), **_look("collective", 15))
        self.algorithm = Dropdown(**_look("algorithm", 12))
        self.ranks = IntText(**_look("ranks", 8))
        self.root = IntText(**_look("root", 8))
        controls = [getattr(self, name) for name in CONTROLS]
        layout = Layout(flex_flow="row wrap", grid_gap="4px 18px", overflow="visible")
        self.row = HBox(controls, layout=layout).add_class(CONTROLS_CLASS)
        self._show()
        stepper.observe(lambda _: self._show(), CONTROLS)
        for control in controls:
            control.observe(self._chosen, "value")

    def _show(self) -> None:
        """Show what the stepper has, also where it is not in the catalog."""
        self._showing = True
        stepper = self._stepper
        named = (stepper.collective, stepper.algorithm)
        collective, algorithm = (name if isinstance(name, str) else "" for name in named)
        offered = _algorithms(collective)
        self.collective.value = collective if offered else None
        self.algorithm.options = offered
        self.algorithm.value = algorithm if algorithm in offered else None
        for name in ("ranks", "root"):
            if isinstance(getattr(stepper, name), int):  # else there is a problem to read
                getattr(self, name).value = getattr(stepper, name)
        chosen = COLLECTIVES.get(collective)
        self.root.disabled = chosen is not None and not chosen.rooted and not stepper.root
        self._showing = False

    def _chosen(self, change: dict[str, Any]) -> None:
        """Let the stepper show what was chosen, once no other thread shows anything."""
        with LOCK:
            self._choose(change)

    def _choose(self, change: dict[str, Any]) -> None:
        """Pass on what was chosen; what only fitted the last choice is left out."""
        if self._showing or change["new"] is None:
            return
        if change["owner"] is self.ranks or change["owner"] is self.root:
            self._stepper.choose(ranks=self.ranks.value, root=self.root.value, count=None)
            return
        name = self.collective.value or self._stepper.collective
        offered = _algorithms(name)
        algorithm = self.algorithm.value if self.algorithm.value in offered else offered[0]
        root = self.root.value if COLLECTIVES[name].rooted else 0
        choices = {"collective": name, "algorithm": algorithm, "root": root}
        self._stepper.choose(**choices, chunks=None, count=None)


def _algorithms(collective: str) -> list[str]:
    return [row.algorithm for row in ROWS if row.collective == collective]


def _look(name: str, width: int) -> dict[str, Any]:
    """The words before a control, and how wide both are."""
    layout, style = Layout(width=f"{width}em"), {"description_width": "auto"}
    return {"description": name, "layout": layout, "style": style}
