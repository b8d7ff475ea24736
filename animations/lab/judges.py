"""Judges of answers that are no schedule: compared with what executing gives."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import numpy as np

from animations.lab.machine_judges import best_group, hierarchical, layout, seating, second_tree
from animations.lab.predictions.number_answers import answer_of
from animations.lab.printed_benchmarks import benchmarks
from animations.lab.trouble_judges import culprits
from animations.lab.verdicts import compared, judged
from collectives import units
from collectives.catalog import find_row
from collectives.cost.busbw import bandwidths
from collectives.cost.choose.chunks import best_chunks as best_by_clock
from collectives.cost.choose.crossover import crossings
from collectives.cost.choose.setup import Setup
from collectives.cost.clocks.clock import lockstep
from collectives.cost.machines import topology
from collectives.proof.check import check
from collectives.proof.prove import Verdict
from collectives.recording.recorder import record
from collectives.recording.recording import Recording
from collectives.routed_promises import dispatch
from collectives.routing import random_routing
from collectives.training.network import Network
from collectives.training.parallel import Layer, sharded_bytes
from collectives.training.pipelines import one_forward_one_backward, pipeline
from collectives.training.train import train
from collectives.words import brief, listed, percent, plural

time_text = partial(units.time_text, digits=3)
size_text = partial(units.size_text, digits=3)
LATENCY, BANDWIDTH = 5e-6, 50e9
MOST_CHUNKS = 10_000  # that are timed
TOKENS = 3  # of each rank in a dispatch
MOST_TOKENS = 4096  # of the batch, for each GPU
FIVE = {  # an algorithm of each
    "broadcast": "tree",
    "all_reduce": "ring",
    "all_gather": "ring",
    "reduce_scatter": "ring",
    "all_to_all": "pairwise",
}


def vector(
    algorithm: str, ranks: int, size: int, collective: str = "all_reduce", **more: Any
) -> Recording:
    """The recording of an algorithm for a vector of `size` bytes."""
    return record(collective, algorithm, ranks=ranks, count=size, dtype="uint8", **more)


def crossbar(latency: float = LATENCY, bandwidth: float = BANDWIDTH) -> Setup:
    """A link of each rank to one switch, on the clock that runs one step after the other."""
    return Setup(
        lambda run: topology("crossbar", run.ranks, latency=latency, bandwidth=bandwidth), lockstep
    )


def crossover(answer: Any, latency: float = LATENCY, bandwidth: float = BANDWIDTH) -> Verdict:
    """The size where ring and tree meet, against bisection on the clock."""
    text, wrong = partial(size_text, binary=False), []
    cases = [(n, latency) for n in (4, 8, 16, 32, 64)] + [(8, 4 * latency)]
    for n, alpha in cases:
        machine = crossbar(alpha, bandwidth)

        def seconds(algorithm: str, size: int, n: int = n, machine: Setup = machine) -> float:
            return machine.time(vector(algorithm, n, size)).total

        tree, ring = partial(seconds, "tree"), partial(seconds, "ring")
        case, meets = f"{n} ranks, α = {time_text(alpha)}", crossings(tree, ring)[-1].size
        size, problem = answer_of(answer, n, alpha, 1 / bandwidth)
        if problem:
            return Verdict(False, f"{case}: {problem}")
        if size < 1:
            wrong.append(f"{case}: {size:.2g} B instead of {text(meets)}")
        elif not np.isclose(size, meets, rtol=0.01):
            near = round(min(size, 1e18))
            both = f"the tree takes {time_text(tree(near))}, the ring {time_text(ring(near))}"
            wrong.append(f"{case}: {text(near)} instead of {text(meets)}; at {text(near)} {both}")
    return judged("crossover", wrong, len(cases))


def best_chunks(answer: Any, latency: float = LATENCY, bandwidth: float = BANDWIDTH) -> Verdict:
    """A number of chunks, by its time beside that of the best number."""
    row, wrong = find_row("broadcast", "ring"), []
    cases = [(n, size, latency) for n in (3, 8, 32) for size in (1 << 12, 1 << 20, 1 << 26)]
    cases.append((8, 1 << 26, 4 * latency))
    for n, size, alpha in cases:
        machine = crossbar(alpha, bandwidth)
        case = f"{n} ranks, {size_text(size)}, α = {time_text(alpha)}"
        best = best_by_clock(row, n, size, machine)
        chosen, problem = answer_of(answer, n, size, alpha, 1 / bandwidth, whole=True)
        if problem:
            return Verdict(False, f"{case}: {problem}")
        recording = vector("ring", n, size, "broadcast", chunks=min(chosen, size, MOST_CHUNKS))
        total = machine.time(recording).total
        if total > 1.02 * best.seconds:
            few = "too few" if chosen < best.best else "too many"
            wrong.append(
                f"{case}: {time_text(total)} with {plural(chosen, 'chunk')} instead of "
                f"{time_text(best.seconds)} with {best.best}: {few}"
            )
    return judged("best_chunks", wrong, len(cases))


def bottlenecks(answer: Any) -> Verdict:
    """The kind of link that is busy for the largest part of the time, of each case."""
    slow = {"leaf": 2, "oversubscription": 4}
    cases: Mapping[str, tuple[str, int, Mapping[str, int]]] = {
        "ring, 64 ranks": ("ring", 64, {}),
        "hierarchical, 64 ranks": ("hierarchical", 64, {}),
        "hierarchical, 16 ranks": ("hierarchical", 16, {}),
        "hierarchical, 64 ranks, oversubscribed": ("hierarchical", 64, slow),
    }
    if not isinstance(answer, dict):
        return Verdict(False, "bottlenecks is no dict: it must name a link for each case")
    wrong = []
    for name, (algorithm, ranks, more) in cases.items():
        parameters = {"gpus": 8} if algorithm == "hierarchical" else {}
        recording = vector(algorithm, ranks, 1 << 28, parameters=parameters)
        machine = topology("cluster", ranks, gpus=8, outside="ib-ndr", **more)
        use: dict[str, float] = {}
        for link, share in enumerate(lockstep(recording, machine).link_use):
            ends = (machine.kind_of(int(end[link])) for end in (machine.src, machine.dst))
            kind = " → ".join(ends)
            use[kind] = max(use.get(kind, 0.0), float(share))
        named, busiest = answer.get(name), max(use.values())
        if not isinstance(named, str) or named not in use:
            wrong.append(f"{name}: {named!r} instead of one of {', '.join(use)}")
        elif use[named] < 0.999 * busiest:
            wrong.append(f"{name}: {named} is busy {use[named]:.0%} of the time: not the busiest")
    return judged("bottlenecks", wrong, len(cases))


def what_it_does(answer: Any) -> Verdict:
    """Functions of the data of all ranks, each against the recording of a collective."""
    if not isinstance(answer, dict):
        return Verdict(False, "what_it_does is no dict: it must have a function for each name")
    random, wrong = np.random.default_rng(1), []
    for name, algorithm in FIVE.items():
        for ranks in (2, 3, 4):
            data = random.integers(-9, 10, (ranks, 2 * ranks))
            kept = record(name, algorithm, ranks=ranks, data=data).result()
            try:
                mine = [np.asarray(part) for part in answer[name](data.copy())]
            except Exception as problem:
                wrong.append(f"{name}: raised {type(problem).__name__}: {problem}")
                break
            pairs = enumerate(zip(mine, kept, strict=False))
            differ = [rank for rank, (own, right) in pairs if not np.array_equal(own, right)]
            if len(mine) != ranks or differ:
                rank = differ[0] if differ else 0
                own = mine[rank].tolist() if rank < len(mine) else "nothing"
                has = f"rank {rank} has {own} instead of {kept[rank].tolist()}"
                wrong.append(f"{name} of {data.tolist()}: {has}")
                break
    return judged("what_it_does", wrong, len(FIVE))


def ring_sum(answer: Any) -> Verdict:
    """A sum of float32 in the order of a ring, to the last bit."""
    random, wrong, cases = np.random.default_rng(1), [], 0
    for ranks in (3, 4, 6):
        for _ in range(20):
            scale = 10.0 ** random.integers(-4, 5, (ranks, 1))
            data = (random.normal(size=(ranks, ranks)) * scale).astype(np.float32)
            result = record("all_reduce", "ring", ranks=ranks, data=data).result()[0]
            for chunk in range(ranks):
                cases, where = cases + 1, f"{ranks} ranks, chunk {chunk}"
                try:
                    mine = np.float32(answer(data[:, chunk].copy(), chunk))
                except Exception as problem:
                    return Verdict(False, f"{where}: {type(problem).__name__}: {problem}")
                if mine != result[chunk]:
                    wrong.append(f"{where}: {mine:.9g} instead of {result[chunk]:.9g}")
    return judged("ring_sum", wrong, cases)


def judge_dispatch(answer: Any) -> Verdict:
    """A dispatch of tokens to the ranks of their experts, two of each rank: proved, each once."""
    if not callable(answer):
        return Verdict(False, f"{brief(answer)} is no function; define it again with def")
    cases = [(ranks, seed) for ranks in (2, 4, 8) for seed in range(3)]
    for ranks, seed in cases:
        routing = random_routing(ranks, TOKENS, 2 * ranks, 2, seed=seed)

        def expert_dispatch(n: int, choice: Any = routing.choice) -> Any:
            return answer(n, choice)

        own: dict[str, Any] = {"collective": dispatch(routing), "ranks": ranks}
        own["slots"] = routing.slots
        verdict = check(expert_dispatch, **own)
        where = f"{plural(ranks, 'rank')}, experts {routing.choice.tolist()}"
        if not verdict:
            return Verdict(False, f"{where}: {verdict.text}")
        copies = sum(len(step.src) for step in record(expert_dispatch, **own).steps)
        needed = len(routing.direct()[0])
        if copies > needed:
            text = f"right, but {copies} copies are sent, and {needed} are enough"
            return Verdict(False, f"{where}: {text}")
    return judged("expert_dispatch", [], len(cases))


def judge_busbw(answer: Any) -> Verdict:
    """The bus bandwidth of nccl-tests, for each collective."""

    def busbw(*arguments: Any) -> float:
        return bandwidths(*arguments).busbw

    cases = [(name, ranks, 1 << 30, 0.004) for name in FIVE for ranks in (2, 8, 64)]
    return compared(answer, busbw, cases, units.rate_text)


def judge_step_bytes(answer: Any) -> Verdict:
    """Bytes that a rank sends in a step, by scheme."""

    def step_bytes(scheme: str, parameters: int, ranks: int) -> float:
        return float(sharded_bytes(scheme, 2 * parameters, ranks))

    schemes = ("ddp", "zero-1", "zero-3")
    cases = [(scheme, 7_000_000_000, ranks) for scheme in schemes for ranks in (2, 8, 64)]
    return compared(answer, step_bytes, cases, lambda size: size_text(round(size), binary=False))


def judge_idle_share(answer: Any) -> Verdict:
    """The bubble of a pipeline, against the idle time of an executed one."""

    def idle_share(stages: int, batches: int) -> float:
        machine = topology("crossbar", stages, latency=0.0, bandwidth=1e18)
        orders = one_forward_one_backward(stages, batches)
        spans = pipeline(orders, 1.0, Layer(1, 1, 1), Network(machine, stages)).spans
        busy = sum(span.end - span.start for span in spans if span.kind in ("forward", "backward"))
        return 1 - busy / (stages * max(span.end for span in spans))

    return compared(answer, idle_share, [(2, 2), (4, 4), (4, 16), (8, 8)], percent)


def budget(answer: Any) -> Verdict:
    """Settings of a training step of a large model: it must fit, and wait little."""
    allowed = ("bucket", "compression", "scheme", "tokens")
    if not isinstance(answer, dict) or answer.keys() - {*allowed}:
        return Verdict(False, f"{brief(answer)}: must be a dict with keys of {listed([*allowed])}")
    setting: dict[str, Any] = {"nics": 2, "tokens": 2048} | answer
    if not isinstance(setting["tokens"], int) or setting["tokens"] > MOST_TOKENS:
        return Verdict(
            False, f"tokens {brief(setting['tokens'])}: the batch has {MOST_TOKENS} a GPU"
        )
    cost, *_ = train("70B", ranks=64, topology="cluster", **setting).schemes
    waits = cost.exposed / cost.step
    memory = size_text(int(cost.memory), binary=False)
    text = f"a step of {time_text(cost.step)}, {percent(waits)} of it waiting, {memory} a GPU"
    if not cost.fits:
        return Verdict(False, f"budget: {text}: more than a GPU has")
    if waits > 0.2:
        return Verdict(False, f"budget: {text}: more than a fifth")
    return Verdict(True, f"budget: right; {text}")


JUDGES: Mapping[str, Callable[..., Verdict]] = {
    judge.__name__.removeprefix("judge_"): judge
    for judge in (
        *(crossover, best_chunks, bottlenecks, what_it_does, ring_sum, seating, hierarchical),
        *(best_group, culprits, judge_busbw, judge_step_bytes, judge_idle_share, budget, layout),
        *(second_tree, benchmarks, judge_dispatch),
    )
}
