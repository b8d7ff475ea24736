"""Algorithms for the dispatch of a mixture of experts."""

from functools import partial

from collectives.algorithms import experts
from collectives.catalog import sources, structures
from collectives.catalog.closed_forms import all_but_own
from collectives.catalog.parameters import GPUS, ROUTING
from collectives.catalog.routed_forms import by_node, direct, routed
from collectives.catalog.row import Row, routed_row
from collectives.routed_promises import dispatch

row = partial(routed_row, promises=lambda setting: dispatch(setting.routing))

ROWS: dict[str, Row] = {
    "direct": row(
        experts.direct_dispatch,
        routed(direct, back=False, optimal="RT"),
        source=sources.NCCL_EP,
        used_by="NCCL EP (ncclEpDispatch, LL); DeepEP on one node; PyTorch (all_to_all_single, "
        "symm_mem.all_to_all_vdev_2d), with a copy for each expert",
        classic=True,
        against="two-hop",
        structure=structures.exchange,
    ),
    "two-hop by-node": row(
        experts.two_hop_dispatch,
        routed(by_node, back=False),
        source=f"DeepEP, internode dispatch; {sources.NCCL_EP}",
        used_by="NCCL EP (ncclEpDispatch, HT) and DeepEP (normal kernels) on several nodes",
        takes=(GPUS, *ROUTING),
        structure=structures.routed_nodes,
    ),
    "all-gather": row(
        experts.all_gather_dispatch,
        all_but_own("N-1", "N*(N-1)", ""),
        source="vLLM, AgRsAll2AllManager; Megatron-LM, MoEAllGatherTokenDispatcher",
        used_by="vLLM (allgather_reducescatter); Megatron-LM (allgather dispatcher)",
    ),
}
