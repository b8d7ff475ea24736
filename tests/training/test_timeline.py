"""Timelines of training steps: against closed forms of time, bytes and memory, and a clock."""

from fractions import Fraction
from itertools import pairwise

import pytest

import collectives
from collectives.cost.machines.links import Link
from collectives.errors import BadInput
from collectives.training import data_parallel, layer_parallel, pipelines
from collectives.training.gradients import sync_seconds
from collectives.training.network import Network
from collectives.training.overlap import overlap
from collectives.training.parallel import SCHEMES, Layer, bubble, state_bytes
from collectives.training.timeline import Planner, gaps
from collectives.training.workload import LOAD, Workload

NETWORK = Network(collectives.topology("crossbar", 4), 4)
LINK = Link("card", 50e9, 5e-6)
WORK = Workload(parameters=3_000_000_001, tokens=6144)
LAYER = Layer(1, 2048, 4096)
PASS = LOAD + WORK.forward + WORK.backward
LAYERS = 2
MADE = {
    "ddp": lambda: data_parallel.ddp(WORK, NETWORK),
    "zero-1": lambda: data_parallel.zero_1(WORK, NETWORK),
    "zero-2": lambda: data_parallel.zero_2(WORK, NETWORK),
    "zero-3": lambda: data_parallel.zero_3(WORK, NETWORK),
    "fsdp": lambda: data_parallel.zero_3(WORK, NETWORK, prefetched=True),
    "tensor": lambda: layer_parallel.tensor(LAYER, NETWORK, LAYERS),
    "sequence": lambda: layer_parallel.sequence(LAYER, NETWORK, LAYERS),
    "ulysses": lambda: layer_parallel.ulysses(LAYER, NETWORK, LAYERS),
    "expert": lambda: layer_parallel.expert(LAYER, NETWORK, layers=LAYERS),
    "pipeline": lambda: pipelines.pipeline(pipelines.gpipe(4, 3), 0.01, LAYER, NETWORK),
}


@pytest.fixture(scope="module", params=MADE)
def made(request):
    return request.param, MADE[request.param]()


def test_every_scheme_has_a_timeline():
    assert set(MADE) == set(SCHEMES)


def test_lanes_do_one_thing_at_a_time_and_waiting_is_the_rest(made):
    """Computing and waiting fill the step without a gap; network spans are as long as timed."""
    _, line = made
    for gpu in range(4):
        spans = line.lane(gpu)
        for lane in (spans, line.lane(gpu, network=True)):
            assert all(one.end <= two.start for one, two in pairwise(lane))
        both = sorted([*line.waiting(gpu), *((span.start, span.end) for span in spans)])
        assert both[0][0] == 0 and both[-1][1] == line.total
        assert all(one[1] == two[0] for one, two in pairwise(both))
    for span in line.spans:
        assert (span.timing is not None) == (span.kind == "network")
        if span.timing:
            assert span.recording.check().ok
            again = collectives.time(span.recording, NETWORK.machine).total
            assert span.end - span.start == pytest.approx(again, rel=1e-9)


def test_executed_recordings_send_what_the_scheme_says(made):
    name, line = made
    size = {
        "parameters": WORK.bytes,
        "activations": LAYERS * LAYER.bytes,
    }[SCHEMES[name].vector]
    if name == "pipeline":
        assert line.sent == 2 * 3 * LAYER.bytes  # of an inner stage: both ways
        return
    if name == "ulysses":
        size //= 4
    said = SCHEMES[name].sent(4) * size
    assert abs(line.sent - said) <= 6 * sum(span.gpu == 0 for span in line.spans)
    kinds = {span.recording.collective.name for span in line.spans if span.timing}
    assert kinds - {"send_recv"} == SCHEMES[name].collectives  # the way back of uneven all-to-alls


def test_ddp_takes_what_the_models_of_overlap_say():
    sync = {size: sync_seconds(size, 4, LINK) for size in set(WORK.parts)}
    model = overlap(WORK.parts, WORK.backward, sync.__getitem__, bucket_size=1, first=1)
    line, once = MADE["ddp"](), data_parallel.ddp(WORK, NETWORK, overlapped=False)
    assert line.total == pytest.approx(PASS + model.exposed + WORK.update())
    buckets = line.lane(0, network=True)
    began = LOAD + WORK.forward
    assert [span.start for span in buckets] == pytest.approx([began + t for t in model.start])
    assert [span.end for span in buckets] == pytest.approx([began + t for t in model.end])
    alone = sync_seconds(WORK.bytes, 4, LINK)
    assert once.total == pytest.approx(PASS + alone + WORK.update())
    assert once.waited == pytest.approx(alone / once.total)
    each = data_parallel.accumulated(WORK, NETWORK, 3, each_time=True)
    last = data_parallel.accumulated(WORK, NETWORK, 3)
    assert each.total == pytest.approx(3 * (PASS + model.exposed) + WORK.update())
    assert last.total == pytest.approx(3 * PASS + model.exposed + WORK.update())
    assert each.sent == 3 * last.sent


