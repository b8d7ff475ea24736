"""`collectives.measured`: the report of `time --measured`, as a value."""

from pathlib import Path

import pytest

from collectives import BadInput, measured, record
from collectives.words import quoted

DATA = Path(__file__).parents[1] / "data" / "nccl_tests"
A100 = DATA / "superbenchmark_all_reduce.txt"
RING = record("all_reduce", "ring", ranks=8)


def test_a_recording_is_timed_at_every_size():
    ring = measured(A100, record("all_reduce", "ring", ranks=8))
    again = measured(A100, "all_reduce", "ring")
    assert [one.model.seconds for one in ring.sizes] == [one.model.seconds for one in again.sizes]
    assert "beside the model" in str(next(iter(ring.lines())))


REFUSED = [
    ((DATA / "missing.txt", "all_reduce"), "missing.txt: no such file"),
    ((A100, "broadcast", "tree"), "fits all_reduce on 8 ranks, not broadcast; try: all_reduce"),
    ((A100, record("all_reduce", "ring", ranks=4)), "measures 8 ranks, the recording has 4 ranks"),
    ((A100, RING, "tree"), "algorithm 'tree': the recording has 'ring'; leave it out"),
    (
        (A100, record("all_reduce", "ring", ranks=8, counts=range(8))),
        "the recording states the size of each chunk; try: one without counts",
    ),
]
OPTIONS = [
    ({"ranks": 4}, "ranks 4: the recording has 8; leave it out"),
    ({"chunks": 2}, "chunks 2: the recording has no chunks; leave it out"),
    ({"topology": "nope"}, "--topology nope: unknown, and no FILE.toml; choose from crossbar"),
    ({"gpus": 4}, "gpus: which machine has it? try: topology='cluster:gpus=4'"),
    (
        {"topology": "cluster:gpus=3"},
        f"{quoted(str(A100))} measures 8 ranks: a cluster of nodes of 3",
    ),
]


@pytest.mark.parametrize(("options", "says"), OPTIONS, ids=[says for _, says in OPTIONS])
def test_options_that_do_not_fit_are_refused(options, says):
    with pytest.raises(BadInput) as refused:
        measured(A100, RING, **options)
    assert str(refused.value).startswith(says)


def test_options_that_repeat_what_the_recording_says_are_taken():
    assert measured(A100, RING, "ring", ranks=8).ranks == 8


@pytest.mark.parametrize(("given", "says"), REFUSED, ids=[says for _, says in REFUSED])
def test_what_does_not_fit_the_file_is_refused(given, says):
    with pytest.raises(BadInput) as refused:
        measured(*given)
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)
