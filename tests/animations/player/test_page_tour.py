"""The tour of a page: five stops, each a link; all that it says is of the recording."""

import re
from dataclasses import replace
from itertools import pairwise

import pytest
from axe import violations
from mistakes import recorded
from playwright.sync_api import expect
from samples import few, rows_on
from settings import THOROUGH

from animations.phrases import phrases
from animations.player.pack.data import story
from animations.stages.choose import FAMILIES
from animations.story.tour import tour_of
from animations.story.usual import usual_board
from collectives import record
from collectives.__main__ import main

STATE = """() => {
  const { tour, step, selection } = document.querySelector("#player").collectives.store.state;
  return [tour, step, selection ? `${selection.kind}:${selection.at.join(".")}` : ""];
}"""
WORDS = ".tour .words"


def toured(recording):
    board = usual_board(recording)
    return replace(board, tour=tour_of(board, recording.structure.kind))


RING = toured(record("all_reduce", "ring", ranks=8))


def test_every_family_is_told_in_both_languages():
    for language in ("en", "es"):
        told = {key for key in phrases(language).patterns if key.startswith("tour_shapes.")}
        assert told == {f"tour_shapes.{kind}" for kind in FAMILIES.keys() - {"routed-groups"}}


def test_the_numbers_of_a_tour_are_those_of_the_recording():
    for row in few(rows_on(8), "tour"):
        recording = record(row.collective, row.algorithm, ranks=8)
        board = toured(recording)
        if not board.frames:
            assert board.tour == ()
            continue
        start, first, _, steps, sent = board.tour
        assert len(board.tour) == 5
        assert board.captions[first.step] in first.text
        counted = f": {recording.counters.steps}"
        assert counted in steps.text
        if recording.bound.holds and not recording.collective.promises_nothing:
            assert f"at least {recording.bound.steps}." in steps.text
        assert board.counters[1].text(len(board.frames)).split(" / ")[1] in sent.text
        moved = board.frames[first.step - 1].transfers[int(first.select.split(".")[1])]
        assert re.search(rf"\b{moved.dst}\b|each|every|all|ranks|server|switch", first.text)
        assert start.text == board.reason or board.promise in start.text
        assert len(story(board)["tour"]) == 5


def test_stops_are_links_and_escape_ends_them(open_page):
    page = open_page(RING, step=0)
    assert page.evaluate(STATE) == [-1, 0, ""]
    page.evaluate("() => (location.hash = 'tour=1')")
    page.wait_for_function("() => location.hash.includes('select=rank:0&tour=1')")
    for at, stop in enumerate(RING.tour):
        assert page.evaluate(STATE) == [at, stop.step, stop.select]
        assert page.locator(WORDS).inner_text() == f"{stop.text}\n\n{stop.question}"
        link = page.url
        if at < 4:
            page.get_by_role("button", name="Next stop").click()
            page.wait_for_function("link => location.href !== link", arg=link)
    page.get_by_role("button", name="Stop before").click()
    assert page.evaluate(STATE)[0] == 3
    page.wait_for_function("() => location.hash.includes('tour=4')")
    page.reload()
    page.wait_for_selector(".sheet")
    assert page.evaluate(STATE) == [3, RING.tour[3].step, RING.tour[3].select]
    page.keyboard.press("Escape")
    expect(page.locator(".tour")).to_be_hidden()
    assert page.evaluate(STATE) == [-1, RING.tour[3].step, ""]
    page.wait_for_function("() => !location.hash.includes('tour')")
    page.reload()
    page.wait_for_selector(".sheet")
    assert page.evaluate(STATE)[0] == -1
    page.evaluate("() => (location.hash = 'tour=9')")
    expect(page.locator("[data-part=unknown]")).to_contain_text("tour 9")


def test_a_step_off_a_stop_is_told_where_the_stop_was(open_page):
    page = open_page(RING, step=0)
    page.evaluate("() => (location.hash = 'tour=1')")
    page.wait_for_function("() => location.hash.includes('select=rank:0&tour=1')")
    page.keyboard.press("ArrowRight")
    expect(page.locator(WORDS)).to_contain_text(RING.captions[1])
    expect(page.locator(".tour[aria-live]")).to_be_visible()
    page.keyboard.press("ArrowLeft")
    expect(page.locator(WORDS)).to_contain_text(RING.tour[0].question)


@pytest.mark.parametrize("size", [(360, 740), (1366, 768)])
def test_a_tour_is_seen_whole_with_the_stage_and_violates_no_rule(size, open_page):
    page = open_page(RING, size=size)
    for stop in RING.tour if THOROUGH else RING.tour[:2]:
        boxes = [page.locator(name).bounding_box() for name in (".tour", ".board", ".timeline")]
        tops = sorted((box["y"], box["y"] + box["height"]) for box in boxes)
        assert all(end <= start + 4 for (_, end), (start, _) in pairwise(tops))
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert violations(page, {"tour": []}) == {}
        if stop != RING.tour[-1]:
            page.get_by_role("button", name="Next stop").click()


def test_a_tour_is_asked_for_and_a_schedule_in_which_nothing_moves_has_none(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit, match="0"):
        main(["page", "all-reduce", "ring", "-n", "8", "--tour"])
    assert (tmp_path / "ring-all-reduce-8.html").stat().st_size <= 120_000
    with pytest.raises(SystemExit, match="2"):
        main(["page", "all-reduce", "ring", "-n", "1", "--tour"])
    assert "--tour: nothing moves in " in capsys.readouterr().err
    assert tour_of(usual_board(recorded("missed_fold_all_reduce"))) == ()
