"""`collectives.train`: closed forms, ZeRO's memory, the numbers of films, lectures and Modeler."""

from dataclasses import replace

import pytest

from animations.course.training_numbers import flat_seconds
from animations.notebook.training_step import TrainingSetup, modeled
from collectives import BadInput, train
from collectives.cost.machines.links import find_link
from collectives.training.pairs import training_pair
from collectives.training.parallel import sharded_bytes, state_bytes
from collectives.training.scaling import (
    amdahl,
    amdahl_limit,
    communication_wall,
    minimum_bandwidth,
)
from collectives.training.train_model import PLANS, PRICE

BILLION = 1 << 30  # parameters, which all numbers of ranks here divide
SIZE = 2 * BILLION


def cost(scheme, ranks=8, parameters=BILLION, topology="crossbar", **more):
    report = train(parameters, ranks=ranks, topology=topology, scheme=scheme, **more)
    return report.schemes[0]


@pytest.mark.parametrize("scheme", PLANS)
@pytest.mark.parametrize("ranks", [2, 4, 16])
def test_bytes_are_those_of_the_closed_form(scheme, ranks):
    sent = cost(scheme, ranks, bucket=SIZE // 4).sent
    assert sent == sharded_bytes(scheme, SIZE, ranks)
    times = 3 if scheme in ("zero-3", "fsdp") else 2
    assert sent == times * (ranks - 1) * SIZE // ranks


@pytest.mark.parametrize(("scheme", "stage"), [("ddp", 0), ("zero-1", 1), ("zero-2", 2)])
def test_memory_is_zeros_16_bytes_a_parameter_or_a_share_of_them(scheme, stage):
    bucket = SIZE // 8
    held = state_bytes(stage, BILLION, 8)
    assert held <= cost(scheme, bucket=bucket).memory <= held + 2 * bucket
    assert cost("ddp").memory == 16 * BILLION
    assert cost("zero-1").memory == 4 * BILLION + 12 * BILLION // 8


@pytest.mark.parametrize("scheme", PLANS)
def test_a_step_is_that_of_the_film(scheme):
    film = training_pair(scheme)
    setup, after = film.setup, film.after
    size = -(-2 * setup["parameters"] // setup["buckets"])
    tokens = setup["tokens"]
    found = cost(scheme, 4, setup["parameters"], tokens=tokens, bucket=size)
    assert (found.step, found.exposed) == (after.total, after.exposed)
    assert (found.communication, found.sent) == (after.busy, after.sent)
    assert found.memory == pytest.approx(float(after.peak(0)), abs=1)


def test_what_is_exposed_is_that_of_the_modeler():
    report = train(BILLION, ranks=8, topology="crossbar", tokens=256, bucket=SIZE // 4)
    setup = TrainingSetup(BILLION, ranks=8, compute=report.compute, buckets=4)
    step = modeled(setup)
    assert report.schemes[0].exposed == pytest.approx(step.overlap.exposed)
    assert report.schemes[0].communication == pytest.approx(step.overlap.busy)


def test_the_wall_is_that_of_the_lectures():
    link = find_link("ib-ndr")
    links = {"latency": link.latency, "bandwidth": link.bandwidth}
    report = train(BILLION, ranks=16, topology="crossbar", bucket=SIZE, **links)
    work = 16 * report.compute
    wall = communication_wall(lambda n: work / n, lambda n: flat_seconds(SIZE, n))
    assert report.schemes[0].wall == wall > 16


def test_the_minimum_bandwidth_hides_all_and_no_less_does():
    found = cost("ddp", latency=1e-6, bucket=SIZE, tokens=64)
    report = train(BILLION, ranks=8, topology="crossbar", latency=1e-6, bucket=SIZE, tokens=64)
    backward = report.compute * 2 / 3
    goal = minimum_bandwidth(SIZE, 8, 1.0, 1.0, latency=1e-6, hidden=backward)
    assert found.minimum_bandwidth == pytest.approx(goal)
    needed = {"latency": 1e-6, "bandwidth": goal, "bucket": SIZE, "tokens": 64}
    assert cost("ddp", **needed).communication == pytest.approx(backward)
    for scheme in PLANS:  # in all of them a pass hides as many vectors as it takes forward passes
        alike = cost(scheme, latency=0.0, bucket=SIZE, tokens=64).minimum_bandwidth
        assert alike == pytest.approx(SIZE * 7 / 8 / (backward / 2)), scheme


def test_latency_alone_can_be_too_long_to_hide():
    assert cost("ddp", tokens=1, latency=1.0).minimum_bandwidth is None


def test_dollars_are_those_of_all_gpus_for_the_step_and_for_the_day():
    report = train("7B", ranks=64, topology="cluster", scheme=["ddp", "fsdp"], price=3)
    for each in report.schemes:
        assert each.dollars == pytest.approx(3 * 64 * each.step / 3600)
    assert report.dollars_per_day == 3 * 64 * 24
    text = " ".join(map(str, train("7B", ranks=8, topology="hgx-h100").lines()))
    assert f"${PRICE:g} an hour (AWS" in text and "2024" in text


def test_compressed_gradients_take_fewer_bytes_and_parameters_do_not():
    for scheme, part in (("ddp", 0.5), ("zero-1", 0.75), ("fsdp", 5 / 6)):
        whole, half = cost(scheme, bucket=SIZE), cost(scheme, bucket=SIZE, compression="fp8")
        assert half.sent == part * whole.sent and half.memory == whole.memory
        assert half.bucket == whole.bucket == SIZE  # as --bucket takes it, and best_bucket is said


def test_one_parameter_is_one():
    assert "1 parameter, 8 ranks" in repr(train(1, ranks=8, topology="hgx-h100"))


def test_schemes_side_by_side_are_each_as_alone():
    report = train("7B", ranks=64, topology="cluster", scheme=("zero-1", "FSDP", "fsdp"))
    assert [each.scheme for each in report.schemes] == ["zero-1", "fsdp"]
    alone = train("7B", ranks=64, topology="cluster", scheme="fsdp")
    assert alone.schemes[0] == report.schemes[1]
    assert repr(alone).count("\n") == 0 and "fsdp 874 ms" in repr(alone)
    values = report.as_json()
    assert values["schemes"][1]["share"] == report.schemes[1].share
    assert values["ranks"] == 64 and values["machine"] == "cluster"
    assert replace(report, schemes=alone.schemes).as_json() == alone.as_json()


def test_the_verdict_is_the_shortest_step_that_fits():
    report = train("7B", ranks=64, topology="cluster", scheme=("ddp", "fsdp", "tensor=8"))
    fitting = {each.scheme: each.step for each in report.schemes if each.fits}
    assert "ddp" not in fitting
    best = min(fitting, key=fitting.__getitem__)
    assert report.verdict.startswith(f"{best} has the shortest step of those that fit: ")
    alone = train("7B", ranks=64, topology="cluster", scheme="ddp")
    assert alone.verdict == "No scheme fits the memory of a GPU; ddp needs least"


def test_wrong_values_are_one_line_in_python():
    for bad, said in (
        ({"parameters": -1}, "parameters -1"),
        ({"parameters": 1e30}, "parameters 1"),
        ({"scheme": []}, "0 schemes"),
        ({"scheme": "tensor"}, "scheme 'tensor': is none of those .* try: .* tensor=8"),
        ({"scheme": "tensor=3"}, "scheme tensor=3: groups .* must hold all 8; try: tensor=2"),
        ({"scheme": "tensor=1"}, "scheme tensor=1: .*; try: tensor=2"),
        ({"scheme": "tensor=x"}, "scheme tensor=x: x is no number; try: tensor=8"),
        ({"layers": 4}, "layers 4: no scheme shares out layers"),
        ({"scheme": "tensor=2", "layers": 2, "hidden": 64}, "hidden 64: .*; try: 6400"),
        ({"scheme": "tensor=2", "layers": 0}, "layers 0: must be at least 1"),
        ({"scheme": "fdsp"}, "unknown scheme 'fdsp'; did you mean fsdp"),
        ({"scheme": [5]}, "scheme 5"),
        ({"ranks": 1}, "ranks 1"),
        ({"compression": "fp64"}, "compression 'fp64'"),
    ):
        options = {"parameters": 10**9, "ranks": 8, "topology": "hgx-h100"} | bad
        with pytest.raises(BadInput, match=said):
            train(**options)


@pytest.mark.parametrize("scheme", ["ddp", "fsdp"])
def test_no_bucket_gives_a_step_shorter_than_the_best_does(scheme):
    setup = {"latency": 1e-5, "tokens": 2048}
    found = cost(scheme, **setup)
    steps = {count: cost(scheme, bucket=-(-SIZE // count), **setup).step for count in (1, 4, 16)}
    assert found.best_step <= min(steps.values()) * 1.001
    assert cost(scheme, bucket=found.best_bucket, **setup).step == pytest.approx(found.best_step)
    assert SIZE // 128 <= found.best_bucket < SIZE  # one bucket hides nothing


def test_the_curve_is_amdahls_with_the_time_of_a_ring_for_the_serial_part():
    """2 (n - 1) / n S over the bandwidth, which nears 2 S: W / (2 S / b) is never exceeded."""
    rate = 50e9
    report = train(BILLION, ranks=8, topology="crossbar", latency=0.0, bandwidth=rate, bucket=SIZE)
    (found,), work = report.schemes, 8 * report.compute
    assert [each.ranks for each in found.scaling] == [1 << power for power in range(15)]
    for each in found.scaling:
        n = each.ranks
        sync = 2 * (n - 1) / n * SIZE / rate
        assert each.speedup == pytest.approx(work / (work / n + sync), rel=1e-6)
        # all of it is serial but what one rank has: T(n) = s + (1 - s) / n with s = 2 S / b / W
        serial = 2 * SIZE / rate / work
        assert each.speedup == pytest.approx(1 / (serial + (1 - serial) / n), rel=1e-6)
        assert each.speedup == pytest.approx(amdahl(serial, n), rel=1e-6)
        assert each.speedup <= amdahl_limit(serial)
    assert found.fastest == found.scaling[-1]  # without latency more ranks never lose
    late = cost("ddp", latency=1e-3, bandwidth=rate, bucket=SIZE)
    assert late.fastest.ranks < 1 << 14 and late.fastest.speedup < found.fastest.speedup


def test_half_of_the_time_is_communication_at_the_wall():
    """By trying all: 2 (n - 1) messages of S / n each, against 1 / n of the work."""
    latency, rate = 1e-4, 100e9
    options = {"latency": latency, "bandwidth": rate, "bucket": SIZE, "tokens": 4096}
    found, work = cost("ddp", **options), 8 * 6 * BILLION * 4096 / 400e12

    def share(n):
        sync = 2 * (n - 1) * (latency + SIZE / n / rate)
        return sync / (sync + work / n)

    assert found.wall == next(n for n in range(2, 10_000) if share(n) > 0.5)
    gathers = cost("zero-3", **options)  # 3 (n - 1) messages, two thirds of which gather

    def share_of_three(n):
        sync = 3 * (n - 1) * (latency + SIZE / n / rate)
        return sync / (sync + work / n)

    by_hand = next(n for n in range(2, 10_000) if share_of_three(n) > 0.5)
    assert gathers.wall == pytest.approx(by_hand, abs=1)  # in buckets of 2 GiB: one


def test_a_bucket_that_is_raised_is_said_to_be():
    many = train(100e9, ranks=8, topology="crossbar", scheme=["ddp", "zero-3"])
    few = train(7e9, ranks=8, topology="crossbar", scheme="ddp")
    text = [" ".join(" ".join(map(str, report.lines())).split()) for report in (many, few)]
    assert "The bucket of ddp is larger than usual (25 MiB in ddp, else 1 GB): at most" in text[0]
    assert "larger than usual" not in text[1]
    assert many.schemes[0].bucket * 1024 >= 2 * 100e9 > 25 * 2**20 * 1024 > few.schemes[0].bucket
