"""A page that asks: the lock, answers by keys, click and number, the score and the results."""

import json

import numpy as np
import pytest
from axe import violations
from playwright.sync_api import Page, expect
from pointing import POINT, middle
from settings import THOROUGH

from animations.player.page import page as page_text
from animations.story.usual import usual_board
from collectives import record, send
from collectives.questions.why import WHY

MOST_BYTES = 123_000  # with its questions, which are no part of a plain page
RING = usual_board(record("all_reduce", "ring", ranks=8), asks=True)
TREE = usual_board(record("broadcast", "tree", ranks=8), asks=True)
STORE = "document.querySelector('#player').collectives.store"
PANEL = "[data-part=question]"
BEYOND = """() => {
  const right = (part) => part.getBoundingClientRect().right;
  const edge = right(document.querySelector(".timeline"));
  const marks = [...document.querySelectorAll("[data-part=marks] span, .tick")];
  return marks.map(right).filter((place) => place > edge + 1);
}"""
OVERFLOWS = "() => document.documentElement.scrollWidth > innerWidth"


def state(page: Page) -> tuple[int, int]:
    """The step that is shown, and how many questions are answered."""
    return tuple(page.evaluate(f"[{STORE}.state.step, {STORE}.state.asks.answers.length]"))


def try_everything(page: Page, lock: int) -> None:
    """Slider, keys, play, a link and an event: none of them passes the lock."""
    for key in ("End", "ArrowRight", "n", " ", "ArrowRight"):
        page.keyboard.press(key)
        assert state(page)[0] <= lock
    page.locator("[data-part=scrub]").evaluate(
        "slider => { slider.value = slider.max; slider.dispatchEvent(new Event('input')); }"
    )
    assert state(page)[0] == lock
    page.evaluate("location.hash = 'step=14'")
    page.wait_for_function("() => new Promise((done) => setTimeout(() => done(true)))")
    assert state(page)[0] == lock
    assert page.evaluate("location.hash").startswith(f"#step={lock}")
    page.evaluate(
        "document.querySelector('#player').dispatchEvent(new CustomEvent('goto', {detail: 14}))"
    )
    assert state(page)[0] == lock
    assert page.locator("[data-part=scrub]").input_value() == f"{lock}"
    assert page.locator("[data-part=caption]").inner_text().endswith("locked until you answer")


def trade_in_help(page: Page) -> list[bool]:
    """Whether each sentence on why it takes so many steps is seen in the help."""
    page.keyboard.press("?")
    every = page.locator("[data-part=reading] p").all()
    seen = [each.is_visible() for each in every if each.text_content() in RING.trade.sentences]
    page.keyboard.press("Escape")
    return seen


def answer(page: Page, question, right: bool = True) -> None:
    """Answers by keys alone, and goes on."""
    place = question.options.index(question.right)
    reason = [reason.misconception for reason in question.reasons].index("")
    if question.form == "choice":
        page.keyboard.press("abcd"[place if right else place - 1])
        page.keyboard.press("123"[reason])
    else:
        page.keyboard.press("Enter")  # goes to the field
        if question.form == "number":
            page.keyboard.press("Enter")
            asked = f"Type a number, in {question.unit}."
            assert page.locator(f"{PANEL} .tip").inner_text() == asked
        text = question.options[place if right else place - 1].text
        page.keyboard.type("12345678" if question.form == "number" and not right else text)
        by_arrows = ("Tab", "Space", *["ArrowDown"] * reason)
        for key in ("Enter", "123"[reason]) if question.form == "number" else by_arrows:
            page.keyboard.press(key)
    page.keyboard.press("Enter")


