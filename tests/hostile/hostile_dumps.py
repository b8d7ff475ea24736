"""Hostile dumps of Flight Recorder, RAS outputs and watchdog lines, all told by their content.

STRANGE ones are read, and found to be of a hang.
"""

import json
import pickle
import struct

ENTRY = {
    "record_id": 0,
    "pg_id": 0,
    "process_group": ["0", "default_pg"],
    "collective_seq_id": 1,
    "p2p_seq_id": 0,
    "op_id": 1,
    "profiling_name": "nccl:all_reduce",
    "time_created_ns": 1,
    "input_sizes": [[4]],
    "input_dtypes": ["Float"],
    "output_sizes": [[4]],
    "output_dtypes": ["Float"],
    "state": "started",
    "retired": False,
    "timeout_ms": 600000,
    "is_p2p": False,
}
GROUP = {"0": {"name": "0", "desc": "default_pg", "ranks": "[0, 1]"}}
COUNTS = {"rank": 0, "status": {}, "collective_counts": {"AllReduce": 1}}


def content(**more):
    """A dump with other fields."""
    return {"version": "2.4", "pg_config": GROUP, "pg_status": {}, "entries": [ENTRY]} | more


def dump(**more):
    """A dump as JSON."""
    return json.dumps(content(**more)).encode()


def entry(**more):
    """A dump of one entry with other fields."""
    return dump(entries=[ENTRY | more])


def ras(**more):
    """Output of ncclras -f json with other fields of its communicator."""
    one = {"hash": "0x1a", "size": 2, "ranks": [COUNTS], "missing_ranks": []} | more
    return json.dumps({"nccl_version": "2.28.3", "communicators": [one]}).encode()


class Calls:
    """What a pickle would call."""

    def __reduce__(self):
        return print, ("called",)


def pickled(*codes):
    """A pickle of protocol 2 of these opcodes."""
    return b"\x80\x02" + b"".join(codes) + b"."


def cyclic():
    """A dump whose sizes contain themselves."""
    sizes = []
    sizes.append(sizes)
    return pickle.dumps(content(entries=[ENTRY | {"input_sizes": sizes}]), 2)


