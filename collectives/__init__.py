"""Collective operations: executed step by step, proved, counted, and shown.

>>> import collectives
>>> recording = collectives.record("all_reduce", "ring", ranks=4)
>>> recording.check().ok
True
"""

TYPE_CHECKING = False  # as in typing, the import of which takes as long as all else here
if TYPE_CHECKING:
    from collectives.bitwise.bits import bits as bits
    from collectives.catalog import ROWS as ROWS
    from collectives.catalog import Row as Row
    from collectives.collective import exchange as exchange
    from collectives.comparison.calibrate import calibrate as calibrate
    from collectives.comparison.compare import compare as compare
    from collectives.comparison.diagnose import diagnose as diagnose
    from collectives.comparison.measured_file import measured as measured
    from collectives.cost.bounds.closed import closed_form as closed_form
    from collectives.cost.bounds.cut import Cut as Cut
    from collectives.cost.bounds.narrowest import narrowest_cut as narrowest_cut
    from collectives.cost.by_name import rank as rank
    from collectives.cost.by_name import rank_by as rank_by
    from collectives.cost.by_name import time as time
    from collectives.cost.clocks.clock import dataflow as dataflow
    from collectives.cost.clocks.clock import lockstep as lockstep
    from collectives.cost.clocks.costs import Costs as Costs
    from collectives.cost.clocks.timing import Timing as Timing
    from collectives.cost.fault_texts import Faults as Faults
    from collectives.cost.libraries.default_algorithm import choose as choose
    from collectives.cost.libraries.nccl.nccl_names import nccl_names as nccl_names
    from collectives.cost.machines.named import topology as topology
    from collectives.cost.machines.topology import Topology as Topology
    from collectives.cost.shrunk import Shrunk as Shrunk
    from collectives.cost.shrunk import shrunk as shrunk
    from collectives.errors import BadInput as BadInput
    from collectives.errors import Deadlock as Deadlock
    from collectives.errors import NotInstalled as NotInstalled
    from collectives.errors import WrongSchedule as WrongSchedule
    from collectives.evidence.expect import expect as expect
    from collectives.exercises.inventory import inventory as inventory
    from collectives.exercises.kinds import exercise as exercise
    from collectives.exercises.sheet import sheet as sheet
    from collectives.formats import load as load
    from collectives.grading.grade import grade as grade
    from collectives.hangs.logs import log as log
    from collectives.proof.addition_order import addition_order as addition_order
    from collectives.proof.check import check as check
    from collectives.proof.prove import Verdict as Verdict
    from collectives.recording.recorder import record as record
    from collectives.recording.recording import Recording as Recording
    from collectives.recording.saved import save as save
    from collectives.routed_promises import combine as combine
    from collectives.routed_promises import dispatch as dispatch
    from collectives.routing import Routing as Routing
    from collectives.routing import random_routing as random_routing
    from collectives.schedule import Step as Step
    from collectives.schedule import backwards as backwards
    from collectives.schedule import pipelined as pipelined
    from collectives.schedule import reduce as reduce
    from collectives.schedule import send as send
    from collectives.schedule import table as table
    from collectives.schedule import together as together
    from collectives.schedule import transposed as transposed
    from collectives.schedule import within as within
    from collectives.training.gathered_report import gathered_product as gathered_product
    from collectives.training.reshard import reshard as reshard
    from collectives.training.train import train as train

_NAMES = {  # of each module: what everything else is made from comes first
    "recording.recorder": "record",
    "recording.recording": "Recording",
    "recording.saved": "save",
    "proof.check": "check",
    "proof.prove": "Verdict",
    "proof.addition_order": "addition_order",
    "collective": "exchange",
    "routed_promises": "combine dispatch",
    "routing": "Routing random_routing",
    "cost.machines": "topology",
    "cost.machines.topology": "Topology",
    "cost.clocks.clock": "lockstep dataflow",
    "cost.clocks.timing": "Timing",
    "cost.clocks.costs": "Costs",
    "cost.by_name": "time rank rank_by",
    "cost.fault_texts": "Faults",
    "cost.shrunk": "Shrunk shrunk",
    "cost.libraries.default_algorithm": "choose",
    "cost.libraries.nccl.nccl_names": "nccl_names",
    "cost.bounds.closed": "closed_form",
    "cost.bounds.cut": "Cut",
    "cost.bounds.narrowest": "narrowest_cut",
    "bitwise.bits": "bits",
    "comparison.compare": "compare",
    "comparison.measured_file": "measured",
    "comparison.calibrate": "calibrate",
    "comparison.diagnose": "diagnose",
    "evidence.expect": "expect",
    "training.train": "train",
    "training.reshard": "reshard",
    "training.gathered_report": "gathered_product",
    "exercises.inventory": "inventory",
    "exercises.kinds": "exercise",
    "exercises.sheet": "sheet",
    "grading.grade": "grade",
    "formats": "load",
    "hangs.logs": "log",
    "catalog": "ROWS Row",
    "schedule": "send reduce together pipelined within transposed backwards table Step",
    "errors": "BadInput WrongSchedule Deadlock NotInstalled",
}
_HOME = {name: module for module, names in _NAMES.items() for name in names.split()}

__all__ = list(_HOME)


def __getattr__(name: str) -> object:
    """Import a public name when it is first used."""
    if name not in _HOME:
        raise AttributeError(f"module 'collectives' has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"collectives.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
