"""Machines by name, and the functions that build and list them."""

from collectives.cost.machines.named import (
    MACHINES,
    list_machines,
    machine_key,
    topology,
    topology_for,
)

__all__ = ["MACHINES", "list_machines", "machine_key", "topology", "topology_for"]
