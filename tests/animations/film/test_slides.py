"""Slides: a clip for each step with its last frame and words, and the deck that plays them."""

import os
import re
from itertools import pairwise

import numpy as np
import pytest

pytest.importorskip("manim")

import av
from PIL import Image
from playwright.sync_api import expect
from samples import brief, frames_of

from animations.drawing.render.subtitles import SPEED
from animations.drawing.sheet import FOUR_TO_THREE, TALL
from animations.drawing.theme import LIGHT
from animations.film import engine, slides
from animations.film.slides import MOST_SINGLE, clips, render_slides
from animations.score.score import TextCard
from animations.score.steps import score_of
from animations.story.compose import proved_storyboard
from collectives import record
from collectives.errors import BadInput

RING = proved_storyboard(record("all_reduce", "ring", ranks=3))
ALIKE = 2.5  # of 255, between a frame and its encoding


def nothing(step, total):
    """Progress that nobody looks at."""


@pytest.fixture(scope="session")
def deck(tmp_path_factory):
    """A folder of slides."""
    return render_slides(brief(RING), tmp_path_factory.mktemp("deck") / "ring", "l", nothing)


def names(folder):
    """The names of its clips, in order."""
    return sorted(path.stem for path in folder.glob("*.mp4"))


def pixels(path):
    """A picture."""
    with Image.open(path) as image:
        return np.asarray(image)


@pytest.mark.parametrize(("ranks", "single"), [(4, True), (8, True), (17, True), (24, False)])
def test_each_step_is_a_slide_unless_they_are_very_many(ranks, single):
    board = proved_storyboard(record("all_reduce", "ring", ranks=ranks))
    score = score_of(board, whole=MOST_SINGLE)
    found = clips(score, 15)
    steps = [clip for clip in found if re.fullmatch(r"\d+-\D+-\d+", clip.slide.name)]
    assert len(steps) == (len(board.frames) if single else 3 + 3)
    assert [isinstance(p.shown, TextCard) for p in score.passages][:2] == [True, False]
    assert sum(clip.part.frames for clip in found) == frames_of(score, 15)
    for one, other in pairwise(found):
        same_sentence = one.slide.said[-1] == other.slide.said[0]
        ends, begins = one.part.shots[-1][0].moment, other.part.shots[0][0].moment
        if same_sentence and one.part.passage == other.part.passage:
            assert begins.step == ends.step + 1, "each step that repeats is a slide of its own"
    for clip in found:
        letters = sum(map(len, clip.slide.said))
        assert letters / SPEED <= clip.part.frames / 15 + 0.1, clip.slide.name


def test_a_slide_is_a_clip_with_its_last_frame_and_its_words(deck):
    found = names(deck)
    files = {f"{name}{suffix}" for name in found for suffix in slides.SUFFIXES}
    assert set(os.listdir(deck)) == files | {"index.html"}
    clip = next(name for name in found if name.endswith("reduce-scatter-1"))
    with av.open(str(deck / f"{clip}.mp4")) as film:
        *_, frame = film.decode(video=0)
        assert film.metadata["title"] == "Reduce-scatter: step 1 of 2"
    still = pixels(deck / f"{clip}.png")
    assert np.abs(frame.to_ndarray(format="rgb24") - still.astype(float)).mean() < ALIKE
    text = (deck / f"{clip}.txt").read_text()
    said = " ".join((deck / f"{clip}.srt").read_text().split())
    assert "Step 1 of 4" in text
    assert "Every rank sends a chunk" in text
    assert "Every rank sends a chunk" in said
    assert (deck / f"{clip}.vtt").read_text().startswith("WEBVTT")


def test_clips_are_taken_from_the_parts_that_are_kept(tmp_path, monkeypatch):
    monkeypatch.setenv("COLLECTIVES_CACHE", str(tmp_path / "kept"))
    monkeypatch.setattr(engine, "most_workers", lambda memory: 1)
    score = brief(proved_storyboard(record("broadcast", "binomial", ranks=2)))

    def stop(done, total):
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        render_slides(score, tmp_path / "slides", "l", stop)
    assert os.listdir(tmp_path) == ["kept"]
    assert len(list((tmp_path / "kept").glob("*/*.film"))) == 1
    render_slides(score, tmp_path / "slides", "l", nothing)
    before = {path: path.stat().st_ino for path in (tmp_path / "kept").glob("*/*.film")}
    assert len(before) == len(clips(score, 15))
    render_slides(score, tmp_path / "slides", "l", nothing, LIGHT, transparent=True)
    assert {path: path.stat().st_ino for path in before} == before
    still = pixels(next((tmp_path / "slides").glob("*-1.png")))
    assert still.shape[2] == 4
    assert tuple(still[0, 0]) == (0, 0, 0, 0)
    assert (still[..., 3] == 255).any()


