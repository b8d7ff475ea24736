"""A recorded voice: each sentence of a film begins where it was spoken."""

import json

import pytest

from animations.score.clock import clock_score
from animations.score.comparison import score_of_comparison
from animations.score.steps import score_of
from animations.score.transcript import sentences
from animations.score.voice import most_seconds, timings_beside, voiced, with_voice
from animations.score.voice import sentences as spoken
from animations.story.comparison import drawn_comparison
from animations.story.compose import proved_storyboard
from collectives import BadInput, record
from collectives.comparison.comparison import compare_recordings
from collectives.cost.by_name import setup_on
from collectives.cost.clocks.clock import dataflow
from collectives.cost.machines import topology

SCORE = score_of(proved_storyboard(record("broadcast", "tree", ranks=4)))


def starts(score):
    found = {}
    for each in sentences(score):
        found.setdefault(each.said, each.start)
    return list(found.values())


def test_sentences_begin_where_they_were_spoken():
    count = len(starts(SCORE))
    timings = [0.3, *(2.0 * number + 0.1 * number**2 for number in range(1, count))]
    film = voiced(SCORE, timings, 200.0)
    assert starts(film) == pytest.approx([0.0, *timings[1:]])
    assert film.seconds == pytest.approx(200.0)
    shots = zip(SCORE, film, strict=True)
    assert all(
        (a.moment, a.said, a.travels) == (b.moment, b.said, b.travels) for (_, a), (_, b) in shots
    )
    assert voiced(SCORE, starts(SCORE), SCORE.seconds).seconds == pytest.approx(SCORE.seconds)


def test_no_page_says_how_much_modeled_time_a_second_is_where_a_voice_gives_the_time():
    setup = setup_on("hgx-h100", "dataflow")
    rings = [record("all_reduce", name, ranks=4) for name in ("ring", "tree")]
    board, timing = proved_storyboard(rings[0]), dataflow(rings[0], topology("crossbar", 4))
    compared = drawn_comparison(compare_recordings(rings, setup))
    for film in (clock_score(board, timing), score_of_comparison(compared)):
        paced = [[film.passages[-1].shown, *(shot.moment for _, shot in film)]]
        count = len(spoken(film))
        slow = voiced(film, [9.0 * number for number in range(count)], 9.0 * count)
        paced.append([slow.passages[-1].shown, *(shot.moment for _, shot in slow)])
        there = [any(getattr(picture, "pace", 0.0) for picture in some) for some in paced]
        assert there == [True, False]


def test_times_that_do_not_fit_are_refused():
    count = len(starts(SCORE))
    with pytest.raises(
        BadInput, match=rf"3 starts of sentences, but the film has {count} sentences"
    ):
        voiced(SCORE, [0, 1, 2], 9)
    with pytest.raises(
        BadInput, match="sentence 3 begins 1 s after the start, the one before it 5 s"
    ):
        voiced(SCORE, [0, 5, 1, *range(6, count + 3)], 99)


def test_a_film_does_not_become_much_longer_by_its_voice(tmp_path):
    voice = tmp_path / "v.wav"
    assert with_voice(SCORE, str(voice), 599.0).seconds == pytest.approx(599.0)
    limit = most_seconds(SCORE)
    assert limit >= 600
    refused = rf"v\.wav: is too long; without it the film lasts .* {limit:.0f} s"
    with pytest.raises(BadInput, match=refused):
        with_voice(SCORE, str(voice), 36_000.0)
    voice.with_suffix(".json").write_text("[0, 36000]")
    with pytest.raises(BadInput, match=r"v\.wav: is too long"):
        with_voice(SCORE, str(voice), 9.0)


def test_times_are_read_from_json_or_srt_beside_the_voice(tmp_path):
    voice = tmp_path / "v.wav"
    assert timings_beside(voice) is None
    cues = "1\n00:00:00,000 --> 00:00:01,000\na\n\n2\n00:01:02,500 --> 00:01:03,000\nb\n"
    voice.with_suffix(".srt").write_text(cues)
    assert timings_beside(voice) == [0.0, 62.5]
    voice.with_suffix(".json").write_text("[0, 1.5]")
    assert timings_beside(voice) == [0.0, 1.5]
    for wrong in (
        "{}",
        "[",
        '["a"]',
        "[true]",
        "[NaN]",
        "[-1]",
        "[]",
        "[" * 100_000,
        "[1e99]",
        f"[1{'0' * 400}]",
    ):
        voice.with_suffix(".json").write_text(wrong)
        with pytest.raises(BadInput, match=r"v\.json has no times; it must be a list of seconds"):
            timings_beside(voice)


def test_a_voice_without_times_leaves_the_pace_and_lengthens_the_end(tmp_path):
    film = with_voice(SCORE, str(tmp_path / "v.wav"), 1.0)
    assert starts(film) == pytest.approx(starts(SCORE)) and film.voice.endswith("v.wav")
    assert film.seconds == pytest.approx(SCORE.seconds)
    assert with_voice(SCORE, "v.wav", 500.0).seconds == pytest.approx(500.0)
    (tmp_path / "v.json").write_text(
        json.dumps([3.0 * number for number in range(len(starts(SCORE)))])
    )
    assert starts(with_voice(SCORE, str(tmp_path / "v.wav"), 90.0))[1:3] == pytest.approx([3, 6])
