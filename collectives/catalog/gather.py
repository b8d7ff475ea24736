"""Algorithms for gather."""

from collectives.algorithms import binomial, flat
from collectives.catalog.row import Row
from collectives.theory import Form, exact

ROWS = (
    Row(
        "gather",
        "flat",
        flat.flat_gather,
        Form(
            "1",
            "N-1",
            "S/N",
            "(N-1)/N*S",
            "(N-1)/N*S",
            exact_sent=exact.largest_but_the_roots,
            exact_total=exact.all_but_the_roots,
        ),
        optimal="RBT",
        used_by="Open MPI (linear), for large chunks; NCCL, as grouped receives",
        source="Open MPI, coll_base_gather.c, linear; all ports at once",
        also=("linear", "direct"),
    ),
    Row(
        "gather",
        "tree",
        binomial.binomial_gather,
        Form(
            "C",
            "N-1",
            "B/N*S",
            "V/N*S",
            "(N-1)/N*S",
            exact_sent=exact.largest_subtree,
            exact_total=exact.up_the_tree,
        ),
        optimal="R",
        used_by="MPICH; Open MPI, for small chunks",
        source="Thakur, Rabenseifner and Gropp, IJHPCA 19(1), 2005",
        also=("binomial",),
    ),
)
