"""The workbench of a page: schedules are built and mended there by dragging, and by keys alone."""

from itertools import zip_longest

import pytest
from axe import violations
from mistakes import FUNCTIONS, SMALLEST, recorded
from playwright.sync_api import Page
from pointing import POINT, middle
from settings import THOROUGH

from animations.story.usual import usual_board
from collectives import ROWS, record, send
from collectives.__main__ import main
from collectives.errors import WrongSchedule
from collectives.schedule.step import rows

BUILT = """() => document.querySelector("#player").collectives.store.state.built"""
CAPTION, NOTE = "[data-part=caption]", "[data-part=note]"
BINOMIAL = record("broadcast", "binomial", ranks=4)
RING = record("all_reduce", "ring", ranks=4)
MOST_STEPS = 20  # of a wrong schedule that are compared
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

    def remove(self, row) -> None:
        number = self.page.evaluate(BUILT)
        self.page.locator("[data-part=rows] li").nth(
            number["steps"][number["at"]].index(row)
        ).get_by_role("button", name="Delete").click()


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

    def remove(self, row) -> None:
        """What is written into a cell is taken away, the last transfer first, until it is gone."""
        self.go((row[1], row[3]))
        while row in self.page.evaluate(BUILT)["steps"][self.page.evaluate(BUILT)["at"]]:
            press(self.page, "Delete")


def rebuild(page: Page, hand, steps) -> None:
    """Build these steps from nothing."""
    for number, step in enumerate(steps):
        if number:
            press(page, "n")
        for src, dst, chunk, into, adds in step:
            hand.place((src, chunk), (dst, into), adds)
            assert not page.evaluate(BUILT)["refused"], words(page, NOTE)


DRAFT = """() => {
  const { built, building } = document.querySelector("#player").collectives.store.state;
  return [building, built?.steps, built?.at];
}"""


def test_a_draft_outlives_a_reload_and_its_link_opens_it_elsewhere(open_page):
    page = open_page(board := usual_board(BINOMIAL), step=1)
    press(page, "b")
    click(page, "Empty")
    rebuild(page, Keys(page, board), CHAIN[:2])
    press(page, "p")
    mine = [True, CHAIN[:2], 0]
    assert page.evaluate(DRAFT) == mine
    page.wait_for_function("() => location.hash.includes('build=')")
    link = page.url
    page.reload()
    page.wait_for_selector(".sheet")
    assert page.evaluate(DRAFT) == mine
    press(page, "b")
    page.wait_for_function("() => !location.hash.includes('build=')")
    page.reload()
    page.wait_for_selector(".sheet")
    assert page.evaluate(DRAFT) == [False, *mine[1:]]  # by the tab alone
    page.evaluate("sessionStorage.clear()")
    for address, there in (
        (link, mine),
        (link.replace("build=0", "build=7"), [True, CHAIN[:2], 2]),
        (link.replace("0.1.0", "0.9.0"), [False, None, None]),
        (link.partition("build=")[0] + "build=2", [True, rows_of(BINOMIAL.steps), 2]),
    ):
        page.goto("about:blank")
        page.goto(address)
        page.wait_for_selector(".sheet")
        assert page.evaluate(DRAFT) == there, address
        right = address == link or address.endswith("build=2")
        assert ("build" in page.locator("[data-part=unknown]").inner_text()) != right
        page.evaluate("sessionStorage.clear()")


PARTS = ("script", "rows", "arrows")
OLD_AND_NEW = """(parts) => parts.map((part) => {
  const children = [...document.querySelector(`[data-part=${part}]`).children];
  const old = children.filter((child) => child.old).length;
  for (const child of children) child.old = true;
  return [old, children.length - old];
})"""


def test_what_an_edit_leaves_as_it_is_stays(open_page):
    """Else every line below it is laid out anew, which takes longer than a frame lasts."""
    page = open_page(board := usual_board(RING))
    press(page, "b")
    code, *transfers = page.evaluate(OLD_AND_NEW, PARTS)
    assert transfers == [[0, 4], [0, 4]]
    Keys(page, board).place((0, 1), (1, 1), 1)
    (old, new), *transfers = page.evaluate(OLD_AND_NEW, PARTS)
    assert transfers == [[4, 1], [4, 1]]
    assert (code[1] - old, new) == (1, 1)


CHAIN = [[[rank, rank + 1, 0, 0, 0]] for rank in range(3)]


@pytest.mark.parametrize("kind", [Hand, Keys])
def test_a_broadcast_sends_less_than_the_tree(kind, open_page, tmp_path, monkeypatch, capsys):
    """By both hands; by the first it is also taken home, and read there."""
    page = open_page(board := usual_board(BINOMIAL), step=1)
    idle = page.get_by_text("idle: rank").locator("visible=true")
    assert idle.count()
    press(page, "b")
    assert not idle.count()  # which is said of the schedule of the page
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
    assert page.locator("h1").inner_text() == board.title


