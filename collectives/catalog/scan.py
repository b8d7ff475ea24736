"""Algorithms for scan."""

from collectives.algorithms import scan
from collectives.catalog.row import Row, one, one_chunk
from collectives.theory import SENT, Form

ROWS: dict[str, Row] = {
    "chain linear": one_chunk(
        scan.chain_scan,
        Form("N-1", "N-1", "S", "(N-1)*S", "(N-1)*S", optimal="BT"),
        source="Open MPI, coll_base_scan.c, linear",
        classic=True,
        against="doubling",
        used_by="Open MPI (linear)",
        same_bits_as=("Open MPI (linear)",),
    ),
    "doubling hillis-steele distance-doubling": one_chunk(
        scan.doubling_scan,
        Form("C", "N*C-2**C+1", "C*S", "(N*C-2**C+1)*S", SENT, optimal="R"),
        source="Hillis and Steele, Communications of the ACM 29(12), 1986",
    ),
    "recursive-doubling": one_chunk(
        scan.recursive_doubling_scan,
        Form("C", "2*V", "C*S", "2*V*S", SENT, optimal="R"),
        source="MPICH, scan_intra_recursive_doubling.c",
        used_by="MPICH; Open MPI (recursive doubling)",
        same_bits_as=("MPICH (recursive_doubling)", "Open MPI (recursive doubling)"),
        scratch=one,
    ),
}