def test_zero_takes_the_time_of_its_halves():
    scatter, gather = (sync_seconds(WORK.bytes, 4, LINK, "ring", name) for name in _HALVES)
    line = MADE["zero-1"]()
    assert line.total == pytest.approx(PASS + scatter + gather + WORK.update(4))
    waits = {name: MADE[name]().waited for name in ("zero-3", "fsdp")}
    assert waits["fsdp"] < waits["zero-3"]


_HALVES = ("reduce_scatter", "all_gather")


@pytest.mark.parametrize(("name", "stage"), [("ddp", 0), ("zero-1", 1), ("zero-2", 2), ("fsdp", 3)])
def test_memory_is_that_of_the_closed_forms(name, stage):
    line, always = MADE[name](), state_bytes(stage, WORK.parameters, 4)
    assert sum(line.holding(3, line.total).values()) == always
    if stage < 2:
        assert line.peak(0) == always
        return
    bucket = Fraction(3 * max(WORK.parts), 4)
    assert always + bucket <= line.peak(0) <= always + 4 * bucket


@pytest.mark.parametrize("micro", [1, 3, 8])
@pytest.mark.parametrize("stages", [2, 4])
def test_gpipe_takes_what_its_model_says(stages, micro):
    network = Network(collectives.topology("crossbar", stages), stages)
    line = pipelines.pipeline(pipelines.gpipe(stages, micro), 0.01, LAYER, network, 3)
    hop = network.hop(0, 1, LAYER.bytes).total
    passes = (micro + stages - 1) * (0.01 + 0.02)  # the first one's way, then one after another
    assert line.total == pytest.approx(passes + 2 * (stages - 1) * hop)
    free = Network(collectives.topology("crossbar", stages, latency=0, bandwidth=1e18), stages)
    quick = pipelines.pipeline(pipelines.gpipe(stages, micro), 0.01, LAYER, free)
    assert quick.waited == pytest.approx(float(bubble(stages, micro)), abs=1e-6)
    turns = pipelines.one_forward_one_backward(stages, micro)
    assert sorted(turns[0]) == sorted(pipelines.gpipe(stages, micro)[0])
    other = pipelines.pipeline(turns, 0.01, LAYER, free, 3)
    assert other.total == pytest.approx(quick.total)
    for stage in range(stages):
        assert line.peak(stage) == 3 * micro * LAYER.bytes
        assert other.peak(stage) == 3 * min(micro, stages - stage) * LAYER.bytes


def test_a_layer_takes_its_blocks_and_its_collectives():
    """Nothing overlaps: computing and sending add up to the step."""
    for name in ("tensor", "sequence", "ulysses", "expert"):
        line = MADE[name]()
        computed = sum(span.end - span.start for span in line.lane(0))
        assert line.total == pytest.approx(computed + line.busy)
    assert MADE["tensor"]().total == pytest.approx(MADE["sequence"]().total, rel=1e-3)
    assert MADE["tensor"]().peak(0) == 4 * MADE["sequence"]().peak(0)


def test_the_most_chosen_expert_holds_all_up():
    even, uneven = MADE["expert"](), layer_parallel.expert(LAYER, NETWORK, (4, 2, 1, 1), LAYERS)
    work = [sum(s.end - s.start for s in uneven.lane(gpu) if s.label == "expert") for gpu in (0, 3)]
    assert work[0] == pytest.approx(4 * work[1])
    assert uneven.total > even.total and not uneven.waiting(0)[0][1] > uneven.waiting(3)[1][1]
    dispatch, combine = uneven.lane(0, network=True)[:2]
    assert dispatch.recording.bytes_received == combine.recording.bytes_sent
    assert dispatch.recording.bytes_sent == combine.recording.bytes_received
    assert sum(dispatch.recording.counts) == LAYER.bytes


def test_a_planner_waits_for_lanes_and_data():
    plan = Planner(2)
    assert plan.compute("forward", "a", 2.0, gpu=1).end == 2
    assert plan.compute("forward", "b", 1.0).end == 3  # on both, so after `a`
    assert plan.compute("update", "c", 1.0, ready=7.0, gpu=0).end == 8
    line = plan.timeline()
    assert line.waiting(0) == [(0, 2), (3, 7)] and line.waiting(1) == [(3, 8)]
    assert line.waited == pytest.approx((6 + 5) / 16)
    assert list(gaps([], 1)) == [(0, 1)] and list(gaps([(0, 1)], 1)) == []


def test_bad_sizes_are_refused():
    for wrong in (
        lambda: Workload(0, 1),
        lambda: Workload(1, 1, buckets=0),
        lambda: layer_parallel.expert(LAYER, NETWORK, (1, 2)),
        lambda: layer_parallel.expert(LAYER, NETWORK, (3, 2, 1, 1)),
        lambda: pipelines.pipeline(pipelines.gpipe(2, 1), 0, LAYER, NETWORK),
    ):
        with pytest.raises(BadInput):
            wrong()
