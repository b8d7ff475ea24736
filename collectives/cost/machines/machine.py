"""A machine that has a name: how it is built, its parameters, and what is known of it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from collectives.cost.machines.topology import MOST_NODES, Topology

DESCRIBED = re.compile(r"^(\w+).*\n((?: {4}.*\n?)+)", re.MULTILINE)  # in a docstring's Parameters


@dataclass(frozen=True)
class NamedMachine:
    """A machine's builder, and all that is known of the machine by its name.

    Attributes
    ----------
    build : callable
        Builds the topology for so many ranks; its docstring says what the machine is.
    max_ranks : int
        The most ranks it has room for.
    multiple_of : str
        The parameter of which the ranks are a multiple: the GPUs of a node.
    star : bool
        Whether messages share nothing but the ports of ranks.
    usual_ranks : int, optional
        How many ranks it has unless something else is asked for.
    gpus : tuple of str
        The GPUs it may have, as NCCL's tuner calls them, the one that is asked about first.
    usual : int
        Its place among the machines that are shown unless another is asked for; 0 for the others.
    posted : tuple of str
        Its GPU and its fabric as those write them who post measurements of it.
    """

    build: Callable[..., Topology]
    max_ranks: int = MOST_NODES
    multiple_of: str = ""
    star: bool = False
    usual_ranks: int | None = None
    gpus: tuple[str, ...] = ()
    usual: int = 0
    posted: tuple[str, ...] = ()

    @property
    def adds_nodes(self) -> bool:
        """Whether it gets a node with ports of its own for each switch and server in need."""
        return "extra" in self.parameters

    @property
    def about(self) -> str:
        """What the machine is, in one sentence."""
        return inspect.getdoc(self.build).split("\n")[0]  # type: ignore[union-attr]

    @property
    def parameters(self) -> dict[str, object]:
        """The parameters beside the number of ranks, with their defaults."""
        taken = list(inspect.signature(self.build).parameters.values())[1:]
        return {parameter.name: parameter.default for parameter in taken}

    @property
    def meanings(self) -> Mapping[str, str]:
        """What each parameter means, as the builder's docstring has it."""
        section = (inspect.getdoc(self.build) or "").partition("Parameters\n----------\n")[2]
        described = DESCRIBED.findall(section.partition("\n\n")[0])
        return {name: " ".join(text.split()) for name, text in described if name in self.parameters}

    @property
    def tuned(self) -> bool:
        """Whether NCCL's tuner knows its GPUs: its own, or those at the link of its nodes."""
        return bool(self.gpus or "inside" in self.parameters)

    def ranks(self, settings: dict[str, object]) -> int | None:
        """How many ranks it has with these parameters where that is certain: two nodes of GPUs."""
        if not self.multiple_of:
            return self.usual_ranks
        multiple = (self.parameters | settings)[self.multiple_of]
        return 2 * max(1, int(str(multiple)))  # the builder says what is wrong with other numbers
