"""Bytes that sharded, tensor, sequence, pipeline and expert parallel training send.

All sizes are in bytes, for one step and one rank, unless it says otherwise. What a collective
sends is the catalog's closed form of an algorithm that reaches the lower bound.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from collectives.catalog import ROWS
from collectives.errors import BadInput
from collectives.training.gradients import MOST_RANKS, volume
from collectives.units import parameters_text
from collectives.values import whole
from collectives.words import nearest, plural


@dataclass(frozen=True)
class Scheme:
    """A way to share out training: the collectives of a step, each with how often it is run.

    Each is on the same vector of S bytes: the parameters, or the activations of a layer.
    """

    name: str
    vector: str
    calls: tuple[tuple[str, int], ...]
    source: str

    @property
    def collectives(self) -> frozenset[str]:
        """The names of the collectives."""
        return frozenset(name for name, _ in self.calls)

    def sent(self, ranks: int) -> Fraction:
        """Bytes each rank sends in a step, as a part of S."""
        return sum((times * _lower_bound(name, ranks) for name, times in self.calls), Fraction(0))


ZERO = "Rajbhandari et al., ZeRO, SC 2020, sections 5 and 7"
FSDP = "Zhao et al., FSDP, VLDB 16(12), 2023"
MEGATRON = "Shoeybi et al., Megatron-LM, arXiv 1909.08053, 2019, section 3"
SEQUENCE = "Korthikanti et al., MLSys 2023, section 4.2"
ULYSSES = "Jacobs et al., DeepSpeed-Ulysses, 2023, section 3.2"
ASPECT = 128  # hidden size over layers
WEIGHTS = 12  # times the hidden size squared, in a layer
MOST_LAYERS, MOST_HIDDEN = 256, 1 << 20
PARAMETERS, ACTIVATIONS = "parameters", "activations"
SCHEMES = {
    name: Scheme(name, vector, tuple(calls.items()), source)
    for name, vector, calls, source in (
        ("ddp", PARAMETERS, {"all_reduce": 1}, "Li et al., VLDB 13(12), 2020"),
        ("zero-1", PARAMETERS, {"reduce_scatter": 1, "all_gather": 1}, ZERO),
        ("zero-2", PARAMETERS, {"reduce_scatter": 1, "all_gather": 1}, ZERO),
        ("zero-3", PARAMETERS, {"all_gather": 2, "reduce_scatter": 1}, ZERO),
        ("fsdp", PARAMETERS, {"all_gather": 2, "reduce_scatter": 1}, FSDP),
        ("tensor", ACTIVATIONS, {"all_reduce": 4}, MEGATRON),
        ("sequence", ACTIVATIONS, {"all_gather": 4, "reduce_scatter": 4}, SEQUENCE),
        ("ulysses", ACTIVATIONS, {"all_to_all": 8}, ULYSSES),
        ("pipeline", ACTIVATIONS, {"send_recv": 2}, "Huang et al., GPipe, NeurIPS 2019, section 2"),
        ("expert", ACTIVATIONS, {"all_to_all": 4}, "Lepikhin et al., GShard, ICLR 2021, section 3"),
    )
}


def _lower_bound(collective: str, ranks: int) -> Fraction:
    """Bytes each rank sends by an algorithm that reaches the lower bound, as a part of S."""
    rows = (row for row in ROWS if row.collective == collective and "B" in row.form.optimal)
    return volume(collective, next(rows).algorithm, ranks).sent


def find_scheme(name: str) -> Scheme:
    """The scheme of this name; raises BadInput with the nearest."""
    key = str(name).strip().lower().replace("_", "-")
    if key not in SCHEMES:
        raise BadInput(f"unknown scheme {name!r}; {nearest(key, SCHEMES)}")
    return SCHEMES[key]


def sharded_bytes(scheme: str, size: int, ranks: int) -> Fraction:
    """Bytes each rank sends in a step of DDP, ZeRO or FSDP, of parameters of `size` bytes.

    >>> [float(sharded_bytes(name, 8, 8)) for name in ("ddp", "zero-2", "zero-3")]
    [14.0, 14.0, 21.0]
    """
    known = find_scheme(scheme)
    if known.vector != PARAMETERS:
        raise BadInput(f"scheme {scheme!r}: it does not share out parameters; try: zero-3")
    return known.sent(ranks) * whole("size", size)


def state_bytes(stage: int, parameters: int, ranks: int, optimizer: int = 12) -> Fraction:
    """Bytes of parameters, gradients and optimizer state each rank holds: ZeRO stage 0 to 3.

    Parameters and gradients take 2 bytes each, the state of the optimizer `optimizer` bytes a
    parameter (mixed-precision Adam: 12). Rajbhandari et al., SC 2020, section 5 and figure 1.

    >>> [round(float(state_bytes(stage, 7_500_000_000, 64)) / 1e9, 1) for stage in range(4)]
    [120.0, 31.4, 16.6, 1.9]
    """
    return sum(state_parts(stage, parameters, ranks, optimizer).values(), Fraction(0))


def state_parts(
    stage: int, parameters: int, ranks: int, optimizer: int = 12
) -> dict[str, Fraction]:
    """The bytes of `state_bytes` by what they are: parameters, gradients, optimizer."""
    stage = whole("stage", stage, maximum=3)
    parameters, ranks = whole("parameters", parameters), whole("ranks", ranks, 1, MOST_RANKS)
    parts = (
        ("parameters", 2, 3),
        ("gradients", 2, 2),
        ("optimizer", whole("optimizer", optimizer), 1),
    )
    return {
        what: Fraction(parameters * size, ranks if stage >= from_stage else 1)
        for what, size, from_stage in parts
    }


@dataclass(frozen=True)
class Layer:
    """A transformer layer at work: sequences of a micro-batch, tokens in each, numbers in each."""

    batch: int
    tokens: int
    hidden: int
    width: int = 2  # bytes of a number

    def __post_init__(self) -> None:
        """Refuse what is no size."""
        for name in ("batch", "tokens", "hidden", "width"):
            whole(name, getattr(self, name), minimum=1)

    @property
    def bytes(self) -> int:
        """Bytes of its input, which are those of its output."""
        return self.batch * self.tokens * self.hidden * self.width


def layer_shape(
    parameters: int, layers: int | None = None, hidden: int | None = None
) -> tuple[int, int]:
    """Layers L and numbers h of each token of a transformer with 12 L h² parameters.

    What is not said follows; h is 128 times L if nothing is, as in GPT-3 (Brown et al.,
    arXiv 2005.14165, 2020, table 2.1: 96 layers, 12,288) and in LLaMA 7B (Touvron et al.,
    arXiv 2302.13971, 2023, table 2: 32 layers, 4,096). It is a multiple of 128.

    Raises BadInput for a shape of more than twice or less than half the parameters.

    >>> layer_shape(7_000_000_000), layer_shape(7_000_000_000, layers=32)
    ((33, 4224), (32, 4224))
    """
    if hidden is not None:
        hidden = whole("hidden", hidden, 1, MOST_HIDDEN, 4096)
    if layers is None:
        number = parameters / (WEIGHTS * (hidden or ASPECT) ** 2)
        layers = min(MOST_LAYERS, max(1, round(number if hidden else number ** (1 / 3))))
    layers = whole("layers", layers, 1, MOST_LAYERS, 32)
    usual = max(1, round((parameters / (WEIGHTS * layers)) ** 0.5 / ASPECT)) * ASPECT
    if hidden is None:
        return layers, usual
    size = WEIGHTS * layers * hidden**2
    if not parameters / 2 <= size <= 2 * parameters:
        raise BadInput(
            f"hidden {hidden}: {plural(layers, 'layer')} of it have {parameters_text(size)} "
            f"parameters, not {parameters_text(parameters)}; try: {usual}"
        )
    return layers, hidden


def bubble(stages: int, microbatches: int, interleaved: int = 1) -> Fraction:
    """The part of a pipeline's step in which a stage is idle: (p - 1) / (v m + p - 1).

    interleaved: v, chunks of the model that each stage holds. Huang et al., GPipe, NeurIPS
    2019; Narayanan et al., SC 2021, section 2.2, where it is set against the rest of the step.

    >>> bubble(4, 8), bubble(4, 8, interleaved=2)
    (Fraction(3, 11), Fraction(3, 19))
    """
    stages = whole("stages", stages, minimum=1)
    work = whole("micro-batches", microbatches, minimum=1)
    work *= whole("interleaved", interleaved, minimum=1)
    return Fraction(stages - 1, work + stages - 1)
