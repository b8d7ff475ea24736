"""Which schedules have a transpose, against sets of slots that are gone through row by row."""

from collections import Counter

import numpy as np
import pytest

from collectives import WrongSchedule, reduce, send
from collectives.schedule import merged
from collectives.schedule.transposable import check_transposable


def slow(steps):
    """The first thing that is wrong, or nothing: the rule in words, one slot after another."""
    used, spent = set(), set()
    for number, step in enumerate(steps, 1):
        table = step.unrolled()
        reads = list(zip(table.src.tolist(), table.chunk.tolist(), strict=True))
        writes = list(zip(table.dst.tolist(), table.into.tolist(), strict=True))
        adds = table.reduces.tolist()
        given = {read for read, add in zip(reads, adds, strict=True) if add}
        told = f"not transposable: step {number} "
        for (rank, slot), often in Counter(reads).items():
            if (rank, slot) in spent or ((rank, slot) in given and often > 1):
                return f"{told}reads slot {slot} of rank {rank} again after it was reduced away"
        used.update(reads)
        for (rank, slot), add in zip(writes, adds, strict=True):
            gone = (rank, slot) in spent or (rank, slot) in given
            if add and gone:
                return f"{told}adds into slot {slot} of rank {rank} after it was reduced away"
            if not add and not gone and (rank, slot) in used:
                return f"{told}overwrites slot {slot} of rank {rank} which was in use"
        spent |= given
        used.update(writes)
        spent -= {write for write, add in zip(writes, adds, strict=True) if not add}
    return ""


def fast(steps):
    """What the check says, or nothing."""
    try:
        check_transposable(steps)
    except WrongSchedule as problem:
        return str(problem)
    return ""


@pytest.mark.parametrize(("apart", "first"), [(1, 0), (10**9, 0), (10**9, -(10**12)), (1, -2)])
def test_what_has_no_transpose_is_told_as_slot_by_slot(apart, first):
    """Nodes and slots that are far apart, and some that do not exist, are told apart too."""
    random = np.random.default_rng(1)
    verdicts = Counter()
    for _ in range(400):
        steps = []
        for _ in range(int(random.integers(1, 4))):
            parts = []
            for _ in range(int(random.integers(1, 4))):
                src, dst = (first + apart * random.integers(0, 5, 2)).tolist()
                chunk, into = (first + apart * random.integers(0, 6, 2)).tolist()
                verb = send if random.random() < 0.5 else reduce
                parts.append(verb(src, dst, chunk, into, int(random.integers(1, 3))))
            steps.append(merged(parts))
        wanted = slow(steps)
        assert fast(steps) == wanted
        verdicts[" ".join(wanted.split()[4:5])] += 1
    assert set(verdicts) == {"", "reads", "adds", "overwrites"} and min(verdicts.values()) > 5


def test_no_steps_at_all_have_one():
    check_transposable([])