def test_what_is_not_slides_is_not_replaced(deck, tmp_path):
    (tmp_path / "file").touch()
    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "thesis.tex").touch()
    for path, why in {
        "file": "is a file; slides need a folder",
        "own": "holds other files, as thesis.tex; name another",
        "no/slides": "there is no folder .*; make it first",
    }.items():
        with pytest.raises(BadInput, match=f"{path}: {why}"):
            render_slides(brief(RING), tmp_path / path, "l", nothing)
    extra = deck / "notes.txt"
    extra.touch()
    with pytest.raises(BadInput, match=r"notes\.txt is no part of slides; move it"):
        slides.check_slides(deck)
    extra.unlink()
    assert slides.check_slides(deck) == deck.resolve()


@pytest.mark.parametrize("sheet", [FOUR_TO_THREE, TALL])
def test_decks_have_the_shape_of_their_sheet(sheet, tmp_path):
    board = proved_storyboard(record("broadcast", "binomial", ranks=2), sheet=sheet)
    folder = render_slides(brief(board), tmp_path / "slides", "l", nothing)
    height, width, _ = pixels(folder / f"{names(folder)[0]}.png").shape
    assert abs(width / height - sheet.width / sheet.height) < 0.01
    assert f'width="{width}" height="{height}"' in (folder / "index.html").read_text()


@pytest.fixture(scope="session")
def show(browser, deck):
    """A tab; whatever the deck complains of or asks for from elsewhere is in its `trouble`."""
    page = browser.new_context(viewport={"width": 960, "height": 540}).new_page()
    page.trouble = []
    page.on("console", lambda message: page.trouble.append(message.text))
    page.on("pageerror", lambda error: page.trouble.append(str(error)))
    yield page
    page.context.close()


def opened(page, deck, link=""):
    """The deck from the start, or at a slide."""
    page.goto("about:blank")
    page.goto(f"{(deck / 'index.html').as_uri()}{link}")
    return page


def at(page, number, state="ended"):
    """Wait until a slide is shown, and has come to its end."""
    expect(page).to_have_url(re.compile(f"#{number}$"))
    expect(page.locator("body")).to_have_attribute("data-state", state)


def shown_clip(page):
    """The film that is seen, and whether it is at its end."""
    return page.evaluate(
        "() => { const v = document.querySelector('video.shown');"
        " return v && [v.getAttribute('src'), v.ended, v.muted]; }"
    )


def test_the_deck_stops_at_each_end_and_obeys_keys(show, deck):
    page, found = opened(show, deck), names(deck)
    at(page, 1)
    assert shown_clip(page) == [f"{found[0]}.mp4", True, True]
    for key, number in [("Space", 2), ("PageDown", 3), ("ArrowRight", 4)]:
        page.keyboard.press(key)
        at(page, number)
        assert shown_clip(page) == [f"{found[number - 1]}.mp4", True, True]
        assert page.locator("#number").inner_text() == f"{number} / {len(found)}"
    for key, number in [("ArrowLeft", 3), ("PageUp", 2), ("End", len(found))]:
        page.keyboard.press(key)
        at(page, number)
        assert shown_clip(page) is None
        assert page.locator("#still").get_attribute("src") == f"{found[number - 1]}.png"
    page.keyboard.press("ArrowRight")
    at(page, len(found))
    page.keyboard.press("5")
    expect(page.locator("#number")).to_have_text("→ 5")
    page.keyboard.press("Enter")
    at(page, 5)
    page.keyboard.press("Home")
    at(page, 1)
    page.mouse.click(600, 300)
    at(page, 2)
    page.mouse.click(60, 300)
    at(page, 1)
    page.keyboard.press("b")
    assert page.evaluate("getComputedStyle(document.querySelector('#still')).visibility") == (
        "hidden"
    )
    page.keyboard.press("Space")
    at(page, 2)
    assert page.trouble == []


def test_the_deck_opens_at_a_link_and_tells_readers_what_is_shown(show, deck):
    page = opened(show, deck, "#4")
    at(page, 4)
    said = page.locator("li.now p")
    status = page.locator("#status").inner_text()
    assert status.startswith("Slide 4 of ")
    assert said.text_content() in status
    alt = page.locator("li.now img").get_attribute("alt")
    assert alt.startswith("Step 1 of 4")
    assert said.bounding_box()["width"] <= 1
    page.keyboard.press("n")
    assert said.bounding_box()["width"] > 500
    page.keyboard.press("n")
    page.keyboard.press("?")
    expect(page.locator("#help")).to_be_visible()
    page.keyboard.press("Escape")
    page.emulate_media(media="print")
    for each in page.locator("li").all():
        assert each.locator("img").bounding_box()["width"] > 500
        assert each.locator("p").bounding_box()["height"] > 10
    page.emulate_media(media="screen")
    page.keyboard.press("f")
    page.wait_for_function("document.fullscreenElement")
    page.keyboard.press("f")
    page.wait_for_function("!document.fullscreenElement")
    assert page.trouble == []
