"""The prose of docs/ and of the pages of the site is spelled as a dictionary, or a list, has it."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from spellchecker import SpellChecker

from collectives import ROWS, glossary

ROOT = Path(__file__).parents[3]
OWN = ROOT / "tests" / "data" / "spelling.txt"  # names and terms that no dictionary has
WORD = re.compile(r"(?<![\w@/.\\-])[A-Za-z]?[a-z]+(?:'[a-z]+)?(?![\w/(])(?!\.\w)")
NO_PROSE = re.compile(r"```.*?```|`[^`]*`|\]\([^)]*\)|<[^>]+>|https?://\S+", re.DOTALL)
LEFT_OUT = ("pre", "code", "script", "style", "nav", "aside")


class Prose(HTMLParser):
    """The text of a page without code and navigation."""

    def __init__(self, text):
        super().__init__()
        self.inside, self.text = 0, ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.inside += tag in LEFT_OUT

    def handle_endtag(self, tag):
        self.inside -= tag in LEFT_OUT
        self.text += " "

    def handle_data(self, data):
        self.text += data * (not self.inside)


@pytest.fixture(scope="module")
def unknown():
    """A function: the words of a text that nothing has."""
    checker = SpellChecker()
    terms = f"{OWN.read_text('utf-8')} {' '.join(glossary.definitions())} "
    terms += " ".join(f"{row.title} {row.algorithm}" for row in ROWS)
    checker.word_frequency.load_words(re.findall(r"\w+", terms))

    def words(text):
        found = {word.lower().removesuffix("'s") for word in WORD.findall(text)}
        return {word for word in checker.unknown(found) if word.removesuffix("s") not in checker}

    return words


def test_what_is_misspelled_is_seen(unknown):
    assert unknown("Ranks recieve it's chunk, busbw") == {"recieve"}


def test_words_of_docs_and_pages_are_known(site, unknown):
    texts = {path: NO_PROSE.sub(" ", path.read_text()) for path in (ROOT / "docs").glob("*.md")}
    pages = [
        path for path in site.folder.rglob("*.html") if not {"players", "papers"} & {*path.parts}
    ]
    texts |= {path: Prose(path.read_text("utf-8")).text for path in pages}
    wrong = {path.name: unknown(text) for path, text in texts.items()}
    assert not {name: words for name, words in wrong.items() if words}


def test_no_word_of_the_list_is_superfluous():
    words = OWN.read_text("utf-8").split()
    assert words == sorted(words) and not {*words} & SpellChecker().known(words)
