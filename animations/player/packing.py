"""Bytes as a text that a page holds, deflated; core/unpacking.js reads it."""

from __future__ import annotations

import base64
import string
import zlib

LETTERS = [chr(code) for code in range(33, 127) if chr(code) not in "\"&'<>\\`$/"]
OWN_LETTERS = str.maketrans(
    string.digits + string.ascii_uppercase + string.ascii_lowercase + "!#$%&()*+-;<=>?@^_`{|}~",
    "".join(LETTERS),
)  # from those of b85encode


def packed(data: bytes) -> str:
    """Bytes, deflated, as five letters for four, after how many zeros are at the end.

    Shorter than base64. None of the letters means anything in markup.
    """
    deflated = zlib.compress(data, 9)
    zeros = -len(deflated) % 4
    return f"{zeros}{base64.b85encode(deflated + bytes(zeros)).decode().translate(OWN_LETTERS)}"
