"""Parts of NCCL's logs, and shapes that people post: only what the lines say is said."""

import re
from pathlib import Path

import pytest
from each import each

from collectives.formats.nccl_log import findings
from collectives.formats.nccl_log.log import parse_log

SAMPLES = {
    path.stem: path.read_bytes().splitlines(keepends=True)
    for path in sorted((Path(__file__).parents[1] / "data" / "nccl_logs").glob("*.log"))
}
OF_PARTS = {  # what is said of a log itself, which may lack what the whole has
    "Missing ranks",
    "Not ready",
    "Rings in part",
    "Trees in part",
    "TCP sockets between nodes, if there are several",
}


def info(text, host="a", device=0, process=1):
    """A line of a process."""
    return f"{host}:{process}{device}:2 [{device}] NCCL INFO {text}"


def member(
    rank, ranks, host="a", bus="", state="COMPLETE", comm="commId 0x12", device=None, process=1
):
    """The line of a rank that is ready."""
    device = rank if device is None else device
    bus = f"busId {bus or f'{device}b000'} "
    return info(
        f"comm 0x5{rank} rank {rank} nranks {ranks} cudaDev {device} nvmlDev {device} {bus}{comm} "
        f"- Init {state}".replace("  ", " "),
        host,
        device,
        process,
    )


def log_of(*lines):
    """The log of some lines."""
    return parse_log("\n".join(lines).encode() + b"\n")


def kinds(log):
    """What findings are about."""
    return {re.sub(r"( between)? \d.*|, \d.*", "", text.split(":")[0]) for text in findings(log)}


