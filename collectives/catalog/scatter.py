"""Algorithms for scatter."""

from collectives.algorithms import binomial, flat
from collectives.catalog.row import Row
from collectives.theory import SENT, Form, exact

ROWS = (
    Row(
        "scatter",
        "flat",
        flat.flat_scatter,
        Form(
            "1",
            "N-1",
            "(N-1)/N*S",
            "(N-1)/N*S",
            SENT,
            exact_sent=exact.all_but_the_roots,
            exact_total=exact.all_but_the_roots,
        ),
        optimal="RBT",
        used_by="Open MPI (linear), for large chunks; NCCL, as grouped sends",
        source="Open MPI, coll_base_scatter.c, linear; all ports at once",
        also=("linear", "direct"),
    ),
    Row(
        "scatter",
        "tree",
        binomial.binomial_scatter,
        Form(
            "C",
            "N-1",
            "(N-1)/N*S",
            "V/N*S",
            SENT,
            exact_sent=exact.all_but_the_roots,
            exact_total=exact.up_the_tree,
        ),
        optimal="RB",
        used_by="MPICH; Open MPI, for small chunks",
        source="Thakur, Rabenseifner and Gropp, IJHPCA 19(1), 2005",
        also=("binomial",),
    ),
)
