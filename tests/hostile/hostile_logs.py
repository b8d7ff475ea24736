"""Hostile Chakra traces and NCCL logs: name, content, exit status, words of the line on stderr."""

import gzip

from chakra_traces import item, node, ring, trace, varint

GOOD = trace(node(0, "coll", comm_size=8))


def sends(**more):
    """The trace of a rank that sends to rank 1; nobody receives."""
    return trace(node(0, "send", **{"comm_dst": 1, "comm_size": 8, **more}))


def receives(**more):
    """The trace of a rank that receives from rank 0."""
    return trace(node(0, "recv", **{"comm_src": 0, "comm_size": 8, **more}))


def many(count, kind="coll"):
    """A trace of so many nodes, in megabytes if there are many of them."""
    return trace(*(node(k, kind, comm_size=8) for k in range(count)))


def both(stem, one, other, needle, name=0):
    """The traces of two ranks; the first is the case, the second only lies beside it."""
    return [
        (f"{stem}.{name}.et", (one, other)[name], 2, needle),
        (f"{stem}.{1 - name}.et", (one, other)[1 - name], 2, needle),
    ]


CIRCLE = [
    trace(
        node(0, "recv", comm_src=1 - rank, comm_size=8),
        node(1, "send", [0], comm_dst=1 - rank, comm_size=8),
    )
    for rank in (0, 1)
]


BARRED = [  # each waits for the other on its side of a collective
    trace(node(0, "recv", comm_src=1, comm_size=8), node(1, "coll", [0], comm_size=8)),
    trace(node(0, "coll", comm_size=8), node(1, "send", [0], comm_dst=0, comm_size=8)),
]
SEND = node(0, "send", comm_dst=1)


def chain(path):
    """A trace of nodes that each wait for the one before, the first for the second."""
    return trace(*(node(k, "comp", [k - 1] if k else [1]) for k in range(20_000)))