def test_everything_is_locked_until_it_is_answered_by_keys_alone(open_page):
    page = open_page(RING, step=14, size=(1366, 650))
    assert trade_in_help(page) == [False] * len(RING.trade.sentences)
    chosen = (i for i, question in enumerate(RING.questions) if question.form == "choice" and i)
    missed = next(chosen)  # the one that is answered wrong
    for number, question in enumerate(RING.questions):
        lock = min(question.step - 1, 14)
        if lock < 14:
            try_everything(page, lock)
        page.keyboard.press("End")
        assert state(page) == (lock, number)
        assert page.locator(f"{PANEL} h2").inner_text() == question.prompt
        assert page.locator("[data-part=told]").text_content() == question.prompt
        assert page.locator("[data-part=asked] .wanted").count() == (question.about is not None)
        answer(page, question, right=number != missed)
        assert state(page)[1] == number + 1
        verdict = page.locator(f"{PANEL} h2").inner_text()
        assert verdict == ("Not right" if number == missed else "Right, and for the right reason")
        text = page.locator(PANEL).inner_text()
        assert question.right.text[1:] in text and question.explanation in text
        if number == missed:
            [wrong] = [
                option
                for option in question.options
                if option.text in text.replace(question.explanation, "") and option.misconception
            ]
            assert wrong.feedback in text
        assert f"{number + (number < missed)} of {number + 1} with a right reason" in text
        assert page.locator(PANEL).evaluate("each => each.scrollHeight <= each.clientHeight")
    assert page.evaluate(BEYOND) == []
    line = page.locator(f"{PANEL} textarea").input_value()
    total = len(RING.questions)
    assert line.startswith(
        f"Ring all-reduce, 8 ranks: {total - 1}/{total} answers with a right reason"
    )
    with page.expect_download() as download:
        page.get_by_role("button", name="JSON").click()
    results = json.loads(download.value.path().read_text())
    assert [result["kind"] for result in results] == [q.kind for q in RING.questions]
    assert [result["right"] for result in results].count(False) == 1
    with page.expect_download() as download:
        page.get_by_role("button", name="CSV").click()
    assert len(download.value.path().read_text().strip().splitlines()) == total + 1
    page.get_by_role("button", name="Close").click()
    assert not page.locator(PANEL).is_visible()
    page.keyboard.press("Shift+ArrowRight")  # nothing is left that a selection would tell
    assert page.locator("[data-part=story]").is_visible()
    assert trade_in_help(page) == [True] * len(RING.trade.sentences)
    page.keyboard.press("q")
    assert page.locator(PANEL).is_visible()
    page.reload()
    page.wait_for_selector(".sheet")
    assert state(page) == (14, total)
    page.evaluate("sessionStorage.clear()")
    page.reload()
    page.wait_for_selector(".sheet")
    assert state(page)[1] == 0


def test_answers_of_another_page_are_not_taken(open_page):
    page = open_page(TREE, step=1)
    page.get_by_role("button", name="Skip").click()
    expect(page.locator(f"{PANEL} h2")).to_have_text("Skipped")
    names = "Object.keys(sessionStorage).filter((name) => !name.includes(' draft '))"
    page.wait_for_function(f"() => {names}.length")
    [name] = page.evaluate(names)
    kept = json.loads(page.evaluate("name => sessionStorage.getItem(name)", name))
    assert len(kept["results"]) == 1
    for asked, answered in ((kept["asked"], 1), (kept["asked"][1:], 0), ("?", 0)):
        text = json.dumps(kept | {"asked": asked})
        page.evaluate("([name, text]) => sessionStorage.setItem(name, text)", [name, text])
        page.reload()
        page.wait_for_selector(".sheet")
        assert state(page)[1] == answered
    page.evaluate("sessionStorage.clear()")


def test_what_flies_next_is_not_made_ready_while_it_is_asked_for(open_page):
    page = open_page(TREE, step=1, motion=True)
    here = [question.step for question in TREE.questions].count(2)
    for _ in range(here - 1):
        page.get_by_role("button", name="Skip").click()
        page.get_by_role("button", name="Continue").click()
    page.evaluate("() => new Promise((done) => requestIdleCallback(() => setTimeout(done, 100)))")
    assert not page.locator("[data-part=moves] .trip").count()
    page.get_by_role("button", name="Skip").click()
    expect(page.locator("[data-part=moves] .trip")).not_to_have_count(0)


def test_a_rank_is_chosen_on_the_stage_and_a_skipped_question_counts_as_none(open_page):
    page = open_page(TREE, step=0)
    for question in TREE.questions:
        page.keyboard.press("End")
        page.keyboard.press("End")
        if question.form != "place":
            page.get_by_role("button", name="Skip").click()
            expect(page.locator(f"{PANEL} h2")).to_have_text("Skipped")
            continue
        assert not page.locator("[data-part=asked] .picked").count()
        page.get_by_role("button", name="Answer").click()
        assert "Choose an answer first." in page.locator(PANEL).inner_text()
        page.keyboard.press("h")
        assert question.hint in page.locator(PANEL).inner_text()
        node = question.right.value[0]
        page.mouse.click(*page.evaluate(POINT, middle(TREE, node)))
        assert page.locator("[data-part=asked] path.picked").count() == 1
        assert page.locator(f"{PANEL} select").input_value() == f"{node}"
        page.get_by_role("button", name="Answer").click()
        assert page.locator(f"{PANEL} h2").inner_text() == "Right, but not for the right reason"
    results = page.evaluate(f"{STORE}.state.asks.answers.map((each) => each.option)")
    assert results.count(-1) == sum(question.form != "place" for question in TREE.questions)
    assert "0 of" in page.locator(f"{PANEL} .score").inner_text()


def drawn(page: Page, kind: str) -> int:
    return page.locator(f"[data-part=asked] {kind}").count()


def wrong_of(question):
    """A wrong answer that has a picture, if one has, and its number."""
    every = [each for each in enumerate(question.options) if each[1].misconception]
    return max(every, key=lambda each: len(each[1].marks))


