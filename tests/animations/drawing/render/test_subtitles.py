"""Cues: at most two lines of 42 letters, at most 20 letters a second, broken where phrases end."""

from itertools import pairwise
from random import Random

import pytest
from each import each
from settings import SOME_ROWS, THOROUGH

from animations.drawing.render.subtitles import (
    LETTERS,
    LINES,
    SPEED,
    Cue,
    cues,
    least_seconds,
    pieces,
    srt,
    vtt,
)
from animations.score.pacing import spoken_seconds
from animations.score.steps import score_of
from animations.story.compose import proved_storyboard
from collectives import record

LONG = (
    "Every rank adds a chunk into its right neighbor, which does the same in the next step; "
    "after as many steps as there are other ranks, each of them has the sum of one chunk."
)
WORDS = LONG.replace(",", "").split()


def sentences(seed):
    random = Random(seed)
    return [
        " ".join(random.choices(WORDS, k=random.randint(1, 45))) + random.choice([".", "", ";"])
        for _ in range(400 if THOROUGH else 60)
    ]


def test_cues_say_all_words_in_order_in_lines_that_fit():
    for text in [LONG, "x" * 200, "a " * 90, *sentences(1)]:
        (found,) = [cues([(0.0, least_seconds(text), text)], 60.0)]
        lines = [line for cue in found for line in cue.lines]
        assert "".join(lines).replace(" ", "") == text.replace(" ", "")
        assert all(0 < len(line) <= LETTERS for line in lines)
        assert all(len(cue.lines) <= LINES for cue in found)
        least = -(-len(text.strip()) // (LETTERS * LINES + 1))
        assert least <= len(found) <= 2 * least + 1


def test_cues_are_slow_enough_where_the_sentence_is():
    for text in [LONG, "Counterclockwise communication " * 5, *sentences(2)]:
        assert spoken_seconds(text) > least_seconds(text)
        for lasts in (least_seconds(text), spoken_seconds(text), 2 * least_seconds(text)):
            found = cues([(3.0, 3.0 + lasts, text)], 3.0 + lasts)
            assert (found[0].start, found[-1].end) == (3.0, pytest.approx(3.0 + lasts))
            assert all(a.end == b.start for a, b in pairwise(found))
            for cue in found:
                assert len(" ".join(cue.lines)) <= SPEED * (cue.end - cue.start) + 1e-6
                assert cue.end - cue.start >= 1 - 1e-6


def test_a_cue_that_is_too_fast_lasts_into_the_silence_after_it():
    said = [(0.0, 0.5, "Every rank sends one chunk."), (0.5, 4.0, ""), (4.0, 4.1, "It adds.")]
    assert [(cue.start, cue.end) for cue in cues(said, 4.3)] == [(0.0, 1.35), (4.0, 4.3)]
    assert cues([said[0], (0.9, 3, "b")], 3)[0].end == 0.9, "not into the next sentence"
    assert cues([(0.0, 2.0, "")], 2.0) == []


def test_lines_are_even_and_broken_where_phrases_end():
    broken = {
        LONG[:48]: ("Every rank adds a chunk", "into its right neighbor,"),
        "Ranks 0, 1, 2, 3, 4, 5, 6, 7 and 8 send their chunks over the same distance": (
            "Ranks 0, 1, 2, 3, 4, 5, 6, 7 and 8 send",
            "their chunks over the same distance",
        ),
        "Cada rango suma un fragmento, y luego lo envía a su vecino": (
            "Cada rango suma un fragmento,",
            "y luego lo envía a su vecino",
        ),
    }
    for text, lines in broken.items():
        (cue,) = cues([(0.0, 9.0, text)], 9.0)
        assert cue.lines == lines


def test_a_sentence_is_parted_where_its_phrases_end():
    assert pieces(LONG) == (
        "Every rank adds a chunk into its right neighbor, which does the same",
        "in the next step; after as many steps as there are other ranks,",
        "each of them has the sum of one chunk.",
    )


def test_files_have_the_times_and_lines_of_cues():
    shown = [Cue(0.0, 1.5, ("a & b", "<c>")), Cue(61.25, 3600.0, ("d",))]
    assert srt(shown) == (
        "1\n00:00:00,000 --> 00:00:01,500\na & b\n<c>\n\n2\n00:01:01,250 --> 01:00:00,000\nd\n"
    )
    assert vtt(shown) == (
        "WEBVTT\n\n00:00:00.000 --> 00:00:01.500\na &amp; b\n&lt;c&gt;\n\n"
        "00:01:01.250 --> 01:00:00.000\nd\n"
    )


@each("row", SOME_ROWS, title=lambda row: row.title)
def test_every_cue_of_a_film_can_be_read(row):
    ranks = next(filter(row.accepts, (5, 6, 8, 9)))
    score = score_of(proved_storyboard(record(row.collective, row.algorithm, ranks=ranks)))
    said, start = [], 0.0
    for _, shot in score:
        first = said.pop()[0] if said and said[-1][2] == shot.said else start
        start += shot.seconds
        said.append((first, start, shot.said))
    for cue in cues(said, start):
        assert len(" ".join(cue.lines)) <= SPEED * (cue.end - cue.start) + 1e-6, cue
