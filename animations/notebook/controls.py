"""The controls in front of a Stepper: what to show, chosen from the catalog."""

from __future__ import annotations

from typing import Any

from ipywidgets import Dropdown, HBox, IntText, Layout

from collectives.catalog import ROWS
from collectives.collective import COLLECTIVES

CHOSEN = ("collective", "algorithm", "ranks", "root")


class Controls:
    """Four controls in a `row`, which follow the traits of a stepper and change them."""

    def __init__(self, stepper: Any) -> None:
        self._stepper = stepper
        self._showing = False
        titles = dict.fromkeys((row.promise.title, row.collective) for row in ROWS)
        self.collective = Dropdown(options=list(titles), **_look("collective", 15))
        self.algorithm = Dropdown(**_look("algorithm", 12))
        self.ranks = IntText(**_look("ranks", 8))
        self.root = IntText(**_look("root", 8))
        self.row = HBox(
            [self.collective, self.algorithm, self.ranks, self.root],
            layout=Layout(flex_flow="row wrap", grid_gap="4px 18px", overflow="visible"),
        )
        self._show()
        stepper.observe(lambda _: self._show(), CHOSEN)
        for name in CHOSEN:
            getattr(self, name).observe(self._chosen, "value")

    def _show(self) -> None:
        """Show what the stepper has, also where it is not in the catalog."""
        self._showing = True
        stepper = self._stepper
        offered = _algorithms(stepper.collective)
        self.collective.value = stepper.collective if offered else None
        self.algorithm.options = offered
        self.algorithm.value = stepper.algorithm if stepper.algorithm in offered else None
        self.ranks.value, self.root.value = stepper.ranks, stepper.root
        rooted = COLLECTIVES.get(stepper.collective)
        self.root.disabled = rooted is not None and not rooted.rooted and not stepper.root
        self._showing = False

    def _chosen(self, change: dict[str, Any]) -> None:
        """Let the stepper show what was chosen; what only fitted the last choice is left out."""
        if self._showing or change["new"] is None:
            return
        if change["owner"] is self.ranks or change["owner"] is self.root:
            self._stepper.choose(ranks=self.ranks.value, root=self.root.value, count=None)
            return
        collective = self.collective.value or self._stepper.collective
        offered, algorithm = _algorithms(collective), self.algorithm.value
        if algorithm not in offered:
            algorithm = offered[0]
        rooted = COLLECTIVES[collective].rooted
        self._stepper.choose(
            collective=collective,
            algorithm=algorithm,
            root=self.root.value if rooted else 0,
            chunks=None,
            count=None,
        )


def _algorithms(collective: str) -> list[str]:
    return [row.algorithm for row in ROWS if row.collective == collective]


def _look(name: str, width: int) -> dict[str, Any]:
    """The words before a control, and how wide both are."""
    return {
        "description": name,
        "layout": Layout(width=f"{width}em"),
        "style": {"description_width": "auto"},
    }
