"""NCCL's logs: what is read from samples after public threads, and what is said of them."""

from pathlib import Path

import pytest
from each import each

from collectives.errors import BadInput
from collectives.formats.nccl_log import findings, read_log, ring, tree
from collectives.formats.nccl_log.log import parse_log
from collectives.formats.nccl_log.log_report import LogReport
from collectives.formats.nccl_log.next_steps import next_step

FOLDER = Path(__file__).parents[1] / "data" / "nccl_logs"
NAMES = sorted(path.stem for path in FOLDER.glob("*.log"))


def sample(name):
    """The log of a sample."""
    return read_log(FOLDER / f"{name}.log")


def of(*lines):
    """The log of some lines, each of which is said by a rank of its own."""
    whole = (f"host-{k}:1{k}:2 [0] NCCL INFO {line}" for k, line in enumerate(lines))
    return parse_log("\n".join(whole).encode())


def said(log, word):
    """The findings that begin with a word."""
    return [text for text in findings(log) if text.startswith(word)]


def test_every_finding_of_a_sample_has_a_next_step():
    found = {text for name in SAID for text in findings(sample(name))}
    assert [text for text in found if not next_step(text)] == [] and len(found) > 10


def test_every_sample_names_its_source():
    assert len(NAMES) >= 5
    for name in NAMES:
        assert (FOLDER / f"{name}.log").read_text().startswith("# After https://")


SAMPLES = {  # ranks, ranks of each node in the log, channels, different rings and trees
    "infiniband_2x4": (8, [4, 4], 2, 1, 2),
    "nvlink_8": (8, [8], 24, 1, 1),
    "rings_2x8": (16, [8], 8, 4, 0),
    "roce_host_memory": (16, [], 2, 1, 0),
    "shm_8": (8, [8], 2, 1, 1),
    "sockets_2x8": (11, [2], 0, 0, 0),
    "stuck_2x2": (4, [2, 2], 0, 0, 0),
    "tuner_2_30": (2, [1], 0, 0, 0),
    "tuner_numbers": (0, [], 0, 0, 0),
}


@each("name", NAMES)
def test_what_a_sample_says(name):
    one = sample(name).largest
    found = (
        one.ranks,
        [len(ranks) for ranks in one.nodes],
        one.channels,
        len(set(one.rings.values())),
        len(set(one.trees.values())),
    )
    assert found == SAMPLES[name]


def test_rings_trees_and_connections_are_those_of_the_lines():
    one = sample("infiniband_2x4").largest
    assert one.rings == dict.fromkeys((0, 1), (0, 2, 5, 7, 4, 6, 1, 3))
    assert one.trees[0] == (3, -1, 1, 2, 7, 1, 5, 6)
    assert one.trees[1] == (3, 5, 1, 2, 7, -1, 5, 6)
    between = {pair for pair, found in one.links.items() if {way.kind for way in found} == {"NET"}}
    assert between == {(2, 5), (6, 1)}
    assert {way.name for pair in between for way in one.links[pair]} == {
        "NET/IB through GPU Direct RDMA"
    }


@each("name", [name for name in NAMES if SAMPLES[name][3]])
def test_rings_are_executed_and_proved(name):
    one = sample(name).largest
    recording = ring(one)
    assert recording.check()
    assert recording.collective.name == "all_reduce"
    assert len(recording.steps) == 2 * (one.ranks - 1)
    pairs = {(s, d) for step in recording.steps for s, d in zip(step.src, step.dst, strict=True)}
    wanted = {(a, b) for o in one.rings.values() for a, b in zip(o, (*o[1:], o[0]), strict=True)}
    assert pairs == wanted


@each("name", [name for name in NAMES if SAMPLES[name][4]])
def test_trees_are_executed_and_proved(name):
    one = sample(name).largest
    recording = tree(one)
    assert recording.check()
    up = {(child, parent) for t in one.trees.values() for child, parent in enumerate(t)}
    up = {pair for pair in up if pair[1] >= 0}
    pairs = {(s, d) for step in recording.steps for s, d in zip(step.src, step.dst, strict=True)}
    assert pairs == up | {(parent, child) for child, parent in up}


