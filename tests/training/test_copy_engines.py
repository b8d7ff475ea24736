"""SMs that collectives take, and the time of copy engines, against NCCL's numbers by hand."""

import pytest

from collectives.cost.machines.links import find_link
from collectives.errors import BadInput
from collectives.training.copy_engines import ENGINES, SMS, copy_engine_seconds, sms_taken
from collectives.training.gradients import sync_seconds
from collectives.training.overlap import overlap


def test_a_channel_takes_an_sm():
    assert sms_taken(0, "H100") == 0
    assert sms_taken(24, "H100") == 24 / 132
    assert [sms_taken(1, gpu) for gpu in SMS] == [1 / count for count in SMS.values()]


def test_copy_engines_take_the_time_that_nccl_expects():
    """Of 8 ranks on Hopper: 17.5 + 8 x 1.957 us, and 7/8 of the data at 392 GB/s."""
    assert copy_engine_seconds(0, 8) == pytest.approx(33.156e-6)
    assert copy_engine_seconds(392e9, 8) == pytest.approx(33.156e-6 + 7 / 8)
    assert copy_engine_seconds(392e9, 8, multicast=True) == pytest.approx(20.708e-6 + 1)
    assert copy_engine_seconds(0, 72, "Blackwell") == pytest.approx(41.4e-6)
    assert copy_engine_seconds(1 << 30, 1) == 0
    assert list(ENGINES) == ["Hopper", "Blackwell"]


def test_copy_engines_help_where_the_pass_is_long_and_kernels_where_it_is_short():
    """They are slower for small buckets, and leave the pass all of the GPU."""

    def added(backward, engines):
        link = find_link("nvlink4")
        ring = lambda size: sync_seconds(size, 8, link, "ring", "all_gather")  # noqa: E731
        sync = (lambda size: copy_engine_seconds(size, 8)) if engines else ring
        taken = 0.0 if engines else sms_taken(24)
        return overlap([1 << 26] * 8, backward, sync, 1 << 26, 1 << 26, taken).added

    assert added(10e-3, engines=True) < added(10e-3, engines=False)
    assert added(1e-6, engines=True) > added(1e-6, engines=False)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: sms_taken(24, "H10"), "H100"),
        (lambda: sms_taken(65), "64"),
        (lambda: copy_engine_seconds(-1, 8), "size"),
        (lambda: copy_engine_seconds(1, 0), "ranks"),
        (lambda: copy_engine_seconds(1, 8, "Hoper"), "Hopper"),
        (lambda: copy_engine_seconds(1, 8, multicast="x"), "multicast 'x': must be"),
    ],
)
def test_what_cannot_be_is_refused(call, words):
    with pytest.raises(BadInput, match=words):
        call()
