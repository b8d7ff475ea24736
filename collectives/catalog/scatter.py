"""Algorithms for scatter."""

from collectives.algorithms import bine, binomial, flat
from collectives.catalog import sources
from collectives.catalog.parameters import POWERS_OF_TWO
from collectives.catalog.row import Row
from collectives.theory import SENT, Form, exact

ROWS: dict[str, Row] = {
    "flat linear direct": Row(
        flat.flat_scatter,
        Form(
            "1",
            "N-1",
            "(N-1)/N*S",
            "(N-1)/N*S",
            SENT,
            exact_sent=exact.all_but_the_roots,
            exact_total=exact.all_but_the_roots,
            optimal="RBT",
        ),
        source="Open MPI, coll_base_scatter.c, linear; all ports at once",
        used_by="Open MPI (basic linear), for large chunks; NCCL, as grouped sends",
    ),
    "tree binomial": Row(
        binomial.binomial_scatter,
        Form(
            "C",
            "N-1",
            "(N-1)/N*S",
            "V/N*S",
            SENT,
            exact_sent=exact.all_but_the_roots,
            exact_total=exact.up_the_tree,
            optimal="RB",
        ),
        source=sources.THAKUR,
        classic=True,
        against="flat",
        used_by="MPICH; Open MPI (binomial), for small chunks",
    ),
    "Bine": Row(
        bine.bine_scatter,
        Form(
            "C", "N-1", "(N-1)/N*S", "V/N*S", SENT, exact_sent=exact.all_but_the_roots, optimal="RB"
        ),
        source=sources.BINE,
        sizes=POWERS_OF_TWO,
    ),
}
