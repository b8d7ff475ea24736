"""The first screen: who needs it, terms to touch, a transfer alone, values, why so many steps."""

import re

import pytest
from playwright.sync_api import expect
from settings import THOROUGH

from animations.phrases import phrases
from animations.story.usual import usual_board
from collectives import ROWS, record
from collectives.glossary import definitions
from collectives.units import size_text

RING = usual_board(record("all_reduce", "ring", ranks=8))
TREE = usual_board(record("broadcast", "binomial", ranks=8))
TIP = "[data-part=tip]"
VALUES = """() => Object.fromEntries([...document.querySelectorAll(".value")].map((text) =>
  [text.dataset.at, text.textContent]))"""
FLYING = """() => [...document.querySelectorAll(".trip")].map((trip) =>
  [trip.classList.contains("example"), trip.dataset.flight])"""


def story_of(page):
    return page.evaluate("() => document.querySelector('#player').collectives.store.story")


def test_every_reason_names_the_ranks_and_bytes_that_are_shown(open_page):
    texts = {language: phrases(language).patterns for language in ("en", "es")}
    keys = {key for key in texts["en"] if key.startswith("reasons.")}
    assert keys == {key for key in texts["es"] if key.startswith("reasons.")}
    assert keys < {key.replace("needs", "reasons") for key in texts["en"]}
    for row in {row.collective: row for row in ROWS}.values():
        recording = record(row.collective, row.algorithm, ranks=8)
        board = usual_board(recording)
        if f"reasons.{row.collective}" in keys:
            assert {"8", size_text(board.size)} <= set(re.findall(r"\d+ MiB|\d+", board.reason))
        else:
            assert board.reason == board.need
    page = open_page(RING)
    assert page.locator("[data-part=reason]").inner_text() == RING.reason
    assert usual_board(record("all_reduce", "ring", ranks=8, op="max")).reason == ""


@pytest.mark.parametrize("term", ["chunk", "lower bound", "+"])
def test_terms_of_the_first_screen_are_told_by_keys_alone(term, open_page):
    page = open_page(RING)
    uses = page.locator("dfn", has_text=re.compile(f"^{re.escape(term)}s?$")).locator(
        "visible=true"
    )
    for _ in range(60):
        page.keyboard.press("Tab")
        if uses.first.evaluate("use => use === document.activeElement"):
            break
    told = page.locator(TIP).inner_text()
    assert told == definitions().get(term, "Adds what arrives to what is there; = overwrites it.")
    page.keyboard.press("Escape")
    assert page.locator(TIP).is_hidden()


@pytest.mark.parametrize("name", ["ring", "recursive-doubling", "tree"])
def test_the_curve_has_the_steps_that_are_executed_and_is_tried_by_a_slider(name, open_page):
    page = open_page(usual_board(record("all_reduce", name, ranks=8)))
    curve = {ranks: (steps, bound) for ranks, steps, bound in story_of(page)["curve"]}
    for ranks, counted in curve.items():
        if THOROUGH or ranks in (2, 4, 16):
            recording = record("all_reduce", name, ranks=ranks)
            assert counted == (recording.counters.steps, recording.bound.steps)
    assert 8 in curve
    assert 16 in curve
    page.get_by_role("button", name=f"Why {curve[8][0]}?").click()
    slider = page.get_by_role("slider", name="Ranks")
    expect(page.locator(".curve output")).to_contain_text(f"8 ranks: {curve[8][0]} steps")
    slider.focus()
    page.keyboard.press("End")
    steps, bound = curve[16]
    text = f"16 ranks: {steps} steps, at least {bound}. The sentences below are of 8 ranks."
    expect(page.locator(".curve output")).to_have_text(text)
    expect(page.locator(".curve .key span")).to_have_text(["this algorithm", "lower bound"])
    assert page.evaluate("document.querySelector('#player').collectives.store.state.step") == 0


def test_a_key_shows_the_first_number_of_every_slot(open_page):
    page = open_page(RING)
    page.keyboard.press("v")
    start = page.evaluate(VALUES)
    assert set(start) == {f"{rank}.{chunk}" for rank in range(8) for chunk in range(8)}
    page.keyboard.press("End")
    sums = {chunk: sum(int(start[f"{rank}.{chunk}"]) for rank in range(8)) for chunk in range(8)}
    assert {at: int(text) for at, text in page.evaluate(VALUES).items()} == {
        f"{rank}.{chunk}": sums[chunk] for rank in range(8) for chunk in range(8)
    }
    page.keyboard.press("v")
    assert page.evaluate(VALUES) == {}
    page = open_page(usual_board(record("all_reduce", "ring", ranks=9)))
    page.keyboard.press("v")
    assert page.evaluate(VALUES) == {}


def test_the_first_step_plays_one_transfer_alone_with_its_numbers(open_page):
    page = open_page(RING, motion=True)
    page.keyboard.press("v")
    start = page.evaluate(VALUES)
    page.keyboard.press("v")
    page.keyboard.press(" ")
    page.clock.run_for(1200)
    flights = page.evaluate(FLYING)
    assert sorted(flights) == [[False, "leaving"]] * 7 + [[True, "flying"]]
    old, sent = start["1.7"], start["0.7"]
    total = int(old) + int(sent)
    assert page.locator(".sum").text_content() == f"{old} + {sent} = {total}"
    page.clock.run_for(2000)
    assert {state for is_example, state in page.evaluate(FLYING) if not is_example} == {"flying"}
    page.clock.run_for(1500)
    assert page.locator(".sum").count() == 0
    page = open_page(RING, motion=True)
    page.keyboard.press("n")
    page.clock.run_for(300)
    assert page.locator(".sum").count() == 0  # at a single step all move at once
