"""Chakra traces and NCCL logs with random changes of their structure and bytes."""

from pathlib import Path

from chakra_traces import collective, node, put, ring, trace
from hypothesis import given
from hypothesis import strategies as st
from test_fuzz import WHOLE, damaged, fuzzed, place, refused_or_read, tried

from collectives.formats.chakra import load
from collectives.formats.nccl_log import findings, read_log
from collectives.formats.nccl_log import ring as ring_of
from collectives.formats.nccl_log import tree as tree_of

__all__ = ["place"]  # a fixture

SAMPLES = [
    path.read_bytes()
    for path in sorted((Path(__file__).parents[1] / "data" / "nccl_logs").glob("*.log"))
]
RANKS = st.integers(-1, 3)
KINDS = st.sampled_from(["send", "recv", "coll", "comp", "metadata"])
NUMBERS = st.one_of(RANKS, WHOLE)
NODES = st.lists(
    st.builds(
        lambda number, kind, after, packed, attributes: node(
            number, kind, after, packed=packed, **attributes
        ),
        st.integers(0, 5),
        KINDS,
        st.lists(st.integers(0, 5), max_size=2),
        st.booleans(),
        st.fixed_dictionaries(
            {"comm_size": st.integers(0, 9)},
            optional=dict.fromkeys(("comm_src", "comm_dst", "comm_tag", "comm_type"), NUMBERS)
            | {"pg_name": st.text(max_size=3)},
        ),
    ),
    max_size=6,
)


def read(path):
    """Read traces for their messages, and for a collective."""
    with refused_or_read():
        load(path)
    load(path, "ring").check()


@fuzzed
@given(st.lists(NODES, min_size=1, max_size=3))
def test_traces_with_another_structure(place, ranks):
    for old in place.glob("built.*.et"):
        old.unlink()
    name = put(place, [trace(*nodes) for nodes in ranks], "built")
    with refused_or_read():
        read(name)


@fuzzed
@given(damaged(*ring(2, 8), *collective(1)))
def test_traces_with_other_bytes(place, content):
    put(place, [content, ring(2, 8)[1]], "bytes")
    with refused_or_read():
        read(place / "bytes.0.et")


def judge(path):
    """Read a log, judge it, and execute its ring and trees."""
    log = read_log(path)
    assert all(isinstance(text, str) for text in findings(log))
    for execute in (ring_of, tree_of):
        with refused_or_read():
            assert execute(log.largest).check()


@fuzzed
@given(damaged(*SAMPLES))
def test_a_log_with_other_bytes(place, content):
    tried(judge, place, ".log", content)


RANK = st.integers(0, 4)
LINES = st.one_of(
    st.lists(RANK, max_size=5).map(lambda order: f"Channel 00/01 : {' '.join(map(str, order))}"),
    st.permutations(range(3)).map(lambda order: f"Channel 01/02 : {' '.join(map(str, order))}"),
    st.builds("Ring 00 : {} -> {} -> {}".format, RANK, RANK, RANK),
    st.builds("Trees [0] {}/-1/-1->{}->{}".format, NUMBERS, RANK, NUMBERS),
    st.builds("Channel 00/0 : {}[0] -> {}[1] via {}".format, RANK, RANK, st.text(max_size=9)),
    st.builds("comm 0x1 rank {} nranks {} commId 0x{} - Init COMPLETE".format, RANK, RANK, RANK),
    st.builds("AllReduce: {} Bytes -> Algo {} proto {}".format, NUMBERS, NUMBERS, NUMBERS),
    st.builds("NET/IB : Using {}".format, st.text(max_size=9)),
    st.builds("NCCL_{} set by environment to {}".format, st.text("AB_", max_size=3), NUMBERS),
)


@fuzzed
@given(st.lists(st.tuples(st.sampled_from("ab"), st.integers(0, 2), LINES), max_size=12))
def test_a_log_with_another_structure(place, lines):
    text = "\n".join(f"{host}:1:2 [{device}] NCCL INFO {line}" for host, device, line in lines)
    tried(judge, place, ".log", text.encode("utf-8", "replace"))
