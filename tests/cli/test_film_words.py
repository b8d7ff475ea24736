"""Transcripts and recorded voices, asked for on the command line."""

import json
import re
import wave

import pytest

pytest.importorskip("manim")

import av
import numpy as np

SUBJECT = "video broadcast flat -n 2 -q l -o film.mp4"


def spoken(folder, seconds):
    """A silent voice.wav."""
    with wave.open(str(folder / "voice.wav"), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8000)
        file.writeframes(bytes(2 * 8000 * seconds))


def test_a_film_with_its_transcript_and_a_voice_in_the_time_of_the_voice(collectives, folder):
    plain = collectives(f"{SUBJECT} --transcript")
    assert plain.status == 0, plain.err
    text = (folder / "film.md").read_text("utf-8")
    stills = re.findall(r"!\[(.+)\]\(<(.+)>\)", text)
    assert stills and all((folder / path).is_file() and alt for alt, path in stills)
    assert "words a minute" in (folder / "film-script.md").read_text("utf-8")

    assert not (folder / "media").exists(), "what Manim needs for a moment is elsewhere"

    spoken(folder, 20)
    (folder / "voice.json").write_text("[0, 1, 2]")
    refused = collectives(f"{SUBJECT} --voice voice.wav")
    assert refused.status == 2 and refused.err.count("\n") == 1
    needed = int(re.search(r"the film has (\d+) sentence", refused.err)[1])
    (folder / "voice.json").write_text(json.dumps([1.0 * number for number in range(needed)]))
    voiced = collectives(f"{SUBJECT} --voice voice.wav")
    assert voiced.status == 0, voiced.err
    with av.open(str(folder / "film.mp4")) as film:
        assert len(film.streams.audio) == 1
        length = film.streams.video[0].frames / 15
    assert length == pytest.approx(20, abs=0.2)


def test_slides_have_a_transcript_and_each_its_own_piece_of_a_voice(
    collectives, folder, tmp_path_factory, monkeypatch
):
    """They are made twice; the second time of the parts that are kept."""
    monkeypatch.setenv("COLLECTIVES_CACHE", str(tmp_path_factory.mktemp("parts")))
    seconds = 20
    with wave.open(str(folder / "voice.wav"), "wb") as file:
        file.setparams((1, 2, 8000, 0, "NONE", ""))
        rising = np.arange(seconds * 8000) / (seconds * 8000)  # as loud as it is late
        file.writeframes((20000 * rising * np.sin(np.arange(len(rising)))).astype("<i2").tobytes())
    words = "video broadcast flat -n 2 -q l --format slides -o deck --transcript --voice voice.wav"
    ended = collectives(words)
    assert ended.status == 0, ended.err
    deck = folder / "deck"
    assert ended.out.endswith("deck/index.html\n") and "deck/transcript.md" in ended.err
    text = (deck / "transcript.md").read_text("utf-8")
    stills = re.findall(r"!\[.+\]\(<(.+)>\)", text)
    assert stills == sorted(path.name for path in deck.glob("*.png"))
    assert "words a minute" in (deck / "script.md").read_text("utf-8")
    assert "muted" not in (deck / "index.html").read_text("utf-8").partition("<script")[0]
    last, start = 0.0, 0.0
    for path in sorted(deck.glob("*.mp4")):
        with av.open(str(path)) as clip:
            lasts = clip.streams.video[0].frames / 15
            heard = [frame.to_ndarray() for frame in clip.decode(audio=0)]
        loud = float(np.abs(np.concatenate(heard, axis=1)).max())
        start += lasts
        if start < seconds:
            assert loud == pytest.approx(20000 / 32768 * start / seconds, abs=0.01), path.name
        assert loud > last or start > seconds
        last = loud
    assert collectives(words).status == 0, "slides with a transcript are replaced"


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("--voice none.wav", "--voice none.wav: cannot be read: No such file"),
        ("--voice bad.wav", "--voice bad.wav: cannot be read"),
        (
            "-o bad.mp4 --voice bad.wav",
            "its times would stand in bad.srt, where the subtitles go; try: -o bad-spoken.mp4",
        ),
        ("-o film.gif --transcript", "--transcript: film.gif has none; try: -o FILE.mp4"),
        ("-o film.png --voice bad.wav", "--voice: film.png has none; try: -o FILE.mp4"),
    ],
)
def test_what_has_no_voice_or_transcript_is_refused_in_one_line(
    collectives, folder, words, problem
):
    (folder / "bad.wav").write_bytes(b"RIFFnothing")
    ended = collectives(f"video broadcast flat -n 2 -q l {words}")
    assert ended.status == 2
    assert problem in ended.err and ended.err.count("\n") == 1
    assert not list(folder.glob("film*"))
