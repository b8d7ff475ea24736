"""`collectives.measured`: the report of `time --measured`, as a value."""

from pathlib import Path

import pytest

from collectives import BadInput, measured, record

DATA = Path(__file__).parents[1] / "data" / "nccl_tests"
A100 = DATA / "superbenchmark_all_reduce.txt"


def test_a_recording_is_timed_at_every_size():
    ring = measured(A100, record("all_reduce", "ring", ranks=8))
    again = measured(A100, "all_reduce", "ring")
    assert [one.model.seconds for one in ring.sizes] == [one.model.seconds for one in again.sizes]
    assert "beside the model" in str(next(iter(ring.lines())))


REFUSED = [
    ((DATA / "missing.txt", "all_reduce"), "missing.txt: no such file"),
    ((A100, "broadcast", "tree"), "fits all_reduce on 8 ranks, not broadcast; try: all_reduce"),
    ((A100, record("all_reduce", "ring", ranks=4)), "superbenchmark_all_reduce.txt"),
]


@pytest.mark.parametrize(("given", "says"), REFUSED, ids=[says for _, says in REFUSED])
def test_what_does_not_fit_the_file_is_refused(given, says):
    with pytest.raises(BadInput) as refused:
        measured(*given)
    assert says in str(refused.value)
    assert "\n" not in str(refused.value)