MESSAGE = varint(3) + item(1, "4") + varint(2)
TRACES = [
    ("text.0.et", b"hello", 2, "a message of 104 bytes"),
    ("xml.0.et", b"<algo/>", 2, "a message of 60 bytes"),
    ("zeros.0.et", bytes(1 << 20), 2, "131072 nodes"),
    ("ones.0.et", b"\xff" * 1000, 2, "a number of 11 bytes"),
    ("number.0.et", b"\xff\xff", 2, "ends within a number"),
    ("cut.0.et", GOOD[:-3], 2, "left"),
    ("version_only.0.et", trace(), 2, "no messages and no collectives"),
    ("length.0.et", varint(1 << 60) + b"a", 2, f"{1 << 60} bytes"),
    ("field.0.et", MESSAGE + b"\x52\x70", 2, "field 10 has 112 bytes"),
    ("wire.0.et", MESSAGE + b"\x0b\x01", 2, "wire type 3"),
    ("type.0.et", trace(item(1, 1) + item(3, 99)), 2, "type 99"),
    ("twice.0.et", trace(node(1, "comp"), node(1, "comp")), 2, "node 1 occurs twice"),
    ("dangling_dependency.0.et", trace(node(1, "comp", [7])), 2, "node 7"),
    ("far_dependency.0.et", trace(node(0, "comp", [(1 << 64) - 1])), 2, f"node {(1 << 64) - 1}"),
    ("largest_id_twice.0.et", trace(node((1 << 64) - 1, "comp"), node(-1, "comp")), 2, "twice"),
    ("itself.0.et", trace(node(1, "comp", [1])), 2, "node 1 waits for itself"),
    ("circle.0.et", trace(node(1, "comp", [2]), node(2, "comp", [1])), 2, "nodes 1 and 2"),
    ("chain.0.et", chain, 2, "in a cycle"),
    ("gzip.0.et", gzip.compress(GOOD, mtime=0), 2, "gzip.0.et"),
    ("json.0.et", b'{"schema": "1.0", "nodes": []}', 2, "a message of 123 bytes"),
    ("no_version.0.et", GOOD[8:], 2, "begins with a node"),
    ("cut_version.0.et", varint(2) + b"\x0a\x09", 2, "field 1 has 9 bytes"),
    ("no_type.0.et", trace(item(1, 1)), 2, "no messages and no collectives"),
    ("attribute.0.et", trace(SEND + item(10, b"\xff")), 2, "within a number"),
    ("attribute_name.0.et", trace(SEND + item(10, b"\x0a\x7f")), 2, "field 1 has 127 bytes"),
    ("fixed.0.et", trace(item(1, 1) + b"\x59\x00\x00"), 2, "field 11 has 8 bytes"),
    ("packed.0.et", trace(item(1, 1) + item(5, b"\xff\xff")), 2, "within a number"),
    ("alone.0.et", sends(), 2, "rank 1"),
    ("own.0.et", sends(comm_dst=0), 2, "rank 0"),
    ("negative_peer.0.et", sends(comm_dst=-5), 2, "rank -5"),
    ("no_peer.0.et", trace(node(0, "send", comm_size=8)), 2, "no comm_dst"),
    ("no_source.0.et", trace(node(0, "recv", comm_size=8)), 2, "no comm_src"),
    ("own_source.0.et", receives(), 2, "own_source.0.et", "peer is rank 0"),
    ("far_source.0.et", receives(comm_src=1 << 40), 2, f"rank {1 << 40}"),
    ("negative_size.0.et", sends(comm_size=-8), 2, "comm_size=-8"),
    ("huge_size.0.et", sends(comm_size=1 << 62), 2, "comm_size"),
    ("above_limit.0.et", sends(comm_size=(1 << 48) + 1), 2, "comm_size=281474976710656"),
    ("tensor_size.0.et", trace(node(0, "send", comm_dst=1, tensor_size=1 << 60)), 2, "tensor_size"),
    ("no_size.0.et", trace(node(0, "send", comm_dst=1)), 2, "no comm_size"),
    ("text_size.0.et", trace(SEND + item(10, item(1, "comm_size") + item(29, "8"))), 2, "no comm_"),
    ("bare_number.0.et", trace(SEND + item(10, 8)), 2, "no comm_size"),
    ("unknown.0.et", trace(node(0, "coll", comm_type=77, comm_size=8)), 2, "comm_type=77"),
    ("negative_kind.0.et", trace(node(0, "coll", comm_type=-1, comm_size=8)), 2, "comm_type=-1"),
    ("collective.0.et", GOOD, 2, "name an algorithm too"),
    ("nodes.0.et", trace(*[item(1, 1)] * 140_000), 2, "131072 nodes"),
    ("fields.0.et", trace(item(1, 1) * 4_300_000), 2, "4194304 fields"),
    ("numbers.0.et", trace(item(5, bytes(4_300_000))), 2, "4194304 fields"),
    ("empty_attributes.0.et", trace(*[item(10, b"") * 999] * 4300), 2, "4194304 fields"),
    ("name.0.et", trace(node(0, "coll", name="a\x1b[2J" * 9999, comm_type=99)), 2, "comm_type=99"),
    ("gap.0.et", GOOD, 2, "gap.1.et is missing"),
    ("gap.2.et", GOOD, 2, "gap.1.et is missing"),
    ("no_rank.et", GOOD, 2, "no_rank.0.et"),
    ("999999.et", GOOD, 2, "no rank"),
    *both("unmatched", sends(), GOOD, "which receives 0"),
    *both("no_send", GOOD, receives(), "sends rank 1 0 messages"),
    *both("tags", sends(comm_tag=1), receives(comm_tag=2), "with tag 1"),
    *both("sizes", sends(), receives(comm_size=9), "both ends of a message"),
    *both("deadlock", *CIRCLE, "forever"),
    *both("kinds", GOOD, trace(node(0, "coll", comm_type=2, comm_size=8)), "all-gather"),
    *both("fewer", GOOD, many(2), "of the same group in 2"),
    *both("other_size", GOOD, trace(node(0, "coll", comm_size=16)), "all-reduce of 16 B"),
    *both("in_circle", trace(node(0, "coll", [0], comm_size=8)), GOOD, "node 0 waits for itself"),
    *both("barred", *BARRED, "forever"),
    *both("same", sends(), sends(), "peer is rank 1"),
    *both("signs", sends(comm_tag=-1), receives(comm_tag=1), "with tag -1"),
    *both("cut_second", ring(2, 8)[0], ring(2, 8)[1][:109], "cut_second.1.et"),
    *both("second_has_no_version", GOOD, GOOD[8:], "second_has_no_version.1.et"),
    *both("second_is_text", GOOD, b"hello", "second_is_text.1.et"),
]

