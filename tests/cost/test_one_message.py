"""What one message costs by the way it is delivered: by hand, and where two ways cost the same."""

import pytest
from each import each

from collectives.cost.machines import topology
from collectives.cost.one_message import delivery_seconds, fence_pays_from
from collectives.errors import BadInput

MACHINE = topology("hgx-h100", 8)  # 1 us and 450 GB/s from each GPU to the next
ALPHA, BETA = 1e-6, 1 / 450e9


@each("size", [0, 8, 4096, 1 << 20, 1 << 30])
def test_a_message_takes_its_latencies_and_its_bytes_with_their_flags(size):
    assert delivery_seconds(size, MACHINE) == pytest.approx(
        {
            "handshake": 3 * ALPHA + size * BETA,
            "data, fence, flag": 3 * ALPHA + size * BETA,
            "put with signal": ALPHA + size * BETA,
            "LL": ALPHA + 2 * size * BETA,
            "LL128": ALPHA + 128 / 120 * size * BETA,
        }
    )


@each("flags", ["LL", "LL128"])
def test_from_there_on_a_fence_is_cheaper_than_flags(flags):
    size = fence_pays_from(MACHINE, flags)
    for factor, cheaper in ((0.99, flags), (1.01, "data, fence, flag")):
        seconds = delivery_seconds(factor * size, MACHINE)
        both = {name: seconds[name] for name in (flags, "data, fence, flag")}
        assert min(both, key=both.get) == cheaper


def test_between_nodes_the_slow_way_counts():
    between = delivery_seconds(1 << 20, topology("cluster", 16))
    assert between["put with signal"] > delivery_seconds(1 << 20, MACHINE)["put with signal"]


@each("call", [lambda: fence_pays_from(MACHINE, "LL64"), lambda: delivery_seconds(-1, MACHINE)])
def test_what_cannot_be_is_refused_in_one_line(call):
    with pytest.raises(BadInput) as raised:
        call()
    assert "\n" not in str(raised.value)
