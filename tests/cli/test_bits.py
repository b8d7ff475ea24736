"""`collectives bits`: what Python says, exit statuses, dumps in files, and the figure of it."""

import json

import numpy as np
import pytest

from collectives import bits

RING = "bits all-reduce --like openmpi -n 3 --size 4KiB"


def test_it_says_what_python_says(right, collectives):
    here = bits("all_reduce", like="openmpi", ranks=3, size="4KiB")
    assert right(f"{RING} --json").json == json.loads(json.dumps(here.as_json()))
    assert "342 – 682" in right(RING).out
    other = bits("all_reduce", like="openmpi", ranks=3, size="4KiB", against={"size": "2KiB"})
    ended = collectives(*f"{RING} --against size=2KiB --json".split())
    assert ended.status == 1 and json.loads(ended.out) == json.loads(json.dumps(other.as_json()))


@pytest.mark.parametrize(
    ("more", "status", "part"),
    [
        ("--against size=4KiB", 0, "same order of all 1,024 elements"),
        ("--against size=2KiB", 1, "from element 342 on"),
        ("--against size=2KiB", 1, "OMPI_MCA_coll_tuned_allreduce_algorithm=3"),
        ("--against like=gloo --against ranks=4", 1, "3 and 4 terms"),
        ("-p algorithm=5 -p segment=1KiB", 0, "segments do not change the order"),
        ("--against like=nccl --against algorithm=NVLS", 2, "cannot say"),
    ],
)
def test_the_status_is_the_verdict(more, status, part, collectives):
    ended = collectives(*f"{RING} {more}".split())
    assert ended.status == status and part in " ".join(ended.out.split()), ended
    assert ended.err.startswith("collectives: cannot say: ") == bool(ended.err) == (status == 2)


def test_dumps_are_read_from_files(collectives, folder):
    one = np.ones((3, 1024), np.float32)
    other = one.copy()
    other[2, 700] = 2
    np.save("a.npy", one)
    np.save("b.npy", other)
    asked = "bits all-reduce --like openmpi -n 3 --dumps a.npy --dumps"
    same = collectives(*f"{asked} a.npy".split())
    assert same.status == 0 and "same bits: 3 calls, 3,072 elements" in same.out
    ended = collectives(*f"{asked} b.npy".split())
    assert ended.status == 1 and "call 2, element 700: 1.0 and 2.0" in ended.out
    assert "(x0 + x2) + x1" in ended.out and "does not explain it" in ended.out


def test_calls_of_several_sizes_are_the_arrays_of_a_file(collectives, folder):
    calls = [np.ones(1024, np.float32), np.ones((16, 32), np.float32)]
    np.savez("a.npz", *calls)
    calls[1][15, 31] = 2
    np.savez("b.npz", *calls)
    asked = "bits all-reduce --like openmpi -n 3 --dumps a.npz --dumps b.npz --json"
    ended = collectives(*asked.split())
    found = json.loads(ended.out)
    assert ended.status == 1 and found["elements"] == [1024, 512]
    assert (found["call"], found["element"]) == (1, 511)
    assert found["orders"] == ["(x0 + x1) + x2"] * 2  # of 2 KiB: recursive doubling


def test_the_figure_has_a_bar_for_each_map(right, folder):
    right(f"figure {RING} --against size=2KiB -o map.svg")
    assert (folder / "map.svg").read_text().startswith("<?xml")


@pytest.mark.parametrize(
    ("asked", "parts"),
    [
        ("bits", ("collective",)),
        ("bits all-redcue --like nccl --size 1MiB", ("all-redcue", "did you mean all-reduce?")),
        ("bits broadcast --like nccl --size 1MiB", ("broadcast", "try: all-reduce")),
        ("bits all-reduce --size 1MiB", ("which library?", "--like openmpi")),
        ("bits all-reduce --like nccl", ("which size?", "--size 1MiB")),
        ("bits all-reduce --like ncc --size 1MiB", ("'ncc'", "did you mean nccl?")),
        ("bits all-reduce --like openmpi --size 7B", ("size 7 B", "try: 4B")),
        ("bits all-reduce --like openmpi --size 2B", ("size 2 B", "try: 4B")),
        (f"{RING} -p channels=8", ("channels='8'", "openmpi has no such setting")),
        (f"{RING} -p algorithm=9", ("algorithm='9'", "try: algorithm=1")),
        (f"{RING} -p algorithm", ("-p algorithm", "NAME=VALUE")),
        (f"{RING} -p segment=1KiB", ("segment", "try: algorithm=5")),
        (f"{RING} -p algorithm=5 -p segment=x", ("segment x", "try: 1B")),
        (f"{RING} --against size", ("--against size", "NAME=VALUE")),
        (f"{RING} --against size=x", ("size x", "try: 1B")),
        (f"{RING} --against size=2KiB --against size=1KiB", ("given twice", "size=2KiB")),
        (f"{RING} --against ranks=65", ("ranks 65", "try: 64")),
        (f"{RING} --against ranks=-1", ("ranks='-1'", "whole number")),
        (f"{RING} --against like=vllm", ("'vllm'", "choose from")),
        (f"{RING} --against topology=hgx-h100", ("topology hgx-h100", "leave it out")),
        (f"{RING} --root 1", ("root 1", "all-reduce has no root")),
        (f"{RING} --dtype int32", ("'int32'", "sums round")),
        ("bits reduce --like gloo -n 3 --size 4KiB --root 3", ("root 3", "try: 2")),
        ("bits reduce-scatter --like gloo --size 4KiB", ("gloo has no reduce-scatter",)),
        ("bits all-reduce --like nccl --size 1MiB -p algorithm=PAT", ("PAT", "algorithm=Ring")),
        ("bits all-reduce --like nccl --size 1MiB -p channels=x", ("channels='x'", "channels=8")),
        ("bits all-reduce --like nccl --size 1MiB -p channels=65", ("65", "try: 64")),
        ("bits all-reduce --like nccl --size 1MiB --topology ring", ("ring", "hgx-a100")),
        ("bits all-reduce --like nccl --size 1MiB -p log=nope.log", ("nope.log", "no such file")),
        ("bits all-reduce --like mpich --size 1MiB -p algorithm=rng", ("rng", "mean ring?")),
        ("bits all-reduce --dumps a.npy", ("a.npy", "given twice")),
        ("bits all-reduce --dumps a.npy --dumps b.npy", ("--dumps a.npy", "no such file")),
        ("bits all-reduce --dumps a.txt --dumps b.npy", ("--dumps a.txt", ".npy")),
        ("figure bits all-reduce --like nccl --size 64MiB", ("no order to draw", "NVLS")),
        ("figure bits all-reduce --like gloo --size 0B", ("no element", "--size 64KiB")),
    ],
)
def test_what_cannot_be_is_refused_in_a_line(asked, parts, collectives, folder):
    ended = collectives(*asked.split())
    assert ended.status == 2 and not ended.out, ended
    assert ended.err.count("\n") == 1 and all(part in ended.err for part in parts), ended.err
    assert not list(folder.iterdir())
