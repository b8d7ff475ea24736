"""Machines by name, and the functions that make them."""

from collectives.cost.machines.named import MACHINES, Machine, topology, topology_for
from collectives.cost.machines.toml_file import parse_topology, read_topology

__all__ = ["MACHINES", "Machine", "parse_topology", "read_topology", "topology", "topology_for"]
