"""What a page or a widget holds packed, read in another way than the player does."""

import json
import zlib

from animations.player.pack.modules import LETTERS


def story_in(packed):
    """The one story that was packed, with counts in place of the numbers that stand behind it."""
    pairs = zip(packed[1::2], packed[2::2], strict=True)
    bits = "".join(f"{LETTERS.index(a) * 91 + LETTERS.index(b):013b}" for a, b in pairs)
    length = len(bits) // 8 - int(packed[0])
    raw = zlib.decompress(int(bits[: 8 * length], 2).to_bytes(length))
    fields = json.loads(raw[4 : 4 + int.from_bytes(raw[:4], "little")])
    return {name: value for name, [value] in fields.items()}
