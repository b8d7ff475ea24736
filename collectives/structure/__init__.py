"""Structure: what an algorithm's links are, stated by its row of the catalog or inferred."""

from collectives.structure.kinds import (
    Cube,
    Exchange,
    Groups,
    Line,
    Loose,
    Ring,
    Star,
    Structure,
    Switches,
    Torus,
    Tree,
    TwoTrees,
)

__all__ = [
    "Cube",
    "Exchange",
    "Groups",
    "Line",
    "Loose",
    "Ring",
    "Star",
    "Structure",
    "Switches",
    "Torus",
    "Tree",
    "TwoTrees",
]
