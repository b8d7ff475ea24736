"""The timeline of tensor parallelism inside groups of GPUs, and data parallelism across them."""

from __future__ import annotations

from collections.abc import Sequence

from collectives.training.layer_parallel import run_layers, sliced_blocks
from collectives.training.network import Network
from collectives.training.parallel import Layer, state_parts
from collectives.training.timeline import Planner, Timeline
from collectives.training.workload import LOAD, Workload

ATTENTION = 4 / 12  # of a layer's weights; its MLP has the others


def gradient_sizes(work: Workload, split: int, layers: int) -> list[int]:
    """Bytes of a GPU's slice of the gradients that are summed after each layer, 0 for most.

    Buckets hold whole layers, so that there are at most as many; the first layer's comes last.
    """
    buckets = min(work.buckets, layers)
    firsts = [layers * k // buckets for k in range(buckets)]  # of the layers of each bucket
    ends = [-(-work.bytes * layer // (split * layers)) for layer in (*firsts, layers)]
    sizes = [0] * layers
    for k, layer in enumerate(firsts):
        sizes[layer] = ends[k + 1] - ends[k]
    return sizes


def tensor_and_data(
    work: Workload, layer: Layer, layers: int, inside: Network, across: Network | None
) -> Timeline:
    """Load, forward, backward, update: all-reduces after each block, and of gradients by bucket.

    inside: the GPUs that share every layer, whose blocks wait for their all-reduces (Shoeybi et
    al., Megatron-LM, 2019, section 3). across: those with the same slice, None where there is one;
    their all-reduces run beside the backward pass, and one collective runs at a time.
    """
    plan = Planner(work.lanes)
    plan.compute("load", "load", LOAD)
    passed = work.forward / layers
    blocks = sliced_blocks(layer, inside, [ATTENTION * passed, (1 - ATTENTION) * passed])
    sizes: Sequence[int] = gradient_sizes(work, inside.ranks, layers)

    def sum_up(number: int, done: float) -> None:
        if across and sizes[number]:
            timing = across.run("all_reduce", sizes[number])
            plan.network(f"gradients {number}", timing, done)

    run_layers(plan, blocks, layers, after=sum_up)
    plan.compute("update", "update", work.update(inside.ranks), plan.free(network=True))
    end = plan.free()
    for what, size in state_parts(0, work.parameters, 1).items():
        plan.hold(what, size / inside.ranks, 0.0, end)
    return plan.timeline()
