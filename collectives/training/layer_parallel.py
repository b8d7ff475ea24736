"""Timelines of transformer layers shared out: tensor, sequence and expert parallelism, Ulysses.

A layer's attention has 4 h² weights, its two-layer network (MLP) 8 h², for h numbers a token; the
products of queries, keys and values take 4 t² h operations for t tokens. The backward pass takes
twice as long, its blocks in the opposite order.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from collectives.cost.clocks.timing import Timing
from collectives.errors import BadInput
from collectives.training.network import Network
from collectives.training.parallel import Layer
from collectives.training.timeline import Kind, Planner, Span, Timeline
from collectives.training.workload import BACKWARD, FLOPS
from collectives.values import whole

Call = tuple[str, Timing]


@dataclass(frozen=True)
class LayerBlock:
    """Part of a layer: its seconds forward, and the collectives before and after it, both ways."""

    name: str
    seconds: float
    before: tuple[Call, ...] = ()
    after: tuple[Call, ...] = ()
    back_before: tuple[Call, ...] = ()
    back_after: tuple[Call, ...] = ()


def tensor(layer: Layer, network: Network, layers: int = 1) -> Timeline:
    """Each GPU has a slice of every weight: an all-reduce after each block, forward and back."""
    return _sliced(layer, network, layers, (), ("all_reduce",), layer.bytes)


def sequence(layer: Layer, network: Network, layers: int = 1) -> Timeline:
    """As tensor parallelism, but between blocks each GPU holds only its part of the tokens."""
    kept = layer.bytes // network.ranks
    return _sliced(layer, network, layers, ("all_gather",), ("reduce_scatter",), kept)


def _sliced(
    layer: Layer,
    network: Network,
    layers: int,
    before: tuple[str, ...],
    after: tuple[str, ...],
    kept: int,
) -> Timeline:
    """Both blocks, between the same collectives forward and back: one is the other's gradient."""
    seconds = [whole_block / network.ranks for whole_block in _blocks(layer)]
    blocks = sliced_blocks(layer, network, seconds, before, after)
    return _layers(network, blocks, layers, kept)


def sliced_blocks(
    layer: Layer,
    network: Network,
    seconds: Sequence[float],
    before: Sequence[str] = (),
    after: Sequence[str] = ("all_reduce",),
) -> list[LayerBlock]:
    """Attention and MLP of a layer in slices, each of so many seconds, between collectives."""
    first, last = (
        tuple((name.replace("_", "-"), network.run(name, layer.bytes)) for name in names)
        for names in (before, after)
    )
    return [
        LayerBlock(name, time, first, last, first, last)
        for name, time in zip(("attention", "MLP"), seconds, strict=True)
    ]


def ulysses(layer: Layer, network: Network, layers: int = 1) -> Timeline:
    """Each GPU has part of the tokens, but for attention all tokens of part of the heads."""
    kept = layer.bytes // network.ranks
    part = network.run("all_to_all", kept)
    heads, tokens = tuple((name, part) for name in ("q", "k", "v")), (("out", part),)
    h, t = layer.hidden, layer.batch * layer.tokens
    projected, rest = (2.0 * k * h * h * t / FLOPS / network.ranks for k in (3, 9))
    scores = LayerBlock("scores", _scores(layer) / network.ranks, heads, tokens, tokens, heads)
    return _layers(
        network, [LayerBlock("q, k, v", projected), scores, LayerBlock("MLP", rest)], layers, kept
    )


def expert(
    layer: Layer, network: Network, shares: Sequence[int] | None = None, layers: int = 1
) -> Timeline:
    """An expert on each GPU: tokens go to theirs and back, in shares that may be uneven.

    shares: how often each expert is chosen, as parts of their sum; by default alike.
    """
    n = network.ranks
    tokens_of = [1] * n if shares is None else [whole("share", share) for share in shares]
    if len(tokens_of) != n or layer.tokens % max(1, sum(tokens_of)):
        raise BadInput(f"shares {tokens_of}: must be {n}, whose sum divides {layer.tokens} tokens")
    unit = layer.bytes // sum(tokens_of)
    counts = [share * unit for share in tokens_of]
    dispatch, combine = network.run("all_to_all", 0, counts), network.combine(counts)
    attention, mlp = _blocks(layer)
    work = [mlp * n * share / sum(tokens_of) for share in tokens_of]
    plan = Planner(n)

    def experts(kind: Kind, first: tuple[str, Timing], last: tuple[str, Timing]) -> None:
        arrived = plan.network(*first, ready=plan.free()).end
        times = BACKWARD if kind == "backward" else 1
        for gpu, seconds in enumerate(work):
            plan.compute(kind, "expert", times * seconds, arrived, gpu)
        plan.network(*last, ready=plan.free())

    for _ in range(layers):
        plan.compute("forward", "attention", attention, plan.free(network=True))
        experts("forward", ("dispatch", dispatch), ("combine", combine))
    for _ in range(layers):
        experts("backward", ("dispatch", dispatch), ("combine", combine))
        ready = plan.free(network=True)
        plan.compute("backward", "attention", BACKWARD * attention, ready)
    return plan.timeline()


def _blocks(layer: Layer) -> tuple[float, float]:
    """Seconds that attention and MLP of a layer take one GPU forward."""
    h, t = layer.hidden, layer.batch * layer.tokens
    return 2.0 * 4 * h * h * t / FLOPS + _scores(layer), 2.0 * 8 * h * h * t / FLOPS


def _scores(layer: Layer) -> float:
    """Seconds of the products of queries, keys and values on one GPU."""
    return 4.0 * layer.batch * layer.tokens**2 * layer.hidden / FLOPS


def _layers(network: Network, blocks: Sequence[LayerBlock], layers: int, kept: int) -> Timeline:
    """The timeline of blocks alone."""
    plan = Planner(network.ranks)
    run_layers(plan, blocks, layers, kept)
    return plan.timeline()


def run_layers(
    plan: Planner,
    blocks: Sequence[LayerBlock],
    layers: int,
    kept: int = 0,
    after: Callable[[int, float], None] = lambda layer, done: None,
) -> None:
    """Blocks one after another, forward, then back: each between the collectives it needs.

    kept: bytes of its input that each GPU holds from a block's forward to its backward pass.
    after(layer, done): what is planned when the backward pass of a layer has computed, at `done`.
    """
    begun: list[float] = []
    sent = plan.free(network=True)  # when what the next block needs is there

    def send(calls: Sequence[Call], ready: float) -> None:
        nonlocal sent
        for label, timing in calls:
            sent = plan.network(label, timing, ready).end

    def run(kind: Kind, block: LayerBlock, before: Sequence[Call], behind: Sequence[Call]) -> Span:
        send(before, plan.free())
        seconds = BACKWARD * block.seconds if kind == "backward" else block.seconds
        done = plan.compute(kind, block.name, seconds, sent)
        send(behind, done.end)
        return done

    for _ in range(layers):
        for block in blocks:
            begun.append(run("forward", block, block.before, block.after).start)
    for layer in reversed(range(layers)):
        for block in reversed(blocks):
            done = run("backward", block, block.back_before, block.back_after)
            plan.hold("inputs of blocks", kept, begun.pop(), done.end)
        after(layer, done.end)
