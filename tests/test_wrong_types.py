"""Every parameter of the public API, given what is no value of its kind: a value, or one line."""

import traceback
from pathlib import Path

import numpy as np
import pytest
from settings import THOROUGH

import collectives
from animations import Modeler, Stepper
from collectives import (
    Costs,
    Faults,
    Recording,
    addition_order,
    backwards,
    bits,
    calibrate,
    check,
    choose,
    closed_form,
    compare,
    dataflow,
    diagnose,
    exchange,
    expect,
    load,
    lockstep,
    log,
    measured,
    narrowest_cut,
    nccl_names,
    pipelined,
    rank,
    record,
    reduce,
    save,
    send,
    shrunk,
    table,
    time,
    together,
    topology,
    train,
    transposed,
    within,
)
from collectives.algorithms.ring import ring_all_reduce
from collectives.errors import CollectivesError
from collectives.testing import assert_proved, every_size
from collectives.words import brief


class Unwritable:
    """A value that cannot be written out."""

    def __repr__(self):
        raise ValueError("no text")


WRONG = [
    *(None, True, 5, -1, 0, 1.5, 10**5000, 2**70, float("nan"), float("inf"), 4j),
    *("x", "", "4", "a\nb", "x" * 5000, b"x", b"", object(), object, Unwritable(), print, len),
    *([], [5], ["x"], [None], [[1, 2], [3]], (), {}, {"x": 5}, {5: "x"}, {5}, range(3), range(0)),
    *(np.zeros(3), np.zeros((2, 2)), np.array("x"), np.int8(3), np.float32("nan")),
    *(lambda n: n, lambda: None, iter([5]), send(0, 1), Recording, Ellipsis, NotImplemented),
]
FEW = [None, -1, 1.5, 10**5000, float("nan"), "x", b"x", object, Unwritable(), [], {}, np.zeros(3)]
EACH = 4  # so many values apart are those that a parameter is given, of the next one others
WIDGETS = ("Stepper", "Stepper own", "Modeler")  # which take long to make
RING = record("all_reduce", "ring", ranks=4)
MACHINE = topology("ring", 4)
TABLE = collectives.Routing(2, 2, [[0], [1]])
MEASURED = Path(__file__).parent / "data" / "nccl_tests" / "aws_p5_all_reduce.txt"
LOG = Path(__file__).parent / "data" / "nccl_logs" / "nvlink_8.log"


def star(n, root=0, width=1):
    """A broadcast in one step."""
    yield send(root, [rank for rank in range(n) if rank != root], count=width)


