"""The structure of any schedule, from the links that it uses."""

from __future__ import annotations

from collectives.structure.kinds import Loose, Structure
from collectives.structure.traffic import Traffic


def inferred(traffic: Traffic) -> Structure:
    """The structure that all links in use agree with; links of no shape are loose."""
    return Loose(tuple(sorted(traffic.links)))
