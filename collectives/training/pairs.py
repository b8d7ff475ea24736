"""Pairs of training steps that show what a scheme gains: one without it, one with it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from collectives.cost.machines.named import topology
from collectives.cost.machines.topology import Topology
from collectives.errors import BadInput
from collectives.training.data_parallel import accumulated, ddp, zero_1, zero_2, zero_3
from collectives.training.gathered import GatheredProduct
from collectives.training.layer_parallel import expert, sequence, tensor, ulysses
from collectives.training.network import Network
from collectives.training.parallel import Layer
from collectives.training.pipelines import gpipe, one_forward_one_backward, pipeline
from collectives.training.timeline import Timeline
from collectives.training.workload import FLOPS, Workload
from collectives.words import nearest

GPUS = 4
GPU_MEMORY = 80 * 10**9  # bytes of an H100
MICRO = 8  # micro-batches of a pipeline
ACCUMULATED = 4
UNEVEN = (4, 2, 1, 1)  # how often each expert is chosen, in eighths


@dataclass(frozen=True)
class TrainingPair:
    """Two timelines of the same work, and on what: `before` is without, `after` with the scheme.

    setup: numbers that both share, by name. memory: bytes that a GPU has room for, 0 where there
    is room enough, None where memory is not what matters.
    """

    scheme: str
    before: Timeline
    after: Timeline
    setup: dict[str, float] = field(default_factory=dict)
    memory: int | None = None

    @property
    def timelines(self) -> tuple[Timeline, Timeline]:
        """Both."""
        return self.before, self.after


def _ethernet() -> Network:
    """A link of 100 Gbit/s for each GPU."""
    return _on(topology("crossbar", GPUS, bandwidth="12.5GB/s"))


def _cards() -> Network:
    """Nodes of one GPU, each with a card of 400 Gbit/s."""
    return _on(topology("crossbar", GPUS))


def _node() -> Network:
    """GPUs of one node, joined by NVLink."""
    return _on(topology("hgx-h100", GPUS))


def _on(machine: Topology) -> Network:
    return Network(machine, GPUS)


def _of(work: Workload) -> dict[str, float]:
    return {"parameters": work.parameters, "tokens": work.tokens, "buckets": work.buckets}


def _layer(layer: Layer) -> dict[str, float]:
    return {"tokens": layer.tokens, "hidden": layer.hidden}


def _ddp() -> TrainingPair:
    work, cards = Workload(3 * 10**9, 6144), _cards()
    return TrainingPair("ddp", ddp(work, cards, overlapped=False), ddp(work, cards), _of(work))


def _accumulation() -> TrainingPair:
    work, net = Workload(3 * 10**9, 6144, buckets=3), _ethernet()
    every_time, last = (
        accumulated(work, net, ACCUMULATED, each_time) for each_time in (True, False)
    )
    return TrainingPair("accumulation", every_time, last, {**_of(work), "micro": ACCUMULATED})


def _zero(stage: int) -> TrainingPair:
    """A stage of ZeRO beside the one below it."""
    billions = 7 if stage < 3 else 16  # what the stage below has no room for
    work, cards = Workload(billions * 10**9, 6144), _cards()
    stages = [
        lambda: ddp(work, cards, overlapped=False),
        lambda: zero_1(work, cards),
        lambda: zero_2(work, cards),
        lambda: zero_3(work, cards),
        lambda: zero_3(work, cards, prefetched=True),
    ]
    name = f"zero-{stage}" if stage < 4 else "fsdp"
    return TrainingPair(name, stages[stage - 1](), stages[stage](), _of(work), GPU_MEMORY)


def _tensor() -> TrainingPair:
    layer = Layer(1, 8192, 8192)
    return TrainingPair("tensor", tensor(layer, _cards()), tensor(layer, _node()), _layer(layer))


def _sequence() -> TrainingPair:
    layer, node = Layer(1, 8192, 8192), _node()
    return TrainingPair(
        "sequence", tensor(layer, node), sequence(layer, node), _layer(layer), memory=0
    )


def _ulysses() -> TrainingPair:
    layer, cards = Layer(1, 8192, 8192), _cards()
    return TrainingPair("ulysses", sequence(layer, cards), ulysses(layer, cards), _layer(layer))


def _expert() -> TrainingPair:
    layer, cards = Layer(1, 8192, 8192), _cards()
    even, uneven = (expert(layer, cards, shares) for shares in (None, UNEVEN))
    setup = {**_layer(layer), "hot": UNEVEN[0] / sum(UNEVEN)}
    return TrainingPair("expert", even, uneven, setup)


def _gathered() -> TrainingPair:
    """All at once and in pieces, each of whole waves of tiles."""
    product = GatheredProduct(8448, 8192, 28672, _cards(), drawn=GPUS)
    setup = {"tokens": product.tokens, "hidden": product.hidden, "columns": product.columns}
    return TrainingPair("gathered", product.at_once, product.in_pieces, {**setup})


def _pipelines(name: str) -> TrainingPair:
    """All at once and in micro-batches, or these in another order; 4 layers on each stage."""
    hidden, tokens, layers, cards = 8192, 2048, 4, _cards()
    small, large = Layer(1, tokens, hidden), Layer(MICRO, tokens, hidden)
    seconds = 2.0 * layers * 12 * hidden**2 * tokens / FLOPS
    micro = pipeline(gpipe(GPUS, MICRO), seconds, small, cards, layers)
    if name == "pipeline":
        gpipe_run = pipeline(gpipe(GPUS, 1), MICRO * seconds, large, cards, layers)
        both = gpipe_run, micro
    else:
        both = micro, pipeline(one_forward_one_backward(GPUS, MICRO), seconds, small, cards, layers)
    setup = {**_layer(small), "micro": MICRO, "layers": layers}
    return TrainingPair(name, *both, setup, None if name == "pipeline" else 0)


PAIRS: dict[str, Callable[[], TrainingPair]] = {
    "ddp": _ddp,
    "accumulation": _accumulation,
    "zero-1": lambda: _zero(1),
    "zero-2": lambda: _zero(2),
    "zero-3": lambda: _zero(3),
    "fsdp": lambda: _zero(4),
    "tensor": _tensor,
    "sequence": _sequence,
    "ulysses": _ulysses,
    "pipeline": lambda: _pipelines("pipeline"),
    "1f1b": lambda: _pipelines("1f1b"),
    "expert": _expert,
    "gathered": _gathered,
}


def training_pair(scheme: str) -> TrainingPair:
    """The two timelines that show a scheme; raises BadInput with the nearest name.

    >>> pair = training_pair("ddp")
    >>> f"{pair.before.total:.3f} s, {pair.after.total:.3f} s"
    '0.492 s, 0.342 s'
    """
    key = str(scheme).strip().lower().replace("_", "-")
    if key not in PAIRS:
        raise BadInput(f"unknown scheme {scheme!r}; {nearest(key, PAIRS)}")
    return PAIRS[key]()
