"""Algorithms for all-gather."""

from dataclasses import replace

from collectives.algorithms import (
    bcube,
    binomial,
    bruck,
    circulant,
    doubling,
    flat,
    hierarchical,
    in_network,
    neighbor_exchange,
    nvls,
    pairwise,
    pat,
    ring,
    ring_channels,
    swing,
    trivance,
)
from collectives.algorithms.nested import nested_all_gather
from collectives.catalog import closed_forms, nested, sources, structures
from collectives.catalog.closed_forms import (
    PAT_STEPS,
    TO_NEIGHBORS,
    all_but_one,
    all_but_own,
    in_channels,
    once_round_the_rings,
)
from collectives.catalog.parameters import (
    AGGREGATION,
    BASE,
    BRUCK_RADIX,
    EVEN,
    GPUS,
    POWERS_OF_BASE,
    POWERS_OF_TWO,
    Outside,
)
from collectives.catalog.row import Row, one_helper, one_ring
from collectives.theory import Form, exact

ROWS: dict[str, Row] = {
    "flat direct": Row(
        flat.flat_all_gather,
        all_but_one("1", "N*(N-1)", "RBT", exact_sent=exact.the_largest_to_others),
        source=f"{sources.CHAN}; all ports at once",
        used_by="MSCCL (direct) to 32 MiB on 8 GPUs",
    ),
    "ring": one_ring(
        ring.ring_all_gather,
        in_channels(all_but_own("N-1", "N*(N-1)"), f"{TO_NEIGHBORS}*(N-1)", once_round_the_rings),
        source=sources.PATARASUK,
        classic=True,
        against="bruck",
        in_channels=ring_channels.rings_all_gather,
        used_by="NCCL; MPICH from 512 KiB; Open MPI (ring); gloo, in two halves",
    ),
    "tree gather-broadcast": Row(
        binomial.binomial_all_gather,
        Form("2*C", "2*(N-1)", "C*S", "V/N*S+(N-1)*S", exact_total=exact.there_and_back),
        source=sources.CHAN,
        used_by="Open MPI (gather and broadcast, each by its own rule)",
    ),
    "recursive-doubling": Row(
        doubling.recursive_doubling_all_gather,
        all_but_one("L", "N*L", "RBT"),
        source=sources.THAKUR,
        used_by="MPICH below 512 KiB; Open MPI (recursive doubling) up to 31 ranks",
        sizes=POWERS_OF_TWO,
    ),
    "NVLS": Row(
        nvls.nvls_all_gather,
        Form("2", "2*N", "S/N", "(N+1)*S"),
        source="NCCL, all_gather.h, NVLS",
        used_by="NCCL on one NVSwitch domain, as one operation of two hops",
        nodes=one_helper,
    ),
    "multicast": Row(
        in_network.multicast_all_gather,
        Form("N+1", "N**2", "S/N", "N*S"),
        source=sources.MULTICAST,
        against="ring",
        nodes=one_helper,
    ),
    "hierarchical": Row(
        hierarchical.hierarchical_all_gather,
        replace(all_but_one("gpus+N/gpus-2", "N*(gpus+N/gpus-2)"), in_ways=nested.GATHERED),
        source="ncclx, cthierarchical_ring, torchcomms PR #2655",
        used_by="ncclx (hierarchical ring); NCCL (rail ring, inside=switch)",
        nodes=nested.nodes,
        sizes=nested.powers_outside(Outside.DOUBLING),
        takes=(GPUS, nested.ALL_GATHER, nested.INSIDE),
        in_ways=nested_all_gather,
        structure=structures.two_levels,
    ),
    "Bruck brucks": Row(
        bruck.bruck_all_gather,
        all_but_one("K", "N*Q", "RBT", where=(closed_forms.RADIX_DIGITS, closed_forms.HOPS_BELOW)),
        source=f"{sources.BRUCK}; radix - 1 ports",
        used_by="MPICH below 80 KiB, Open MPI (Bruck) to 31 ranks, where N is no power of two",
        takes=(BRUCK_RADIX,),
    ),
    "circulant traff": Row(
        circulant.circulant_all_gather, all_but_one("C", "N*C", "RBT"), source=sources.TRAEFF
    ),
    "neighbor-exchange neighbor": Row(
        neighbor_exchange.neighbor_exchange_all_gather,
        all_but_one("N/2", "N*N/2"),
        source="Chen et al., Performance evaluation of allgather algorithms, HPC Asia 2005",
        used_by="Open MPI (neighbor exchange), blocks of 1 to 64 KiB on 32 to 63 ranks",
        sizes=EVEN,
    ),
    "sparbit": Row(
        neighbor_exchange.sparbit_all_gather,
        all_but_one("C", "N*C", "RBT"),
        source="Loch and Koslovski, Sparbit, 2021",
        against="bruck",
        used_by="Open MPI (sparbit) and UCC, each chunk as a message of its own: N*(N-1)",
    ),
    "PAT": Row(
        pat.pat_all_gather,
        all_but_one(PAT_STEPS, f"N*{PAT_STEPS}", where=(closed_forms.LOG_AGGREGATION,)),
        source=sources.PAT,
        against="bruck ring",
        used_by="NCCL from 2.23 on, with one GPU per node",
        home="switch-tree",
        takes=(AGGREGATION,),
    ),
    "Swing bine-butterfly": Row(
        swing.swing_all_gather,
        all_but_one("C", "N*C", "RBT"),
        source=sources.SWING,
        against="ring recursive-doubling",
        sizes=EVEN,
    ),
    "Trivance": Row(
        trivance.trivance_all_gather,
        all_but_one("M", "N*W", "RBT", where=(closed_forms.LOG_THREE, closed_forms.WAYS)),
        source=sources.TRIVANCE,
        against="bruck swing",
    ),
    "BCube": Row(
        bcube.bcube_all_gather,
        all_but_one("M", "N*M*(base-1)", "RBT", where=(closed_forms.DIGITS,)),
        source=sources.GLOO_BCUBE,
        against="recursive-doubling",
        used_by="gloo (bcube), as the second half of its all-reduce",
        sizes=POWERS_OF_BASE,
        takes=(BASE,),
    ),
    "pairwise spreading-simple": Row(
        pairwise.pairwise_all_gather,
        all_but_one("N-1", "N*(N-1)", exact_sent=exact.the_largest_to_others),
        source="SimGrid, allgather-spreading-simple.cpp",
        used_by="SimGrid (spreading_simple)",
    ),
}
