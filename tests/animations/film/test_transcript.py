"""Transcripts as files: a still for each chapter, written whole or not at all."""

import pytest

pytest.importorskip("manim")

import numpy as np
from PIL import Image
from samples import quick

from animations.drawing.theme import DARK
from animations.film.transcript import stills_folder, write_transcript
from animations.score.transcript import chapters
from animations.story.compose import proved_storyboard
from collectives import BadInput, record


def test_a_transcript_has_a_still_for_each_chapter(tmp_path):
    score = quick(proved_storyboard(record("broadcast", "flat", ranks=2), language="es"))
    (tmp_path / "f-stills").mkdir()
    (tmp_path / "f-stills" / "9-old.png").write_bytes(b"of another film")
    text = write_transcript(score, tmp_path / "f.mp4", DARK).read_text()
    stills = sorted(path.name for path in (tmp_path / "f-stills").iterdir())
    names = ("titulo", "problema", "ejecucion", "resultado")
    assert stills == [f"{number}-{name}.png" for number, name in enumerate(names, 1)]
    assert len(stills) == len(chapters(score))
    assert all(f"<f-stills/{name}>" in text for name in stills)
    pictures = [Image.open(tmp_path / "f-stills" / name) for name in stills]
    assert all(picture.size == (1280, 720) for picture in pictures)
    assert len({picture.tobytes() for picture in pictures}) >= len(stills) - 1
    _, start, steps, result = (np.asarray(picture, int) for picture in pictures)
    assert 2 * abs(steps - result).sum() < abs(start - result).sum(), "not of its end"
    assert "| Tiempo | Se ve |" in (tmp_path / "f-script.md").read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["f-script.md", "f-stills", "f.md"]


def test_a_folder_with_other_files_is_refused(tmp_path):
    (tmp_path / "f-stills").mkdir()
    (tmp_path / "f-stills" / "thesis.png").write_bytes(b"of the user")
    with pytest.raises(BadInput, match=r"thesis\.png is not a still; move it"):
        stills_folder(tmp_path / "f.mp4")
    (tmp_path / "g-stills").write_text("")
    with pytest.raises(BadInput, match="g-stills is a file"):
        stills_folder(tmp_path / "g.mp4")
