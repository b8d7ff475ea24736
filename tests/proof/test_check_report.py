"""A report of checks: lines for people, values for JSON, and a refusal where anything is wrong."""

import json

import pytest

from collectives import WrongSchedule
from collectives.proof.check_report import Checked, CheckReport
from collectives.proof.prove import Verdict

RIGHT = Checked("all_reduce", "ring", 33, Verdict(True, "ring: right"), "1-33 ranks")
PART = Checked("all_reduce", "swing", 2, Verdict(True, "swing: right"), "1-4 ranks", (1, 3))
WRONG = Checked("broadcast", "tree", 4, Verdict(False, "tree broadcast on 4 ranks: no"))


def test_one_algorithm_has_a_line_and_a_table_of_all_has_rows():
    assert list(CheckReport([RIGHT]).lines()) == ["ring: right (1-33 ranks)"]
    rows = list(CheckReport([RIGHT, PART], "1-33 ranks").lines())
    assert rows[0].split() == ["right", "ring", "all-reduce", "33", "cases"]
    assert rows[1].endswith("(2 numbers of ranks left out: it takes even only)")
    assert rows[2:] == ["2 algorithms, 35 cases: all right (1-33 ranks)"]


def test_values_are_those_of_the_verdicts():
    report = CheckReport([RIGHT, WRONG], "1-33 ranks")
    values = json.loads(json.dumps(report.as_json()))
    assert (values["ok"], values["cases"]) == (False, 37)
    assert [one["ok"] for one in values["algorithms"]] == [True, False]
    assert list(report.lines())[-1] == "WRONG  tree broadcast on 4 ranks: no"


def test_the_first_wrong_one_is_refused_and_the_others_counted():
    CheckReport([RIGHT, PART]).refuse_wrong()
    with pytest.raises(WrongSchedule, match=r"^tree broadcast on 4 ranks: no$"):
        CheckReport([RIGHT, WRONG]).refuse_wrong()
    with pytest.raises(WrongSchedule, match=r"no \(and 1 more algorithm\)$"):
        CheckReport([WRONG, WRONG]).refuse_wrong()
