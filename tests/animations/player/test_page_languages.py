"""A page in several languages: its reader chooses one, and no word of another is left."""

import re

import pytest
from playwright.sync_api import expect

from animations.phrases import page_words
from animations.story.usual import usual_board
from collectives import record
from collectives.__main__ import main

WORD = re.compile(r"(?<![-\w])[^\W\d_]{3,}(?![-\w])")
WORDS_OF_PAGE = """() => {
  const texts = [];
  const walk = (element) => {
    if (element.matches("code, option, [data-part=source], [data-part=script]")) return;
    for (const name of ["aria-label", "title"]) texts.push(element.getAttribute(name) ?? "");
    for (const node of element.childNodes) {
      if (node.nodeType === 3) texts.push(node.nodeValue);
      else if (node.nodeType === 1) walk(node);
    }
  };
  walk(document.getElementById("player"));
  return texts.join(" ");
}"""


def words(texts):
    return {word.lower() for text in texts for word in WORD.findall(re.sub(r"\{.*?\}", "", text))}


@pytest.fixture(scope="module")
def boards():
    recording = record("all_reduce", "ring", ranks=4)
    return [usual_board(recording, language=language) for language in ("en", "es")]


def test_a_language_is_chosen_on_the_page_and_named_in_its_address(open_page, boards):
    page = open_page(boards[0], step=2, translated=boards[1:])
    title = page.locator("h1")
    expect(title).to_have_text("Ring all-reduce")
    page.locator("select.language").select_option("es")
    expect(title).to_have_text("All-reduce en anillo")
    expect(page.locator("html")).to_have_attribute("lang", "es")
    expect(page.locator("[data-part=caption]")).to_contain_text("Paso 2 de 6")
    expect(page.locator("[data-part=play] .pause")).to_be_hidden()
    page.wait_for_url("**lang=es**")
    page.keyboard.press("ArrowRight")
    page.evaluate("location.hash = 'step=3&lang=es&select=rank:1'")
    expect(page.locator("[data-part=tale]")).to_contain_text("En total envía a rango 2")
    english = words(page_words("en").values()) - words(page_words("es").values())
    for key in ("t", "m", "b"):
        told = page.evaluate(WORDS_OF_PAGE)
        assert not re.search(r"\d\.\d", told), key
        left = words([told]) & english
        assert not left, key
        page.keyboard.press(key)
    expect(page.locator("[data-part=subtitle]")).to_contain_text("Cada rango termina con la suma")
    page.keyboard.press("Escape")
    page.keyboard.press("?")
    moving = page_words("es")["help.moving"].format(color=page_words("es")["help.this_color"])
    expect(page.locator("[data-part=moving]")).to_have_text(moving)
    page.keyboard.press("Escape")
    page.evaluate("location.hash = 'step=1&lang=xx'")
    expect(title).to_have_text("Ring all-reduce")
    expect(page.locator("[data-part=unknown]")).to_contain_text("lang xx")
    expect(page.locator("html")).to_have_attribute("lang", "en")


@pytest.mark.parametrize(
    ("option", "told"),
    [
        (["--language", "en,xx"], "--language xx: unknown; choose from"),
        (["--language", "en,es", "--edit"], "a page with --edit has one; try: --language en"),
        (["--language", "en,es", "--also", "tree"], "--also tree has one; try: --language en"),
    ],
)
def test_languages_that_a_page_cannot_have_are_refused(option, told, capsys):
    with pytest.raises(SystemExit) as ended:
        main(["page", "all-reduce", "ring", "-n", "4", *option])
    error = capsys.readouterr().err
    assert (ended.value.code, error.count("\n"), told in error) == (2, 1, True), error
