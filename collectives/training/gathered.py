"""A product with a gathered matrix, in pieces: each arrives while the one before is multiplied.

Rank r of N has T / N rows of x (T x H) and F / N columns of W (H x F), and needs all rows of x. Cut
into N pieces, it multiplies its own rows while those of its left neighbor arrive, and passes on
what arrived: Wang et al., Overlap communication with dependent computation via decomposition in
large deep learning models, ASPLOS 2023, pages 93-106.

A product takes no less than its numbers take from and to memory, with all of W's for every piece,
and no less than its waves of tiles: a GPU computes as many at a time as it has SMs, and a last wave
of fewer takes as long. NVIDIA, Matrix multiplication background, DU-09799-001, February 2023,
sections 2 and 3.2; the smallest of its tiles is taken, at the rate of the others.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from collectives.errors import BadInput
from collectives.training.copy_engines import SMS
from collectives.training.network import Network
from collectives.training.timeline import Planner, Timeline
from collectives.training.workload import FLOPS, MEMORY_RATE
from collectives.values import positive, whole

TILE = 64  # rows and columns of the smallest tile that section 2.3 names
UNITS = SMS["H100"]
WIDTH = 2  # bytes of a number: bf16
MOST_EXTENT = 1 << 24
MOST_ROWS = 1 << 14  # of a rank, up to which is looked for where pieces pay


def product_seconds(rows: int, inner: int, columns: int, flops: float = FLOPS) -> float:
    """Seconds of a product of two matrices, at so many operations per second of all SMs.

    >>> f"{product_seconds(8192, 4096, 1792) * 1e6:.1f} µs"
    '310.0 µs'
    """
    waves = -(-(-(-rows // TILE) * -(-columns // TILE)) // UNITS)
    compute = waves * UNITS * 2.0 * TILE * TILE * inner / flops
    moved = WIDTH * (rows * inner + inner * columns + rows * columns)
    return max(compute, moved / MEMORY_RATE)


@dataclass(frozen=True, eq=False)
class GatheredProduct:
    """A product of `tokens` rows that ranks gather, each with its share of the columns.

    flops: operations per second while all SMs work. drawn: GPUs on timelines, which are all alike.
    """

    tokens: int
    hidden: int
    columns: int
    network: Network
    flops: float = FLOPS
    drawn: int = 1

    def __post_init__(self) -> None:
        """Refuse what is no size."""
        for name in ("tokens", "hidden", "columns"):
            whole(name, getattr(self, name), 1, MOST_EXTENT)
        if self.tokens % self.pieces:
            near = -(-self.tokens // self.pieces) * self.pieces
            rule = f"{self.pieces} ranks have equal shares of the rows"
            raise BadInput(f"tokens {self.tokens}: {rule}; try: {near}")
        positive("flops", self.flops)

    @property
    def pieces(self) -> int:
        """As many as ranks."""
        return self.network.ranks

    @property
    def rows(self) -> int:
        """Of a piece."""
        return self.tokens // self.pieces

    @property
    def bytes(self) -> int:
        """Of the gathered matrix."""
        return self.tokens * self.hidden * WIDTH

    @cached_property
    def at_once(self) -> Timeline:
        """The all-gather, then the product, on the lanes of a GPU."""
        plan = Planner(self.drawn)
        gathered = plan.network("all-gather", self.network.run("all_gather", self.bytes))
        plan.compute("forward", "product", self._product(self.tokens), gathered.end)
        return plan.timeline()

    @cached_property
    def in_pieces(self) -> Timeline:
        """A product of each piece, beside the message that brings the next."""
        plan = Planner(self.drawn)
        arrived = 0.0
        for piece in range(self.pieces):
            if piece:
                timing = self.network.shift(self.bytes // self.pieces)
                arrived = plan.network(str(piece), timing, arrived).end
            plan.compute("forward", str(piece), self._product(self.rows), arrived)
        return plan.timeline()

    @property
    def pays(self) -> bool:
        """Whether the pieces are done earlier."""
        return self.in_pieces.total < self.at_once.total

    def of(self, tokens: int) -> GatheredProduct:
        """The same of another number of rows."""
        return GatheredProduct(tokens, self.hidden, self.columns, self.network, self.flops)

    def _product(self, rows: int) -> float:
        return product_seconds(rows, self.hidden, -(-self.columns // self.pieces), self.flops)


def pays_from(product: GatheredProduct) -> int | None:
    """The rows from which pieces are faster, of 1, 2, 4 … a rank and of all that follow.

    Between the last of them that loses and the next, bisection finds where it turns. None: the
    largest of them loses. A row a rank always does: its products take as long as that of all.
    """
    counts = [1 << power for power in range(MOST_ROWS.bit_length())]
    ranks = product.pieces
    low = next(count for count in reversed(counts) if not product.of(count * ranks).pays)
    high = 2 * low
    if high > counts[-1]:
        return None
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if product.of(middle * ranks).pays else (middle, high)
    return high * ranks
