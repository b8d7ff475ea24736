"""A lecture to read: its sentences, players that go to a step, answers that are locked."""

import pytest
from axe import violations
from playwright.sync_api import expect

pytest.importorskip("cairo")

from short_lecture import LECTURE

from animations.course.handout import exercises_of
from animations.course.lecture_page import lecture_page


@pytest.fixture
def read(tab, tmp_path):
    """The page in a tab, from a file; it may complain of nothing and ask for nothing."""
    tab.trouble.clear()
    path = tmp_path / "a lecture.html"
    path.write_text(lecture_page(LECTURE, seed=1), "utf-8")
    tab.goto(path.as_uri())
    yield tab
    trouble = [*tab.trouble]
    tab.goto("about:blank")
    assert trouble == []


def test_a_lecture_is_read_with_its_players_and_answers(read):
    expect(read.locator("h1 + p")).to_contain_text("Count the steps of a ring.")
    expect(read.get_by_role("heading", name="How many <steps>?")).to_be_visible()
    expect(read.get_by_text("It has 4.")).to_be_visible()
    options, player = read.locator(".prediction button"), read.locator("iframe")
    expect(player).to_have_count(0)
    options.nth(1).click()
    expect(options.nth(0)).to_be_disabled()
    expect(read.locator(".prediction [role=status]")).to_contain_text("B: less than two")
    step = read.locator("[data-step='2']").first
    step.scroll_into_view_if_needed()
    expect(player).to_be_visible()
    expect(read.frame_locator("iframe").locator(".sheet")).to_be_visible()
    expect(read.locator("[data-step='0'][aria-current]").first).to_be_attached()
    step.click()
    expect(read.locator("[data-step='2'][aria-current]").first).to_be_attached()
    choice, number = exercises_of(LECTURE, 1)
    first, second = (read.locator("form").nth(place) for place in (0, 1))
    wrong = next(at for at, offered in enumerate(choice.answers) if not offered.right)
    expect(first.locator("button")).to_be_disabled()
    first.locator("input").nth(wrong).check()
    first.locator("button").click()
    told = first.locator("[role=status]")
    expect(told).to_contain_text("Not right.")
    expect(told).to_contain_text(choice.answers[wrong].feedback)
    expect(first.locator("label.right")).to_contain_text(choice.right[3:])
    expect(first.locator("input").nth(0)).to_be_disabled()
    second.locator("input").fill(f"{number.value:.6g}")
    second.locator("button").click()
    expect(second.locator("[role=status]")).to_contain_text("Right.")
    assert "JPDC" in read.locator("ul").first.inner_text()  # Patarasuk and Yuan, of the catalog
    assert violations(read, {"the page": []}) == {}
    read.set_viewport_size({"width": 390, "height": 780})
    wide = read.evaluate("document.documentElement.scrollWidth")
    read.set_viewport_size({"width": 1280, "height": 720})
    assert wide == 390


def test_a_page_in_another_language_says_what_there_is_in_it():
    page = lecture_page(LECTURE, "es")
    assert "<title>Un anillo</title>" in page and "Son 4." in page
    assert "<form>" not in page and "Count the steps" not in page
