"""The sound of a voice in a film."""

import io
import random
import wave
from dataclasses import replace

import pytest

pytest.importorskip("manim")

import av
import numpy as np
from samples import quick

from animations.drawing.render.sound import RATE, Piece, sound_packets, sound_seconds
from animations.film.film import render
from animations.story.compose import proved_storyboard
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


def heard(piece):
    """The samples of a piece of a sound in a film."""
    film = io.BytesIO()
    with av.open(film, "w", format="mp4") as container:
        for packet in sound_packets(container, piece):
            container.mux_one(packet)
    film.seek(0)
    with av.open(film) as container:
        return np.concatenate([f.to_ndarray()[0] for f in container.decode(audio=0)])


@pytest.mark.parametrize("start", [0.1, 0.5004, 0.98])
def test_a_piece_is_cut_to_the_sample_and_does_not_click(voice, start):
    end = start + 0.9
    count = round(0.9 * RATE)
    samples = heard(Piece(str(voice), start, end))[:count]
    tone = 9000 / 32768 * np.sin((start + np.arange(count) / RATE) * 2205)
    middle = slice(2000, -2000)
    assert np.abs(samples - tone)[middle].max() < 0.02
    assert np.abs(samples).max() < 1.03 * 9000 / 32768
    assert max(abs(samples[0]), abs(samples[-1])) < 0.03
    assert np.abs(heard(Piece(str(voice), 5.0, 6.0))).max() == 0


def test_a_mutated_file_is_a_sound_or_refused(tmp_path, voice):
    whole, mutations = voice.read_bytes()[:4000], random.Random(4)
    path = tmp_path / "mutated.wav"
    refused = 0
    for number in range(400):
        content = bytearray(whole[: number * 10] if number % 4 == 0 else whole)
        for _ in range(number % 4):
            content[mutations.randrange(60)] = mutations.choice(
                [0, 1, 255, mutations.randrange(256)]
            )
        path.write_bytes(content)
        try:
            assert 0 < sound_seconds(path, 300) <= 400
        except BadInput:
            refused += 1
    assert 100 < refused < 350


def test_no_more_of_a_sound_is_read_than_is_needed(voice):
    assert 0.5 < sound_seconds(voice, 0.5) < 1


@pytest.mark.parametrize(
    "content", ["#EXTM3U\n#EXTINF:2,\n{}\n", "ffconcat version 1.0\nfile '{}'\n"]
)
def test_no_other_file_is_opened_that_a_file_names(tmp_path, voice, content):
    for name in (voice.name, f"file:{voice}"):
        (tmp_path / "list.m3u8").write_text(content.format(name))
        with pytest.raises(BadInput, match=r"list\.m3u8: cannot be read: Invalid"):
            sound_seconds(tmp_path / "list.m3u8")


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
