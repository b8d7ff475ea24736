"""The tests of the player's modules, run by Node: each *.test.js reads what Python made as JSON."""

import json
import subprocess
from pathlib import Path

import pytest
from fixtures import FIXTURES

HERE = Path(__file__).parent
TESTS = sorted(HERE.glob("*.test.js"))


@pytest.mark.parametrize("path", TESTS, ids=lambda path: path.name)
def test_module(node, path):
    make = FIXTURES.get(path.name.removesuffix(".test.js"))
    given = json.dumps(make()) if make else ""
    ran = subprocess.run(
        [node, path], input=given, capture_output=True, text=True, timeout=300, check=False
    )
    assert ran.returncode == 0, f"{ran.stdout[-6000:]}{ran.stderr[-3000:]}"
    assert "# tests 0" not in ran.stdout


def test_every_fixture_has_its_test():
    assert FIXTURES.keys() <= {path.name.removesuffix(".test.js") for path in TESTS}
