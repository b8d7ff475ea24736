"""Algorithms for broadcast."""

from collectives.algorithms import binomial, flat, in_network, ring
from collectives.catalog.row import Row, one, per_chunk
from collectives.theory import Form, exact

ROWS = (
    Row(
        "broadcast",
        "flat",
        flat.flat_broadcast,
        Form("1", "N-1", "(N-1)*S", "(N-1)*S"),
        optimal="RT",
        used_by="Open MPI (linear), for few ranks",
        source="Open MPI, coll_base_bcast.c, linear; all ports at once",
        pieces=one,
        also=("linear",),
    ),
    Row(
        "broadcast",
        "ring",
        ring.ring_broadcast,
        Form(
            "N-2+q",
            "q*(N-1)",
            "S",
            "(N-1)*S",
            exact_sent=exact.full,
            exact_total=exact.all_to_others,
        ),
        optimal="BT",
        used_by="NCCL (its only one); Open MPI (pipeline)",
        source="Open MPI, coll_base_bcast.c, pipeline",
        pieces=per_chunk,
        also=("chain", "pipeline"),
    ),
    Row(
        "broadcast",
        "tree",
        binomial.binomial_broadcast,
        Form("C", "N-1", "C*S", "(N-1)*S"),
        optimal="RT",
        used_by="MPICH up to 12 KiB or 7 ranks; Open MPI; gloo",
        source="Thakur, Rabenseifner and Gropp, IJHPCA 19(1), 2005",
        pieces=one,
        also=("binomial",),
    ),
    Row(
        "broadcast",
        "multicast",
        in_network.multicast_broadcast,
        Form("q+1", "q*N", "S", "N*S"),
        used_by="MVAPICH2, where switches multicast; the network counts it as one operation",
        source="Liu, Mamidala and Panda, Fast and scalable MPI-level broadcast, IPDPS 2004",
        pieces=per_chunk,
        nodes=lambda setting: setting.ranks + 1,
    ),
)
