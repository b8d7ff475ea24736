"""Pages of algorithms and collectives: what they count and time, the slider of sizes, filters."""

import json
import re
from html.parser import HTMLParser

import numpy as np
import pytest
from playwright.sync_api import expect

from animations.site.algorithms import algorithm_file
from animations.site.report_markup import report_markup
from collectives import ROWS, rank, record, send, time
from collectives.text_lines import Grid, Heading, Paragraph

CUT = ("scatter", "exscan")


class Tables(HTMLParser):
    """The cells of a page's tables, its blocks of code, and the data of its sliders."""

    def __init__(self, text):
        super().__init__()
        self.rows, self.sliders, self.code, self.open_tags = [], [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.open_tags.append(tag)
        if "data-times" in dict(attrs):
            self.sliders.append(json.loads(dict(attrs)["data-times"]))
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
        if tag == "pre":
            self.code.append("")

    def handle_endtag(self, tag):
        while self.open_tags.pop() != tag:
            pass

    def handle_data(self, data):
        if {"td", "th"} & {*self.open_tags}:
            self.rows[-1][-1] += data
        elif "pre" in self.open_tags:
            self.code[-1] += data


@pytest.fixture(scope="module")
def pages(site):
    return {
        row.title: Tables((site.folder / algorithm_file(row)).read_text("utf-8"))
        for row in ROWS
        if row.collective in CUT
    }


def test_each_algorithm_has_a_page_that_counts_what_its_schedule_has(pages):
    for row in (row for row in ROWS if row.collective in CUT):
        counted = {cells[0]: cells[1] for cells in pages[row.title].rows if len(cells) == 4}
        ends = [
            {*zip(step.src.tolist(), step.dst.tolist(), strict=True)}
            for step in row.schedule(row.setting(8))
        ]
        sent = [{pair for pair in pairs if pair[0] != pair[1]} for pairs in ends]
        assert counted["steps"] == str(len(list(filter(None, sent))))
        assert counted["messages"] == str(sum(map(len, sent)))


def test_the_code_on_the_page_of_an_algorithm_makes_its_steps(pages):
    (code,) = [text for text in pages["flat scatter"].code if "def flat_scatter" in text]
    names = {"np": np, "send": send, "Schedule": object}
    exec(code, names)
    made = [step.dst.tolist() for step in names["flat_scatter"](8)]
    assert made == [step.dst.tolist() for step in record("scatter", "flat", ranks=8).steps]


def test_the_slider_has_the_times_of_the_clock_at_each_size(site):
    text = (site.folder / "lookup" / "scatter.html").read_text("utf-8")
    (slider,) = Tables(text).sliders
    assert {row["name"] for row in slider["rows"]} <= {"flat", "tree", "bine"}
    assert len(slider["rows"]) >= 2
    sizes = [1 << power for power in range(10, 31)]
    for row in slider["rows"]:
        recording = record("scatter", row["name"], ranks=8)
        for size, seconds in zip(sizes, row["seconds"], strict=True):
            expected = time(recording, "hgx-h100", size=size).total
            assert seconds is None or seconds == pytest.approx(expected)


def test_the_fastest_is_first_at_the_size_that_is_chosen(site, tab):
    tab.goto((site.folder / "lookup" / "exscan.html").as_uri())
    for key, size in (("Home", "1 KiB"), ("End", "1 GiB")):
        tab.get_by_label("Size of the vector").press(key)
        expect(tab.locator("[data-times] output")).to_have_text(size)
        ranking = rank("exscan", ranks=8, size=size.replace(" ", ""), topology="hgx-h100")
        seconds = {timed.name: timed.seconds for timed in ranking.timed}
        names = tab.locator(".bars a").all_inner_texts()
        assert {*names} == {*seconds}
        assert [seconds[name] for name in names] == sorted(seconds.values())


def test_rows_that_do_not_hold_the_words_are_hidden(site, tab):
    tab.goto((site.folder / "work" / "claims.html").as_uri())
    rows = tab.locator("tbody tr")
    texts = [text.lower() for text in rows.all_inner_texts()]
    tab.get_by_role("searchbox").fill("ring NCCL")
    wanted = [text for text in texts if "ring" in text and "nccl" in text]
    assert 0 < len(wanted) < len(texts)
    expect(tab.locator("tbody tr:visible")).to_have_count(len(wanted))


def test_the_navigation_of_an_algorithm_has_its_collective_alone(site):
    text = (site.folder / "algorithms" / "flat-scatter.html").read_text("utf-8")
    links = re.findall(r'<li class="toctree-l([23])[^>]*><a [^>]*href="\.\./([^"]*)"', text)
    inner = {address for level, address in links if level == "3"}
    assert inner == {algorithm_file(row) for row in ROWS if row.collective == "scatter"}
    assert {"lookup/scatter.html", "lookup/exscan.html"} < {each for level, each in links} - inner


def test_a_report_is_a_heading_a_table_and_paragraphs():
    grid = Grid([("1", "<b>")], ("count", "what"))
    text = report_markup([Heading("Head"), "", grid, Paragraph("many  `words`")])
    assert re.sub("</?div[^>]*>", "", text) == (
        '<h3>Head</h3><table><thead><tr><th scope="col">count</th><th scope="col">what</th>'
        "</tr></thead><tbody><tr><td>1</td><td>&lt;b&gt;</td></tr></tbody></table>"
        '<p class="small">many <code>words</code></p>'
    )
