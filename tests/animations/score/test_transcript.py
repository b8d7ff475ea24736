"""Transcripts and scripts say every sentence at its time, with what is seen."""

import re
from itertools import pairwise

import pytest
from each import each
from settings import SOME_ROWS

from animations.score.pacing import words
from animations.score.steps import score_of
from animations.score.transcript import chapters, minutes, script, sentences, transcript
from animations.story.usual import usual_board
from collectives import record

CASES = [(row, language) for row in SOME_ROWS[:4] for language in ("en", "es")]


def score(row, language):
    ranks = next(filter(row.accepts, (3, 4, 8)))
    return score_of(
        usual_board(record(row.collective, row.algorithm, ranks=ranks), language=language)
    )


@each(("row", "language"), CASES, title=lambda case: (case[0].title, case[1]), few=8)
def test_every_sentence_is_in_transcript_and_script_at_its_time(row, language):
    film = score(row, language)
    every = sentences(film)
    assert every[0].start == 0 and every[-1].end == pytest.approx(film.seconds)
    assert all(a.end == b.start for a, b in pairwise(every))
    named = [shot.chapter for _, shot in film if shot.chapter]
    parts = chapters(film)
    assert [part[0].chapter for part in parts] == named
    files = [f"{number}.png" for number in range(len(parts))]
    text = transcript(film, files)
    heads = re.findall(r"^## (\S+) (.*)$", text, re.MULTILINE)
    assert heads == [(minutes(part[0].start), part[0].chapter) for part in parts]
    stills = re.findall(r"^!\[(.*)\]\(<(.*)>\)$", text, re.MULTILINE)
    assert [file for _, file in stills] == files and all(len(alt) > 20 for alt, _ in stills)
    told = [block for block in text.split("\n\n")[1:] if block[0] not in "#!"]
    assert [block.strip() for block in told] == [each.said for each in every]
    rows = [line.split(" | ") for line in script(film).splitlines() if line.startswith("| ")][2:]
    assert [cells[2] for cells in rows] == [each.said for each in every]
    assert [cells[0] for cells in rows] == [f"| {minutes(each.start)}" for each in every]
    for cells, spoken in zip(rows, every, strict=True):
        pace = words(spoken.said) * 60 / (spoken.end - spoken.start)
        assert int(cells[3].rstrip(" |")) == round(pace) <= 150


def test_what_is_seen_is_the_state_at_the_end_of_the_sentence():
    board = usual_board(record("all_reduce", "ring", ranks=3))
    seen = [each.seen for each in sentences(score_of(board))]
    assert seen[0] == board.title
    assert [text for text in dict.fromkeys(seen) if text in board.captions] == list(board.captions)
