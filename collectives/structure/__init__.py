"""Structure: what an algorithm's links are, stated by its row of the catalog or inferred."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collectives.structure.base import Loose as Loose
    from collectives.structure.base import Structure as Structure
    from collectives.structure.machines import Exchange as Exchange
    from collectives.structure.machines import Groups as Groups
    from collectives.structure.machines import RoutedGroups as RoutedGroups
    from collectives.structure.machines import Torus as Torus
    from collectives.structure.rings import Line as Line
    from collectives.structure.rings import Ring as Ring
    from collectives.structure.rings import Star as Star
    from collectives.structure.rows import Cube as Cube
    from collectives.structure.trees import Switches as Switches
    from collectives.structure.trees import Tree as Tree
    from collectives.structure.trees import TwoTrees as TwoTrees


def __getattr__(name: str) -> Any:
    """A kind of structure, made when the first is used: what only records needs none."""
    return getattr(import_module("collectives.structure.inference"), name)