def check_picture(page: Page, board, question, given) -> None:
    """The right answer in one tone, the given one in the other, as far as they differ."""
    kind = question.right.marks[0].kind if question.right.marks else ""
    if kind == "transfer":
        assert (drawn(page, ".right .course"), drawn(page, ".wrong .course")) == (1, 1)
    elif kind == "cell":
        shown = page.locator("[data-part=asked] .callout > text").all_text_contents()
        assert shown == ["changed" if question.kind == "line" else "true", "you said"]
        assert drawn(page, ".callout .stripe") == sum(
            len(option.marks[0].content) for option in (question.right, given)
        )
    elif question.form != "number" and kind:
        right, said = set(question.right.value), set(given.value)
        assert drawn(page, ".right .badge") == len(right)
        assert drawn(page, ".wrong .badge") == len(said - right)
    elif question.form == "number":
        bars = page.locator(f"{PANEL} .amounts .bar")
        wide = bars.evaluate_all("bars => bars.map(bar => bar.getBoundingClientRect().width)")
        ratio = given.value / question.right.value
        assert abs(wide[1] / wide[0] - ratio) < 0.05 * ratio


def test_wrong_answers_are_drawn_beside_the_right_ones(open_page):
    page = open_page(RING, step=0)
    kinds = set()
    for question in RING.questions:
        page.keyboard.press("End")
        page.keyboard.press("End")
        number, given = (
            wrong_of(question)
            if question.form != "number"
            else next((i, each) for i, each in enumerate(question.options) if each.misconception)
        )
        if question.kind == "next":
            src, chunk, dst, into = given.marks[0].at
            page.mouse.click(*page.evaluate(POINT, middle(RING, src, chunk)))
            assert "click the cell that the chunk goes to" in page.locator(PANEL).inner_text()
            page.mouse.click(*page.evaluate(POINT, middle(RING, dst, into)))
            assert drawn(page, ".picked .course") == 1
            assert page.locator(f"{PANEL} .answers input").nth(number).is_checked()
        elif question.form == "number":
            page.keyboard.type(f"0{given.text}" if given.text[0] == "." else given.text)
        else:
            page.keyboard.press("abcd"[number])
        page.get_by_role("button", name="Answer").click()
        assert page.locator(f"{PANEL} h2").inner_text() == "Not right"
        check_picture(page, RING, question, given)
        kinds.add(question.kind)
    assert kinds >= {"next", "bytes", "done", "steps", "line"} and kinds & {*WHY}
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert not drawn(page, "*")


def test_a_page_that_asks_is_small_and_one_that_does_not_has_no_questions(open_page):
    assert len(page_text(RING)) <= MOST_BYTES
    page = open_page(usual_board(record("all_reduce", "ring", ranks=4)), step=6)
    assert page.evaluate(f"[{STORE}.state.step, {STORE}.state.asks]") == [6, None]
    assert not page.locator("[data-part=score]").is_visible()
    assert not page.locator(PANEL).is_visible()


def hostile_all_gather(n):
    """</script><img src=x onerror=alert(1)>."""
    rank = np.arange(n)
    for step in range(n - 1):
        yield send(rank, (rank + 1) % n, (rank - step) % n)  # </script><b>


def test_the_source_in_a_question_is_text(open_page):
    own = record(hostile_all_gather(3), collective="all_gather", ranks=3)
    board = usual_board(own, asks=True)
    page, found = open_page(board, step=2), ""
    for _ in board.questions:
        page.keyboard.press("End")
        page.keyboard.press("End")
        assert not page.locator(f"{PANEL} b, {PANEL} img, {PANEL} script").count()
        found += page.locator(PANEL).inner_text()
        page.get_by_role("button", name="Skip").click()
    assert "</script><b>" in found


LOOKS = [(theme, size) for size in ((1366, 650), (360, 740)) for theme in ("dark", "light")]
SOME_LOOKS = (LOOKS[0], LOOKS[-1])  # of the first page, and of the second


@pytest.mark.parametrize("looks", [(look, look) for look in LOOKS] if THOROUGH else [SOME_LOOKS])
def test_axe_finds_nothing_while_a_page_asks_or_tells(looks, open_page):
    forms = set()
    for board, (theme, size) in zip((RING, TREE), looks, strict=True):
        page = open_page(board, step=14, size=size)
        if theme == "light":
            page.evaluate(f"{STORE}.act({{kind: 'theme'}})")
        for question in board.questions:
            page.keyboard.press("End")
            if question.form not in forms:
                page.keyboard.press("h")
                assert violations(page, {question.form: []}) == {}
                assert not page.evaluate(OVERFLOWS)
            answer(page, question, right=bool(forms))
            verdict = "Right, and for the right reason" if forms else "Not right"
            assert page.locator(f"{PANEL} h2").inner_text() == verdict
            if not forms:
                assert violations(page, {"wrong": []}) == {}
            forms.add(question.form)
        assert violations(page, {"results": []}) == {}
        assert not page.evaluate(OVERFLOWS)
    assert forms == {"choice", "number", "place"}