SAID = {  # what findings of a sample begin with
    "infiniband_2x4": ["Few channels, 2"],
    "nvlink_8": [],
    "rings_2x8": ["Missing ranks, 8 of 16: no line of this log names ranks 8-15 as its own; is"],
    "roce_host_memory": [
        "No GPU Direct RDMA between 1 pair of ranks (15 → 0)",
        "Host memory between 1 pair of ranks (0 → 7)",
        "Few channels, 2",
        "Missing ranks, 15 of 16: no line of this log names ranks 1-15 as its own",
    ],
    "shm_8": ["Host memory between 8 pairs of ranks (0 → 1, …)", "Few channels, 2"],
    "sockets_2x8": [
        "TCP sockets between 2 pairs of ranks (0 → 8, …)",
        (
            "Missing ranks, 9 of 11 or more: no line of this log names ranks 0-7, 10 as its own; "
            "2 processes of it do not name their ranks"
        ),
        "Warnings of NCCL, 2: the first is [Service thread] Error encountered",
    ],
    "stuck_2x2": [
        "TCP sockets between nodes: NCCL chose the network Socket, which is several times slower",
        "Not ready, 4 of 4: ranks 0-3 began, and no line of this log says that they completed",
    ],
    "tuner_2_30": ["Missing ranks, 1 of 2 or more: no line of this log names rank 1 as its own"],
    "tuner_numbers": [],
}


@each("name", NAMES)
def test_what_is_slow_or_unusual_in_a_sample(name):
    found = findings(sample(name))
    assert len(found) == len(SAID[name])
    for text, begins in zip(found, SAID[name], strict=True):
        assert text.startswith(begins)


MEMBERS = [f"comm 0x1 rank {r} nranks 2 cudaDev 0 commId 0x2 - Init COMPLETE" for r in (0, 1)]
REASONS = [
    ("NCCL_IB_DISABLE set by environment to 1.", "NET/Socket/0", "NCCL_IB_DISABLE is set"),
    ("NET/IB : No device found.", "NET/Socket/0", "NET/IB : No device found"),
    ("NCCL_P2P_DISABLE set by environment to 1.", "SHM/direct/direct", "NCCL_P2P_DISABLE is set"),
    ("NCCL_P2P_LEVEL set by environment to LOC", "SHM/direct/direct", "NCCL_P2P_LEVEL is LOC"),
    (
        "P2P is disabled between connected GPUs 0 and 1.",
        "SHM/direct/direct",
        "P2P is disabled between connected GPUs 0 and 1.",
    ),
    ("NCCL_NET_GDR_LEVEL set by environment to LOC", "NET/IB/0", "NCCL_NET_GDR_LEVEL is LOC"),
    (
        "NET/IB : GPU Direct RDMA Disabled for HCA 0 'mlx5_0'",
        "NET/IB/0/Shared",
        "GPU Direct RDMA Disabled for HCA 0",
    ),
]


@each(("line", "via", "why"), REASONS)
def test_the_reason_is_named_where_the_log_has_it(line, via, why):
    log = of(line, f"Channel 00/0 : 0[0] -> 1[1] via {via}", *MEMBERS)
    assert any(why in text for text in findings(log))
    assert not any(why in text for text in findings(of(f"Channel 00 : 0 -> 1 via {via}", *MEMBERS)))


OTHERS = [
    ("NCCL_MAX_NCHANNELS set by environment to 1.", "NCCL_MAX_NCHANNELS=1: it restricts"),
    ("NCCL_ALGO set by environment to Ring.", "NCCL_ALGO=Ring: it restricts"),
    ("NCCL_NVLS_ENABLE set by environment to 0.", "NCCL_NVLS_ENABLE=0: it switches off"),
    ("AllReduce: 67108864 Bytes -> Algo RING proto LL", "LL for 64 MiB"),
    (
        "Pattern 4, crossNic 0, nChannels 1, bw 6.0/6.0, type SYS/SYS, sameChannels 1",
        "Far path between GPUs, SYS: rings go across CPU sockets",
    ),
    ("Channel 00/0 : 0[0] -> 1[1] via P2P/indirect/2[3]", "P2P through another GPU"),
]


@each(("line", "begins"), OTHERS)
def test_what_else_is_unusual(line, begins):
    assert any(text.startswith(begins) for text in findings(of(line, *MEMBERS)))


def test_two_versions_are_unusual():
    assert not said(of("NCCL version 2.20.5+cuda12.4", *MEMBERS), "Several versions")
    log = of("NCCL version 2.20.5+cuda12.4", "NCCL version 2.21.5+cuda12.4", *MEMBERS)
    assert "2.20.5" in said(log, "Several versions")[0]


