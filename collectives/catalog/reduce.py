"""Algorithms for reduce."""

from collectives.algorithms import binomial, flat, linear, rabenseifner, ring
from collectives.catalog.row import Row, one, per_chunk, power_of_two
from collectives.theory import Form, exact

ROWS = (
    Row(
        "reduce",
        "flat",
        flat.flat_reduce,
        Form("1", "N-1", "S", "(N-1)*S"),
        optimal="RBT",
        used_by="",
        source="Chan et al., CCPE 19(13), 2007; all ports at once",
        pieces=one,
    ),
    Row(
        "reduce",
        "linear",
        linear.linear_reduce,
        Form("1", "N-1", "S", "(N-1)*S"),
        optimal="RBT",
        used_by="Open MPI (linear)",
        source="Open MPI, coll_base_reduce.c, linear; all ports at once",
        pieces=one,
        scratch=one,
    ),
    Row(
        "reduce",
        "ring",
        ring.ring_reduce,
        Form(
            "N-2+q",
            "q*(N-1)",
            "S",
            "(N-1)*S",
            exact_sent=exact.full,
            exact_total=exact.all_to_others,
        ),
        optimal="BT",
        used_by="NCCL (its only one); Open MPI (pipeline)",
        source="Open MPI, coll_base_reduce.c, pipeline",
        pieces=per_chunk,
        also=("chain", "pipeline"),
    ),
    Row(
        "reduce",
        "tree",
        binomial.binomial_reduce,
        Form("C", "N-1", "S", "(N-1)*S"),
        optimal="RBT",
        used_by="MPICH up to 2 KiB; Open MPI for most sizes",
        source="Thakur, Rabenseifner and Gropp, IJHPCA 19(1), 2005",
        pieces=one,
        also=("binomial",),
    ),
    Row(
        "reduce",
        "rabenseifner",
        rabenseifner.rabenseifner_reduce,
        Form("2*L+min(R,1)", "P*L+N-1", "(3/2-1/P)*S", "(N-1+L/2)*S"),
        used_by="MPICH above 2 KiB; Open MPI, where it is asked for (folds halves)",
        source="Rabenseifner, ICCS 2004; Thakur, Rabenseifner and Gropp, IJHPCA 19(1), 2005",
        pieces=power_of_two,
        also=("reduce-scatter-gather",),
    ),
)
