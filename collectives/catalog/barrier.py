"""Algorithms for barrier."""

from collectives.algorithms import barrier
from collectives.catalog.row import Row, one
from collectives.theory import SENT, Form

ROWS = (
    Row(
        "barrier",
        "dissemination",
        barrier.dissemination_barrier,
        Form("C", "N*C", "0", "0", SENT),
        optimal="RBT",
        used_by="MPICH, gloo; Open MPI (bruck) on 64 to 255 ranks",
        source="Hensgen, Finkel and Manber, Int. J. of Parallel Programming 17(1), 1988",
        chunk_count=one,
        also=("bruck",),
    ),
    Row(
        "barrier",
        "tree",
        barrier.tree_barrier,
        Form("2*C", "2*(N-1)", "0", "0", SENT),
        optimal="BT",
        used_by="Open MPI on 256 to 511 ranks",
        source="Hensgen, Finkel and Manber, Int. J. of Parallel Programming 17(1), 1988",
        chunk_count=one,
        also=("binomial", "tournament"),
    ),
    Row(
        "barrier",
        "recursive-doubling",
        barrier.recursive_doubling_barrier,
        Form("L+2*min(R,1)", "P*L+2*R", "0", "0", SENT),
        optimal="BT",
        used_by="Open MPI on 2, 3 and 8 to 63 ranks",
        source="Brooks, The butterfly barrier, Int. J. of Parallel Programming 15(4), 1986",
        chunk_count=one,
        also=("butterfly",),
    ),
)