def offset(page: Page, point):
    box = page.locator("[data-part=stage]").bounding_box()
    return {"x": point[0] - box["x"], "y": point[1] - box["y"]}


def right_schedule(wrong):
    """Of the catalog's schedules of the same task the one that has most in common with this one."""
    if wrong.collective.paired:
        return [[[rank, (rank + 1) % wrong.ranks, 0, 1, 0] for rank in range(wrong.ranks)]]
    mine = [set(map(tuple, step)) for step in rows_of(wrong.steps[:MOST_STEPS])]
    found = []
    for row in ROWS:
        if row.collective != wrong.collective.name or not row.accepts(wrong.ranks):
            continue
        chunks = wrong.chunk_count if "chunks" in row.parameters else None
        right = record(
            row.collective, row.algorithm, ranks=wrong.ranks, root=wrong.root, chunks=chunks
        )
        shapes = [(each.nodes, each.slots, each.chunk_count) for each in (right, wrong)]
        if shapes[0] == shapes[1]:
            steps = rows_of(right.steps)
            pairs = zip_longest(mine, (set(map(tuple, step)) for step in steps), fillvalue=set())
            found.append((sum(len(one ^ other) for one, other in pairs), row.title, steps))
    return min(found)[2]


def rows_of(steps):
    return [[list(row[:5]) for row in transfers(step)] for step in steps]


def transfers(step):
    return [[*row[:4], int(row[5])] for row in rows(step.unrolled())]


def mend(page: Page, hand, right) -> int:
    """Change the schedule on the workbench into another one; how many transfers that took."""
    press(page, "Home")
    changed = 0
    for number, step in enumerate(right):
        now = page.evaluate(BUILT)["steps"]
        for row in now[number] if number < len(now) else []:
            found = page.evaluate(BUILT)["steps"][number]
            if found.count(row) > step.count(row):
                hand.remove(row)
                changed += 1
        now = page.evaluate(BUILT)["steps"]
        for row in step:
            if number >= len(now) or row not in now[number]:
                src, dst, chunk, into, adds = row
                hand.place((src, chunk), (dst, into), adds)
                assert not page.evaluate(BUILT)["refused"], words(page, NOTE)
                changed += 1
        press(page, "n")
    if len(page.evaluate(BUILT)["steps"]) > len(right):
        click(page, "Start from here")
    return changed


HANDS = [(name, kind) for name in FUNCTIONS for kind in (Hand, Keys)]
SOME = [
    ("wrong_chunk_all_reduce", Hand),
    ("two_writers_all_gather", Keys),
    ("root_mix_up_reduce", Keys),
]


@pytest.mark.parametrize(("name", "kind"), HANDS if THOROUGH else SOME)
def test_a_mistake_is_mended(name, kind, open_page):
    """Each mistake of the gallery is opened at its first wrong step, and mended from there."""
    least = 3 if name.startswith("wrong_chunk") else 2  # so that steps follow the wrong one
    wrong = recorded(name, max(least, SMALLEST.get(name, 2)))
    board = usual_board(wrong)
    page = open_page(board, step=len(board.frames), size=(1366, 650))
    press(page, "b")
    assert words(page).startswith("Right") == board.wrong.endless
    assert not page.locator("[data-part=band]").is_visible()
    steps = page.evaluate(BUILT)["steps"]
    if not (wrong.refused or board.wrong.attempted):
        assert steps == rows_of(wrong.steps)
    if board.wrong.step and not board.wrong.endless and page.evaluate(BUILT)["steps"]:
        assert page.evaluate(BUILT)["at"] == board.wrong.step - 1
    assert mend(page, kind(page, board), right_schedule(wrong)) or board.wrong.endless
    assert words(page).startswith("Right, in ")
    press(page, "b", "b")
    assert words(page).startswith("Right, in ")


def test_a_schedule_that_is_right_without_what_was_refused_says_so(open_page):
    with pytest.raises(WrongSchedule) as refused:
        record([send(0, [1, 2, 3, 9])], collective="broadcast", ranks=4, slots=1)
    page = open_page(usual_board(refused.value.recording), step=1)
    press(page, "b")
    assert words(page).startswith("Right, in 1 step")
    assert words(page, NOTE) == "What could not be run of the wrong schedule is left out here."


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_building_violates_no_rule_of_accessibility(theme, open_page):
    page = open_page(usual_board(RING), size=(360, 740) if theme == "light" else (1366, 650))
    if theme == "light":
        press(page, "d")
    assert violations(page, {"mended": ["b", "Delete"], "built": ["n", "Enter", "End"]}) == {}
    assert not page.evaluate(OVERFLOWS)
