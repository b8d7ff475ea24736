"""A storyboard as one HTML file that needs nothing else: the player, its data and its style."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from dataclasses import asdict
from pathlib import Path

from animations.story import story
from animations.storyboard import VIEWS, Storyboard
from animations.theme import DARK, Theme
from collectives.errors import BadInput
from collectives.files import replacing

START = """
const story = JSON.parse(document.getElementById("story").textContent);
play(document.getElementById("player"), story, true);
"""


def page(board: Storyboard) -> str:
    """The storyboard as the text of an HTML file.

    What comes from the storyboard is data, never markup; a content security policy lets the
    two blocks below run that are written here, and nothing be loaded. Raises BadInput for
    more ranks or chunks than have stripes.
    """
    if board.view != "stripes":
        most, limit = max(board.nodes, board.slots), VIEWS["stripes"]
        raise BadInput(f"{most} ranks or chunks: the page shows 1 to {limit}; nearest: {limit}")
    script = _file("player.js") + START
    style = theme_css(DARK) + _file("player.css") + _around(DARK)
    policy = (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    )
    title = f"{board.title}, {board.ranks} rank{'s' * (board.ranks > 1)}"
    parts = (
        "<!DOCTYPE html>",
        '<html lang="en">',
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width">',
        f"<title>{_text(title)}</title>",
        '<link rel="icon" href="data:,">',
        f"<style>{style}</style>",
        "<body>",
        '<main id="player"></main>',
        "<noscript>This picture moves by JavaScript, which is switched off.</noscript>",
        f'<script type="application/json" id="story">{packed(board)}</script>',
        f'<script type="module">{script}</script>',
        "</html>",
    )
    return "\n".join(parts) + "\n"


def write_page(board: Storyboard, path: str | Path) -> None:
    """Write the page to a file; raises BadInput where that cannot be done."""
    text = page(board).encode()
    with replacing(path) as file:
        file.write(text)


def packed(board: Storyboard) -> str:
    """The story as JSON in which no character can end or begin markup."""
    return json.dumps(story(board), separators=(",", ":")).replace("<", "\\u003c")


def theme_css(theme: Theme) -> str:
    """A theme as custom properties of the player; `--hue` is the colour of data-rank."""
    colours = {name: value for name, value in asdict(theme).items() if isinstance(value, str)}
    rules = "".join(f"--{name.replace('_', '-')}:{value};" for name, value in colours.items())
    hues = [
        f'.collectives [data-rank="{rank}"]{{--hue:{hue}}}' for rank, hue in enumerate(theme.ranks)
    ]
    phases = [
        f'.collectives [data-phase="{phase}"]{{--tint:{tint}}}'
        for phase, tint in enumerate(theme.phases)
    ]
    return "\n".join((f".collectives{{{rules}}}", *hues, *phases, ""))


def _around(theme: Theme) -> str:
    """The page around the player, which is as large as the window lets it be, or a column."""
    return (
        f"body {{ margin: 0; color: {theme.ink}; background: {theme.background}; }}\n"
        "#player { max-width: calc(100vh * 16 / 9); margin: 0 auto; }\n"
        "@media (max-width: 900px) { #player { max-width: none; } }\n"
    )


def _file(name: str) -> str:
    return Path(__file__).with_name(name).read_text("utf-8")


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _text(text: str) -> str:
    """Text for markup; what UTF-8 cannot express becomes a question mark."""
    return html.escape(text.encode("utf-8", "replace").decode())
