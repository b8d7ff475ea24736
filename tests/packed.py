"""What a page or a widget holds packed, read in another way than the player does."""

import base64
import json
import zlib

from animations.player.pack.modules import OWN_LETTERS


def story_in(packed):
    """The one story that was packed, with counts in place of the numbers that stand behind it."""
    known = packed[1:].translate({own: usual for usual, own in OWN_LETTERS.items()})
    raw = zlib.decompress(base64.b85decode(known)[: -int(packed[0]) or None])
    fields = json.loads(raw[4 : 4 + int.from_bytes(raw[:4], "little")])
    return {name: value for name, [value] in fields.items()}
