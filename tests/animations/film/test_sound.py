"""The sound of a voice in a film."""

import wave
from dataclasses import replace

import pytest

pytest.importorskip("manim")

import av
import numpy as np
from samples import quick

from animations.film.film import render
from animations.film.sound import sound_seconds
from animations.story.storyboard import proved_storyboard
from collectives import BadInput, record


@pytest.fixture
def voice(tmp_path):
    """Two seconds of a tone."""
    path = tmp_path / "v.wav"
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, 22050, 0, "NONE", ""))
        tone = 9000 * np.sin(np.arange(2 * 22050) * 0.1)
        file.writeframes(tone.astype("<i2").tobytes())
    return path


def test_a_film_has_the_sound_of_its_voice(tmp_path, voice):
    assert sound_seconds(voice) == pytest.approx(2.0)
    score = replace(
        quick(proved_storyboard(record("broadcast", "flat", ranks=2))), voice=str(voice)
    )
    film = render(score, tmp_path / "f.mp4", "l", lambda done, total: None)
    assert sound_seconds(film) == pytest.approx(2.0, abs=0.1)
    with av.open(str(film)) as container:
        assert [stream.type for stream in container.streams][:3] == ["video", "subtitle", "audio"]
        loud = max(abs(frame.to_ndarray()).max() for frame in container.decode(audio=0))
    assert 0.1 < loud < 0.5


@pytest.mark.parametrize("content", [b"", b"no sound at all"])
def test_a_file_without_sound_is_refused(tmp_path, content):
    path = tmp_path / "x.wav"
    path.write_bytes(content)
    with pytest.raises(BadInput, match=r"x\.wav: cannot be read"):
        sound_seconds(path)
    with pytest.raises(BadInput, match=r"none\.wav: cannot be read: No such file"):
        sound_seconds(tmp_path / "none.wav")
