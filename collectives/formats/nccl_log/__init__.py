"""NCCL's logs (NCCL_DEBUG=INFO): read, judged, and their rings and trees executed."""

from collectives.formats.nccl_log.communicator import Communicator
from collectives.formats.nccl_log.findings import findings
from collectives.formats.nccl_log.log import Log, read_log
from collectives.formats.nccl_log.schedules import ring, tree

__all__ = ["Communicator", "Log", "findings", "read_log", "ring", "tree"]
