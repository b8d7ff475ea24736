"""Words that pages show stand in the folders of languages alone, and each folder has all."""

import re
from html.parser import HTMLParser
from pathlib import Path
from string import Formatter

import pytest

from animations.phrases import page_words, read
from animations.player.page import WEB
from collectives.choices import LANGUAGES, PHRASES

CODE = {  # that write or run Python, draw as notebooks do, style a frame, or name keys of phrases
    *("core/written.js", "core/python_run.js", "core/python_text.js", "python_process.js"),
    *("entry/python_worker.js", "entry/modeler.js", "views/step_picture.js"),
    *("collective_player.js", "core/compared/sentences.js"),
}
FILES = sorted(path for path in WEB.rglob("*.js") if f"{path.relative_to(WEB)}" not in CODE)
COMMENT = re.compile(r"/\*\*.*?\*/|(?<![:\"'])//[^\n]*", re.DOTALL)
STRING = re.compile(r'"((?:\\.|[^"\\\n])*)"|`((?:\\.|\$\{(?:[^`{}]|\{[^}]*\})*\}|[^`\\])*)`')
SELECTS = re.compile(r"(?:querySelector(?:All)?|matches|closest)(?:\?\.)?\($|_FIELDS = $")
SENTENCE = re.compile(r"[A-Za-z]{2,}[,:;.!?]* [A-Za-z]{2,}|^[A-Z][a-z]+")
NAMES = re.compile(
    r"\(prefers-.*|[KMGTPE]iB|\d.*|Arrow\w*|Escape|Enter|Home|End|Page\w+|Delete|Backspace|Tab|Control\+Enter"
)
KINDS = {name for path in WEB.glob("*.d.ts") for name in re.findall(r'"([^"]+)"', path.read_text())}
NAMED = KINDS | {
    "Ctrl+Enter",
    "CSV",
    "JSON",
    "collectives draft",
    "NotAllowedError",
    "trip example",
    "fullscreen; clipboard-write",
}
CLASSES = {word for path in WEB.glob("*.css") for word in re.findall(r"[\w-]+", path.read_text())}
KEY = re.compile(r"[a-z_]+\.[a-z_]+")


def sentences(path):
    """What a module has in quotes that reads as words of a page."""
    text = COMMENT.sub("", path.read_text("utf-8"))
    for found in STRING.finditer(text):
        said = re.sub(r"\$\{.*?\}", " ", found[1] or found[2] or "").strip()
        words = re.findall(r"[A-Za-z]+", said)
        if not SENTENCE.search(said) or NAMES.fullmatch(said) or said in NAMED:
            continue
        if set(words) <= CLASSES or SELECTS.search(text[: found.start()]):
            continue
        yield said


class Markup(HTMLParser):
    """Collects what a reader sees or hears of markup."""

    def __init__(self):
        super().__init__()
        self.texts = []

    def handle_starttag(self, tag, attrs):
        heard = ("aria-label", "title", "placeholder", "alt")
        self.texts += [value for name, value in attrs if name in heard and value]

    def handle_data(self, data):
        self.texts.append(data)


def fields(text):
    return {name for _, name, _, _ in Formatter().parse(text) if name}


def test_there_are_no_words_of_a_page_outside_the_folders_of_languages():
    assert {
        f"{path.relative_to(WEB)}": said for path in FILES if (said := [*sentences(path)])
    } == {}


@pytest.mark.parametrize("path", sorted(WEB.glob("*.html")), ids=lambda path: path.name)
def test_markup_has_keys_in_the_place_of_words(path):
    markup = Markup()
    markup.feed(re.sub(r"<(style|script)\b.*?</\1>", "", path.read_text("utf-8"), flags=re.DOTALL))
    shown = re.sub(r"\{[a-z_.]+\}|\$\{?\w+\}?", "", " ".join(markup.texts))
    assert not set(re.findall(r"[^\W\d_]{2,}", shown)) - {"Esc"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_every_word_of_a_page(language):
    own, english = page_words(language), page_words("en")
    there = {
        f"{section}.{name}"
        for file in ("page", "films")
        for section, table in read(language, file).items()
        for name in (table if isinstance(table, dict) else ())
    }
    missing = sorted(english.keys() - there)
    assert not missing, f"{language}/page.toml lacks {', '.join(missing)}"
    assert own.keys() == english.keys()
    for key, text in own.items():
        assert fields(text) == fields(english[key]), key
        assert text.strip() or not english[key].strip(), key


def test_what_is_said_is_there_and_what_is_there_is_said():
    sources = [path.read_text("utf-8") for path in (*WEB.rglob("*.js"), *WEB.glob("*.html"))]
    sources += [path.read_text("utf-8") for path in Path(PHRASES).parent.rglob("*.py")]
    text = "\n".join(sources)
    begun = tuple(re.findall(r"[\"`]([a-z_]+\.[a-z_]*)\$?\{", text))
    begun += tuple(f"{name}." for name in re.findall(r'section\("([a-z_]+)"\)', text))
    known = page_words("en").keys()
    used = {name for name in KEY.findall(text) if name in known}
    assert not {key for key in known - used if not key.startswith(begun)}
    sections = {key.partition(".")[0] for key in known}
    keys = re.findall(r"(?:word|wordParts)\(\"([a-z_]+\.[a-z_]+)\"", text)
    assert len(keys) > 150
    assert {key for key in keys if key.partition(".")[0] in sections} <= known
