"""Algorithms for reduce-scatter."""

from collectives.algorithms import binomial, doubling, flat, nvls, ring, rings
from collectives.catalog.row import Row
from collectives.theory import Form, exact

ROWS = (
    Row(
        "reduce_scatter",
        "flat",
        flat.flat_reduce_scatter,
        Form(
            "1",
            "N*(N-1)",
            "(N-1)/N*S",
            "(N-1)*S",
            exact_sent=exact.all_but_the_smallest,
            exact_total=exact.all_to_others,
        ),
        optimal="RBT",
        used_by="first half of the two-shot kernels of vLLM and TensorRT-LLM",
        source="Chan et al., CCPE 19(13), 2007; all ports at once",
        also=("direct",),
    ),
    Row(
        "reduce_scatter",
        "ring",
        ring.ring_reduce_scatter,
        Form(
            "N-1",
            "N*(N-1)",
            "(N-1)/N*S",
            "(N-1)*S",
            exact_sent=exact.all_but_the_smallest,
            exact_total=exact.all_to_others,
        ),
        optimal="BT",
        used_by="NCCL; Open MPI",
        source="Patarasuk and Yuan, JPDC 69(2), 2009",
    ),
    Row(
        "reduce_scatter",
        "tree",
        binomial.binomial_reduce_scatter,
        Form(
            "2*C",
            "2*(N-1)",
            "S+(B-1)/N*S",
            "(N-1)*S+V/N*S",
            exact_sent=exact.tree_reduce_scatter_sent,
            exact_total=exact.there_and_back,
        ),
        used_by="Open MPI (reduce and scatter)",
        source="Chan et al., CCPE 19(13), 2007",
        also=("reduce-scatter",),
    ),
    Row(
        "reduce_scatter",
        "recursive-halving",
        doubling.recursive_halving_reduce_scatter,
        Form(
            "L+2*min(R,1)",
            "P*L+2*R",
            "(N-1+min(R,1))/N*S",
            "(N-1)*S+R/N*S",
        ),
        used_by="MPICH below 512 KiB; Open MPI on 4 to 31 ranks below 256 KiB",
        source="Thakur, Rabenseifner and Gropp, IJHPCA 19(1), 2005",
    ),
    Row(
        "reduce_scatter",
        "leftward-ring",
        rings.leftward_ring_reduce_scatter,
        Form(
            "N-1",
            "N*(N-1)",
            "(N-1)/N*S",
            "(N-1)*S",
            exact_sent=exact.all_but_the_smallest,
            exact_total=exact.all_to_others,
        ),
        optimal="BT",
        used_by="gloo, as the first half of its all-reduce and reduce",
        source="gloo, allreduce.cc, ring",
    ),
    Row(
        "reduce_scatter",
        "nvls",
        nvls.nvls_reduce_scatter,
        Form("2", "2*N", "S", "(N+1)*S"),
        used_by="NCCL on one NVSwitch domain, as one operation of two hops",
        source="NCCL, reduce_scatter.h, NVLS",
        nodes=lambda setting: setting.ranks + 1,
    ),
)
