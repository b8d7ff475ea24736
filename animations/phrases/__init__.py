"""The words of films and pictures in each language: patterns, nouns, and what sources say.

English captions and promises stand in the sources of the algorithms; a folder for each
language holds all other text, and translations of these by their English words.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from collectives.choices import LANGUAGES, PHRASES
from collectives.errors import BadInput
from collectives.words import Quoted, Worded, capital, nearest, quoted

BREAK = "\u200b"  # where a line may end without a blank
POINT, THOUSANDS = re.compile(r"(?<=\d)\.(?=\d)"), re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
WIDE = re.compile("[\u4e00-\u9fff]")  # Chinese signs, which have no capitals
BESIDE_WIDE = re.compile(  # between such a sign and a Latin one, where a blank stands
    rf"(?<={WIDE.pattern})(?=[A-Za-z0-9(⌈⌊])|(?<=[A-Za-z0-9)⌉⌋])(?={WIDE.pattern})"
)
UNITS = "ns|µs|ms|s|B|KB|MB|GB|TB|KiB|MiB|GiB|TiB"  # nouns of all languages
CLOSING = "，。；：！？、）”》"  # what begins no line


class Phrases:
    """What pictures say in a language; two of one language are the same object.

    A pattern is found by its key, as in `say("labels.sends", source=…, data=…, target=…)`. Raises
    KeyError for a pattern or a field that is missing.
    """

    def __init__(self, language: str, content: dict[str, Any]) -> None:
        self.language = language
        self.most_words: int = content.pop("most_words")  # of a sentence that is spoken
        self.nouns: dict[str, list[str]] = content.pop("nouns")
        self.neighbors: dict[str, list[str]] = content.pop("neighbors")
        self.rewritten: list[list[str]] = content.pop("plurals")
        self.joined: dict[str, str] = content.pop("contractions")
        self.translated: dict[str, dict[str, str]] = content.pop("translations")
        self.sentences = {} if language == "en" else read(language, "sentences")
        english: dict[str, str] = {} if language == "en" else phrases("en").patterns
        self.patterns: dict[str, str] = english | page_words(language) | _patterns(content)

    def __call__(self, key: str, /, **fields: object) -> str:
        """The text of a pattern with these fields."""
        return self.contracted(self.patterns[key].format(**fields))

    def section(self, name: str) -> dict[str, str]:
        """The patterns of a section by their names in it."""
        start = f"{name}."
        return {k.removeprefix(start): v for k, v in self.patterns.items() if k.startswith(start)}

    def contracted(self, text: str) -> str:
        """The text with the contractions of the language."""
        for separate, joined in self.joined.items():
            text = re.sub(rf"\b{separate} ", f"{joined} ", text)
        return text

    def noun(self, noun: str) -> str:
        """The word for one."""
        return self.nouns[noun][0]

    def several(self, noun: str) -> str:
        """The word for several."""
        return self.nouns[noun][1]

    def plural(self, number: float, noun: str) -> str:
        """A number and what it counts.

        >>> phrases("en").plural(1024, "rank"), phrases("es").plural(1, "chunk")
        ('1,024 ranks', '1 fragmento')
        """
        one, several, *counted = self.nouns[noun]  # as some languages count, the last
        return f"{number:,} {counted[0] if counted else one if number == 1 else several}"

    def steps(self, counted: int, executed: int) -> str:
        """Steps that are counted, and those in place, which only run."""
        steps = self.plural(counted, "step")
        more = executed - counted
        return self("steps.and_in_place", steps=steps, more=f"{more:,}") if more > 0 else steps

    def caption(self, text: str) -> str:
        """The comment above a yield; as it is, where the language has no other words for it."""
        return self._known("captions", text)

    def phase(self, name: str) -> str:
        """The name of a phase, whose parts are those of functions.

        >>> phrases("es").phase("all-gather + 2 × twins-swap")
        'all-gather + 2 × intercambio de gemelos'
        """
        parts = (part.rpartition(" × ") for part in name.split(" + "))
        known = (f"{count}{sign}{self._known('phases', part)}" for count, sign, part in parts)
        return " + ".join(known)

    def promise(self, text: str) -> str:
        """What functions promise, joined by semicolons."""
        parts, texts = text.split("; "), list[str]()
        while parts:
            ends = range(len(parts), 0, -1)
            known = ("; ".join(parts[:end]) for end in ends)
            table = self.translated.get("promises", {})
            end, text = next(
                ((end, text) for end, text in zip(ends, known, strict=True) if text in table),
                (1, parts[0]),
            )
            texts.append(table.get(text, text))
            parts = parts[end:]
        return "; ".join(texts)

    def title(self, heading: str, algorithm: str, collective: str) -> str:
        """The name of an algorithm of the catalog, the collective's as the source has it."""
        return capital(self.algorithm(algorithm, collective) or heading)

    def name(self, algorithm: str) -> str:
        """The name of an algorithm beside others of its collective."""
        return self._known("names", algorithm)

    def rival(self, algorithm: str) -> str:
        """The name of an algorithm in a sentence about another, "" where it has none of its own."""
        names: dict[str, str] = self.translated.get("names", {}) | self.translated.get("rivals", {})
        return names.get(algorithm, "")

    def algorithm(self, algorithm: str, collective: str) -> str:
        """The name of an algorithm within a sentence, "" where there is none."""
        known = self.translated.get("algorithms", {}).get(algorithm, "")
        return known.format(collective=self.collective(collective))

    def collective(self, name: str) -> str:
        """The name of a collective, whose English one may follow in brackets."""
        return self._known("collectives", name)

    def translation(self, text: str) -> str:
        """What the library says in English, as a pattern with fields or as it is."""
        if self.language == "en" or isinstance(text, Quoted):
            return self.caption(text)
        if not isinstance(text, Worded):
            return self.sentences.get(text) or self.decimal(text)
        if text.pattern == "{algorithm}":
            return self.algorithm(*map(str, text.fields.values())) or text
        fields = {name: self._field(value) for name, value in text.fields.items()}
        words = self.sentences.get(text.pattern, text.pattern).format(**fields)
        words = BESIDE_WIDE.sub(" ", self.contracted(words))
        return capital(words) if text[:1].isupper() and not WIDE.search(words) else words

    def _field(self, value: object) -> object:
        """What a pattern is filled with."""
        if isinstance(value, tuple):
            return self("lists.comma").join(map(self.translation, value))
        return self.translation(value) if isinstance(value, str) else value

    def decimal(self, text: str) -> str:
        """A text with the decimal sign of the language; digits in threes keep no comma then.

        >>> phrases("es").decimal("1,024 x 1.75 GiB"), phrases("en").decimal("1,024 x 1.75 GiB")
        ('1024 x 1,75 GiB', '1,024 x 1.75 GiB')
        """
        point = self("parts.point")
        if point == ".":
            return text
        return POINT.sub(point, THOUSANDS.sub("", text))

    def listed(self, parts: Sequence[str]) -> str:
        """Words in a row."""
        *first, last = parts
        return (
            self("lists.last", first=self("lists.comma").join(first), last=last) if first else last
        )

    def _known(self, table: str, text: str) -> str:
        return self.translated.get(table, {}).get(text, text)