def parts(lines):
    """The first lines, the last ones, those of each host, and every other line."""
    step = max(1, len(lines) // 12)
    for cut in range(1, len(lines), step):
        yield lines[:cut]
        yield lines[cut:]
    for host in {line.partition(b":")[0] for line in lines}:
        yield [line for line in lines if line.startswith(host)]
        yield [line for line in lines if not line.startswith(host)]
    yield lines[::2]


@each("name", SAMPLES)
def test_of_a_part_nothing_is_said_that_the_whole_denies(name):
    whole = parse_log(b"".join(SAMPLES[name]))
    one = whole.largest
    for part in parts(SAMPLES[name]):
        try:
            log = parse_log(b"".join(part))
        except ValueError:  # nothing of it names a rank
            continue
        some = log.largest
        assert kinds(log) - kinds(whole) <= OF_PARTS
        assert some.ranks == one.ranks or (some.at_least and some.ranks <= one.ranks)
        assert some.known_nodes in (0, one.known_nodes)
        assert some.channel_count in (0, one.channel_count)
        assert len(some.nodes) <= max(1, len(one.nodes))


def test_a_line_that_is_cut_does_not_count_channels():
    trees = "Trees [0] 1/-1/-1->0->-1 [1] 1/-1/-1->0->-1 [2] 1/-1/-1->0->-1"
    cut = log_of(member(0, 2), info(trees[:50]))
    assert (cut.largest.channels, cut.largest.channel_count) == (2, 0)
    first = [info(f"Ring {k:02} : 1 -> 0 -> 1") for k in range(2)]
    assert not [text for text in findings(log_of(member(0, 2), *first)) if "channels" in text]
    named = log_of(member(0, 2), info("Channel 00/02 :    0   1"))
    assert any(text.startswith("Few channels, 2") for text in findings(named))


HOSTS = {  # lines, what the log says of ranks and nodes
    "a host whose lines name no rank": (
        [member(0, 2), info("NET/IB : No device found.", "b")],
        "2 ranks",
    ),
    "one node of several": ([member(r, 24) for r in range(8)], "24 ranks"),
    "some ranks of two nodes": (
        [*(member(r, 24) for r in range(8)), member(8, 24, "b", device=0)],
        "24 ranks on 2 nodes or more",
    ),
    "all ranks": ([member(0, 2), member(1, 2, "b", device=0)], "2 ranks on 2 nodes"),
    "a line that counts the nodes": (
        [member(0, 16), info("comm 0x50 rank 0 nRanks 16 nNodes 2 localRanks 8 localRank 0")],
        "16 ranks on 2 nodes",
    ),
    "two nodes of one name": (  # as in nccl issue 952 and nccl-tests issue 188
        [member(0, 2, "user"), member(1, 2, "user", device=0, bus="0b000")],
        "2 ranks",
    ),
    "no names of hosts": (
        ["[0] NCCL INFO comm 0x50 rank 0 nranks 2 cudaDev 0 commId 0x12 - Init COMPLETE"],
        "2 ranks",
    ),
    "names that are left out": (  # as in nccl-mesh-plugin issue 56
        [member(r, 2, "") for r in (0, 1)],
        "2 ranks",
    ),
    "ranks that lines name, and no number of them": (
        [info("Channel 00/0 : 0[0] -> 5[1] via P2P/IPC")],
        "6 ranks or more",
    ),
}


@each("case", HOSTS)
def test_ranks_and_nodes_are_as_many_as_the_log_says(case):
    lines, told = HOSTS[case]
    assert str(log_of(*lines).largest) == told


def test_nodes_of_one_name_are_said_and_not_taken_for_one():
    way = "Channel 00/0 : 0[0] -> 1[0] [send] via NET/IB/0/GDRDMA"
    log = log_of(
        member(0, 2, "user"), member(1, 2, "user", device=0, bus="0b000"), info(way, "user")
    )
    (found,) = findings(log)
    assert found.startswith("Several nodes of one name: user has ranks whose GPUs are at the same")


def test_two_ranks_on_one_gpu_are_said_first_and_their_host_is_one_node():
    warning = "Duplicate GPU detected : rank {} and rank {} both on CUDA device 1000"
    ranks = [member(r, 2, device=0, bus="1000", state="START", process=r + 1) for r in (0, 1)]
    said = [info(warning.format(*pair)).replace("INFO", "WARN") for pair in ((0, 1), (1, 0))]
    log = log_of(*ranks, *said, info("Using network Socket"))
    texts = findings(log)
    assert texts[0].startswith("The same GPU: ranks 0 and 1 use it, and NCCL stops there; try: one")
    assert not any(text.startswith(("Several nodes", "TCP sockets")) for text in texts)
    assert str(log.largest) == "2 ranks on 1 node"


def test_processes_that_do_not_say_their_rank_are_counted():
    lines = [member(2, 3, "b"), *(info("NET/Socket : Using [0]eth0", "a", d) for d in (0, 1))]
    (found,) = findings(log_of(*lines))
    assert found.endswith("names ranks 0, 1 as its own; 2 processes of it do not name their ranks")
    (found,) = findings(log_of(*lines[:2]))
    assert found.endswith("; 1 process of it does not name its rank")


def test_communicators_without_a_name_are_not_taken_for_one():
    """As in NCCL issue 226: older versions print no commId."""
    same = [member(r, 2, host, comm="") for host in "ab" for r in (0, 1)]
    log = log_of(*same)
    assert any(text.startswith("Communicators that cannot be") for text in findings(log))
    assert str(log.largest) == "2 ranks"
    assert not any("cannot be" in text for text in findings(log_of(*same[:2], *same[:2])))


def test_lines_of_no_communicator_are_not_those_of_the_first():
    """Of two communicators, or where a rank is beyond the only one."""
    far = info("Trees [0] 9/-1/-1->8->-1", "z")
    log = log_of(member(0, 2), member(1, 2), far)
    assert [(one.ranks, one.at_least) for one in log.communicators] == [(2, False), (10, True)]
    near = info("Trees [0] -1/-1/-1->1->0", "z")
    several = [member(0, 2), member(0, 4, "b", comm="commId 0x13")]
    assert [one.parents.keys() for one in log_of(*several, near).communicators] == [
        set(), set(), {0},
    ]  # fmt: skip
    assert log_of(member(0, 2), near).largest.parents[0] == {1: 0}


NO_CARD = "NET/IB : No device found."
CAUSES = {  # lines, as in public threads, and the cause
    "no card": ([NO_CARD], "NCCL found no InfiniBand or RoCE card (NET/IB : No device found)"),
    "no card, 2.29": (
        [
            "NET/Plugin: Could not find: libnccl-net.so",
            NO_CARD,
            "NET/IB : Using [RO]; OOB enp129s0:192.0.2.1<0>",
            "Failed to initialize NET plugin IB",
            "Initialized NET plugin Socket",
            "Assigned NET plugin Socket to comm",
        ],
        "(NET/IB : No device found), and no plugin of another network (libnccl-net.so)",
    ),
    "no plugin, 2.18": (
        ["NET/Plugin : No plugin found (libnccl-net.so), using internal implementation", NO_CARD],
        "and no plugin of another network (libnccl-net.so)",
    ),
    "no such card": (
        ["NCCL_IB_HCA set to mlx5_0", NO_CARD],
        "no InfiniBand or RoCE card among those of NCCL_IB_HCA=mlx5_0 (NET/IB",
    ),
    "no library": (["Failed to open libibverbs.so[.1]", NO_CARD], "could not open libibverbs"),
    "no library, RCCL": (["Could not open libibverbs.so", NO_CARD], "could not open libibverbs"),
    "switched off": (
        ["NCCL_IB_DISABLE set by environment to 1.", NO_CARD], "NCCL_IB_DISABLE is set",
    ),
    "not switched off": (["NCCL_IB_DISABLE set by environment to 0.", NO_CARD], "found no Infini"),
    "chosen": (["NCCL_NET set by environment to Socket."], "NCCL_NET is Socket"),
    "no cause": (["NET/Plugin: Could not find: libnccl-net.so"], "the log does not say why"),
}  # fmt: skip


@each("case", CAUSES)
def test_the_cause_of_sockets_is_said(case):
    lines, cause = CAUSES[case]
    ranks = [member(0, 2), member(1, 2, "b", device=0)]
    for network in ("Using network Socket", "Using internal Network Socket"):
        both = [info(text, host) for host in "ab" for text in (*lines, network)]
        (found,) = findings(log_of(*both, *ranks))
        assert found.startswith("TCP sockets between nodes: NCCL chose the network Socket, which")
        assert cause in found
        assert not findings(log_of(*both[: len(both) // 2], member(0, 1)))  # on a single node


def test_a_plugin_that_fails_is_the_cause():
    warning = "a:1:2 [0] ofi_init:700 NCCL WARN NET/OFI Only EFA provider is supported"
    lines = [warning, info(NO_CARD), info("Using network Socket"), member(0, 2)]
    first = findings(log_of(*lines))[0]
    assert "between nodes, if there are several" in first
    assert first.endswith("failed (NET/OFI Only EFA provider is supported)")


def test_hosts_without_a_card_are_named_where_others_have_one():
    lines = [
        info(NO_CARD, "b"),
        info("Channel 00/0 : 1[0] -> 0[0] [send] via NET/Socket/0", "b"),
        info("NET/IB : Using [0]mlx5_0:1/IB [RO]; OOB eth0:192.0.2.1<0>", "a"),
    ]
    first = findings(log_of(*lines, member(0, 2), member(1, 2, "b", device=0)))[0]
    assert first.endswith("(NET/IB : No device found) on b")


@pytest.mark.parametrize("level", ["SYS", "5"])
def test_levels_that_restrict_nothing_are_no_cause(level):
    for name, via in (("NET_GDR", "NET/IB/0"), ("P2P", "SHM/direct/direct")):
        lines = [
            info(f"NCCL_{name}_LEVEL set by environment to {level}"),
            info(f"Channel 00/0 : 0[0] -> 1[1] via {via}"),
            member(0, 2),
            member(1, 2),
        ]
        assert not any(f"LEVEL is {level}" in text for text in findings(log_of(*lines)))


def test_why_ranks_do_not_complete():
    begun = [member(0, 2, state="START"), member(1, 2, "b", device=0, state="START")]
    bootstrap = [info("Bootstrap : Using lo:127.0.0.1<0>", host) for host in "ab"]
    (found,) = findings(log_of(*bootstrap, *begun))
    assert "Bootstrap uses an address of the host itself" in found
    refused = "socketPollConnect: connect to 192.0.2.9<4021> returned Connection refused, retrying"
    (found,) = findings(log_of(*begun, info(refused)))
    assert found.endswith(f"completed; {refused}")


def test_what_rccl_puts_behind_lines_is_no_part_of_them():
    """As in vLLM issue 59778: of GPU Direct RDMA, nothing was read."""
    behind = " comm 0x5609976f9470 nRanks 02 busId 17000"
    lines = [
        "Channel 00/0 : 0[17000] -> 1[21000] [send] via NET/IB/0/GDRDMA",
        "Ring 00 : 1 -> 0 -> 1",
        "Trees [0] 1/-1/-1->0->-1",
        "Channel 00/02 :    0   1",
    ]
    ray = "(RayWorkerWrapper pid=581, ip=192.0.2.18) "
    log = log_of(*(ray + info(text + behind) for text in lines), member(0, 2))
    one = log.largest
    assert [way.direct for found in one.links.values() for way in found] == [True]
    assert (one.after[0], one.parents[0], one.rings[0]) == ({0: 1}, {0: -1}, (0, 1))
    assert one.channel_count == 2


def test_newer_lines_are_read():
    """Of NCCL 2.24 and later: cards used as one, GPU Direct RDMA by PCIe, the rank in front."""
    cards = "NET/IB : Using [0]={[0] mlx5_2:1/RoCE, [1] mlx5_3:1/RoCE} [1]=x [RO]; OOB e:192.0.2.1"
    way = "Channel 00/0 : 0[0] -> 1[0] [send] via NET/IB/0/GDRDMA(PCI)"
    begin = (
        "[Rank 0] ncclCommInitRank comm 0x5 rank 0 nranks 2 cudaDev 0 commId 0x12 - Init COMPLETE"
    )
    log = log_of(info(cards), info(way), info(begin), member(1, 2, "b", device=0))
    assert log.largest.completed == {0, 1}
    assert not findings(log)
    assert log.networks["IB"][0] == "mlx5_2+mlx5_3"


def test_one_version_with_and_without_its_cuda_is_one():
    error = "torch.distributed.DistBackendError: NCCL error, NCCL version 2.19.3"
    log = log_of("NCCL version 2.19.3+cuda12.3", error, member(0, 1))
    assert not findings(log)


@pytest.mark.parametrize("name", ["shm_8", "infiniband_2x4"])
def test_rings_and_trees_of_which_lines_are_missing_are_said(name):
    half = [line for line in SAMPLES[name] if b" [1] NCCL" not in line]
    told = findings(parse_log(b"".join(half)))
    assert not any("do not make one tree" in text for text in told)
    assert not any("NCCL cuts lines" in text for text in told)


def test_a_ring_whose_ranks_are_elsewhere_was_not_cut_by_nccl():
    found = findings(log_of(member(0, 24), info("Ring 00 : 23 -> 0 -> 1")))
    assert "Rings in part: channel 0; this log has not all of their lines" in found[-1]
    order = " ".join(map(str, range(20)))
    found = findings(log_of(member(0, 24), info(f"Channel 00/08 :  {order}")))
    assert "NCCL cuts lines of rings at 20 ranks" in found[-1]
