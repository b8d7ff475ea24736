"""The page of a wrong schedule in a browser: marked in every state, at its first wrong step."""

import pytest
from axe import violations
from mistakes import FUNCTIONS, recorded
from settings import THOROUGH

from animations.player.pack.data import story
from animations.story.usual import usual_board
from collectives import Deadlock
from collectives.proof.own_algorithm import OwnAlgorithm
from collectives.schedule.spmd import Recv, Send, sendrecv

SOME = ("add_for_copy_all_reduce", "missed_fold_all_reduce", "empty_read_broadcast")
TRIED = [name for name in FUNCTIONS if THOROUGH or name in SOME]


@pytest.fixture(scope="module", autouse=True)
def soon_endless():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("collectives.recording.recorder.MAX_KEPT_STEPS", 1000)
        yield


@pytest.mark.parametrize("name", TRIED)
def test_it_is_marked_from_the_start_to_its_first_wrong_step(name, open_page):
    board = usual_board(recorded(name))
    page = open_page(board)
    faults = page.locator("[data-part=faults] .dashes")
    for step in range(len(board.frames) + 1):
        assert page.locator("h1").text_content() == f"Wrong: {name}"
        assert page.locator("[data-part=band]").is_visible()
        assert page.locator("[data-part=band]").text_content() == board.wrong.band
        assert page.locator(".diagnosis p").text_content() == board.wrong.diagnosis
        text = page.locator(".sheet").inner_text()
        assert "proved" not in text and "Counters" not in text
        assert page.locator("[data-part=caption]").text_content() == board.captions[step]
        last = step == len(board.frames)
        assert faults.count() == (len(board.wrong.outlines) if last else 0)
        page.keyboard.press("ArrowRight")
    for at, (box, _, _) in enumerate(board.wrong.outlines):
        where = faults.nth(at).evaluate("(p) => { const b = p.getBBox(); return [b.x, b.width]; }")
        assert where == pytest.approx([box.left, box.width], abs=0.1)
    crossed = sum(crossed for _, crossed, _ in board.wrong.outlines)
    assert page.locator("[data-part=faults] .cross").count() == crossed
    assert page.locator("[data-part=note]").text_content() == f"{board.ending}."


def test_what_is_there_twice_is_told(open_page):
    board = usual_board(recorded("add_for_copy_all_reduce"))
    page = open_page(board)
    page.evaluate("location.hash = 'step=2&select=cell:0.1'")
    tale = page.locator("[data-part=tale]")
    tale.get_by_text("0 × 2").wait_for()
    assert "Complete" not in tale.text_content()
    assert "must be overwritten" in tale.text_content()


def test_a_refused_step_leaves_what_was_there(open_page):
    page = open_page(usual_board(recorded("empty_read_broadcast")))
    page.evaluate("location.hash = 'step=1&select=cell:1.0'")
    tale = page.locator("[data-part=tale]")
    tale.get_by_text("it is empty").wait_for()
    assert "holds the data" not in tale.text_content()


def test_it_can_be_mended_from_there(open_page):
    page = open_page(usual_board(recorded("empty_read_broadcast")))
    page.keyboard.press("End")
    page.locator("[data-part=build]").click()
    assert page.locator("[data-part=bench]").is_visible()
    marks = page.locator("[data-part=band], [data-part=faults]")
    assert [mark.is_visible() for mark in marks.all()] == [False, False], "of another schedule"
    page.locator("[data-part=build]").click()
    assert page.locator("[data-part=band]").is_visible()


@pytest.mark.parametrize("size", [(1366, 650), (360, 740)])
def test_nothing_is_cut_and_axe_finds_nothing(size, open_page):
    page = open_page(usual_board(recorded("add_for_copy_all_reduce", 4)), size=size)
    page.keyboard.press("End")
    for theme in ("dark", "light"):
        assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
        band, head = (page.locator(s).bounding_box() for s in ("[data-part=band]", "h1"))
        assert band["y"] == 0 and band["y"] + band["height"] <= head["y"] + 6, theme
        assert (
            page.locator("[data-part=band]").evaluate("(b) => b.scrollWidth - b.clientWidth") == 0
        )
        if size[0] > 1000:
            assert page.evaluate("document.documentElement.scrollHeight") <= size[1]
        page.keyboard.press("d")
    assert violations(page, {"end": []}) == {}


def test_a_deadlock_has_an_arrow_from_each_rank_to_whom_it_waits_for(open_page):
    def all_gather(rank, n):
        yield sendrecv(Send((rank + 1) % n, rank), Recv((rank - 1) % n, (rank - 1) % n))
        yield Recv((rank - 1) % n)

    with pytest.raises(Deadlock) as raised:
        OwnAlgorithm(all_gather).record(4, 0)
    board = usual_board(raised.value.recording)
    page = open_page(board)
    arrows = page.locator("[data-part=faults] .waits")
    assert arrows.count() == 0
    page.keyboard.press("End")
    drawn = arrows.evaluate_all("(paths) => paths.map((path) => path.getAttribute('d'))")
    assert drawn == story(board)["wrong"]["waits"] and len(drawn) == 4
    assert page.locator("[data-part=caption]").text_content().endswith("wait for one another")
