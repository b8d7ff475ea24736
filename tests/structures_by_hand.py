"""What the links of each row are that does not state it, by hand: {title of the row: structure}."""

import arcs_by_hand as arcs
import shapes_by_hand as shapes

DRAWN = {
    shapes.star: (
        "flat broadcast",
        "flat reduce",
        "linear reduce",
        "flat scatter",
        "flat gather",
        "linear all-reduce",
        "linear barrier",
    ),
    shapes.line: (
        "ring broadcast",
        "chain scan",
        "chain exscan",
        "pipeline-activations send-recv",
    ),
    shapes.binomial: (
        "tree broadcast",
        "tree reduce",
        "tree scatter",
        "tree gather",
        "tree all-gather",
        "tree reduce-scatter",
        "tree all-reduce",
        "tree barrier",
    ),
    shapes.doubling_tree: ("doubling-tree broadcast",),
    shapes.knomial: (
        "knomial broadcast",
        "knomial reduce",
    ),
    shapes.binary: (
        "binary-tree broadcast",
        "binary-tree reduce",
    ),
    shapes.scatter_and_ring: ("van-de-geijn broadcast",),
    arcs.all_ranks(arcs.back(arcs.powers), arcs.powers, circular=False): (
        "scatter-doubling broadcast",
    ),
    shapes.one_switch: (
        "multicast broadcast",
        "switch reduce",
        "nvls all-gather",
        "nvls reduce-scatter",
        "nvls all-reduce",
    ),
    shapes.line_to_root: ("ring reduce",),
    arcs.folded(arcs.powers, arcs.back(arcs.powers), returns=False): ("rabenseifner reduce",),
    shapes.ring_and_gather: ("leftward-ring reduce",),
    shapes.all_pairs: (
        "flat all-gather",
        "flat reduce-scatter",
        "flat all-reduce",
        "two-shot all-reduce",
    ),
    shapes.rings: ("ring all-gather", "ring reduce-scatter", "ring all-reduce"),
    shapes.ring: ("textbook-ring all-reduce",),
    arcs.all_ranks(arcs.powers, circular=False): (
        "recursive-doubling all-gather",
        "doubling scan",
        "recursive-doubling scan",
        "recursive-doubling exscan",
    ),
    arcs.all_ranks(arcs.powers): (
        "bruck all-gather",
        "dissemination barrier",
    ),
    arcs.all_ranks(arcs.back(arcs.rounded_halves)): ("circulant all-gather",),
    arcs.all_ranks(arcs.neighbors): ("neighbor-exchange all-gather",),
    arcs.all_ranks(arcs.back(arcs.powers)): (
        "sparbit all-gather",
        "bruck reduce-scatter",
    ),
    arcs.all_ranks(arcs.pat_hops): ("pat all-gather",),
    arcs.all_ranks(arcs.back(arcs.swings)): ("swing all-gather",),
    arcs.all_ranks(arcs.back(arcs.digits), circular=False): ("bcube all-gather",),
    arcs.all_ranks(arcs.every_distance): (
        "pairwise all-gather",
        "pairwise reduce-scatter",
    ),
    arcs.folded(arcs.back(arcs.powers)): ("recursive-halving reduce-scatter",),
    shapes.butterfly: ("butterfly reduce-scatter",),
    shapes.tree_and_star: ("non-overlapping reduce-scatter",),
    shapes.leftward: (
        "leftward-ring reduce-scatter",
        "leftward-ring all-reduce",
    ),
    arcs.all_ranks(arcs.rounded_halves): ("circulant reduce-scatter",),
    arcs.all_ranks(arcs.pat_sums): ("pat reduce-scatter",),
    arcs.all_ranks(arcs.swings): ("swing reduce-scatter",),
    arcs.all_ranks(arcs.digits, circular=False): ("bcube reduce-scatter",),
    shapes.both_ways: (
        "bidirectional-ring all-reduce",
        "halo-exchange send-recv",
    ),
    arcs.folded(arcs.powers): (
        "recursive-doubling all-reduce",
        "recursive-doubling barrier",
    ),
    arcs.folded(arcs.powers, tail=True): (
        "tail-fold all-reduce",
        "tail-fold barrier",
    ),
    arcs.all_ranks(arcs.census): ("bar-noy all-reduce",),
    arcs.folded(arcs.powers, arcs.back(arcs.powers)): ("rabenseifner all-reduce",),
    arcs.folded(arcs.powers, arcs.back(arcs.powers), halves=True): ("half-fold all-reduce",),
    arcs.all_ranks(arcs.back(arcs.powers), arcs.powers): ("bruck all-reduce",),
    arcs.all_ranks(arcs.rounded_halves, arcs.back(arcs.rounded_halves)): ("circulant all-reduce",),
    arcs.all_ranks(arcs.swings, arcs.back(arcs.swings)): ("swing all-reduce",),
    arcs.folded(arcs.swings, circular=True): ("swing-latency all-reduce",),
    arcs.all_ranks(arcs.digits, arcs.back(arcs.digits), circular=False): ("bcube all-reduce",),
    shapes.one_server: ("parameter-server all-reduce",),
    shapes.servers: ("sharded-parameter-server all-reduce",),
    shapes.switch_levels: ("sharp all-reduce",),
    shapes.in_pairs: ("ping-pong send-recv",),
}
BY_HAND = {title: structure for structure, titles in DRAWN.items() for title in titles}
