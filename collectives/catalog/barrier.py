"""Algorithms for barrier."""

from collectives.algorithms import barrier
from collectives.catalog import sources
from collectives.catalog.row import Row, one_chunk
from collectives.theory import SENT, Form

FOLDED = Form("L+2*min(R,1)", "P*L+2*R", "0", "0", SENT, optimal="BT")
ROWS: dict[str, Row] = {
    "dissemination bruck": one_chunk(
        barrier.dissemination_barrier,
        Form("C", "N*C", "0", "0", SENT, optimal="RBT"),
        source=sources.HENSGEN,
        used_by="MPICH, gloo; Open MPI (Bruck) on 64 to 255 ranks",
    ),
    "tree binomial tournament": one_chunk(
        barrier.tree_barrier,
        Form("2*C", "2*(N-1)", "0", "0", SENT, optimal="BT"),
        source=sources.HENSGEN,
        classic=True,
        against="linear",
        used_by="Open MPI (tree) on 256 to 511 ranks",
    ),
    "recursive-doubling butterfly": one_chunk(
        barrier.recursive_doubling_barrier,
        FOLDED,
        source="Brooks, The butterfly barrier, Int. J. of Parallel Programming 15(4), 1986",
        used_by="Open MPI (recursive doubling) on powers of two up to 32; others fold as tail-fold",
    ),
    "tail-fold": one_chunk(
        barrier.tail_fold_barrier,
        FOLDED,
        source="Open MPI, coll_base_barrier.c, recursivedoubling",
        used_by="Open MPI (recursive doubling) on 2, 3 and 8 to 63 ranks",
    ),
    "linear": one_chunk(
        barrier.linear_barrier,
        Form("2", "2*(N-1)", "0", "0", SENT, optimal="BT"),
        source="Open MPI, coll_base_barrier.c, basic linear; all ports at once",
        used_by="Open MPI (linear) on 4 to 7 ranks",
    ),
}
