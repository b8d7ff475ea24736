"""Films: what is rendered, its subtitles, and that an interrupted render leaves nothing."""

import json
import os
import re
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("manim")

import av
import numpy as np
from PIL import Image, ImageColor
from samples import brief, quick

from animations import scenes
from animations.drawing.theme import DARK
from animations.film.film import Film, render
from animations.story.compose import proved_storyboard
from collectives import ROWS, BadInput, record
from collectives.__main__ import main

ROOT = Path(__file__).parents[3]
RING = proved_storyboard(record("all_reduce", "ring", ranks=2))


@pytest.fixture(scope="module")
def film(tmp_path_factory):
    """A film of a broadcast in two chunks on three ranks, with the steps reported on the way."""
    board = proved_storyboard(record("broadcast", "ring", ranks=3, chunks=2))
    path = tmp_path_factory.mktemp("film") / "chain.mp4"
    reported = []
    render(quick(board), path, "l", lambda step, total: reported.append((step, total)))
    return board, path, reported


def test_a_film_has_the_promised_size_and_length(film):
    board, path, _ = film
    with av.open(str(path)) as container:
        stream = container.streams.video[0]
        assert (stream.width, stream.height, stream.average_rate) == (854, 480, 15)
        frames = [frame.to_ndarray(format="rgb24") for frame in container.decode(video=0)]
    cuts = len(list(quick(board)))
    assert len(frames) / 15 == pytest.approx(quick(board).seconds, abs=0.04 * cuts)
    assert np.abs(frames[0].astype(int) - frames[-1]).max() > 60, "nothing has moved"


def test_progress_is_reported_until_the_end(film):
    _, path, reported = film
    done, totals = zip(*reported, strict=True)
    with av.open(str(path)) as container:
        every = container.streams.video[0].frames
    assert set(totals) == {every}
    assert len(done) > 2
    assert list(done) == sorted(set(done)) and done[-1] == every


def test_subtitles_are_the_sentences_in_order(film):
    board, path, _ = film
    text = path.with_suffix(".srt").read_text()
    spans = re.findall(r"(\d\d):(\d\d):(\d\d),(\d{3})", text)
    seconds = [int(h) * 3600 + int(m) * 60 + int(s) + int(ms) / 1000 for h, m, s, ms in spans]
    assert seconds == sorted(seconds), "subtitles overlap"
    assert path.with_suffix(".vtt").read_text().count(" --> ") == len(spans) / 2
    said = list(dict.fromkeys(shot.said for _, shot in quick(board)))
    cues = re.findall(r"-->.*\n((?:.+\n)+)", text)
    assert " ".join(" ".join(cues).split()) == " ".join(said)
    assert "Rank 0 sends chunk 0 to rank 1: 2 of 3 ranks have it." in said
    assert f"{board.promise}." in said


def test_a_film_has_a_title_chapters_and_a_track_of_text(film):
    board, path, _ = film
    shots = [shot for _, shot in quick(board)]
    cues = re.findall(r"-->.*\n((?:.+\n)+)", path.with_suffix(".srt").read_text())
    with av.open(str(path)) as container:
        assert container.metadata["title"] == board.title
        names = [chapter["metadata"]["title"] for chapter in container.chapters()]
        starts = [chapter["start"] * chapter["time_base"] for chapter in container.chapters()]
        ends = [chapter["end"] * chapter["time_base"] for chapter in container.chapters()]
        stream = container.streams.subtitles[0]
        assert stream.metadata["language"] == "eng"
        texts = [bytes(packet)[2:].decode() for packet in container.demux(stream)]
    assert names == [shot.chapter for shot in shots if shot.chapter] and len(names) > 3
    before = [
        sum(shot.seconds for shot in shots[:i]) for i, each in enumerate(shots) if each.chapter
    ]
    assert starts == pytest.approx(before, abs=0.1)
    assert ends == pytest.approx([*starts[1:], quick(board).seconds], abs=0.1)
    assert [text for text in texts if text] == [cue.strip() for cue in cues]


def test_nothing_but_the_film_and_its_subtitles_is_left(film):
    _, path, _ = film
    assert sorted(os.listdir(path.parent)) == ["chain.mp4", "chain.srt", "chain.vtt"]


def test_every_catalog_row_is_a_scene_that_manim_finds():
    from manim.utils.module_ops import get_scene_classes_from_module

    found = {scene.__name__ for scene in get_scene_classes_from_module(scenes)}
    assert found == {scenes.scene_name(row) for row in ROWS}
    assert "RingAllReduce" in found
    assert all(issubclass(getattr(scenes, name), Film) for name in found)


