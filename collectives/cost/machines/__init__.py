"""Machines by name, and the functions that make them."""

from collectives.cost.machines.custom import parse_topology, read_topology
from collectives.cost.machines.named import MACHINES, Machine, topology, topology_for

__all__ = ["MACHINES", "Machine", "parse_topology", "read_topology", "topology", "topology_for"]
