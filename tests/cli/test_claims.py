"""`claims`: a table of every claim, the same as JSON, and one line for what there is not."""

import csv
import math
import re

import pytest

from collectives.evidence.claims import ROUNDING, VERDICTS, answers
from collectives.evidence.measured import ROWS


def test_every_claim_is_printed_with_its_verdict(right):
    out = right("claims").out
    printed = dict(re.findall(r"^  ([A-E]\d+) +(right|imprecise|wrong) ", out, re.MULTILINE))
    assert printed == {one.name: one.verdict for one in answers()}
    assert max(map(len, out.splitlines())) <= 120


def test_a_claim_shows_figure_and_computed_number_side_by_side(right):
    out = right("claims C2").out
    assert "  C2   wrong       a ring sums them up in 456.3 ms" in out
    assert "ring: the page says 456.3 ms; we get 490 ms (no latency)" in out
    assert "the page divides GiB by GB/s" in out
    assert "Of 1 claim settled by numbers: 0 right, 0 imprecise, 1 wrong." in out
    assert "1 claim settled by numbers, of 28 on 1 page: 0 right, 0 imprecise, 1 wrong" in out


def test_a_claim_without_a_number_has_its_verdict_and_why(right):
    out = right("claims C5").out
    assert "  C5   cannot say* the compute of a step takes 3.5 ms" in out
    assert "the page gives no batch" in out and "settled by numbers" not in out
    assert "1 claim without a number, judged by reading (*): 1 cannot say" in out


def test_no_and_yes_are_words(right):
    out = right("claims D24").out
    assert "NCCL takes its tree for 1 KiB: the page says yes; we get " in " ".join(out.split())
    assert "no (8 H100)" in out


def test_the_json_says_the_same(right):
    report = right("claims --json").json
    assert report["looked_at"] == 117
    assert report["settled"] == len(report["claims"]) == sum(report["verdicts"].values())
    assert list(report["verdicts"]) == list(VERDICTS)
    for claim in report["claims"]:
        for part in claim["parts"]:
            values = [one["value"] for one in part["computed"]]
            least = [-math.inf if part["from"] is None else part["from"]] * len(values)
            most = [math.inf if part["to"] is None else part["to"]] * len(values)
            agree = [
                low - ROUNDING * abs(value) <= value <= high + ROUNDING * abs(value)
                for low, value, high in zip(least, values, most, strict=True)
            ]
            assert agree == [one["agrees"] for one in part["computed"]]
            verdict = "right" if all(agree) else "imprecise" if any(agree) else "wrong"
            assert part["verdict"] == verdict
        worst = max((part["verdict"] for part in claim["parts"]), key=VERDICTS.index)
        assert claim["verdict"] == worst


def test_a_page_and_a_claim_can_be_asked_for(right):
    report = right("claims b D15 --json").json
    assert report["looked_at"] == 14 + 28
    names = [claim["claim"] for claim in report["claims"]]
    assert report["without_number"][0]["claim"] == "B2"
    assert names == ["B1", "B3", "B4", "B5", "B6", "B8", "B12", "D15"]


@pytest.mark.parametrize(
    ("words", "hint"),
    [
        ("C29", "try: C28"),
        ("Z", "choose a page"),
        ("C2x", "did you mean C2?"),
        ("C2 --jsn", "--json"),
    ],
)
def test_bad_input_is_one_line(collectives, words, hint):
    ended = collectives(f"claims {words}")
    assert (ended.status, ended.out) == (2, "")
    assert hint in ended.err and ended.err.count("\n") == 1


def test_measured_rows_stand_beside_the_model(right):
    lines = right("claims --measured").out.splitlines()
    told = right("claims --measured --json").json["measured"]
    with ROWS.open(encoding="utf-8") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    assert [(one["measured_us"], one["bytes"]) for one in told] == [
        (float(row["time_us"]), int(row["size_bytes"])) for row in rows
    ]
    assert sum(line.split()[:1] == [told[0]["operation"]] for line in lines) > 0
    for one in told:
        assert one["ratio"] == pytest.approx(one["model_us"] / one["measured_us"])
        assert one["missed"] == (abs(one["ratio"] - 1) > 0.25)
        assert bool(one["reason"]) == one["missed"]
        assert not one["missed"] or any(one["reason"] in line for line in lines)
    assert (
        lines[-1] == f"not fitted: {sum(not one['missed'] for one in told)} of 48 rows within 25 %"
    )


def test_measured_rows_are_not_claims(collectives):
    ended = collectives("claims C --measured")
    assert (ended.status, ended.out) == (2, "")
    assert ended.err == "collectives: --measured shows every row; leave 'C' out\n"