INFO = b"host:1:2 [0] NCCL INFO "
MEMBER = b"comm 0x1 rank %d nranks %d cudaDev 0 commId 0x2 - Init COMPLETE"


def log(*lines):
    """A log of one process."""
    return b"".join(INFO + line + b"\n" for line in lines)


ORDER = b" ".join(b"%d" % rank for rank in range(4000))
LOGS = [
    ("text.log", b"hello\n", 2, "NCCL_DEBUG=INFO"),
    ("binary.log", bytes(range(256)) * 99, 2, "NCCL_DEBUG=INFO"),
    ("zeros.log", bytes(1 << 20), 2, "NCCL_DEBUG=INFO"),
    ("long.log", lambda path: bytes(33 << 20), 2, "32 MiB"),
    ("version.log", b"NCCL version 2.20.5+cuda12.4\n", 2, "NCCL_DEBUG=INFO"),
    ("half.log", b"host:1:2 [0] NCCL INFO", 2, "NCCL_DEBUG=INFO"),
    ("utf16.log", log(MEMBER % (0, 2)).decode().encode("utf-16"), 2, "NCCL_DEBUG=INFO"),
    ("no_ranks.log", log(MEMBER % (0, 0)), 2, "nranks 0"),
    ("many_ranks.log", log(MEMBER % (0, 9999999)), 2, "nranks 9999999"),
    ("digits.log", log(b"comm 0x1 rank 0 nranks " + b"9" * 5000 + b" commId 0x2"), 2, "NCCL"),
    ("beyond.log", log(MEMBER % (7, 4)), 2, "rank 7"),
    ("ring_beyond.log", log(b"Channel 00/01 :    0   9", MEMBER % (0, 4)), 2, "rank 9"),
    ("tree_beyond.log", log(b"Trees [0] 9/-1/-1->0->-1", MEMBER % (0, 4)), 2, "rank 9"),
    ("link_beyond.log", log(b"Channel 00/0 : 0[0] -> 9[0] via P2P", MEMBER % (0, 4)), 2, "rank 9"),
    ("guessed.log", log(b"Channel 00/0 : 0[0] -> 9999999[0] via P2P/IPC"), 2, "rank 9999999"),
    ("twice.log", log(b"Channel 00/01 :    0   1   1", MEMBER % (0, 3)), 0),
    ("circle.log", log(b"Trees [0] 0/-1/-1->0->0", MEMBER % (0, 1)), 0),
    ("minus.log", log(b"Trees [0] -1/-1/-1->0->-7", MEMBER % (0, 2)), 0),
    ("escape.log", log(b"Channel 00/0 : 0[0] -> 1[0] via \x1b[2JNET", MEMBER % (0, 2)), 0),
    ("wide.log", log(b"Channel 00/01 : " + ORDER * 999, MEMBER % (0, 2)), [0, 2]),
    ("deep.log", log(b"Trees " + b"[0] 1/-1/-1->0->-1 " * 99_999, MEMBER % (0, 2)), 0),
    ("slashes.log", log(b"Trees [0] " + b"1/" * 99_999, MEMBER % (0, 2)), 0),
    ("brackets.log", b"[" * 3_000_000 + b" NCCL INFO ", 2, "NCCL_DEBUG=INFO"),
    ("hosts.log", (b"a" * 8000 + b":1:2 [0] NCCL INFO x\n") * 500, 2, "NCCL_DEBUG=INFO"),
    ("words.log", (b"a." * 4000 + b" NCCL\n") * 500, 2, "NCCL_DEBUG=INFO"),
    ("devices.log", (b"[0]" * 2600 + b" NCCL INFO\n") * 500, 2, "NCCL_DEBUG=INFO"),
    (
        "communicators.log",
        log(*(b"comm 0x1 rank 0 nranks 2 commId 0x%x - Init START" % k for k in range(2000))),
        2,
        "communicators",
    ),
    (
        "links.log",
        lambda path: log(
            MEMBER % (0, 9999),
            *(b"Channel 00 : %d -> %d via SHM" % divmod(k, 600) for k in range(270_000)),
        ),
        2,
        "connections",
    ),
    (
        "choices.log",
        lambda path: log(
            *(b"AllReduce: %d Bytes -> Algo RING proto LL" % k for k in range(200_000))
        ),
        0,
    ),
    ("algorithm.log", log(b"AllReduce: 8 Bytes -> Algo 77 proto 88"), 0),
    ("settings.log", log(MEMBER % (0, 1), *(b"NCCL_A%d set to 1" % k for k in range(9999))), 0),
    ("windows.log", log(MEMBER % (0, 1)).replace(b"\n", b"\r\n"), 0),
    ("negative_ranks.log", log(MEMBER % (0, -2)), 2, "NCCL_DEBUG=INFO"),
    ("negative_rank.log", log(MEMBER % (-1, 2)), 2, "NCCL_DEBUG=INFO"),
    ("eight_digits.log", log(MEMBER % (0, 12345678)), 2, "NCCL_DEBUG=INFO"),
    ("at_ranks.log", log(MEMBER % (4, 4)), 2, "rank 4"),
    ("other_digits.log", log("comm 0x1 rank ٠ nranks ٢ commId 0x2".encode()), [0, 2]),
    ("no_numbers.log", log(b"comm 0x1 rank nranks commId 0x2 - Init COMPLETE"), 2, "NCCL"),
    ("no_device.log", b"host:1:2 NCCL INFO " + MEMBER % (0, 2) + b"\n", 2, "NCCL_DEBUG=INFO"),
    ("long_host.log", b"h" * 300 + log(MEMBER % (0, 2)), [0, 2]),
    ("gzip.log", gzip.compress(log(MEMBER % (0, 2)), mtime=0), 2, "NCCL_DEBUG=INFO"),
    ("one_line.log", log(MEMBER % (0, 2)).replace(b"\n", b" ") * 999, [0, 2]),
    ("returns.log", log(MEMBER % (0, 2)).replace(b"\n", b"\r") * 9, 0),
    ("nulls.log", log(MEMBER % (0, 2)).replace(b" ", b"\0"), 2, "NCCL_DEBUG=INFO"),
    ("latin.log", log(b"NCCL_SOCKET_IFNAME set to eth\xff", MEMBER % (0, 1)), 0),
    ("cut_member.log", log(MEMBER % (0, 2))[:-30], [0, 2]),
    ("cut_ring.log", log(b"Channel 00/01 :    0", MEMBER % (0, 3)), 0),
    ("short_ring.log", log(b"Channel 00/01 :    0   1", MEMBER % (0, 3)), 0),
    ("empty_ring.log", log(b"Channel 00/01 :", MEMBER % (0, 3)), 0),
    ("ring_of_words.log", log(b"Channel 00/01 : zero one", MEMBER % (0, 2)), 0),
    ("two_rings.log", log(*[b"Channel 00/01 : 0 1", b"Channel 00/01 : 1 0"], MEMBER % (0, 2)), 0),
    ("neighbors_beyond.log", log(b"Ring 00 : 0 -> 1 -> 9", MEMBER % (1, 4)), 2, "rank 9"),
    (
        "two_roots.log",
        log(*(b"Trees [0] -1/-1/-1->%d->-1" % k for k in (0, 1)), MEMBER % (0, 2)),
        0,
    ),
    ("cut_tree.log", log(b"Trees [0] 1/-1/-1->0", MEMBER % (0, 2)), 0),
    ("tree_of_words.log", log(b"Trees [zero] one->two->three", MEMBER % (0, 2)), 0),
    ("own_link.log", log(b"Channel 00/0 : 0[0] -> 0[0] via P2P", MEMBER % (0, 2)), 0),
    ("no_transport.log", log(b"Channel 00/0 : 0[0] -> 1[0] via ", MEMBER % (0, 2)), 0),
    (
        "many_bytes.log",
        log(b"AllReduce: " + b"9" * 40 + b" Bytes -> Algo RING proto LL"),
        2,
        "NCCL",
    ),
    ("negative_bytes.log", log(b"AllReduce: -8 Bytes -> Algo RING proto LL"), 2, "NCCL_DEBUG=INFO"),
    ("no_host.log", log(MEMBER % (0, 2)).replace(b"host", b""), 0),
    ("colons.log", log(MEMBER % (0, 2)).replace(b"host", b":" * 5000), 0),
    ("behind.log", log(b"Ring 00 : 1 -> 0 -> 1" + b" comm 0x1 nRanks 2" * 400, MEMBER % (0, 2)), 0),
    ("buses.log", log(b"comm 0x1 rank 0 nranks 2" + b" busId" * 1300 + b" commId 0x2"), 0),
    ("braces.log", log(b"NET/IB : Using " + b"[0]={" * 1600, MEMBER % (0, 2)), 0),
    ("merged.log", log(b"NET/IB : Using [0]={[0]={[0]a}} [1]={}", MEMBER % (0, 2)), 0),
    ("networks.log", log(*(b"Using network N%d" % k for k in range(9999)), MEMBER % (0, 2)), 0),
    ("plugin.log", log(b"NET/Plugin: Could not find: lib" + b".)" * 3000, MEMBER % (0, 2)), 0),
    ("connects.log", log((b"connect " * 1000) + b"timed", MEMBER % (0, 2)), 0),
    ("libfabric.log", log(*[b"NET/OFI " + b"provide " * 999] * 99, MEMBER % (0, 2)), 0),
    ("no_channels.log", log(b"Channel 00/00 :    0   1", b"0 coll channels", MEMBER % (0, 2)), 0),
    (
        "processes.log",
        lambda path: b"".join(b"h%d:1:2 [0] NCCL INFO x\n" % k for k in range(900_000)),
        2,
        "NCCL_DEBUG=INFO",
    ),
    (
        "hosts_of_ranks.log",
        lambda path: b"".join(
            b"h%d:1:2 [0] NCCL INFO " % k + MEMBER % (k, 9999) + b"\n" for k in range(9999)
        ),
        0,
    ),
    (
        "one_bus.log",
        log(*(MEMBER % (k, 99) for k in range(99))).replace(b"commId", b"busId 1 commId"),
        0,
    ),
    ("unnamed.log", log(MEMBER % (0, 2), MEMBER % (1, 2)).replace(b"commId 0x2 ", b"") * 99, 0),
    (
        "far_rank.log",
        log(MEMBER % (0, 2)) + log(b"Ring 00 : 8 -> 9 -> 8").replace(b"host", b"z"),
        0,
    ),
    ("other_ranks.log", log(MEMBER % (0, 2), MEMBER % (1, 3)), [0, 2]),
]
