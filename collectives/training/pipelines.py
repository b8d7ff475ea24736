"""Timelines of pipelines: a stage of the model on each GPU, micro-batches one after another.

GPipe: Huang et al., NeurIPS 2019. One forward, one backward: Narayanan et al., PipeDream,
SOSP 2019; without stale weights, SC 2021, section 2.2.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

from collectives.training.network import Network
from collectives.training.parallel import Layer
from collectives.training.timeline import Kind, Planner, Timeline
from collectives.training.workload import BACKWARD
from collectives.values import positive, whole

Task = tuple[bool, int]  # whether it is backward, the micro-batch


def gpipe(stages: int, micro: int) -> list[list[Task]]:
    """The tasks of each stage in order: all forward passes, then all backward.

    >>> gpipe(2, 2)[0]
    [(False, 0), (False, 1), (True, 0), (True, 1)]
    """
    return [[(back, m) for back in (False, True) for m in range(micro)] for _ in range(stages)]


def one_forward_one_backward(stages: int, micro: int) -> list[list[Task]]:
    """As few forward passes as keep later stages at work, then one of each in turn.

    >>> one_forward_one_backward(2, 2)
    [[(False, 0), (False, 1), (True, 0), (True, 1)], [(False, 0), (True, 0), (False, 1), (True, 1)]]
    """
    orders = []
    for stage in range(stages):
        ahead = min(micro, stages - 1 - stage)
        order = [(False, m) for m in range(ahead)]
        for m in range(micro):
            order += [(False, m + ahead)] * (m + ahead < micro) + [(True, m)]
        orders.append(order)
    return orders


def pipeline(
    orders: Sequence[Sequence[Task]],
    forward: float,
    layer: Layer,
    network: Network,
    layers: int = 1,
) -> Timeline:
    """Run the tasks of each stage in its order, each as soon as what it needs has arrived.

    forward: seconds of a micro-batch on a stage. layer: a micro-batch in one of the `layers`
    layers of a stage, whose inputs are held from the forward to the backward pass.
    """
    forward = positive("forward", forward, "s")
    kept = whole("layers", layers, minimum=1) * layer.bytes
    plan, waiting = Planner(len(orders)), [deque(order) for order in orders]
    arrived = {(0, False, m): 0.0 for back, m in orders[0] if not back}
    begun: dict[tuple[int, int], float] = {}

    def run(stage: int, back: bool, m: int) -> None:
        kind: Kind = "backward" if back else "forward"
        took = BACKWARD * forward if back else forward
        done = plan.compute(kind, str(m), took, arrived[stage, back, m], stage)
        begun.setdefault((stage, m), done.start)
        if back:
            plan.hold("activations", kept, begun[stage, m], done.end, stage)
        to = stage - 1 if back else stage + 1
        if 0 <= to < len(orders):
            hop = network.hop(stage, to, layer.bytes)
            arrived[to, back, m] = plan.network(str(m), hop, done.end, stage).end
        elif not back:  # the last stage turns round
            arrived[stage, True, m] = done.end

    while any(waiting):
        for stage, tasks in enumerate(waiting):
            while tasks and (stage, *tasks[0]) in arrived:
                run(stage, *tasks.popleft())
    return plan.timeline()
