"""Names of operations in PyTorch and NCCL, and what of two ranks' calls must agree.

Names: `opTypeToString` of torch/csrc/distributed/c10d/Work.cpp (watchdog), the profiling titles of
ProcessGroupNCCL.cpp (Flight Recorder: "nccl:_all_gather_base"), `ncclFuncStr` of NCCL's src/misc
(RAS). What must agree is what tools/flight_recorder/components/types.py of PyTorch matches; of
all-to-all, gather, scatter and lists of tensors sizes may differ between ranks.
"""

from __future__ import annotations

import re

from collectives.hangs.calls import Call

SAME_NAMES = {
    "allreduce": "all-reduce",
    "allreducesparse": "all-reduce",
    "allreducebarrier": "all-reduce",
    "broadcast": "broadcast",
    "broadcastoop": "broadcast",
    "reduce": "reduce",
    "reduceoop": "reduce",
    "allgather": "all-gather",
    "allgatherbase": "all-gather",
    "allgatherintotensor": "all-gather",
    "reducescatter": "reduce-scatter",
    "reducescatterbase": "reduce-scatter",
    "reducescattertensor": "reduce-scatter",
    "alltoall": "all-to-all",
    "alltoallbase": "all-to-all",
    "gather": "gather",
    "scatter": "scatter",
    "barrier": "all-reduce",  # ProcessGroupNCCL::barrier is an all-reduce of one element
}
BETWEEN_TWO = frozenset(["send", "recv", "recvanysource"])
LISTS = frozenset(["allgather", "reducescatter"])  # of tensors, each with a size of its own
BOTH_AGREE = frozenset(["all-reduce", "broadcast", "reduce", "all-gather", "reduce-scatter"])


def bare(operation: str) -> str:
    """A name in small letters alone.

    >>> bare("_ALLGATHER_BASE"), bare("AllReduce")
    ('allgatherbase', 'allreduce')
    """
    return re.sub("[^a-z]", "", operation.lower())


def collective_of(operation: str) -> str:
    """The collective that an operation is, by any program's name; a name of its own for others.

    >>> collective_of("_ALLGATHER_BASE"), collective_of("all_reduce"), collective_of("COALESCED")
    ('all-gather', 'all-reduce', 'coalesced')
    """
    name = bare(operation)
    return SAME_NAMES.get(name, name)


def is_between_two(operation: str) -> bool:
    """Whether it is a send or a receive, in which not all ranks of a group take part."""
    return bare(operation) in BETWEEN_TWO


def members_by_size(call: Call) -> int:
    """How many ranks the group has, by the sizes of a call; 0 where they do not say it.

    The output of an all-gather is its input once for each rank; reduce-scatter is the reverse.

    >>> members_by_size(Call("a", 0, 1, "ALLGATHER", elements_in=2, elements_out=16))
    8
    """
    large, small = call.elements_out, call.elements_in
    if collective_of(call.operation) == "reduce-scatter":
        large, small = small, large
    elif collective_of(call.operation) != "all-gather":
        return 0
    if small <= 0 or large < small or large % small:
        return 0
    return large // small


def sizes_to_agree(call: Call) -> tuple[int, ...]:
    """The numbers of elements that must be the same on all ranks; none where they may differ."""
    if collective_of(call.operation) not in BOTH_AGREE:
        return ()
    if bare(call.operation) in LISTS:  # a rank's own tensor may have a size of its own
        return (max(call.elements_in, call.elements_out),)
    return (call.elements_in, call.elements_out)
