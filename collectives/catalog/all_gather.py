"""Algorithms for all-gather."""

from collectives.algorithms import binomial, doubling, flat, nvls, ring
from collectives.catalog.row import POWERS_OF_TWO, Row
from collectives.theory import Form, exact

ROWS = (
    Row(
        "all_gather",
        "flat",
        flat.flat_all_gather,
        Form(
            "1",
            "N*(N-1)",
            "(N-1)/N*S",
            "(N-1)*S",
            exact_sent=exact.the_largest_to_others,
            exact_total=exact.all_to_others,
        ),
        optimal="RBT",
        used_by="MSCCL (direct) to 32 MiB on 8 GPUs",
        source="Chan et al., CCPE 19(13), 2007; all ports at once",
        also=("direct",),
    ),
    Row(
        "all_gather",
        "ring",
        ring.ring_all_gather,
        Form(
            "N-1",
            "N*(N-1)",
            "(N-1)/N*S",
            "(N-1)*S",
            exact_sent=exact.all_but_the_smallest,
            exact_total=exact.all_to_others,
        ),
        optimal="BT",
        used_by="NCCL, MPICH from 512 KiB, Open MPI, gloo",
        source="Patarasuk and Yuan, JPDC 69(2), 2009",
    ),
    Row(
        "all_gather",
        "tree",
        binomial.binomial_all_gather,
        Form("2*C", "2*(N-1)", "C*S", "V/N*S+(N-1)*S", exact_total=exact.there_and_back),
        used_by="Open MPI (linear: gather and broadcast)",
        source="Chan et al., CCPE 19(13), 2007",
        also=("gather-broadcast",),
    ),
    Row(
        "all_gather",
        "recursive-doubling",
        doubling.recursive_doubling_all_gather,
        Form("L", "N*L", "(N-1)/N*S", "(N-1)*S", exact_total=exact.all_to_others),
        optimal="RBT",
        used_by="MPICH below 512 KiB; Open MPI up to 31 ranks",
        source="Thakur, Rabenseifner and Gropp, IJHPCA 19(1), 2005",
        sizes=POWERS_OF_TWO,
    ),
    Row(
        "all_gather",
        "nvls",
        nvls.nvls_all_gather,
        Form("2", "2*N", "S/N", "(N+1)*S"),
        used_by="NCCL on one NVSwitch domain, as one operation of two hops",
        source="NCCL, all_gather.h, NVLS",
        nodes=lambda setting: setting.ranks + 1,
    ),
)
