"""Algorithms for broadcast."""

from collectives.algorithms import (
    bine,
    binomial,
    chains,
    flat,
    in_network,
    knomial,
    ring,
    ring_channels,
    scatter_all_gather,
    split_binary,
    tree,
)
from collectives.catalog import closed_forms, sources, structures
from collectives.catalog.closed_forms import CHANNEL_CHAIN, split_tree
from collectives.catalog.parameters import CHAINS, KNOMIAL_RADIX, POWERS_OF_TWO
from collectives.catalog.row import Row, channel_pipeline, in_pipeline, one_chunk, one_helper
from collectives.theory import SENT, Form, exact

ROWS: dict[str, Row] = {
    "flat linear": one_chunk(
        flat.flat_broadcast,
        Form("1", "N-1", "(N-1)*S", "(N-1)*S", SENT, optimal="RT"),
        source="Open MPI, coll_base_bcast.c, linear; all ports at once",
        used_by="Open MPI (basic linear), for few ranks",
    ),
    "ring chain pipeline": channel_pipeline(
        ring.ring_broadcast,
        CHANNEL_CHAIN,
        in_channels=ring_channels.chains_down,
        source="Open MPI, coll_base_bcast.c, pipeline",
        used_by="NCCL (its only one); Open MPI (pipeline)",
    ),
    "tree binomial": one_chunk(
        binomial.binomial_broadcast,
        Form("C", "N-1", "C*S", "(N-1)*S", SENT, optimal="RT"),
        source=sources.THAKUR,
        classic=True,
        against="ring",
        used_by="MPICH (binomial), up to 12 KiB or 7 ranks",
    ),
    "doubling-tree distance-doubling": one_chunk(
        binomial.doubling_broadcast,
        Form("C", "N-1", "C*S", "(N-1)*S", SENT, optimal="RT"),
        source="Open MPI, coll_base_topo.c, build_bmtree; gloo, broadcast.cc",
        against="ring",
        used_by="gloo; Open MPI (binomial), from 4 KiB to 1 MiB on 16 to 31 ranks",
    ),
    "Bine": one_chunk(
        bine.bine_broadcast,
        Form("C", "N-1", "C*S", "(N-1)*S", SENT, optimal="RT"),
        source=sources.BINE,
        sizes=POWERS_OF_TWO,
    ),
    "knomial k-nomial": one_chunk(
        knomial.knomial_broadcast,
        Form(
            "H",
            "N-1",
            "K*S",
            "(N-1)*S",
            SENT,
            (closed_forms.HEIGHT, closed_forms.CHILDREN),
            optimal="RT",
        ),
        source="Open MPI, coll_base_topo.c, build_kmtree; UCC, bcast_knomial.c; radix - 1 ports",
        used_by="Open MPI (k-nomial, radix 4) on 64 to 127 ranks; UCC up to 32 KiB",
        takes=(KNOMIAL_RADIX,),
        display_name="k-nomial",
    ),
    "chains": in_pipeline(
        chains.chains_broadcast,
        Form(
            "D+q-1",
            "q*(N-1)",
            "min(chains,N-1)*S",
            "(N-1)*S",
            where=(closed_forms.LONGEST,),
            optimal="T",
        ),
        source="Open MPI, coll_base_topo.c, build_chain; a port for each chain",
        against="ring",
        used_by="Open MPI (chain), where asked for; of itself it takes one chain",
        takes=(CHAINS,),
    ),
    "binary-tree binary": in_pipeline(
        tree.binary_tree_broadcast,
        Form("L+q-1", "q*(N-1)", "min(2,N-1)*S", "(N-1)*S", optimal="T"),
        source="Open MPI, coll_base_bcast.c, bintree; two ports",
        used_by="Open MPI (binary tree), from 4 to 16 KiB on 8 to 15 ranks",
    ),
    "split-binary": in_pipeline(
        split_binary.split_binary_broadcast,
        split_tree("max(h*min(3,l),q+(q-h)*(l-r)*min(1,r))/q*S"),
        source="Open MPI, coll_base_bcast.c, split_bintree; two ports",
        against="binary-tree",
        used_by="Open MPI (split binary tree), from 16 to 32 KiB on 256 to 1023 ranks",
        structure=structures.split_tree,
    ),
    "double-binary-tree double-tree two-tree dbt": channel_pipeline(
        tree.double_tree_broadcast,
        closed_forms.DOUBLE_TREE_DOWN,
        in_channels=ring_channels.trees_down,
        source=f"{sources.SANDERS}; on NCCL's trees",
        against="ring binary-tree",
        used_by="oneCCL (double tree) up to 8 KiB; UCC (dbt), where it is asked for",
        structure=structures.double_tree_below_root,
    ),
    "van-de-geijn scatter-all-gather scatter-ring-allgather": Row(
        scatter_all_gather.van_de_geijn_broadcast,
        Form(
            "C+N-1",
            "N**2-1",
            "2*(N-1)/N*S",
            "V/N*S+(N-1)*S",
            SENT,
            exact_total=exact.there_and_back,
        ),
        source="Barnett et al., Interprocessor collective communication library, SHPCC 1994",
        against="ring tree",
        used_by="MPICH on 8 ranks and more, above 12 KiB (above 512 KiB on powers of two)",
        display_name="van de Geijn",
    ),
    "scatter-doubling scatter-recursive-doubling-allgather": Row(
        scatter_all_gather.scatter_doubling_broadcast,
        Form("2*L", "N-1+N*L", "2*(N-1)/N*S", "V/N*S+(N-1)*S", SENT),
        source=sources.THAKUR,
        against="tree van-de-geijn",
        used_by="MPICH on powers of two from 8 ranks on, from 12 to 512 KiB",
        sizes=POWERS_OF_TWO,
    ),
    "multicast": in_pipeline(
        in_network.multicast_broadcast,
        Form("q+1", "q*N", "S", "N*S"),
        source="Liu, Mamidala and Panda, Fast and scalable MPI-level broadcast, IPDPS 2004",
        against="ring tree",
        used_by="MVAPICH2, where switches multicast; the network counts it as one operation",
        nodes=one_helper,
    ),
}
