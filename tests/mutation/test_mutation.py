"""Every single fault put into every algorithm: the check and an interpreter must agree on it.

A mutant that the check passes and the interpreter rejects is a fault of the check, and so is one
that it rejects although the interpreter finds it right. Those that both find right are listed in
tests/data/survivors.txt, by name.
"""

import pytest
from each import each, row_title
from settings import SOME_ROWS, THOROUGH, few_of_every_kind, taken
from survivors import FILE, HEADER, block, cases, read, tried

from collectives import ROWS
from collectives.proof.prove import prove_values

MOST_SHOWN = 5
EXPLAINED = 7 if THOROUGH else 49  # each so many one is explained, which takes as long
WORDS = ("report.explained", "empty_read.explained_read")
TEXTS = read()


def judged(row):
    """What the judges tell apart: rows that have the same differ in their steps only."""
    setting = row.setting(taken(row, 8))
    scratch = row.scratch(setting) > 0
    helpers = row.helpers if row.nodes(setting) > setting.ranks else ""
    chunks = ("chunks" in row.parameters, row.promise.reduces)
    return {("collective", row.collective), ("helpers", helpers), chunks, ("scratch", scratch)}


JUDGED = SOME_ROWS if THOROUGH else list(few_of_every_kind(SOME_ROWS, judged))
by_row = pytest.mark.parametrize("row", JUDGED, ids=lambda row: row.title)


def unexplained(*_):
    return "wrong"


@by_row
def test_check_and_interpreter_agree_on_every_mutant(row, monkeypatch):
    """What is wrong is put into words for some of them; test_diagnosis.py reads such words."""
    results, wrong = [], []
    for case in cases(row):
        judgments = []
        if case.uneven:  # as with many ranks: fingerprints, not vectors; whole arrays, no loop
            monkeypatch.setattr("collectives.proof.prove.EXACT_ENTRIES", 0)
            monkeypatch.setattr("collectives.recording.memory.FEW_ROWS", 0)
        for number, mutant in enumerate(tried(case)):
            with monkeypatch.context() as words:
                for name in WORDS if number % EXPLAINED else ():
                    words.setattr(f"collectives.proof.diagnosis.{name}", unexplained)
                judgment, problem = case.interpreted(mutant), case.checked(mutant)
            judgments.append((mutant, judgment))
            if judgment.right == bool(problem):
                found = f"right ({judgment.why})" if judgment.right else judgment.why
                said = problem or "right"
                wrong.append(f"{case}, {mutant.name}\n  check: {said}\n  interpreter: {found}")
            elif judgment.right and case.uneven:
                verdict = prove_values(case.recorded(mutant))
                if not verdict:
                    wrong.append(f"{case}, {mutant.name}\n  values: {verdict}")
        results.append((case, judgments))
    shown = "\n".join(wrong[:MOST_SHOWN])
    assert not wrong, f"{len(wrong)} mutants are judged differently:\n{shown}"
    assert block(row, results) == TEXTS.get(row.title), (
        "new or vanished survivors; once each is understood: python tests/mutation/survivors.py"
    )


@each("row", ROWS, row_title)
def test_both_start_and_end_as_promised(row):
    for case in cases(row):
        held = {tuple(cell) for cell in zip(*case.original.precondition.nonzero(), strict=True)}
        due = {tuple(cell) for cell in zip(*case.original.postcondition.nonzero(), strict=True)}
        assert held == set(case.promise.before)
        assert due == set(case.promise.after)


def test_the_list_is_of_the_catalog():
    assert list(TEXTS) == [row.title for row in ROWS]
    assert FILE.read_text("utf-8").startswith(HEADER)


def test_names_of_mutants_are_unique():
    for row in SOME_ROWS:
        case = cases(row)[-1]
        names = [mutant.name for mutant in case.mutants()]
        assert len(names) == len(set(names)), row.title
