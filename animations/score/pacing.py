"""How long a sentence takes to speak."""

from __future__ import annotations

import re

WORDS_A_MINUTE = 150
MOST_WORDS = 14  # of a sentence
PAUSE = 0.4  # seconds after a sentence
DIGITS_OF_A_WORD = 2  # "128" is spoken as two or three words, "8" as one
SPOKEN = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d[\d.,]*")


def words(sentence: str) -> int:
    """How many words are spoken; long numbers count as several.

    >>> words("Each of 8 ranks sends 1.75 times the vector."), words("all-reduce of 64 MiB")
    (10, 4)
    """
    found = SPOKEN.findall(sentence)
    digits = (sum(letter.isdigit() for letter in word) for word in found)
    return sum(max(1, -(-count // DIGITS_OF_A_WORD)) for count in digits)


def spoken_seconds(sentence: str) -> float:
    """Seconds of a sentence at 150 words a minute, with a short pause after it.

    >>> spoken_seconds("Every rank sends at once.")
    2.4
    """
    return words(sentence) * 60 / WORDS_A_MINUTE + PAUSE if sentence else 0.0
