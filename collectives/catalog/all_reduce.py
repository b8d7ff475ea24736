"""Algorithms for all-reduce."""

from collectives.algorithms import (
    bar_noy,
    bcube,
    binomial,
    bruck,
    circulant,
    doubling,
    flat,
    linear,
    rabenseifner,
    ring,
    ring_orders,
    swing,
    tree,
)
from collectives.catalog import all_reduce_machines, closed_forms, sources, structures
from collectives.catalog.closed_forms import FOLDED_DOUBLING, RING, twice_all_but_one
from collectives.catalog.parameters import BASE, EVEN, POWERS_OF_BASE
from collectives.catalog.row import Row, in_pipeline, one, one_chunk, power_of_two
from collectives.theory import SENT, Form

ROWS: dict[str, Row] = {
    "flat one-shot": one_chunk(
        flat.flat_all_reduce,
        Form("1", "N*(N-1)", "(N-1)*S", "N*(N-1)*S", SENT, optimal="R"),
        source="vLLM, custom all-reduce; all ports at once",
        used_by="one-shot kernels of vLLM and TensorRT-LLM, up to 256 KiB on 8 GPUs",
    ),
    "linear": one_chunk(
        linear.linear_all_reduce,
        Form("2", "2*(N-1)", "(N-1)*S", "2*(N-1)*S", "2*(N-1)*S", optimal="T"),
        source="Open MPI, coll_base_allreduce.c, basic linear; all ports at once",
        used_by="Open MPI (basic linear)",
        same_bits_as=("Open MPI (linear)",),
        scratch=one,
    ),
    "ring": Row(
        ring.ring_all_reduce,
        RING,
        source=sources.PATARASUK,
        used_by="NCCL for large vectors; MPICH (ring)",
        same_bits_as=("MPICH (ring)",),
    ),
    "textbook-ring": Row(
        ring_orders.textbook_ring_all_reduce,
        RING,
        source=sources.PATARASUK,
        used_by="Open MPI (ring)",
        same_bits_as=("Open MPI (ring)",),
    ),
    "leftward-ring": Row(
        ring_orders.leftward_ring_all_reduce,
        RING,
        source="gloo, allreduce.cc, ring",
        used_by="gloo",
        same_bits_as=("gloo (ring)",),
    ),
    "bidirectional-ring": Row(
        ring_orders.bidirectional_ring_all_reduce,
        twice_all_but_one("2*(N-1)", "2*N*(N-1)*min(N-1,2)"),
        source=sources.JAIN,
        chunk_count=lambda setting: 2 * setting.ranks,
    ),
    "tree binomial reduce-broadcast": one_chunk(
        binomial.binomial_all_reduce,
        Form("2*C", "2*(N-1)", "C*S", "2*(N-1)*S", "2*C*S", optimal="T"),
        source=sources.CHAN,
        used_by="MPICH (tree); Open MPI (reduce and broadcast, each by its own rule)",
    ),
    "double-binary-tree double-tree two-tree dbt": in_pipeline(
        tree.double_binary_tree_all_reduce,
        Form(
            "2*C+h-1",
            "2*q*(N-1)-X",
            "(1+min(2,N-2)*h/q)*S",
            "2*(N-1)*S",
            where=(closed_forms.HALF, closed_forms.MEET_BOTH),
            optimal="T",
        ),
        source=f"NCCL, trees.cc; {sources.SANDERS}",
        used_by="NCCL (Tree) between nodes, where its model of time says so",
        structure=structures.double_tree,
    ),
    "recursive-doubling": one_chunk(
        doubling.recursive_doubling_all_reduce,
        FOLDED_DOUBLING,
        source=sources.THAKUR,
        used_by="MPICH for single numbers; Open MPI (recursive doubling), 8 to 15 ranks, to 8 KiB",
        same_bits_as=("MPICH (recursive_doubling, recexch)", "Open MPI (recursive doubling)"),
    ),
    "tail-fold recursive-doubling-tail-fold": one_chunk(
        doubling.tail_fold_all_reduce,
        FOLDED_DOUBLING,
        source="MPICH, allreduce_intra_recursive_multiplying.c",
        used_by="MPICH (recursive multiplying, two partners at a time), where it is asked for",
        same_bits_as=("MPICH (recursive_multiplying)",),
    ),
    "Bar-Noy census": one_chunk(
        bar_noy.bar_noy_all_reduce,
        Form("C", "N*C", "C*S", "N*C*S", SENT, optimal="R"),
        source="Bar-Noy, Kipnis and Schieber, Parallel Processing Letters 3(1), 1993",
        scratch=one,
    ),
    "Rabenseifner halving-doubling reduce-scatter-allgather": Row(
        rabenseifner.rabenseifner_all_reduce,
        Form(
            "2*L+2*min(R,1)",
            "2*P*L+2*R",
            "(2-2/P+min(R,1))*S",
            "2*(N-1)*S",
            "(2-2/P+2*min(R,1))*S",
            optimal="T",
        ),
        source=f"Rabenseifner, ICCS 2004; {sources.THAKUR}",
        used_by="MPICH for all but single numbers; Open MPI (Rabenseifner) on powers of two",
        same_bits_as=("MPICH (reduce_scatter_allgather)",),
        chunk_count=power_of_two,
    ),
    "half-fold": Row(
        rabenseifner.half_fold_all_reduce,
        Form(
            "2*L+3*min(R,1)",
            "2*P*L+4*R",
            "(2-2/P+3/2*min(R,1))*S",
            "2*(P-1)*S+5/2*R*S",
            "(2-2/P+2*min(R,1))*S",
        ),
        source="Open MPI, coll_base_allreduce.c, redscat_allgather",
        used_by="Open MPI (Rabenseifner), from 8 KiB on 5 to 63 ranks",
        same_bits_as=("Open MPI (Rabenseifner)",),
        chunk_count=power_of_two,
    ),
    "Bruck": Row(
        bruck.bruck_all_reduce,
        twice_all_but_one("2*C", "2*N*C"),
        source=f"{sources.BRUCK}, in reverse and forwards",
    ),
    "circulant traff": Row(
        circulant.circulant_all_reduce,
        twice_all_but_one("2*C", "2*N*C"),
        source=sources.TRAEFF,
    ),
    "Swing": Row(
        swing.swing_all_reduce,
        twice_all_but_one("2*C", "2*N*C"),
        source=sources.SWING,
        sizes=EVEN,
    ),
    "swing-latency": one_chunk(
        swing.swing_latency_all_reduce,
        FOLDED_DOUBLING,
        source=f"{sources.SWING}; fold as MPICH",
        display_name="Swing (latency)",
    ),
    "BCube": Row(
        bcube.bcube_all_reduce,
        twice_all_but_one("2*M", "2*N*M*(base-1)", where=(closed_forms.DIGITS,)),
        source=sources.GLOO_BCUBE,
        used_by="gloo (bcube)",
        sizes=POWERS_OF_BASE,
        takes=(BASE,),
    ),
    **all_reduce_machines.ROWS,
}
