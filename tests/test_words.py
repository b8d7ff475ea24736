"""Words of messages: numbers with nouns, lists, runs, and the nearest of some names."""

from random import Random

import pytest

from collectives.words import (
    brief,
    capital,
    listed,
    nearest,
    percent,
    plural,
    quoted,
    ranges,
    runs,
    shortened,
)


@pytest.mark.parametrize(
    ("number", "noun", "text"),
    [
        (0, "rank", "0 ranks"),
        (1, "switch", "1 switch"),
        (2, "switch", "2 switches"),
        (2, "bus", "2 buses"),
        (2, "box", "2 boxes"),
        (1234567, "message", "1,234,567 messages"),
    ],
)
def test_plurals(number, noun, text):
    assert plural(number, noun) == text


def test_lists_of_words():
    assert [listed(list("abcd")[:n]) for n in range(4)] == ["", "a", "a and b", "a, b and c"]
    assert listed(list("abcd"), limit=2) == "a, b and 2 more"
    assert listed(list("ab"), limit=2, last="or") == "a or b"


def test_runs_hold_every_number_once():
    random = Random(3)
    for _ in range(200):
        numbers = sorted(random.sample(range(30), random.randint(0, 20)))
        again = []
        for part in runs(numbers):
            first, _, last = part.partition(" to ")
            assert not last or int(last) - int(first) >= 2
            again += range(int(first), int(last or first) + 1)
        assert again == numbers
        assert ranges(numbers) == ", ".join(part.replace(" to ", "-") for part in runs(numbers))


def test_the_nearest_name_or_all():
    assert nearest("rign", ["ring", "tree"]) == "did you mean ring?"
    assert nearest("xyz", ["ring", "tree"]) == "choose from ring, tree"


def test_a_text_is_shortened_to_any_room():
    for room in range(1, 9):
        text = shortened("all reduce", lambda line, room=room: len(line) <= room)
        assert len(text) <= room and text.endswith("…") and " …" not in text
    assert shortened("all reduce", lambda line: len(line) <= 10) == "all reduce"
    assert shortened("all", lambda line: False) == "…"


def test_small_shares_keep_a_digit():
    assert [percent(part) for part in (0, 0.0004, 0.0099, 0.01, 0.125, 1)] == [
        *("0 %", "0.04 %", "1 %", "1 %", "12 %", "100 %")
    ]


def test_values_in_messages_are_short():
    deep = []
    deep.append(deep)
    for value in (10**10000, "x" * 10**6, deep, list(range(1000)), {1: {2: {3: [4] * 99}}}):
        assert len(brief(value)) <= 60
    assert (quoted("a b"), quoted("a\nb"), quoted("")) == ("'a b'", r"'a\nb'", "''")
    assert capital("ring") == "Ring"
