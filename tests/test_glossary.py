"""The glossary: a sentence for each term, and where texts use them."""

import pytest

from collectives import ROWS, glossary, record
from collectives.recording.phases import step_caption


def test_every_collective_is_defined():
    assert {row.promise.title for row in ROWS} <= set(glossary.definitions())


@pytest.mark.parametrize("term", glossary.definitions())
def test_a_definition_is_a_short_sentence(term):
    text = glossary.definitions()[term]
    assert text[0].isupper() and text.endswith(".")
    assert len(text.split()) <= 32


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("Every rank sends its chunk to the next rank", {"rank": "rank", "chunk": "chunk"}),
        ("busiest ports of two switches", {"busiest ports": "busiest port", "switches": "switch"}),
        ("partial sums", {"partial sums": "partial sum"}),  # not the sums alone
        ("Ranking of streets", {}),
        ("an all-reduce, a reduce", {"all-reduce": "all-reduce", "reduce": "reduce"}),
        ("off-rank", {}),
    ],
)
def test_terms_are_whole_words_and_the_longest(text, terms):
    assert glossary.terms_in([text]) == terms


def test_no_two_terms_share_a_spelling():
    """Each plural and each other spelling leads to one term."""
    written = [*glossary.definitions(), *glossary.SAME]
    assert len(set(written)) == len(written)
    assert set(glossary.SAME.values()) | set(glossary.PLURALS) <= set(glossary.definitions())


def test_captions_speak_in_terms():
    """Of every row on 8 ranks: who acts, and on what, is a word of the glossary."""
    for row in ROWS:
        if not row.accepts(8):
            continue
        recording = record(row.collective, row.algorithm, ranks=8)
        captions = set(map(step_caption, recording.steps))
        assert all(glossary.terms_in([caption]) for caption in captions if caption), row.title
