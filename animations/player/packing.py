"""A story as a short text: deflated, its long lists of numbers as columns of 16 bits each."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

COLUMNS = (8, 3, 1)  # numbers in a move, in a cell, in what was sent


def pack(story: dict[str, Any]) -> str:
    """The story for `unpacked` of player.js: base64, so no character can begin markup.

    Deflated are the length of the JSON, the JSON with lengths in place of numbers, and these:
    columns of the start's cells, then of all frames' moves, cells and sent.
    """
    frames = story["frames"]
    lists = [[number for frame in frames for number in frame[i]] for i in (1, 2, 3)]
    head = dict(story)
    head["start"] = len(story["start"])
    head["frames"] = [[frame[0], *map(len, frame[1:4]), *frame[4:]] for frame in frames]
    text = json.dumps(head, separators=(",", ":")).encode()
    text += b" " * (len(text) % 2)
    parts = [np.uint32(len(text)).astype("<u4").tobytes(), text, _columns(story["start"], 3)]
    parts += [_columns(numbers, width) for numbers, width in zip(lists, COLUMNS, strict=True)]
    return base64.b64encode(zlib.compress(b"".join(parts), 9)).decode()


def _columns(numbers: Sequence[int], width: int) -> bytes:
    table: npt.NDArray[np.uint16] = np.array(numbers, "<u2").reshape(-1, width)
    return table.T.tobytes()
