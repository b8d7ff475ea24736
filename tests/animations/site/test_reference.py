"""The reference: every command, every public name, every term is on its page."""

import inspect
import subprocess
import sys
from html import unescape
from html.parser import HTMLParser

import animations
import collectives
from animations import manim
from animations.site.reference import helps
from collectives import glossary, testing
from collectives.__main__ import cli


class Text(HTMLParser):
    """The headings of a page, and all of its text."""

    def __init__(self, text):
        super().__init__()
        self.headings, self.inside, self.text = [], False, ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.inside = tag == "h2" or (self.inside and tag in ("code", "span"))
        if tag == "h2":
            self.headings.append("")

    def handle_endtag(self, tag):
        self.inside = self.inside and tag != "code"

    def handle_data(self, data):
        self.text += data
        if self.inside:
            self.headings[-1] += data


def page(site, name):
    return Text((site.folder / "reference" / name).read_text("utf-8"))


def test_every_command_has_its_help(site):
    wanted = {"collectives", *(f"collectives {name}" for name in cli.commands)}
    wanted |= {f"collectives figure {name}" for name in cli.commands["figure"].commands}
    sheet = page(site, "commands.html")
    assert {*sheet.headings} == wanted
    printed = subprocess.run(
        [sys.executable, "-m", "collectives", "bits", "--help"], capture_output=True, text=True
    ).stdout
    assert " ".join(printed.partition("Options:")[0].split()) in " ".join(sheet.text.split())
    assert len(list(helps())) == len(wanted)


def test_every_public_name_has_its_text(site):
    own = [testing.assert_proved.__name__, testing.every_size.__name__]
    for name, wanted, module in (
        ("collectives.html", collectives.__all__, collectives),
        ("animations.html", animations.__all__, animations),
        ("testing.html", own, testing),
    ):
        sheet = page(site, name)
        assert sheet.headings == list(wanted)
        words = " ".join(unescape(sheet.text).split())
        for key in wanted:
            first = (inspect.getdoc(getattr(module, key)) or "").partition("\n\n")[0]
            if callable(getattr(module, key)):
                assert " ".join(first.replace("`", "").split()) in words
    words = page(site, "collectives.html").text + page(site, "manim.html").text
    recording = collectives.Recording
    members = (recording.result, recording.page, collectives.Timing.busy, collectives.Row.accepts)
    members += (manim.Collective.rank,)
    assert all(inspect.getdoc(member).partition("\n")[0] in words for member in members)


def test_every_term_of_the_glossary_is_there(site):
    text = page(site, "glossary.html").text
    assert all(term in text and meaning in text for term, meaning in glossary.definitions().items())
