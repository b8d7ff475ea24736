"""Proves a recording: every promised contribution is there exactly once, and nothing else."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

import numpy as np

from collectives import payload
from collectives.collective import Cells
from collectives.errors import WrongSchedule
from collectives.execute import Memory, execute
from collectives.recording import Recording, promised
from collectives.reference import expected
from collectives.resources import check_memory
from collectives.schedule.step import rows

SMALL = 1 << 21  # entries of the exact contribution vectors up to which these are used
VECTORS = 5  # that are held at once to compare values
Cell = tuple[int, int]


@dataclass(frozen=True)
class Verdict:
    """The outcome of a check: true in a condition if all is well; its text says what is wrong."""

    ok: bool
    text: str

    def __bool__(self) -> bool:
        """Whether all is well."""
        return self.ok

    def __str__(self) -> str:
        """What was found, in one paragraph."""
        return self.text


def prove(recording: Recording) -> Verdict:
    """Hold the contributions in every slot after the last step against the promise.

    Small recordings carry the whole multiset of (rank, slot) in every slot, larger ones a
    random fingerprint of it (see `payload.fingerprint_memory`). Where "at least once" is
    promised, a slot carries the set of (rank, slot). Every promised slot is checked, also one
    that no step touches.
    """
    cells = recording.nodes * recording.slots
    check_memory(32 * cells, f"the proof on {recording.nodes} nodes of {recording.slots} slots")
    before, after, once = recording.before, recording.after, recording.collective.once
    exact = cells * before.size <= SMALL or not once
    if exact:
        check_memory(8 * cells * before.size, f"the proof on {recording.nodes} nodes")
    make = payload.vector_memory if exact else payload.fingerprint_memory
    memory = make(before, recording.nodes)
    wanted = promised(recording, memory.values[: recording.ranks])
    try:
        execute(recording.steps, memory, np.add if once else np.maximum)
    except WrongSchedule as problem:
        return Verdict(False, f"{recording.title}: {problem}")
    wrong = after & ~_as_promised(memory, wanted, recording.ranks)
    if not wrong.any():
        return Verdict(True, f"{recording.title}: {recording.promise.lower()}")
    return Verdict(False, _explanation(recording, memory, wrong))


def prove_values(recording: Recording) -> Verdict:
    """Run real numbers through every operator and compare with numpy, to the last bit.

    Integers that wrap for sum, odd integers for prod, and for min and max data in which each
    rank is somewhere the extreme: where there are fewer elements than ranks, more are taken.
    Of a catalog row only: a user's own steps keep the sizes they were recorded with.
    """
    if recording.count < recording.ranks and recording.collective.once:
        each = -(-recording.ranks // recording.pieces)
        recording = replace(
            recording, count=each * recording.pieces, counts=None, data=None, _replays={}
        )
    needed = VECTORS * recording.nodes * recording.count * 8
    check_memory(needed, f"the values of {recording.nodes} nodes with {recording.count} elements")
    operators = ("sum", "prod", "min", "max") if recording.collective.reduces else ("sum",)
    generator = np.random.default_rng(recording.ranks)
    shape = (recording.ranks, recording.count)
    numbers = generator.integers(-(2**63), 2**63, shape, np.int64, endpoint=False)
    for op in operators:
        data = numbers | 1 if op == "prod" else numbers
        if op in ("min", "max"):
            extreme = np.arange(recording.count) % recording.ranks
            info = np.iinfo(np.int64)
            data = numbers.copy()
            data[extreme, np.arange(recording.count)] = info.min if op == "min" else info.max
        memory = payload.data_memory(data, recording.before, recording.size, recording.nodes)
        execute(recording.steps, memory, payload.OPERATORS[op])
        held = recording.outputs(memory)
        for rank, (got, want) in enumerate(zip(held, expected(recording, data, op), strict=True)):
            if not np.array_equal(got, want):
                at = int(np.flatnonzero(got != want)[0])
                return Verdict(
                    False,
                    f"{recording.title}: {op} on rank {rank}, element {at} is {got[at]}, "
                    f"numpy has {want[at]}",
                )
    return Verdict(True, f"{recording.title}: equals numpy for {', '.join(operators)}")


def contributions(recording: Recording, cell: Cell) -> Counter[Cell]:
    """Whose data one slot holds after the last step: (rank, origin slot) → how many times.

    Follows the slot backwards through the steps, so it needs no more memory than its answer.
    """
    wanted: Counter[Cell] = Counter({cell: 1})
    for number in range(len(recording.steps) - 1, -1, -1):
        step = recording.steps[number].unrolled()
        earlier = Counter(wanted)
        overwritten = set()
        for src, dst, chunk, into, _, adds in rows(step):
            if wanted[dst, into]:
                earlier[src, chunk] += wanted[dst, into]
                if not adds:
                    overwritten.add((dst, into))
        for target in overwritten:
            earlier[target] -= wanted[target]
        wanted = +earlier
    there = recording.before
    return Counter(
        {(r, s): n for (r, s), n in wanted.items() if r < recording.ranks and there[r, s]}
    )


def due_contributions(recording: Recording, cell: Cell) -> Counter[Cell]:
    """What the collective promises of one cell: (rank, origin slot) → once each."""
    due = recording.due
    first, end, origin = (int(column[cell]) for column in (due.first, due.end, due.origin))
    holders = np.flatnonzero(recording.before[first:end, origin]) + first
    return Counter({(rank, origin): 1 for rank in holders.tolist()})


def _as_promised(memory: Memory, wanted: np.ndarray, ranks: int) -> Cells:
    same = memory.values[:ranks] == wanted
    kept: Cells = (same.all(axis=2) if same.ndim == 3 else same) & memory.full[:ranks]
    return kept


def _explanation(recording: Recording, memory: Memory, wrong: Cells) -> str:
    rank, slot = (int(index) for index in np.argwhere(wrong)[0])
    where = f"rank {rank}, slot {slot}"
    others = int(wrong.sum()) - 1
    rest = "1 more slot is wrong" if others == 1 else f"{others} more slots are wrong"
    more = f" ({rest})" if others else ""
    name = f"{recording.title} on {recording.ranks} ranks"
    if not memory.full[rank, slot]:
        return f"{name}: {where} is empty at the end; nothing was ever written there{more}"
    held = contributions(recording, (rank, slot))
    due = due_contributions(recording, (rank, slot))
    parts = [
        f"{_listed(due - held)} missing" if due - held else "",
        f"{_listed(held - due)} too much" if held - due else "",
    ]
    return f"{name}: {where} ends wrong: {' and '.join(filter(None, parts))}{more}"


def _listed(cells: Counter[Cell]) -> str:
    texts = [
        f"slot {slot} of rank {rank}" + (f" {often} times" if often > 1 else "")
        for (rank, slot), often in sorted(cells.items())
    ]
    shown = texts[:4] + ([f"{len(texts) - 4} more"] if len(texts) > 4 else [])
    return ", ".join(shown) + (" is" if len(texts) == 1 else " are")
