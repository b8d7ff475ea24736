"""The page of a comparison: times on its machine beside the player, the reasons below them."""

import pytest
from playwright.sync_api import Browser

from collectives.__main__ import main


def test_a_bar_of_the_comparison_shows_its_algorithm(browser: Browser, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    line = "compare all-reduce ring tree -n 4 --size 64KiB -o race.html --theme dark"
    with pytest.raises(SystemExit):
        main(line.split())
    context = browser.new_context(viewport={"width": 1366, "height": 800}, reduced_motion="reduce")
    tab = context.new_page()
    trouble: list[str] = []
    tab.on("console", lambda message: trouble.append(message.text))
    tab.on("pageerror", lambda error: trouble.append(str(error)))
    tab.goto((tmp_path / "race.html").as_uri())
    tab.wait_for_selector(".sheet")
    part = tab.locator(".compared")
    assert part.locator("h2").inner_text() == "Ring or tree?"
    rows = part.locator("button")
    assert rows.all_inner_texts() == ["ring\n6.22 µs", "tree\n4.58 µs"]
    assert tab.locator("#times input[name=size] + *, #times output").first.inner_text() == "64 KiB"
    assert rows.first.get_attribute("aria-current") == "true"
    rows.last.click()
    tab.wait_for_function("document.querySelector('h1').textContent === 'Tree all-reduce'")
    assert rows.last.get_attribute("aria-current") == "true"
    assert rows.first.get_attribute("aria-current") == "false"
    assert tab.url.endswith("#all-reduce/tree/4/step=0")
    times = tab.locator("#times ol").last
    assert times.locator(".seconds").all_inner_texts() == ["4.58 µs", "6.22 µs"], "one clock"
    counters = tab.locator("[data-part=counters]").inner_text()
    assert "/ 4.58 µs" in counters and "hgx-h100" in counters
    assert "Tree saves 2 µs of latency" in part.inner_text()
    context.close()
    assert trouble == []
