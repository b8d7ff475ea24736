"""Algorithms for reduce-scatter."""

from dataclasses import replace

from collectives.algorithms import (
    bcube,
    binomial,
    bruck,
    circulant,
    doubling,
    flat,
    hierarchical,
    nvls,
    pairwise,
    pat,
    rabenseifner,
    ring,
    ring_channels,
    ring_orders,
    swing,
    trivance,
)
from collectives.algorithms.nested import nested_reduce_scatter
from collectives.catalog import closed_forms, nested, sources, structures
from collectives.catalog.closed_forms import PAT_STEPS, TO_NEIGHBORS, all_but_own, in_channels
from collectives.catalog.parameters import (
    AGGREGATION,
    BASE,
    EVEN,
    GPUS,
    POWERS_OF_BASE,
    OutsideReducing,
)
from collectives.catalog.row import Row, one_helper, one_ring
from collectives.theory import Form, exact

ROWS: dict[str, Row] = {
    "flat direct": Row(
        flat.flat_reduce_scatter,
        all_but_own("1", "N*(N-1)", "RBT"),
        source=f"{sources.CHAN}; all ports at once",
        used_by="first half of the two-shot kernels of vLLM and TensorRT-LLM",
    ),
    "ring": one_ring(
        ring.ring_reduce_scatter,
        in_channels(all_but_own("N-1", "N*(N-1)"), f"{TO_NEIGHBORS}*(N-1)"),
        source=sources.PATARASUK,
        classic=True,
        against="recursive-halving",
        in_channels=ring_channels.rings_reduce_scatter,
        used_by="NCCL; Open MPI (ring)",
        same_bits_as=("Open MPI (ring)",),
    ),
    "tree reduce-scatter": Row(
        binomial.binomial_reduce_scatter,
        Form(
            "2*C",
            "2*(N-1)",
            "S+(B-1)/N*S",
            "(N-1)*S+V/N*S",
            exact_sent=exact.tree_reduce_scatter_sent,
            exact_total=exact.there_and_back,
        ),
        source=sources.CHAN,
        same_bits_as=("MPICH (recursive_doubling)",),
    ),
    "recursive-halving": Row(
        doubling.recursive_halving_reduce_scatter,
        Form("L+2*min(R,1)", "P*L+2*R", "(N-1+min(R,1))/N*S", "(N-1)*S+R/N*S"),
        source=sources.THAKUR,
        used_by="MPICH below 512 KiB; Open MPI (recursive halving) on 4 to 31 ranks below 256 KiB",
        same_bits_as=("MPICH (recursive_halving)", "Open MPI (recursive halving)"),
    ),
    "butterfly": Row(
        rabenseifner.butterfly_reduce_scatter,
        Form(
            "L+2*min(R,1)+min(M,1)",
            "P*L+2*R+M",
            "(N-1+min(R+M,1))/N*S",
            "(N-1)*S+(R+M)/N*S",
            where=(closed_forms.MIRRORED,),
        ),
        source="Träff, An improved algorithm for reduce-scatter, EuroPVM/MPI 2005",
        used_by="Open MPI (butterfly), from 4 KiB on 64 to 511 ranks",
        same_bits_as=("Open MPI (butterfly)",),
    ),
    "non-overlapping": Row(
        binomial.non_overlapping_reduce_scatter,
        Form("C+1", "2*(N-1)", "S", "(N-1)*S+(N-1)/N*S", exact_total=exact.there_and_out),
        source="Open MPI, coll_base_reduce_scatter.c, nonoverlapping; all ports at once",
        used_by="Open MPI (non-overlapping) below 256 B on 64 to 511 ranks; it chooses the reduce",
    ),
    "leftward-ring": Row(
        ring_orders.leftward_ring_reduce_scatter,
        all_but_own("N-1", "N*(N-1)"),
        source="gloo, allreduce.cc, ring",
        against="recursive-halving",
        used_by="gloo, as the first half of its all-reduce and reduce",
        same_bits_as=("gloo (ring)",),
    ),
    "NVLS": Row(
        nvls.nvls_reduce_scatter,
        Form("2", "2*N", "S", "(N+1)*S"),
        source="NCCL, reduce_scatter.h, NVLS",
        used_by="NCCL on one NVSwitch domain, as one operation of two hops",
        nodes=one_helper,
    ),
    "hierarchical": Row(
        hierarchical.hierarchical_reduce_scatter,
        replace(all_but_own("gpus+N/gpus-2", "N*(gpus+N/gpus-2)"), in_ways=nested.SCATTERED),
        source="Cho et al., BlueConnect, MLSys 2019: the first half of its all-reduce",
        used_by="NCCL (RailA2A_LsaLD: outside=direct, inside=direct)",
        nodes=nested.nodes,
        sizes=nested.powers_outside(OutsideReducing.HALVING),
        takes=(GPUS, nested.REDUCE_SCATTER, nested.INSIDE),
        in_ways=nested_reduce_scatter,
        structure=structures.two_levels,
    ),
    "Bruck reversed-bruck": Row(
        bruck.bruck_reduce_scatter,
        all_but_own("C", "N*C", "RBT"),
        source="Bruck et al., IEEE TPDS 8(11), 1997, the all-gather in reverse",
    ),
    "circulant traff": Row(
        circulant.circulant_reduce_scatter, all_but_own("C", "N*C", "RBT"), source=sources.TRAEFF
    ),
    "PAT": Row(
        pat.pat_reduce_scatter,
        all_but_own(PAT_STEPS, f"N*{PAT_STEPS}", where=(closed_forms.LOG_AGGREGATION,)),
        source=sources.PAT,
        against="bruck ring",
        used_by="NCCL from 2.23 on, with one GPU per node",
        home="switch-tree",
        takes=(AGGREGATION,),
    ),
    "Swing bine-butterfly": Row(
        swing.swing_reduce_scatter,
        all_but_own("C", "N*C", "RBT"),
        source=sources.SWING,
        against="ring recursive-halving",
        sizes=EVEN,
    ),
    "Trivance": Row(
        trivance.trivance_reduce_scatter,
        all_but_own("M", "N*W", "RBT", where=(closed_forms.LOG_THREE, closed_forms.WAYS)),
        source=sources.TRIVANCE,
        against="bruck swing",
    ),
    "BCube": Row(
        bcube.bcube_reduce_scatter,
        all_but_own("M", "N*M*(base-1)", "RBT", where=(closed_forms.DIGITS,)),
        source=sources.GLOO_BCUBE,
        against="recursive-halving",
        used_by="gloo (bcube), as the first half of its all-reduce",
        sizes=POWERS_OF_BASE,
        takes=(BASE,),
    ),
    "pairwise": Row(
        pairwise.pairwise_reduce_scatter,
        all_but_own("N-1", "N*(N-1)"),
        source=sources.THAKUR,
        used_by="MPICH from 512 KiB",
        same_bits_as=("MPICH (pairwise)",),
    ),
}