def test_cards_that_carry_nothing_are_named():
    cards = "NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/IB [RO]; OOB eth0:192.0.2.1<0>"
    log = of(cards, "Channel 00/0 : 0[0] -> 1[0] [send] via NET/IB/0/GDRDMA", *MEMBERS)
    assert said(log, "Idle network cards")[0].endswith("mlx5_1")


def test_a_ring_that_crosses_nodes_too_often_is_named():
    hosts = "aabb"
    text = "\n".join(
        f"{hosts[r]}:{r}:1 [{r % 2}] NCCL INFO {line}"
        for r in range(4)
        for line in (
            "Channel 00/01 :    0   2   1   3",
            f"comm 0x1 rank {r} nranks 4 cudaDev 0 commId 0x2 - Init COMPLETE",
        )
    )
    assert "leave nodes 4 times, where 2 is enough" in said(parse_log(text.encode()), "Rings")[0]


def test_communicators_are_told_apart_by_their_processes():
    """Both are set up by the same processes, the larger one first."""
    lines = []
    for ranks, name, order in ((4, "0xa", "0 3 2 1"), (2, "0xb", "0 1")):
        for r in range(ranks):
            member = f"comm 0x1 rank {r} nranks {ranks} cudaDev {r} commId {name} - Init"
            lines += [f"h:{r}:1 [{r}] NCCL INFO {member} START"]
            lines += [f"h:{r}:1 [{r}] NCCL INFO Channel 00/01 : {order}"] * (r == 0)
            lines += [f"h:{r}:1 [{r}] NCCL INFO {member} COMPLETE"]
    log = parse_log("\n".join(lines).encode())
    assert [one.rings for one in log.communicators] == [{0: (0, 3, 2, 1)}, {0: (0, 1)}]
    assert log.largest.ranks == 4


def test_a_file_for_each_process_is_one_log(tmp_path):
    """With NCCL_DEBUG_FILE; processes that name no host are told apart by their files."""
    names = []
    for r in (0, 1):
        member = f"comm 0x1 rank {r} nranks 2 cudaDev 0 commId 0x2 - Init COMPLETE"
        lines = [f"Ring 00 : {1 - r} -> {r} -> {1 - r}", member]
        names.append(tmp_path / f"{r}.log")
        names[-1].write_text("".join(f"[0] NCCL INFO {line}\n" for line in lines))
    assert read_log(*names).largest.rings == {0: (0, 1)}
    assert read_log(names[0]).largest.silent == [1]


def test_a_ring_line_that_is_cut_short_is_no_ring():
    """NCCL writes 20 ranks of a ring; what each rank says of its next one makes it whole."""
    order = " ".join(map(str, range(20)))
    member = "comm 0x1 rank 0 nranks 24 cudaDev 0 commId 0x2 - Init COMPLETE"
    cut = of(f"Channel 00/01 : {order}", member)
    assert cut.largest.rings == {}
    assert said(cut, "Rings in part")
    with pytest.raises(BadInput, match="the log has no whole ring"):
        ring(cut.largest)
    neighbors = [f"Ring 00 : {(r - 1) % 24} -> {r} -> {(r + 1) % 24}" for r in range(24)]
    assert of(f"Channel 00/01 : {order}", *neighbors, member).largest.rings[0] == tuple(range(24))


@each("after", [(1, 2, 3, 1), (1, 2, 3, 3), (1, 2, 0, 0), (2, 0, 3, 3), (0, 2, 3, 1)])
def test_neighbors_that_do_not_close_are_no_ring(after):
    member = "comm 0x1 rank 0 nranks 4 cudaDev 0 commId 0x2 - Init COMPLETE"
    log = of(*(f"Ring 00 : 0 -> {rank} -> {other}" for rank, other in enumerate(after)), member)
    assert log.largest.rings == {}
    assert said(log, "Rings in part")


@each(
    "trees",
    [
        ("-1/-1/-1->0->1", "-1/-1/-1->1->0"),  # a circle
        ("1/-1/-1->0->-1", "-1/-1/-1->1->-1"),  # two roots
        ("-1/-1/-1->0->-1", "-1/-1/-1->1->0"),  # the parent does not know its child
        ("1/1/-1->0->-1", "-1/-1/-1->1->0"),  # a child twice
        ("1/-1/-1->0->-1", "2/-1/-1->1->2", "-1/-1/-1->2->1"),  # rank 1 has another parent
    ],
)
def test_what_is_no_tree_is_not_executed(trees):
    member = f"comm 0x1 rank 0 nranks {len(trees)} cudaDev 0 commId 0x2 - Init COMPLETE"
    log = of(*(f"Trees [0] {text}" for text in trees), member)
    assert log.largest.trees == {}
    assert said(log, "Trees in part")