@cache
def read(language: str, file: str) -> dict[str, Any]:
    """What a file of a language holds; raises BadInput for a language that there is not."""
    if language not in LANGUAGES:
        raise BadInput(f"language {quoted(language)}: unknown; {nearest(language, LANGUAGES)}")
    return tomllib.loads(Path(PHRASES, language, f"{file}.toml").read_text("utf-8"))


@cache
def page_words(language: str) -> dict[str, str]:
    """Patterns of what pages say by section and name; English where the language has none.

    >>> page_words("es")["controls.next"]
    'Paso siguiente'
    """
    own, english = (
        _patterns(read(name, "page") | {"player": read(name, "films")["player"]})
        for name in (language, "en")
    )
    return english | own


def _patterns(content: dict[str, Any]) -> dict[str, str]:
    return {
        f"{section}.{name}": text
        for section, table in content.items()
        for name, text in table.items()
    }


@cache
def speech(kind: str) -> str:
    """A pattern of the words of a kind in all languages, for a sentence in any of them.

    >>> speech("and")
    'and|y|并且'
    """
    return "|".join(word for language in LANGUAGES for word in read(language, "language")[kind])


class Wide(NamedTuple):
    """Signs that are read one by one, how many in a second, and how many are spoken as a word."""

    letters: re.Pattern[str]
    a_second: float
    a_word: float


@cache
def wide_letters() -> tuple[Wide, ...]:
    """Those of each language that has any."""
    tables = [read(language, "language").get("wide") for language in LANGUAGES]
    return tuple(
        Wide(re.compile(table["letters"]), table["a_second"], table["a_word"])
        for table in tables
        if table
    )


def breakable(text: str) -> list[str]:
    """Parts of a text between which a line may end, with the blanks after them.

    >>> breakable("one chunk: 6 µs."), breakable("每个 rank，再见")
    (['one ', 'chunk: ', '6 µs.'], ['每', '个 ', 'rank，', '再', '见'])
    """
    for wide in wide_letters():
        text = wide.letters.sub(f"{BREAK}\\g<0>{BREAK}", text)
        text = re.sub(f"{BREAK}+([{CLOSING}])", r"\1", text)
        text = re.sub(f"{BREAK}+( +){BREAK}*", f"\\1{BREAK}", text)
    part = f"[^{BREAK} ]"
    return re.findall(rf"(?:{part}*\d (?:{UNITS})(?![A-Za-z]){part}*|{part}+) *", text)


@cache
def phrases(language: str) -> Phrases:
    """The phrases of a language; raises BadInput for one that there is not."""
    return Phrases(language, dict(read(language, "films")))
