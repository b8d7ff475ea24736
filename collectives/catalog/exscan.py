"""Algorithms for exclusive scan."""

from collectives.algorithms import exscan
from collectives.catalog.row import Row, one, one_chunk
from collectives.theory import SENT, Form

ROWS: dict[str, Row] = {
    "chain linear": one_chunk(
        exscan.chain_exscan,
        Form("N-1", "N-1", "S", "(N-1)*S", "(N-1)*S", optimal="BT"),
        source="Open MPI, coll_base_exscan.c, linear",
        classic=True,
        against="recursive-doubling",
        used_by="Open MPI (linear)",
        same_bits_as=("Open MPI (linear)",),
        scratch=one,
    ),
    "recursive-doubling": one_chunk(
        exscan.recursive_doubling_exscan,
        Form("C", "2*V", "C*S", "2*V*S", SENT, optimal="R"),
        source="MPICH, exscan_intra_recursive_doubling.c",
        used_by="MPICH; Open MPI (recursive doubling)",
        same_bits_as=("MPICH (recursive_doubling)", "Open MPI (recursive doubling)"),
        scratch=one,
    ),
}
