"""A lecture of one's own: a TOML file, read and checked before anything is drawn of it."""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from animations.course.examples import TROUBLES
from animations.course.lecture import (
    Lecture,
    Writer,
    find_lecture,
    of_table,
    score_of_lecture,
)
from animations.course.parts import filled, quantities
from animations.score.score import Score
from collectives.errors import BadInput
from collectives.exercises import exercise
from collectives.files import plain_name, read_text
from collectives.words import nearest, quoted

SUFFIX = ".toml"
MOST_WAIT = 600  # seconds that a question waits
TOP = {"number": int, "title": dict, "passage": list}
MORE = {"numbers": dict, "exercises": list, "goal": dict, "sources": list, "lab": str}
HEAD = ("show", "heading", "say")
RUN, WHO = ("collective", "machine", "ranks", "size"), ("ranks", "noun")


ON_CLOCK = ((*HEAD, *RUN), ("algorithm", "function", "chunks", "clock", "with", *TROUBLES))

OF_FILM = "algorithm", "function", "seconds", "stage", "with", "heading", "say", "why", "why_first"


@dataclass(frozen=True)
class Keys:
    """The keys of a kind of passage: what it needs, what it may have, what its sentences bring."""

    needed: tuple[str, ...]
    more: tuple[str, ...] = ()
    brings: tuple[str, ...] = ()


KEYS: Mapping[str, Keys] = {
    "words": Keys(HEAD, (), ("line", "recall")),
    "question": Keys(HEAD, ("right",), ("line", "recall", "wait")),
    "bars": Keys((*HEAD, "unit"), ("limit",), ("bar",)),
    "table": Keys(HEAD, ("rows", "source", "appear"), ("mark", "recall")),
    "machine": Keys(
        *((*HEAD, "machine", "ranks"), ("noun", "collective", "size", *ON_CLOCK[1])),
        ("light", "name", "way", "each", "missing", "waits", "run", "note", "stays"),
    ),
    "rings": Keys((*ON_CLOCK[0], "unit"), ON_CLOCK[1], ("run", "cards")),
    "promises": Keys(HEAD, WHO, ("promise", "before", "after", "note", "of_sums", "mark")),
    "lanes": Keys(
        *(ON_CLOCK[0], (*ON_CLOCK[1], "colors", "rows")), ("lanes", "at", "trips", "waits", "ways")
    ),
    "messages": Keys(*ON_CLOCK, ("messages", "grow")),
    "queue": Keys(*ON_CLOCK, ("queue",)),
    "overlap": Keys((*HEAD, "size", "layers", "backward", "bucket", "forward"), (), ("overlap",)),
    "shards": Keys((*HEAD, "ranks", "kinds", "limit"), (), ("shards",)),
    "pipeline": Keys(HEAD, (), ("pipeline", "wait")),
    "slices": Keys(HEAD, (), ("slices", "wait")),
    "plot": Keys((*HEAD, "x", "y"), (), ("plot", "turn")),
    "why": Keys(
        (*HEAD, "collective", "algorithm", "ranks"),
        ("with", "own", "third"),
        ("sends", "figure", "as_if"),
    ),
    "algorithm": Keys(("show", "collective", "ranks"), OF_FILM, ("step", "follow", "ahead")),
    "compare": Keys(("show", *RUN, "algorithms"), ("clock", "with")),
    "training": Keys(("show", "scheme"), ("say",)),
}


def read_lecture(path: str | Path) -> Lecture:
    """A lecture of a TOML file; docs/lecture-format.md describes the format.

    Raises BadInput for a file that is none: it names the table, the key and the nearest choice.
    Numbers, exercises and passages are computed to see that they can be.
    """
    name = quoted(str(path))
    try:
        table = tomllib.loads(read_text(path, "a lecture is a TOML file"))
    except tomllib.TOMLDecodeError as problem:
        raise BadInput(f"{name}: no TOML: {problem}") from None
    try:
        return _checked(table, plain_name(Path(path).stem).lower() or "own")
    except BadInput as problem:
        raise BadInput(f"{name}: {problem}") from None


def find_or_read(name: str | Lecture) -> Lecture:
    """The lecture of a file that ends with .toml, or of the course; raises BadInput for none.

    One that is a lecture already is returned.
    """
    if isinstance(name, Lecture):
        return name
    return read_lecture(name) if name.endswith(SUFFIX) else find_lecture(name)


def lecture_score(name: str, language: str = "en") -> Score:
    """The score of a lecture, of the course or of a file; raises BadInput for none."""
    return score_of_lecture(find_or_read(name), language)


