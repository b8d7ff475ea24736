"""Structure: what an algorithm's links are, stated by its row of the catalog or inferred."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collectives.structure.kinds import Cube as Cube
    from collectives.structure.kinds import Exchange as Exchange
    from collectives.structure.kinds import Groups as Groups
    from collectives.structure.kinds import Line as Line
    from collectives.structure.kinds import Loose as Loose
    from collectives.structure.kinds import Ring as Ring
    from collectives.structure.kinds import Star as Star
    from collectives.structure.kinds import Structure as Structure
    from collectives.structure.kinds import Switches as Switches
    from collectives.structure.kinds import Torus as Torus
    from collectives.structure.kinds import Tree as Tree
    from collectives.structure.kinds import TwoTrees as TwoTrees


def __getattr__(name: str) -> Any:
    """A kind of structure, made when the first is used: what only records needs none."""
    return getattr(import_module("collectives.structure.kinds"), name)
