"""The saved page of a Modeler: its picture, and sliders that work in it without a kernel."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from animations.drawing.theme import DARK
from animations.figures.line_styles import line_styles
from animations.notebook.training_step import (
    FORWARD,
    INSIDE,
    MACHINES,
    RANKS,
    TrainingSetup,
    TrainingStep,
)
from animations.notebook.training_svg import (
    ALGORITHMS,
    BAR,
    COMPUTE,
    HEIGHT,
    LEFT,
    LINK,
    MOST_BARS,
    PLOT,
    RIGHT,
    WIDTH,
    draw,
)
from animations.player.pack.modules import joined, with_short_names, without_spaces
from animations.player.page import INDENT, WEB
from collectives.cost.busbw import factor
from collectives.training.gradients import BITS, volume

TONES = ("ink", "faint", "edge", "line", "now", "background", "phase 0", "phase 1")
STYLE = """
:root { color-scheme: light dark; }
body { margin: 0; font: 14px system-ui, sans-serif; background: Canvas; color: CanvasText; }
#controls { display: grid; grid-template-columns: repeat(auto-fill, minmax(280px, 1fr));
  gap: 2px 16px; max-width: 980px; margin-bottom: 6px; }
label { display: flex; align-items: center; gap: 8px; min-height: 30px; }
label > span { width: 6em; text-align: right; }
label > :is(input, select) { flex: 1; min-width: 0; }
label > output { width: 6em; }
"""
Stops = dict[str, list[tuple[str, Any]]]


def modeler_page(step: TrainingStep, stops: Stops) -> str:
    """A page within the page; stops: of each slider and menu, the label and the value."""
    setup = step.setup
    data = {"picture": _picture(setup.ranks), "setup": vars(setup), "stops": stops}
    model = json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
    return (
        f'<!DOCTYPE html><meta charset="utf-8"><style>{STYLE}</style><body>'
        f'<div id="controls"></div><div id="picture">{draw(step)}</div>'
        f'<script type="application/json" id="model">{model}</script>'
        f'<script type="module">{_script()}</script>'
    )


@cache
def _script() -> str:
    """The modules that compute and draw."""
    return without_spaces(INDENT.sub("", with_short_names(joined(WEB, "entry/modeler.js"))))


@cache
def _picture(ranks: int) -> dict[str, Any]:
    """What the page computes with and draws with, also for a number of ranks that is no stop."""
    styles = zip(ALGORITHMS, line_styles(len(ALGORITHMS), DARK), strict=True)
    return {
        "machines": {
            name: {
                "label": model.label,
                "algorithms": model.algorithms,
                "forms": {
                    algorithm: _forms(name, algorithm, ranks) for algorithm in model.algorithms
                },
            }
            for name, model in MACHINES.items()
        },
        "bits": BITS,
        "forward": FORWARD,
        "inside": {"bandwidth": INSIDE.bandwidth, "latency": INSIDE.latency},
        "ranks": RANKS,
        "names": ALGORITHMS,
        "styles": {name: {"color": style.color, "dashes": style.dashes} for name, style in styles},
        "tones": {tone: DARK.tone(tone) for tone in TONES},
        **{"width": WIDTH, "height": HEIGHT, "left": LEFT, "right": RIGHT},
        **{"compute": COMPUTE, "link": LINK, "bar": BAR, "bars": MOST_BARS},
        "plot": {side: getattr(PLOT, side) for side in ("left", "top", "right", "bottom")},
    }


def _forms(machine: str, algorithm: str, more: int) -> dict[int, Any]:
    """The closed forms of an all-reduce on each number of ranks that the algorithm takes."""
    forms = {}
    for ranks in sorted({*RANKS, more}):
        setup = TrainingSetup(ranks=ranks, machine=machine, algorithm=algorithm)
        if (ranks > setup.gpus and ranks % setup.gpus) or not setup.row.accepts(ranks, setup.given):
            continue
        sent = volume("all_reduce", algorithm, ranks, parameters=setup.given).sent
        busbw = float(factor("all_reduce", ranks))
        forms[ranks] = {"ways": setup.ways, "sent": float(sent), "busbw": busbw}
    return forms
