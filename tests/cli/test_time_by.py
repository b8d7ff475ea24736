"""Rankings by a parameter: each is the ranking alone, and the runs of the fastest are told."""

import pytest

from collectives import BadInput, Faults
from collectives.cost.by_name import rank, rank_by
from collectives.cost.rankings_by import parse_by

ON = {"size": "1MiB", "ranks": 16, "topology": "cluster"}


def test_each_ranking_is_the_one_of_its_value_alone():
    found = rank_by("all_reduce", "n", [8, 16], size="1MiB", topology="cluster")
    for ranks, ranking in zip(found.values, found.rankings, strict=True):
        alone = rank("all_reduce", ranks=ranks, size="1MiB", topology="cluster")
        expected = [(each.name, each.seconds) for each in alone.timed]
        assert [(each.name, each.seconds) for each in ranking.timed] == expected


def test_two_hops_win_from_where_a_token_has_several_experts_in_a_node():
    """A token crosses the network once for each node: with one expert there is nothing to save."""
    found = rank_by("dispatch", "topk", [1, 2, 4, 8], **ON)
    assert found.fastest[0][2] == "direct" and found.fastest[-1][2] == "two-hop"
    times = {each.name: each.seconds for each in found.rankings[-1].timed}
    assert times["two-hop"] < times["direct"]
    lines = rank_by("dispatch", "topk", [8, 1], **ON)
    assert lines.values == (1, 8)


def test_the_verb_prints_what_the_function_finds(right):
    line = "time dispatch --by topk=1,8 -n 16 --size 1MiB --topology cluster"
    found = rank_by("dispatch", "topk", [1, 8], **ON)
    assert right(f"{line} --json").json == found.as_json()
    out = right(line).out
    first, second = found.fastest
    assert f"{first[2]} at topk = 1; {second[2]} at topk = 8" in " ".join(out.split()).lower()
    assert out.count("its bytes take") == 2  # a reason for each


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("dispatch --by topk=a", "--by topk=a: must be NAME=A,B or NAME=A-B"),
        ("dispatch --by topk=1-99", "--by topk=1-99: 99 values, at most 32"),
        ("dispatch --by topk=4", "--by topk: 1 different value, must be 2 to 32"),
        ("dispatch --by topck=1,2", "did you mean topk?"),
        ("dispatch --by topk=1,2 -p topk=3", "-p topk=3: --by changes it"),
        ("dispatch direct --by topk=1,2", "ranks all algorithms of a collective, named alone"),
        ("all-reduce --by topk=1,2 --like nccl", "named alone"),
        ("dispatch --by topk=1,2 --without 1", "--without times one of them; leave one of them"),
        ("dispatch --by skew=0,0.5", "--by skew=0,0.5: must be NAME=A,B or NAME=A-B, in whole"),
        ("dispatch --by topk=4,99 -n 8", "--by topk=99: no dispatch algorithm runs here"),
    ],
)
def test_wrong_values_are_refused_by_name(collectives, line, problem):
    ended = collectives(f"time {line} --size 1MiB")
    assert (ended.status, ended.out) == (2, "") and problem in ended.err


def test_faults_are_there_at_each_value(right):
    """A rank that is late for a second is what every time is about."""
    on = {"size": "1MiB", "faults": Faults(late="1=1s")}
    ranked = rank_by("all_reduce", "n", [2, 4], **on)
    assert all(1 <= ranking.best.seconds < 1.01 for ranking in ranked.rankings)
    line = "time all-reduce --by n=2,4 --size 1MiB --late 1=1s --json"
    assert right(line).json == ranked.as_json()
    with pytest.raises(BadInput, match=r"--by n=2: .*rank 3"):
        rank_by("all_reduce", "n", [2, 4], size="1MiB", faults=Faults(late="3=1s"))


def test_what_has_no_time_at_a_value_is_left_out_there_with_the_reason():
    ranked = rank_by("dispatch", "topk", [1, 2], ranks=4, size="1MiB")
    left_out = dict(ranked.rankings[1].left_out)
    (why,) = left_out.values()
    text = " ".join(" ".join(map(str, ranked.lines())).split())
    assert text.startswith("dispatch · 4 ranks · 1 MiB · by topk")
    assert f"Direct is left out at topk = 2: {why}." in text
    assert (ranked.as_json()["ranks"], ranked.as_json()["topology"]) == (4, "crossbar")


def test_values_are_read_as_lists_and_ranges():
    assert parse_by("skew=0-2,7") == ("skew", (0, 1, 2, 7))
