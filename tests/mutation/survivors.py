"""The mutants that are right, by name, as tests/data/survivors.txt lists them.

Written anew, to be read before it is checked in, by: python tests/mutation/survivors.py
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from itertools import groupby
from pathlib import Path
from textwrap import wrap

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[k]) for k in (0, 1, 2)]

from judges import Case, Judgment
from mutants import Mutant

from collectives import ROWS
from collectives.catalog import Row

FILE = Path(__file__).parents[1] / "data" / "survivors.txt"
MOST = {2: None, 3: None, 4: 200, 5: 60, 6: 60, 8: 60}  # ranks → mutants tried, None: all
HEADER = """\
The mutants that survive: one fault in an algorithm of the catalog, and still its promise is kept.

Both the package's check and the plain interpreter of tests/interpreter.py find them right; all
others are caught by both. On 2 and 3 ranks every mutant is tried, on 4 ranks 200 of each
algorithm (those that come first by a checksum of their names), on 5, 6 and 8 ranks 60; root 1,
chunks 2. `2 0→1 +3:5` is the transfer of step 2 that adds slot 3 of rank 0 into slot 5 of rank 1
(`=` overwrites); what follows is put in its place: `from` another slot, `into` another, `as`
another at both ends, `by` another source, `to` another destination. `3 ranks, 2 of 8` are 2 of
the 8 mutants of this kind that are tried on 3 ranks.

Why they are right:
  same             every slot holds the same after every step: reduce into an empty slot copies,
                   another source has the same data, a copy of what is already there
  same at the end  something else on the way, the same in every slot at the end: nothing needed
                   it earlier, nothing overwrote it before it was read, or it comes by another way
  not promised     the end differs in slots only of which nothing is promised: the rest of a
                   reduction, scratch, a switch
  more than once   a barrier may hear of a rank more than once
  refused for sizes alone    right with equal chunks, but a transfer between unequal ones
"""
Found = dict[tuple[str, str], dict[int, tuple[list[Mutant], list[Mutant]]]]
Results = list[tuple[Case, list[tuple[Mutant, Judgment]]]]


def numbers(row: Row) -> list[int]:
    """The numbers of ranks on which an algorithm is tried."""
    return [n for n in MOST if row.accepts(n)]


@cache
def cases(row: Row) -> list[Case]:
    """Each of these numbers with equal chunks, then 3 ranks, or 4, with unequal ones."""
    even = [Case(row, n) for n in numbers(row)]
    return [*even, Case(row, 3 if row.accepts(3) else 4, uneven=True)]


def tried(case: Case) -> list[Mutant]:
    """The mutants of a case that are tried."""
    return case.mutants(MOST[case.ranks])


def block(row: Row, results: Results) -> str:
    """What the file says of one algorithm, from what the interpreter finds of each mutant."""
    found: Found = defaultdict(dict)
    every = survive = 0
    for case, judgments in results:
        if case.uneven:
            continue
        of_kind: dict[str, list[Mutant]] = defaultdict(list)
        right: dict[tuple[str, str], list[Mutant]] = defaultdict(list)
        for mutant, judgment in judgments:
            of_kind[mutant.kind].append(mutant)
            if judgment.right:
                right[mutant.kind, judgment.why].append(mutant)
        for (kind, why), those in right.items():
            found[kind, why][case.ranks] = of_kind[kind], those
        every, survive = every + len(judgments), survive + sum(map(len, right.values()))
    lines = [f"{row.title}: {every} mutants, {survive} survive"]
    for (kind, why), by_ranks in sorted(found.items()):
        lines += [f"  {kind}, {why}", *listed(by_ranks)]
    return "\n".join(lines + refused(results)) + "\n"


def listed(by_ranks: dict[int, tuple[list[Mutant], list[Mutant]]]) -> list[str]:
    """The survivors of one kind and reason, of each number of ranks."""
    whole = [str(n) for n, (every, those) in by_ranks.items() if len(those) == len(every)]
    lines = [f"    {', '.join(whole)} ranks: all"] if whole else []
    for n, (every, those) in by_ranks.items():
        caught = [mutant for mutant in every if mutant not in those]
        title = f"{n} ranks, {len(those)} of {len(every)}"
        if 0 < len(caught) < len(those):
            lines += named(f"{title}, all but ", caught)
        elif caught:
            lines += named(f"{title}: ", those)
    return lines


def refused(results: Results) -> list[str]:
    """The survivors with equal chunks that are none with unequal ones."""
    uneven, judgments = results[-1]
    right = {mutant.name for mutant, judgment in judgments if judgment.right}
    _, even = next(pair for pair in results if pair[0].ranks == uneven.ranks)
    survivors = [mutant for mutant, judgment in even if judgment.right]
    assert right <= {m.name for m in survivors}, f"{uneven}: right only there"
    those = [mutant for mutant in survivors if mutant.name not in right]
    lines = ["  refused for sizes alone"] if those else []
    for kind, group in groupby(sorted(those, key=lambda m: m.kind), lambda m: m.kind):
        lines += named(f"{uneven.ranks} ranks, {kind}: ", group)
    return lines


def named(title: str, those: Iterable[Mutant]) -> list[str]:
    """Mutants by name, those of one transfer together."""
    parts = []
    for (step, transfer), group in groupby(those, lambda m: (m.step, m.transfer)):
        words = [mutant.value.partition(" ") for mutant in group]
        instead = f"{words[0][0]} {','.join(value for _, _, value in words)}"
        parts.append(" ".join(f"{step} {transfer} {instead}".split()).replace(" ", "\0"))
    lines = wrap(title + "; ".join(parts), 100, initial_indent="    ", subsequent_indent="      ")
    return [line.replace("\0", " ") for line in lines]


def read() -> dict[str, str]:
    """What the file says of each algorithm."""
    _, *blocks = FILE.read_text("utf-8").split("\n* ")
    return {text.partition(":")[0]: text.rstrip("\n") + "\n" for text in blocks}


def write() -> None:
    """Make the file."""
    texts = [HEADER]
    for row in ROWS:
        results = [(c, [(m, c.interpreted(m)) for m in tried(c)]) for c in cases(row)]
        texts.append(f"* {block(row, results)}")
    FILE.write_text("\n".join(texts), "utf-8")


if __name__ == "__main__":
    write()
