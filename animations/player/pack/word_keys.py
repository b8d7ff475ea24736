"""The words that the code of a page says, and no others.

A page of one language has them in the place of their keys, which is shortest; of several it has a
table of them, under keys of a letter or two.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from html import escape
from itertools import count, product
from string import ascii_letters

LITERAL = re.compile(r'"([a-z_]+\.[a-z_]+)"')  # a key in code
IN_SHEET = re.compile(r"\{([a-z_]+\.[a-z_]+)\}")  # a key in markup
BEGUN = re.compile(r"`([a-z_]+\.[a-z_]*)\$\{")  # what a key begins with that is made while it runs


def with_words(code: str, sheet: str, words: Mapping[str, Mapping[str, str]]) -> str:
    """The code, after the markup and the words by language that it takes.

    Raises KeyError for a key that has no words.
    """
    first, *others = words.values()
    sections = {key.partition(".")[0] for key in first}
    keys = [key for key in LITERAL.findall(code) if key.partition(".")[0] in sections]
    keys += IN_SHEET.findall(sheet)
    names = dict(zip(dict.fromkeys(keys), _names(), strict=False)) if others else {}
    begun = tuple(BEGUN.findall(code))
    kept = {key: key for key in first if key.startswith(begun)}
    table = {
        language: {name: texts[key] for key, name in ({**kept, **names}.items())}
        for language, texts in words.items()
    }
    literal = {key: json.dumps(names.get(key, first[key]), ensure_ascii=False) for key in keys}
    filled = {key: f"{{{names[key]}}}" if others else escape(first[key]) for key in keys}
    given = {"SHEET": IN_SHEET.sub(lambda key: filled[key[1]], sheet), "WORDS": table}
    head = (f"const {k} = {json.dumps(v, ensure_ascii=False)};\n" for k, v in given.items())
    return "".join(head) + LITERAL.sub(lambda key: literal.get(key[1], key[0]), code)


def _names() -> Iterator[str]:
    """a, b, …, aa, ab, …"""
    for length in count(1):
        yield from map("".join, product(ascii_letters, repeat=length))
