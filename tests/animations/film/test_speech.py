"""Voices of films: by a program, or a sound for each sentence, all equally loud."""

import stat
import wave

import numpy as np
import pytest

pytest.importorskip("manim")

from animations.drawing.render.sound import RATE, sound_samples
from animations.drawing.sheet import FILM
from animations.film.speech import aloud, in_time, sounds_in, spoken_score
from animations.score.steps import score_of
from animations.score.voice import sentences
from animations.story.usual import usual_board
from collectives import record
from collectives.errors import BadInput, NotInstalled

SCORE = score_of(usual_board(record("broadcast", "flat", ranks=2), sheet=FILM))
SPEAKS = """#!/bin/sh
while [ $# -gt 1 ]; do [ "$1" = -w ] && file=$2; shift; done
cat > /dev/null && cp {sound} "$file"
"""


def tone(path, seconds, loud):
    """A sound of one pitch."""
    at = np.arange(round(seconds * RATE)) / RATE
    samples = (loud * 32767 * np.sin(2 * np.pi * 220 * at)).astype("<i2")
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(samples.tobytes())
    return path


def test_sentences_last_as_long_as_their_sounds_which_are_equally_loud(tmp_path):
    number = len(sentences(SCORE))
    for k in range(number):
        tone(tmp_path / f"{k:03}.wav", 9.0 if k == 1 else 0.5, 0.05 if k % 2 else 0.8)
    files = sounds_in(tmp_path, number)
    spoken = in_time(SCORE, files, tmp_path / "voice.out")
    lasts = [seconds for _, seconds in sentences(spoken)]
    assert lasts[1] > 9 and lasts[0] < dict(enumerate(sentences(SCORE)))[0][1]
    sound = sound_samples(spoken.voice)
    assert len(sound) / RATE == pytest.approx(spoken.seconds, abs=0.01)
    begin = np.cumsum([0.0, *lasts])
    louds = [
        np.sqrt(np.mean(sound[round((start + 0.2) * RATE) : round((start + 0.6) * RATE)] ** 2))
        for start in begin[:-1]
    ]
    assert np.allclose(louds, louds[0], rtol=0.05)


def test_a_folder_has_a_sound_for_each_sentence(tmp_path):
    tone(tmp_path / "1.wav", 0.1, 0.5)
    with pytest.raises(BadInput, match=r"has 1 sound, but the film has \d+ sentences; try: "):
        sounds_in(tmp_path, len(sentences(SCORE)))


@pytest.mark.parametrize(
    ("language", "written", "spoken"),
    [
        ("en", "1 µs, 6 µs: 293 GB/s.", "1 microsecond, 6 microseconds: 293 gigabytes per second."),
        ("en", "Tree B has 1/8 of 2.5 KiB.", "Tree B has 1 over 8 of 2.5 kibibytes."),
        ("en", "Ranks 0 → 1 → 2 wait.", "Ranks 0 to 1 to 2 wait."),
        ("es", "Con 64 MiB, 1,5 ms.", "Con 64 mebibytes, 1,5 milisegundos."),
        ("zh", "64 MiB，6 µs。", "64 兆字节，6 微秒。"),
    ],
)
def test_units_and_signs_are_spoken_as_words(language, written, spoken):
    assert aloud(written, language) == spoken


def test_a_program_speaks_or_the_line_that_installs_one_is_named(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with (
        pytest.raises(NotInstalled, match="apt install espeak-ng"),
        spoken_score(SCORE, "auto"),
    ):
        pass
    program = tmp_path / "espeak-ng"
    program.write_text(SPEAKS.format(sound=tone(tmp_path / "said.wav", 0.3, 0.5)))
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with spoken_score(SCORE, "auto") as spoken:
        assert len(sound_samples(spoken.voice)) / RATE == pytest.approx(spoken.seconds, abs=0.01)
