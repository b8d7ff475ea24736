"""Pairs of training steps: the work is the same, and the scheme gains what is said of it."""

import pytest

from collectives.errors import BadInput
from collectives.training.pairs import PAIRS, training_pair
from collectives.training.parallel import SCHEMES, bubble

FOUND = {name: training_pair(name) for name in PAIRS}


def test_every_scheme_is_there_by_its_name():
    assert set(SCHEMES) <= set(PAIRS)
    assert all(name == pair.scheme for name, pair in FOUND.items())
    assert training_pair(" ZeRO_3 ").scheme == "zero-3"
    with pytest.raises(BadInput, match="unknown scheme 'fdsp'"):
        training_pair("fdsp")


@pytest.mark.parametrize("name", PAIRS)
def test_both_do_the_same_work(name):
    """Seconds of forward and backward passes, over all GPUs; an update may be shared out."""
    sums = [
        sum(s.end - s.start for s in line.spans if s.kind in ("forward", "backward"))
        for line in FOUND[name].timelines
    ]
    assert sums[0] == pytest.approx(sums[1])


@pytest.mark.parametrize(
    "name",
    [
        *("ddp", "accumulation", "zero-1", "zero-2", "fsdp", "tensor", "ulysses", "pipeline"),
        "gathered",
    ],
)
def test_a_scheme_for_speed_is_faster(name):
    assert FOUND[name].after.total < FOUND[name].before.total


@pytest.mark.parametrize("name", ["zero-1", "zero-2", "zero-3", "sequence", "1f1b"])
def test_a_scheme_for_memory_holds_less(name):
    assert FOUND[name].after.peak(0) < FOUND[name].before.peak(0)


def test_what_sentences_say_beside_their_numbers():
    """DDP does not fit, ZeRO-1 does; as many bytes; half of the tokens go to GPU 0."""
    zero = FOUND["zero-1"]
    assert zero.after.peak(0) < zero.memory < zero.before.peak(0)
    for name in ("ddp", "zero-1", "zero-2", "sequence", "gathered"):
        before, after = FOUND[name].timelines
        assert after.sent == pytest.approx(before.sent, rel=1e-6)
    dispatch = FOUND["expert"].after.lane(0, network=True)[0]
    received = dispatch.recording.bytes_received
    assert max(received) == received[0] > max(received[1:])
    pipe = FOUND["pipeline"]
    assert pipe.after.waited == pytest.approx(float(bubble(4, 8)), abs=0.01)
    assert FOUND["1f1b"].after.total == pytest.approx(FOUND["1f1b"].before.total, rel=0.01)
    starts = [span.label for span in FOUND["1f1b"].after.lane(0)]
    assert starts[:5] == ["0", "1", "2", "3", "0"], "one micro-batch for each stage"
