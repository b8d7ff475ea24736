"""Algorithms for reduce."""

from collectives.algorithms import (
    bine,
    binomial,
    chains,
    flat,
    half_fold,
    in_network,
    in_order_tree,
    knomial,
    linear,
    rabenseifner,
    ring,
    ring_channels,
    ring_orders,
    split_binary,
    tree,
)
from collectives.catalog import closed_forms, sources, structures
from collectives.catalog.closed_forms import CHANNEL_CHAIN, split_tree
from collectives.catalog.parameters import CHAINS, KNOMIAL_RADIX, POWERS_OF_TWO
from collectives.catalog.row import (
    Row,
    channel_pipeline,
    in_pipeline,
    one,
    one_chunk,
    one_helper,
    power_of_two,
)
from collectives.theory import Form, exact

ROWS: dict[str, Row] = {
    "flat": one_chunk(
        flat.flat_reduce,
        Form("1", "N-1", "S", "(N-1)*S", "(N-1)*S", optimal="RT"),
        source=f"{sources.CHAN}; all ports at once",
    ),
    "linear": one_chunk(
        linear.linear_reduce,
        Form("1", "N-1", "S", "(N-1)*S", "(N-1)*S", optimal="RT"),
        source="Open MPI, coll_base_reduce.c, linear; all ports at once",
        used_by="Open MPI (linear)",
        same_bits_as=("Open MPI (linear)",),
        scratch=one,
    ),
    "ring chain pipeline": channel_pipeline(
        ring.ring_reduce,
        CHANNEL_CHAIN,
        in_channels=ring_channels.chains_up,
        source="Open MPI, coll_base_reduce.c, pipeline",
        used_by="NCCL (its only one); Open MPI (pipeline)",
        same_bits_as=("Open MPI (pipeline)",),
    ),
    "tree binomial": one_chunk(
        binomial.binomial_reduce,
        Form("C", "N-1", "S", "(N-1)*S", "C*S", optimal="RT"),
        source=sources.THAKUR,
        classic=True,
        against="ring",
        used_by="MPICH up to 2 KiB; Open MPI (binomial) for most sizes",
        same_bits_as=("MPICH (binomial)", "Open MPI (binomial)"),
    ),
    "Bine": one_chunk(
        bine.bine_reduce,
        Form("C", "N-1", "S", "(N-1)*S", "C*S", optimal="RT"),
        source=sources.BINE,
        sizes=POWERS_OF_TWO,
    ),
    "knomial k-nomial": one_chunk(
        knomial.knomial_reduce,
        Form("H", "N-1", "S", "(N-1)*S", where=(closed_forms.HEIGHT,), optimal="RT"),
        source="UCC, reduce_knomial.c; radix - 1 ports",
        used_by="UCC up to 32 KiB",
        takes=(KNOMIAL_RADIX,),
        display_name="k-nomial",
    ),
    "chains": in_pipeline(
        chains.chains_reduce,
        Form("D+q-1", "q*(N-1)", "S", "(N-1)*S", where=(closed_forms.LONGEST,), optimal="T"),
        source="Open MPI, coll_base_topo.c, build_chain; a port for each chain",
        against="ring",
        used_by="Open MPI (chain), where asked for; of itself it takes one chain",
        same_bits_as=("Open MPI (chain)",),
        takes=(CHAINS,),
    ),
    "binary-tree binary": in_pipeline(
        tree.binary_tree_reduce,
        Form("L+q-1", "q*(N-1)", "S", "(N-1)*S", optimal="T"),
        source="Open MPI, coll_base_reduce.c, binary; two ports",
        used_by="Open MPI (binary), for some short vectors",
        same_bits_as=("Open MPI (binary)",),
    ),
    "in-order-tree in-order-binary": in_pipeline(
        in_order_tree.in_order_tree_reduce,
        Form("L+q-1+O", "q*(N-1)+O", "S", "(N-1+O)*S", where=(closed_forms.TO_ROOT,)),
        source="Open MPI, coll_base_topo.c, build_in_order_bintree; two ports",
        against="binary-tree",
        used_by="Open MPI (in-order binary), on 16 ranks or more if the operation does not commute",
        same_bits_as=("Open MPI (in-order binary)",),
    ),
    "split-binary": in_pipeline(
        split_binary.split_binary_reduce,
        split_tree("S"),
        source="The broadcast of Open MPI, coll_base_bcast.c, split_bintree, transposed; two ports",
        against="binary-tree",
        structure=structures.split_tree,
    ),
    "double-binary-tree double-tree two-tree dbt": channel_pipeline(
        tree.double_tree_reduce,
        closed_forms.DOUBLE_TREE_UP,
        in_channels=ring_channels.trees_up,
        source=f"{sources.SANDERS}; on NCCL's trees",
        against="ring binary-tree",
        used_by="UCC (dbt), where it is asked for",
        structure=structures.double_tree_below_root,
    ),
    "Rabenseifner reduce-scatter-gather": Row(
        rabenseifner.rabenseifner_reduce,
        Form("2*L+min(R,1)", "P*L+N-1", "(3/2-1/P)*S", "(N-1+L/2)*S", "(2-2/P+min(R,1))*S"),
        source=f"Rabenseifner, ICCS 2004; {sources.THAKUR}",
        used_by="MPICH above 2 KiB; Open MPI (Rabenseifner) on powers of two",
        same_bits_as=("MPICH (reduce_scatter_gather)",),
        chunk_count=power_of_two,
    ),
    "half-fold": Row(
        half_fold.half_fold_reduce,
        Form(
            "2*L+2*min(R,1)+O",
            "P*(L+1)-1+3*R+O",
            "(1-1/P+F)*S",
            "(P-1+L/2+3/2*R+O/P)*S",
            where=(closed_forms.ROOT_FOLDS, closed_forms.BESIDE_HALVING),
        ),
        source="Open MPI, coll_base_reduce.c, redscat_gather",
        against="tree",
        used_by="Open MPI (Rabenseifner), below 8 bytes on 3 ranks, or where asked for",
        same_bits_as=("Open MPI (Rabenseifner)",),
        chunk_count=power_of_two,
    ),
    "leftward-ring": Row(
        ring_orders.leftward_ring_reduce,
        Form(
            "N", "N**2-1", "S", "(N-1)*S+(N-1)/N*S", "2*(N-1)/N*S", exact_total=exact.there_and_out
        ),
        source="gloo, reduce.cc: ring reduce-scatter and gather",
        used_by="gloo",
        same_bits_as=("gloo (ring)",),
    ),
    "switch": in_pipeline(
        in_network.switch_reduce,
        Form("q+1", "q*N", "S", "N*S"),
        source="Graham et al., SHARP, COMHPC 2016; one switch",
        against="ring tree",
        nodes=one_helper,
    ),
}
