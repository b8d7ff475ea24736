"""A lecture as slides: sentences and pictures, two windows in a browser, and pages on paper."""

import re

import pytest
from axe import violations
from playwright.sync_api import expect
from settings import THOROUGH
from short_lecture import LECTURE

pytest.importorskip("cairo")

from animations.course import lecture_deck
from animations.course.deck_pdf import deck_pdf
from animations.course.handout import exercises_of
from animations.course.lecture import lectures, score_of_lecture
from animations.course.lecture_slides import FRAMES, MOST_FRAMES, SESSION, slides_of
from collectives import BadInput


@pytest.fixture(scope="module")
def slides():
    return slides_of(LECTURE, seed=1)


@pytest.fixture(scope="module")
def deck():
    return lecture_deck.deck(LECTURE, seed=1)


def texts(picture):
    """The text of a picture."""
    return " ".join(line.text for outline in picture for line in outline.texts)


def test_every_sentence_of_the_film_is_said_on_its_slide(slides):
    score = score_of_lecture(LECTURE)
    said = [build.said for slide in slides if not slide.asks for build in slide.builds]
    of_film = [shot.said for _, shot in score if shot.said]
    assert said == [text for at, text in enumerate(of_film) if at == 0 or text != of_film[at - 1]]
    assert len(slides) == len(score.passages) + len(LECTURE.exercises)
    for slide in slides:
        for build in slide.builds:
            assert 1 <= len(build.frames) <= MOST_FRAMES + FRAMES
            if not slide.says:
                assert build.said in texts(build.frames[-1]), "the picture says it"
    bars = slides[0]
    assert any("take answers: How many steps" in hint for hint in bars.hints)
    assert '4 = steps("ring", 3)' in bars.hints  # 2 (N - 1), Patarasuk and Yuan 2009


def test_slides_take_as_long_as_a_session(slides):
    assert sum(slide.seconds for slide in slides) == pytest.approx(SESSION)


def test_an_exercise_waits_and_then_marks_what_is_right(slides):
    asked = [slide for slide in slides if slide.asks]
    for slide, problem in zip(asked, exercises_of(LECTURE, 1), strict=True):
        before, after = (build.frames[-1] for build in slide.builds)
        bold = [line.text for o in after for line in o.texts if line.face == "bold"][1:]
        assert bold and problem.right.startswith(bold[0])
        assert [line for o in before for line in o.texts if line.face == "bold"][1:] == []
        assert (problem.right in texts(before)) == bool(problem.answers)
        assert problem.right in slide.builds[1].said


@pytest.mark.parametrize("name", list(lectures()) if THOROUGH else ["machines"])
def test_lectures_of_the_course_are_decks_and_paper(name):
    slides = slides_of(lectures()[name])
    assert len(slides) >= len(lectures()[name].passages) + 5
    assert all(build.said for slide in slides for build in slide.builds)
    assert lecture_deck.deck(lectures()[name]).count("<li><h2>") == len(slides)
    assert deck_pdf(lectures()[name]).startswith(b"%PDF")


def test_a_deck_on_paper_has_a_page_for_each_slide(slides):
    content = deck_pdf(LECTURE, seed=1)
    assert content == deck_pdf(LECTURE, seed=1), "the same bytes"
    assert content.startswith(b"%PDF")
    pages = re.findall(rb"/Type /Page\b(?!s)", content)
    assert len(pages) >= len(slides)
    assert content.count(b"/Title") == 1 + len(slides), "its contents name every slide"
    assert b"/Subtype /Image" not in content, "vectors"
    assert b"/ToUnicode" in content, "text can be found"


def test_in_another_language_there_are_no_exercises():
    page = lecture_deck.deck(LECTURE, "es")
    assert '<html lang="es">' in page and "Son 4." in page and "Exercise" not in page
    with pytest.raises(BadInput, match="seed -1"):
        lecture_deck.deck(LECTURE, seed=-1)


@pytest.fixture
def hall(browser, deck, tmp_path):
    """The deck in a window that a hall sees, from a file; it may complain of nothing."""
    context = browser.new_context(viewport={"width": 1280, "height": 720})
    page, trouble = context.new_page(), []
    page.on("console", lambda message: trouble.append(message.text))
    page.on("pageerror", lambda error: trouble.append(str(error)))
    context.on(
        "request",
        lambda request: request.url.startswith("file:") or trouble.append(request.url),
    )
    path = tmp_path / "a deck.html"
    path.write_text(deck, "utf-8")
    page.goto(path.as_uri())
    expect(page.locator("body.deck[data-state=still]")).to_be_attached()  # it hears keys from now
    yield page
    context.close()
    assert trouble == []


def test_two_windows_show_the_same_slide(hall, slides):
    first = slides[0].builds
    said, there = hall.locator("#said"), hall.locator("body[data-state=still]")
    expect(said).to_have_text(first[0].said)
    expect(hall.locator("#picture")).to_contain_text("How many <steps>?")
    hall.keyboard.press("PageDown")
    expect(said).to_have_text(first[1].said)
    expect(hall.locator("#picture")).to_contain_text("ring & all")
    with hall.context.expect_page() as opened:
        hall.keyboard.press("s")
    notes = opened.value
    expect(notes.locator("#sentences .now")).to_have_text(first[1].said)
    expect(notes.locator("#preview-said")).to_have_text(slides[1].builds[0].said)
    expect(notes.locator("#hints")).to_contain_text('4 = steps("ring", 3)')
    expect(notes.locator("#planned")).to_contain_text(f"of {SESSION // 60}:00")
    for _ in slides[1].builds:
        notes.keyboard.press("ArrowRight")
    assert violations(notes, {"notes": []}) == violations(hall, {"deck": []}) == {}
    notes.keyboard.press("ArrowRight")  # a slide, whose picture says its sentence
    expect(hall.locator("#number")).to_have_text(f"3 / {len(slides)}")
    expect(said).to_be_hidden()
    expect(there).to_be_visible()
    hall.reload()
    expect(hall.locator("body.deck[data-state=still]")).to_be_attached()
    expect(hall.locator("#number")).to_have_text(f"3 / {len(slides)}")
    hall.keyboard.press("End")
    expect(notes.locator("#sentences .now")).to_have_text(slides[-1].builds[-1].said)
    notes.keyboard.press("b")
    expect(hall.locator("body.blank")).to_be_attached()
    notes.keyboard.press("Home")
    expect(said).to_have_text(first[0].said)


def test_what_is_asked_waits_for_its_answer(hall, slides):
    asked = next(number for number, slide in enumerate(slides, 1) if slide.asks)
    for _ in range(asked - 1):
        hall.keyboard.press("ArrowDown")
    question, answer = slides[asked - 1].builds
    expect(hall.locator("#said")).to_have_text(question.said)
    assert answer.said not in hall.locator("#deck").inner_text()
    hall.keyboard.press(" ")
    expect(hall.locator("#said")).to_have_text(answer.said)
    hall.keyboard.press("ArrowLeft")
    expect(hall.locator("#said")).to_have_text(question.said)
