"""A mixture of experts on the command line: its table's options, its words, and what is refused."""

import numpy as np
import pytest

WRONG = {
    "dispatch direct -p topk=5": "topk 5: a token goes to different experts, of which there are 4; "
    "try: 4",
    "dispatch direct -p experts=6": "experts 6: must be a multiple of the number of ranks (4 ranks)"
    "; try: 4",
    "combine two-hop -p capacity=0": "capacity 0: must be 1 or more (4 ranks); try: 1",
    "combine two-hop -p gpus=3": "gpus 3: must be a divisor of the number of ranks (4 ranks); "
    "try: 2",
    "dispatch two-hop -p tokens=0": "tokens 0: must be 1 or more (4 ranks); try: 1",
    "dispatch direct -p seed=4294967296": "seed 4294967296: must be from 0 to 2^32 - 1 (4 ranks)"
    "; try: 4294967295",
    "dispatch direct -p seed=-1": "seed -1: must be from 0 to 2^32 - 1 (4 ranks); try: 0",
    "dispatch direct -p skew=-1": "skew -1: must be 0 or more (4 ranks); try: 0",
    "dispatch direct -n 16 -p experts=1000": "experts 1000: must be a multiple of the number of "
    "ranks (16 ranks); try: 992",
    "dispatch direct -n 3 -p experts=1001": "experts 1001: must be a multiple of the number of "
    "ranks (3 ranks); try: 1002",
    "combine two-hop -p gpus=1000000000": "gpus 1000000000: must be a divisor of the number of "
    "ranks (4 ranks); try: 4",
    "dispatch direct -p topkk=2": "direct dispatch has no parameter 'topkk'; did you mean topk?",
    "dispatch direct --root 1": "dispatch has no root; leave it out",
    "combine direct --op max": "op max: a combine adds what experts made; try: sum",
}


@pytest.mark.parametrize("words", WRONG)
def test_a_wrong_table_is_refused_in_a_line(collectives, words):
    ended = collectives(f"run {words}")
    assert (ended.status, ended.out) == (2, "") and ended.err.count("\n") == 1
    assert ended.err.strip().endswith(WRONG[words])


def test_the_table_is_described(right):
    shown = right("run dispatch direct -p tokens=4 -p skew=3 -p capacity=5").out
    line = "Chunk k is token k % 4 of rank k // 4. An expert takes 1 to 5 tokens; "
    assert line + "17 choices are dropped." in shown
    shown = right("run dispatch direct -p topk=1 -p skew=1000").out
    assert "An expert takes 0 to 8 tokens; 3 experts of 4 are empty." in shown


def test_the_order_of_additions_in_a_combine_is_said(right):
    out = right("run combine two-hop -n 4 -p topk=3 --dtype float32").out
    assert "order of the sums" in out and "(x2 + x3)" in out


def test_counts_of_the_table_name_no_paper(right):
    for words, bounds, forms in (
        ("dispatch direct", "", "counted from the routing table"),
        ("combine two-hop", "", "counted from the routing table"),
        ("combine reduce-scatter", ", without the zeros", "vLLM"),
    ):
        out = right(f"run {words} -n 4").out
        assert f"lower bounds: counted from the routing table{bounds}\n" in out
        assert f"closed form: {forms}" in out and "Chan" not in out
        stand = "stand for outputs of its experts, weighted and added up already" in out
        assert stand is words.startswith("combine")


def test_what_uniform_routing_would_send_stands_beside_the_counts(right):
    for words, said in (
        ("dispatch direct -n 8", "28 tokens sent by all = 896 B"),
        ("combine direct -n 8 -p skew=2", "28 tokens sent by all = 896 B"),
        ("dispatch two-hop -n 8 -p topk=8", "112 tokens sent by all = 3.5 KiB"),
    ):
        assert f"expected of uniform routing: {said}\n" in right(f"run {words}").out
    assert "uniform" not in right("run dispatch all-gather -n 8").out


def test_a_list_says_what_a_single_rank_has(right):
    shown = " ".join(right("list combine direct").out.split())
    assert "(default 2, or 1 if N=1)" in shown and "(default 0)" in shown
    assert "rank-major layout; expert-major sends one message for each expert, unsummed" in shown


def test_bytes_between_nodes_are_counted(right):
    out = right("run dispatch two-hop -n 8 -p topk=8").out
    assert "between nodes                512 B" in out  # 16 tokens of 32 B, once to the other node


def test_data_go_to_the_experts_and_back(right, saved, tmp_path):
    tokens = np.arange(48.0).reshape(4, 12)
    saved("in.npy", tokens)
    right("run dispatch direct -p tokens=3 -p topk=4 --data in.npy -o out.npz")
    with np.load(tmp_path / "out.npz") as found:
        assert (found["result"] == tokens.reshape(-1)).all()
    right("run combine two-hop -p tokens=3 -p topk=4 --data in.npy -o back.npz")
    with np.load(tmp_path / "back.npz") as found:
        assert np.array_equal(found["result"].reshape(-1), tokens.sum(axis=0))


def test_lists_name_the_calls_of_nccl_and_torch(right):
    for name, calls in (
        ("dispatch direct", ("ncclEpDispatch", "all_to_all_single", "all_to_all_vdev_2d")),
        ("combine direct", ("ncclEpCombine", "all_to_all_vdev_2d_offset")),
        ("combine two-hop", ("ncclEpCombine, HT",)),
    ):
        shown = " ".join(right(f"list {name}").out.split())
        assert all(call in shown for call in calls), name


def test_a_ranking_says_when_two_hops_are_faster(right):
    out = " ".join(right("time dispatch -n 16 --size 64MiB --topology cluster:gpus=8").out.split())
    assert "Best by lockstep: two-hop: its bytes take" in out
    assert "which outweighs 1 µs more latency" in out
