"""Proves a recording: every promised contribution is there exactly once, and nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from collectives.collective import Cells, Collective
from collectives.errors import WrongSchedule
from collectives.memory_limit import check_memory
from collectives.proof.expected import expected
from collectives.recording import payload
from collectives.recording.executed import zeroed
from collectives.recording.memory import EmptySlot, Memory, execute
from collectives.recording.recording import Recording
from collectives.recording.replay import promised
from collectives.words import Worded, plural

Array = npt.NDArray[Any]
EXACT_ENTRIES = 1 << 21  # entries of the exact contribution vectors up to which these are used
VECTORS = 15  # that are held at once to compare values


@dataclass(frozen=True, repr=False)
class Verdict:
    """The outcome of a check: true in a condition if the schedule is right.

    Attributes
    ----------
    ok : bool
        Whether it is right.
    text : str
        What was proved; else what is wrong, and at which step and line of the source.
    counts : str
        Steps, messages and bytes of a right schedule of your own, beside the lower bounds.
    """

    ok: bool
    text: str
    counts: str = ""

    def __repr__(self) -> str:
        """One line: right or wrong, and why."""
        return f"<Verdict: {'right' if self.ok else 'wrong'}: {self.text}>"

    def _repr_html_(self) -> str:
        from collectives.notebook_results import verdict_html

        return verdict_html(self)

    def __bool__(self) -> bool:
        """Whether all is well."""
        return self.ok

    def __str__(self) -> str:
        """What was found, then the counts on a line of their own."""
        return f"{self.text}\n{self.counts}" if self.counts else self.text


def prove(recording: Recording) -> Verdict:
    """Hold the contributions in every slot after the last step against the promise.

    Small recordings carry the whole multiset of (rank, slot) in every slot, larger ones a
    random fingerprint of it (see `payload.fingerprint_memory`). Where "at least once" is
    promised, a slot carries the set of (rank, slot). Every promised slot is checked, also one
    that no step touches.
    """
    try:
        wrong = wrong_cells(recording)
    except EmptySlot:
        if recording.refused and recording.refused.race:  # what is read may be there, by luck
            return _wrong(recording, recording.refused.reason)
        from collectives.proof.diagnosis.empty_read import explained_read

        return _wrong(recording, explained_read(recording))
    if recording.refused:
        return _wrong(recording, recording.refused.reason)
    if recording.unordered and not wrong.any():
        caution = "right in the order that was tried, but others may differ"
        return Verdict(False, f"{_case(recording)}: {caution}: {recording.unordered}")
    if not wrong.any():
        return Verdict(True, f"{recording.title}: {recording.promise.lower()}")
    from collectives.proof.diagnosis.report import explained

    return _wrong(recording, explained(recording, wrong))


def _wrong(recording: Recording, problem: str) -> Verdict:
    """A verdict that languages can say in their words."""
    return Verdict(False, Worded("{case}: {problem}", case=_case(recording), problem=problem))


def wrong_cells(recording: Recording) -> Cells:
    """The promised cells that do not end as promised; raises EmptySlot where a step reads one."""
    cells = recording.nodes * recording.slots
    check_memory(32 * cells, f"the proof on {recording.nodes} nodes of {recording.slots} slots")
    before, exactly_once = recording.precondition, recording.collective.exactly_once
    exact = cells * before.size <= EXACT_ENTRIES or not exactly_once
    if exact:
        check_memory(8 * cells * before.size, f"the proof on {recording.nodes} nodes")
    make = payload.vector_memory if exact else payload.fingerprint_memory
    memory = make(before, recording.nodes)
    wanted = promised(recording, memory.values[: recording.ranks])
    execute(recording.steps, memory, np.add if exactly_once else np.maximum)
    return recording.postcondition & ~_as_promised(memory, wanted, recording.ranks)


def prove_values(recording: Recording) -> Verdict:
    """Run real numbers through every operator and compare with numpy, to the last bit.

    Integers that wrap for sum, odd integers for prod, and for min and max data in which each
    rank is somewhere the extreme: where there are fewer elements than ranks, more are taken.
    Of a catalog row only: a user's own steps keep the sizes they were recorded with.
    """
    if recording.count < recording.ranks and recording.collective.moves_data:
        per_rank = -(-recording.ranks // recording.chunk_count)
        recording = replace(
            recording, count=per_rank * recording.chunk_count, counts=None, data=None
        )
    needed = VECTORS * recording.nodes * recording.count * 8
    check_memory(needed, f"the values of {recording.nodes} nodes with {recording.count} elements")
    promise = recording.collective
    several = promise.reduces and not promise.routed
    operators = ("sum", "prod", "min", "max") if several else ("sum",)
    generator = np.random.default_rng(recording.ranks)
    shape = (recording.ranks, recording.count)
    numbers = generator.integers(-(2**63), 2**63, shape, np.int64, endpoint=False)
    data = {op: zeroed(recording, _numbers_for(op, numbers)) for op in operators}
    before, size, nodes = recording.precondition, recording.size, recording.nodes
    held = [payload.data_memory(data[op], before, size, nodes) for op in operators]
    parts = _Parts(operators, held[0].values.shape[2])
    together = Memory(np.concatenate([each.values for each in held], axis=2), held[0].full)
    execute(recording.steps, together, parts)
    for op in operators:
        ends = recording.outputs(Memory(together.values[..., parts.of[op]], together.full))
        for rank, (got, want) in enumerate(
            zip(ends, expected(recording, data[op], op), strict=True)
        ):
            if not np.array_equal(got, want):
                at = int(np.flatnonzero(got != want)[0])
                difference = f"{op} on rank {rank}, element {at} is {got[at]}, numpy has {want[at]}"
                return Verdict(False, f"{_case(recording)}: {difference}")
    return Verdict(True, f"{recording.title}: equals numpy for {', '.join(operators)}")


def _numbers_for(op: str, numbers: Array) -> Array:
    """The data that shows faults of an operator, [rank, element]."""
    if op == "sum":
        return numbers
    if op == "prod":
        return numbers | 1
    ranks, count = numbers.shape
    info = np.iinfo(numbers.dtype)
    data = numbers.copy()
    element = np.arange(count)
    data[element % ranks, element] = info.min if op == "min" else info.max
    return data


class _Parts:
    """All operators in one run: each combines its own part of the elements of a slot."""

    def __init__(self, operators: Sequence[str], width: int) -> None:
        self.of = {op: slice(k * width, (k + 1) * width) for k, op in enumerate(operators)}
        self._each = [(payload.OPERATORS[op], (..., part)) for op, part in self.of.items()]

    def __call__(self, old: Array, new: Array, out: Array) -> Array:
        """Combine what is there and what comes, [..., element], into `out`."""
        for add, part in self._each:
            add(old[part], new[part], out=out[part])
        return out


def _case(recording: Recording) -> str:
    """Which algorithm, on how many ranks, from which root."""
    setting = in_setting(recording.ranks, recording.root, recording.collective)
    return f"{recording.title} on {setting}"


def in_setting(ranks: int, root: int, promise: Collective) -> str:
    """A number of ranks, and the root where there is one, for messages.

    >>> from collectives.collective import find_collective
    >>> in_setting(1, 0, find_collective("scan")), in_setting(3, 1, find_collective("gather"))
    ('1 rank', '3 ranks, root 1')
    """
    number = plural(ranks, "rank")
    return f"{number}, root {root}" if promise.rooted else number


def _as_promised(memory: Memory, wanted: np.ndarray, ranks: int) -> Cells:
    same = memory.values[:ranks] == wanted
    kept: Cells = (same.all(axis=2) if same.ndim == 3 else same) & memory.full[:ranks]
    return kept


def verdict_on(recording: Recording) -> Verdict:
    """The proof of somebody's own schedule; algorithms of the catalog are proved by its tests."""
    return prove(recording) if recording.row is None else Verdict(True, recording.title)


def refuse_wrong(verdict: Verdict) -> None:
    """Raise WrongSchedule, with the diagnosis, where a schedule is wrong."""
    if not verdict:
        raise WrongSchedule(str(verdict))
