"""What a lab shows: source text, figures with their alternative text, ranks as lanes in time."""

from __future__ import annotations

import base64
import inspect
import io
import re
from collections.abc import Callable
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from PIL import Image

from animations.figures.space_time import draw, space_time
from collectives.cost.by_name import setup_on, time

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from collectives.cost.machines.topology import Topology
    from collectives.recording.recording import Recording

COLORS = 64  # of a picture, which a saved notebook keeps


@dataclass(frozen=True)
class LabMarkup:
    """LabMarkup in a notebook; as text, what it shows."""

    html: str
    text: str

    def __repr__(self) -> str:
        """What it shows."""
        return self.text

    def _repr_html_(self) -> str:
        return self.html


def code_of(*functions: Callable[..., Any]) -> LabMarkup:
    """The source of functions, without the examples in their docstrings."""
    text = "\n\n".join(inspect.getsource(function) for function in functions)
    text = re.sub(r'\n\n +>>>.*?(?="{3})', "", text, flags=re.DOTALL)
    return LabMarkup(f"<pre>{escape(text)}</pre>", text)


def show(figure: Figure, alt: str) -> LabMarkup:
    """A figure as wide as the cell, and what it shows in words."""
    drawn, image = io.BytesIO(), io.BytesIO()
    figure.savefig(drawn, format="png", facecolor=figure.get_facecolor())
    with Image.open(drawn) as picture:
        picture.quantize(COLORS).save(image, "png", optimize=True)
    return _image("image/png", image.getvalue(), alt)


def machine_map(machine: Topology) -> LabMarkup:
    """The map of a machine, and its links in words."""
    return _image("image/svg+xml", (machine._repr_svg_() or "").encode(), machine.describe())


def _image(kind: str, picture: bytes, alt: str) -> LabMarkup:
    source = f"data:{kind};base64,{base64.b64encode(picture).decode()}"
    style = "max-width: 100%; width: 960px"
    return LabMarkup(f'<img alt="{escape(alt)}" style="{style}" src="{source}">', alt)


def lanes(
    recording: Recording, machine: str = "ring", clock: str = "dataflow", **setting: Any
) -> LabMarkup:
    """The messages of a recording as arrows between the ranks, over time; hatched: idle.

    setting: parameters of the machine, or `faults` and `size`, as `time` takes them.
    """
    timing = time(recording, machine, clock=clock, **setting)
    setup = setup_on(timing.topology, clock, timing.costs)
    alt = f"{recording.title} on {machine}, each rank a lane in time"
    return show(draw(space_time(timing.recording, setup)), alt)
