"""Sharded, tensor, pipeline and expert schemes: executed collectives, a simulated pipeline."""

from fractions import Fraction

import pytest
from training.executed import SOME, sent

from collectives.training import parallel
from collectives.training.parallel import Layer


@pytest.mark.parametrize("ranks", SOME)
@pytest.mark.parametrize("name", [name for name in parallel.SCHEMES if name != "pipeline"])
def test_schemes_send_what_their_recorded_collectives_send(name, ranks):
    """ZeRO-3: all-gather, all-gather and reduce-scatter, 3 (N-1)/N of the parameters in all."""
    scheme, total, size = parallel.SCHEMES[name], 0, 0
    for collective, times in scheme.calls:
        algorithm = "pairwise" if collective == "all_to_all" else "ring"
        moved, size = sent(collective, algorithm, ranks, count=4 * ranks)
        total += times * moved
    assert scheme.sent(ranks) * size == total
    hand = {"ddp": 2, "zero-1": 2, "zero-2": 2, "zero-3": 3, "fsdp": 3}
    hand |= {"tensor": 8, "sequence": 8, "ulysses": 8, "expert": 4}
    assert scheme.sent(ranks) == hand[name] * Fraction(ranks - 1, ranks)


def test_zero_divides_one_kind_of_state_after_another():
    """The table of the paper: 7.5 billion parameters on 64 ranks."""
    held = [float(parallel.state_bytes(stage, 7_500_000_000, 64)) for stage in range(4)]
    assert [round(size / 1e9, 1) for size in held] == [120.0, 31.4, 16.6, 1.9]
    assert all(parallel.state_bytes(stage, 5, 1) == 80 for stage in range(4))
    assert parallel.state_bytes(3, 64, 64) * 64 == parallel.state_bytes(0, 64, 1)


def test_a_layer_shared_out():
    layer = Layer(batch=2, tokens=1024, hidden=512)
    whole = 2 * 1024 * 512 * 2
    assert layer.bytes == whole


def simulated_pipeline(stages, microbatches, forward, backward):
    """When the last backward of GPipe's schedule ends, by what each task waits for."""
    done = {}
    order = [(0, m) for m in range(microbatches)] + [(1, m) for m in range(microbatches)]
    for way, m in order:
        line = range(stages) if way == 0 else reversed(range(stages))
        for stage in line:
            tasks = order[: order.index((way, m))]
            before = done[(*tasks[-1], stage)] if tasks else 0
            from_where = stage - 1 if way == 0 else stage + 1
            start = max(before, done.get((way, m, from_where), 0))
            done[way, m, stage] = start + (backward if way else forward)
    return max(done.values())


@pytest.mark.parametrize("stages", [1, 2, 4])
@pytest.mark.parametrize("microbatches", [1, 3, 8])
def test_the_bubble_is_that_of_a_simulated_pipeline(stages, microbatches):
    took = simulated_pipeline(stages, microbatches, 1, 2)
    idle = Fraction(took - 3 * microbatches, took)
    assert parallel.bubble(stages, microbatches) == idle
    assert parallel.bubble(stages, microbatches, 2) <= idle
