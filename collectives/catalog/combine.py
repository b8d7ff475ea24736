"""Algorithms for the combine of a mixture of experts."""

from functools import partial

from collectives.algorithms import experts
from collectives.catalog import sources, structures
from collectives.catalog.closed_forms import all_but_own
from collectives.catalog.parameters import GPUS, ROUTING
from collectives.catalog.routed_forms import by_node, direct, routed
from collectives.catalog.row import Row, routed_row
from collectives.routed_promises import combine

row = partial(routed_row, promises=lambda setting: combine(setting.routing))

ROWS: dict[str, Row] = {
    "direct": row(
        experts.direct_combine,
        routed(direct, back=True, optimal="RT"),
        source=sources.NCCL_EP,
        used_by="NCCL EP (ncclEpCombine, LL, rank-major layout; expert-major sends one message for "
        "each expert, unsummed); DeepEP on one node; PyTorch (all_to_all_single, "
        "symm_mem.all_to_all_vdev_2d_offset), with a copy for each expert",
        classic=True,
        against="two-hop",
        structure=structures.exchange,
    ),
    "two-hop by-node": row(
        experts.two_hop_combine,
        routed(by_node, back=True),
        source=f"DeepEP, internode combine; {sources.NCCL_EP}",
        used_by="NCCL EP (ncclEpCombine, HT) and DeepEP (normal kernels) on several nodes",
        takes=(GPUS, *ROUTING),
        structure=structures.routed_nodes,
    ),
    "reduce-scatter": row(
        experts.reduce_scatter_combine,
        all_but_own("N-1", "N*(N-1)", ""),
        source="vLLM, AgRsAll2AllManager; Megatron-LM, MoEAllGatherTokenDispatcher",
        used_by="vLLM (allgather_reducescatter); Megatron-LM (allgather dispatcher)",
        promises=lambda setting: combine(setting.routing, zeros=True),
    ),
}
