"""The workbench of a page: schedules are built and mended there by dragging, and by keys alone."""

import pytest
from axe import violations
from playwright.sync_api import Page
from pointing import POINT, middle

from animations.story.usual import usual_board
from collectives import record
from collectives.__main__ import main

BUILT = """() => document.querySelector("#player").collectives.store.state.built"""
CAPTION, NOTE = "[data-part=caption]", "[data-part=note]"
BINOMIAL = record("broadcast", "binomial", ranks=4)
RING = record("all_reduce", "ring", ranks=4)
OVERFLOWS = "() => document.documentElement.scrollWidth > innerWidth"


def words(page: Page, part: str = CAPTION) -> str:
    return page.locator(part).inner_text()


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def click(page: Page, *names: str) -> None:
    for name in names:
        page.get_by_role("button", name=name, exact=True).click()


class Hand:
    """Places transfers by dragging from cell to cell."""

    def __init__(self, page: Page, board) -> None:
        self.page, self.board = page, board

    def point(self, place):
        return self.page.evaluate(POINT, middle(self.board, *place))

    def place(self, start, end, adds: int) -> None:
        click(self.page, "+ adds" if adds else "= overwrites")
        self.drag(start, end)

    def drag(self, start, end) -> None:
        self.page.mouse.move(*self.point(start))
        self.page.mouse.down()
        self.page.mouse.move(*self.point(end), steps=2)
        self.page.mouse.up()

    def remove(self, text: str) -> None:
        click(self.page, f"Delete: {text}")


class Keys:
    """Places transfers by keys alone."""

    def __init__(self, page: Page, board) -> None:
        self.page, self.board = page, board

    def go(self, place) -> None:
        """The cursor goes by arrows to a cell."""
        node, slot = self.page.evaluate(BUILT)["cursor"]
        for by, names in (
            (place[0] - node, ("ArrowUp", "ArrowDown")),
            (place[1] - slot, ("ArrowLeft", "ArrowRight")),
        ):
            press(self.page, *[names[by > 0]] * abs(by))

    def place(self, start, end, adds: int) -> None:
        self.go(start)
        press(self.page, "Enter")
        self.go(end)
        press(self.page, "=+"[adds])


def rebuild(page: Page, hand, steps) -> None:
    """Build these steps from nothing."""
    for number, step in enumerate(steps):
        if number:
            press(page, "n")
        for src, dst, chunk, into, adds in step:
            hand.place((src, chunk), (dst, into), adds)
            assert not page.evaluate(BUILT)["refused"], words(page, NOTE)


CHAIN = [[[rank, rank + 1, 0, 0, 0]] for rank in range(3)]


@pytest.mark.parametrize("kind", [Hand, Keys])
def test_a_broadcast_sends_less_than_the_tree(kind, open_page, tmp_path, monkeypatch, capsys):
    """By both hands; by the first it is also taken home, and read there."""
    page = open_page(board := usual_board(BINOMIAL))
    press(page, "b")
    assert words(page).startswith("Right, in 2 steps, the fewest possible.")
    click(page, "Empty")
    rebuild(page, kind(page, board), CHAIN)
    assert words(page) == (
        "Right, in 3 steps; 2 are possible (tree broadcast). The busiest rank sends 1 vector "
        "(64 MiB), the least possible. In the schedule you started from it sends 2 vectors "
        "(128 MiB)."
    )
    assert page.evaluate(BUILT)["steps"] == CHAIN
    press(page, "u", "u")
    assert words(page).startswith("Not there yet: 2 of 4 promised cells not as promised;")
    press(page, "r", "Control+y")
    assert words(page).startswith("Right, in 3 steps;")
    if kind is Keys:
        return
    monkeypatch.chdir(tmp_path)
    for button, *subject in (
        ("Save code", "built_broadcast.py:built_broadcast", "-n", "4"),
        ("Save recording", "built-broadcast.json"),
    ):
        with page.expect_download() as found:
            click(page, button)
        name = subject[0].partition(":")[0]
        assert found.value.suggested_filename == name
        found.value.save_as(tmp_path / name)
        with pytest.raises(SystemExit, match="0"):
            main(["check", *subject])
        assert capsys.readouterr().err == ""


def test_what_cannot_be_placed_is_refused_and_what_is_placed_can_be_changed(open_page):
    page = open_page(board := usual_board(RING), step=1)
    hand = Hand(page, board)
    press(page, "b")
    shown = page.evaluate(BUILT)
    assert (shown["at"], len(shown["steps"])) == (1, 6)
    click(page, "Empty")
    hand.place((0, 0), (1, 0), 1)
    hand.place((2, 0), (1, 0), 0)
    assert words(page, NOTE).startswith("Chunk 0 of rank 1 would have two writers in this step")
    hand.place((2, 0), (1, 0), 1)
    assert words(page, NOTE).endswith("holds the data of rank 0, rank 1 and rank 2.")
    hand.drag((2, 3), (2, 3))  # a tap picks up, and puts down again
    assert page.evaluate(BUILT)["picked"] == [2, 3]
    hand.drag((2, 3), (2, 3))
    assert page.evaluate(BUILT)["picked"] is None
    page.locator(".arrow .badge").last.drag_to(
        page.locator("[data-part=stage]"), target_position=offset(page, hand.point((3, 0)))
    )
    assert page.evaluate(BUILT)["steps"] == [[[0, 1, 0, 0, 1], [2, 3, 0, 0, 1]]]
    page.locator(".arrow .badge").last.click()
    assert page.evaluate(BUILT)["steps"][0][1] == [2, 3, 0, 0, 0]
    press(page, "n", "u", "u")
    click(page, "Delete: Rank 0 adds chunk 0 into rank 1")
    Keys(page, board).go((1, 0))
    press(page, "Delete")
    assert words(page, NOTE).startswith("Taken away: Rank 2 adds")
    assert page.evaluate(BUILT)["steps"] == [[]]
    press(page, "b")
    assert words(page).startswith("Step 1 of 6")
    assert page.locator("[data-part=scrub]").get_attribute("max") == "6"


def offset(page: Page, point):
    box = page.locator("[data-part=stage]").bounding_box()
    return {"x": point[0] - box["x"], "y": point[1] - box["y"]}


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_building_violates_no_rule_of_accessibility(theme, open_page):
    page = open_page(usual_board(RING), size=(360, 740) if theme == "light" else (1366, 650))
    if theme == "light":
        press(page, "d")
    assert violations(page, {"mended": ["b", "Delete"], "built": ["n", "Enter", "End"]}) == {}
    assert not page.evaluate(OVERFLOWS)
