"""The page for readers of all kinds: axe-core finds nothing, the state is a table."""

import pytest
from axe import violations
from samples import pairs
from settings import THOROUGH, sampled

from animations.player.catalog import write_catalog
from animations.story.cell_views import shortened
from animations.story.compose import proved_storyboard
from animations.story.usual import usual_board
from collectives import record

PANELS = {
    "counters": [],
    "transfers": ["ArrowRight", "t"],
    "space and time": ["t", "x"],
    "story": ["Shift+ArrowRight"],
    "machine": ["m", "late"],
    "table": ["table"],
    "help": ["Escape", "?"],
}

CASES = [(ranks, theme) for ranks in (8, 64) for theme in ("dark", "light")]


@pytest.mark.parametrize(("ranks", "theme"), CASES if THOROUGH else CASES[:2])
def test_no_panel_violates_a_rule_of_accessibility(ranks, theme, open_page):
    page = open_page(proved_storyboard(record("all_reduce", "ring", ranks=ranks)))
    if theme == "light":
        page.keyboard.press("d")
    few = {name: PANELS[name] for name in ("counters", "story", "table")}
    assert violations(page, PANELS if ranks == 8 or THOROUGH else few) == {}


@pytest.mark.parametrize("theme", ["dark", "light"] if THOROUGH else ["light"])
def test_the_catalog_violates_no_rule_of_accessibility(theme, window, tmp_path):
    boards = [record("all_reduce", name, ranks=4) for name in ("ring", "tree")]
    write_catalog([(each, usual_board(each)) for each in boards], tmp_path / "c.html", theme)
    window.emulate_media(reduced_motion="reduce")
    window.set_viewport_size({"width": 1366, "height": 650})
    window.goto(f"{(tmp_path / 'c.html').as_uri()}#all-reduce/unknown/4/step=1")
    window.wait_for_selector(".sheet")
    assert violations(window, PANELS) == {}


def test_axe_would_find_something(open_page):
    page = open_page(proved_storyboard(record("all_reduce", "ring", ranks=2)))
    page.locator("[data-part=next]").evaluate("(button) => button.removeAttribute('aria-label')")
    assert [rule for rule, _ in violations(page, {"counters": []})["counters"]] == ["button-name"]


TABLE = """() => {
  document.querySelector("[data-part=state]").focus();
  const rows = [...document.querySelectorAll("[data-part=state] tr")];
  const texts = rows.map((row) => [...row.children].map((cell) => cell.textContent));
  const caption = document.querySelector("[data-part=state] caption").textContent;
  document.activeElement.blur();
  return [caption, texts];
}"""
GO = """(step) => document.querySelector("#player").dispatchEvent(
  new CustomEvent("goto", { detail: step }))"""


def contents(text: str, ranks: int, slot: int, blocks: bool) -> set[tuple[int, int]]:
    """Whose data, of which slot, is in a cell of the table, as its text says."""
    found = set()
    for part in (
        text.removesuffix(", complete").replace(f"all {ranks}", f"0–{ranks - 1}").split(", ")
    ):
        if part == "empty":
            continue
        if blocks:
            found.add(tuple(map(int, part.split("→"))))
            continue
        first, _, more = part.partition(" (chunk ")
        low, _, high = first.partition("–")
        origin = int(more.removesuffix(")")) if more else slot
        found |= {(rank, origin) for rank in range(int(low), int(high or low) + 1)}
    return found


@pytest.mark.parametrize(("row", "ranks"), sampled(pairs((5, 8), 1), 10), ids=str)
def test_the_table_says_what_every_slot_holds(row, ranks, open_page):
    recording = record(row.collective, row.algorithm, ranks=ranks)
    board = proved_storyboard(recording)
    page = open_page(board, step=0)
    short = shortened(recording)
    due = recording.postcondition
    for step in sorted({0, len(board.frames) // 2, len(board.frames)}):
        page.evaluate(GO, step)
        caption, rows = page.evaluate(TABLE)
        assert (
            caption
            == f"{f'After step {step}' if step else 'At the start'}: whose data each slot holds"
        )
        assert rows[0][1:] == [board.labels.slot(slot) for slot in range(board.slots)]
        state = short.state(step)
        for node, (name, *texts) in enumerate(rows[1:]):
            assert name == board.labels.node(node)
            for slot, text in enumerate(texts):
                told = contents(text, ranks, slot, board.labels.in_blocks)
                assert {rank for rank, _ in told} == set(
                    state.times[node, slot].nonzero()[0].tolist()
                )
                if step == len(board.frames) and node < len(due) and due[node, slot]:
                    assert text.endswith(", complete"), (name, slot)


def test_the_table_waits_for_rest_and_is_not_for_very_many(open_page):
    page = open_page(proved_storyboard(record("all_reduce", "ring", ranks=4)), step=2)
    caption = page.locator("[data-part=state] caption")
    assert caption.text_content().startswith("After step 2")  # waits until it is there
    assert page.locator("[data-part=state]").bounding_box()["width"] <= 2
    page.locator("[data-part=state]").focus()
    assert page.locator("[data-part=state]").bounding_box()["width"] > 300
    page.keyboard.press("ArrowRight")
    assert caption.text_content().startswith("After step 3")
    page = open_page(proved_storyboard(record("all_reduce", "ring", ranks=65)), step=1)
    page.locator("[data-part=state]").focus()
    assert "4225 slots are too many" in page.locator("[data-part=state]").text_content()
