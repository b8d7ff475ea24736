"""Timelines of data-parallel steps: DDP, gradient accumulation, ZeRO 1 to 3 and FSDP.

In all of them each GPU computes on its own part of the batch. Gradients become ready from the
last bucket to the first. ZeRO: Rajbhandari et al., SC 2020; FSDP: Zhao et al., VLDB 16(12), 2023.
"""

from __future__ import annotations

from fractions import Fraction

from collectives.training.network import Network
from collectives.training.parallel import state_parts
from collectives.training.timeline import Planner, Span, Timeline
from collectives.training.workload import LOAD, Workload


def ddp(work: Workload, network: Network, overlapped: bool = True) -> Timeline:
    """Load, forward, backward, all-reduce, update: the all-reduce by bucket, or once at the end."""
    plan = Planner(work.lanes)
    _forward(plan, work)
    _backward(plan, work, network, "all_reduce" if overlapped else "")
    if not overlapped:
        plan.network("all gradients", network.run("all_reduce", work.bytes), plan.free())
    plan.compute("update", "update", work.update(), plan.free(network=True))
    return _holding(plan, work, 0)


def accumulated(work: Workload, network: Network, micro: int, each_time: bool = False) -> Timeline:
    """So many micro-batches for one update; an all-reduce after the last, or after each."""
    plan = Planner(work.lanes)
    for number in range(micro):
        _forward(plan, work, f"forward {number}", plan.free(network=True))
        _backward(plan, work, network, "all_reduce" if each_time or number == micro - 1 else "")
    plan.compute("update", "update", work.update(), plan.free(network=True))
    return _holding(plan, work, 0)


def zero_1(work: Workload, network: Network) -> Timeline:
    """The all-reduce in two halves; between them each GPU updates its shard alone."""
    plan = Planner(work.lanes)
    _forward(plan, work)
    done = _backward(plan, work, network)
    halved = plan.network("reduce-scatter", network.run("reduce_scatter", work.bytes), done)
    _update_shard(plan, work, network, halved.end)
    return _holding(plan, work, 1)


def zero_2(work: Workload, network: Network) -> Timeline:
    """Each bucket goes to the GPU that keeps its shard as soon as it is there, and is freed."""
    plan = Planner(work.lanes)
    _forward(plan, work)
    _backward(plan, work, network, "reduce_scatter")
    _update_shard(plan, work, network, plan.free(network=True))
    return _holding(plan, work, 2)


def zero_3(work: Workload, network: Network, prefetched: bool = False) -> Timeline:
    """Parameters sharded, too: those of a bucket are gathered in the forward and backward pass.

    prefetched: while the bucket before it computes, as in FSDP; else when that is done.
    """
    plan = Planner(work.lanes)
    plan.compute("load", "load", LOAD)
    order = [(bucket, False) for bucket in range(work.buckets)]
    order += [(bucket, True) for bucket, _ in reversed(order)]

    def gather(number: int, ready: float) -> Span:
        timing = network.run("all_gather", work.parts[order[number][0]])
        return plan.network(str(order[number][0]), timing, ready)

    gathers = [gather(0, 0.0)]
    for number, (bucket, back) in enumerate(order):
        gathered = gathers[-1]
        more, start = number + 1 < len(order), max(gathered.end, plan.free())
        if more and prefetched:
            gathers.append(gather(number + 1, start))
        took = work.part_of(work.backward if back else work.forward, bucket)
        done = plan.compute("backward" if back else "forward", str(bucket), took, gathered.end).end
        plan.hold("whole buckets", _of_others(work, bucket), gathered.start, done)
        if back:
            _reduce_scatter(plan, work, network, bucket, start, done)
        if more and not prefetched:
            gathers.append(gather(number + 1, done))
    plan.compute("update", "update", work.update(work.gpus), plan.free(network=True))
    return _holding(plan, work, 3)


def _forward(plan: Planner, work: Workload, label: str = "forward", ready: float = 0.0) -> None:
    plan.compute("load", "load", LOAD, ready)
    plan.compute("forward", label, work.forward)


def _backward(plan: Planner, work: Workload, network: Network, collective: str = "") -> float:
    """The backward pass, bucket by bucket, with a collective of each; when it is computed."""
    for bucket in reversed(range(work.buckets)):
        span = plan.compute("backward", str(bucket), work.part_of(work.backward, bucket))
        if collective == "reduce_scatter":
            _reduce_scatter(plan, work, network, bucket, span.start, span.end)
        elif collective:
            plan.network(str(bucket), network.run(collective, work.parts[bucket]), span.end)
    return plan.free()


def _reduce_scatter(
    plan: Planner, work: Workload, network: Network, bucket: int, start: float, done: float
) -> None:
    """Sum up a bucket on the GPUs that keep its shards; until then each holds all of it."""
    timing = network.run("reduce_scatter", work.parts[bucket])
    end = plan.network(str(bucket), timing, done).end
    plan.hold("whole buckets", _of_others(work, bucket), start, end)


def _update_shard(plan: Planner, work: Workload, network: Network, ready: float) -> None:
    """Each GPU updates its shard, then all gather the new parameters."""
    done = plan.compute("update", "update", work.update(work.gpus), ready).end
    plan.network("all-gather", network.run("all_gather", work.bytes), done)


def _of_others(work: Workload, bucket: int) -> Fraction:
    """Bytes of a bucket beside the GPU's own shard of it."""
    return Fraction(work.parts[bucket] * (work.gpus - 1), work.gpus)


def _holding(plan: Planner, work: Workload, stage: int) -> Timeline:
    """The timeline, with what a GPU holds all the time by the stage of ZeRO."""
    end = max(plan.free(), plan.free(network=True))
    for what, size in state_parts(stage, work.parameters, work.gpus).items():
        plan.hold(what, size, 0.0, end)
    return plan.timeline()