CALLS = {
    "record": (
        record,
        {"schedule": "all_to_all", "algorithm": "bruck", "ranks": 4, "root": 0, "count": 16}
        | {"counts": None, "dtype": "int64", "op": "sum", "chunks": None, "slots": None}
        | {"data": None, "parameters": {"radix": 2}, "collective": None, "nodes": None}
        | {"scratch": 0, "helpers": "switch"},
    ),
    "record own": (
        record,
        {"schedule": [send(0, 1)], "algorithm": "mine", "ranks": 2, "collective": "broadcast"}
        | {"root": 0, "count": 4, "counts": None, "dtype": "int64", "op": "sum", "chunks": None}
        | {"slots": 1, "scratch": 0, "nodes": 2, "helpers": "switch", "data": None}
        | {"parameters": None},
    ),
    "check": (
        check,
        {"function": star, "algorithm": None, "collective": "broadcast", "ranks": 3, "root": 0}
        | {"slots": 1, "scratch": 0, "nodes": None, "chunks": None, "width": 1},
    ),
    "check row": (
        check,
        {"function": "all_to_all", "algorithm": "bruck", "collective": None, "ranks": 3}
        | {"root": None, "slots": None, "scratch": None, "nodes": None, "chunks": None}
        | {"radix": 2},
    ),
    "assert_proved": (
        assert_proved,
        {"function": star, "ranks": 3, "slots": 1, "collective": "broadcast"},
    ),
    "every_size": (every_size, {"ranks": [1, 2]}),
    "send": (send, {"src": 0, "dst": 1, "chunk": 0, "into": 0, "count": 1, "needs": 0}),
    "reduce": (reduce, {"src": 0, "dst": 1, "chunk": 0, "into": 0, "count": 1, "needs": 0}),
    "together": (lambda one: list(together(one)), {"one": [send(0, 1)]}),
    "pipelined": (
        lambda **given: list(pipelined(**given)),
        {"schedule": [send(0, 1)], "chunks": [0, 1], "width": 1},
    ),
    "within": (
        lambda **given: list(within(**given)),
        {"ranks": [0, 1], "schedule": [send(0, 1)], "first": 0, "width": 1},
    ),
    "transposed": (lambda schedule: list(transposed(schedule)), {"schedule": [send(0, 1)]}),
    "backwards": (lambda schedule: list(backwards(schedule)), {"schedule": [send(0, 1)]}),
    "table": (table, {"schedule": [send(0, 1)]}),
    "exchange": (exchange, {"pairs": [(0, 0, 1, 0)]}),
    "load": (load, {"path": "there.json"}),
    "compare": (
        lambda first, second, **given: compare("all_reduce", first, second, **given),
        {"first": "ring", "second": RING, "ranks": 4, "size": 64, "topology": "ring"}
        | {"clock": "lockstep", "costs": None, "faults": Faults(late="1=5us"), "root": None}
        | {"chunks": None, "latency": "5us"},
    ),
    "measured": (
        measured,
        {"path": str(MEASURED), "collective": "all_reduce", "algorithm": "ring", "ranks": 8}
        | {"topology": "ring", "clock": "lockstep", "costs": None, "chunks": None}
        | {"faults": Faults(late="1=5us"), "latency": "5us"},
    ),
    "expect": (
        expect,
        {"collective": "all_reduce", "topology": "hgx-h100", "ranks": 8, "sizes": ["1GiB"]}
        | {"like": "nccl"},
    ),
    "bits": (
        bits,
        {"collective": "all_reduce", "like": "nccl", "size": 64, "ranks": 4, "dtype": "float32"}
        | {"root": 0, "topology": "hgx-h100", "settings": {"algorithm": "Ring"}}
        | {"against": {"size": 128}, "dumps": ([1.0], [2.0])},
    ),
    "diagnose": (
        lambda path, **given: diagnose(path, **given),
        {"path": str(MEASURED), "topology": "hgx-a100", "ranks": 8, "collective": "all_reduce"},
    ),
    "calibrate": (
        lambda path, **given: calibrate(path, **given),
        {"path": str(MEASURED), "ranks": 8, "nodes": 1, "collective": "all_reduce"},
    ),
    "train": (
        train,
        {"parameters": 10**9, "ranks": 4, "topology": "hgx-h100", "scheme": ["ddp"]}
        | {"tokens": 8, "flops": 1e14, "bucket": "1GB", "compression": "fp8", "price": 2.0},
    ),
    "log": (lambda path: log(path), {"path": str(LOG)}),
    "save": (save, {"recording": RING, "path": "out.json"}),
    "addition_order": (addition_order, {"recording": RING}),
    "closed_form": (closed_form, {"recording": RING}),
    "nccl_names": (nccl_names, {"name": "nvls"}),
    "narrowest_cut": (
        narrowest_cut,
        {"collective": "gather", "topology": MACHINE, "root": 0, "in_network": True}
        | {"sizes": [1] * MACHINE.ranks},
    ),
    "shrunk": (
        shrunk,
        {"recording": RING, "without": [1], "topology": "ring", "size": 64, "clock": "lockstep"}
        | {"costs": None, "latency": "5us", "bandwidth": 1e9},
    ),
    "lockstep": (lockstep, {"recording": RING, "topology": MACHINE, "costs": Costs()}),
    "dataflow": (dataflow, {"recording": RING, "topology": MACHINE, "costs": Costs()}),
    "time": (
        time,
        {"recording": RING, "topology": "ring", "size": 64, "clock": "lockstep", "costs": None}
        | {"faults": Faults(late="1=5us"), "latency": "5us", "bandwidth": 1e9},
    ),
    "rank": (
        rank,
        {"collective": "all_reduce", "ranks": 4, "size": 64, "topology": "cluster", "root": 0}
        | {"clock": "lockstep", "costs": None, "faults": Faults(late="1=5us"), "gpus": 2},
    ),
    "choose": (
        choose,
        {"library": "mpich", "collective": "all_reduce", "ranks": 4, "size": 64}
        | {"machine": None, "itemsize": 4},
    ),
    "choose nccl": (
        choose,
        {"library": "nccl", "collective": "all_reduce", "ranks": 4, "size": 64, "machine": None},
    ),
    "topology": (
        topology,
        {"name": "cluster", "ranks": 4, "gpus": 2, "nics": 2} | {"inside": "nvlink4", "stripe": 0},
    ),
    "switch-tree": (topology, {"name": "switch-tree", "ranks": 4, "radix": 2}),
    "torus-3d": (topology, {"name": "torus-3d", "ranks": 8, "rows": 2, "columns": 2}),
    "Costs": (
        Costs,
        {"latency": 0.0, "gamma": 0.0, "loggp": None, "eager": 5, "arrivals": {0: 1.0}}
        | {"slowness": {0: 2.0}, "jitter": 0.0, "seed": 0},
    ),
    "Faults": (
        Faults,
        {"slow_link": ("0-1=0.5",), "slow_rank": "2=0.8", "late": [], "dead": ("0-1",)}
        | {"jitter": 1e-6, "seed": 0},
    ),
    "state": (RING.state, {"step": 1}),
    "sizes": (RING.sizes, {"step": 1}),
    "levels": (RING.levels, {"step": 1}),
    "excerpt": (RING.excerpt, {"elements": 1}),
    "on": (RING.on, {"data": np.zeros((4, 16), np.int64)}),
    "page": (RING.page, {"path": "a.html", "topology": "ring", "theme": "dark"}),
    "figure": (RING.figure, {"step": 1, "theme": "dark"}),
    "Stepper": (
        Stepper,
        {"subject": "broadcast", "algorithm": "ring", "ranks": 3, "root": 0, "chunks": 2}
        | {"count": 4, "collective": None, "topology": "ring", "latency": "5us"}
        | {"bandwidth": "1GB/s"},
    ),
    "Stepper own": (
        Stepper,
        {"subject": ring_all_reduce, "ranks": 3, "root": 0, "count": 6, "collective": None},
    ),
    "Modeler": (
        Modeler,
        {"parameters": 10**9, "dtype": "bf16", "ranks": 8, "machine": "crossbar"}
        | {"algorithm": "ring", "bandwidth": 1e9, "latency": "5us", "compute": 1, "buckets": 4},
    ),
    "Routing": (
        collectives.Routing,
        {"ranks": 2, "experts": 2, "choice": [[0], [1]], "weight": [[1.0], [1.0]]},
    ),
    "random_routing": (
        collectives.random_routing,
        {"ranks": 2, "tokens": 2, "experts": 4, "topk": 2, "skew": 1, "capacity": 3, "seed": 0},
    ),
    "dispatch": (collectives.dispatch, {"routing": TABLE}),
    "combine": (collectives.combine, {"routing": TABLE, "zeros": True}),
    "by_node": (TABLE.by_node, {"gpus": 1}),
    "weighted": (TABLE.weighted, {"outputs": np.ones((2, 2, 3))}),
    "find_row": (collectives.catalog.find_row, {"collective": "scan", "algorithm": "chain"}),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_wrong_value_ends_in_one_line(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    save(RING, "there.json")
    function, usual = CALLS[name]
    assert getattr(function(**usual), "problem", "") == ""
    wrongs = FEW if name in WIDGETS else WRONG
    found = [
        f"{parameter}={brief(wrong)}: {said}"
        for number, parameter in enumerate(usual)
        for wrong in (wrongs if THOROUGH else wrongs[number % EACH :: EACH])
        if (said := said_of(function, usual | {parameter: wrong}))
    ]
    assert not found, "\n".join(found)


def said_of(function, given):
    """What is wrong with how a call ends: nothing if it has a value, or says why in one line."""
    try:
        text = getattr(function(**given), "problem", "")
    except CollectivesError as problem:
        text = str(problem)
    except AssertionError as problem:
        return "" if function is assert_proved else repr(problem)
    except Exception as problem:
        place = traceback.extract_tb(problem.__traceback__)[-1]
        return f"{type(problem).__name__}: {problem} ({Path(place.filename).name}:{place.lineno})"
    if text.isprintable() and len(text) <= 700:
        return ""
    return f"not one short line: {text[:200]!r}"
