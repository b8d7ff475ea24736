"""`collectives.gathered_product`: what a product of a gathered matrix gains from being cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from collectives.cost.machines.topology import Topology
from collectives.cost.where import Where, where_of
from collectives.errors import BadInput
from collectives.text_lines import Grid, Heading, Lines, Paragraph
from collectives.training.gathered import MOST_EXTENT, MOST_ROWS, UNITS, GatheredProduct, pays_from
from collectives.training.network import Network, ranks_of
from collectives.training.workload import FLOPS
from collectives.units import number_text, size_text, time_text
from collectives.words import brief, plural

MOST_RANKS = 256
AROUND = (1 / 16, 1 / 4, 1 / 2, 1, 2, 4)  # times the rows asked for


@dataclass(frozen=True)
class ProductCost:
    """A gathered product of so many rows: at once, and in pieces; seconds."""

    tokens: int
    bytes: int  # that are gathered
    gather: float  # the all-gather alone
    product: float  # of all rows
    at_once: float  # both, one after the other
    piece: float  # the product of a piece
    message: float  # that brings a piece
    in_pieces: float  # all of them
    exposed: float  # of them, while the GPU computes nothing

    @property
    def gain(self) -> float:
        """How many times as fast pieces are."""
        return self.at_once / self.in_pieces


@dataclass(frozen=True, repr=False)
class GatheredReport:
    """What `collectives.gathered_product` returns: `cost`, and `costs` of sizes around it."""

    hidden: int
    columns: int
    ranks: int
    machine: str
    flops: float
    cost: ProductCost
    costs: Sequence[ProductCost]
    pays_from: int | None  # rows from which pieces are faster; None: not up to 16,384 of a rank

    def __repr__(self) -> str:
        """One line: both times."""
        return f"<GatheredReport: {self._verdict}>"

    @property
    def _verdict(self) -> str:
        cost = self.cost
        return (
            f"{plural(self.ranks, 'piece')} {_time(cost.in_pieces)}, at once {_time(cost.at_once)}"
        )

    def lines(self) -> Lines:
        """Both times, from which size on pieces are faster, then a row for each size."""
        cost, part = self.cost, -(-self.columns // self.ranks)
        yield Heading(
            f"x ({cost.tokens:,} × {self.hidden:,}) gathered by {self.ranks} ranks on "
            f"{self.machine}, times W ({self.hidden:,} × {self.columns:,}), {part:,} columns each"
        )
        yield ""
        hidden = cost.message * (self.ranks - 1) - cost.exposed
        yield (
            f"{self._verdict}: {number_text(cost.gain, 3)} times as fast; {_time(cost.exposed)} of "
            f"messages are exposed, {_time(hidden)} hidden"
        )
        yield self._turn
        yield ""
        head = ["rows", "gathered", "all-gather", "product", "at once", "message", "product of it"]
        rows = [_row(cost) for cost in self.costs]
        yield Grid(rows, [*head, "in pieces", "exposed", "gain"], range(10))
        yield ""
        yield Paragraph(
            "Each rank multiplies its own rows while those of its left neighbor arrive, and passes "
            "them on (Wang et al., ASPLOS 2023). The all-gather is a ring as libraries run it, in "
            "a channel for each network card; messages of pieces go round one ring. Both were "
            "executed, proved and timed."
        )
        yield Paragraph(
            f"A product takes what {self.flops / 1e12:.4g} TFLOP/s (--flops) take in whole waves "
            f"of tiles of 64 × 64 on {UNITS} SMs, or what its bf16 numbers take from an H100's "
            "memory: every piece reads all of W's columns. Launches, and SMs that messages take, "
            "are free."
        )

    @property
    def _turn(self) -> str:
        if self.pays_from is None:
            return f"In pieces it loses at every size up to {MOST_ROWS * self.ranks:,} rows"
        size = self.pays_from * self.hidden * 2
        where = f"about {self.pays_from:,} rows ({size_text(size, 3, binary=False)} gathered)"
        return f"In pieces it loses below {where}"

    def as_json(self) -> dict[str, Any]:
        """The same as values: bytes and seconds."""
        costs = [{**asdict(cost), "gain": cost.gain} for cost in (self.cost, *self.costs)]
        return {**vars(self), "cost": costs[0], "costs": costs[1:]}


def gathered_product(
    tokens: int,
    hidden: int,
    columns: int,
    *,
    ranks: int,
    topology: str | Topology,
    flops: float = FLOPS,
    **machine: object,
) -> GatheredReport:
    """A product whose left matrix is gathered, at once and in pieces that overlap with messages.

    Parameters
    ----------
    tokens, hidden : int
        Rows and columns of x, of which each rank has its share of the rows.
    columns : int
        Of W, of which each rank has its share.
    ranks : int
        GPUs.
    topology : str or Topology
        The machine.
    flops : float
        Operations per second of a GPU while all of its SMs work.
    **machine
        Parameters of the machine, such as nics=4.

    Returns
    -------
    GatheredReport
        `cost`, with at_once, in_pieces and exposed, and pays_from; `lines()` and `as_json()`.

    Raises
    ------
    BadInput
        For values that cannot be used.

    Examples
    --------
    >>> gathered_product(8192, 4096, 14336, ranks=8, topology="hgx-h100")
    <GatheredReport: 8 pieces 354 µs, at once 448 µs>
    """
    where = where_of(topology, "lockstep", None, machine)
    return gathered_report((tokens, hidden, columns), ranks, where, flops)


def gathered_report(
    sizes: Sequence[int], ranks: int | None, where: Where, flops: float = FLOPS
) -> GatheredReport:
    """The same on a machine that is known; raises BadInput."""
    if len(sizes) != 3:
        raise BadInput(
            f"matmul {brief(list(sizes))}: must be 3 sizes of a product; try: 8192,4096,14336"
        )
    ranks = ranks_of(where, ranks, MOST_RANKS)
    tokens, hidden, columns = sizes
    network = Network(where.topology(ranks), ranks)
    asked = GatheredProduct(tokens, hidden, columns, network, flops)
    share = asked.tokens // ranks
    limit = MOST_EXTENT // ranks
    others = sorted({min(limit, max(1, round(share * times))) for times in AROUND})
    return GatheredReport(
        asked.hidden,
        asked.columns,
        ranks,
        where.called,
        asked.flops,
        _cost(asked),
        [_cost(asked.of(rows * ranks)) for rows in others],
        pays_from(asked),
    )


def _cost(product: GatheredProduct) -> ProductCost:
    whole_line, pieces = product.at_once, product.in_pieces
    (gather,), (multiplied,) = whole_line.lane(0, network=True), whole_line.lane(0)
    message, piece = pieces.lane(0, network=True)[0], pieces.lane(0)[0]
    return ProductCost(
        product.tokens,
        product.bytes,
        gather.end - gather.start,
        multiplied.end - multiplied.start,
        whole_line.total,
        piece.end - piece.start,
        message.end - message.start,
        pieces.total,
        pieces.exposed,
    )


def _row(cost: ProductCost) -> list[str]:
    times = (cost.gather, cost.product, cost.at_once, cost.message, cost.piece, cost.in_pieces)
    size = size_text(cost.bytes, 3, binary=False)
    gain = f"{number_text(cost.gain, 3)}×"
    return [f"{cost.tokens:,}", size, *map(_time, times), _time(cost.exposed), gain]


def _time(value: float) -> str:
    return time_text(value, 3)
