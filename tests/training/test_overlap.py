"""Buckets that hide behind the backward pass: against a clock that ticks, and limiting cases."""

import math

import numpy as np
import pytest

from collectives.errors import BadInput
from collectives.training.overlap import Bucket, make_buckets, overlap, ready_times


def test_buckets_close_when_full_from_the_last_layer_on():
    assert make_buckets([5, 5, 5, 5], bucket_size=10, first=1) == (
        Bucket((3,), 5),
        Bucket((2, 1), 10),
        Bucket((0,), 5),
    )
    assert make_buckets([]) == ()
    assert sum(bucket.size for bucket in make_buckets([7] * 99, bucket_size=20)) == 7 * 99


def slow_overlap(layers, times, bandwidth, most, first):
    """The same by a clock that ticks: one unit of time, one unit of bytes."""
    clock, queue, held, done, left = 0, [], 0, [], 0
    limit = first
    for layer in reversed(range(len(layers))):
        for _ in range(times[layer]):
            clock, queue, left = tick(clock, queue, left, bandwidth, done)
        held += layers[layer]
        if held >= limit or layer == 0:
            queue, held, limit = [*queue, held], 0, most
    while queue or left:
        clock, queue, left = tick(clock, queue, left, bandwidth, done)
    return done


def tick(clock, queue, left, bandwidth, done):
    if not left and queue:
        left, queue = queue[0], queue[1:]
    if left:
        left = max(0, left - bandwidth)
        if not left:
            done.append(clock + 1)
    return clock + 1, queue, left


@pytest.mark.parametrize("seed", range(20))
def test_overlap_equals_a_clock_that_ticks(seed):
    random = np.random.default_rng(seed)
    count = int(random.integers(1, 12))
    layers = [int(size) * 4 for size in random.integers(1, 20, count)]
    times = [int(time) for time in random.integers(1, 30, count)]
    found = overlap(layers, times, lambda size: size / 4, bucket_size=60, first=20)
    done = slow_overlap(layers, times, 4, 60, 20)
    assert list(found.end) == done
    assert found.exposed == max(0, done[-1] - sum(times))
    assert found.hidden + found.exposed + idle_after(found) == pytest.approx(found.busy)


def idle_after(found):
    """Communication is never idle once the pass is over: all are ready by then."""
    late = [start for start in found.start if start > found.backward]
    return 0 if all(start in found.end for start in late) else math.nan


def test_all_but_the_last_bucket_hides_behind_a_slow_pass():
    found = overlap([10] * 5, 100.0, lambda size: size / 10, bucket_size=10, first=10)
    assert found.exposed == pytest.approx(1) and found.hidden == pytest.approx(4)


def test_one_bucket_hides_nothing_and_a_short_pass_next_to_nothing():
    one = overlap([10] * 5, 100.0, lambda size: size, bucket_size=50, first=50)
    assert (one.exposed, one.hidden) == (50, 0)
    short = overlap([10] * 5, 1e-9, lambda size: size, bucket_size=10, first=10)
    assert short.exposed == pytest.approx(50)


def test_gradients_of_the_last_layer_are_there_first():
    assert ready_times([1, 2, 3], (1.0, 2.0, 4.0)) == (7.0, 6.0, 4.0)
    assert overlap([], 1.0, lambda size: size).exposed == 0


def test_layers_without_gradients_share_the_pass():
    assert ready_times([0, 0], 8.0) == (8.0, 4.0)
    assert ready_times([0, 1, 0], 8.0) == (8.0, 8.0, 0.0)
    assert ready_times(np.array([1, 1, 2]), np.array([1.0, 2.0, 4.0])) == (7.0, 6.0, 4.0)


def test_a_hundred_thousand_layers_are_put_into_buckets_quickly():
    """Each layer is added to its bucket once: adding up all of them again would take minutes."""
    (first, second) = make_buckets([1] * 100_000, bucket_size=10**9, first=1)
    assert (first.size, second.size) == (1, 99_999)


def slowed_overlap(works, syncs, taken):
    """When each bucket is ready and done by a clock of many ticks: a layer is a bucket."""
    tick = 1 / 64
    clock, free, ready, done = 0.0, 0.0, [], []
    for work, sync in zip(works, syncs, strict=True):
        left = work
        while left > 0:
            left -= tick * ((1 - taken) if clock < free else 1)
            clock += tick
        ready.append(clock)
        free = max(clock, free) + sync
        done.append(free)
    return ready, done


@pytest.mark.parametrize("seed", range(20))
def test_a_pass_that_gives_sms_away_equals_a_clock_of_many_ticks(seed):
    random = np.random.default_rng(seed)
    count = int(random.integers(1, 12))
    works = [int(time) for time in random.integers(1, 30, count)]
    sizes = [int(size) for size in random.integers(1, 20, count)]
    taken = float(random.integers(0, 4)) / 4
    found = overlap(sizes[::-1], works[::-1], float, bucket_size=1, first=1, taken=taken)
    ready, done = slowed_overlap(works, sizes, taken)
    assert found.ready == pytest.approx(ready, abs=count / 32)
    assert found.end == pytest.approx(done, abs=count / 32)
    assert found.alone == sum(works)
    assert found.backward == pytest.approx(ready[-1], abs=count / 32)
    assert found.added == pytest.approx(max(done[-1], ready[-1]) - sum(works), abs=count / 16)


def test_copy_engines_take_nothing_from_the_pass_and_kernels_a_part_of_it():
    layers = [10] * 4
    free = overlap(layers, 40.0, lambda size: 10.0, 10, 10)
    taken = overlap(layers, 40.0, lambda size: 10.0, 10, 10, taken=0.2)
    assert (free.slowed, free.exposed, free.added) == (0, 10, 10)
    assert taken.slowed == pytest.approx(3 * 10 * 0.2)  # while three buckets are on the link
    assert taken.added == pytest.approx(taken.slowed + taken.exposed)
    assert taken.alone == 40 and taken.backward == pytest.approx(46)


def test_a_pass_without_any_of_the_gpu_is_refused():
    with pytest.raises(BadInput, match="leaves nothing of the GPU"):
        overlap([1], 1.0, float, taken=1.0)
    with pytest.raises(BadInput, match="taken"):
        overlap([1], 1.0, float, taken=-0.1)