def test_manim_renders_a_scene_by_its_name(tmp_path):
    command = [sys.executable, "-m", "manim", "-ql", "-s", "--media_dir", str(tmp_path)]
    done = subprocess.run(
        [*command, scenes.__file__, "FlatBroadcast"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert list(tmp_path.rglob("FlatBroadcast*.png"))


def test_an_interrupted_render_leaves_the_old_film(tmp_path):
    """It is interrupted once the first part of the film is there, in a folder beside it."""
    target = tmp_path / "film.mp4"
    target.write_bytes(b"the old film")
    words = ["video", "all-reduce", "ring", "-n", "8", "-q", "m", "-o", str(target)]
    process = subprocess.Popen(
        [sys.executable, "-m", "collectives", *words],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    for _ in range(600):
        if process.poll() is not None or any(tmp_path.rglob("*/*.mp4")):
            break
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert out == ""
    assert err.strip().splitlines()[-1] == "collectives: interrupted"
    assert target.read_bytes() == b"the old film"
    assert os.listdir(tmp_path) == ["film.mp4"]


def test_a_disk_that_fills_up_ends_in_a_line_and_leaves_the_old_film(tmp_path, capfd):
    """Files of limited size stand for the disk: Manim's encoder fails in a thread of its own."""
    target, subtitles = tmp_path / "film.mp4", tmp_path / "film.srt"
    target.write_bytes(b"the old film")
    subtitles.write_text("its subtitles")
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, limits[1]))
    try:
        with pytest.raises(BadInput, match=r"film\.mp4: cannot be written: File too large"):
            render(quick(RING), target, "l", lambda step, total: None)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert capfd.readouterr().err == ""
    assert (target.read_bytes(), subtitles.read_text()) == (b"the old film", "its subtitles")
    assert sorted(os.listdir(tmp_path)) == ["film.mp4", "film.srt"]


def test_new_subtitles_never_stand_beside_an_old_film(tmp_path, monkeypatch):
    target, subtitles = tmp_path / "film.mp4", tmp_path / "film.srt"
    target.write_bytes(b"the old film")
    subtitles.write_text("its subtitles")

    def killed(part, target):
        raise KeyboardInterrupt

    monkeypatch.setattr("animations.film.film.put", killed)
    with pytest.raises(KeyboardInterrupt):
        render(brief(RING), target, "l", lambda step, total: None)
    assert target.read_bytes() == b"the old film"
    assert os.listdir(tmp_path) == ["film.mp4"]


def test_sections_are_films_of_their_own(tmp_path):
    board = proved_storyboard(record("all_reduce", "flat", ranks=2))
    render(brief(board), tmp_path / "f.mp4", "l", lambda step, total: None, sections=True)
    index = json.loads((tmp_path / "f-sections" / "film.json").read_text())
    assert [part["name"] for part in index] == ["title", "start", "all-reduce 1", "result"]
    for part in index:
        with av.open(str(tmp_path / "f-sections" / part["video"])) as container:
            assert container.streams.video[0].width == 854


def test_sections_of_another_film_are_replaced_and_files_of_the_user_refused(tmp_path):
    render(brief(RING), tmp_path / "f.mp4", "l", lambda step, total: None, sections=True)
    first = set(os.listdir(tmp_path / "f-sections"))
    board = proved_storyboard(record("all_reduce", "flat", ranks=2))
    render(brief(board), tmp_path / "f.mp4", "l", lambda step, total: None, sections=True)
    second = set(os.listdir(tmp_path / "f-sections"))
    index = json.loads((tmp_path / "f-sections" / "film.json").read_text())
    assert second == {"film.json", *(part["video"] for part in index)}
    assert not first <= second
    (tmp_path / "f-sections" / "notes.txt").touch()
    with pytest.raises(BadInput, match=r"--sections: .*notes\.txt is no part of a film; move it"):
        render(brief(RING), tmp_path / "f.mp4", "l", lambda step, total: None, sections=True)
    assert set(os.listdir(tmp_path / "f-sections")) == second | {"notes.txt"}
    (tmp_path / "g-sections").touch()
    with pytest.raises(BadInput, match=r"--sections: .*g-sections is a file"):
        render(brief(RING), tmp_path / "g.mp4", "l", lambda step, total: None, sections=True)


def test_a_gif_shows_the_steps_in_the_theme_s_colors(tmp_path):
    board = proved_storyboard(record("all_reduce", "ring", ranks=4))
    path = render(quick(board), tmp_path / "ring.gif", "l", lambda step, total: None)
    with Image.open(path) as image:
        assert image.size == (854, 480)
        seconds = 0.0
        for number in range(image.n_frames):
            image.seek(number)
            seconds += image.info["duration"] / 1000
        last = np.asarray(image.convert("RGB")).reshape(-1, 3).astype(int)
    cards = sum(s.seconds for p, s in quick(board) if not p.runs)
    assert seconds == pytest.approx(quick(board).seconds - cards, rel=0.03)
    assert path.stat().st_size < 3_000_000
    for color in (DARK.background, DARK.panel, DARK.well, DARK.now, *DARK.ranks[:4]):
        distance = np.abs(last - ImageColor.getrgb(color)).max(axis=1)
        assert (distance <= 6).sum() > 30, f"{color} is lost"


def test_a_png_is_the_result(tmp_path):
    board = proved_storyboard(record("all_reduce", "ring", ranks=3))
    path = render(brief(board), tmp_path / "ring.png", "m", lambda step, total: None)
    with Image.open(path) as image:
        assert image.size == (1280, 720)


@pytest.mark.parametrize(
    ("name", "quality", "problem"),
    [
        ("film.avi", "l", "a film is written as .mp4 or .gif or .png"),
        ("film.mp4", "x", "must be one of l, m, h, p, k"),
        ("no/film.mp4", "l", "there is no folder"),
    ],
)
def test_what_cannot_be_rendered_is_refused(tmp_path, name, quality, problem):
    board = proved_storyboard(record("broadcast", "flat", ranks=2))
    with pytest.raises(BadInput, match=problem):
        render(brief(board), tmp_path / name, quality, lambda step, total: None)


def test_without_manim_the_command_says_how_to_install_it(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for name in [m for m in sys.modules if m.split(".")[0] == "manim"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, "animations.film.film", raising=False)
    monkeypatch.setitem(sys.modules, "manim", None)
    with pytest.raises(SystemExit) as ended:
        main(["video", "all-reduce", "ring"])
    assert ended.value.code == 3
    message = capsys.readouterr().err
    assert message.count("\n") == 1
    assert message.endswith(f"; type: make -C {ROOT} setup\n")
