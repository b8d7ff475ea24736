"""How long sentences take to speak, and texts as sentences that are short enough."""

from __future__ import annotations

import re
from math import ceil

from animations.drawing.render.subtitles import least_seconds
from animations.phrases import speech, wide_letters

WORDS_A_MINUTE = 150
MOST_WORDS = 14  # of a sentence
PAUSE = 0.4  # seconds after a sentence
DIGITS_OF_A_WORD = 2  # "128" is spoken as two or three words, "8" as one
STOP = re.compile(r"(?<=[;:]) |(?<=[；：])")
ASIDE = re.compile(rf", (?:{speech('asides')}),")
JOINT = re.compile(rf"，|,(?= [^\d{{])| (?:{speech('and')}),? (?![\d{{])")
OPEN = re.compile(rf" (?:{speech('and')}),[^,]*$")  # what cannot end a clause
BRACKETS = re.compile(r" \([^()]*\)")
SPOKEN = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d[\d.,]*")


def words(sentence: str) -> int:
    """How many words are spoken; long numbers count as several.

    >>> words("Each of 8 ranks sends 1.75 times the vector."), words("all-reduce of 64 MiB")
    (10, 4)
    """
    signs = 0.0
    for wide in wide_letters():
        signs += len(wide.letters.findall(sentence)) / wide.a_word
        sentence = wide.letters.sub(" ", sentence)
    spoken = SPOKEN.findall(sentence)
    digits = (sum(letter.isdigit() for letter in word) for word in spoken)
    number: int = ceil(signs) + sum(max(1, -(-count // DIGITS_OF_A_WORD)) for count in digits)
    return number


def spoken_seconds(sentence: str) -> float:
    """Seconds of a sentence at 150 words a minute, with a short pause after it.

    No fewer than it takes to read it as a subtitle.

    >>> spoken_seconds("Every rank sends at once.")
    2.4
    """
    if not sentence:
        return 0.0
    return max(words(sentence) * 60 / WORDS_A_MINUTE, least_seconds(sentence)) + PAUSE


def clauses(text: str, limit: int = MOST_WORDS) -> tuple[str, ...]:
    """A text as sentences of at most so many words, parted at its stops.

    Of one that is longer its main clause, up to the last comma or "and" that leaves few enough
    words; nothing where there is none.

    >>> clauses("Sums go up; then they come down", 4)
    ('Sums go up.', 'Then they come down.')
    >>> clauses("Rank 0 sends slot 1 (chunk 1 of ranks 0 and 1) over chunk 0 of rank 2", 12)
    ('Rank 0 sends slot 1 over chunk 0 of rank 2.',)
    >>> clauses("The switch, node n, adds up all data, and sends it back", 8)
    ('The switch adds up all data.',)
    >>> clauses("One half goes to the right and, at the same time, the other to the left", 11)
    ('One half goes to the right.',)
    """
    parts = [""]
    for part in STOP.split(ASIDE.sub("", text.strip().rstrip(".。"))):
        longer = f"{parts[-1]} {part}".strip()
        if parts[-1] and words(longer) > limit:
            parts.append(part)
        else:
            parts[-1] = longer
    return tuple(sentence(main) for part in parts if (main := _main_clause(part, limit)))


def _main_clause(text: str, limit: int) -> str:
    """As much of a clause as is short enough and can stand alone."""
    plain = BRACKETS.sub("", text)  # rather without what explains than cut within it
    for shorter in (text, plain):
        if words(shorter) <= limit:
            return shorter
    ends = [plain[: match.start()] for match in JOINT.finditer(plain)]
    whole = (end for end in ends if words(end) <= limit and not OPEN.search(end))
    return max(whole, key=len, default="")


def sentence(text: str) -> str:
    """A text with a capital letter and a stop.

    >>> sentence("rank 0 tells rank 1")
    'Rank 0 tells rank 1.'
    """
    text = re.sub("(?<=[；：]) ", "", text.strip().rstrip(";:,.；：，。"))
    stop = "。" if any(wide.letters.search(text) for wide in wide_letters()) else "."
    return f"{text[:1].upper()}{text[1:]}{stop}"
