"""The site, cut to two collectives: links, anchors, headings, alternative texts, no address."""

import itertools
import json
import re
import shlex
import tomllib
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import expect
from spread import THOROUGH

from animations.course.lecture import lectures
from animations.site import build_site, documents
from animations.site.asked import QUESTIONS, questions
from animations.site.labs import _pieces
from animations.site.learn import around
from animations.site.sample_files import sample
from animations.site.work import BANDWIDTH as PAGE
from collectives.__main__ import main
from collectives.errors import BadInput

LOADED = {"img": "src", "iframe": "src", "script": "src", "link": "href"}
MADE_ELSEWHERE = ("players", "papers", "gallery.html", "reveal.html", "search.html")  # other tests


class Sheet(HTMLParser):
    """What a page links to, what it loads, its anchors, headings and alternative texts."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loads, self.anchors, self.headings, self.silent = [], [], set(), [], []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        values = dict(attrs)
        self.anchors.update(filter(None, [values.get("id")]))
        if tag == "a":
            self.links.append(values["href"])
        if tag in LOADED and values.get(LOADED[tag]):
            self.loads.append(values[LOADED[tag]])
        if re.fullmatch("h[1-6]", tag):
            self.headings.append(int(tag[1]))
        if tag in ("img", "iframe") and not values.get("alt" if tag == "img" else "title"):
            self.silent.append(values)


@pytest.fixture(scope="module")
def sheets(site):
    paths = [
        path
        for path in site.folder.rglob("*.html")
        if not set(MADE_ELSEWHERE) & set(path.relative_to(site.folder).parts)
    ]
    return {path: Sheet(path.read_text("utf-8")) for path in paths}


def test_every_relative_link_leads_somewhere(sheets):
    dead = []
    for path, sheet in sheets.items():
        for address in (*sheet.links, *sheet.loads):
            parts = urlsplit(address)
            if parts.scheme:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            known = target not in sheets or parts.fragment in (*sheets[target].anchors, "")
            if not target.is_file() or not known:
                dead.append((path.name, address))
    assert not dead


def test_nothing_is_loaded_from_elsewhere(sheets):
    assert not [each for sheet in sheets.values() for each in sheet.loads if urlsplit(each).netloc]


def test_only_documents_questions_and_algorithms_link_elsewhere(site, sheets):
    for path, sheet in sheets.items():
        away = [address for address in sheet.links if urlsplit(address).netloc]
        if path.name.startswith("question-"):
            assert away
            known = ("https://github.com/", "https://arxiv.org/abs/")
            assert all(address.startswith(known) for address in away)
        elif path.parent.name == "algorithms":
            assert all(address.startswith("https://arxiv.org/abs/") for address in away), path
        elif path.parent.name != "docs":
            assert not away, path


def test_pages_have_one_title_headings_in_order_and_texts_for_pictures(sheets):
    for path, sheet in sheets.items():
        assert sheet.headings.count(1) == 1, path
        assert sheet.headings[0] == 1, path
        steps = zip(sheet.headings, sheet.headings[1:], strict=False)
        assert all(below <= above + 1 for above, below in steps), path
        assert not sheet.silent, path


def test_a_question_is_listed_if_something_executed_answers_it(site):
    answered, others = questions()
    listed = (site.folder / "work" / "index.html").read_text("utf-8")
    assert all(f'"question-{asked.number}.html"' in listed for asked in answered)
    assert set(site.unanswered) == set(others)
    assert len(answered) >= 37


def test_a_page_of_a_question_shows_what_its_command_prints(site):
    """Of one that prints an error, and of one of whose lines only the last are shown."""
    first, last = (
        (site.folder / "work" / f"question-{number}.html").read_text("utf-8") for number in (38, 7)
    )
    assert "rank 0 sends 2 S where 1.75 S is enough" in first
    assert "def passing_all_reduce(n):" in first
    assert "whose order" in last or "order of the sums" in last
    assert "example data" not in last


def test_a_slow_run_is_read_with_its_log_two_clicks_from_the_landing_page(site):
    work, page = ((site.folder / "work" / name).read_text() for name in ("index.html", PAGE))
    assert f'href="{PAGE}"' in work and 'href="work/index.html"' in (
        site.folder / "index.html"
    ).read_text("utf-8")
    slow, healthy = (page.index(f"diagnose {name}.txt") for name in ("slow", "healthy"))
    assert "times too slow from 1 MiB on" in page[slow:healthy]
    assert "1. sockets (TCP)" in page[slow:healthy] and "NCCL_IB_DISABLE is set" in page
    assert "Healthy: busbw" in page[healthy:]
    source = Path(documents.__file__).with_name(PAGE).with_suffix(".md").read_text("utf-8")
    lines = re.findall(r"^\| `(.*?)` \|", source.partition("Lines of the log")[2], re.MULTILINE)
    assert len(lines) > 4 and all(line in sample("sockets.log") for line in lines)


def test_a_lab_has_what_its_cells_printed_players_and_hidden_solutions(site, window):
    name = "lab-01_collectives"
    cells = json.loads((site.folder / "learn" / f"{name}.ipynb").read_text("utf-8"))["cells"]
    kinds = {output["output_type"] for cell in cells for output in cell.get("outputs", [])}
    assert "error" not in kinds and "stream" in kinds
    window.goto((site.folder / "learn" / f"{name}.html").as_uri())
    expect(window.get_by_text("two_part_all_reduce on 8 ranks: right, rank 0")).to_be_visible()
    solutions = window.get_by_text("Solution", exact=True)
    assert solutions.count() > 1 and not any(each.is_visible() for each in solutions.all())
    player = window.frame_locator("article iframe >> nth=0")
    expect(player.get_by_role("button", name=re.compile("^Play"))).to_be_visible()
    assert f'<li><a href="{name}.html">' in (site.folder / "learn" / "index.html").read_text()


def test_what_a_cell_of_a_lab_gives_without_markup_is_shown_as_text():
    output = {"output_type": "execute_result", "data": {"text/plain": ["2 < 3"]}}
    cell = {"cell_type": "code", "source": "2", "outputs": [output]}
    assert "2 &lt; 3</pre>" in "".join(_pieces(cell))


def test_a_command_of_a_function_runs_as_those_of_the_table():
    first = next(asked for asked in questions()[0] if asked.number == 1)
    assert "chunk 0: ((x1 + x2) + x3) + x0" in first.output()
    assert "those of two runs in 0." in first.paragraphs[0]


def test_commands_of_pages_run(site, tmp_path, monkeypatch, capsys):
    """Films are rendered in tests of their own."""
    monkeypatch.chdir(tmp_path)
    pages = sorted(site.folder.glob("algorithms/*.html"))
    for page in pages if THOROUGH else pages[:1]:
        lines = re.findall(
            "^(?:.*>)?collectives ((?!video).*?)(?:<|$)", page.read_text("utf-8"), re.M
        )
        assert {line.split()[0] for line in lines} == {"run", "check", "time"}
        for line in lines:
            with pytest.raises(SystemExit) as ended:
                main(shlex.split(unescape(line)))
            assert ended.value.code == 0, (line, capsys.readouterr().err)


def test_no_text_of_the_table_has_a_number_that_nothing_computed():
    """Names such as LL128 and fp8, and the options of commands, are not numbers."""
    for asked in tomllib.loads(QUESTIONS.read_text("utf-8"))["question"]:
        for text in asked.get("text", ()):
            assert not re.search(r"(?<![A-Za-z\d])\d", text), text
            assert len(text.split()) <= 75


def test_an_unknown_collective_is_refused(tmp_path):
    with pytest.raises(BadInput, match="did you mean broadcast"):
        build_site(tmp_path / "site", ["brodcast"])


def test_the_landing_page_plays_at_once_with_the_network_blocked(site, window):
    page, asked = window, []
    page.set_viewport_size({"width": 1366, "height": 768})
    page.on("request", lambda request: asked.append(request.url))
    page.goto((site.folder / "index.html").as_uri())
    player = page.frame_locator("#first")
    expect(player.get_by_text(re.compile("^Step 2 of 14"))).to_be_visible()
    expect(player.get_by_label("Code of the schedule")).to_be_visible()  # the editor is open
    ends = [door.bounding_box() for door in page.locator(".doors a").all()]
    assert len(ends) == 3 and all(box["y"] + box["height"] <= 768 for box in ends)
    buttons = [button.bounding_box() for button in player.locator(".tools button:visible").all()]
    for left, right in itertools.pairwise(buttons):
        assert left["x"] + left["width"] <= right["x"] + 0.5
    assert all(url.startswith(("file:", "data:", "blob:")) for url in asked)


def test_search_finds_questions_by_most_of_the_words_of_others(site, tab):
    for number, words in (
        (38, "is the ring all-reduce of a tutorial right"),
        (26, "watchdog stuck rank"),
    ):
        tab.goto(f"{(site.folder / 'search.html').as_uri()}?q={words}")
        expect(tab.locator("#search-results li a").first).to_be_visible()
        found = tab.locator("#search-results li a").evaluate_all(
            "(links) => links.map((link) => link.href)"
        )
        assert any(f"question-{number}.html" in address for address in found[:5]), words


def test_a_lecture_leads_to_its_papers_its_lab_and_its_neighbors(site):
    text = (site.folder / "learn" / "what-is-a-collective.html").read_text("utf-8")
    assert 'href="../papers/what-is-a-collective/quiz-key.md"' in text
    assert 'href="lab-01_collectives.html"' in text
    course = list(lectures().values())
    before, after = re.findall('href="(.*?)"', around(course, 4))
    assert (before, after) == (f"{course[3].name}.html", f"{course[5].name}.html")


def test_search_finds_a_page_with_the_network_blocked(site, window):
    page = window
    page.goto((site.folder / "index.html").as_uri())
    page.get_by_role("searchbox", name="Search").fill("embed a page in your page")
    page.keyboard.press("Enter")
    result = page.locator("#search-results").get_by_role("link", name=re.compile("^Embed"))
    result.first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Embed: a page in your page")
    current = page.locator(".sidebar-tree [aria-current=page]")
    expect(current).to_have_text("Embed: a page in your page")
