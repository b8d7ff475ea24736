"""The site, cut to two collectives: links, anchors, headings, alternative texts, no address."""

import re
import shlex
import tomllib
from html.parser import HTMLParser
from urllib.parse import unquote, urlsplit

import pytest
from click.testing import CliRunner
from each import each
from playwright.sync_api import expect

from animations.site import build_site
from animations.site.answers import ANSWERS
from animations.site.work import QUESTIONS
from collectives.cli.commands import cli
from collectives.errors import BadInput

CUT = ("scatter", "exscan")
LOADED = {"img": "src", "iframe": "src", "script": "src", "link": "href"}
MADE_ELSEWHERE = ("players", "gallery.html", "reveal.html")  # pages with tests of their own


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
def site(tmp_path_factory):
    return build_site(tmp_path_factory.mktemp("site"), CUT)


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


def test_only_documents_and_questions_link_elsewhere(site, sheets):
    for path, sheet in sheets.items():
        away = [address for address in sheet.links if urlsplit(address).netloc]
        if path.name.startswith("question-"):
            assert away
            assert all(address.startswith("https://github.com/") for address in away)
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
    asked = tomllib.loads(QUESTIONS.read_text("utf-8"))["question"]
    listed = (site.folder / "work" / "index.html").read_text("utf-8")
    for question in asked:
        answered = question["number"] in ANSWERS
        assert (f'"question-{question["number"]}.html"' in listed) == answered
        text = f"{question['number']}: {question['asks']}"
        assert (text in site.unanswered) != answered
    assert len(ANSWERS) >= 6


@each("number", sorted(ANSWERS))
def test_the_command_of_an_answer_runs(number):
    name, *words = shlex.split(ANSWERS[number]().command)
    assert name == "collectives"
    result = CliRunner().invoke(cli, words)
    assert result.exit_code == 0, result.output


def test_an_unknown_collective_is_refused(tmp_path):
    with pytest.raises(BadInput, match="did you mean broadcast"):
        build_site(tmp_path / "site", ["brodcast"])


def test_the_landing_page_plays_at_once_with_the_network_blocked(site, browser):
    context = browser.new_context(viewport={"width": 1366, "height": 768}, offline=True)
    asked = []
    page = context.new_page()
    page.on("request", lambda request: asked.append(request.url))
    page.goto((site.folder / "index.html").as_uri())
    player = page.frame_locator("#first")
    expect(player.get_by_text(re.compile("^Step 2 of 14"))).to_be_visible()
    expect(player.get_by_role("button", name="Edit")).to_be_visible()
    low = page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    assert low
    assert all(url.startswith(("file:", "data:", "blob:")) for url in asked)
    context.close()
