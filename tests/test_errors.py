import re
import tomllib
from pathlib import Path

import pytest

from collectives import errors
from collectives.errors import BadInput, CollectivesError, NotInstalled, WrongSchedule
from collectives.words import brief


@pytest.mark.parametrize(
    ("failure", "status", "kind"),
    [(BadInput, 2, ValueError), (WrongSchedule, 1, ValueError), (NotInstalled, 3, ImportError)],
)
def test_failures_have_a_status_and_are_of_a_usual_kind(failure, status, kind):
    assert failure.status == status
    assert issubclass(failure, CollectivesError)
    assert issubclass(failure, kind)


def nested(depth):
    value = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize(
    "value",
    ["x" * 10**6, list(range(10**6)), nested(5000), 10**4000, 10**9000, [10**9000], {1: {2: {}}}],
    ids=["text", "list", "nested", "digits", "more digits", "inside", "short"],
)
def test_brief_is_brief_whatever_it_is_given(value):
    assert 0 < len(brief(value)) <= 60
    assert "\n" not in brief(value)


def test_brief_shows_short_values_as_they_are():
    assert [brief(value) for value in (1, "a\nb", [1, 2], None)] == [
        "1",
        r"'a\nb'",
        "[1, 2]",
        "None",
    ]


ROOT = Path(__file__).parents[1]


def test_a_checkout_is_completed_by_its_own_setup():
    assert str(NotInstalled("a film needs Manim", "video")) == (
        f"a film needs Manim; type: make -C {ROOT} setup"
    )


def test_an_installed_package_names_the_distribution_that_pyproject_builds(monkeypatch, tmp_path):
    monkeypatch.setattr(errors, "__file__", str(tmp_path / "collectives" / "errors.py"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    for extra in project["optional-dependencies"]:
        assert str(NotInstalled("a film needs Manim", extra)) == (
            f"a film needs Manim; type: pip install '{project['name']}[{extra}]'"
        )


def test_every_hint_names_a_group_of_pyproject():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    sources = [p for top in ("collectives", "animations") for p in (ROOT / top).rglob("*.py")]
    named = {
        extra
        for path in sources
        for extra in re.findall(r'(?:NotInstalled|imported)\([^\n]*", "(\w+)"\)', path.read_text())
    }
    assert (
        named
        == {"video", "figure", "notebook", "bfloat16", "site"}
        <= set(project["optional-dependencies"])
    )