def _checked(table: Mapping[str, Any], name: str) -> Lecture:
    """A lecture of a table that has what a lecture has."""
    _check_keys("the lecture", table, TOP, (*TOP, *MORE))
    for key, kind in {**TOP, **MORE}.items():
        if key in table and (isinstance(table[key], bool) or not isinstance(table[key], kind)):
            raise BadInput(f"{key}: must be a {WORDS[kind]}, not {quoted(str(table[key]))}")
    _check_text("title", table["title"])
    for key, text in table.get("numbers", {}).items():
        if not isinstance(text, str):
            raise BadInput(f"[numbers] {key}: must be an expression; try: {key} = '{text}'")
        _at(f"[numbers] {key}", lambda text=text: quantities({"": text}))
    numbers = quantities(table.get("numbers", {}))
    for number, pair in enumerate(table.get("exercises", ()), 1):
        _check_exercise(f"exercises, number {number}", pair)
    if not table["passage"]:
        raise BadInput("passage: there is none; try: [[passage]] with show = 'words'")
    if "goal" in table:
        _check_text("goal", table["goal"])
    for number, source in enumerate(table.get("sources", ()), 1):
        if not isinstance(source, str):
            raise BadInput(f"sources, number {number}: must be a text, not {quoted(str(source))}")
    lecture = of_table(table, name)
    for number, passage in enumerate(table["passage"], 1):
        _check_passage(f"passage {number}", passage, Writer(lecture, "en", numbers))
    return lecture


WORDS = {int: "whole number", dict: "table", list: "list", str: "text"}


def _check_exercise(where: str, pair: Any) -> None:
    """Raise BadInput unless this is a topic and a kind of exercises."""
    if not (isinstance(pair, list) and len(pair) == 2 and all(isinstance(x, str) for x in pair)):
        raise BadInput(f'{where}: must be a topic and a kind; try: ["ring all-reduce", "bytes"]')
    topic, kind = pair
    _at(where, lambda: exercise(topic, kind))


def _check_passage(where: str, table: Any, writer: Writer) -> None:
    """Raise BadInput for a passage whose keys, texts or numbers are wrong."""
    if not isinstance(table, dict) or "show" not in table:
        raise BadInput(f"{where}: has no show; try: show = 'words'")
    kind = table["show"]
    if not isinstance(kind, str) or kind not in KEYS:
        raise BadInput(f"{where}, show {quoted(str(kind))}: {nearest(str(kind), KEYS)}")
    keys, where = KEYS[kind], f"{where} ({kind})"
    _check_keys(where, table, keys.needed, (*keys.needed, *keys.more, "optional"))
    if "say" not in keys.needed:
        _at(where, lambda: list(writer.passages_of(table)))
        return
    _check_text(f"{where}, heading", table["heading"])
    if not (isinstance(table["say"], list) and table["say"]):
        raise BadInput(f"{where}, say: must be a list of sentences; try: [[passage.say]]")
    for number, line in enumerate(table["say"], 1):
        place = f"{where}, sentence {number}"
        if not isinstance(line, dict):
            raise BadInput(f"{place}: must be a table; try: [[passage.say]]")
        texts = {key: value for key, value in line.items() if len(key) == 2}
        _check_text(place, texts)
        _check_keys(place, line, (), (*texts, "defines", "point", *keys.brings))
        for text in texts.values():
            _at(place, lambda text=text: filled(text, writer.numbers))
        wait = line.get("wait", 0)
        if type(wait) not in (int, float) or not 0 <= wait <= MOST_WAIT:
            raise BadInput(f"{place}, wait {wait!r}: must be seconds, 0 to {MOST_WAIT}; try: 8")
    _at(where, lambda: writer.passage(table))


def _check_keys(
    where: str, table: Mapping[str, Any], needed: Iterable[str], known: Iterable[str]
) -> None:
    """Raise BadInput for a key that is missing or unknown."""
    names = list(known)
    for key in table:
        if key not in names:
            raise BadInput(f"{where}: unknown key {quoted(key)}; {nearest(key, names)}")
    for key in needed:
        if key not in table:
            raise BadInput(f"{where}: has no {key}; a {key} is needed")


def _check_text(where: str, text: Any) -> None:
    """Raise BadInput unless this is a table of texts by language, English among them."""
    good = isinstance(text, dict) and all(isinstance(value, str) for value in text.values())
    if not good or "en" not in text:
        raise BadInput(f"{where}: must have a text in English; try: en = 'A text.'")


def _at(where: str, compute: Any) -> None:
    """Compute something; a BadInput of it says where in the file it stands."""
    try:
        compute()
    except KeyError as problem:
        raise BadInput(f"{where}: has no {problem.args[0]}") from None
    except (TypeError, AttributeError):
        rule = "a key holds a value of a kind that it cannot; try: what docs/lecture-format.md says"
        raise BadInput(f"{where}: {rule}") from None
    except (BadInput, ValueError, IndexError) as problem:
        raise BadInput(f"{where}: {problem}") from None