PICKLE = pickle.dumps(content(), 2)
ENQUEUED = (
    b"[PG ID 0 PG GUID 0(default_pg) Rank 0] last enqueued work: %s, last completed work: 1\n"
)
TIMEOUT = (
    b"[rank0]: [Rank %s] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=%s, "
    b"OpType=ALLREDUCE, NumelIn=%s, NumelOut=1, Timeout(ms)=1) ran for 2 milliseconds\n"
)
SECTION = (
    b"#0-0 (fa93daea854b060b) MISMATCH\n  Communicator ranks have different X operation counts\n"
)
DUMPS = [
    ("cut_0.log", dump()[:-30], 2, "JSON that is broken"),
    ("cut_pickle_0.log", PICKLE[:-30], 2, "a pickle without its end"),
    ("ended_pickle_0.log", PICKLE[:-30] + b".", 2, "a pickle"),
    ("list_0.log", b'{"a": [1]}', 2, "neither a Flight Recorder dump"),
    ("number_0.log", pickle.dumps(3, 2), 2, "neither a Flight Recorder dump"),
    ("version_0.log", dump(version="1.5"), 2, "version '1.5'"),
    ("no_version_0.log", dump(version=None), 2, "version None"),
    ("old_0.log", pickle.dumps(content(version=2), 2), 2, "version 2"),
    ("entries_0.log", dump(entries={}), 2, "entries {}: must be a list"),
    ("entry_0.log", dump(entries=[7]), 2, "entry 0 7"),
    ("state_0.log", entry(state="running"), 2, "state 'running'"),
    ("title_0.log", entry(profiling_name=5), 2, "profiling_name 5"),
    ("sequence_0.log", entry(collective_seq_id="1"), 2, "collective_seq_id '1'"),
    ("minus_0.log", entry(collective_seq_id=-1), 2, "collective_seq_id -1"),
    ("huge_0.log", entry(collective_seq_id=1 << 70), 2, "must be a whole number"),
    ("digits_0.log", dump().replace(b'"op_id": 1', b'"op_id": ' + b"9" * 5000), 2, "JSON that is"),
    ("float_0.log", entry(collective_seq_id=1.5), 2, "collective_seq_id 1.5"),
    ("nan_0.log", entry(time_created_ns=float("nan")), 2, "time_created_ns nan"),
    ("true_0.log", entry(collective_seq_id=True), 2, "collective_seq_id True"),
    ("sizes_0.log", entry(input_sizes=3), 2, "input_sizes 3"),
    ("sizes_deep_0.log", entry(input_sizes=[[[4]]]), 2, "input_sizes [4]"),
    ("sizes_large_0.log", entry(input_sizes=[[1 << 40, 1 << 40]]), 2, "more than 2^63 elements"),
    ("peer_0.log", entry(profiling_name="nccl:send 0->9", is_p2p=True), 2, "has 2 ranks"),
    ("group_0.log", entry(process_group=[1, 2]), 2, "process_group [1, 2]"),
    ("ranks_0.log", dump(pg_config={"0": {"ranks": "[0, x]"}}), 2, "ranks '[0, x]'"),
    ("many_ranks_0.log", dump(pg_config={"0": {"ranks": [1 << 40]}}), 2, "ranks 1099511627776"),
    ("config_0.log", dump(pg_config=[1]), 2, "pg_config [1]"),
    ("status_0.log", dump(pg_status={"0": {"last_enqueued_collective": "x"}}), 2, "pg_status"),
    ("outside_9.log", dump(), 2, "rank 9 by its name is not in its groups"),
    ("no_rank.log", dump(), 2, "ends in no rank"),
    ("nested_0.log", b'{"entries": ' + b"[" * 200_000, 2, "nested too deep"),
    ("utf16_0.log", dump().decode().encode("utf-16"), 2, "NCCL_DEBUG=INFO"),
    ("reduce_0.log", pickle.dumps(Calls(), 2), 2, "opcode GLOBAL"),
    ("reduce_inside_0.log", pickle.dumps(content(entries=[Calls()]), 4), 2, "opcode STACK_GLOBAL"),
    ("system_0.log", pickled(b"cos\nsystem\n", b"U\x04true", b"\x85R"), 2, "opcode GLOBAL"),
    ("instance_0.log", pickled(b"(U\x04truei__main__\nx\n"), 2, "opcode INST"),
    ("extension_0.log", pickled(b"\x82\x01"), 2, "opcode EXT1"),
    ("persistent_0.log", pickled(b"U\x01aQ"), 2, "opcode BINPERSID"),
    ("built_0.log", pickled(b"}}b"), 2, "opcode BUILD"),
    ("reduced_0.log", pickled(b"})R"), 2, "opcode REDUCE"),
    ("bytes_0.log", pickle.dumps({"entries": bytearray(9)}, 5), 2, "opcode"),
    ("set_0.log", pickle.dumps({"entries": {1, 2}}, 4), 2, "opcode"),
    ("empty_stack_0.log", pickled(), 2, "ends with 0 values"),
    ("two_values_0.log", pickled(b"NN"), 2, "ends with 2 values"),
    ("no_mark_0.log", pickled(b"Nu"), 2, "broken at byte"),
    ("memo_0.log", pickled(b"h\x05"), 2, "broken at byte"),
    ("long_0.log", pickled(b"\x8b" + struct.pack("<I", 1 << 30)), 2, "the limit is 64"),
    ("text_0.log", pickled(b"X" + struct.pack("<I", 1 << 31)), 2, "in the middle"),
    ("negative_0.log", pickled(b"T" + struct.pack("<i", -5)), 2, "in the middle"),
    ("put_0.log", pickled(b"Nr" + struct.pack("<I", (1 << 32) - 1)), 2, "neither"),
    ("opcodes_0.log", pickled(b"N" * 5_000_000), 2, "opcodes, the limit"),
    ("marks_0.log", pickled(b"(" * 3_000_000), 2, "ends with 3000000 values"),
    ("keys_0.log", pickled(b"}]Ns"), 2, "broken at byte"),
    ("cyclic_0.log", cyclic(), 2, "input_sizes"),
    ("noise_0.log", b"\x80\x02" + bytes(range(256)) * 40 + b".", 2, "a pickle"),
    ("hash_0.log", ras(hash="zz"), 2, "hash 'zz'"),
    ("size_0.log", ras(size=0), 2, "size 0"),
    ("size_huge_0.log", ras(size=1 << 60), 2, "size 1152921504606846976"),
    ("rank_0.log", ras(ranks=[COUNTS | {"rank": 2}]), 2, "rank 2"),
    ("counts_0.log", ras(ranks=[COUNTS | {"collective_counts": {"X": -1}}]), 2, "-1"),
    ("counts_list_0.log", ras(ranks=[COUNTS | {"collective_counts": []}]), 2, "collective_counts"),
    ("code_0.log", ras(ranks=[COUNTS | {"status": {"init_state": "x"}}]), 2, "init_state 'x'"),
    ("missing_0.log", ras(missing_ranks=[3]), 2, "communicator 0 3"),
    ("communicators_0.log", b'{"nccl_version": "2.28", "communicators": 3}', 2, "communicators 3"),
    ("counters_long.log", ENQUEUED % (b"9" * 5000), 2, "cannot say"),
    ("timeout_long.log", TIMEOUT % (b"0", b"9" * 5000, b"1"), 2, "cannot say"),
    ("rank_long.log", TIMEOUT % (b"9" * 5000, b"1", b"1"), 2, "cannot say"),
    ("timeout_cut.log", (TIMEOUT % (b"0", b"1", b"1"))[:100], 2, "cannot say"),
    ("timeout_wide.log", b"[" * 5_000_000 + TIMEOUT % (b"0", b"1", b"1"), 2, "cannot say"),
]  # fmt: skip
STRANGE = [
    ("counters.log", ENQUEUED % (b"9" * 18)),
    ("size_long.log", TIMEOUT % (b"0", b"1", b"9" * 20)),
    ("timeouts.log", (TIMEOUT % (b"0", b"1", b"1")) * 60_000),
    ("escape.log", (TIMEOUT % (b"0", b"1", b"1")).replace(b"[rank0]", b"\x1b[2J[rank0]")),
    ("counts_far.log", SECTION + b"  3 ranks have launched up to operation %s\n" % (b"9" * 19)),
    ("counts_long.log", SECTION + b"  3 ranks have launched up to operation 9" * 99_999),
    ("ranks_far.log", SECTION + b"  1 ranks have launched up to operation 1\n  Rank 4294967295 -- x\n"),
]  # fmt: skip
