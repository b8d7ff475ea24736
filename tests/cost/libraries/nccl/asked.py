"""Machines the tests ask NCCL's tuner about, and how they ask."""

from dataclasses import replace

from collectives.cost.libraries.nccl import tuner
from collectives.cost.libraries.nccl.graphs import Graph, hgx

SIZES = [2**exponent for exponent in range(3, 35)]


def logged():
    """The machine of NVIDIA/nccl issue 1453."""
    graph = Graph(16, 12, 12)
    h100 = hgx("H100", nodes=3)
    return replace(
        h100, graphs={**h100.graphs, "tree": graph, "ring": graph}, channels=32, one_gpu=True
    )


def pick(machine, name, size=0, collective="all_reduce"):
    """The candidate of this name."""
    found = tuner.candidates(machine, collective, size)
    return next(one for one in found if one.name == name)


def with_paths(machine, **paths):
    """A machine whose graphs have other kinds of path."""
    graphs = {kind: replace(graph, **paths) for kind, graph in machine.graphs.items()}
    return replace(machine, graphs=graphs)
