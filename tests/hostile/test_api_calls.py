"""Calls of the public API: a value, or one of our failures in one line, never one from inside."""

import json

import pytest
from each import each
from runner import judged, sampled, table, title

TABLE = table("api_calls")


def expect(server, case):
    """Evaluate the code of a case; it must end with a value, or be refused as the table says."""
    wanted, code, *needles = case
    ended = judged(server, [0], code=code)
    result = json.loads(ended.out.splitlines()[-1])
    if wanted == "value":
        assert "value" in result, result
        assert all(needle in result["value"] for needle in needles), result
        return
    if wanted == "problem" and result.get("problem"):
        result = {"raised": ["problem"], "text": result["problem"], "place": ""}
    assert "value" not in result, f"accepted: {result['value']}"
    name, text = result["raised"][0], result["text"]
    told = f"{name}: {text[:500]} ({result['place']})"
    assert name in wanted.replace("problem", "problem|BadInput").split("|"), told
    if name == "TypeError":
        assert result["place"] == "<string>", f"raised inside: {told}"
        return
    assert len(text) <= 700 and text.isprintable(), told
    for needle in needles:
        assert needle in text, told


@pytest.mark.parametrize("section", TABLE)
def test_a_call_ends_with_a_value_or_one_line(server, section):
    each("case", sampled(TABLE[section]), title, few=4)(lambda case: expect(server, case))()
