"""Algorithms for all-reduce."""

from collectives.algorithms import binomial, flat, linear, ring
from collectives.catalog.row import Row, one
from collectives.theory import Form, exact

ROWS = (
    Row(
        "all_reduce",
        "flat",
        flat.flat_all_reduce,
        Form("1", "N*(N-1)", "(N-1)*S", "N*(N-1)*S"),
        optimal="R",
        used_by="one-shot kernels of vLLM and TensorRT-LLM, up to 256 KiB on 8 GPUs",
        source="vLLM, custom all-reduce; all ports at once",
        pieces=one,
        also=("one-shot",),
    ),
    Row(
        "all_reduce",
        "linear",
        linear.linear_all_reduce,
        Form("2", "2*(N-1)", "(N-1)*S", "2*(N-1)*S"),
        optimal="T",
        used_by="Open MPI (basic linear)",
        source="Open MPI, coll_base_allreduce.c, basic linear; all ports at once",
        pieces=one,
        scratch=one,
    ),
    Row(
        "all_reduce",
        "ring",
        ring.ring_all_reduce,
        Form(
            "2*(N-1)",
            "2*N*(N-1)",
            "2*(N-1)/N*S",
            "2*(N-1)*S",
            exact_sent=exact.twice_round_the_ring,
            exact_total=exact.twice_to_others,
        ),
        optimal="BT",
        used_by="NCCL for large vectors; MPICH (ring)",
        source="Patarasuk and Yuan, JPDC 69(2), 2009",
    ),
    Row(
        "all_reduce",
        "tree",
        binomial.binomial_all_reduce,
        Form("2*C", "2*(N-1)", "C*S", "2*(N-1)*S"),
        optimal="T",
        used_by="MPICH (tree); Open MPI (reduce and broadcast)",
        source="Chan et al., CCPE 19(13), 2007",
        pieces=one,
        also=("binomial", "reduce-broadcast"),
    ),
)
