"""`collectives.train`: what a training step costs on a machine under schemes that are compared."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from collectives.cost.machines.topology import Topology
from collectives.cost.where import Where, where_of
from collectives.errors import BadInput
from collectives.training.network import ranks_of
from collectives.training.pairs import GPU_MEMORY
from collectives.training.parallel import SCHEMES
from collectives.training.tensor_model import TENSOR, TensorModel, tensor_note, tensor_split
from collectives.training.train_model import (
    MOST_BUCKETS,
    MOST_TRIED,
    PLANS,
    PRICE,
    PRICE_SOURCE,
    TOKENS,
    TrainingModel,
    TrainingOptions,
)
from collectives.training.train_report import TrainingReport
from collectives.training.workload import FLOPS, LOAD
from collectives.units import parse_parameters, rate_text, size_in_bytes, size_text, time_text
from collectives.values import instance, items_of
from collectives.words import brief, listed, nearest, plural

MOST_RANKS, MOST_SCHEMES = 1024, 8


def train(
    parameters: int | str,
    *,
    ranks: int,
    topology: str | Topology,
    scheme: str | Sequence[str] = "ddp",
    tokens: int = TOKENS,
    flops: float = FLOPS,
    bucket: int | str | None = None,
    compression: str | None = None,
    price: float = PRICE,
    layers: int | None = None,
    hidden: int | None = None,
    **machine: object,
) -> TrainingReport:
    """What a training step costs: bytes, seconds, memory and dollars, for each scheme.

    Parameters
    ----------
    parameters : int or str
        Of the model: 7_000_000_000 or "7B". They and their gradients are in bf16.
    ranks : int
        GPUs, each with a part of the batch.
    topology : str or Topology
        The machine: a name, which may have parameters behind a colon ("cluster:nics=4"), a
        FILE.toml or a machine.
    scheme : str or sequence of str
        "ddp", "zero-1", "zero-2", "zero-3", "fsdp" (ZeRO 3 that gathers ahead), or "tensor=8",
        where 8 consecutive ranks share every layer and such groups share the batch; or several.
    tokens : int
        Of each GPU in a step.
    flops : float
        Operations per second of a GPU as it trains; by default 40 % of an H100's peak.
    bucket : int or str, optional
        Bytes of gradients that are sent together; by default 25 MiB in DDP, 1 GB elsewhere.
    compression : str, optional
        The type in which gradients are sent and summed: "fp8", "int8" or "fp4".
    price : float
        Dollars per GPU and hour.
    layers, hidden : int, optional
        Of the model, for tensor=K: how many layers, and how many numbers of each token. They
        follow from the parameters, see `collectives.training.parallel.layer_shape`.
    **machine
        Parameters of the machine, such as nics=4.

    Returns
    -------
    TrainingReport
        `schemes`, each with sent, communication, exposed, step, memory, minimum_bandwidth, wall
        and dollars; `lines()` and `as_json()`.

    Raises
    ------
    BadInput
        For values that cannot be used, and for unknown schemes.

    Examples
    --------
    >>> train("7B", ranks=8, topology="hgx-h100", scheme="fsdp")
    <TrainingReport: 7B parameters, 8 ranks on hgx-h100; fsdp 879 ms>
    """
    number = parse_parameters(parameters) if isinstance(parameters, str) else parameters
    size = None if bucket is None else size_in_bytes(bucket, "bucket")
    options = TrainingOptions(number, tokens, flops, size, compression, price, layers, hidden)
    names = [scheme] if isinstance(scheme, str) else items_of("scheme", scheme, "['ddp']", 99)
    return trained(options, ranks, where_of(topology, "lockstep", None, machine), names)


def trained(
    options: TrainingOptions, ranks: int | None, where: Where, schemes: Sequence[str]
) -> TrainingReport:
    """The same on a machine that is known; raises BadInput."""
    names = list(dict.fromkeys(map(_scheme, schemes)))
    if not 1 <= len(names) <= MOST_SCHEMES:
        raise BadInput(f"{plural(len(names), 'scheme')}: 1 to {MOST_SCHEMES}; try: --scheme ddp")
    ranks = ranks_of(where, ranks, MOST_RANKS)
    splits = {name: tensor_split(name, ranks) for name in names if name.startswith(TENSOR)}
    for option, value in (("layers", options.layers), ("hidden", options.hidden)):
        if value is not None and not splits:
            raise BadInput(f"{option} {value}: no scheme shares out layers; try: --scheme tensor=2")
    model = TrainingModel(options, ranks, where.topology(ranks))
    tensor = {name: TensorModel(model, split) for name, split in splits.items()}
    return TrainingReport(
        options.parameters,
        options.tokens,
        ranks,
        where.called,
        options.flops,
        model.links["all_gather"].bandwidth,
        model.work.forward + model.work.backward,
        options.price,
        [tensor[name].cost() if name in tensor else model.cost(name) for name in names],
        (
            *_notes(options, model),
            *_raised([name for name in names if name not in tensor], model),
            *([tensor_note([*tensor.values()])] if tensor else ()),
        ),
    )


def _raised(schemes: Sequence[str], model: TrainingModel) -> Iterator[str]:
    """Which schemes have larger buckets than their own, as there would be too many."""
    raised = [scheme for scheme in schemes if model.raises_bucket(scheme)]
    if raised:
        yield (
            f"The bucket of {listed(raised)} is larger than usual (25 MiB in ddp, else 1 GB): at "
            f"most {MOST_BUCKETS:,} buckets are executed."
        )


def _scheme(name: str) -> str:
    """The name of a scheme as it is listed; raises BadInput with the nearest."""
    key = instance("scheme", name, str, "ddp").strip().lower().replace("_", "-")
    if key.startswith(TENSOR):
        return key
    if key in SCHEMES.keys() - PLANS.keys():
        rule = "is none of those that train compares"
        raise BadInput(f"scheme {brief(name)}: {rule}; try: {', '.join(PLANS)}, {TENSOR}8")
    if key not in PLANS:
        raise BadInput(f"unknown scheme {brief(name)}; {nearest(key, [*PLANS, f'{TENSOR}8'])}")
    return key


def _notes(options: TrainingOptions, model: TrainingModel) -> tuple[str, ...]:
    """What the numbers are of, and which of them are defaults that can be changed."""
    work, machine = model.work, rate_text(model.links["all_gather"].bandwidth, 3)
    usual = " (40 % of an H100's dense bf16 peak)" if options.flops == FLOPS else ""
    source = f" ({PRICE_SOURCE})" if options.price == PRICE else ""
    sent = f"gradients are sent and summed in {options.compression}; " * bool(options.compression)
    passes = (
        f"Each GPU: {options.tokens:,} tokens (--tokens) at {options.flops / 1e12:.4g} TFLOP/s"
        f"{usual} (--flops): {time_text(work.forward, 3)} forward, {time_text(work.backward, 3)} "
        f"backward, {time_text(LOAD, 3)} to load the batch, and an update at the memory rate of "
        "an H100. Collectives are rings that are executed and timed on the machine."
    )
    state = (
        f"Parameters and gradients are bf16, {sent}the state of Adam takes 12 bytes a parameter; "
        f"a GPU has {size_text(GPU_MEMORY, binary=False)}."
    )
    links = (
        f"The bandwidth is that of each GPU, in one direction; here it is {machine}. It hides all "
        "communication if every transfer runs beside its pass. Communication wall: from so many "
        f"GPUs with such links, the batch of these {model.ranks} takes longer to communicate than "
        "to compute. Largest speed-up: of 1, 2, 4 … GPUs for this batch against one, if nothing is "
        "hidden; Amdahl's law, with communication for the serial part."
    )
    buckets = (
        f"Best bucket: of the gradients in 1, 2, 4 … {MOST_TRIED} buckets, the fewest whose step "
        "is within 0.1 % of the shortest."
    )
    return (
        passes,
        state,
        links,
        buckets,
        f"A GPU costs ${options.price:g} an hour{source} (--price).",
    )
