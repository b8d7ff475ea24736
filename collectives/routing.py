"""The routing table of a mixture of experts: which experts take which tokens, given or drawn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from collectives.collective import Cells
from collectives.errors import BadInput
from collectives.memory_limit import check_memory
from collectives.schedule.columns import Integers
from collectives.values import whole
from collectives.words import brief, plural

Hop = tuple[Integers, Integers, Integers]  # source, destination and token of each copy
Floats = npt.NDArray[np.float64]
NOWHERE = -1  # in place of an expert that has no room for a token
MOST_ENTRIES = 1 << 22  # of a table that is drawn, tokens times experts
ENTRY_BYTES = 40  # of memory, for each token and expert


@dataclass(frozen=True, eq=False)
class Routing:
    """Which experts each token goes to: token t is one of rank t // tokens, slot t is its place.

    Rank r has experts r * experts / ranks and those that follow. Every rank has one slot for each
    token of all ranks, so that its experts share a copy, as in the buffers of DeepEP.

    Parameters
    ----------
    ranks, experts : int
        How many there are; the ranks share out the experts evenly.
    choice : array of int, shape [token, place]
        The experts of each token of all ranks, as many for each rank; -1 where an expert has no
        room left.
    weight : array of float, shape [token, place], optional
        By what an expert's output is multiplied; by default all experts of a token weigh the same.

    Raises
    ------
    BadInput
        For a table that does not fit the ranks and experts.

    Examples
    --------
    >>> table = Routing(2, 2, [[0, 1], [1, -1]])
    >>> table.held.astype(int)
    array([[1, 0],
           [1, 1]])
    >>> table.load, table.dropped
    (array([1, 2]), 1)
    """

    ranks: int
    experts: int
    choice: Any
    weight: Any = None

    def __post_init__(self) -> None:
        """Check the table, and keep it as arrays."""
        for name in ("ranks", "experts"):
            object.__setattr__(self, name, _count(name, getattr(self, name)))
        check_memory(ENTRY_BYTES * self.experts, f"a table of {self.experts} experts")
        choice = _array(self.choice, "iu", 2)
        if choice is None or not choice.size:
            raise BadInput(f"choice {brief(self.choice)}: must be [token, place]; try: [[0], [1]]")
        if len(choice) % self.ranks or self.experts % self.ranks:
            what = f"{plural(len(choice), 'token')} and {plural(self.experts, 'expert')}"
            near = f"{self.ranks} of each"
            raise BadInput(f"{what}: {plural(self.ranks, 'rank')} cannot share them; try: {near}")
        for token, row in enumerate(choice.tolist()):
            kept = [expert for expert in row if expert != NOWHERE]
            if len(set(kept)) < len(kept) or not all(0 <= e < self.experts for e in kept):
                rule = f"different experts from 0 to {self.experts - 1}, or {NOWHERE} for none"
                raise BadInput(f"experts {brief(row)} of token {token}: must be {rule}; try: [0]")
        weight = np.full(choice.shape, 1 / choice.shape[1]) if self.weight is None else self.weight
        known = _array(weight, "iuf", 2)
        if known is None or known.shape != choice.shape or not np.isfinite(known).all():
            rule = f"must be finite numbers of the choice's shape {choice.shape}"
            raise BadInput(f"weight {brief(self.weight)}: {rule}; leave it out")
        object.__setattr__(self, "choice", choice.astype(np.intp))
        object.__setattr__(self, "weight", known.astype(np.float64))

    def __repr__(self) -> str:
        """One line: how many ranks, tokens and experts there are."""
        sizes = (plural(self.ranks, "rank"), plural(self.experts, "expert"))
        return f"<Routing: {', '.join(sizes)}, {plural(len(self.choice), 'token')}>"

    @property
    def tokens(self) -> int:
        """Tokens of each rank."""
        return len(self.choice) // self.ranks

    @property
    def slots(self) -> int:
        """Slots of each rank: one for each token of all ranks."""
        return len(self.choice)

    @cached_property
    def load(self) -> Integers:
        """Tokens that each expert takes; none for an empty one."""
        return np.bincount(self.choice[self.choice != NOWHERE], minlength=self.experts)

    @property
    def dropped(self) -> int:
        """Choices of which nothing comes, because the expert has no room left."""
        return int((self.choice == NOWHERE).sum())

    @cached_property
    def held(self) -> Cells:
        """Whether a rank has an expert of a token, [rank, token]."""
        cells = np.zeros((self.ranks, self.slots), np.bool_)
        token, place = np.nonzero(self.choice != NOWHERE)
        cells[self.choice[token, place] * self.ranks // self.experts, token] = True
        return cells

    @property
    def text(self) -> str:
        """What experts take, in a sentence: the fewest and the most tokens, and what is dropped.

        >>> Routing(2, 2, [[0, 1], [1, -1]]).text
        'An expert takes 1 to 2 tokens; 1 choice is dropped.'
        """
        fewest, largest = int(self.load.min()), int(self.load.max())
        number = plural(largest, "token")
        number = number if fewest == largest else f"{fewest} to {number}"
        empty = int((self.load == 0).sum())
        idle = f"; {plural(empty, 'expert')} of {self.experts} {_be(empty)} empty" if empty else ""
        gone = f"; {plural(self.dropped, 'choice')} {_be(self.dropped)} dropped"
        return f"An expert takes {number}{idle}{gone if self.dropped else ''}."

    def direct(self) -> Hop:
        """One copy of each token for each other rank that has one of its experts."""
        token, rank = np.nonzero(self.held.T)
        owner = token // self.tokens
        away = owner != rank
        return owner[away], rank[away], token[away]

    def by_node(self, gpus: int) -> tuple[Hop, Hop]:
        """A copy to each other node with an expert, at the owner's place; from there to the ranks.

        >>> crossing, inside = Routing(4, 4, [[2, 3], [1, 0], [3, 2], [0, 3]]).by_node(gpus=2)
        >>> [(int(src), int(dst), int(token)) for src, dst, token in zip(*crossing)]
        [(0, 2, 0), (3, 1, 3)]
        """
        gpus = whole("gpus", gpus)
        if gpus < 1 or self.ranks % gpus:
            divisors = (d for d in range(1, self.ranks + 1) if self.ranks % d == 0)
            near = min(divisors, key=lambda divisor: abs(divisor - gpus))
            rule = f"must be a divisor of the number of ranks ({plural(self.ranks, 'rank')})"
            raise BadInput(f"gpus {gpus}: {rule}; try: {near}")
        owner, rank, token = self.direct()
        via = rank - rank % gpus + owner % gpus
        crossing = np.unique(np.stack([token, owner, via])[:, owner != via], axis=1)
        inner = via != rank
        return (crossing[1], crossing[2], crossing[0]), (via[inner], rank[inner], token[inner])

    def weighted(self, outputs: npt.ArrayLike) -> Floats:
        """What each rank hands to a combine: its experts' outputs by their weights, added up.

        Parameters
        ----------
        outputs : array of float, shape [expert, token, element]
            What each expert makes of each token; of those it did not take, anything.

        Returns
        -------
        array, shape [rank, token * element]
            The data of a combine.
        """
        output, sizes = _array(outputs, "iuf", 3), (self.experts, self.slots)
        if output is None or output.shape[:2] != sizes:
            rule = f"must be numbers, [expert, token, element], of {sizes[0]} x {sizes[1]}"
            raise BadInput(f"outputs {brief(outputs)}: {rule}; try: np.ones({(*sizes, 1)})")
        summed = np.zeros((self.ranks, self.slots, output.shape[2]))
        for place in range(self.choice.shape[1]):
            token = np.flatnonzero(self.choice[:, place] != NOWHERE)
            expert = self.choice[token, place]
            part = self.weight[token, place, None] * output[expert, token]
            summed[expert * self.ranks // self.experts, token] += part
        return summed.reshape(self.ranks, -1)


def _count(name: str, value: object) -> int:
    """A number of ranks or experts; raises BadInput for anything but an integer from 1 on."""
    number = whole(name, value, 1)
    if isinstance(value, float | np.floating):
        raise BadInput(f"{name} {value}: must be an integer; try: {number}")
    return number


def _array(value: object, kinds: str, dimensions: int) -> npt.NDArray[Any] | None:
    """The value as an array of these kinds of numbers; None if it is none, or ragged."""
    try:
        array = np.array(value)
    except (TypeError, ValueError, OverflowError):
        return None
    return array if array.ndim == dimensions and array.dtype.kind in kinds else None


def _be(number: int) -> str:
    return "is" if number == 1 else "are"


def random_routing(
    ranks: int,
    tokens: int,
    experts: int,
    topk: int,
    skew: int = 0,
    capacity: int | None = None,
    seed: int = 0,
) -> Routing:
    """A table drawn at random.

    Parameters
    ----------
    ranks, tokens, experts, topk : int
        Ranks, tokens of each rank, experts of all ranks, and experts of a token.
    skew : int, optional
        How uneven it is: expert e is drawn with odds (e + 1) to the power of -skew.
    capacity : int, optional
        Tokens an expert takes at most, those that score best; by default all.
    seed : int, optional
        Another seed draws another table.

    Returns
    -------
    Routing
        The same for the same arguments, always.

    Raises
    ------
    BadInput
        For numbers that cannot be used.

    Examples
    --------
    >>> random_routing(2, tokens=2, experts=4, topk=2).choice
    array([[3, 0],
           [0, 2],
           [1, 3],
           [2, 3]])
    >>> random_routing(2, tokens=2, experts=4, topk=1, skew=100, capacity=3).choice.ravel()
    array([ 0,  0, -1,  0])
    """
    ranks, tokens = whole("ranks", ranks, 1), whole("tokens", tokens, 1)
    experts, topk = whole("experts", experts, 1), whole("topk", topk, 1)
    check_topk(topk, experts)
    limit = ranks * tokens if capacity is None else whole("capacity", capacity, 1)
    skew, seed = whole("skew", skew), whole("seed", seed, 0, (1 << 32) - 1)
    return _drawn(ranks, tokens, experts, topk, skew, limit, seed)


@lru_cache(maxsize=256)
def _drawn(
    ranks: int, tokens: int, experts: int, topk: int, skew: int, capacity: int, seed: int
) -> Routing:
    """The table of numbers that can be used."""
    check_memory(ENTRY_BYTES * ranks * tokens * experts, f"a table of {experts} experts")
    drawn = np.random.RandomState(seed).random_sample((ranks * tokens, experts))
    wait = np.log(-np.log1p(-drawn)) + skew * np.log1p(np.arange(experts))
    choice = np.argsort(wait, axis=1, kind="stable")[:, :topk].copy()
    wait = np.take_along_axis(wait, choice, axis=1)
    score = np.exp(wait[:, :1] - wait)
    order = np.lexsort((wait.ravel(), choice.ravel()))
    expert = choice.ravel()[order]
    place = np.arange(len(order)) - np.searchsorted(expert, expert)
    choice.ravel()[order[place >= capacity]] = NOWHERE
    return Routing(ranks, experts, choice, score / score.sum(axis=1, keepdims=True))


def check_topk(topk: int, experts: int) -> None:
    """Raise BadInput where a token would need more experts than there are."""
    if topk > experts:
        raise BadInput(
            f"topk {topk}: a token goes to different experts, of which there are {experts}; "
            f"try: {experts}"
        )


def check_table(ranks: int, tokens: int, experts: int) -> None:
    """Raise BadInput for a routing table of more entries than are drawn.

    >>> check_table(1 << 20, tokens=2, experts=1 << 20)
    Traceback (most recent call last):
    collectives.errors.BadInput: 1,048,576 ranks: a table of 2097152 tokens and 1048576 \
experts has more than 2^22 entries; try: fewer ranks, tokens or experts
    """
    if ranks * tokens * experts > MOST_ENTRIES:
        raise BadInput(
            f"{plural(ranks, 'rank')}: a table of {ranks * tokens} tokens and {experts} experts "
            "has more than 2^22 entries; try: fewer ranks, tokens or experts"
        )