def test_ranks_that_only_a_tree_names_are_counted():
    one = of("Trees [0] 5/2/-1->0->-1").largest
    assert (one.ranks, one.at_least) == (6, True)


def test_older_trees_have_their_children_behind():
    log = of("Trees [0] -1->0->1/-1/-1", "Trees [0] 0->1->-1/-1/-1", *MEMBERS)
    assert log.largest.trees == {0: (-1, 0)}
    both = of("Trees [0] 1/-1/-1->0->-1|-1->0->1/-1/-1", "Trees [0] -1/-1/-1->1->0", *MEMBERS)
    assert both.largest.trees == {0: (-1, 0)}


def test_choices_belong_to_the_communicator_that_was_made_last():
    """Older logs do not say when one begins; what runs comes after it is complete."""
    lines = []
    for ranks in (4, 2):
        lines += [f"Trees [0] 1/-1/-1->0->-1 [1] {ranks - 1}/-1/-1->0->-1"]
        lines += [f"comm 0x1 rank 0 nranks {ranks} cudaDev 0 nvmlDev 0 - Init COMPLETE"]
        lines += [f"AllReduce: {ranks} Bytes -> Algo 1 proto 0 time 9.1"]
    log = parse_log("\n".join(f"h:1:2 [0] NCCL INFO {line}" for line in lines).encode())
    found = {one.ranks: [choice.size for choice in one.choices] for one in log.communicators}
    assert found == {4: [4], 2: [2]}
    assert [one.parents[1][0] for one in log.communicators] == [-1, -1]
    assert [one.children[1][0] for one in log.communicators] == [(3,), (1,)]


def test_choices_of_the_tuner_are_counted():
    (choice,) = sample("tuner_2_30").largest.choices
    assert (choice.name, choice.size) == ("AllReduce", 32 << 20)
    assert (choice.algorithm, choice.protocol) == ("Ring", "Simple")
    one = sample("tuner_2_30").largest
    assert (one.choices[choice], one.channels_used[choice]) == (3, 32)
    older = sample("tuner_numbers").largest.choices
    assert {(c.algorithm, c.protocol): n for c, n in older.items()} == {
        ("Tree", "LL128"): 3,
        ("Ring", "Simple"): 2,
    }


def on(host, rank, ranks, line):
    """A line of a rank, and the one that says it is in the communicator; without a host, too."""
    begin = f"{host}:1{rank}:2 " if host else ""
    member = f"comm 0xab rank {rank} nRanks {ranks} commId 0x12 - Init COMPLETE"
    return [f"{begin}[{rank}] NCCL INFO {text}" for text in (line, member)]


STRANGE = {
    "a number of thousands of digits": [
        on("a", 0, 1, f"8 Bytes -> Algo 1 proto 0 channel{{Lo..Hi}}={{0..{'9' * 5000}}}")
    ],
    "a digit that is no decimal one": [
        on("a", 0, 1, "8 Bytes -> Algo ² proto 0"),
    ],
    "a card with such a number": [
        on("a", 0, 2, "NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/IB"),
        on("a", 1, 2, "Channel 00/0 : 0[0] -> 1[0] [receive] via NET/IB/²/GDRDMA"),
    ],
    "a root below another number than -1": [
        on("a", 0, 2, "Trees [0] 1/-1/-1->0->-5"),
        on("a", 1, 2, "Trees [0] -1/-1/-1->1->0"),
    ],
    "a rank without a host, beside others": [
        on(host, k, 3, f"Ring 00 : {(k + 2) % 3} -> {k} -> {(k + 1) % 3}")
        for k, host in enumerate(["a", "b", ""])
    ],
}


@each("case", STRANGE)
def test_strange_lines_are_reported_too(case):
    lines = STRANGE[case]
    log = parse_log("\n".join(text for part in lines for text in part).encode())
    found = LogReport(log).as_json()
    assert found["ranks"] == len(lines)
    assert found["executed"]["ring"] == (True if found["rings"] else None)
    assert found["executed"]["tree"] == (True if found["trees"] else None)
