"""The map of the catalog: families, where to begin, and reasons that are true of what was timed."""

import json
import re

import pytest
from playwright.sync_api import expect

from animations.player.catalog import write_catalog
from animations.story.usual import usual_board
from collectives import ROWS, record
from collectives.catalog.starts import START_HERE

NAMES = ("ring", "recursive-doubling", "rabenseifner", "tree")


@pytest.fixture(scope="module")
def mapped(tmp_path_factory):
    path = tmp_path_factory.mktemp("map") / "catalog.html"
    pairs = [
        (run, usual_board(run)) for name in NAMES for run in [record("all_reduce", name, ranks=8)]
    ]
    write_catalog(pairs, path, "dark", mapped=True)
    return path, pairs


def test_four_rows_of_the_catalog_are_where_to_begin():
    rows = {(row.collective, row.algorithm): row for row in ROWS}
    assert len(set(START_HERE)) == 4
    assert all(rows[start].accepts(8) for start in START_HERE)


def test_a_reason_is_true_of_what_was_timed(tab, mapped):
    path, pairs = mapped
    tab.goto(path.as_uri())
    rows = tab.locator("#map li")
    expect(rows).to_have_count(len(NAMES))
    said = {text.split("\n")[0]: text for text in rows.all_inner_texts()}
    seconds = {run.algorithm: board.setup_times.times[-1] for run, board in pairs}
    steps = {run.algorithm: run.counters.steps for run, _ in pairs}
    best = min(seconds.values())
    for name, text in said.items():
        assert ("fastest\n" in text) == (seconds[name] <= best * (1 + 1e-6)), text
        assert "fewest steps" not in text or steps[name] == min(steps.values())
        if longer := re.search(r"([\d.]+) % longer", text):
            assert float(longer[1]) == pytest.approx(100 * (seconds[name] / best - 1), rel=0.06)
    assert "up to" in said["recursive-doubling"]  # fewest steps win where latency counts
    assert "start here" in said["ring"] and "start here" not in said["rabenseifner"]
    index = json.loads(re.search(r'id="catalog">(.*)<', path.read_text())[1])["map"]
    assert [row["family"] for row in index["rows"]] == [run.structure.kind for run, _ in pairs]


def test_the_map_gives_way_to_what_is_chosen(tab, mapped):
    tab.goto(mapped[0].as_uri())
    tab.locator("#map button", has_text="rabenseifner").click()
    expect(tab.locator("h1")).to_have_text("Rabenseifner all-reduce")
    expect(tab.locator("#map")).to_be_hidden()
    tab.locator("#picker button").press("Enter")
    expect(tab.locator("#map h3").first).to_be_visible()
    tab.locator("#map button").first.press("Escape")
    expect(tab.locator("#map")).to_be_hidden()
