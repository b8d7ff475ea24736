import pytest

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
