"""Algorithms for all-to-all."""

from collectives.algorithms import all_to_all
from collectives.catalog import sources, structures
from collectives.catalog.closed_forms import (
    HOPS,
    MEETINGS,
    RADIX_DIGITS,
    all_but_own,
    nonzero_digits,
)
from collectives.catalog.parameters import BRUCK_RADIX, GPUS, POWERS_OF_TWO, Setting
from collectives.catalog.row import Row, per_rank
from collectives.theory import SENT, Form, exact


def waiting(setting: Setting) -> int:
    """Slots in which blocks wait: one for each distance that takes several hops."""
    return sum(nonzero_digits(hop, setting["radix"]) > 1 for hop in range(setting.ranks))


ROWS: dict[str, Row] = {
    "flat direct linear": Row(
        all_to_all.flat_all_to_all,
        all_but_own("1", "N*(N-1)", "RBT"),
        source="Open MPI, coll_base_alltoall.c, linear; all ports at once",
        used_by="MPICH (scattered) and Open MPI (linear), medium blocks; MSCCL on one node",
    ),
    "pairwise linear-shift": Row(
        all_to_all.pairwise_all_to_all,
        all_but_own("N-1", "N*(N-1)"),
        source=sources.THAKUR,
        classic=True,
        against="bruck",
        used_by="MPICH above 32 KiB where N is no power of two; Open MPI (pairwise); Gloo",
    ),
    "exchange xor": Row(
        all_to_all.exchange_all_to_all,
        all_but_own("N-1", "N*(N-1)"),
        source=sources.THAKUR,
        used_by="MPICH (pairwise) above 32 KiB where N is a power of two",
        sizes=POWERS_OF_TWO,
    ),
    "tournament round-robin": Row(
        all_to_all.tournament_all_to_all,
        Form(
            "M",
            "N*(N-1)",
            "(N-1)/N*S",
            "(N-1)*S",
            "M/N*S",
            where=(MEETINGS,),
            exact_sent=exact.all_but_the_smallest,
            optimal="BT",
        ),
        source="the circle method of round-robin tournaments; pytorch/pytorch PR 174942",
        used_by="PyTorch (batch_isend_irecv) above 256 operations, TORCH_NCCL_BATCH_P2P_CHUNK_SIZE",
    ),
    "triangular nccl shifted": Row(
        all_to_all.triangular_all_to_all,
        all_but_own("N-1", "N*(N-1)"),
        source="NCCL, its schedule of point-to-point peers",
        used_by="NCCL, whose groups of sends and receives meet their peers in this order",
    ),
    "Bruck": Row(
        all_to_all.bruck_all_to_all,
        Form(
            "(radix-1)*(K-1)+(N-1)//radix**(K-1)",
            "N*((radix-1)*(K-1)+(N-1)//radix**(K-1))",
            "D/N*S",
            "D*S",
            SENT,
            where=(RADIX_DIGITS, HOPS),
            optimal="R",
        ),
        source=sources.BRUCK,
        used_by="MPICH (brucks), blocks to 256 B on 8 ranks and more; Open MPI (modified Bruck)",
        scratch=waiting,
        takes=(BRUCK_RADIX,),
    ),
    "hierarchical two-step": Row(
        all_to_all.hierarchical_all_to_all,
        Form(
            "min(1, gpus-1)+min(1, N/gpus-1)",
            "N*(gpus+N/gpus-2)",
            "(2*N-gpus-N/gpus)/N*S",
            "(2*N-gpus-N/gpus)*S",
            SENT,
            optimal="R",
        ),
        source="MSCCL tools, a2a_2step",
        used_by="MSCCL (two-step), several nodes: one large message for each remote node",
        scratch=per_rank,
        takes=(GPUS,),
        structure=structures.blocks_of_nodes,
    ),
}
